"""Cleans texts for files, and makes HTML for pages and notebooks.

Every replacement of a character keeps the length, so that offsets stay.  In HTML, everything that comes from outside is
escaped; there is a small style and no script.  Drawings are images: whatever they hold, an image neither runs anything
nor loads it.
"""

from __future__ import annotations

import base64
import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from corpora import Entity, pluralize
from ppi.annotation.results import AnnotatedDocument, Evidence, Interaction

if TYPE_CHECKING:
    import jinja2

#: What stands for a character that a file cannot hold.
REPLACEMENT = "\ufffd"
_SURROGATES = re.compile("[\ud800-\udfff]")
_BREAKS = re.compile("[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
#: Everything that XML 1.0 does not allow, the halves of surrogate pairs among it.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Mentions that are named where several cover one segment of the text.
MAX_TITLE_MENTIONS = 5
_BREAK_AT_TAG = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])")
_LINE_BREAK = re.compile(r"\s*\n\s*")
_PAIR_PLACE = re.compile(r"data-pair='(\d+) (\d+)'")
#: Of a document: how many sentences and interactions are shown.
MAX_SENTENCES = 100
MAX_INTERACTIONS = 50


def encodable_text(text: str) -> str:
    """The text with halves of surrogate pairs, which no encoding has, as U+FFFD.

    >>> encodable_text("a\\ud800b")
    'a\ufffdb'
    """
    return text if text.isascii() else _SURROGATES.sub(REPLACEMENT, text)


def xml_text(text: str) -> str:
    """The text with everything that XML cannot hold as U+FFFD.

    >>> xml_text("a\\x00b")
    'a\ufffdb'
    """
    return _NOT_XML.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    """The text with tabs and line breaks (also Unicode's) as spaces, and encodable.

    >>> one_line("a\\tb\\r\\nc")
    'a b  c'
    """
    return encodable_text(_BREAKS.sub(" ", text))


def html_text(value: str) -> str:
    """A text as it may stand in an element or attribute.

    >>> html_text('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape(xml_text(value), quote=True)


def render_html(path: str, **values: Any) -> str:
    """A page or a piece of one by a template file of a package, ``ppi.export/report.html``.

    Texts among the values are escaped as by :func:`html_text`, unless the template calls them ``safe``.  A line break
    of the file is nothing beside a tag or an expression, and a space elsewhere.
    """
    return _templates().get_template(path).render(values)


@cache
def _templates() -> jinja2.Environment:
    from importlib.resources import files

    import jinja2

    def load(path: str) -> str:
        package, _, name = path.partition("/")
        source = files(package).joinpath(name).read_text(encoding="utf-8")
        return _LINE_BREAK.sub(" ", _BREAK_AT_TAG.sub("", source.strip()))

    def clean(value: Any) -> Any:
        return xml_text(value) if type(value) is str else value  # what is safe already has a type of its own

    return jinja2.Environment(
        loader=jinja2.FunctionLoader(load), autoescape=True, finalize=clean, undefined=jinja2.StrictUndefined
    )


def highlight_mentions(sentence: str, entities: Iterable[Entity], *, strong: Iterable[str] = ()) -> str:
    """A sentence with its mentions as ``<mark>``; those whose ids are ``strong`` have that class.

    Mentions may be discontinuous and overlap: every segment of the text is marked once.

    >>> highlight_mentions("A < B", [Entity("e1", "A", ((0, 1),)), Entity("e2", "B", ((4, 5),))], strong=["e2"])
    '<mark title="A">A</mark> &lt; <mark class="strong" title="B">B</mark>'
    """
    mentions, strong_ids = list(entities), set(strong)
    changes: dict[int, list[tuple[int, int]]] = {len(sentence): []}  # where mentions begin (+1) and end (-1)
    for number, entity in enumerate(mentions):
        for start, end in entity.spans:
            if start < end:
                changes.setdefault(start, []).append((number, 1))
                changes.setdefault(end, []).append((number, -1))
    parts, position, n_strong = [], 0, 0
    active: list[int] = []  # the mentions that cover the place, in order
    n_spans: Counter[int] = Counter()  # of each of them: a mention may overlap itself
    for bound, changes_here in sorted(changes.items()):
        if position < bound:
            segment = html_text(sentence[position:bound])
            parts.append(_mark_segment(segment, mentions, active, strong=n_strong > 0) if active else segment)
        position = bound
        for number, change in changes_here:
            before = n_spans[number]
            n_spans[number] += change
            if before and before + change:
                continue  # it covers the place with another span
            n_strong += change * (mentions[number].id in strong_ids)
            if change > 0:
                insort(active, number)
            else:
                del active[bisect_left(active, number)]
    return "".join(parts)


def _mark_segment(escaped: str, mentions: Sequence[Entity], active: Sequence[int], *, strong: bool) -> str:
    """A segment of the text that the same mentions cover, with the first of them as its title."""
    names = []
    for entity in (mentions[number] for number in active[:MAX_TITLE_MENTIONS]):
        details = ", ".join(filter(None, (entity.type, *entity.identifiers)))
        names.append(f"{entity.text} ({details})" if details else entity.text)
    if len(active) > len(names):
        names.append(f"and {len(active) - len(names)} more")
    kind = ' class="strong"' if strong else ""
    return f'<mark{kind} title="{html_text("; ".join(names))}">{escaped}</mark>'


def svg_image(svg: str, description: str, *, label: str = "Drawing of the dependencies") -> str:
    """A drawing as an image: whatever it holds, an image neither runs scripts nor loads anything.

    The box around it scrolls, and knows from where to where the two mentions reach.
    """
    encoded = base64.b64encode(xml_text(svg).encode()).decode()
    pair = _PAIR_PLACE.search(svg)
    reach = f' data-left="{pair[1]}" data-right="{pair[2]}"' if pair else ""
    box = f'<div class="drawing" tabindex="0" role="group" aria-label="{html_text(label)}"{reach}>'
    return f'{box}<img src="data:image/svg+xml;base64,{encoded}" alt="{html_text(description)}"></div>'


def interaction_html(interaction: Interaction) -> str:
    """An interaction: its proteins, type and probability; its sentence; its evidence, if it has some."""
    return render_notebook(interaction=interaction, evidence=interaction.evidence)


def evidence_html(evidence: Evidence) -> str:
    """The reasons in words, then the drawing."""
    return render_notebook(evidence=evidence)


def document_html(annotated: AnnotatedDocument) -> str:
    """The text with its names, those of interactions stronger, then a table of the interactions, best first."""
    strong = {entity.id for interaction in annotated.interactions for entity in interaction.proteins}
    return render_notebook(
        annotated=annotated, strong=strong, max_sentences=MAX_SENTENCES, max_interactions=MAX_INTERACTIONS
    )


def render_notebook(template: str = "ppi.annotation/notebook.html", **values: Any) -> str:
    """What a notebook shows, by its template."""
    helpers = {"highlight_mentions": highlight_mentions, "pluralize": pluralize, "svg_image": svg_image}
    return render_html(template, **helpers, **values)
