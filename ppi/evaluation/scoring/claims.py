"""Claims: what a file states about two proteins, in one shape for every format, so that files can be compared.

=========================  =========================================================================================
pairs of mentions          as labelled (True, False, None: not annotated); ``Target`` or ``Theme`` before ``Agent`` or
                           ``Cause`` is turned round
relations of two mentions  of the document, where it has no events; equivalences are none
events                     what :func:`corpora.labelled_pairs` makes of them, without what is denied
relations of identifiers   as they are: no mention is known
interactions of ours       and their other names, each a claim; not what is denied, nor two names of one protein
=========================  =========================================================================================

The probability of a pair or relation is its remark ``probability``, ``confidence`` or ``score``, or a number from 0 to
1 in PubTator's fifth column; what is denied (remark ``negated``) is not claimed.

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
from collections.abc import Iterable, Iterator
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
#: Types without a direction, beside the bindings.
SYMMETRIC_TYPES = frozenset({"", "interaction", "ppi", "ppim", "association", "cotreatment", "comparison"})
_PROBABILITY_INFONS = ("probability", "confidence", "score")
_PATIENT_ROLES, _AGENT_ROLES = frozenset({"Target", "Theme", "Patient"}), frozenset({"Agent", "Cause"})


def normalize_type(raw_type: str | None, *, exact: bool = False) -> str:
    """The type as it is compared; empty where there is none.

    >>> [normalize_type(name) for name in ("Positive_regulation", "negative regulation", "Bind", "Cotreatment")]
    ['regulation', 'regulation', 'binding', 'cotreatment']
    >>> normalize_type("Positive-Regulation", exact=True)
    'positive_regulation'
    """
    name = re.sub(r"[\s\-]+", "_", (raw_type or "").strip().lower())
    return name if exact else _COARSE_TYPES.get(name, name)


def is_symmetric(raw_type: str | None) -> bool:
    """Whether the order of the two has no meaning.

    >>> is_symmetric("Binding"), is_symmetric(None), is_symmetric("Phosphorylation")
    (True, True, False)
    """
    name = normalize_type(raw_type)
    return name == BINDING or name in SYMMETRIC_TYPES


@dataclass(frozen=True, slots=True)
class Participant:
    """One of the two proteins: where it is mentioned and what it is grounded to, as far as either is known.

    ``spans`` are characters of the document, in order; identifiers are canonical (a bare number is an Entrez gene).
    """

    spans: tuple[Span, ...] = ()
    identifiers: tuple[str, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """That two proteins of a document interact; if ``label`` is False, that they do not; None: it is not annotated.

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
        participants = _participants_by_id([sentence]) if sentence.pairs else {}
        for pair in sentence.pairs:
            if not _is_negated(pair.infons):
                yield _claim_of_pair(document.id, sentence, pair, (participants[pair.e1], participants[pair.e2]))
    yield from _claims_of_events(document) if document.events else _claims_of_relations(document)
    for concepts in document.concept_relations:
        if not _is_negated(concepts.infons):
            first, second = (
                Participant(identifiers=canonical_identifiers([identifier]))
                for identifier in (concepts.first, concepts.second)
            )
            directed = not is_symmetric(concepts.type)
            probability = _probability(concepts.infons)
            yield Claim(document.id, (first, second), True, concepts.type or None, directed, probability)


def project_claims(document: Document) -> Iterator[Claim]:
    """Relations between identifiers as claims of each sentence's mentions (:func:`corpora.with_concept_pairs`)."""
    annotated_ids = {pair.id for sentence in document.sentences for pair in sentence.pairs}
    for sentence in with_concept_pairs(document).sentences:
        participants = _participants_by_id([sentence]) if sentence.pairs else {}
        for pair in sentence.pairs:
            if pair.id not in annotated_ids and not _is_negated(pair.infons):
                first, second = (replace(participants[id], identifiers=()) for id in (pair.e1, pair.e2))
                yield replace(_claim_of_pair(document.id, sentence, pair, (first, second)), projected=True)


def claims_of_interaction(interaction: Interaction) -> Iterator[Claim]:
    """What an interaction claims, under each of its names; nothing, if it is denied or about one protein."""
    if interaction.negated or interaction.same:
        return
    step = 1 if interaction.participants == interaction.proteins else -1  # names of aliases are in this order
    for entities, probability in (
        (interaction.participants, interaction.probability),
        *((alias.proteins[::step], alias.probability) for alias in interaction.aliases),
    ):
        first, second = (_make_participant(entity, interaction.offset) for entity in entities)
        yield Claim(
            interaction.document,
            (first, second),
            True,
            interaction.relationship.label or None,
            interaction.directed,
            probability,
            interaction.sentence_id,
            interaction.offset,
        )


def canonical_identifiers(identifiers: Iterable[str]) -> tuple[str, ...]:
    """The different canonical forms of identifiers, in order; a bare number is an Entrez gene."""
    return tuple(dict.fromkeys(canonicalize_identifier(identifier, "Gene") for identifier in identifiers))


def finite_number(text: str | None) -> float | None:
    """The number that a text holds; None where it holds none."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _make_participant(entity: Entity, offset: int) -> Participant:
    """A mention, by its place in the document."""
    spans = tuple(sorted((offset + start, offset + end) for start, end in entity.spans))
    return Participant(spans, canonical_identifiers(entity.identifiers), entity.text)


def _participants_by_id(sentences: Iterable[Sentence]) -> dict[str, Participant]:
    return {
        entity.id: _make_participant(entity, sentence.offset) for sentence in sentences for entity in sentence.entities
    }


def _claim_of_pair(
    document: str, sentence: Sentence, pair: Pair, participants: tuple[Participant, Participant]
) -> Claim:
    roles, _ = roles_from_infons(pair.infons)
    return Claim(
        document,
        _agent_first(roles, participants),
        pair.label,
        pair.type,
        not is_symmetric(pair.type) or not _AGENT_ROLES.isdisjoint(roles),
        _probability(pair.infons),
        sentence.id,
        sentence.offset,
    )


def _claims_of_relations(document: Document) -> Iterator[Claim]:
    """Relations of two mentions, which may be in two sentences where the file was split into some."""
    participants = _participants_by_id(document.sentences) if document.relations else {}
    for relation in document.relations:
        roles = [role for role, _ in relation.arguments]
        if (
            len(roles) == 2
            and TRIGGER not in roles
            and roles != [EQUIVALENT] * 2
            and not _is_negated(relation.infons)
            and all(reference in participants for _, reference in relation.arguments)
        ):
            (role1, e1), (role2, e2) = relation.arguments
            yield Claim(
                document.id,
                _agent_first((role1, role2), (participants[e1], participants[e2])),
                True,
                relation.type or None,
                not is_symmetric(relation.type),
                _probability(relation.infons),
            )


def _claims_of_events(document: Document) -> Iterator[Claim]:
    for sentence, labels in labelled_pairs(document):
        participants = _participants_by_id([sentence])
        for label in labels:
            for statement in label.statements:
                if statement.negated:
                    continue
                first, second = label.e1, label.e2
                if statement.agent is not None:
                    first, second = statement.agent, str(statement.target)
                yield Claim(
                    document.id,
                    (participants[first], participants[second]),
                    type=Relationship(statement.type, statement.sign, statement.kind).label,
                    directed=statement.agent is not None,
                    sentence=sentence.id,
                    offset=sentence.offset,
                )


def _agent_first(
    roles: tuple[str, str], participants: tuple[Participant, Participant]
) -> tuple[Participant, Participant]:
    is_reversed = roles[0] in _PATIENT_ROLES or (roles[1] in _AGENT_ROLES and roles[0] not in _AGENT_ROLES)
    return (participants[1], participants[0]) if is_reversed else participants


def _is_negated(infons: Infons) -> bool:
    return any(name == "negated" and value.lower() == "true" for name, value in infons)


def _probability(infons: Infons) -> float | None:
    infon_values = dict(reversed(infons))
    for name in _PROBABILITY_INFONS:
        if (value := finite_number(infon_values.get(name))) is not None:
            return value
    # PubTator's fifth column, where we and others put it
    value = finite_number(infon_values.get("novelty"))
    return value if value is not None and 0 <= value <= 1 else None
