"""Pieces of pages: highlighted texts, evidence, the table of pairs.  Everything that comes from outside is escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from corpora import Sentence
from ppi.annotation import AnnotatedDocument, Evidence, Interaction, highlight_mentions, html_text, pubmed_id, svg_image
from ppi.grounding import latin_name
from ppi.network import Edge, Network, Protein

#: Features that are listed for an interaction, and as many against it.
MAX_FEATURES = 5


def document_section(annotated_document: AnnotatedDocument, find_row_id: Callable[[Interaction], str | None]) -> str:
    """A document: its text with highlighted mentions, then what was found in it.

    ``link`` gives the id of the element that an interaction is about, if there is one.
    """
    participant_ids = {entity.id for interaction in annotated_document.interactions for entity in interaction.proteins}
    sentences = " ".join(_sentence(sentence, participant_ids) for sentence in annotated_document.document.sentences)
    chips = "".join(_chip(interaction, find_row_id(interaction)) for interaction in annotated_document.interactions)
    findings = f'<ul class="chips">{chips}</ul>' if chips else '<p class="quiet">No interaction found.</p>'
    if annotated_document.skipped:
        findings += (
            f'<p class="note">Sentences too long to be searched: {html_text(", ".join(annotated_document.skipped))}</p>'
        )
    pubmed = pubmed_id(annotated_document.document)
    pubmed_label = (
        f' <span class="quiet">PubMed {pubmed}</span>' if pubmed and pubmed != annotated_document.document.id else ""
    )
    return f'<article><h3>{html_text(annotated_document.document.id)}{pubmed_label}</h3><p class="text">{sentences}</p>{findings}</article>'


def pair_rows(edge: Edge, network: Network, id: str, *, explain: bool, with_svg: bool) -> str:
    """A pair as a ``<tbody>``: a row of figures, and one of evidence, with its reasons and its drawing if asked for."""
    first, second = (network.proteins[key] for key in (edge.source, edge.target))
    arrow = edge.relationship.arrow_symbol(edge.directed)
    names = f"{_protein(first.label, first.key)} <span class='dash'>{arrow}</span> {_protein(second.label, second.key)}"
    if edge.type is not None:
        names += f' <span class="type">{html_text(edge.relationship.label)}</span>'
    evidence = "".join(_evidence(interaction, explain, with_svg) for interaction in edge.evidence)
    n_more = edge.sentences - len(edge.evidence)
    if n_more > 0:
        evidence += f'<p class="quiet">and {n_more} more {"sentence" if n_more == 1 else "sentences"}</p>'
    return (
        f'<tbody id="{id}" class="pair" data-source="{html_text(edge.source)}" data-target="{html_text(edge.target)}" '
        f'data-name="{html_text(f"{first.label} {second.label}".lower())}" data-probability="{edge.probability:.4f}" '
        f'data-papers="{edge.papers}" data-sentences="{edge.sentences}"{_data_type(edge.type)} '
        f'data-between="{arrow}" data-words="{html_text(edge.relationship.label)}" data-sign="{html_text(edge.sign or "")}" '
        f'data-directed="{"true" if edge.directed else "false"}">'
        f'<tr><th scope="row">{names}</th><td class="number">{probability_meter(edge.probability)}</td>'
        f'<td class="number">{edge.papers}</td><td class="number">{edge.sentences}</td></tr>'
        f'<tr class="evidence"><td colspan="4"><details><summary>Evidence</summary>{evidence}</details></td></tr>'
        "</tbody>"
    )


def probability_meter(probability: float) -> str:
    """A probability as a number and a bar."""
    return (
        f'{probability:.2f} <svg class="meter" viewBox="0 0 50 6" aria-hidden="true">'
        f'<rect width="50" height="6" rx="3" class="track"/>'
        f'<rect width="{50 * probability:.1f}" height="6" rx="3" class="bar"/></svg>'
    )


def _sentence(sentence: Sentence, emphasized_ids: Iterable[str]) -> str:
    return highlight_mentions(sentence.text, sentence.entities, strong=emphasized_ids)


def _chip(interaction: Interaction, target: str | None) -> str:
    first, second = (html_text(entity.text) for entity in interaction.participants)
    description = ", ".join(filter(None, (interaction.relationship.label, *interaction.marks)))
    arrow = interaction.relationship.arrow_symbol(interaction.directed)
    label = f"{first} {arrow} {second} <b>{interaction.probability:.2f}</b>"
    label += f' <span class="type">{html_text(description)}</span>' if description else ""
    body = label if target is None else f'<a href="#{target}">{label}</a>'
    return f'<li data-probability="{interaction.probability:.4f}"{_data_type(interaction.type)}>{body}</li>'


def _data_type(type: str | None) -> str:
    return "" if type is None else f' data-type="{html_text(type)}"'


def _evidence(interaction: Interaction, explain: bool, with_svg: bool) -> str:
    ids = [entity.id for entity in interaction.proteins]
    sentence = highlight_mentions(interaction.sentence, interaction.proteins, strong=ids)
    facts = [html_text(interaction.document), f"probability {interaction.probability:.2f}", *interaction.marks]
    html = f"<blockquote><p>{sentence}</p><footer>{' · '.join(facts)}</footer></blockquote>"
    evidence = interaction.evidence
    if not explain or evidence is None:
        return html
    html += _html_list("reasons", evidence.reasons())
    if with_svg:
        path = evidence.explanation.path
        alt_text = f"Dependency path: {path}" if path else "Dependency graph of the sentence"
        html += svg_image(evidence.path_svg, alt_text)
    return html + _features(evidence, with_svg)


def _features(evidence: Evidence, with_svg: bool) -> str:
    draw_sentence = with_svg and evidence.path_drawing is not None
    lists = svg_image(evidence.svg, "Dependency graph of the whole sentence") if draw_sentence else ""
    for title, contributions in zip(("Speaks for it", "Speaks against it"), evidence.pushes(most=MAX_FEATURES)):
        if contributions:
            items = [
                f"{contribution.value:+.3f} ({100 * contribution.share:.1f} %) {contribution.name}"
                for contribution in contributions
            ]
            lists += f"<h4>{title}</h4>{_html_list('features', items)}"
    title = "Details: the whole sentence, features of the score" if draw_sentence else "Details: features of the score"
    return f'<details class="more"><summary>{title}</summary>{lists}</details>' if lists else ""


def _html_list(name: str, items: Iterable[str]) -> str:
    return f'<ul class="{name}">' + "".join(f"<li>{html_text(item)}</li>" for item in items) + "</ul>"


def _protein(label: str, key: str) -> str:
    return f'<span class="protein" title="{html_text(key)}">{html_text(label)}</span>'


# Who the proteins of a report are: a table of identifiers, species and other names.

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
