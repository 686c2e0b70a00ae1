"""Who the proteins of a report are: a table of identifiers, species and other names."""

from __future__ import annotations

import json
import re

from ppi.annotation.markup import html_text
from ppi.grounding.species_names import latin_name
from ppi.network import Network, Protein

_CURIE = re.compile(r"([A-Za-z][A-Za-z0-9._]*):([A-Za-z0-9._-]+)")
_PROTEIN_TYPES = ("protein", "gene", "ggp", "gene_or_gene_product")
_PROTEIN_HEADINGS = ("Protein", "Identifier", "Species", "Also written")


def identifier_url(identifier: str) -> str | None:
    """The page about an identifier; None for what is no CURIE.

    >>> identifier_url("NCBIGene:5216"), identifier_url("javascript:alert(1)")
    ('https://bioregistry.io/ncbigene:5216', None)
    """
    parts = _CURIE.fullmatch(identifier)
    return None if parts is None else f"https://bioregistry.io/{parts[1].lower()}:{parts[2]}"


def identifier_link(identifier: str) -> str:
    """The identifier, as a link where it has a page."""
    url = identifier_url(identifier)
    return (
        html_text(identifier)
        if url is None
        else f'<a href="{url}" rel="noopener noreferrer">{html_text(identifier)}</a>'
    )


def protein_table(network: Network) -> str:
    """The proteins of a network, which the explorer reads, too, behind a control."""
    headings = "".join(f'<th scope="col">{name}</th>' for name in _PROTEIN_HEADINGS)
    rows = "".join(
        _protein_row(protein) for protein in sorted(network.proteins.values(), key=lambda node: node.label.lower())
    )
    return (
        f'<details id="proteins"><summary>Proteins: identifiers, species, other names</summary><div class="scroll" '
        'tabindex="0" role="region" aria-label="Proteins">'
        f"<table><thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )


def _protein_row(protein: Protein) -> str:
    species = _protein_species(protein)
    other_names = [name for name in protein.names if name != protein.label]
    identifiers = [protein.identifier, protein.uniprot and f"uniprot:{protein.uniprot}"]
    links = ", ".join(identifier_link(identifier) for identifier in identifiers if identifier)
    return (
        f'<tr data-key="{html_text(protein.key)}" data-label="{html_text(protein.label)}" '
        f'data-names="{html_text(json.dumps(protein.names))}" data-identifier="{html_text(protein.identifier or "")}" '
        f'data-species="{html_text(species)}" data-kind="{html_text(_protein_kind(protein))}">'
        f'<th scope="row">{html_text(protein.label)}</th><td>{links}</td>'
        f"<td>{html_text(species)}</td><td>{html_text(', '.join(other_names))}</td></tr>"
    )


def _protein_kind(protein: Protein) -> str:
    """Only what tells something: nearly everything here is a protein."""
    kind = (protein.entity_kind or protein.type or "").lower()
    return "" if kind in _PROTEIN_TYPES else kind


def _protein_species(protein: Protein) -> str:
    """In Latin, where the number of the species has a name here."""
    return latin_name(protein.taxid) or (f"taxon {protein.taxid}" if protein.taxid else "")
