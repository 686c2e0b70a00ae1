"""Reports: a table for the terminal, and a folder with everything as JSON, a page and plots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.source import atomic_folder
from ppi.errors import ReportError
from ppi.evaluation.cross_validation import Evaluation
from ppi.evaluation.markdown import table
from ppi.evaluation.scores import baseline_mean, mean_and_std

COLUMNS = ("corpus", "pairs", "positive", "P", "R", "F", "sd F", "AUC", "sd AUC", "pooled F", "pooled AUC", "co-occ F")


def file_stem(result: Evaluation) -> str:
    """How the result's plots are called."""
    return f"{result.corpus}-seed{result.seed}" if result.seed else result.corpus


def figures_table(results: Sequence[Evaluation]) -> str:
    """Percentages, one line per corpus."""
    lines = [[str(cell) for cell in row] for row in [COLUMNS, *map(_row, results)]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown_page(results: Sequence[Evaluation]) -> str:
    """The report's page: settings, figures, folds."""
    first = results[0]
    parts = [
        "# Evaluation",
        f"Kernel `{first.settings.kernel_name}` (`{first.settings.variant}`), learner `{first.settings.learner_name}`, "
        f"parse `{first.parser}`, {first.written_by}. Figures are percentages: means over folds of whole documents; "
        "regparam and threshold were chosen inside each training part by leave-document-out. Pooled values hold all "
        "test pairs, with 95 % intervals in report.json.",
        table(COLUMNS, map(_row, results)),
    ]
    for result in results:
        parts.append(f"## {title(result)}")
        if result.extra:
            listed = ", ".join(f"{name} ({count} pairs)" for name, count in result.extra.items())
            parts.append(f"Every fold could start from models of: {listed}; shared documents left out.")
        header = ("fold", "documents", "pairs", "positive", "regparam", "threshold", "P", "R", "F", "AUC")
        rows = [
            (
                fold.fold,
                fold.documents,
                fold.pairs,
                fold.positive,
                f"{fold.regparam:.3g}",
                f"{fold.threshold:.3f}",
                *(_percent(value) for value in (fold.precision, fold.recall, fold.f, fold.auc)),
            )
            for fold in result.folds
        ]
        parts.append(table(header, rows))
        parts.append("\n".join(f"![{kind}]({file_stem(result)}-{kind}.png)" for kind in ("roc", "pr", "scores")))
        seconds = ", ".join(f"{stage} {value:.1f}" for stage, value in result.seconds.items())
        parts.append(f"Seconds: {seconds}.")
    return "\n\n".join(parts) + "\n"


def write_report(results: Sequence[Evaluation], folder: str | Path) -> None:
    """Write ``report.json``, ``report.md`` and the plots; the folder appears only when it is complete."""
    from ppi.evaluation.plots import plot_evaluation

    with atomic_folder(folder) as made:
        document = [result.to_dict() for result in results]
        (made / "report.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
        (made / "report.md").write_text(markdown_page(results), encoding="utf-8")
        for result in results:
            plot_evaluation(result, made / file_stem(result))


def read_report(path: str | Path) -> list[dict[str, Any]]:
    """The contents of a report's ``report.json``, given the folder or the file.

    Raises
    ------
    ReportError
        If it is not there or no report.
    """
    file = Path(path) / "report.json" if Path(path).is_dir() else Path(path)
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ReportError(f"{file}: expected an evaluation report, got: {error}") from None
    if not isinstance(report, list) or not all(isinstance(each, dict) and "pairs" in each for each in report):
        raise ReportError(f"{file}: expected a list of evaluations with their pairs, got something else")
    return report


def _row(result: Evaluation) -> tuple[Any, ...]:
    mean, std = mean_and_std(result.folds)
    return (
        title(result),
        sum(fold.pairs for fold in result.folds),
        sum(fold.positive for fold in result.folds),
        *(_percent(mean[measure]) for measure in ("precision", "recall", "f")),
        _percent(std["f"]),
        _percent(mean["auc"]),
        _percent(std["auc"]),
        _percent(result.pooled["f"]),
        _percent(result.pooled["auc"]),
        _percent(baseline_mean(result.folds)["f"]),
    )


def title(result: Evaluation) -> str:
    """The corpus, with the seed of its folds if that is not the usual one."""
    return f"{result.corpus}, seed {result.seed}" if result.seed else result.corpus


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"
