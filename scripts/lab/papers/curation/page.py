"""The page of the simulated curation: tables, a figure, and what a reader has to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from lab.frame.experiment import Picture
from lab.frame.page import markdown_table
from lab.frame.plots import COLOURS, GREY
from lab.frame.result import Result, Table
from ppi.extraction import FEEDBACK_REGPARAM, FEEDBACK_REGPARAM_GRID, MIN_GROUPS_TO_CHOOSE, MIN_JUDGEMENTS_TO_CHOOSE

#: What the ways are called, in the order of the tables.
WAYS = {"top": "top of the list", "uncertain": "uncertain", "change": "expected change", "random": "drawn at random"}
TYPES = ("binding", "modification", "regulation")


def tables(points: Mapping[str, Any]) -> list[Table]:
    """All figures of all corpora."""
    found = []
    for name, corpus in points["corpora"].items():
        found += _of_corpus(name, corpus, points["sizes"])
    return [*found, _types(points), _estimates(points), _seconds(points)]


def _of_corpus(name: str, corpus: Mapping[str, Any], sizes: Sequence[int]) -> list[Table]:
    found = []
    for title, where, what in (
        (f"{name}: average precision on documents never judged", "test", "ap"),
        (f"{name}: right among the first 100 on documents never judged", "test", "top"),
        (f"{name}: average precision on the documents judged from, judged pairs left out", "rest", "ap"),
        (f"{name}: average precision on the documents judged from, judged pairs among them", "pool", "ap"),
    ):
        rows = [f"update, {said}" for said in WAYS.values()]
        ours = [_cells(corpus, way, len(sizes), lambda row: row[where][what]) for way in WAYS]  # noqa: B023
        if where == "test":
            for way in ("top", "uncertain", "change"):
                cells = _other(corpus, way, "again", what, len(sizes))
                if any(cell is not None for cell in cells):
                    rows.append(f"trained again, {WAYS[way]}")
                    ours.append(cells)
            for way in WAYS:
                rows.append(f"judged pairs alone, {WAYS[way]}")
                ours.append(_other(corpus, way, "alone", what, len(sizes)))
        found.append(Table(title, rows, [str(size) for size in sizes], ours, digits=1, corner="judgements"))
    return found


def _cells(corpus: Mapping[str, Any], way: str, count: int, value: Callable[[Any], float]) -> list[Any]:
    """Mean over the draws, in percent, with the standard deviation."""
    cells: list[Any] = []
    for place in range(count):
        values = [100 * value(draw["ways"][way]["rows"][place]) for draw in corpus["draws"] if _has(draw, way, place)]
        cells.append(_shown(values))
    return cells


def _has(draw: Mapping[str, Any], way: str, place: int) -> bool:
    return len(draw["ways"][way]["rows"]) > place


def _other(corpus: Mapping[str, Any], way: str, which: str, what: str, count: int) -> list[Any]:
    cells: list[Any] = []
    for place in range(count):
        listed = [draw["ways"][way].get(which, []) for draw in corpus["draws"]]
        values = [100 * rows[place][what] for rows in listed if len(rows) > place and rows[place]]
        cells.append(_shown(values))
    return cells


def _shown(values: Sequence[float]) -> str | float | None:
    if not values:
        return None
    return f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}" if len(values) > 1 else float(values[0])


def _types(points: Mapping[str, Any]) -> Table:
    """Average precision of the types, where the corpus has them."""
    rows, ours, sizes = [], [], points["sizes"]
    for name, corpus in points["corpora"].items():
        for kind in TYPES:
            if all(kind not in row for draw in corpus["draws"] for row in draw["ways"]["top"]["rows"]):
                continue
            for way, said in WAYS.items():
                rows.append(f"{name}, {kind}, {said}")
                ours.append(_cells(corpus, way, len(sizes), lambda row: row[kind]["ap"]))  # noqa: B023
    columns = [str(size) for size in sizes]
    return Table(
        "Average precision of types on documents never judged", rows, columns, ours, digits=1, corner="judgements"
    )


def _estimates(points: Mapping[str, Any]) -> Table:
    """What leaving documents out says, beside what documents never judged say; and probabilities."""
    columns = ["regparam", "error without", "one left out", "document left out", "test, without", "test, with"]
    columns += ["log loss, without", "with, calibration kept", "with, calibration moved"]
    rows, ours = [], []
    for name, corpus in points["corpora"].items():
        for way, said in WAYS.items():
            for place, size in enumerate(points["sizes"]):
                draws = [draw["ways"][way]["rows"] for draw in corpus["draws"] if _has(draw, way, place)]
                if place < 2 or not draws:
                    continue
                rows.append(f"{name}, {said}, {size}")
                keys = ("regparam", "error_without", "error_one", "error_with")
                cells = [float(np.mean([each[place][key] for each in draws])) for key in keys]
                cells += [float(np.mean([each[at]["test_error"] for each in draws])) for at in (0, place)]
                losses = ((0, "kept"), (place, "kept"), (place, "moved"))
                cells += [float(np.mean([each[at]["log_loss"][key] for each in draws])) for at, key in losses]
                ours.append(cells)
    title = "Squared error of interacting: estimated on what was judged, and on documents never judged; log loss there"
    return Table(title, rows, columns, ours, digits=3)


def _seconds(points: Mapping[str, Any]) -> Table:
    rows: list[str] = []
    ours: list[list[float | None]] = []
    for name, corpus in points["corpora"].items():
        for way, said in WAYS.items():
            rows.append(f"{name}, {said}")
            seconds = [draw["ways"][way]["seconds"] for draw in corpus["draws"]]
            shares = [draw["ways"][way]["rows"][-1].get("judged_interact", 0.0) for draw in corpus["draws"]]
            ours.append([float(np.mean(seconds)), 100 * float(np.mean(shares))])
        again = [draw["retraining_seconds"] for draw in corpus["draws"] if "retraining_seconds" in draw]
        if again:
            rows.append(f"{name}, one model trained again")
            ours.append([float(np.mean(again)), None])
    columns = ["processor seconds", "percent of the judged pairs that interact"]
    return Table("Time of a whole simulated curation with its figures", rows, columns, ours, digits=1)


def pictures(result: Result) -> list[Picture]:
    """Average precision over the number of judgements."""
    if not result.points.get("corpora"):
        return []
    return [Picture("curves", "Average precision", partial(_draw, result.points), (8.0, 3.4), "curation.svg")]


def _draw(points: Mapping[str, Any], figure: Any) -> None:
    axes = figure.subplots(1, len(points["corpora"]), squeeze=False)[0]
    sizes = points["sizes"]
    for axis, (name, corpus) in zip(axes, points["corpora"].items()):
        for colour, (way, said) in zip((*COLOURS[:3], GREY), WAYS.items()):
            rows = [draw["ways"][way]["rows"] for draw in corpus["draws"]]
            count = min(len(each) for each in rows)
            values = [100 * np.mean([each[place]["test"]["ap"] for each in rows]) for place in range(count)]
            axis.plot(range(count), values, color=colour, marker="o", ms=3, label=said)
            again = [draw["ways"][way].get("again", []) for draw in corpus["draws"]]
            kept = [each for each in again if each]
            if kept:
                values = [100 * np.mean([each[place]["ap"] for each in kept]) for place in range(1, len(kept[0]))]
                axis.plot(range(1, len(kept[0])), values, color=colour, ls=":", lw=1)
        axis.set_xticks(range(len(sizes)), [str(size) for size in sizes])
        axis.set(title=name, xlabel="judgements (dotted: trained again)", ylabel="average precision, new documents")
        axis.legend(fontsize=7)


def page(result: Result) -> list[str]:
    """The page of the results."""
    facts = [
        f"{name}: {corpus['pairs']:,} pairs, {corpus['positive']:,} of them interacting, in {corpus['documents']} "
        f"documents; the model learned from {corpus['training_pairs']:,} pairs of other corpora."
        for name, corpus in result.points["corpora"].items()
    ]
    draws = max((len(corpus["draws"]) for corpus in result.points["corpora"].values()), default=0)
    again = " and ".join(result.options.get("retrained_on", ())) or "none"
    parts = ["# Curation, simulated", PROTOCOL.format(draws=draws, again=again), " ".join(facts)]
    if not result.tiny:
        parts.append("![Average precision over the number of judgements](curation.svg)")
    for table in result.tables:
        parts += [f"**{table.title}**", markdown_table(table)]
    return [*parts, *REMARKS]


PROTOCOL = """Made by `scripts/reproduce curation`. What are judgements worth to the model that ships, on texts of a
kind that it was not trained on? PC and AImed are left out of training in turn, with every document of other corpora
that shares a sentence with them. The documents of the corpus are drawn into two halves. A simulated curator, who knows
the annotation, judges pairs of the first half as the page of a run would show them: right, wrong, wrong type (and
which), wrong direction; of AImed, which has no types, whether the two interact. After every 10 judgements (50, once
there are 50) the model is changed (`Extractor.update`) and the next are chosen by its new answers. The second half is
never judged; its figures are the honest ones. Figures are in percent, means of {draws} draws with their standard
deviation. "Trained again" is training from scratch on all corpora with the judged pairs as one more (one draw
of {again}); "judged pairs alone" is the same learner without the model as starting point."""

REMARKS = (
    f"Regularization is {FEEDBACK_REGPARAM:g} times the mean squared norm of the features until an output has "
    f"{MIN_JUDGEMENTS_TO_CHOOSE} judgements from {MIN_GROUPS_TO_CHOOSE} documents; then it is the most cautious of "
    f"{', '.join(f'{value:g}' for value in FEEDBACK_REGPARAM_GRID)} that is within one standard error of the best when "
    "documents are left out. These values and the rule were chosen on CG, left out of training together with PC (3 "
    "draws): there no number of judgements up to 300 made average precision better by more than 0.3, whatever the "
    "value and the way, and small values made it worse (300 judgements: 53.4 to 47 - 50 with 1). One draw of PC had "
    "been seen before that, with 1 for few judgements and a choice up to 8 for more.",
    "On the documents that are judged from, leaving judged pairs out makes the list harder the better they were "
    "chosen (its top is gone), and keeping them in makes it easier: both are shown, and neither tells what the "
    "model has learned. Of one sentence any number of pairs may be judged at once here; the page of a run shows one.",
    "Expected change looks at 1,000 candidates drawn at random at each step. Judgements of the top of the list are also"
    " what a list needs, whatever the model learns from them: a judged row is right or wrong by itself.",
)
