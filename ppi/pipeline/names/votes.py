"""One name, one sense in a text: the kind of a name by what all its mentions in the text look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ppi.pipeline.kinds import KINDS, PROTEIN
from ppi.pipeline.names.forms import has_form_of_kind
from ppi.pipeline.names.kinds import NameSpan


class KindVotes:
    """The classifier's scores of the names that a decoder took for genes or proteins, summed by name."""

    def __init__(self) -> None:
        self._scores: dict[tuple[str, ...], NDArray[np.float32]] = {}

    def add(self, words: Sequence[str], scores: NDArray[np.float32]) -> None:
        """Another mention of a name, with the score of each kind."""
        name = tuple(words)
        self._scores[name] = self._scores.get(name, 0) + scores

    def assign_kinds(self, words: Sequence[str], names: Sequence[NameSpan]) -> list[NameSpan]:
        """The names of a text, proteins with the kind that has most, of those that the name's form allows.

        If the decoder more often took a name for a chemical, a cell or an organism, it is that everywhere.
        """
        kinds = {name: _best_kind(name, scores) for name, scores in self._scores.items()}
        decoded_kinds: dict[tuple[str, ...], Counter[str]] = {}
        for start, end, kind in names:
            decoded_kinds.setdefault(tuple(words[start:end]), Counter())[kind] += 1
        classified_names = []
        for name in names:
            key = tuple(words[name.start : name.end])
            if name.kind == PROTEIN:
                kind, count = decoded_kinds[key].most_common(1)[0]
                chosen_kind = kind if count > decoded_kinds[key][PROTEIN] else kinds.get(key, PROTEIN)
                name = name._replace(kind=chosen_kind)
            classified_names.append(name)
        return classified_names


def _best_kind(name: Sequence[str], scores: NDArray[np.float32]) -> str:
    ordered = (KINDS[index] for index in np.argsort(-scores, kind="stable"))
    return next(kind for kind in ordered if has_form_of_kind(name, kind))
