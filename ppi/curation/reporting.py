"""Judgements in a few lines for people, and as figures."""

from __future__ import annotations

from collections import Counter
from typing import Any

from corpora.short import counted
from ppi.curation.agreement import Agreement
from ppi.curation.store import Curation
from ppi.curation.verdicts import VERDICTS
from ppi.extraction.feedback import Feedback


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
        "divided": state.settled()[1],
        "last": max((event.time for event in curation.events.values()), default=None),
        "torn_lines": curation.torn,
    }


def status_text(curation: Curation) -> str:
    """The same for people."""
    status = status_json(curation)
    said = ", ".join(f"{verdict} {count}" for verdict, count in status["verdicts"].items() if count)
    who = ", ".join(f"{name} {count}" for name, count in status["curators"].items())
    lines = [f"{counted(status['rows'], 'row')} judged: {said or 'none'}"]
    if who:
        lines.append(f"by {who}; last at {status['last']}")
    if status["divided"]:
        lines.append(f"curators are divided about {counted(status['divided'], 'row')}")
    if status["torn_lines"]:
        numbers = ", ".join(map(str, status["torn_lines"]))
        lines.append(f"torn by a crash and passed over: line {numbers}")
    return "\n".join(lines)


def agreement_text(found: Agreement) -> str:
    """The agreement of two for people: kappa, and the table of their verdicts."""
    lines = [f"{found.first} and {found.second}: {counted(found.rows, 'row')} judged by both"]
    if found.rows:
        lines.append(f"the same verdict: {found.same:.3f}, kappa {_shown(found.kappa)}")
        lines.append(f"whether they interact: kappa {_shown(found.kappa_interacts)}")
        lines.extend(_table(found))
    return "\n".join(lines)


def feedback_text(feedback: Feedback, left_out: int) -> str:
    """What a model learned, for people: for each output the errors without feedback and with it."""
    lines = [
        f"learned from {counted(feedback.judgements, 'judgement')} of {counted(feedback.pairs, 'pair')} "
        f"in {counted(feedback.groups, 'document')}"
    ]
    if left_out:
        lines.append(f"{left_out} are of pairs that the model cannot read, and teach nothing")
    cells = [
        ["output", "judged", "error without", "leave-one-out", "leave-document-out", "AUC without", "leave-one-out"]
    ]
    for each in feedback.estimates:
        errors = (each.error_without, each.error_leave_one_out, each.error_leave_group_out)
        ranks = (each.auc_without, each.auc_leave_one_out)
        numbers = ["-" if value is None else f"{value:.3f}" for value in (*errors, *ranks)]
        cells.append([each.output, str(each.judged), *numbers])
    return "\n".join([*lines, *_aligned(cells)])


def _shown(kappa: float | None) -> str:
    return "not defined (only one answer was given)" if kappa is None else f"{kappa:.3f}"


def _table(found: Agreement) -> list[str]:
    """Rows: verdicts of the first; columns: those of the second."""
    used = [verdict for verdict in VERDICTS if any(verdict in both for both in found.verdicts)]
    cells = [["", *used], *([one, *(str(found.verdicts.get((one, other), 0)) for other in used)] for one in used)]
    return _aligned(cells)


def _aligned(cells: list[list[str]]) -> list[str]:
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return ["  ".join(text.rjust(width) for text, width in zip(line, widths)) for line in cells]
