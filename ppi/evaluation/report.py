"""Reports: tables for the terminal, and a folder with everything as JSON, pages in Markdown and HTML, and plots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.source import atomic_folder
from ppi.errors import ReportError
from ppi.evaluation import html_report, markdown
from ppi.evaluation.aligning import format_columns
from ppi.evaluation.blocks import Block
from ppi.evaluation.cross_validation import Evaluation
from ppi.evaluation.figures import (
    COLUMNS,
    MODEL_COLUMNS,
    AnyEvaluation,
    evaluation_rows,
    model_rows,
    plot_stem,
    result_title,
)
from ppi.evaluation.markdown import describe_confidence
from ppi.evaluation.mistakes import MAX_TERMINAL_MISTAKES, Mistake, limit_per_kind
from ppi.evaluation.model_evaluation import ModelEvaluation
from ppi.evaluation.report_pages import ERRORS_PAGE, error_blocks, evaluation_blocks, model_blocks

__all__ = [
    "COLUMNS",
    "format_mistakes",
    "metrics_table",
    "plot_stem",
    "read_report",
    "render_markdown_page",
    "result_title",
    "write_report",
]


def metrics_table(results: Sequence[AnyEvaluation]) -> str:
    """Percentages: one line per corpus and, of a trained model, threshold."""
    model_results = _select_models(results)
    if model_results:
        return format_columns([MODEL_COLUMNS, *(row for result in model_results for row in model_rows(result))])
    return format_columns(
        [COLUMNS, *(row for result in _select_cross_validations(results) for row in evaluation_rows(result))]
    )


def _select_models(results: Sequence[AnyEvaluation]) -> list[ModelEvaluation]:
    return [result for result in results if isinstance(result, ModelEvaluation)]


def _select_cross_validations(results: Sequence[AnyEvaluation]) -> list[Evaluation]:
    return [result for result in results if isinstance(result, Evaluation)]


def format_mistakes(result: AnyEvaluation) -> str:
    """The worst mistakes on a corpus, for a terminal."""
    parts = []
    for label, heading in ((False, "called interactions, and none by the corpus"), (True, "missed")):
        listed_mistakes = [
            mistake for mistake in limit_per_kind(result.mistakes, MAX_TERMINAL_MISTAKES) if mistake.label is label
        ]
        if listed_mistakes:
            parts.append("\n".join([f"{result.corpus}: {heading}:", *map(_terminal_line, listed_mistakes)]))
    return "\n".join(parts)


def _terminal_line(mistake: Mistake) -> str:
    details = ", ".join(filter(None, (describe_confidence(mistake), *mistake.types)))
    words = " ".join(f"{mistake.names[0]} / {mistake.names[1]} ({details}): {mistake.text}".split())
    return f"  {''.join(sign if sign.isprintable() else ' ' for sign in words)}"


def render_markdown_page(results: Sequence[AnyEvaluation]) -> str:
    """The report's page: settings, figures, folds."""
    return markdown.render_page(report_blocks(results))


def report_blocks(results: Sequence[AnyEvaluation]) -> list[Block]:
    """What the report's page is made of."""
    model_results = _select_models(results)
    return model_blocks(model_results) if model_results else evaluation_blocks(_select_cross_validations(results))


def write_report(results: Sequence[AnyEvaluation], folder: str | Path) -> None:
    """Write ``report.json``, pages and plots; the folder appears only when it is complete.

    ``report.md`` and ``report.html`` have the figures, ``errors.md`` and ``errors.html`` the worst mistakes.
    """
    from ppi.evaluation.plots import plot_evaluation, plot_model

    with atomic_folder(folder) as output_folder:
        document = [result.to_dict() for result in results]
        (output_folder / "report.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
        for result in results:
            if isinstance(result, ModelEvaluation):
                plot_model(result, output_folder / plot_stem(result))
            else:
                plot_evaluation(result, output_folder / plot_stem(result))
        for name, heading, blocks in (
            ("report", "Evaluation", report_blocks(results)),
            (ERRORS_PAGE, "Mistakes", error_blocks(results)),
        ):
            (output_folder / f"{name}.md").write_text(markdown.render_page(blocks), encoding="utf-8")
            (output_folder / f"{name}.html").write_text(
                html_report.render_page(heading, blocks, output_folder), encoding="utf-8"
            )


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
    if not isinstance(report, list) or not all(
        isinstance(evaluation, dict) and "pairs" in evaluation for evaluation in report
    ):
        raise ReportError(f"{file}: expected a list of evaluations with their pairs, got something else")
    return report
