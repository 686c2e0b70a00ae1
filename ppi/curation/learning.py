"""From judgements that are kept to a model that has learned from them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ppi.curation.judgement import Judgement
from ppi.curation.relearning import Relearned, Relearner, Row
from ppi.errors import CurationError
from ppi.extraction import Extractor
from ppi.extraction.judgements import Judgement as Lesson
from ppi.pipeline import FOR_INTERACTIONS


def lessons_of(judgements: Iterable[Judgement]) -> list[tuple[Row, Lesson]]:
    """What each judgement is about and what it says, as a model is told."""
    return [(Row.of(judgement.interaction), judgement.lesson) for judgement in judgements]


def updated_model(
    judgements: Iterable[Judgement],
    *,
    model: str | Path | None = None,
    parser: str | None = None,
    regparam: float | None = None,
) -> Relearned:
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
    begin = None if model is None else Extractor.load(model)
    relearner = Relearner(begin, parser=parser or FOR_INTERACTIONS)
    learned = relearner.learn(lessons_of(judgements), regparam=regparam)
    if learned.feedback is None:
        raise CurationError("expected judgements of two proteins in a sentence, got none; judge some first")
    return learned
