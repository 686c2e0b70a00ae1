"""Sum up judgements, agreement and feedback in a few lines for people, and as figures."""

from __future__ import annotations

from collections import Counter
from typing import Any

from corpora import pluralize
from ppi.extraction import VERDICTS, Feedback
from ppi.server.curation.consensus import Agreement
from ppi.server.curation.store import Curation


def status_json(curation: Curation) -> dict[str, Any]:
    """What was judged: counts of rows, verdicts and curators, the last time, lines that a crash cut short."""
    state = curation.state
    curators = Counter(kept.judgement.curator for kept in state)
    return {
        "file": str(curation.path),
        "rows": len(state.rows),
        "judgements": curators.total(),
        "lines": len(curation.events),
        "verdicts": {verdict: state.verdicts[verdict] for verdict in VERDICTS},
        "curators": dict(sorted(curators.items())),
        "divided": state.resolve()[1],
        "last": max((event.time for event in curation.events.values()), default=None),
        "torn_lines": curation.torn,
    }


def status_text(curation: Curation) -> str:
    """The same for people."""
    status = status_json(curation)
    verdict_counts = ", ".join(f"{verdict} {count}" for verdict, count in status["verdicts"].items() if count)
    curator_counts = ", ".join(f"{name} {count}" for name, count in status["curators"].items())
    lines = [f"{pluralize(status['rows'], 'row')} judged: {verdict_counts or 'none'}"]
    if curator_counts:
        lines.append(f"by {curator_counts}; last at {status['last']}")
    if status["divided"]:
        lines.append(f"curators are divided about {pluralize(status['divided'], 'row')}")
    if status["torn_lines"]:
        numbers = ", ".join(map(str, status["torn_lines"]))
        lines.append(f"torn by a crash and passed over: line {numbers}")
    return "\n".join(lines)


def agreement_text(agreement: Agreement) -> str:
    """The agreement of two for people: kappa, and the table of their verdicts."""
    lines = [f"{agreement.first} and {agreement.second}: {pluralize(agreement.rows, 'row')} judged by both"]
    if agreement.rows:
        lines.append(f"the same verdict: {agreement.same:.3f}, kappa {_format_kappa(agreement.kappa)}")
        lines.append(f"whether they interact: kappa {_format_kappa(agreement.kappa_interacts)}")
        # rows: verdicts of the first; columns: those of the second
        used = [verdict for verdict in VERDICTS if any(verdict in both for both in agreement.verdicts)]
        counts = [[str(agreement.verdicts.get((ours, theirs), 0)) for theirs in used] for ours in used]
        lines.extend(_format_columns([["", *used], *([ours, *row] for ours, row in zip(used, counts))]))
    return "\n".join(lines)


def feedback_text(feedback: Feedback, left_out: int) -> str:
    """What a model learned, for people: for each output the errors without feedback and with it."""
    lines = [
        f"learned from {pluralize(feedback.judgements, 'judgement')} of {pluralize(feedback.pairs, 'pair')} "
        f"in {pluralize(feedback.groups, 'document')}"
    ]
    if left_out:
        lines.append(f"{left_out} are of pairs that the model cannot read, and teach nothing")
    cells = [
        ["output", "judged", "error without", "leave-one-out", "leave-document-out", "AUC without", "leave-one-out"]
    ]
    for estimate in feedback.estimates:
        errors = (estimate.error_without, estimate.error_leave_one_out, estimate.error_leave_group_out)
        ranks = (estimate.auc_without, estimate.auc_leave_one_out)
        numbers = ["-" if value is None else f"{value:.3f}" for value in (*errors, *ranks)]
        cells.append([estimate.output, str(estimate.judged), *numbers])
    return "\n".join([*lines, *_format_columns(cells)])


def _format_kappa(kappa: float | None) -> str:
    return "not defined (only one answer was given)" if kappa is None else f"{kappa:.3f}"


def _format_columns(cells: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join(text.rjust(width) for text, width in zip(line, widths)) for line in cells]
