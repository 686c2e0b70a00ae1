"""Reports of evaluations: tables for the terminal, and a folder with JSON, pages in Markdown and HTML, and plots.

A page is a list of blocks (:mod:`ppi.evaluation.reports.markdown`): of a cross-validation, of a trained model on
corpora, or of the mistakes of either.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from corpora import atomic_folder
from ppi.core import ReportError
from ppi.evaluation.cross_validation.nested_cross_validation import Evaluation, baseline_mean, mean_and_std
from ppi.evaluation.error_analysis import MAX_REPORT_MISTAKES, MAX_TERMINAL_MISTAKES, Mistake, limit_per_kind
from ppi.evaluation.model_metrics import OWN_THRESHOLD, ModelMetrics
from ppi.evaluation.reports import html_report, markdown
from ppi.evaluation.reports.markdown import (
    Block,
    Glossary,
    Heading,
    Link,
    MistakeList,
    Paragraph,
    Pictures,
    Table,
    describe_confidence,
    format_columns,
    percent,
)
from ppi.evaluation.trained_models.model_evaluation import ModelEvaluation

#: Either kind of evaluation: by folds, or of a trained model.
AnyEvaluation = Evaluation | ModelEvaluation
COLUMNS = ("corpus", "pairs", "positive", "P", "R", "F", "sd F", "AUC", "sd AUC", "pooled F", "pooled AUC", "co-occ F")
MODEL_COLUMNS = ("corpus", "pairs", "positive", "at", "called", "P", "R", "F", "AP", "AUC", "ECE", "co-occ F")
#: What is added to the name of a corpus where pairs of identifiers of its documents are counted.
BY_DOCUMENT = ", by document"
#: The page of mistakes.
ERRORS_PAGE = "errors"
_PLOTS = {
    "roc": "ROC curve: pairs found against false alarms, over all thresholds",
    "pr": "Precision against recall; the broken line is calling every pair an interaction",
    "scores": "How the two classes are scored",
    "calibration": "Calibration: how often pairs of a probability interact; on the diagonal 0.8 means 0.8",
}
_TERMS = (
    ("pairs, positive", "candidate pairs of names that count, and those of them that interact by the corpus"),
    ("P, R, F", "precision, recall and their harmonic mean, in percent"),
    ("AUC", "how often a random interacting pair is ranked above a random other one, in percent"),
)
_FOLD_TERMS = (
    ("sd", "standard deviation over folds"),
    ("pooled", "all test pairs together, each against the threshold of its fold"),
    ("co-occ F", "F of calling every pair an interaction"),
    ("regparam, threshold", "chosen inside each training part by leave-document-out, never on the test part"),
)
_MODEL_TERMS = (
    ("at", "from where on a pair is an interaction: the model's own threshold of the score, or a probability"),
    ("called", "pairs that are called interactions there"),
    ("AP", "average precision: the area below the curve of precision against recall, in percent"),
    ("ECE", "expected calibration error: how far probabilities are from shares, on average over ten bins"),
    ("by document", "pairs of identifiers of whole documents, instead of pairs of mentions"),
    ("binding, modification, regulation", "what the model says of the type, where the corpus tells types"),
    ("unseen", "without the documents that the model was trained on"),
    ("co-occ F", "F of calling every pair an interaction"),
)


def plot_stem(result: AnyEvaluation) -> str:
    """The start of the names of the result's plots."""
    return f"{result.corpus}-seed{result.seed}" if result.seed else result.corpus


def result_title(result: AnyEvaluation) -> str:
    """The corpus, with the seed of its folds if that is not the usual one."""
    return f"{result.corpus}, seed {result.seed}" if result.seed else result.corpus


def evaluation_rows(result: Evaluation) -> Iterator[tuple[Any, ...]]:
    """One cross-validation, by :data:`COLUMNS`; pairs of identifiers of documents have a row of their own."""
    mean, std = mean_and_std(result.folds)
    yield (
        result_title(result),
        sum(fold.pairs for fold in result.folds),
        sum(fold.positive for fold in result.folds),
        *map(percent, (mean["precision"], mean["recall"], mean["f"], std["f"], mean["auc"], std["auc"])),
        *map(percent, (result.pooled["f"], result.pooled["auc"], baseline_mean(result.folds)["f"])),
    )
    if (metrics := result.documents) is not None:
        rates = (metrics.precision, metrics.recall, metrics.f, None, None, None, metrics.f, None, None)
        yield f"{result_title(result)}{BY_DOCUMENT}", metrics.pairs, metrics.positive, *map(percent, rates)


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
    if (metrics := result.documents) is not None:
        name = f"{result.corpus}{BY_DOCUMENT}"
        rates = (metrics.precision, metrics.recall, metrics.f, metrics.average_precision)
        yield name, metrics.pairs, metrics.positive, OWN_THRESHOLD, metrics.called, *map(percent, rates), "", "", ""


def metric_rows(name: str, metrics: ModelMetrics) -> Iterator[tuple[Any, ...]]:
    """One row per threshold; what does not depend on it stands in the first."""
    names: tuple[Any, ...] = (name, metrics.pairs, metrics.positive)
    ranking = map(percent, (metrics.average_precision, metrics.auc))
    others = (*ranking, f"{metrics.calibration.ece:.3f}", percent(metrics.baseline()["f"]))
    for threshold in metrics.thresholds:
        rates = map(percent, (threshold.precision, threshold.recall, threshold.f))
        yield *names, threshold.at, threshold.called, *rates, *others
        names, others = ("",) * len(names), ("",) * len(others)


def evaluation_blocks(results: Sequence[Evaluation]) -> list[Block]:
    """The page of cross-validations."""
    first = results[0]
    squared = ", squared" if first.settings.degree == 2 else ""
    introduction = (
        f"Kernel `{first.settings.kernel_name}` (`{first.settings.variant}`){squared}, "
        f"learner `{first.settings.learner_name}`, "
        f"parse `{first.parser}`, {first.written_by}. Figures are percentages: means over folds of whole "
        "documents; regparam and threshold were chosen inside each training part by leave-document-out. Pooled "
        "values hold all test pairs, with 95 % intervals in report.json."
    )
    table = Table(COLUMNS, [row for result in results for row in evaluation_rows(result)])
    sections = (_evaluation_section(result, differs=result.parser != first.parser) for result in results)
    return _page("Evaluation", introduction, table, _FOLD_TERMS, sections)


def _page(
    title: str, introduction: str, table: Table, terms: Iterable[tuple[str, str]], sections: Iterable[Iterable[Block]]
) -> list[Block]:
    return [
        Heading(title, 1),
        Paragraph(introduction),
        table,
        Glossary("What the columns mean", (*_TERMS, *terms)),
        Link(ERRORS_PAGE, "The worst mistakes, with their sentences"),
        *chain.from_iterable(sections),
    ]


def _evaluation_section(result: Evaluation, *, differs: bool) -> Iterator[Block]:
    yield Heading(result_title(result))
    if differs:
        yield Paragraph(f"Parse `{result.parser}`.")
    yield from (Paragraph(_to_sentence(note)) for note in result.notes)
    if result.extra:
        listed = ", ".join(f"{name} ({count} pairs)" for name, count in result.extra.items())
        yield Paragraph(f"Every fold could start from models of: {listed}; shared documents left out.")
    header = ("fold", "documents", "pairs", "positive", "regparam", "threshold", "P", "R", "F", "AUC")
    rows = [
        (
            fold.fold,
            fold.documents,
            fold.pairs,
            fold.positive,
            f"{fold.regparam:.3g}",
            f"{fold.threshold:.3f}",
            *map(percent, (fold.precision, fold.recall, fold.f, fold.auc)),
        )
        for fold in result.folds
    ]
    yield Table(header, rows)
    yield from _tables_by_type_and_document(result)
    yield _pictures(result, ("roc", "pr", "scores"))
    yield Paragraph(f"Seconds: {_format_seconds(result.seconds)}.")


def model_blocks(results: Sequence[ModelEvaluation]) -> list[Block]:
    """The page of a trained model on corpora."""
    first = results[0]
    training_corpora = ", ".join(first.trained_on) or "corpora that its file does not name"
    parsers = ", ".join(f"`{name}`" for name in dict.fromkeys(str(result.parser) for result in results))
    introduction = (
        f"Model `{first.model}`: kernel `{first.settings.kernel_name}`, "
        f"learner `{first.settings.learner_name}`, trained on "
        f"{training_corpora}; its threshold is a score of {first.threshold:.3f}, which is a probability of "
        f"{first.threshold_probability:.2f} of any interaction. Parses by {parsers}, {first.written_by}. Nothing "
        "was trained or chosen here. Figures are percentages; 95 % intervals are in report.json."
    )
    table = Table(MODEL_COLUMNS, [row for result in results for row in model_rows(result)])
    return _page("Evaluation of a model", introduction, table, _MODEL_TERMS, map(_model_section, results))


def _model_section(result: ModelEvaluation) -> Iterator[Block]:
    yield Heading(result_title(result))
    yield from (Paragraph(_to_sentence(warning), warning=True) for warning in result.warnings)
    yield from (Paragraph(_to_sentence(note)) for note in result.notes)
    yield from _tables_by_type_and_document(result)
    if result.outputs:
        yield Table(
            ("output", "pairs", "positive", "AP", "AUC", "P at 0.5", "R at 0.5", "F at 0.5", "ECE", "right"),
            [
                (
                    row.output,
                    row.pairs,
                    row.positive,
                    *map(percent, (row.average_precision, row.auc)),
                    *(percent(getattr(row.at_half, name, None)) for name in ("precision", "recall", "f")),
                    "-" if row.calibration_error is None else f"{row.calibration_error:.3f}",
                    percent(row.accuracy),
                )
                for row in result.outputs
            ],
            "What the model says of types; of direction and sign, how often it is right",
        )
    yield _pictures(result, ("calibration", "pr", "roc", "scores"))
    yield Table(
        ("probabilities", "pairs", "mean probability", "interact, %"),
        [
            (f"{number / 10:.1f} to {(number + 1) / 10:.1f}", count, f"{mean:.3f}", percent(prevalence))
            for mean, prevalence, count in result.metrics.calibration.bins
            for number in [min(int(mean * 10), 9)]
        ],
        "Calibration: the bins of the diagram",
    )
    yield Paragraph(f"Seconds: {_format_seconds(result.seconds)}.")


def _tables_by_type_and_document(result: AnyEvaluation) -> Iterator[Block]:
    """By type and by document, where the corpus has either."""
    if result.types:
        yield Table(
            ("type", "positive", "found", "R", "mean probability", "AP"),
            [
                (
                    row.type,
                    row.positive,
                    row.found,
                    percent(row.recall),
                    "-" if row.mean_probability is None else f"{row.mean_probability:.2f}",
                    percent(row.average_precision),
                )
                for row in result.types
            ],
            "By the types that the corpus gives its relations: pairs of the type against all that do not interact",
        )
    if result.documents is not None:
        metrics = result.documents
        row: tuple[Any, ...] = (metrics.pairs, metrics.positive, metrics.apart, metrics.called)
        rates = (metrics.precision, metrics.recall, metrics.f, metrics.average_precision)
        yield Table(
            ("of documents", "pairs", "related", "never in one sentence", "called", "P", "R", "F", "AP"),
            [("pairs of identifiers", *row, *map(percent, rates))],
            "By document: pairs of identifiers, each as probable as the best of its pairs of mentions; what no "
            "sentence brings together is missed",
        )


def error_blocks(results: Sequence[AnyEvaluation]) -> list[Block]:
    """The page of mistakes."""
    blocks: list[Block] = [
        Heading("Mistakes", 1),
        Paragraph(
            f"Up to {MAX_REPORT_MISTAKES} of each kind for each corpus, the worst first. Not every one is a mistake of "
            "the model: corpora have mistakes, too, and where relations are given for documents, not every sentence "
            "states them."
        ),
        Link("report", "The figures"),
    ]
    for result in results:
        blocks.append(Heading(result_title(result)))
        for label, heading in (
            (False, "Called interactions, and none by the corpus"),
            (True, "Interactions by the corpus that were missed"),
        ):
            blocks.append(Heading(heading, 3))
            blocks.append(MistakeList([mistake for mistake in result.mistakes if mistake.label is label]))
    return blocks


def _pictures(result: AnyEvaluation, kinds: Sequence[str]) -> Pictures:
    return Pictures(
        [(f"{plot_stem(result)}-{kind}.png", kind, f"{result_title(result)}. {_PLOTS[kind]}") for kind in kinds]
    )


def _to_sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}."


def _format_seconds(seconds: dict[str, float]) -> str:
    return ", ".join(f"{stage} {value:.1f}" for stage, value in seconds.items())


def metrics_table(results: Sequence[AnyEvaluation]) -> str:
    """Percentages: one line per corpus and, of a trained model, threshold."""
    model_results, cross_validations = _split_kinds(results)
    if model_results:
        return format_columns([MODEL_COLUMNS, *(row for result in model_results for row in model_rows(result))])
    return format_columns([COLUMNS, *(row for result in cross_validations for row in evaluation_rows(result))])


def _split_kinds(results: Sequence[AnyEvaluation]) -> tuple[list[ModelEvaluation], list[Evaluation]]:
    return (
        [result for result in results if isinstance(result, ModelEvaluation)],
        [result for result in results if isinstance(result, Evaluation)],
    )


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


def report_blocks(results: Sequence[AnyEvaluation]) -> list[Block]:
    """The blocks of the report's page."""
    model_results, cross_validations = _split_kinds(results)
    return model_blocks(model_results) if model_results else evaluation_blocks(cross_validations)


def write_report(results: Sequence[AnyEvaluation], folder: str | Path) -> None:
    """Write ``report.json``, pages and plots; the folder appears only when it is complete.

    ``report.md`` and ``report.html`` have the figures, ``errors.md`` and ``errors.html`` the worst mistakes.
    """
    from ppi.evaluation.reports.plots import plot_evaluation, plot_model

    with atomic_folder(folder) as output_folder:
        document = [result.to_dict() for result in results]
        (output_folder / "report.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
        for result in results:
            stem = output_folder / plot_stem(result)
            if isinstance(result, ModelEvaluation):
                plot_model(result, stem)
            else:
                plot_evaluation(result, stem)
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
