"""A trained model evaluated on a corpus: its prediction for every annotated pair against the label of the corpus.

Nothing is trained or chosen here.  ``score`` and the model's own threshold are those of its output ``interaction``;
``probability`` is what ``ppi annotate`` gives: that of any interaction, at least that of each type.  AUC and average
precision are of the order by probability.  What a sentence denies or only supposes counts like anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ppi.core import UsageError
from ppi.evaluation.cross_validation.nested_cross_validation import MEASURES, Clock, CorpusEvaluation, pair_rows
from ppi.evaluation.error_analysis import (
    MAX_JSON_MISTAKES,
    OutputMetrics,
    limit_per_kind,
    measure_documents,
    measure_outputs,
    measure_types,
    worst_mistakes,
)
from ppi.evaluation.model_metrics import ModelMetrics, measure_model
from ppi.evaluation.trained_models.training_overlap import TrainingOverlap, training_corpora
from ppi.extraction import Extractor, LabelledDocuments, PairPredictions, collect_examples


@dataclass(frozen=True, kw_only=True)
class ModelEvaluation(CorpusEvaluation):
    """Everything about one model on one corpus.

    ``unseen`` are the figures without the documents that the model was trained on, where it was trained on some and not
    on all; ``warnings`` report that.
    """

    model: str
    threshold: float
    threshold_probability: float
    trained_on: tuple[str, ...]
    metrics: ModelMetrics
    unseen: ModelMetrics | None
    outputs: list[OutputMetrics]
    training_overlap: TrainingOverlap
    warnings: tuple[str, ...]

    def summary(self) -> dict[str, Any]:
        """The figures, without pairs: what ``ppi evaluate --model --json`` prints.

        The fields of a cross-validation are there, too: there are no folds, and ``mean`` is of all pairs.
        """
        own_threshold = self.metrics.own_threshold
        return {
            "corpus": self.corpus,
            **{key: value for key, value in asdict(self.settings).items() if key != "parser"},
            "parser": self.parser,
            "extra": {},
            "seed": None,
            "folds": [],
            "mean": {
                "precision": own_threshold.precision,
                "recall": own_threshold.recall,
                "f": own_threshold.f,
                "auc": self.metrics.auc,
            },
            "std": dict.fromkeys(MEASURES),
            "pooled": self.metrics.summary_metrics(),
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
    """Evaluate a trained extractor on the labelled pairs of a corpus.

    Parameters
    ----------
    gold
        The corpus, with parses of the parser that the model was trained on.
    model, parser
        The model's name, and the parser of these parses, for the record.
    training_overlap
        Which of the documents the model was trained on.
    seconds
        The time spent before, by stage.

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
    rows = ~np.isin(examples.documents, list(training_overlap.documents))
    unseen = None
    if training_overlap.documents and len(np.unique(examples.labels[rows])) == 2:
        unseen = measure_model(examples.labels[rows], margins[rows], probabilities[rows], examples.documents[rows])
    return ModelEvaluation(
        corpus=corpus,
        model=model,
        settings=extractor.settings,
        parser=parser,
        threshold=float(extractor.threshold_),
        threshold_probability=float(extractor.probabilities(np.array([extractor.threshold_]))[0]),
        trained_on=tuple(training_corpora(extractor.facts_)),
        metrics=measure_model(examples.labels, margins, probabilities, examples.documents),
        unseen=unseen,
        documents=measure_documents(examples, gold.concepts, margins, probabilities),
        types=measure_types(examples, margins, probabilities),
        outputs=measure_outputs(extractor, examples),
        pairs=pair_rows(examples, scores, margins, probabilities=probabilities),
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
