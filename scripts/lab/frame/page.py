"""The results page, from results alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.source import atomic_output
from lab.frame.experiment import Experiment
from lab.frame.plots import save_picture
from lab.frame.result import Check, Result, Table, load
from lab.papers.registry import MODULES, experiment

HEADER = """# The papers' experiments, ours beside theirs

`scripts/reproduce NAME...` runs experiments (`all`: every one), keeps what they found in `docs/results/` and rewrites
this page from it; `PPI_CORPORA` names the folder of the data. Our figure first, the published one in square brackets;
**bold** where ours differs by more than the margin that the table states, and then the text says why. Times are
on one BLAS thread and belong to the machine that ran them; ratios of times travel better.

Elsewhere: the interaction extraction tables of Paper V are in [paper5.md](paper5.md), the parse ranking tables in
[parse_ranking.md](parse_ranking.md)."""


def build(folder: Path) -> Path:
    """Write ``folder/RESULTS.md`` and ``folder/figures/`` from ``folder/results/*.json``."""
    results = read_results(folder / "results")
    figures = folder / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    for result in results:
        for picture in experiment(result.experiment).pictures(result):
            save_picture(picture, figures / figure_name(result, picture.name))
    path = folder / "RESULTS.md"
    with atomic_output(path) as output:
        output.write(page(results).encode("utf-8"))
    return path


def read_results(folder: Path) -> list[Result]:
    """The results that are there, in the order of the page."""
    paths = (folder / f"{name}.json" for name in MODULES)
    return [load(path) for path in paths if path.exists()]


def page(results: Sequence[Result]) -> str:
    """The whole page as Markdown."""
    sections = (section(experiment(result.experiment), result) for result in results)
    return "\n\n".join([HEADER, _contents(results), *sections]) + "\n"


def section(what: Experiment, result: Result) -> str:
    """One experiment: where it is from, how it was done, tables, figures, remarks."""
    options = "".join([" --tiny" if result.tiny else "", f" --seed {result.seed}" if result.seed else ""])
    parts = [
        f"## {what.title}",
        what.source,
        what.protocol,
        f"`scripts/reproduce {what.name}{options}`, seed {result.seed}, {result.time_taken}."
        + (" **A tiny run: the figures mean nothing.**" if result.tiny else ""),
    ]
    for table in result.tables:
        parts += [f"**{table.title}**{_margin(table)}", markdown_table(table)]
    if result.checks:
        parts.append("\n".join(_check(check) for check in result.checks))
    for picture in what.pictures(result):
        parts.append(f"![{what.title}: {picture.name}](figures/{figure_name(result, picture.name)})")
        parts.append(f"*{picture.caption}*")
    parts += what.remarks(result)
    return "\n\n".join(parts)


def markdown_table(table: Table) -> str:
    """Ours, and the published figure in square brackets."""
    lines = [f"| {table.corner} | " + " | ".join(table.columns) + " |", "|" + "---|" * (len(table.columns) + 1)]
    for i, name in enumerate(table.rows):
        cells = [_cell(table, i, j) for j in range(len(table.columns))]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def figure_name(result: Result, picture: str) -> str:
    """The figure's file."""
    return f"{result.experiment}-{picture}.svg"


def _contents(results: Sequence[Result]) -> str:
    lines = ["| experiment | took | beyond the margin |", "|---|---|---|"]
    for result in results:
        title = experiment(result.experiment).title
        beyond = len(result.deviations)
        lines.append(f"| [{title}](#{_anchor(title)}) | {result.time_taken} | {beyond if beyond else 'nothing'} |")
    return "\n".join(lines)


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
