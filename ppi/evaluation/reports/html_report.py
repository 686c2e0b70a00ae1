"""Pages of a report in HTML: each stands alone, pictures included, and loads nothing.

Whatever comes from a corpus is escaped, and a content policy forbids scripts and everything from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from corpora import Entity
from ppi.annotation import highlight_mentions, html_text
from ppi.evaluation.error_analysis import Mistake
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
)

_CODE = re.compile(r"`([^`]*)`")
_NUMBER = re.compile(r"[-+]?[\d,.]+|-|")


def render_page(title: str, blocks: Iterable[Block], folder: Path) -> str:
    """A page of blocks; pictures are read from the report's folder and become part of it."""
    style = files("ppi.evaluation.reports").joinpath("report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = "".join(_render_block(block, folder) for block in blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{html_text(title)}</title><style>{style}</style></head><body><main>{body}</main></body></html>\n"
    )


def _render_block(block: Block, folder: Path) -> str:
    match block:
        case Heading(words, level):
            return f"<h{level}>{_inline(words)}</h{level}>"
        case Paragraph(words, warning):
            return f'<p class="warning"><b>Warning:</b> {_inline(words)}</p>' if warning else f"<p>{_inline(words)}</p>"
        case Glossary(title, meanings):
            entries = "".join(f"<dt>{_inline(term)}</dt><dd>{_inline(meaning)}</dd>" for term, meaning in meanings)
            return f"<details><summary>{_inline(title)}</summary><dl>{entries}</dl></details>"
        case Table():
            return _render_table(block)
        case Pictures(images):
            return (
                f'<div class="pictures">{"".join(_render_picture(folder / name, alt) for name, _, alt in images)}</div>'
            )
        case Link(to, words):
            return f'<p><a href="{html_text(to)}.html">{_inline(words)}</a></p>'
        case MistakeList(mistakes):
            list_items = "".join(map(_render_mistake, mistakes))
            return f'<ol class="mistakes">{list_items}</ol>' if list_items else "<p>None.</p>"


def _inline(words: str) -> str:
    return _CODE.sub(r"<code>\1</code>", html_text(words))


def _render_table(table: Table) -> str:
    # the first cell names its row, also by a number
    numeric = [
        bool(column) and all(_NUMBER.fullmatch(str(row[column])) for row in table.rows)
        for column in range(len(table.head))
    ]
    head = "".join(
        f'<th scope="col"{_class_attribute(number)}>{_inline(str(cell))}</th>'
        for cell, number in zip(table.head, numeric)
    )
    rows = "".join(f"<tr>{_render_row_header(row[0])}{_render_cells(row[1:], numeric[1:])}</tr>" for row in table.rows)
    # outside of the box, where it does not scroll away
    caption = f'<p class="caption">{_inline(table.caption)}</p>' if table.caption else ""
    label = html_text(table.caption or "Figures")
    # a box that scrolls has to be reachable by keyboard
    return (
        f'{caption}<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _render_row_header(value: Any) -> str:
    """The cell that names a row; the rows below it that belong to the same thing have none."""
    return f'<th scope="row">{_inline(str(value))}</th>' if str(value) else "<td></td>"


def _render_cells(values: Sequence[Any], numeric: Sequence[bool]) -> str:
    return "".join(
        f"<td{_class_attribute(number)}>{_inline(str(value))}</td>" for value, number in zip(values, numeric)
    )


def _class_attribute(number: bool) -> str:
    return ' class="number"' if number else ""


def _render_picture(path: Path, alt: str) -> str:
    encoded_image = base64.b64encode(path.read_bytes()).decode()
    return (
        f'<figure><img src="data:image/png;base64,{encoded_image}" alt="{html_text(alt)}">'
        f"<figcaption>{html_text(alt)}</figcaption></figure>"
    )


def _render_mistake(mistake: Mistake) -> str:
    names = [Entity(str(number), name, spans) for number, (name, spans) in enumerate(zip(mistake.names, mistake.spans))]
    details = ", ".join(filter(None, (describe_confidence(mistake), *mistake.types)))
    first, second = map(html_text, mistake.names)
    return (
        f"<li><p><b>{first}</b> and <b>{second}</b> <span class='quiet'>{html_text(details)}</span></p>"
        f"<blockquote><p>{highlight_mentions(mistake.text, names)}</p>"
        f"<footer>{html_text(mistake.document)} · {html_text(mistake.sentence)}</footer></blockquote></li>"
    )
