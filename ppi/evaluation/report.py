"""Reports: tables for the terminal, and a folder with everything as JSON, pages in Markdown and HTML, and plots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.source import atomic_folder
from ppi.errors import ReportError
from ppi.evaluation import html_report, markdown
from ppi.evaluation.aligning import aligned
from ppi.evaluation.blocks import Block
from ppi.evaluation.cross_validation import Evaluation
from ppi.evaluation.figures import (
    COLUMNS,
    MODEL_COLUMNS,
    Result,
    evaluation_rows,
    file_stem,
    model_rows,
    title,
)
from ppi.evaluation.markdown import figure_of
from ppi.evaluation.mistakes import FEW, Mistake, of_each_kind
from ppi.evaluation.model_evaluation import ModelEvaluation
from ppi.evaluation.report_pages import ERRORS, error_blocks, evaluation_blocks, model_blocks

__all__ = [
    "COLUMNS",
    "figures_table",
    "file_stem",
    "markdown_page",
    "mistakes_text",
    "read_report",
    "title",
    "write_report",
]


def figures_table(results: Sequence[Result]) -> str:
    """Percentages: one line per corpus and, of a trained model, threshold."""
    trained = _of_models(results)
    if trained:
        return aligned([MODEL_COLUMNS, *(row for result in trained for row in model_rows(result))])
    return aligned([COLUMNS, *(row for result in _of_folds(results) for row in evaluation_rows(result))])


def _of_models(results: Sequence[Result]) -> list[ModelEvaluation]:
    return [result for result in results if isinstance(result, ModelEvaluation)]


def _of_folds(results: Sequence[Result]) -> list[Evaluation]:
    return [result for result in results if isinstance(result, Evaluation)]


def mistakes_text(result: Result) -> str:
    """The worst mistakes on a corpus, for a terminal."""
    parts = []
    for label, heading in ((False, "called interactions, and none by the corpus"), (True, "missed")):
        listed = [mistake for mistake in of_each_kind(result.mistakes, FEW) if mistake.label is label]
        if listed:
            parts.append("\n".join([f"{result.corpus}: {heading}:", *map(_terminal_line, listed)]))
    return "\n".join(parts)


def _terminal_line(mistake: Mistake) -> str:
    told = ", ".join(filter(None, (figure_of(mistake), *mistake.types)))
    words = " ".join(f"{mistake.names[0]} / {mistake.names[1]} ({told}): {mistake.text}".split())
    return f"  {''.join(sign if sign.isprintable() else ' ' for sign in words)}"


def markdown_page(results: Sequence[Result]) -> str:
    """The report's page: settings, figures, folds."""
    return markdown.page(report_blocks(results))


def report_blocks(results: Sequence[Result]) -> list[Block]:
    """What the report's page is made of."""
    trained = _of_models(results)
    return model_blocks(trained) if trained else evaluation_blocks(_of_folds(results))


def write_report(results: Sequence[Result], folder: str | Path) -> None:
    """Write ``report.json``, pages and plots; the folder appears only when it is complete.

    ``report.md`` and ``report.html`` have the figures, ``errors.md`` and ``errors.html`` the worst mistakes.
    """
    from ppi.evaluation.plots import plot_evaluation, plot_model

    with atomic_folder(folder) as made:
        document = [result.to_dict() for result in results]
        (made / "report.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
        for result in results:
            if isinstance(result, ModelEvaluation):
                plot_model(result, made / file_stem(result))
            else:
                plot_evaluation(result, made / file_stem(result))
        for name, heading, blocks in (
            ("report", "Evaluation", report_blocks(results)),
            (ERRORS, "Mistakes", error_blocks(results)),
        ):
            (made / f"{name}.md").write_text(markdown.page(blocks), encoding="utf-8")
            (made / f"{name}.html").write_text(html_report.page(heading, blocks, made), encoding="utf-8")


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
