"""The report: one HTML file that stands alone.

Texts with highlighted names, a table of pairs that sorts and can be searched, the network, and the evidence of each
pair.  Nothing is loaded from anywhere, and a content policy in the page forbids everything but its own style and
script; without the script everything can still be read.  What would make the page too long to use is left out, and it
says so.  Small networks are drawn; for larger ones the page holds an explorer, which weighs 0.45 MB.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import IO

from corpora import BINDING, TYPES
from ppi.annotation import AnnotatedDocument, Interaction, html_text
from ppi.export.formats import PageFacts
from ppi.export.html_parts import document_section, pair_rows, protein_table
from ppi.network import TYPE_DASHES, EdgeKey, Network, build_network, draw, edge_key

#: How many documents are shown with their text, pairs in the table, and pairs with the drawing of their evidence.
MAX_DOCUMENTS = 100
MAX_PAIRS = 500
MAX_EVIDENCE_DRAWINGS = 100
#: Networks of more pairs than this can be explored; others are drawn.
MAX_STATIC_PAIRS = 30

#: By this id Cytoscape.js knows that it need not add a style, which the page's content policy would forbid.
_STYLE_ID = "__________cytoscape_stylesheet"
_ARROWHEAD = '<path d="M26 1L33 5L26 9"/>'
_HEADINGS = (
    ("Pair", "name", "ascending"),
    ("Probability", "probability", "descending"),
    ("Papers", "papers", "descending"),
    ("Sentences", "sentences", "descending"),
)


def write_html(
    annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False, facts: PageFacts | None = None
) -> None:
    """Write the report; texts beyond the first :data:`MAX_DOCUMENTS` are not held."""
    output.write(report(annotated, explain=explain, facts=facts).encode())


def report(
    annotated: Iterable[AnnotatedDocument],
    *,
    explain: bool = False,
    title: str = "Protein interactions",
    facts: PageFacts | None = None,
) -> str:
    """The page of annotated documents; every interaction takes part, whatever its probability."""
    collector = _DocumentCollector()
    network = build_network(collector.collect(annotated), min_probability=0.0, include_hedged=True)
    return _page(network, collector, title, explain, facts or PageFacts())


def network_page(
    network: Network, *, title: str = "Protein interaction network", facts: PageFacts | None = None
) -> str:
    """The page of a network: as :func:`report`, without texts."""
    return _page(network, None, title, True, facts or PageFacts())


@dataclass
class _DocumentCollector:
    """What went by on the way to the network: the first documents, and how many there were."""

    first_documents: list[AnnotatedDocument] = field(default_factory=list)
    n_documents: int = 0
    n_interactions: int = 0

    def collect(self, annotated: Iterable[AnnotatedDocument]) -> Iterator[AnnotatedDocument]:
        for annotated_document in annotated:
            self.n_documents += 1
            self.n_interactions += len(annotated_document.interactions)
            if len(self.first_documents) < MAX_DOCUMENTS:
                self.first_documents.append(annotated_document)
            yield annotated_document


def _page(network: Network, collector: _DocumentCollector | None, title: str, explain: bool, facts: PageFacts) -> str:
    listed_network = network.strongest(MAX_PAIRS)
    with_explorer = len(listed_network.edges) > MAX_STATIC_PAIRS
    script = report_script(explorer=with_explorer)
    style = read_resource("ppi.export", "report.css")
    style += read_resource("ppi.network", "explorer", "explorer.css") if with_explorer else ""
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    counts = [_pluralize(len(network.proteins), "protein"), _pluralize(len(network.edges), "pair")]
    body = _network_section(network, listed_network, with_explorer) + _table_section(network, listed_network, explain)
    if collector is not None:
        counts = [
            _pluralize(collector.n_documents, "document"),
            _pluralize(collector.n_interactions, "interaction"),
            *counts,
        ]
        body += _texts_section(network, collector)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f'<title>{html_text(title)}</title><style id="{_STYLE_ID}">{style}</style></head><body>'
        '<a class="skip" href="#pairs">Skip to the pairs</a>'
        f'<header><h1>{html_text(title)}</h1><p class="quiet">{" · ".join(counts)}</p></header>'
        f"{_controls(network, facts)}<main>{body}</main>"
        f"<script>{script}</script></body></html>\n"
    )


def _controls(network: Network, facts: PageFacts) -> str:
    total = min(len(network.edges), MAX_PAIRS)
    start = f"{facts.min_probability:.2f}"
    return (
        '<section class="controls" aria-label="What is shown"><label for="threshold">At least this probable</label>'
        f'<input type="range" id="threshold" min="0" max="1" step="0.01" value="{start}" autocomplete="off">'
        f'<output id="value" for="threshold">{start}</output>'
        '<span class="search"><label for="search">Search</label>'
        '<input type="search" id="search" autocomplete="off" spellcheck="false"></span>'
        f'<span id="count" role="status" class="quiet">{_pluralize(total, "pair")}</span>{_type_boxes(network)}'
        f"{_calibration_notes(facts)}</section>"
    )


def _calibration_notes(facts: PageFacts) -> str:
    """What probabilities mean, beside the slider."""
    if not facts.calibration_notes:
        return ""
    sentences = "".join(f"<li>{html_text(sentence)}</li>" for sentence in facts.calibration_notes)
    return f'<details class="meaning"><summary>What probabilities mean</summary><ul>{sentences}</ul></details>'


def _type_boxes(network: Network) -> str:
    """A box for each type, beside the line by which the network shows it."""
    if not network.has_types:
        return ""
    used = {edge.type for edge in network.edges}
    boxes = "".join(
        f'<label><input type="checkbox" class="type-box" value="{type}" checked autocomplete="off"> {type} '
        f'<svg class="sample" viewBox="0 0 34 10" aria-hidden="true" data-type="{type}">'
        f'<path d="M0 5H{34 if type == BINDING else 30}" stroke-dasharray="{TYPE_DASHES[type] or "none"}"/>'
        f"{'' if type == BINDING else _ARROWHEAD}</svg></label>"
        for type in TYPES
        if type in used
    )
    hint = '<span class="quiet">→ acts on · ⊣ acts against · — binds</span>'
    return f'<fieldset class="types"><legend>Types</legend>{boxes}{hint}</fieldset>'


def _network_section(network: Network, listed_network: Network, with_explorer: bool) -> str:
    if not listed_network.edges:
        return '<section><h2>Network</h2><p class="empty">There is no pair to draw.</p></section>'
    truncation_note = ""
    if len(listed_network.edges) < len(network.edges):
        truncation_note = _note(
            f"This page holds the {len(listed_network.edges):,} best supported of {len(network.edges):,} pairs; "
            "`ppi network` writes files with all of them."
        )
    # a box that scrolls has to be reachable by keyboard
    opening_tag = '<div class="network" tabindex="0" role="region" aria-label="Drawing of the network">'
    drawing = f"{opening_tag}{draw(listed_network)}</div>"
    body = f'<div id="explorer">{drawing}</div>' if with_explorer else drawing
    return f"<section><h2>Network</h2>{truncation_note}{body}{protein_table(listed_network)}</section>"


def _table_section(network: Network, listed_network: Network, explain: bool) -> str:
    if not listed_network.edges:
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
        pair_rows(edge, network, _row_id(number), explain=explain, with_svg=explain and number < MAX_EVIDENCE_DRAWINGS)
        for number, edge in enumerate(listed_network.edges)
    )
    notes = ""
    if len(listed_network.edges) < len(network.edges):
        notes += _note(f"The {len(listed_network.edges)} most probable of {len(network.edges)} pairs are listed.")
    if explain and len(listed_network.edges) > MAX_EVIDENCE_DRAWINGS:
        notes += _note(f"Evidence is drawn for the {MAX_EVIDENCE_DRAWINGS} most probable pairs.")
    return (
        f'<section id="pairs"><h2>Pairs</h2>{notes}<p id="none" class="empty" hidden>No pair is that probable, of '
        "these types, and has these words. Move the slider to the left, or search for something else.</p>"
        f'<table id="table"><thead><tr>{headings}</tr></thead>{rows}</table></section>'
    )


def _texts_section(network: Network, collector: _DocumentCollector) -> str:
    row_ids = {
        EdgeKey(edge.source, edge.target, edge.relationship, edge.directed): _row_id(number)
        for number, edge in enumerate(network.edges[:MAX_PAIRS])
    }

    def find_row_id(interaction: Interaction) -> str | None:
        return None if interaction.negated else row_ids.get(edge_key(interaction))

    is_truncated = len(collector.first_documents) < collector.n_documents
    note = (
        _note(f"The first {len(collector.first_documents)} of {collector.n_documents} documents are shown.")
        if is_truncated
        else ""
    )
    texts = (
        "".join(document_section(annotated_document, find_row_id) for annotated_document in collector.first_documents)
        or '<p class="empty">There is no document.</p>'
    )
    return f'<section id="texts"><h2>Texts</h2>{note}{texts}</section>'


def _note(message: str) -> str:
    return f'<p class="note">{message}</p>'


def _pluralize(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def _row_id(number: int) -> str:
    return f"pair-{number + 1}"


def _digest(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


# The page's scripts, joined into one that may stand in the page itself.
#
# Files are modules for the server's page, which may load them one by one.  A report stands alone, and its content policy
# allows one script by its digest: the same files without their imports and the word ``export``, in the order in which
# they need each other.  For that an import is one line, and no two files have a name in common.

#: In the order in which they need each other.
EXPLORER_MODULES = ("dom.js", "identity.js", "layout.js", "explorer_style.js", "explorer.js")
_IMPORT = re.compile(r"^import .* from .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def join_modules(modules: Iterable[str]) -> str:
    """Modules as one script in strict mode, with names of its own.

    >>> print(join_modules(['export const one = 1;\\n', 'import { one } from "./one.js";\\nconsole.log(one);\\n']))
    (() => {
    "use strict";
    const one = 1;
    console.log(one);
    })();
    """
    body = "".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
    return f'(() => {{\n"use strict";\n{body}}})();'


@cache
def report_script(*, explorer: bool) -> str:
    """The script of a report, with the explorer of networks and the library that draws it, or without."""
    page_script = read_resource("ppi.export", "report.js")
    if not explorer:
        return join_modules([read_resource("ppi.network", "explorer", "dom.js"), page_script])
    parts = [read_resource("ppi.network", "explorer", name) for name in EXPLORER_MODULES]
    return f"{read_resource('ppi.network', 'explorer', 'cytoscape.min.js')}\n{join_modules([*parts, page_script])}"


def read_resource(package: str, *path: str) -> str:
    """A text file of a package."""
    return files(package).joinpath(*path).read_text(encoding="utf-8")
