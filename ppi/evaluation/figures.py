"""Rows of figures in percent, for tables in the terminal and in reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ppi.evaluation.cross_validation import Evaluation
from ppi.evaluation.model_evaluation import ModelEvaluation
from ppi.evaluation.model_figures import OWN, ModelFigures
from ppi.evaluation.scores import baseline_mean, mean_and_std

#: What is judged: by folds, or a trained model.
Result = Evaluation | ModelEvaluation
COLUMNS = ("corpus", "pairs", "positive", "P", "R", "F", "sd F", "AUC", "sd AUC", "pooled F", "pooled AUC", "co-occ F")
MODEL_COLUMNS = ("corpus", "pairs", "positive", "at", "called", "P", "R", "F", "AP", "AUC", "ECE", "co-occ F")
#: What is added to the name of a corpus where pairs of identifiers of its documents are judged.
BY_DOCUMENT = ", by document"


def file_stem(result: Result) -> str:
    """How the result's plots are called."""
    return f"{result.corpus}-seed{result.seed}" if result.seed else result.corpus


def title(result: Result) -> str:
    """The corpus, with the seed of its folds if that is not the usual one."""
    return f"{result.corpus}, seed {result.seed}" if result.seed else result.corpus


def evaluation_rows(result: Evaluation) -> Iterator[tuple[Any, ...]]:
    """One cross-validation, by :data:`COLUMNS`; pairs of identifiers of documents have a row of their own."""
    yield evaluation_row(result)
    if (by := result.documents) is not None:
        figures = map(percent, (by.precision, by.recall, by.f))
        yield f"{title(result)}{BY_DOCUMENT}", by.pairs, by.positive, *figures, "-", "-", "-", percent(by.f), "-", "-"


def evaluation_row(result: Evaluation) -> tuple[Any, ...]:
    """One cross-validation, by :data:`COLUMNS`."""
    mean, std = mean_and_std(result.folds)
    return (
        title(result),
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
    yield from figure_rows(result.corpus, result.figures)
    if result.unseen is not None:
        yield from figure_rows(f"{result.corpus}, unseen", result.unseen)
    for row in result.outputs:
        if (at := row.at_half) is not None:
            figures = (at.precision, at.recall, at.f, row.average_precision, row.auc)
            error = "" if row.calibration_error is None else f"{row.calibration_error:.3f}"
            name = f"{result.corpus}, {row.output}"
            yield name, row.pairs, row.positive, at.at, at.called, *map(percent, figures), error, ""
    if (by := result.documents) is not None:
        shares = map(percent, (by.precision, by.recall, by.f, by.average_precision))
        yield f"{result.corpus}{BY_DOCUMENT}", by.pairs, by.positive, OWN, by.called, *shares, "", "", ""


def figure_rows(name: str, figures: ModelFigures) -> Iterator[tuple[Any, ...]]:
    """One row per threshold; what does not depend on it stands in the first."""
    for each in figures.thresholds:
        first = each.at == OWN
        yield (
            name if first else "",
            figures.pairs if first else "",
            figures.positive if first else "",
            each.at,
            each.called,
            percent(each.precision),
            percent(each.recall),
            percent(each.f),
            percent(figures.average_precision) if first else "",
            percent(figures.auc) if first else "",
            f"{figures.calibration.ece:.3f}" if first else "",
            percent(figures.baseline()["f"]) if first else "",
        )


def percent(value: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return "-" if value is None else f"{100 * value:.1f}"
