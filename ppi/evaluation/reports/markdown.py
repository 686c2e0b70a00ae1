"""Write tables and pages in Markdown; the blocks of pages (headings, tables, pictures ...) for every kind of writer.

Texts of blocks may hold ``code`` between backticks; everything else in them is text, and each writer escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ppi.evaluation.error_analysis import Mistake

_CODE = re.compile(r"(`[^`<]*`)")
#: Characters outside of code that Markdown gives a meaning.
_SPECIAL_CHARACTERS = re.compile(r"([\\*_\[\]#|~])")


class Heading(NamedTuple):
    """A heading; level 1 is the page's."""

    text: str
    level: int = 2


class Paragraph(NamedTuple):
    """A paragraph; ``warning`` if nobody should miss it."""

    text: str
    warning: bool = False


class Glossary(NamedTuple):
    """Definitions of the words of tables."""

    title: str
    definitions: Sequence[tuple[str, str]]


class Table(NamedTuple):
    """A table; ``caption`` says what its rows are."""

    head: Sequence[Any]
    rows: Sequence[Sequence[Any]]
    caption: str = ""


class Pictures(NamedTuple):
    """Files of the report's folder, each with what it is and what it shows."""

    files: Sequence[tuple[str, str, str]]


class Link(NamedTuple):
    """A link to another page of the report, in the same language, by the name of its file without ending."""

    page: str
    text: str


class MistakeList(NamedTuple):
    """Pairs that were classified wrongly, with their sentences."""

    mistakes: Sequence[Mistake]


Block = Heading | Paragraph | Glossary | Table | Pictures | Link | MistakeList


def percent(value: float | None) -> str:
    """A fraction in percent; a dash where there is none."""
    return "-" if value is None else f"{100 * value:.1f}"


def format_columns(rows: Sequence[Sequence[Any]]) -> str:
    """Rows as lines whose columns stand below each other, the first to the left, the others to the right."""
    lines = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def format_table(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """A table with one line per row; a ``|`` inside a cell is escaped, a line break becomes a space.

    Raises
    ------
    ValueError
        If a row does not have one cell per column.

    >>> print(format_table(["corpus", "F"], [["AImed", 55.4], ["a|b", ""]]))
    | corpus | F |
    |---|---|
    | AImed | 55.4 |
    | a\\|b |  |
    """
    lines = [_line(head), "|" + "---|" * len(head)]
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"expected one cell for each of the {len(head)} columns, got {len(row)}: {list(row)!r}")
        lines.append(_line(row))
    return "\n".join(lines)


def _line(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(" ".join(str(cell).splitlines()).replace("|", "\\|") for cell in cells) + " |"


def escape_text(value: str) -> str:
    """Text from a corpus on one line, with everything escaped that Markdown would interpret.

    >>> escape_text("<b> *not* [bold](x)")
    '&lt;b&gt; \\\\*not\\\\* \\\\[bold\\\\](x)'
    """
    one_line = " ".join(value.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL_CHARACTERS.sub(r"\\\1", one_line).replace("`", "&#96;")


def render_page(blocks: Iterable[Block]) -> str:
    """A page of blocks."""
    return "\n\n".join(_render_block(block) for block in blocks) + "\n"


def _render_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_escape_markup(text)}"
        case Paragraph(text, warning):
            return f"**Warning:** {_escape_markup(text)}" if warning else _escape_markup(text)
        case Glossary(title, meanings):
            items = (f"- *{_escape_markup(term)}*: {_escape_markup(meaning)}" for term, meaning in meanings)
            return "\n".join([f"{_escape_markup(title)}:\n", *items])
        case Table(head, rows, caption):
            table = _escape_markup(format_table(head, rows), lines=True)
            return f"{_escape_markup(caption)}\n\n{table}" if caption else table
        case Pictures(files):
            return "\n".join(f"![{kind}]({name})" for name, kind, _ in files)
        case Link(to, text):
            return f"[{_escape_markup(text)}]({to}.md)"
        case MistakeList(mistakes):
            return "\n".join(map(_render_mistake, mistakes)) or "None."


def _escape_markup(text: str, *, lines: bool = False) -> str:
    """A text of a report, which may hold any names of files and relations; on one line unless ``lines``."""
    parts = _CODE.split(text if lines else " ".join(text.split()))
    parts[::2] = [part.replace("<", "&lt;").replace("[", "\\[").replace("]", "\\]") for part in parts[::2]]
    return "".join(parts)


def _render_mistake(mistake: Mistake) -> str:
    first, second = map(escape_text, mistake.names)
    details = ", ".join(filter(None, (describe_confidence(mistake), *map(escape_text, mistake.types))))
    return f"- **{first} and {second}** ({details}), {escape_text(mistake.sentence)}: {escape_text(mistake.text)}"


def describe_confidence(mistake: Mistake) -> str:
    """The figure by which a mistake is listed."""
    if mistake.probability is not None:
        return f"probability {mistake.probability:.2f}"
    return f"{abs(mistake.margin):.2f} {'above' if mistake.margin >= 0 else 'below'} the threshold"
