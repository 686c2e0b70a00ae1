"""Render the pages of a report in HTML: each stands alone, pictures included, and loads nothing.

Whatever comes from a corpus is escaped, and a content policy forbids scripts and everything from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from corpora import Entity
from ppi.annotation import highlight_mentions, xml_text
from ppi.evaluation.error_analysis import Mistake
from ppi.evaluation.reports.markdown import Block, Table, describe_confidence

_CODE = re.compile(r"`([^`]*)`")
_NUMBER = re.compile(r"[-+]?[\d,.]+|-|")


def render_page(title: str, blocks: Iterable[Block], folder: Path) -> str:
    """A page of blocks; pictures are read from the report's folder and become part of it."""
    import jinja2
    from markupsafe import Markup, escape

    def inline(value: Any) -> Markup:
        return Markup(_CODE.sub(r"<code>\1</code>", str(escape(xml_text(str(value))))))

    def highlight(mistake: Mistake) -> Markup:
        names = zip(mistake.names, mistake.spans, strict=True)
        entities = [Entity(str(number), name, spans) for number, (name, spans) in enumerate(names)]
        return Markup(highlight_mentions(mistake.text, entities))

    here = Path(__file__).parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(here / "templates"),
        autoescape=True,
        keep_trailing_newline=True,
        finalize=lambda value: xml_text(value) if type(value) is str else value,
    )
    environment.filters.update(inline=inline, numeric_columns=_numeric_columns)
    style = (here / "report.css").read_text(encoding="utf-8")
    return environment.get_template("page.html").render(
        title=title,
        style=Markup(style),
        style_digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        blocks=[(type(block).__name__, block) for block in blocks],
        confidence=describe_confidence,
        highlight=highlight,
        picture=lambda name: base64.b64encode((folder / name).read_bytes()).decode(),
    )


def _numeric_columns(table: Table) -> list[bool]:
    """Which columns hold only numbers; the first cell names its row, also by a number."""
    return [
        bool(column) and all(_NUMBER.fullmatch(str(row[column])) for row in table.rows)
        for column in range(len(table.head))
    ]
