"""Rows of figures in percent, for tables in the terminal and in reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ppi.evaluation.cross_validation import Evaluation
from ppi.evaluation.model_evaluation import ModelEvaluation
from ppi.evaluation.model_figures import OWN_THRESHOLD, ModelMetrics
from ppi.evaluation.scores import baseline_mean, mean_and_std

#: What is judged: by folds, or a trained model.
AnyEvaluation = Evaluation | ModelEvaluation
COLUMNS = ("corpus", "pairs", "positive", "P", "R", "F", "sd F", "AUC", "sd AUC", "pooled F", "pooled AUC", "co-occ F")
MODEL_COLUMNS = ("corpus", "pairs", "positive", "at", "called", "P", "R", "F", "AP", "AUC", "ECE", "co-occ F")
#: What is added to the name of a corpus where pairs of identifiers of its documents are judged.
BY_DOCUMENT = ", by document"


def plot_stem(result: AnyEvaluation) -> str:
    """How the result's plots are called."""
    return f"{result.corpus}-seed{result.seed}" if result.seed else result.corpus


def result_title(result: AnyEvaluation) -> str:
    """The corpus, with the seed of its folds if that is not the usual one."""
    return f"{result.corpus}, seed {result.seed}" if result.seed else result.corpus


def evaluation_rows(result: Evaluation) -> Iterator[tuple[Any, ...]]:
    """One cross-validation, by :data:`COLUMNS`; pairs of identifiers of documents have a row of their own."""
    yield evaluation_row(result)
    if (document_metrics := result.documents) is not None:
        rates = map(percent, (document_metrics.precision, document_metrics.recall, document_metrics.f))
        yield (
            f"{result_title(result)}{BY_DOCUMENT}",
            document_metrics.pairs,
            document_metrics.positive,
            *rates,
            "-",
            "-",
            "-",
            percent(document_metrics.f),
            "-",
            "-",
        )


def evaluation_row(result: Evaluation) -> tuple[Any, ...]:
    """One cross-validation, by :data:`COLUMNS`."""
    mean, std = mean_and_std(result.folds)
    return (
        result_title(result),
        sum(fold.pairs for fold in result.folds),
        sum(fold.positive for fold in result.folds),
        *(percent(mean[measure]) for measure in ("precision", "recall", "f")),
        percent(std["f"]),
        percent(mean["auc"]),
        percent(std["auc"]),
        percent(result.pooled["f"]),
        percent(result.pooled["auc"]),
        percent(baseline_mean(result.folds)["f"]),
    )


def model_rows(result: ModelEvaluation) -> Iterator[tuple[Any, ...]]:
    """A model on a corpus, by :data:`MODEL_COLUMNS`.

    One row per threshold; the same without the documents that it has seen; one for each type that corpus and model
    know; and one of pairs of identifiers.
    """
    yield from metric_rows(result.corpus, result.metrics)
    if result.unseen is not None:
        yield from metric_rows(f"{result.corpus}, unseen", result.unseen)
    for row in result.outputs:
        if (half := row.at_half) is not None:
            row_metrics = (half.precision, half.recall, half.f, row.average_precision, row.auc)
            error = "" if row.calibration_error is None else f"{row.calibration_error:.3f}"
            name = f"{result.corpus}, {row.output}"
            yield name, row.pairs, row.positive, half.at, half.called, *map(percent, row_metrics), error, ""
    if (document_metrics := result.documents) is not None:
        document_rates = map(
            percent,
            (
                document_metrics.precision,
                document_metrics.recall,
                document_metrics.f,
                document_metrics.average_precision,
            ),
        )
        yield (
            f"{result.corpus}{BY_DOCUMENT}",
            document_metrics.pairs,
            document_metrics.positive,
            OWN_THRESHOLD,
            document_metrics.called,
            *document_rates,
            "",
            "",
            "",
        )


def metric_rows(name: str, metrics: ModelMetrics) -> Iterator[tuple[Any, ...]]:
    """One row per threshold; what does not depend on it stands in the first."""
    for threshold in metrics.thresholds:
        first = threshold.at == OWN_THRESHOLD
        yield (
            name if first else "",
            metrics.pairs if first else "",
            metrics.positive if first else "",
            threshold.at,
            threshold.called,
            percent(threshold.precision),
            percent(threshold.recall),
            percent(threshold.f),
            percent(metrics.average_precision) if first else "",
            percent(metrics.auc) if first else "",
            f"{metrics.calibration.ece:.3f}" if first else "",
            percent(metrics.baseline()["f"]) if first else "",
        )


def percent(value: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return "-" if value is None else f"{100 * value:.1f}"
