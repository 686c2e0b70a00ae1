"""Which vertices of a candidate graph a score comes from, and the plain matrices of one graph.

One graph at a time, with dense matrices over its vertices.  The kernel's features are pairs of labels, so that arrays
have O((t + a)^2) cells; objects are made only for the features that have a weight, and names only for these.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels._token_walks import analyse_parse, fill_token_walks
from kernels.candidates import CandidateGraph
from kernels.compiling import expect
from kernels.labels import Label
from kernels.sentence_graphs import lemma_of

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


def sort_contributions(contributions: Iterable[Contribution]) -> list[Contribution]:
    """Largest magnitude first; where equal, by column, name and vertices."""
    return sorted(contributions, key=lambda item: (-abs(item.value), item.column, item.name, item.vertices))


def converges(graph: CandidateGraph, weights: NDArray[np.float64]) -> bool:
    """Whether the sum over all walks does, with these weights of the arcs' edges."""
    return _compute_token_walks(graph, weights)[1]


def _compute_token_walks(graph: CandidateGraph, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
    """S = (I - B)^-1 and whether it exists (:mod:`kernels._token_walks`)."""
    base = graph.base
    S = np.zeros((base.n_tokens, base.n_tokens))
    expect(base.n_tokens + base.n_arcs)
    return S, fill_token_walks(analyse_parse(base.governors, base.dependents, base.n_tokens), weights, S)


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
    S, _ = _compute_token_walks(graph, w)
    W = np.zeros((2 * n + a, 2 * n + a))
    W[:n, :n] = S - np.eye(n)
    W[:n, n : n + a] = S[:, governors] * w
    W[n : n + a, :n] = w[:, None] * S[dependents]
    W[n : n + a, n : n + a] = w[:, None] * S[np.ix_(dependents, governors)] * w
    distance = np.subtract.outer(np.arange(n), np.arange(n)).T
    W[n + a :, n + a :] = np.where(distance > 0, float(features.linear_weight) ** np.abs(distance), 0.0)
    W[features.min_weight > W] = 0.0
    return W


class _Cells(NamedTuple):
    """Pairs of labels at pairs of vertices (sources, targets: places in the list of labels), one per element."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]
    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]

    def select(self, selection: NDArray[Any]) -> _Cells:
        """Some of them: places, or True or False for each."""
        return _Cells(*(field[selection] for field in self))


def attribute_walks(
    features: AllPathsFeatures, graph: CandidateGraph, weights: NDArray[np.float64]
) -> list[Contribution]:
    """The contributions that :meth:`AllPathsFeatures.attribute` promises."""
    vertices, labels = vertex_labels(graph, features)
    distinct = {label: number for number, label in enumerate(dict.fromkeys(chain.from_iterable(labels)))}
    names = list(distinct)
    cells = _cells(
        walk_weights(graph, features),
        [[distinct[label] for label in vertex_label_list] for vertex_label_list in labels],
    )
    columns, signs = features.pair_columns(names, cells.sources, cells.targets)
    has_weight = columns >= 0
    has_weight[has_weight] = weights[columns[has_weight]] != 0.0
    cells, columns, signs = cells.select(has_weight), columns[has_weight], signs[has_weight]
    if features.variant == "max":
        maxima = _find_maxima(cells)
        cells, columns, signs = cells.select(maxima), columns[maxima], signs[maxima]
    values = weights[columns] * signs * cells.weights
    return sort_contributions(
        Contribution(value, f"{names[source]} -> {names[target]}", column, (vertices[k], vertices[j]))
        for value, column, source, target, k, j in zip(
            *(array.tolist() for array in (values, columns, cells.sources, cells.targets, cells.firsts, cells.seconds))
        )
    )


def _cells(W: NDArray[np.float64], labels: list[list[int]]) -> _Cells:
    """Every pair of labels of every two vertices that a walk joins, in the order of the vertices."""
    max_labels = max(map(len, labels), default=0)
    slots = np.array(
        [[*vertex_label_list, *[-1] * (max_labels - len(vertex_label_list))] for vertex_label_list in labels],
        dtype=np.int64,
    ).reshape(len(labels), max_labels)
    firsts, seconds = np.nonzero(W > 0.0)
    # one axis for the labels of the first vertex, one for those of the second
    sources, targets = np.broadcast_arrays(slots[firsts][:, :, None], slots[seconds][:, None, :])
    is_present = (sources >= 0) & (targets >= 0)
    at = np.nonzero(is_present)[0]
    return _Cells(sources[is_present], targets[is_present], W[firsts[at], seconds[at]], firsts[at], seconds[at])


def _find_maxima(cells: _Cells) -> NDArray[np.intp]:
    """Of each pair of labels the place with the greatest weight; of equal ones the first in the order of vertices."""
    order = np.lexsort((cells.seconds, cells.firsts, -cells.weights, cells.targets, cells.sources))
    pairs = np.stack([cells.sources, cells.targets])[:, order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (pairs[:, 1:] != pairs[:, :-1]).any(axis=0)
    return order[new]
