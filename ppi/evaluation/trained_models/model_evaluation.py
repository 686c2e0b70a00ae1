"""A trained model, judged on a corpus: what it says of every annotated pair against what the corpus says.

Nothing is trained or chosen here.  ``score`` and the model's own threshold are those of its output ``interaction``;
``probability`` is what ``ppi annotate`` gives: that of any interaction, at least that of each type.  AUC and average
precision are of the order by probability.  What a sentence denies or only supposes is judged like anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppi.core import UsageError
from ppi.evaluation.cross_validation.nested_cross_validation import MEASURES, Clock
from ppi.evaluation.error_analysis import (
    MAX_JSON_MISTAKES,
    DocumentMetrics,
    Mistake,
    OutputMetrics,
    TypeMetrics,
    limit_per_kind,
    measure_documents,
    measure_outputs,
    measure_types,
    worst_mistakes,
)
from ppi.evaluation.model_metrics import ModelMetrics, measure_model
from ppi.evaluation.trained_models.training_overlap import TrainingOverlap, training_corpora
from ppi.extraction import Examples, Extractor, LabelledDocuments, PairPredictions, Settings, collect_examples


@dataclass(frozen=True)
class ModelEvaluation:
    """Everything about one model on one corpus.

    ``unseen`` are the figures without the documents that the model was trained on, where it was trained on some and not
    on all; ``warnings`` say so; ``documents`` are those of pairs of identifiers, where the corpus relates identifiers.
    """

    corpus: str
    model: str
    settings: Settings
    parser: str | None
    threshold: float
    threshold_probability: float
    trained_on: tuple[str, ...]
    metrics: ModelMetrics
    unseen: ModelMetrics | None
    documents: DocumentMetrics | None
    types: list[TypeMetrics]
    outputs: list[OutputMetrics]
    pairs: list[dict[str, Any]]
    mistakes: list[Mistake]
    training_overlap: TrainingOverlap
    warnings: tuple[str, ...]
    counts: Mapping[str, int]
    notes: tuple[str, ...]
    seconds: dict[str, float]
    problems: tuple[str, ...] = ()
    seed: int | None = None
    written_by: str = field(default_factory=lambda: f"ppi-miner {version('ppi-miner')}")

    def summary(self) -> dict[str, Any]:
        """The figures, without pairs: what ``ppi evaluate --model --json`` prints.

        The fields of a cross-validation are there, too: there are no folds, and ``mean`` is of all pairs.
        """
        own_threshold = self.metrics.own_threshold
        mean = {
            "precision": own_threshold.precision,
            "recall": own_threshold.recall,
            "f": own_threshold.f,
            "auc": self.metrics.auc,
        }
        return {
            "corpus": self.corpus,
            **{key: value for key, value in asdict(self.settings).items() if key != "parser"},
            "parser": self.parser,
            "extra": {},
            "seed": None,
            "folds": [],
            "mean": mean,
            "std": dict.fromkeys(MEASURES),
            "pooled": self.metrics.pooled_metrics(),
            "baseline": self.metrics.baseline(),
            "seconds": self.seconds,
            "model": {
                "file": self.model,
                "threshold": self.threshold,
                "probability": self.threshold_probability,
                "corpora": list(self.trained_on),
            },
            **self.metrics.to_dict(),
            "unseen": None if self.unseen is None else self.unseen.to_dict(),
            "seen": self.training_overlap.to_dict(),
            "types": [row.to_dict() for row in self.types],
            "outputs": [row.to_dict() for row in self.outputs],
            "by_document": None if self.documents is None else self.documents.to_dict(),
            "counts": dict(self.counts),
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "mistakes": [mistake.to_dict() for mistake in limit_per_kind(self.mistakes, MAX_JSON_MISTAKES)],
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain JSON values."""
        mistakes = [mistake.to_dict() for mistake in self.mistakes]
        return {
            **self.summary(),
            "written_by": self.written_by,
            "fold_of": {},
            "pairs": self.pairs,
            "mistakes": mistakes,
        }


def evaluate_model(
    corpus: str,
    gold: LabelledDocuments,
    extractor: Extractor,
    *,
    model: str = "a model",
    parser: str | None = None,
    training_overlap: TrainingOverlap | None = None,
    seconds: Mapping[str, float] | None = None,
) -> ModelEvaluation:
    """Judge a trained extractor on the labelled pairs of a corpus.

    Parameters
    ----------
    gold
        The corpus, with parses of the parser that the model was trained on.
    model, parser
        How the model is called, and whose parses these are, for the record.
    seen
        What the model was trained on of it (:func:`~ppi.evaluation.trained_models.training_overlap.find_training_overlap`).
    seconds
        What was spent before, by stage.

    Raises
    ------
    TrainingError
        If the corpus has no positive or no negative pair, or the model gives no probabilities.
    """
    clock = Clock(**(seconds or {}))
    training_overlap = training_overlap or TrainingOverlap()
    examples = collect_examples(gold.documents, name=corpus)
    scores = extractor.score_graphs(examples.graphs)
    predictions = PairPredictions(extractor, examples.graphs)
    probabilities, margins = predictions.probabilities, scores - extractor.threshold_
    clock.lap("scoring")
    is_unseen = ~np.isin(examples.documents, list(training_overlap.documents))
    return ModelEvaluation(
        corpus=corpus,
        model=model,
        settings=extractor.settings,
        parser=parser,
        threshold=float(extractor.threshold_),
        threshold_probability=float(extractor.probabilities(np.array([extractor.threshold_]))[0]),
        trained_on=tuple(training_corpora(extractor.facts_)),
        metrics=measure_model(examples.labels, margins, probabilities, examples.documents),
        unseen=_measure_unseen(examples, margins, probabilities, is_unseen) if training_overlap.documents else None,
        documents=measure_documents(examples, gold.concepts, margins, probabilities),
        types=measure_types(examples, margins, probabilities),
        outputs=measure_outputs(extractor, examples),
        pairs=_pair_rows(examples, scores, probabilities, margins),
        mistakes=worst_mistakes(examples, margins, probabilities),
        training_overlap=training_overlap,
        counts=gold.counts,
        warnings=tuple(training_overlap.warnings(len(gold.documents))),
        notes=gold.notes,
        seconds=clock.seconds(),
    )


def resolve_parser(extractor: Extractor, parser: str | None) -> str:
    """The parser whose parses a model wants, unless another is asked for.

    Raises
    ------
    UsageError
        If none is asked for and the model does not know.
    """
    parser_name = parser or extractor.settings.parser or extractor.facts_.get("parser")
    if not isinstance(parser_name, str):
        raise UsageError(
            "expected a model that records whose parses it was trained on, got one without; name one with --parser"
        )
    return parser_name


def _measure_unseen(
    examples: Examples, margins: NDArray[np.float64], probabilities: NDArray[np.float64], rows: NDArray[np.bool_]
) -> ModelMetrics | None:
    """The figures of what the model was not trained on, if there are pairs of both kinds."""
    if len(np.unique(examples.labels[rows])) < 2:
        return None
    return measure_model(examples.labels[rows], margins[rows], probabilities[rows], examples.documents[rows])


def _pair_rows(
    examples: Examples,
    scores: NDArray[np.float64],
    probabilities: NDArray[np.float64],
    margins: NDArray[np.float64],
) -> list[dict[str, Any]]:
    return [
        {
            "document": graph.document_id,
            "pair": graph.pair.id,
            "fold": None,
            "label": bool(label > 0),
            "score": float(score),
            "probability": float(probability),
            "interacts": bool(margin >= 0),
        }
        for graph, label, score, probability, margin in zip(
            examples.graphs, examples.labels, scores, probabilities, margins, strict=True
        )
    ]
