"""An interaction as one row of a table: what CSV, Parquet and frames of pandas share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from corpora.types import Entity, Infons, Span
from ppi.annotation.pubmed import pubmed_id, year_of
from ppi.annotation.relationship import Relationship
from ppi.annotation.types import Alias, AnnotatedDocument, Interaction
from ppi.grounding.species_names import latin_name


class ProteinInfo(NamedTuple):
    """What the lexicon knows of the protein that a mention names; None for what it does not know."""

    symbol: str | None
    taxid: str | None
    species: str | None
    #: gene, family or complex
    entity_kind: str | None
    uniprot: str | None


@dataclass(frozen=True, slots=True)
class RowMention:
    """One of the two proteins; spans count characters of the document."""

    name: str
    start: int
    end: int
    spans: tuple[Span, ...]
    type: str | None
    identifiers: tuple[str, ...]
    grounding: str | None
    id: str
    infons: Infons
    protein_info: ProteinInfo


@dataclass(frozen=True, slots=True)
class InteractionRow:
    """An interaction with everything that a table shows of it."""

    document: str
    pubmed: str | None
    sentence_id: str
    pair: str
    first: RowMention
    second: RowMention
    probability: float
    score: float
    sentence: str
    path: str | None
    offset: int
    #: type, sign and kind
    relationship: Relationship
    #: which of the two acts and which is acted on, 1 or 2; None without direction
    agent: int | None
    target: int | None
    negated: bool
    hedged: bool
    #: by type
    types: Mapping[str, float]
    #: what else the two are called where the sentence says the same of them
    aliases_1: tuple[str, ...]
    aliases_2: tuple[str, ...]
    #: one protein twice; a protein that the text says interacts with itself
    same: bool
    homo: bool
    #: the pairs that the aliases are of
    aliases: tuple[Alias, ...]
    #: of the paper, where known
    year: int | None = None


def interaction_rows(annotated: Iterable[AnnotatedDocument]) -> Iterator[InteractionRow]:
    """A row for each interaction, in order."""
    for annotated_document in annotated:
        pubmed, year = pubmed_id(annotated_document.document), year_of(annotated_document.document)
        for interaction in annotated_document.interactions:
            yield interaction_row(interaction, pubmed, year)


def interaction_row(interaction: Interaction, pubmed: str | None, year: int | None = None) -> InteractionRow:
    """The row of one interaction."""
    first, second = (_mention(entity, interaction.offset) for entity in interaction.proteins)
    agent, target = _roles(interaction)
    return InteractionRow(
        interaction.document,
        pubmed,
        interaction.sentence_id,
        interaction.pair,
        first,
        second,
        interaction.probability,
        interaction.score,
        interaction.sentence,
        None if interaction.evidence is None else interaction.evidence.explanation.path,
        interaction.offset,
        interaction.relationship,
        agent,
        target,
        interaction.negated,
        interaction.hedged,
        interaction.types,
        interaction.other_names(0),
        interaction.other_names(1),
        interaction.same,
        interaction.homo,
        interaction.aliases,
        year,
    )


def _roles(interaction: Interaction) -> tuple[int | None, int | None]:
    """Which of the two acts and which is acted on; of one mention twice, the first on the second."""
    if not interaction.directed:
        return None, None
    return (1, 2) if interaction.agent == interaction.proteins[0].id else (2, 1)


def first_infon(entity: Entity, name: str) -> str | None:
    """The first remark of that name."""
    return next((value for key, value in entity.infons if key == name), None)


def protein_info(entity: Entity) -> ProteinInfo:
    """What is known of the protein; its species in Latin, where the number of the species has a name here.

    The species is that of the gene or, of a mention that stays ambiguous or unknown, the one that the text tells.
    """
    taxid = first_infon(entity, "taxid") or first_infon(entity, "species")
    return ProteinInfo(
        first_infon(entity, "symbol"),
        taxid,
        latin_name(taxid),
        first_infon(entity, "entity_kind"),
        first_infon(entity, "uniprot"),
    )


def _mention(entity: Entity, offset: int) -> RowMention:
    return RowMention(
        entity.text,
        offset + entity.start,
        offset + entity.end,
        tuple((offset + start, offset + end) for start, end in entity.spans),
        entity.type,
        entity.identifiers,
        first_infon(entity, "grounding"),
        entity.id,
        entity.infons,
        protein_info(entity),
    )
