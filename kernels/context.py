"""The shallow context kernel: words and their n-grams before, between and after the pair.

k(x, x') = sum over regions and n-grams of count(x) count(x'), the global context kernel of Giuliano et al. (2006)
over blinded tokens; no parse is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from numpy.typing import ArrayLike

from kernels.attribution import Vertex
from kernels.candidates import CandidateGraph
from kernels.errors import ParameterError
from kernels.labels import blind_token
from kernels.named import ContextScorer, NamedFeatures, Occurrence
from kernels.scoring import Scorer
from kernels.sentence_graphs import AFTER, BEFORE, MIDDLE
from kernels.validation import check_subset

_REGIONS = {"before": BEFORE, "between": MIDDLE, "after": AFTER}
_KINDS = ("text", "lemma", "pos")


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
        check_subset("kinds", self.kinds, _KINDS)
        check_subset("regions", self.regions, tuple(_REGIONS))
        check_orders(self.orders)
        if self.window is not None and (not isinstance(self.window, int) or self.window < 0):
            raise ParameterError(f"expected window to be None or an integer of 0 or more, got {self.window!r}")


def check_orders(orders: tuple[int, int]) -> None:
    """Refuse anything but (shortest, longest) with 1 <= shortest <= longest."""
    valid = len(tuple(orders)) == 2 and all(isinstance(order, int) for order in orders)
    if not valid or not 1 <= orders[0] <= orders[1]:
        raise ParameterError(f"expected orders as (shortest, longest) from 1 up, got {orders!r}")
