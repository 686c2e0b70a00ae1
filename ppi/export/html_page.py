"""The report: one HTML file that stands alone.

Texts with highlighted names, a table of pairs that sorts and can be searched, the network, and the evidence of each
pair.  Nothing is loaded from anywhere, and a content policy in the page forbids everything but its own style and
script; without the script everything can still be read.  What would make the page too long to use is left out, and it
says so.  Small networks are drawn; for larger ones the page holds an explorer, which weighs 0.45 MB.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO

from ppi.annotation.markup import text
from ppi.annotation.relationship import BINDING, TYPES
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.export.html_parts import document_section, pair_rows
from ppi.export.identity_parts import protein_table
from ppi.export.page_facts import PageFacts
from ppi.export.scripts import report_script, resource
from ppi.network import Network, build_network, draw
from ppi.network.aggregation import EdgeKey, edge_key
from ppi.network.lines import DASHES

#: How many documents are shown with their text, pairs in the table, and pairs with the drawing of their evidence.
MOST_DOCUMENTS = 100
MOST_PAIRS = 500
MOST_DRAWN = 100
#: Networks of more pairs than this can be explored; others are drawn.
EXPLORED_FROM = 30

#: By this id Cytoscape.js knows that it need not add a style, which the page's content policy would forbid.
_STYLE_ID = "__________cytoscape_stylesheet"
_SAMPLE_HEAD = '<path d="M26 1L33 5L26 9"/>'
_HEADINGS = (
    ("Pair", "name", "ascending"),
    ("Probability", "probability", "descending"),
    ("Papers", "papers", "descending"),
    ("Sentences", "sentences", "descending"),
)


def write(
    annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False, facts: PageFacts | None = None
) -> None:
    """Write the report; texts beyond the first :data:`MOST_DOCUMENTS` are not held."""
    output.write(report(annotated, explain=explain, facts=facts).encode())


def report(
    annotated: Iterable[AnnotatedDocument],
    *,
    explain: bool = False,
    title: str = "Protein interactions",
    facts: PageFacts | None = None,
) -> str:
    """The page of annotated documents; every interaction takes part, whatever its probability."""
    seen = _Seen()
    network = build_network(seen.watch(annotated), min_probability=0.0, include_hedged=True)
    return _page(network, seen, title, explain, facts or PageFacts())


def network_page(
    network: Network, *, title: str = "Protein interaction network", facts: PageFacts | None = None
) -> str:
    """The page of a network: as :func:`report`, without texts."""
    return _page(network, None, title, True, facts or PageFacts())


@dataclass
class _Seen:
    """What went by on the way to the network: the first documents, and how many there were."""

    shown: list[AnnotatedDocument] = field(default_factory=list)
    documents: int = 0
    interactions: int = 0

    def watch(self, annotated: Iterable[AnnotatedDocument]) -> Iterator[AnnotatedDocument]:
        for each in annotated:
            self.documents += 1
            self.interactions += len(each.interactions)
            if len(self.shown) < MOST_DOCUMENTS:
                self.shown.append(each)
            yield each


def _page(network: Network, seen: _Seen | None, title: str, explain: bool, facts: PageFacts) -> str:
    listed = network.strongest(MOST_PAIRS)
    explored = len(listed.edges) > EXPLORED_FROM
    script = report_script(explorer=explored)
    style = resource("ppi.export", "report.css")
    style += resource("ppi.network", "explorer", "explorer.css") if explored else ""
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    figures = [_counted(len(network.proteins), "protein"), _counted(len(network.edges), "pair")]
    body = _network_section(network, listed, explored) + _table_section(network, listed, explain)
    if seen is not None:
        figures = [_counted(seen.documents, "document"), _counted(seen.interactions, "interaction"), *figures]
        body += _texts_section(network, seen)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f'<title>{text(title)}</title><style id="{_STYLE_ID}">{style}</style></head><body>'
        '<a class="skip" href="#pairs">Skip to the pairs</a>'
        f'<header><h1>{text(title)}</h1><p class="quiet">{" · ".join(figures)}</p></header>'
        f"{_controls(network, facts)}<main>{body}</main>"
        f"<script>{script}</script></body></html>\n"
    )


def _controls(network: Network, facts: PageFacts) -> str:
    total = min(len(network.edges), MOST_PAIRS)
    start = f"{facts.min_probability:.2f}"
    return (
        '<section class="controls" aria-label="What is shown"><label for="threshold">At least this probable</label>'
        f'<input type="range" id="threshold" min="0" max="1" step="0.01" value="{start}" autocomplete="off">'
        f'<output id="value" for="threshold">{start}</output>'
        '<span class="search"><label for="search">Search</label>'
        '<input type="search" id="search" autocomplete="off" spellcheck="false"></span>'
        f'<span id="count" role="status" class="quiet">{_counted(total, "pair")}</span>{_type_boxes(network)}'
        f"{_meaning(facts)}</section>"
    )


def _meaning(facts: PageFacts) -> str:
    """What probabilities mean, beside the slider."""
    if not facts.meaning:
        return ""
    sentences = "".join(f"<li>{text(sentence)}</li>" for sentence in facts.meaning)
    return f'<details class="meaning"><summary>What probabilities mean</summary><ul>{sentences}</ul></details>'


def _type_boxes(network: Network) -> str:
    """A box for each type, beside the line by which the network shows it."""
    if not network.typed:
        return ""
    used = {edge.type for edge in network.edges}
    boxes = "".join(
        f'<label><input type="checkbox" class="type-box" value="{type}" checked autocomplete="off"> {type} '
        f'<svg class="sample" viewBox="0 0 34 10" aria-hidden="true" data-type="{type}">'
        f'<path d="M0 5H{34 if type == BINDING else 30}" stroke-dasharray="{DASHES[type] or "none"}"/>'
        f"{'' if type == BINDING else _SAMPLE_HEAD}</svg></label>"
        for type in TYPES
        if type in used
    )
    hint = '<span class="quiet">→ acts on · ⊣ acts against · — binds</span>'
    return f'<fieldset class="types"><legend>Types</legend>{boxes}{hint}</fieldset>'


def _network_section(network: Network, listed: Network, explored: bool) -> str:
    if not listed.edges:
        return '<section><h2>Network</h2><p class="empty">There is no pair to draw.</p></section>'
    left_out = ""
    if len(listed.edges) < len(network.edges):
        left_out = _note(
            f"This page holds the {len(listed.edges):,} best supported of {len(network.edges):,} pairs; "
            "`ppi network` writes files with all of them."
        )
    # a box that scrolls has to be reachable by keyboard
    box = '<div class="network" tabindex="0" role="region" aria-label="Drawing of the network">'
    drawing = f"{box}{draw(listed)}</div>"
    body = f'<div id="explorer">{drawing}</div>' if explored else drawing
    return f"<section><h2>Network</h2>{left_out}{body}{protein_table(listed)}</section>"


def _table_section(network: Network, listed: Network, explain: bool) -> str:
    if not listed.edges:
        return (
            '<section id="pairs"><h2>Pairs</h2><p class="empty">No interaction was found. Texts without two protein '
            "names in one sentence have none; a lower --min-probability may show more.</p>"
            '<p id="none" hidden></p></section>'
        )
    headings = "".join(
        f'<th scope="col"{" aria-sort=descending" if key == "probability" else ""}>'
        f'<button type="button" data-sort="{key}" data-first="{first}">{name}</button></th>'
        for name, key, first in _HEADINGS
    )
    rows = "".join(
        pair_rows(edge, network, _row_id(number), explain=explain, with_svg=explain and number < MOST_DRAWN)
        for number, edge in enumerate(listed.edges)
    )
    notes = ""
    if len(listed.edges) < len(network.edges):
        notes += _note(f"The {len(listed.edges)} most probable of {len(network.edges)} pairs are listed.")
    if explain and len(listed.edges) > MOST_DRAWN:
        notes += _note(f"Evidence is drawn for the {MOST_DRAWN} most probable pairs.")
    return (
        f'<section id="pairs"><h2>Pairs</h2>{notes}<p id="none" class="empty" hidden>No pair is that probable, of '
        "these types, and has these words. Move the slider to the left, or search for something else.</p>"
        f'<table id="table"><thead><tr>{headings}</tr></thead>{rows}</table></section>'
    )


def _texts_section(network: Network, seen: _Seen) -> str:
    rows = {
        EdgeKey(edge.source, edge.target, edge.relationship, edge.directed): _row_id(number)
        for number, edge in enumerate(network.edges[:MOST_PAIRS])
    }

    def link(interaction: Interaction) -> str | None:
        return None if interaction.negated else rows.get(edge_key(interaction))

    left_out = len(seen.shown) < seen.documents
    note = _note(f"The first {len(seen.shown)} of {seen.documents} documents are shown.") if left_out else ""
    texts = "".join(document_section(each, link) for each in seen.shown) or '<p class="empty">There is no document.</p>'
    return f'<section id="texts"><h2>Texts</h2>{note}{texts}</section>'


def _note(message: str) -> str:
    return f'<p class="note">{message}</p>'


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def _row_id(number: int) -> str:
    return f"pair-{number + 1}"


def _digest(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
