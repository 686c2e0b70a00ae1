"""Measures of an order on test sentences: the whole order of each, and its first parse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners import disagreement_error, kendall_tau_b
from ppi.parse_ranking import CandidateSet, goodness_and_queries


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The test sentences: goodness and sentence of each candidate, and the generator's order."""

    y: NDArray[np.float64]
    qid: NDArray[np.int64]
    places: NDArray[np.float64]

    @classmethod
    def of(cls, sets: Sequence[CandidateSet]) -> HeldOut:
        """From candidate sets with goodness."""
        y, qid = goodness_and_queries(sets)
        return cls(
            y,
            qid,
            np.array([candidate.place for candidates in sets for candidate in candidates.candidates], dtype=np.float64),
        )

    def measures(self, scores: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Disagreement error, tau-b and F of the first for each sentence; equal scores keep the generator's order."""
        order = np.lexsort((self.places, -scores, self.qid))
        firsts = order[np.unique(self.qid[order], return_index=True)[1]]
        return {
            "errors": disagreement_error(self.y, scores, qid=self.qid, per_query=True),
            "taus": kendall_tau_b(self.y, scores, qid=self.qid, per_query=True),
            "first": self.y[firsts],
        }

    def bounds(self) -> dict[str, float]:
        """Mean F of a candidate drawn at random, and of the best one of each sentence."""
        by_sentence = np.split(self.y, np.cumsum(np.bincount(self.qid))[:-1])
        return {
            "mean_f": float(np.mean([scores.mean() for scores in by_sentence])),
            "oracle_f": float(np.mean([scores.max() for scores in by_sentence])),
        }
