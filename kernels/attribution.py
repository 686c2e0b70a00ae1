"""Which vertices of a candidate graph a score comes from, and the plain matrices of one graph.

One graph at a time, with dense matrices over its vertices: O((t + a)^2) label pairs, a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels._token_walks import analysed, token_walks
from kernels.candidates import CandidateGraph
from kernels.labels import Label
from kernels.sentence_graph import lemma_of

if TYPE_CHECKING:
    from kernels.all_paths import AllPathsFeatures

_PLACES = ("B", "M", "A")


class Vertex(NamedTuple):
    """A vertex: ``kind`` is ``"token"`` or ``"arc"``, ``position`` its place among the tokens or arcs."""

    subgraph: str
    kind: str
    position: int


class Contribution(NamedTuple):
    """What one feature, produced by these vertices, adds to a score."""

    value: float
    name: str
    column: int
    vertices: tuple[Vertex, ...]


def in_order(contributions: Iterable[Contribution]) -> list[Contribution]:
    """Largest magnitude first; where equal, by column, name and vertices."""
    return sorted(contributions, key=lambda item: (-abs(item.value), item.column, item.name, item.vertices))


def converges(graph: CandidateGraph, weights: NDArray[np.float64]) -> bool:
    """Whether the sum over all walks does, with these weights of the arcs' edges."""
    return _token_walks(graph, weights)[1]


def _token_walks(graph: CandidateGraph, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
    """S = (I - B)^-1 and whether it exists (:mod:`kernels._token_walks`)."""
    base = graph.base
    S = np.zeros((base.n_tokens, base.n_tokens))
    return S, token_walks(analysed(base.governors, base.dependents, base.n_tokens), weights, S)


def spectral_radius(graph: CandidateGraph, weights: NDArray[np.float64]) -> float:
    """Largest absolute eigenvalue of the dependency subgraph's adjacency matrix.

    Two edges make a step between tokens, so it is the root of that of B (see :mod:`kernels._token_walks`).
    """
    n_tokens = graph.base.n_tokens
    if not graph.base.n_arcs:
        return 0.0
    B = np.zeros((n_tokens, n_tokens))
    np.add.at(B, (graph.base.governors, graph.base.dependents), weights**2)
    return float(np.sqrt(np.abs(np.linalg.eigvals(B)).max()))


def vertex_labels(graph: CandidateGraph, features: AllPathsFeatures) -> tuple[list[Vertex], list[list[Label]]]:
    """All vertices (tokens, arcs, then tokens of the linear subgraph) and the labels of each."""
    kinds, n_tokens, n_arcs = set(features.labels), graph.base.n_tokens, graph.base.n_arcs
    vertices = [Vertex("dependency", "token", t) for t in range(n_tokens)]
    vertices += [Vertex("dependency", "arc", a) for a in range(n_arcs)]
    vertices += [Vertex("linear", "token", t) for t in range(n_tokens)]

    def path_mark(on_path: bool) -> str:
        return "IP" if on_path and features.mark_path else ""

    bases = [_token_bases(graph, t, kinds, features.blind_pos) for t in range(n_tokens)]
    labels = [[Label(*base, path_mark(graph.token_on_path[t])) for base in bases[t]] for t in range(n_tokens)]
    labels += [
        [Label("dependency", graph.base.types[a], path_mark(graph.arc_on_path[a]))] if "dependency" in kinds else []
        for a in range(n_arcs)
    ]
    for t in range(n_tokens):
        place = _PLACES[graph.places[t]] if features.mark_place else "L"
        labels.append([Label(*base, place) for base in bases[t]])
    return vertices, labels


def _token_bases(graph: CandidateGraph, t: int, kinds: set[str], blind_pos: bool) -> list[tuple[str, str]]:
    token, role = graph.tokens[t], int(graph.roles[t])
    if role:
        bases = [("role", name) for bit, name in ((1, "PROT1"), (2, "PROT2"), (4, "PROT")) if role & bit]
    else:
        bases = [("text", token.text)] if "text" in kinds else []
        bases += [("lemma", lemma_of(token))] if "lemma" in kinds else []
    if "pos" in kinds and token.pos is not None and not (role and blind_pos):
        bases.append(("pos", token.pos))
    return bases


def edge_weights(graph: CandidateGraph, features: AllPathsFeatures) -> NDArray[np.float64]:
    """Weight of the two edges of each arc, scaled if the graph would diverge."""
    weights = np.where(graph.arc_on_path, float(features.in_path_weight), float(features.other_weight))
    return weights * features.divergence_scale(graph)


def walk_weights(graph: CandidateGraph, features: AllPathsFeatures) -> NDArray[np.float64]:
    """W of the whole graph as a dense matrix, vertices ordered as in :func:`vertex_labels`."""
    n, a = graph.base.n_tokens, graph.base.n_arcs
    governors, dependents = graph.base.governors, graph.base.dependents
    w = edge_weights(graph, features)
    S, _ = _token_walks(graph, w)
    W = np.zeros((2 * n + a, 2 * n + a))
    W[:n, :n] = S - np.eye(n)
    W[:n, n : n + a] = S[:, governors] * w
    W[n : n + a, :n] = w[:, None] * S[dependents]
    W[n : n + a, n : n + a] = w[:, None] * S[np.ix_(dependents, governors)] * w
    distance = np.subtract.outer(np.arange(n), np.arange(n)).T
    W[n + a :, n + a :] = np.where(distance > 0, float(features.linear_weight) ** np.abs(distance), 0.0)
    W[features.min_weight > W] = 0.0
    return W


def attribute_walks(
    features: AllPathsFeatures, graph: CandidateGraph, weights: NDArray[np.float64]
) -> list[Contribution]:
    """The contributions that :meth:`AllPathsFeatures.attribute` promises."""
    vertices, labels = vertex_labels(graph, features)
    W = walk_weights(graph, features)
    cells: dict[tuple[Label, Label], list[tuple[float, int, int]]] = {}
    for k, j in np.argwhere(W > 0.0).tolist():
        for first in labels[k]:
            for second in labels[j]:
                cell = cells.setdefault((first, second), [])
                if features.variant == "sum" or not cell:
                    cell.append((W[k, j], k, j))
                elif W[k, j] > cell[0][0]:
                    cell[0] = (W[k, j], k, j)
    columns, signs = features.label_columns(list(cells))
    return in_order(
        Contribution(float(value), f"{pair[0]} -> {pair[1]}", int(column), (vertices[k], vertices[j]))
        for pair, column, sign in zip(cells, columns, signs)
        if column >= 0
        for weight, k, j in cells[pair]
        if (value := weights[column] * sign * weight) != 0.0
    )
