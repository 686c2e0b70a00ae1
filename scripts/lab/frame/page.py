"""The pages of results, from results alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora import atomic_output
from lab.frame.experiment import Experiment, OwnPage, Picture
from lab.frame.plots import save_picture
from lab.frame.result import Check, Result, Table, load
from ppi.evaluation import format_table

HEADER = """# The papers' experiments, ours beside theirs

`scripts/reproduce NAME...` runs experiments (`all`: every one), keeps what they found in `docs/results/` and rewrites
this page from it; `PPI_CORPORA` names the folder of the data. Our figure first, the published one in square brackets;
**bold** where ours differs by more than the margin that the table states, and then the text says why. Times are
on one BLAS thread and belong to the machine that ran them; ratios of times travel better.

Elsewhere: the interaction extraction tables of Paper V are in [paper5.md](paper5.md), the parse ranking tables in
[parse_ranking.md](parse_ranking.md)."""

TINY = "**A tiny run: the figures mean nothing.**"


def build(folder: Path, experiments: Sequence[Experiment]) -> list[Path]:
    """Write the pages and figures of ``folder/results/*.json``: ``reproduction.md``, and pages of their own."""
    shown = read_results(folder / "results", experiments)
    for what, result in shown:
        for picture in what.pictures(result):
            path = folder / figure_file(result, picture)
            path.parent.mkdir(parents=True, exist_ok=True)
            save_picture(picture, path)
    together = [(what, result) for what, result in shown if what.page is None]
    pages = {"reproduction.md": page(together)} if together else {}
    pages |= {what.page.file: own_page(what.page, result) for what, result in shown if what.page is not None}
    for name, text in pages.items():
        with atomic_output(folder / name) as output:
            output.write(text.encode("utf-8"))
    return [folder / name for name in pages]


def read_results(folder: Path, experiments: Sequence[Experiment]) -> list[tuple[Experiment, Result]]:
    """The experiments that have a result there, with it, in the same order."""
    paths = [(what, folder / f"{what.name}.json") for what in experiments]
    return [(what, load(path)) for what, path in paths if path.exists()]


def page(shown: Sequence[tuple[Experiment, Result]]) -> str:
    """The page of all experiments that have none of their own, as Markdown."""
    sections = (section(what, result) for what, result in shown)
    return "\n\n".join([HEADER, _contents(shown), *sections]) + "\n"


def own_page(what: OwnPage, result: Result) -> str:
    """The page of one experiment."""
    heading, *paragraphs = what.paragraphs(result)
    return "\n\n".join([heading, *([TINY] if result.tiny else []), *paragraphs]) + "\n"


def shown_alone(what: Experiment, result: Result) -> str:
    """One experiment as it is printed: its own page, or its section."""
    return section(what, result) + "\n\n" if what.page is None else own_page(what.page, result)


def section(what: Experiment, result: Result) -> str:
    """One experiment: where it is from, how it was done, tables, figures, remarks."""
    options = "".join([" --tiny" if result.tiny else "", f" --seed {result.seed}" if result.seed else ""])
    parts = [
        f"## {what.title}",
        what.source,
        what.protocol,
        f"`scripts/reproduce {what.name}{options}`, seed {result.seed}, {result.time_taken}."
        + (f" {TINY}" if result.tiny else ""),
    ]
    for table in result.tables:
        parts += [f"**{table.title}**{_margin(table)}", markdown_table(table)]
    if result.checks:
        parts.append("\n".join(_check(check) for check in result.checks))
    for picture in what.pictures(result):
        parts.append(f"![{what.title}: {picture.name}]({figure_file(result, picture)})")
        parts.append(f"*{picture.caption}*")
    parts += what.remarks(result)
    return "\n\n".join(parts)


def markdown_table(table: Table) -> str:
    """Ours, and the published figure in square brackets."""
    rows = [[name, *(_cell(table, i, j) for j in range(len(table.columns)))] for i, name in enumerate(table.rows)]
    return format_table([table.corner, *table.columns], rows)


def figure_file(result: Result, picture: Picture) -> str:
    """The figure's file, seen from the page."""
    return picture.file or f"figures/{result.experiment}-{picture.name}.svg"


def _contents(shown: Sequence[tuple[Experiment, Result]]) -> str:
    rows = [
        (f"[{what.title}](#{_anchor(what.title)})", result.time_taken, len(result.deviations) or "nothing")
        for what, result in shown
    ]
    return format_table(["experiment", "took", "beyond the margin"], rows)


def _anchor(title: str) -> str:
    """How a heading is linked to: lower case, spaces to hyphens, other marks dropped."""
    kept = "".join(mark for mark in title.lower() if mark.isalnum() or mark in " -_")
    return kept.replace(" ", "-")


def _margin(table: Table) -> str:
    if table.margin is None:
        return ""
    side = " below it" if table.only_below else " above it" if table.only_above else ""
    return f" (margin {table.margin:g}{side})"


def _cell(table: Table, row: int, column: int) -> str:
    ours, theirs = table.ours[row][column], table.theirs(row, column)
    published = "" if theirs is None else f"[{_text(theirs, table.digits)}]"
    if ours is None:
        return published or "-"
    text = _text(ours, table.digits)
    if table.deviates(row, column):
        text = f"**{text}**"
    return f"{text} {published}".rstrip()


def _text(value: Any, digits: int) -> str:
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def _check(check: Check) -> str:
    wanted = f"{check.sense} {check.bar:.3g}"
    verdict = "holds" if check.holds else "**does not hold**"
    rounds_to_zero = abs(check.value) < 10.0**-check.digits
    value = f"{check.value:.1g}" if rounds_to_zero else f"{check.value:.{check.digits}f}"
    return f"- {check.statement}: {value} ({wanted}: {verdict})"
