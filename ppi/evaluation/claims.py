"""What a file says of two proteins, in one shape, whatever format says it: what scoring compares.

=========================  =========================================================================================
pairs of mentions          as labelled (True, False, None: not annotated); ``Target`` or ``Theme`` before ``Agent`` or
                           ``Cause`` is turned round
relations of two mentions  of the document, where it has no events; equivalences are none
events                     what :func:`corpora.labelled_pairs` makes of them, without what is denied
relations of identifiers   as they are: no mention is known
interactions of ours       and their other names, each a claim; not what is denied, nor two names of one protein
=========================  =========================================================================================

The probability of a pair or relation is its remark ``probability``, ``confidence`` or ``score``, or a number from 0 to
1 in PubTator's fifth column; denied (remark ``negated``) is not claimed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpora.concepts import with_concept_pairs
from corpora.formats.brat_writer import EQUIVALENT, TRIGGER
from corpora.formats.standoff import roles_from_infons
from corpora.interactions import labelled_pairs
from corpora.types import Document, Entity, Infons, Pair, Relation, Sentence, Span
from ppi.annotation.relationship import Relationship
from ppi.annotation.types import Interaction
from ppi.evaluation.claim_types import is_symmetric
from ppi.grounding.identity import canonical

_PROBABILITIES = ("probability", "confidence", "score")
_ACTED_ON, _ACTING = frozenset({"Target", "Theme", "Patient"}), frozenset({"Agent", "Cause"})


@dataclass(frozen=True, slots=True)
class End:
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
    ends: tuple[End, End]
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
            if not _is_denied(pair.infons):
                yield _of_pair(document.id, sentence, pair, (entities[pair.e1], entities[pair.e2]))
    if document.events:
        yield from _of_events(document)
    else:
        yield from _of_relations(document)
    for concepts in document.concept_relations:
        if not _is_denied(concepts.infons):
            ends = (End(identifiers=_canonical((concepts.first,))), End(identifiers=_canonical((concepts.second,))))
            directed = not is_symmetric(concepts.type)
            probability = _probability(concepts.infons)
            yield Claim(document.id, ends, True, concepts.type or None, directed, probability)


def projected_claims(document: Document) -> Iterator[Claim]:
    """What relations between identifiers mean for the mentions of each sentence (:mod:`corpora.concepts`)."""
    given = {pair.id for sentence in document.sentences for pair in sentence.pairs}
    for sentence in with_concept_pairs(document).sentences:
        entities = {entity.id: replace(entity, identifiers=()) for entity in sentence.entities}
        for pair in sentence.pairs:
            if pair.id not in given and not _is_denied(pair.infons):
                claim = _of_pair(document.id, sentence, pair, (entities[pair.e1], entities[pair.e2]))
                yield replace(claim, projected=True)


def claims_of_interaction(interaction: Interaction) -> Iterator[Claim]:
    """What an interaction claims, under each of its names; nothing, if it is denied or about one protein."""
    if interaction.negated or interaction.same:
        return
    label = interaction.relationship.label or None
    sentence = (interaction.sentence_id, interaction.offset)
    ends = [end_of(entity, interaction.offset) for entity in interaction.participants]
    yield Claim(
        interaction.document, (ends[0], ends[1]), True, label, interaction.directed, interaction.probability, *sentence
    )
    turned = interaction.participants != interaction.proteins
    for alias in interaction.aliases:  # in the order of ``proteins``
        first, second = (end_of(entity, interaction.offset) for entity in alias.proteins)
        other = (second, first) if turned else (first, second)
        yield Claim(interaction.document, other, True, label, interaction.directed, alias.probability, *sentence)


def end_of(entity: Entity, offset: int) -> End:
    """A mention, by its place in the document."""
    spans = tuple(sorted((offset + start, offset + end) for start, end in entity.spans))
    return End(spans, _canonical(entity.identifiers), entity.text)


def _of_pair(document: str, sentence: Sentence, pair: Pair, entities: tuple[Entity, Entity]) -> Claim:
    roles, _ = roles_from_infons(pair.infons)
    first, second = _in_order(roles, (end_of(entities[0], sentence.offset), end_of(entities[1], sentence.offset)))
    directed = not is_symmetric(pair.type) or not _ACTING.isdisjoint(roles)
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


def _of_relations(document: Document) -> Iterator[Claim]:
    """Relations that cross sentences, where the file was split into some."""
    if not document.relations:
        return
    homes = {entity.id: (entity, each) for each in document.sentences for entity in each.entities}
    for relation in document.relations:
        if _joins_two(relation) and all(reference in homes for _, reference in relation.arguments):
            (role1, e1), (role2, e2) = relation.arguments
            ends = (end_of(homes[e1][0], homes[e1][1].offset), end_of(homes[e2][0], homes[e2][1].offset))
            directed = not is_symmetric(relation.type)
            yield Claim(
                document.id,
                _in_order((role1, role2), ends),
                True,
                relation.type or None,
                directed,
                _probability(relation.infons),
            )


def _of_events(document: Document) -> Iterator[Claim]:
    for sentence, labels in labelled_pairs(document):
        entities = {entity.id: entity for entity in sentence.entities}
        for label in labels:
            for each in label.statements:
                if each.negated:
                    continue
                first, second = (label.e1, label.e2) if each.agent is None else (each.agent, str(each.target))
                ends = (end_of(entities[first], sentence.offset), end_of(entities[second], sentence.offset))
                type = Relationship(each.type, each.sign, each.kind).label
                yield Claim(document.id, ends, True, type, each.agent is not None, None, sentence.id, sentence.offset)


def _joins_two(relation: Relation) -> bool:
    roles = [role for role, _ in relation.arguments]
    return len(roles) == 2 and TRIGGER not in roles and roles != [EQUIVALENT] * 2 and not _is_denied(relation.infons)


def _in_order(roles: tuple[str, str], ends: tuple[End, End]) -> tuple[End, End]:
    turned = roles[0] in _ACTED_ON or (roles[1] in _ACTING and roles[0] not in _ACTING)
    return (ends[1], ends[0]) if turned else ends


def _canonical(identifiers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(canonical(identifier, "Gene") for identifier in identifiers))


def _is_denied(infons: Infons) -> bool:
    return any(name == "negated" and value.lower() == "true" for name, value in infons)


def _probability(infons: Infons) -> float | None:
    found = dict(reversed(infons))
    for name in _PROBABILITIES:
        if (value := _number(found.get(name))) is not None:
            return value
    # PubTator's fifth column, where we and others put it
    value = _number(found.get("novelty"))
    return value if value is not None and 0 <= value <= 1 else None


def _number(written: str | None) -> float | None:
    try:
        value = float(written or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None
