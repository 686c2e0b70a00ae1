"""What the pages of reports say: of a cross-validation, of a trained model on corpora, of the mistakes of either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ppi.evaluation.blocks import Block, Glossary, Heading, Link, MistakeList, Paragraph, Pictures, Table
from ppi.evaluation.cross_validation import Evaluation
from ppi.evaluation.figures import (
    COLUMNS,
    MODEL_COLUMNS,
    AnyEvaluation,
    evaluation_rows,
    model_rows,
    percent,
    plot_stem,
)
from ppi.evaluation.figures import result_title as result_title
from ppi.evaluation.mistakes import MAX_REPORT_MISTAKES
from ppi.evaluation.model_evaluation import ModelEvaluation

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
    (
        "regparam, threshold",
        "chosen inside each training part by leave-document-out, never on the test part",
    ),
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


def evaluation_blocks(results: Sequence[Evaluation]) -> list[Block]:
    """The page of cross-validations."""
    first = results[0]
    squared = ", squared" if first.settings.degree == 2 else ""
    blocks: list[Block] = [
        Heading("Evaluation", 1),
        Paragraph(
            f"Kernel `{first.settings.kernel_name}` (`{first.settings.variant}`){squared}, "
            f"learner `{first.settings.learner_name}`, "
            f"parse `{first.parser}`, {first.written_by}. Figures are percentages: means over folds of whole "
            "documents; regparam and threshold were chosen inside each training part by leave-document-out. Pooled "
            "values hold all test pairs, with 95 % intervals in report.json."
        ),
        Table(COLUMNS, [row for result in results for row in evaluation_rows(result)]),
        Glossary("What the columns mean", (*_TERMS, *_FOLD_TERMS)),
        Link(ERRORS_PAGE, "The worst mistakes, with their sentences"),
    ]
    for result in results:
        blocks += _evaluation_section(result, differs=result.parser != first.parser)
    return blocks


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
            *(percent(value) for value in (fold.precision, fold.recall, fold.f, fold.auc)),
        )
        for fold in result.folds
    ]
    yield Table(header, rows)
    yield from _breakdown_tables(result)
    yield _pictures(result, ("roc", "pr", "scores"))
    yield Paragraph(f"Seconds: {_format_seconds(result.seconds)}.")


def model_blocks(results: Sequence[ModelEvaluation]) -> list[Block]:
    """The page of a trained model on corpora."""
    first = results[0]
    training_corpora = ", ".join(first.trained_on) or "corpora that its file does not name"
    parsers = ", ".join(f"`{name}`" for name in dict.fromkeys(str(result.parser) for result in results))
    blocks: list[Block] = [
        Heading("Evaluation of a model", 1),
        Paragraph(
            f"Model `{first.model}`: kernel `{first.settings.kernel_name}`, "
            f"learner `{first.settings.learner_name}`, trained on "
            f"{training_corpora}; its threshold is a score of {first.threshold:.3f}, which is a probability of "
            f"{first.threshold_probability:.2f} of any interaction. Parses by {parsers}, {first.written_by}. Nothing "
            "was trained or chosen here. Figures are percentages; 95 % intervals are in report.json."
        ),
        Table(MODEL_COLUMNS, [row for result in results for row in model_rows(result)]),
        Glossary("What the columns mean", (*_TERMS, *_MODEL_TERMS)),
        Link(ERRORS_PAGE, "The worst mistakes, with their sentences"),
    ]
    for result in results:
        blocks += _model_section(result)
    return blocks


def _model_section(result: ModelEvaluation) -> Iterator[Block]:
    yield Heading(result_title(result))
    yield from (Paragraph(_to_sentence(warning), warning=True) for warning in result.warnings)
    yield from (Paragraph(_to_sentence(note)) for note in result.notes)
    yield from _breakdown_tables(result)
    if result.outputs:
        yield Table(
            ("output", "pairs", "positive", "AP", "AUC", "P at 0.5", "R at 0.5", "F at 0.5", "ECE", "right"),
            [
                (
                    row.output,
                    row.pairs,
                    row.positive,
                    percent(row.average_precision),
                    percent(row.auc),
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
            (f"{number / 10:.1f} to {(number + 1) / 10:.1f}", count, f"{mean:.3f}", percent(positive_rate))
            for mean, positive_rate, count in result.metrics.calibration.bins
            for number in [min(int(mean * 10), 9)]
        ],
        "Calibration: the bins of the diagram",
    )
    yield Paragraph(f"Seconds: {_format_seconds(result.seconds)}.")


def _breakdown_tables(result: AnyEvaluation) -> Iterator[Block]:
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
            f"Up to {MAX_REPORT_MISTAKES} of each kind for each corpus, the worst first. Not every one is a mistake of the model: "
            "corpora have mistakes, too, and where relations are given for documents, not every sentence states them."
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
