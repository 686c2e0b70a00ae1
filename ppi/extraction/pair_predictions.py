"""Predicts pairs with a model: probabilities, type, agent and target, sign, kind of modification."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from corpora import BINDING, REGULATION, TYPES
from kernels import CandidateGraph
from ppi.core import UsageError
from ppi.extraction.extractor import Extractor
from ppi.extraction.outputs import DIRECTION, SIGN

#: Kinds by the stem of their verbs and nouns; the longer stem goes first.
MODIFICATION_STEMS = {
    stem: kind
    for kind, stems in {
        "phosphorylation": ("phosphorylat", "phospho"),
        "ubiquitination": ("ubiquitin", "ubiquityl"),
        "acetylation": ("acetylat",),
        "methylation": ("methylat",),
        "glycosylation": ("glycosylat",),
        "hydroxylation": ("hydroxylat",),
        "sumoylation": ("sumoylat",),
    }.items()
    for stem in stems
}
_MODIFICATION_WORD = re.compile(
    rf"(de)?(?:auto|trans|hyper|poly|mono|co)?-?({'|'.join(MODIFICATION_STEMS)})", re.IGNORECASE
)
#: Tokens beside the path that are looked at when the path itself names none.
_NEAR_PATH_TOKENS = 3
#: Probabilities are kept this far from 0 and 1 when their odds are shifted.
_MARGIN = 1e-9


class Prediction(NamedTuple):
    """What a model predicts of one candidate; without types for a model that has none.

    ``score`` is that of the type, and ``agent`` and ``target`` are ids of mentions; None, as ``sign``, where the model
    was not taught them.
    """

    score: float
    probability: float
    types: dict[str, float]
    type: str | None = None
    agent: str | None = None
    target: str | None = None
    sign: str | None = None
    kind: str | None = None


class PairPredictions:
    """What a model predicts of many candidates: probabilities at once, everything else of those that are asked for.

    Parameters
    ----------
    extractor, graphs
        The model and the candidates.
    prevalence
        The expected part of the pairs that interact in the reader's texts: moves the odds of all probabilities from
        the prevalence among the pairs that the model was calibrated on.  None leaves them as they are.
    scores
        The scores of the candidates by the model's outputs, if they are known already.

    Attributes
    ----------
    probabilities : ndarray
        That each pair interacts in any way: at least that of each type.
    """

    def __init__(
        self,
        extractor: Extractor,
        graphs: list[CandidateGraph],
        *,
        prevalence: float | None = None,
        scores: NDArray[np.float64] | None = None,
    ) -> None:
        self._extractor, self._graphs = extractor, graphs
        self._scores = extractor.score_outputs(graphs) if scores is None else scores
        shift = 0.0 if prevalence is None else _log_odds_shift(extractor, prevalence)
        outputs, calibrations = extractor.outputs_, extractor.calibrations_
        self._names = [kind for kind in TYPES if kind in outputs and kind in calibrations]
        types = [_shift_odds(calibrations[kind](self._scores[:, outputs.index(kind)]), shift) for kind in self._names]
        self._types = np.column_stack([np.zeros((len(graphs), 0)), *types])
        any_kind = _shift_odds(extractor.probabilities(self._scores[:, 0]), shift)
        self.probabilities: NDArray[np.float64] = np.max(np.column_stack([any_kind, self._types]), axis=1)

    def __getitem__(self, index: int) -> Prediction:
        """What the model predicts of one candidate."""
        probability, outputs = float(self.probabilities[index]), self._extractor.outputs_
        types = dict(zip(self._names, self._types[index].tolist()))
        if not types:
            return Prediction(float(self._scores[index, 0]), probability, {})
        kind = max(types, key=types.__getitem__)
        score = float(self._scores[index, outputs.index(kind)])
        if kind == BINDING:
            return Prediction(score, probability, types, kind)
        graph = self._graphs[index]
        agent, target = self._decide(index, DIRECTION, (graph.prot1, graph.prot2), (graph.prot2, graph.prot1))
        if kind == REGULATION:
            (sign,) = self._decide(index, SIGN, ("positive",), ("negative",))
            return Prediction(score, probability, types, kind, agent, target, sign=sign)
        return Prediction(score, probability, types, kind, agent, target, kind=modification_kind(graph))

    def _decide(
        self, index: int, output: str, positive: tuple[str, ...], negative: tuple[str, ...]
    ) -> tuple[str | None, ...]:
        """The decision of an output between two; None, for all of it, if no training corpus taught it."""
        if not self._extractor.has_learned(output):
            return (None,) * len(positive)
        return positive if self._scores[index, self._extractor.outputs_.index(output)] >= 0 else negative


def modification_kind(graph: CandidateGraph) -> str | None:
    """The kind of modification that the words on the path between the two mentions name, or those beside it.

    "dephosphorylates" is a kind of its own.
    """
    words = [token.text for token in graph.tokens]
    on_path = [index for index, is_on_path in enumerate(graph.token_on_path.tolist()) if is_on_path]
    near = {index + step for index in on_path for step in range(-_NEAR_PATH_TOKENS, _NEAR_PATH_TOKENS + 1)}
    for indices in (on_path, sorted(near)):
        for index in indices:
            if 0 <= index < len(words) and (match := _MODIFICATION_WORD.match(words[index])):
                return ("de" if match[1] else "") + MODIFICATION_STEMS[match[2].lower()]
    return None


def _log_odds_shift(extractor: Extractor, prevalence: float) -> float:
    """How far the log-odds move from the prevalence that the model was calibrated on to another."""
    training_prevalence = extractor.facts_.get("share")
    if not 0 < prevalence < 1:
        raise UsageError(f"expected a share of interacting pairs between 0 and 1, got {prevalence!r}")
    if not isinstance(training_prevalence, float) or not 0 < training_prevalence < 1:
        raise UsageError(
            "expected a model that records the share it was calibrated on, got one without; train it again"
        )
    return float(logit(prevalence) - logit(training_prevalence))


def _shift_odds(probabilities: NDArray[np.float64], shift: float) -> NDArray[np.float64]:
    if shift != 0.0:
        probabilities = expit(logit(np.clip(probabilities, _MARGIN, 1 - _MARGIN)) + shift)
    return probabilities
