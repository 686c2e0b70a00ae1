"""Pieces of pages: highlighted texts, evidence, the table of pairs.  Everything that comes from outside is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from corpora.types import Sentence
from ppi.annotation.markup import highlighted, svg_image, text
from ppi.annotation.pubmed import pubmed_id
from ppi.annotation.types import AnnotatedDocument, Evidence, Interaction
from ppi.network import Edge, Network

#: Features that are listed for an interaction, and as many against it.
MOST_FEATURES = 5


def document_section(each: AnnotatedDocument, link: Callable[[Interaction], str | None]) -> str:
    """A document: its text with highlighted mentions, then what was found in it.

    ``link`` gives the id of the element that an interaction is about, if there is one.
    """
    strong = {entity.id for interaction in each.interactions for entity in interaction.proteins}
    sentences = " ".join(_sentence(sentence, strong) for sentence in each.document.sentences)
    chips = "".join(_chip(interaction, link(interaction)) for interaction in each.interactions)
    found = f'<ul class="chips">{chips}</ul>' if chips else '<p class="quiet">No interaction found.</p>'
    if each.skipped:
        found += f'<p class="note">Sentences too long to be searched: {text(", ".join(each.skipped))}</p>'
    pubmed = pubmed_id(each.document)
    also = f' <span class="quiet">PubMed {pubmed}</span>' if pubmed and pubmed != each.document.id else ""
    return f'<article><h3>{text(each.document.id)}{also}</h3><p class="text">{sentences}</p>{found}</article>'


def pair_rows(edge: Edge, network: Network, id: str, *, explain: bool, with_svg: bool) -> str:
    """A pair as a ``<tbody>``: a row of figures, and one of evidence, with its reasons and its drawing if asked for."""
    first, second = (network.proteins[key] for key in (edge.source, edge.target))
    between = edge.relationship.sign_between(edge.directed)
    names = (
        f"{_protein(first.label, first.key)} <span class='dash'>{between}</span> {_protein(second.label, second.key)}"
    )
    if edge.type is not None:
        names += f' <span class="type">{text(edge.relationship.label)}</span>'
    evidence = "".join(_evidence(interaction, explain, with_svg) for interaction in edge.evidence)
    more = edge.sentences - len(edge.evidence)
    if more > 0:
        evidence += f'<p class="quiet">and {more} more {"sentence" if more == 1 else "sentences"}</p>'
    return (
        f'<tbody id="{id}" class="pair" data-source="{text(edge.source)}" data-target="{text(edge.target)}" '
        f'data-name="{text(f"{first.label} {second.label}".lower())}" data-probability="{edge.probability:.4f}" '
        f'data-papers="{edge.papers}" data-sentences="{edge.sentences}"{_data_type(edge.type)} '
        f'data-between="{between}" data-words="{text(edge.relationship.label)}" data-sign="{text(edge.sign or "")}" '
        f'data-directed="{"true" if edge.directed else "false"}">'
        f'<tr><th scope="row">{names}</th><td class="number">{meter(edge.probability)}</td>'
        f'<td class="number">{edge.papers}</td><td class="number">{edge.sentences}</td></tr>'
        f'<tr class="evidence"><td colspan="4"><details><summary>Evidence</summary>{evidence}</details></td></tr>'
        "</tbody>"
    )


def meter(probability: float) -> str:
    """A probability as a number and a bar."""
    return (
        f'{probability:.2f} <svg class="meter" viewBox="0 0 50 6" aria-hidden="true">'
        f'<rect width="50" height="6" rx="3" class="track"/>'
        f'<rect width="{50 * probability:.1f}" height="6" rx="3" class="bar"/></svg>'
    )


def _sentence(sentence: Sentence, strong: Iterable[str]) -> str:
    return highlighted(sentence.text, sentence.entities, strong=strong)


def _chip(interaction: Interaction, target: str | None) -> str:
    first, second = (text(entity.text) for entity in interaction.participants)
    said = ", ".join(filter(None, (interaction.relationship.label, *interaction.marks)))
    between = interaction.relationship.sign_between(interaction.directed)
    label = f"{first} {between} {second} <b>{interaction.probability:.2f}</b>"
    label += f' <span class="type">{text(said)}</span>' if said else ""
    body = label if target is None else f'<a href="#{target}">{label}</a>'
    return f'<li data-probability="{interaction.probability:.4f}"{_data_type(interaction.type)}>{body}</li>'


def _data_type(type: str | None) -> str:
    return "" if type is None else f' data-type="{text(type)}"'


def _evidence(interaction: Interaction, explain: bool, with_svg: bool) -> str:
    ids = [entity.id for entity in interaction.proteins]
    sentence = highlighted(interaction.sentence, interaction.proteins, strong=ids)
    facts = [text(interaction.document), f"probability {interaction.probability:.2f}", *interaction.marks]
    found = f"<blockquote><p>{sentence}</p><footer>{' · '.join(facts)}</footer></blockquote>"
    evidence = interaction.evidence
    if not explain or evidence is None:
        return found
    found += _list("reasons", evidence.reasons())
    if with_svg:
        path = evidence.explanation.path
        described = f"Dependency path: {path}" if path else "Dependency graph of the sentence"
        found += svg_image(evidence.path_svg, described)
    return found + _features(evidence, with_svg)


def _features(evidence: Evidence, with_svg: bool) -> str:
    whole = with_svg and evidence.path_drawing is not None
    lists = svg_image(evidence.svg, "Dependency graph of the whole sentence") if whole else ""
    for title, pushes in zip(("Speaks for it", "Speaks against it"), evidence.pushes(most=MOST_FEATURES)):
        if pushes:
            items = [f"{push.value:+.3f} ({100 * push.share:.1f} %) {push.name}" for push in pushes]
            lists += f"<h4>{title}</h4>{_list('features', items)}"
    title = "Details: the whole sentence, features of the score" if whole else "Details: features of the score"
    return f'<details class="more"><summary>{title}</summary>{lists}</details>' if lists else ""


def _list(name: str, items: Iterable[str]) -> str:
    return f'<ul class="{name}">' + "".join(f"<li>{text(item)}</li>" for item in items) + "</ul>"


def _protein(label: str, key: str) -> str:
    return f'<span class="protein" title="{text(key)}">{text(label)}</span>'
