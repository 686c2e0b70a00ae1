"""Kernel parameters by cross-validation on training sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.frame.crew import Crew
from ppi.parse_ranking import (
    CandidateSet,
    LearnerOptions,
    ParseFeatures,
    draw_per_sentence,
    goodness_and_queries,
    train,
)


def feature_grid(generator: str) -> list[ParseFeatures]:
    """What is tried: the graph kernel of the articles alone, and with the other groups of features beside it.

    The articles rank Link Grammar's parses without its own opinion; the beam's opinion is worth a great deal.
    """
    if generator == "link-grammar":
        base = ParseFeatures(tags="shipped", links=0.0)
        walks = [replace(base, max_length=4), replace(base, max_length=3, directed=False)]
        other = [replace(base, max_length=2, links=weight) for weight in (4.0, 16.0)]
        return [
            *walks,
            replace(base, labels=("pos", "class", "link"), max_length=3, directed=False),
            *other,
            replace(base, max_length=3, directed=False, links=16.0),
            replace(base, max_length=2, links=16.0, normalize=False),
        ]
    base = ParseFeatures(tags="given", max_length=2, links=4.0)
    return [replace(base, generator=weight) for weight in (0.0, 1.0, 20.0, 100.0)]


#: Widths of the Gaussian kernel, tried with the best features of the linear one.
GAMMAS = (0.1, 1.0)


@dataclass(frozen=True)
class Choice:
    """The parameters chosen and the disagreement error of everything that was tried."""

    features: ParseFeatures
    kernel: str
    gamma: float
    tried: list[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {**vars(self), "features": self.features.parameters()}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Choice:
        """The choice that :meth:`to_json` wrote."""
        return cls(**{**value, "features": ParseFeatures(**value["features"])})


def choose_kernel(
    sets: Sequence[CandidateSet],
    grid: Sequence[ParseFeatures],
    *,
    parses_per_sentence: int = 5,
    random_state: int = 0,
    crew: Crew | None = None,
) -> Choice:
    """The features and kernel with which RankRLS (21) has the least leave-sentence-out error; O(m^3) each.

    Parameters
    ----------
    sets
        Training sentences only.
    parses_per_sentence
        Random parses of each sentence to try with: choosing needs no more.
    crew
        Who tries them; None: this process.
    """
    y, qid = goodness_and_queries(sets)
    drawn = draw_per_sentence(qid, parses_per_sentence, random_state=random_state)
    attempt = partial(_attempt, sets, drawn, y[drawn], qid[drawn])
    crew = Crew() if crew is None else crew
    linear = crew.map(attempt, [(features, LearnerOptions()) for features in grid])
    best = int(np.argmin([each["error"] for each in linear]))
    features = grid[best]
    tasks = [(features, LearnerOptions(kernel="gaussian", gamma=gamma)) for gamma in GAMMAS]
    gaussian = crew.map(attempt, tasks)
    width = min(gaussian, key=lambda each: each["error"])
    kernel = "gaussian" if width["error"] < linear[best]["error"] else "linear"
    return Choice(features, kernel, width["gamma"], [*linear, *gaussian])


def _attempt(
    sets: Sequence[CandidateSet],
    drawn: NDArray[np.int64],
    y: NDArray[np.float64],
    qid: NDArray[np.int64],
    task: tuple[ParseFeatures, LearnerOptions],
) -> dict[str, Any]:
    """Parameters, and the least leave-sentence-out error with its regparam."""
    features, learning = task
    trained = train(features.transform(sets, rows=drawn), y, qid, learning)
    kernel = {"kernel": learning.kernel, "gamma": learning.gamma if learning.kernel == "gaussian" else None}
    error = float(np.min(list(trained.errors.values())))
    return {**features.parameters(), **kernel, "error": error, "regparam": trained.regparam}
