"""The shortest-path kernel: n-grams along the shortest dependency paths between the two entities.

A path alternates tokens and arcs; each step can be seen as several things (a token as its word or part of
speech, an arc as its type), and an n-gram takes one of them at each step, as in the kernel of Bunescu and
Mooney (2005), which multiplies the numbers of common things.  An arc keeps its direction: ``nsubj>`` goes
from governor to dependent when the path is read from PROT1 to PROT2, ``<nsubj`` the other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from kernels.attribution import Vertex
from kernels.candidates import CandidateGraph
from kernels.context import check_orders
from kernels.labels import blind_token
from kernels.named import NamedFeatures, Occurrence, PathScorer
from kernels.scoring import Scorer
from kernels.sentence_graphs import PROT1
from kernels.validation import check_subset

_KINDS = ("text", "lemma", "pos", "dependency")


Step = tuple[Vertex, str]  # a vertex and, for an arc, which way it points: ">" or "<"


class PathFeatures(NamedFeatures):
    """Label n-grams along the shortest undirected paths, and the length of the path.

    If several paths are shortest, the n-grams of all of them count, each distinct run of vertices once.
    A pair without a path has only the feature ``"length:none"``.  With f kinds for a token, a run of n
    steps has at most f^((n + 1) / 2) names.

    Parameters
    ----------
    kinds
        Which of ``"text"``, ``"lemma"``, ``"pos"``, ``"dependency"`` are seen.  Without ``"dependency"`` an arc
        is its direction alone; without all three others a token is ``*``.
    orders
        The numbers of steps (tokens and arcs) in an n-gram, shortest and longest.
    n_features
        None for a fitted vocabulary, a power of 2 for stateless hashing; see
        :class:`~kernels.named.NamedFeatures`.
    """

    def __init__(
        self,
        *,
        kinds: Sequence[str] = ("text", "pos", "dependency"),
        orders: tuple[int, int] = (1, 5),
        n_features: int | None = None,
    ) -> None:
        self.kinds = kinds
        self.orders = orders
        self.n_features = n_features

    def occurrences(self, graph: CandidateGraph) -> Iterator[Occurrence]:
        """Each n-gram of each run along the paths, then the length."""
        following = path_steps(graph)
        views = {step: self._views(graph, step) for step in following}
        shortest, longest = self.orders
        for start in following:
            for segment in _segments(start, following, longest):
                if len(segment) >= shortest:
                    vertices = tuple(vertex for vertex, _ in segment)
                    for chosen in product(*(views[step] for step in segment)):
                        yield Occurrence(" ".join(chosen), vertices)
        yield Occurrence(f"length:{graph.path_length if graph.path_length >= 0 else 'none'}", ())

    def _views(self, graph: CandidateGraph, step: Step) -> list[str]:
        vertex, arrow = step
        if vertex.kind == "arc":
            name = graph.base.types[vertex.position] if "dependency" in self.kinds else ""
            return [f"{name}>" if arrow == ">" else f"<{name}"]
        kinds = [kind for kind in self.kinds if kind != "dependency"]
        return [f"{kind}:{blind_token(graph, vertex.position, kind)}" for kind in kinds] or ["*"]

    def _make_scorer(self, weights: ArrayLike) -> Scorer:
        """Compiled, if arcs are seen as their types, and tokens as something."""
        plain = "dependency" in self.kinds and len(self.kinds) > 1
        return PathScorer(self, weights) if plain else super()._make_scorer(weights)

    def _validate(self) -> None:
        super()._validate()
        check_subset("kinds", self.kinds, _KINDS)
        check_orders(self.orders)


def path_steps(graph: CandidateGraph) -> dict[Step, list[Step]]:
    """The steps of all shortest paths, read from PROT1 to PROT2, and which steps can follow each."""
    governors, dependents = graph.base.governors.tolist(), graph.base.dependents.tolist()
    outgoing: dict[int, list[tuple[int, int, str]]] = {}  # from each token: the arc, its other end, which way it points
    for a in np.flatnonzero(graph.arc_on_path).tolist():
        outgoing.setdefault(governors[a], []).append((a, dependents[a], ">"))
        outgoing.setdefault(dependents[a], []).append((a, governors[a], "<"))
    level = {t for t, (role, on_path) in enumerate(zip(graph.roles, graph.token_on_path)) if on_path and role & PROT1}
    following: dict[Step, list[Step]] = {}
    while level:  # an arc of a shortest path leads from one level of distance to the next
        ahead = set()
        for t in sorted(level):
            following.setdefault(_token(t), [])
            for a, there, arrow in outgoing.get(t, ()):
                if there not in level and _token(there) not in following:
                    step = (Vertex("dependency", "arc", a), arrow)
                    following[_token(t)].append(step)
                    following[step] = [_token(there)]
                    ahead.add(there)
        level = ahead
    return following


def _token(t: int) -> Step:
    return Vertex("dependency", "token", t), ""


def _segments(start: Step, following: dict[Step, list[Step]], longest: int) -> Iterator[list[Step]]:
    """All ways to go on from ``start``, of up to ``longest`` steps."""
    yield [start]
    if longest > 1:
        for step in following[start]:
            for rest in _segments(step, following, longest - 1):
                yield [start, *rest]
