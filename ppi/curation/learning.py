"""From judgements that are kept to a model that has learned from them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ppi.curation.judgement import Judgement
from ppi.curation.relearning import FeedbackModel, FeedbackUpdate, PairInSentence
from ppi.errors import CurationError
from ppi.extraction import Extractor
from ppi.extraction.judgements import PairJudgement as Lesson
from ppi.pipeline import DEFAULT_PARSER


def training_labels(judgements: Iterable[Judgement]) -> list[tuple[PairInSentence, Lesson]]:
    """What each judgement is about and what it says, as a model is told."""
    return [(PairInSentence.of(judgement.interaction), judgement.training_label) for judgement in judgements]


def train_with_feedback(
    judgements: Iterable[Judgement],
    *,
    model: str | Path | None = None,
    parser: str | None = None,
    regparam: float | None = None,
) -> FeedbackUpdate:
    """A model with feedback, to be saved as any other (:meth:`ppi.Extractor.save`).

    Parameters
    ----------
    judgements
        All that hold, of all curators; of those who disagree the majority is heard.
    model
        What to begin with; None is the model that ships.
    parser
        What parses the judged sentences; None is the one that the shipped model was trained with.
    regparam
        As for :meth:`ppi.Extractor.update`.

    Raises
    ------
    CurationError
        If there is nothing that a model could learn from.
    """
    start_model = None if model is None else Extractor.load(model)
    feedback_model = FeedbackModel(start_model, parser=parser or DEFAULT_PARSER)
    update = feedback_model.learn(training_labels(judgements), regparam=regparam)
    if update.feedback is None:
        raise CurationError("expected judgements of two proteins in a sentence, got none; judge some first")
    return update
