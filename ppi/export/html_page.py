"""The report: one HTML file that stands alone.

Texts with highlighted names, a table of pairs that sorts and can be searched, the network, and the evidence of each
pair (``report.html``).  Nothing is loaded from anywhere, and a content policy in the page forbids everything but its
own style and script; without the script everything can still be read.  What would make the page too long to use is left
out, and it says so.  Small networks are drawn; for larger ones the page holds an explorer, which weighs 0.45 MB.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import IO

from corpora import TYPES, pluralize
from ppi.annotation import AnnotatedDocument, Interaction, highlight_mentions, pubmed_id, render_html, svg_image
from ppi.export.formats import PageFacts
from ppi.grounding import latin_name
from ppi.network import TYPE_DASHES, EdgeKey, Network, Protein, build_network, draw, edge_key

#: How many documents are shown with their text, pairs in the table, and pairs with the drawing of their evidence.
MAX_DOCUMENTS = 100
MAX_PAIRS = 500
MAX_EVIDENCE_DRAWINGS = 100
#: Features that are listed for an interaction, and as many against it.
MAX_FEATURES = 5
#: Networks of more pairs than this can be explored; others are drawn.
MAX_STATIC_PAIRS = 30

_PROTEIN_TYPES = ("protein", "gene", "ggp", "gene_or_gene_product")
_CURIE = re.compile(r"([A-Za-z][A-Za-z0-9._]*):([A-Za-z0-9._-]+)")


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
    style = read_resource("ppi.export", "report.css")
    style += read_resource("ppi.network", "explorer", "explorer.css") if with_explorer else ""
    counts = [pluralize(len(network.proteins), "protein"), pluralize(len(network.edges), "pair")]
    if collector is not None:
        texts = pluralize(collector.n_documents, "document"), pluralize(collector.n_interactions, "interaction")
        counts = [*texts, *counts]
    row_ids = {
        EdgeKey(edge.source, edge.target, edge.relationship, edge.directed): f"pair-{number}"
        for number, edge in enumerate(listed_network.edges, start=1)
    }

    def find_row_id(interaction: Interaction) -> str | None:
        return None if interaction.negated else row_ids.get(edge_key(interaction))

    page = render_html(
        "ppi.export/report.html",
        network=network,
        listed=listed_network,
        collector=collector,
        title=title,
        explain=explain,
        facts=facts,
        counts=counts,
        with_explorer=with_explorer,
        style=style,
        script=report_script(explorer=with_explorer),
        max_drawings=MAX_EVIDENCE_DRAWINGS,
        max_features=MAX_FEATURES,
        dashes_by_type={type: TYPE_DASHES[type] for type in TYPES},
        # functions
        digest=_digest,
        draw=draw,
        find_row_id=find_row_id,
        highlight_mentions=highlight_mentions,
        identifier_url=identifier_url,
        json=json.dumps,
        kind_of=_protein_kind,
        participant_ids=_participant_ids,
        pluralize=pluralize,
        pubmed_id=pubmed_id,
        species_of=_protein_species,
        svg_image=svg_image,
    )
    return f"{page}\n"


def _participant_ids(annotated: AnnotatedDocument) -> set[str]:
    return {entity.id for interaction in annotated.interactions for entity in interaction.proteins}


def identifier_url(identifier: str) -> str | None:
    """The page about an identifier; None for what is no CURIE.

    >>> identifier_url("NCBIGene:5216"), identifier_url("javascript:alert(1)")
    ('https://bioregistry.io/ncbigene:5216', None)
    """
    parts = _CURIE.fullmatch(identifier)
    return None if parts is None else f"https://bioregistry.io/{parts[1].lower()}:{parts[2]}"


def _protein_kind(protein: Protein) -> str:
    """Only what tells something: nearly everything here is a protein."""
    kind = (protein.entity_kind or protein.type or "").lower()
    return "" if kind in _PROTEIN_TYPES else kind


def _protein_species(protein: Protein) -> str:
    """In Latin, where the number of the species has a name here."""
    return latin_name(protein.taxid) or (f"taxon {protein.taxid}" if protein.taxid else "")


def _digest(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


# The server's page loads the scripts one by one, as modules.  A report stands alone, and its content policy allows one
# script by its digest: the same files without their imports and the word ``export``, in the order in which they need
# each other.  For that an import is one line, and no two files have a name in common.

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
