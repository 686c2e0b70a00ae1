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
Two = frozenset[str]
_EQUIVALENCE = "equiv"


@dataclass
class Related:
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

    names: set[str]
    mentions: dict[Two, list[str]] = field(default_factory=lambda: defaultdict(list))
    concepts: tuple[ConceptRelation, ...] = ()
    equivalent: set[Two] = field(default_factory=set)
    other: int = 0

    @property
    def identifiers(self) -> frozenset[Two]:
        """The pairs of identifiers that are related."""
        return frozenset(frozenset((each.first, each.second)) for each in self.concepts)


def related(document: Document, types: Collection[str] | None = None) -> Related:
    """What the document's relations of these types (None: of any) join; pairs of sentences are not among them."""
    entities = {entity.id: entity for sentence in document.sentences for entity in sentence.entities}
    triggers = {id for relation in document.relations for role, id in relation.arguments if role == TRIGGER}
    found = Related({id for id, each in entities.items() if id not in triggers and is_protein_type(each.type)})
    for relation in document.relations:
        joined = [frozenset(two) for two in _joined(relation)]
        if relation.type.lower().startswith(_EQUIVALENCE):
            found.equivalent.update(joined)
        elif types is None or relation.type in types:
            of_names = [two for two in joined if len(two) == 2 and two <= found.names]
            for two in of_names:
                found.mentions[two].append(relation.type)
            found.other += not of_names
    known = {identifier for id in found.names for identifier in entities[id].identifiers}
    wanted = [each for each in document.concept_relations if types is None or each.type in types]
    found.concepts = tuple(each for each in wanted if {each.first, each.second} <= known and each.first != each.second)
    found.other += len(wanted) - len(found.concepts)
    return found


def are_different(first: Entity, second: Entity) -> bool:
    """Whether both mentions have identifiers, and none in common."""
    pairs = list(identifier_pairs(first, second))
    return bool(pairs) and all(len(two) == 2 for two in pairs)


def identifier_pairs(first: Entity, second: Entity) -> Iterator[Two]:
    """Every identifier of one mention with every one of the other."""
    return (frozenset(two) for two in product(first.identifiers, second.identifiers))


def _joined(relation: Relation) -> Iterator[tuple[str, str]]:
    arguments = [argument for argument in relation.arguments if argument[0] != TRIGGER]
    one_role = len({role for role, _ in arguments}) == 1
    for (role1, first), (role2, second) in combinations(arguments, 2):
        if one_role or role1 != role2:
            yield first, second
