"""Where a greedy search stands: the features chosen so far, and who proposes the next one.

Whatever way features are found, the model of those chosen is the same RankRLS, whose leave-query-out residuals p are
kept exactly.  The three kinds of proposers differ in what they keep (O(m n) or nothing) and in how well they judge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from learners._greedy_backfitting import FittedFeatures, back_fitting_changes
from learners._greedy_selection import Candidates, HoldOuts, Step

_CHUNK_ELEMENTS = 1 << 21  # numbers in a block of candidate columns where these are not kept


class Choice(NamedTuple):
    """A candidate: its block, its position in it, and how it changes the criterion."""

    block: Candidates
    position: int
    change: float


class Proposer(Protocol):
    """Finds the best feature that is not chosen yet."""

    def best(self, state: GreedyState) -> Choice:
        """The best candidate."""

    def advance(self, step: Step) -> None:
        """Take a chosen feature into account."""


class GreedyState:
    """The steps taken so far, and the leave-query-out residuals p after them.

    ``make_proposer`` makes one that has seen no step yet.
    """

    def __init__(self, data: HoldOuts, make_proposer: Callable[[], Proposer]):
        self.data, self._make_proposer = data, make_proposer
        self.restart([])

    @property
    def features(self) -> list[int]:
        """Those chosen, in order."""
        return [step.feature for step in self.steps]

    @property
    def criterion(self) -> float:
        """The leave-query-out error: sum over Q of p_Q^T p_Q [Pahikkala2010, eq. 7]."""
        return float(self.residuals @ self.residuals)

    def restart(self, features: list[int]) -> None:
        """Begin anew, with these features: O(m n) each, or O(k m) where nothing is kept of the others."""
        self.steps: list[Step] = []
        self.residuals = self.data.scale * self.data.y  # p = Q G y without any feature (line 4)
        self._proposer = self._make_proposer()
        for feature in features:
            self.add(replay_steps(self.data, np.array([feature]), self.steps))

    def add_best(self) -> None:
        """Choose one more."""
        self.add(self._proposer.best(self))

    def add(self, choice: Choice) -> None:
        """Lines 22 to 29 of Algorithm 1 for the chosen feature."""
        column = choice.block.H[:, choice.position]
        # c = G h, the chosen feature's column of C: G starts as I / regparam, and every step has taken
        # c c^T / (1 + h^T c) from it (Sherman-Morrison-Woodbury; line 28 does so for all columns).
        image = column / self.data.regparam
        for step in self.steps:
            image -= step.image * (step.image @ column) / (1.0 + step.image @ step.column)
        step = choice.block.step(choice.position, image, self.residuals)
        sizes = np.diff(np.append(self.data.starts, len(self.residuals)))
        self.residuals = self.residuals - np.repeat(step.beta, sizes) * step.unpredicted  # p_Q (line 25)
        self.steps.append(step)
        self._proposer.advance(step)


def replay_steps(data: HoldOuts, features: np.ndarray, steps: list[Step]) -> Choice:
    """The best of these features after the steps taken, which are all gone through again: O(k m) for each."""
    block = Candidates(data, features)
    for step in steps:
        block.advance(step)
    return _best_of(block, block.changes)


def _best_of(block: Candidates, changes: np.ndarray) -> Choice:
    position = int(np.argmin(changes))
    return Choice(block, position, float(changes[position]))


class CachedCandidates:
    """All candidates, their bookkeeping kept from step to step: O(m n) per step and in memory."""

    def __init__(self, data: HoldOuts):
        self._block = Candidates(data, np.arange(data.X.shape[1]))

    def best(self, state: GreedyState) -> Choice:
        """The best of all."""
        changes = self._block.changes.copy()
        changes[state.features] = np.inf
        return _best_of(self._block, changes)

    def advance(self, step: Step) -> None:
        """Bring the bookkeeping up to date."""
        self._block.advance(step)


class _SampledCandidates:
    """Candidates drawn anew in every step, of which nothing is kept."""

    def __init__(self, data: HoldOuts, n_candidates: int, random_state: Any):
        self._data, self._n_candidates, self._random_state = data, n_candidates, random_state

    def _draw(self, state: GreedyState) -> np.ndarray:
        remaining = np.setdiff1d(np.arange(self._data.X.shape[1]), state.features)
        if self._n_candidates < len(remaining):
            remaining = np.sort(self._random_state.choice(remaining, self._n_candidates, replace=False))
        return remaining

    def advance(self, step: Step) -> None:
        """Nothing is kept, so there is nothing to update."""


class RecomputedCandidates(_SampledCandidates):
    """Candidates whose bookkeeping is replayed from the first step: O(k m n) per step, O(m k) in memory."""

    def best(self, state: GreedyState) -> Choice:
        """The best of those drawn."""
        sample = self._draw(state)
        width = max(1, _CHUNK_ELEMENTS // len(self._data.y))
        chunks = (sample[start : start + width] for start in range(0, len(sample), width))
        return min((replay_steps(self._data, chunk, state.steps) for chunk in chunks), key=lambda choice: choice.change)


class BackFittedCandidates(_SampledCandidates):
    """Candidates judged with the weights of the others as they are: see :mod:`learners._greedy_backfitting`."""

    def best(self, state: GreedyState) -> Choice:
        """The one that is best as it is judged; its change of the criterion is exact."""
        sample = self._draw(state)
        model = FittedFeatures.of(self._data, state.steps, state.residuals)
        best = sample[np.argmin(back_fitting_changes(self._data, sample, model))]
        return replay_steps(self._data, np.array([best]), state.steps)
