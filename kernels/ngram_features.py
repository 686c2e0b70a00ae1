"""N-grams as features: of the words around a pair, and along its shortest dependency paths.

The context kernel is k(x, x') = sum over regions and n-grams of count(x) count(x'), the global context kernel of
Giuliano et al. (2006) over blinded tokens; no parse is needed.

In the shortest-path kernel a path alternates tokens and arcs; each step can be seen as several things (a token as its
word or part of speech, an arc as its type), and an n-gram takes one of them at each step, as in the kernel of Bunescu
and Mooney (2005), which multiplies the numbers of common things.  An arc keeps its direction: ``nsubj>`` goes from
governor to dependent when the path is read from PROT1 to PROT2, ``<nsubj`` the other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from kernels.attribution import Vertex
from kernels.candidates import CandidateGraph
from kernels.errors import ParameterError
from kernels.labels import blind_token
from kernels.named import ContextScorer, NamedFeatures, Occurrence, PathScorer
from kernels.scoring import Scorer
from kernels.sentence_graphs import AFTER, BEFORE, MIDDLE, PROT1
from kernels.validation import check_subset

_REGIONS = {"before": BEFORE, "between": MIDDLE, "after": AFTER}
_CONTEXT_KINDS = ("text", "lemma", "pos")
_PATH_KINDS = ("text", "lemma", "pos", "dependency")

Step = tuple[Vertex, str]  # a vertex and, for an arc, which way it points: ">" or "<"


class ContextFeatures(NamedFeatures):
    """Counts of the n-grams of blinded tokens in each region of the sentence.

    A region's n-grams stay inside it.  The tokens of the pair belong to the region between, so that
    ``"between text:PROT1 binds"`` is a feature; a name is the region, the kind and the tokens.
    Cost: O(tokens * orders * kinds) per candidate.

    Parameters
    ----------
    kinds
        Which of ``"text"``, ``"lemma"``, ``"pos"`` make n-grams; lemmas fall back on lower-cased text.
    regions
        Which of ``"before"``, ``"between"``, ``"after"`` are used.
    orders
        The lengths of n-grams, shortest and longest.
    window
        How many tokens before, and after, the pair are seen; None sees all.
    n_features
        None for a fitted vocabulary, a power of 2 for stateless hashing; see
        :class:`~kernels.named.NamedFeatures`.
    """

    def __init__(
        self,
        *,
        kinds: Sequence[str] = ("text", "lemma"),
        regions: Sequence[str] = ("before", "between", "after"),
        orders: tuple[int, int] = (1, 3),
        window: int | None = None,
        n_features: int | None = None,
    ) -> None:
        self.kinds = kinds
        self.regions = regions
        self.orders = orders
        self.window = window
        self.n_features = n_features

    def occurrences(self, graph: CandidateGraph) -> Iterator[Occurrence]:
        """Each n-gram at each place."""
        for prefix, tokens, words in self._lines(graph):
            for start, stop in self._slices(len(tokens)):
                vertices = tuple(Vertex("linear", "token", t) for t in tokens[start:stop])
                yield Occurrence(prefix + " ".join(words[start:stop]), vertices)

    def names(self, graph: CandidateGraph) -> Iterator[str]:
        """The n-grams alone."""
        for prefix, tokens, words in self._lines(graph):
            for start, stop in self._slices(len(tokens)):
                yield prefix + " ".join(words[start:stop])

    def _lines(self, graph: CandidateGraph) -> Iterator[tuple[str, list[int], list[str]]]:
        """The words of each region as each kind, with the start of their features' names."""
        for kind in self.kinds:
            words = [blind_token(graph, t, kind) for t in range(graph.base.n_tokens)]
            for region in self.regions:
                tokens = self._region(graph, region)
                yield f"{region} {kind}:", tokens, [words[t] for t in tokens]

    def _slices(self, length: int) -> Iterator[tuple[int, int]]:
        shortest, longest = self.orders
        for size in range(shortest, longest + 1):
            yield from ((start, start + size) for start in range(length - size + 1))

    def _region(self, graph: CandidateGraph, region: str) -> list[int]:
        place = _REGIONS[region]
        tokens = [t for t, at in enumerate(graph.places.tolist()) if at == place]
        if self.window is None or region == "between":
            return tokens
        return tokens[max(0, len(tokens) - self.window) :] if region == "before" else tokens[: self.window]

    def _make_scorer(self, weights: ArrayLike) -> Scorer:
        """Compiled, unless only a part of the sentence is seen."""
        whole = tuple(self.regions) == tuple(_REGIONS) and self.window is None
        return ContextScorer(self, weights) if whole else super()._make_scorer(weights)

    def _validate(self) -> None:
        super()._validate()
        check_subset("kinds", self.kinds, _CONTEXT_KINDS)
        check_subset("regions", self.regions, tuple(_REGIONS))
        check_orders(self.orders)
        if self.window is not None and (not isinstance(self.window, int) or self.window < 0):
            raise ParameterError(f"expected window to be None or an integer of 0 or more, got {self.window!r}")


def check_orders(orders: tuple[int, int]) -> None:
    """Refuse anything but (shortest, longest) with 1 <= shortest <= longest."""
    valid = len(tuple(orders)) == 2 and all(isinstance(order, int) for order in orders)
    if not valid or not 1 <= orders[0] <= orders[1]:
        raise ParameterError(f"expected orders as (shortest, longest) from 1 up, got {orders!r}")


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
        check_subset("kinds", self.kinds, _PATH_KINDS)
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
