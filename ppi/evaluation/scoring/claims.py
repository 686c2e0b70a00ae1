"""Names of types, so that two files that call one thing differently can be compared.

Types are compared in lower case, white space and hyphens as ``_``.  Unless exact names are asked for, what the
event corpora, BioRED and our own outputs distinguish further is one of our three:

============  ==============================================================================================
binding       ``Bind``, ``Binding``, ``Complex_formation``, ``Physical_association``
modification  ``Phosphorylation`` and the other changes of a protein, ``Modification``, ``Protein_modification``,
              ``Catalysis``
regulation    ``Regulation``, ``Positive_regulation``, ``Negative_regulation``, ``Activation``, ``Inactivation``,
              ``Inhibition``
============  ==============================================================================================

Any other name stands for itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpora import (
    BINDING,
    EQUIVALENT,
    MODIFICATION,
    MODIFICATION_KINDS,
    REGULATION,
    SIGNS,
    TRIGGER,
    Document,
    Entity,
    Infons,
    Pair,
    Relation,
    Sentence,
    Span,
    labelled_pairs,
    roles_from_infons,
    with_concept_pairs,
)
from ppi.annotation import Interaction, Relationship
from ppi.grounding import canonicalize_identifier

_COARSE_TYPES = {
    **dict.fromkeys(("bind", "binding", "complex_formation", "physical_association"), BINDING),
    **dict.fromkeys((MODIFICATION, *(name.lower() for name in MODIFICATION_KINDS)), MODIFICATION),
    **dict.fromkeys((REGULATION, "inhibition", *(name.lower() for name in SIGNS)), REGULATION),
}
#: Types that say of neither that it acts on the other, beside the bindings.
SYMMETRIC_TYPES = frozenset({"", "interaction", "ppi", "ppim", "association", "cotreatment", "comparison"})


def normalize_type(raw_type: str | None, *, exact: bool = False) -> str:
    """The type as it is compared; empty where there is none.

    >>> normalize_type("Positive_regulation"), normalize_type("negative regulation"), normalize_type("Bind"), normalize_type("Cotreatment")
    ('regulation', 'regulation', 'binding', 'cotreatment')
    >>> normalize_type("Positive-Regulation", exact=True)
    'positive_regulation'
    """
    name = re.sub(r"[\s\-]+", "_", (raw_type or "").strip().lower())
    return name if exact else _COARSE_TYPES.get(name, name)


def is_symmetric(raw_type: str | None) -> bool:
    """Whether the order of the two says nothing.

    >>> is_symmetric("Binding"), is_symmetric(None), is_symmetric("Phosphorylation")
    (True, True, False)
    """
    name = normalize_type(raw_type)
    return name == BINDING or name in SYMMETRIC_TYPES


# What a file says of two proteins, in one shape, whatever format says it: what scoring compares.
#
# =========================  =========================================================================================
# pairs of mentions          as labelled (True, False, None: not annotated); ``Target`` or ``Theme`` before ``Agent`` or
# ``Cause`` is turned round
# relations of two mentions  of the document, where it has no events; equivalences are none
# events                     what :func:`corpora.labelled_pairs` makes of them, without what is denied
# relations of identifiers   as they are: no mention is known
# interactions of ours       and their other names, each a claim; not what is denied, nor two names of one protein
# =========================  =========================================================================================
#
# The probability of a pair or relation is its remark ``probability``, ``confidence`` or ``score``, or a number from 0 to
# 1 in PubTator's fifth column; denied (remark ``negated``) is not claimed.

_PROBABILITY_INFONS = ("probability", "confidence", "score")
_PATIENT_ROLES, _AGENT_ROLES = frozenset({"Target", "Theme", "Patient"}), frozenset({"Agent", "Cause"})


@dataclass(frozen=True, slots=True)
class Participant:
    """One of the two: where it is mentioned and what it is grounded to, as far as either is known.

    ``spans`` are characters of the document, in order; identifiers are canonical (a bare number is an Entrez gene).
    """

    spans: tuple[Span, ...] = ()
    identifiers: tuple[str, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """That two proteins of a document interact; or, if ``label`` is False, that they do not; None: nobody said.

    ``sentence`` and ``offset`` are the sentence's id and place, for corpora whose sentences all begin at 0.  If it is
    ``directed``, the first acts on the second.  ``projected`` is what a relation between identifiers is taken to mean
    for mentions; it is claimed of these identifiers already, and of no others that the mentions have.
    """

    document: str
    participants: tuple[Participant, Participant]
    label: bool | None = True
    type: str | None = None
    directed: bool = False
    probability: float | None = None
    sentence: str | None = None
    offset: int = 0
    projected: bool = False


def claims_of_document(document: Document) -> Iterator[Claim]:
    """Everything that a document of any format claims."""
    for sentence in document.sentences:
        entities = {entity.id: entity for entity in sentence.entities}
        for pair in sentence.pairs:
            if not _is_negated(pair.infons):
                yield _claim_of_pair(document.id, sentence, pair, (entities[pair.e1], entities[pair.e2]))
    if document.events:
        yield from _claims_of_events(document)
    else:
        yield from _claims_of_relations(document)
    for concepts in document.concept_relations:
        if not _is_negated(concepts.infons):
            participants = (
                Participant(identifiers=_canonical((concepts.first,))),
                Participant(identifiers=_canonical((concepts.second,))),
            )
            directed = not is_symmetric(concepts.type)
            probability = _probability(concepts.infons)
            yield Claim(document.id, participants, True, concepts.type or None, directed, probability)


def project_claims(document: Document) -> Iterator[Claim]:
    """What relations between identifiers mean for the mentions of each sentence (:mod:`corpora.distant_supervision`)."""
    annotated_ids = {pair.id for sentence in document.sentences for pair in sentence.pairs}
    for sentence in with_concept_pairs(document).sentences:
        entities = {entity.id: replace(entity, identifiers=()) for entity in sentence.entities}
        for pair in sentence.pairs:
            if pair.id not in annotated_ids and not _is_negated(pair.infons):
                claim = _claim_of_pair(document.id, sentence, pair, (entities[pair.e1], entities[pair.e2]))
                yield replace(claim, projected=True)


def claims_of_interaction(interaction: Interaction) -> Iterator[Claim]:
    """What an interaction claims, under each of its names; nothing, if it is denied or about one protein."""
    if interaction.negated or interaction.same:
        return
    label = interaction.relationship.label or None
    sentence = (interaction.sentence_id, interaction.offset)
    participants = [make_participant(entity, interaction.offset) for entity in interaction.participants]
    yield Claim(
        interaction.document,
        (participants[0], participants[1]),
        True,
        label,
        interaction.directed,
        interaction.probability,
        *sentence,
    )
    is_reversed = interaction.participants != interaction.proteins
    for alias in interaction.aliases:  # in the order of ``proteins``
        first, second = (make_participant(entity, interaction.offset) for entity in alias.proteins)
        alias_participants = (second, first) if is_reversed else (first, second)
        yield Claim(
            interaction.document, alias_participants, True, label, interaction.directed, alias.probability, *sentence
        )


def make_participant(entity: Entity, offset: int) -> Participant:
    """A mention, by its place in the document."""
    spans = tuple(sorted((offset + start, offset + end) for start, end in entity.spans))
    return Participant(spans, _canonical(entity.identifiers), entity.text)


def _claim_of_pair(document: str, sentence: Sentence, pair: Pair, entities: tuple[Entity, Entity]) -> Claim:
    roles, _ = roles_from_infons(pair.infons)
    first, second = _agent_first(
        roles, (make_participant(entities[0], sentence.offset), make_participant(entities[1], sentence.offset))
    )
    directed = not is_symmetric(pair.type) or not _AGENT_ROLES.isdisjoint(roles)
    return Claim(
        document,
        (first, second),
        pair.label,
        pair.type,
        directed,
        _probability(pair.infons),
        sentence.id,
        sentence.offset,
    )


def _claims_of_relations(document: Document) -> Iterator[Claim]:
    """Relations that cross sentences, where the file was split into some."""
    if not document.relations:
        return
    entity_sentences = {
        entity.id: (entity, sentence) for sentence in document.sentences for entity in sentence.entities
    }
    for relation in document.relations:
        if _is_binary(relation) and all(reference in entity_sentences for _, reference in relation.arguments):
            (role1, e1), (role2, e2) = relation.arguments
            participants = (
                make_participant(entity_sentences[e1][0], entity_sentences[e1][1].offset),
                make_participant(entity_sentences[e2][0], entity_sentences[e2][1].offset),
            )
            directed = not is_symmetric(relation.type)
            yield Claim(
                document.id,
                _agent_first((role1, role2), participants),
                True,
                relation.type or None,
                directed,
                _probability(relation.infons),
            )


def _claims_of_events(document: Document) -> Iterator[Claim]:
    for sentence, labels in labelled_pairs(document):
        entities = {entity.id: entity for entity in sentence.entities}
        for label in labels:
            for statement in label.statements:
                if statement.negated:
                    continue
                first, second = (
                    (label.e1, label.e2) if statement.agent is None else (statement.agent, str(statement.target))
                )
                participants = (
                    make_participant(entities[first], sentence.offset),
                    make_participant(entities[second], sentence.offset),
                )
                type = Relationship(statement.type, statement.sign, statement.kind).label
                yield Claim(
                    document.id,
                    participants,
                    True,
                    type,
                    statement.agent is not None,
                    None,
                    sentence.id,
                    sentence.offset,
                )


def _is_binary(relation: Relation) -> bool:
    roles = [role for role, _ in relation.arguments]
    return len(roles) == 2 and TRIGGER not in roles and roles != [EQUIVALENT] * 2 and not _is_negated(relation.infons)


def _agent_first(
    roles: tuple[str, str], participants: tuple[Participant, Participant]
) -> tuple[Participant, Participant]:
    is_reversed = roles[0] in _PATIENT_ROLES or (roles[1] in _AGENT_ROLES and roles[0] not in _AGENT_ROLES)
    return (participants[1], participants[0]) if is_reversed else participants


def _canonical(identifiers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(canonicalize_identifier(identifier, "Gene") for identifier in identifiers))


def _is_negated(infons: Infons) -> bool:
    return any(name == "negated" and value.lower() == "true" for name, value in infons)


def _probability(infons: Infons) -> float | None:
    infon_values = dict(reversed(infons))
    for name in _PROBABILITY_INFONS:
        if (value := _number(infon_values.get(name))) is not None:
            return value
    # PubTator's fifth column, where we and others put it
    value = _number(infon_values.get("novelty"))
    return value if value is not None and 0 <= value <= 1 else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None
