"""What the relations of a document join: two mentions, or two identifiers that several mentions may have.

* A relation joins every two of its arguments that have different roles; if all have one role, every two.
* A trigger takes no part.  Relations of equivalence (``Equiv``) say that two mentions name one thing: these are no
  pair at all.
* Identifiers count that a name of the document carries; one that is related to itself is no pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

from corpora.formats.brat_writer import TRIGGER
from corpora.types import ConceptRelation, Document, Entity, Relation
from ppi.pipeline.kinds import is_protein_type

#: Two mentions, or two identifiers, in no order.
IdPair = frozenset[str]
_EQUIVALENCE = "equiv"


@dataclass
class RelationPairs:
    """The relations of one document between genes or proteins.

    Attributes
    ----------
    names : set of str
        Ids of the entities that are taken for genes or proteins.
    mentions : dict
        The types of the relations between two mentions.
    concepts : tuple of ConceptRelation
        The relations between two identifiers.
    equivalent : set
        Mentions that name one thing.
    other : int
        Relations that join something else than two different genes or proteins.
    """

    protein_ids: set[str]
    mentions: dict[IdPair, list[str]] = field(default_factory=lambda: defaultdict(list))
    concepts: tuple[ConceptRelation, ...] = ()
    equivalent: set[IdPair] = field(default_factory=set)
    n_other: int = 0

    @property
    def identifiers(self) -> frozenset[IdPair]:
        """The pairs of identifiers that are related."""
        return frozenset(frozenset((relation.first, relation.second)) for relation in self.concepts)


def relation_pairs(document: Document, types: Collection[str] | None = None) -> RelationPairs:
    """What the document's relations of these types (None: of any) join; pairs of sentences are not among them."""
    entities = {entity.id: entity for sentence in document.sentences for entity in sentence.entities}
    triggers = {id for relation in document.relations for role, id in relation.arguments if role == TRIGGER}
    pairs = RelationPairs(
        {id for id, entity in entities.items() if id not in triggers and is_protein_type(entity.type)}
    )
    for relation in document.relations:
        joined_ids = [frozenset(id_pair) for id_pair in _argument_pairs(relation)]
        if relation.type.lower().startswith(_EQUIVALENCE):
            pairs.equivalent.update(joined_ids)
        elif types is None or relation.type in types:
            protein_pairs = [id_pair for id_pair in joined_ids if len(id_pair) == 2 and id_pair <= pairs.protein_ids]
            for id_pair in protein_pairs:
                pairs.mentions[id_pair].append(relation.type)
            pairs.n_other += not protein_pairs
    identifiers = {identifier for id in pairs.protein_ids for identifier in entities[id].identifiers}
    requested = [concept for concept in document.concept_relations if types is None or concept.type in types]
    pairs.concepts = tuple(
        concept
        for concept in requested
        if {concept.first, concept.second} <= identifiers and concept.first != concept.second
    )
    pairs.n_other += len(requested) - len(pairs.concepts)
    return pairs


def are_different(first: Entity, second: Entity) -> bool:
    """Whether both mentions have identifiers, and none in common."""
    pairs = list(identifier_pairs(first, second))
    return bool(pairs) and all(len(id_pair) == 2 for id_pair in pairs)


def identifier_pairs(first: Entity, second: Entity) -> Iterator[IdPair]:
    """Every identifier of one mention with every one of the other."""
    return (frozenset(id_pair) for id_pair in product(first.identifiers, second.identifiers))


def _argument_pairs(relation: Relation) -> Iterator[tuple[str, str]]:
    arguments = [argument for argument in relation.arguments if argument[0] != TRIGGER]
    has_one_role = len({role for role, _ in arguments}) == 1
    for (role1, first), (role2, second) in combinations(arguments, 2):
        if has_one_role or role1 != role2:
            yield first, second
