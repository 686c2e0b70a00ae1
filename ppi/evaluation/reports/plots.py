"""Draw plots of evaluations as PNG or SVG files; matplotlib is an extra."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_curve

from corpora import atomic_output
from ppi.core import MissingExtraError, UsageError

if TYPE_CHECKING:
    from ppi.evaluation.cross_validation.nested_cross_validation import Evaluation
    from ppi.evaluation.trained_models.model_evaluation import ModelEvaluation

_PLURALS = {"score": "scores", "probability": "probabilities"}
_INK, _RED, _GREY = "#1f4e79", "#c0392b", "#9aa0a6"
#: How figures are written by the end of their name; no file records when or by what it was made.
_FORMATS: dict[str, dict[str, Any]] = {
    ".svg": {"metadata": {"Date": None, "Creator": None}},
    ".png": {"metadata": {"Software": None}, "dpi": 150},
}


def plot_evaluation(result: Evaluation, stem: Path) -> None:
    """ROC curve, precision-recall curve and the scores of the two classes, as PNG files that begin with ``stem``."""
    _plot_order(result, "score", result.pooled, stem, title_prefix="pooled ", threshold_label="chosen thresholds")


def plot_model(result: ModelEvaluation, stem: Path) -> None:
    """The same of a trained model's probabilities, and the diagram of their calibration."""
    _plot_order(result, "probability", result.metrics.summary_metrics(), stem, threshold_label="the model's threshold")
    means, prevalences, counts = np.array(result.metrics.calibration.bins).T

    def calibration(axes: Any) -> None:
        axes.plot([0, 1], [0, 1], color=_GREY, linestyle="--", linewidth=1, label="0.8 means 0.8")
        axes.plot(means, prevalences, "o-", color=_INK, markersize=4, label="pairs in ten bins")
        for mean, prevalence, count in zip(means, prevalences, counts):
            axes.annotate(f"{int(count)}", (mean, prevalence), textcoords="offset points", xytext=(5, -9), fontsize=7)
        axes.set(xlabel="mean probability", ylabel="share that interacts", xlim=(0, 1), ylim=(0, 1.01))
        axes.set_title(f"{result.corpus}: calibration error {result.metrics.calibration.ece:.3f}")
        axes.legend(frameon=False)

    save_plot(calibration, stem.with_name(f"{stem.name}-calibration.png"), size=(4.5, 4.2))


def _plot_order(
    result: Evaluation | ModelEvaluation,
    column: str,
    metrics: Mapping[str, Any],
    stem: Path,
    *,
    threshold_label: str,
    title_prefix: str = "",
) -> None:
    """The curves of the order of pairs by a column, the point of its threshold, and a histogram of the two classes."""
    name = result.corpus
    labels = np.array([pair["label"] for pair in result.pairs])
    scores = np.array([pair[column] for pair in result.pairs])
    bins = np.histogram_bin_edges(scores, bins=40) if column == "score" else np.linspace(0, 1, 41)
    false_positive, true_positive, _ = roc_curve(labels, scores)
    precision, recall, _ = precision_recall_curve(labels, scores)

    def roc(axes: Any) -> None:
        axes.plot(false_positive, true_positive, color=_INK)
        axes.plot([0, 1], [0, 1], color=_GREY, linestyle="--", linewidth=1)
        axes.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1.01))
        axes.set_title(f"{name}: {title_prefix}AUC {100 * metrics['auc']:.1f}")

    def precision_recall(axes: Any) -> None:
        axes.plot(recall, precision, color=_INK)
        axes.axhline(labels.mean(), color=_GREY, linestyle="--", linewidth=1, label="co-occurrence")
        axes.plot(metrics["recall"], metrics["precision"], "o", color=_RED, label=threshold_label)
        axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.01))
        axes.set_title(f"{name}: {title_prefix}F {100 * metrics['f']:.1f}")
        axes.legend(frameon=False)

    def classes(axes: Any) -> None:
        axes.hist(scores[~labels], bins=bins, color=_GREY, alpha=0.8, label="does not interact")
        axes.hist(scores[labels], bins=bins, color=_INK, alpha=0.7, label="interacts")
        axes.set(xlabel=column, ylabel="pairs", title=f"{name}: {_PLURALS[column]} by class")
        axes.legend(frameon=False)

    save_plot(roc, stem.with_name(f"{stem.name}-roc.png"), size=(4.5, 4.2))
    save_plot(precision_recall, stem.with_name(f"{stem.name}-pr.png"), size=(4.5, 4.2))
    save_plot(classes, stem.with_name(f"{stem.name}-scores.png"), size=(5.5, 3.6))


def plot_heat_map(values: Mapping[tuple[str, str], float], names: Sequence[str], title: str, path: Path) -> None:
    """Training corpora as rows, test corpora as columns, percentages in the cells."""
    rows = list(dict.fromkeys(train for train, _ in values))
    grid = np.array([[100 * values.get((train, test), np.nan) for test in names] for train in rows])

    def draw(axes: Any) -> None:
        axes.imshow(grid, cmap="Blues", aspect="auto")
        middle = (np.nanmin(grid) + np.nanmax(grid)) / 2
        for i, j in np.argwhere(~np.isnan(grid)):
            axes.text(
                j, i, f"{grid[i, j]:.1f}", ha="center", va="center", color="white" if grid[i, j] > middle else "black"
            )
        axes.set_xticks(range(len(names)), names)
        axes.set_yticks(range(len(rows)), rows)
        axes.set(xlabel="tested on", ylabel="trained on", title=title)

    save_plot(draw, path, size=(6.0, 0.7 + 0.55 * len(rows)))


def plot_learning_curves(curves: Mapping[str, Sequence[tuple[float, float, float]]], path: Path) -> None:
    """Learning curves: (training pairs, mean AUC, standard deviation) for each corpus, on a log scale."""

    def draw(axes: Any) -> None:
        for name, points in curves.items():
            sizes, means, spreads = np.array(points).T
            (line,) = axes.plot(sizes, 100 * means, marker="o", markersize=3, label=name)
            axes.fill_between(
                sizes, 100 * (means - spreads), 100 * (means + spreads), color=line.get_color(), alpha=0.15
            )
        axes.set_xscale("log")
        axes.set(xlabel="training pairs (log scale)", ylabel="AUC, %", title="Learning curves")
        axes.legend(frameon=False)

    save_plot(draw, path, size=(6.0, 4.2))


def save_plot(draw: Callable[[Any], None], path: Path, *, size: tuple[float, float]) -> None:
    """One set of axes without top and right spine, filled by ``draw``, as an SVG or PNG file."""

    def fill(figure: Any) -> None:
        axes = figure.subplots()
        axes.spines[["top", "right"]].set_visible(False)
        draw(axes)

    save_figure(fill, path, size=size)


def save_figure(
    draw: Callable[[Any], None], path: Path, *, size: tuple[float, float], style: Mapping[str, Any] | None = None
) -> None:
    """Write a figure that ``draw`` fills, as SVG or PNG by the name's end; the same figure gives the same bytes.

    Parameters
    ----------
    draw
        Is given an empty matplotlib figure.
    size
        In inches.
    style
        Settings of matplotlib (``rcParams``) beside its defaults.

    Raises
    ------
    MissingExtraError
        Without matplotlib, which the extra ``plots`` brings.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plots") from None
    if path.suffix not in _FORMATS:
        raise UsageError(f"expected the name of a figure to end in one of {list(_FORMATS)}, got {str(path)!r}")
    settings: dict[Any, Any] = {"svg.hashsalt": path.stem, **(style or {})}  # ids in an SVG file depend on its name
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=path.suffix[1:], **_FORMATS[path.suffix])
    with atomic_output(path) as output:
        output.write(buffer.getvalue())
