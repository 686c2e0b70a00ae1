"""From relations between identifiers to pairs of mentions.

A :class:`~corpora.types.ConceptRelation` says that two identifiers are related somewhere in a document, not where.
What follows for its sentences is an assumption (distant supervision), and here is the one that we make:

* every two mentions of a sentence of which one carries the first identifier and the other the second are a positive
  pair; if that holds in several sentences, or for several mentions in one, all of these pairs are positive;
* a mention that carries several identifiers (``60;71``) counts for each of them;
* the pair's first mention carries the relation's first identifier, so that the order keeps the direction; where both
  mentions carry both, the one that comes first in the sentence does;
* a mention is not paired with itself, so one that carries both identifiers alone gives nothing; neither does a relation
  of an identifier with itself, because two mentions of one protein are no interaction;
* identifiers that no two mentions of a sentence carry give nothing.

A source that is not split into sentences has whole passages as its sentences: split it first, or mentions that
are far apart become pairs.  What the assumption costs can be measured by scoring identifiers of documents instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from corpora.formats.common import FreeIds, roles_as_infons
from corpora.types import ConceptRelation, Document, Entity, Pair, Sentence


def with_concept_pairs(document: Document) -> Document:
    """The document with a positive pair for every two mentions that a relation between identifiers joins.

    The relation's type and remarks are the pair's, its id is the relation's followed by a number (``R1.1``).  Two
    mentions that are a pair already get no other one of the same type, whatever the label is; the relations stay.

    Examples
    --------
    >>> from corpora import ConceptRelation, Document, Entity, Sentence
    >>> entities = (Entity("T1", "A", ((0, 1),), identifiers=("1", "7")),
    ...             Entity("T2", "B", ((8, 9),), identifiers=("2",)))
    >>> document = Document("d", (Sentence("s", "A binds B", entities),),
    ...                     concept_relations=(ConceptRelation("R1", "Bind", "2", "1"),))
    >>> with_concept_pairs(document).sentences[0].pairs
    (Pair(id='R1.1', e1='T2', e2='T1', label=True, type='Bind', infons=()),)
    """
    if not document.concept_relations:
        return document
    free_ids = FreeIds(pair.id for sentence in document.sentences for pair in sentence.pairs)
    sentences = tuple(
        replace(sentence, pairs=(*sentence.pairs, *_project_relations(sentence, document.concept_relations, free_ids)))
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)


def _project_relations(sentence: Sentence, relations: tuple[ConceptRelation, ...], free_ids: FreeIds) -> Iterator[Pair]:
    mentions_by_identifier: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in sorted(sentence.entities, key=lambda mention: (mention.start, mention.end)):
        for identifier in dict.fromkeys(entity.identifiers):
            mentions_by_identifier[identifier].append(entity)
    seen = {(frozenset((pair.e1, pair.e2)), pair.type) for pair in sentence.pairs}
    for relation in relations:
        if relation.first == relation.second:
            continue
        # in the order of the text, so that of two mentions that carry both identifiers the earlier one is the first
        for mention1, mention2 in product(
            mentions_by_identifier.get(relation.first, ()), mentions_by_identifier.get(relation.second, ())
        ):
            key = (frozenset((mention1.id, mention2.id)), relation.type or None)
            if mention1.id != mention2.id and key not in seen:
                seen.add(key)
                yield Pair(
                    free_ids.new(f"{relation.id}."),
                    mention1.id,
                    mention2.id,
                    True,
                    relation.type or None,
                    relation.infons,
                )


def separate_concept_relations(document: Document) -> Document:
    """The document with relations of two identifiers where they belong.

    JSON lines that were written before there were ConceptRelations have them among the relations.
    """
    mentions = {entity.id for sentence in document.sentences for entity in sentence.entities}
    kept, moved = [], list(document.concept_relations)
    for relation in document.relations:
        if len(relation.arguments) == 2 and not any(reference in mentions for _, reference in relation.arguments):
            (role1, first), (role2, second) = relation.arguments
            infons = (*roles_as_infons((role1, role2)), *relation.infons)
            moved.append(ConceptRelation(relation.id, relation.type, first, second, infons))
        else:
            kept.append(relation)
    if len(kept) == len(document.relations):
        return document
    return replace(document, relations=tuple(kept), concept_relations=tuple(moved))
