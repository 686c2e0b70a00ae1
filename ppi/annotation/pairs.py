"""Which mentions are proteins, and which two of them make a candidate.

* Of the names that the shipped pipeline finds, those of the asked kinds are paired: genes and proteins, and families
  and complexes too if that is asked for.
* Given entities of a type that says something else (chemical, disease, species, mutation, cell ...) stay in the
  document but are neither paired nor blinded.  An unknown type, or none, is taken as a protein: corpora write roles
  (``agent``) and identifiers there.
* Two mentions of one protein (:func:`ppi.grounding.identity.same_protein`), or of a class and who belongs to it
  (:mod:`ppi.annotation.apposition`), are no candidate, unless that is asked for.
  A protein that interacts with itself is found by other means (:mod:`ppi.annotation.self_statements`).
* Two mentions of exactly the same characters are one mention twice and no pair; mentions that overlap otherwise
  (one name inside another) are a pair like any other, as in the corpora.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from corpora.types import Entity, Pair, Sentence
from ppi.annotation.apposition import one_phrase
from ppi.errors import UsageError
from ppi.grounding.identity import identity
from ppi.pipeline.kinds import FAMILY, KINDS, PROTEIN, is_other_type

#: What can be paired, by the names of options; the first alone unless more is asked for.
PAIRABLE = {"protein": PROTEIN, "family": FAMILY}
PAIRED = ("protein",)


def checked_kinds(kinds: Collection[str]) -> tuple[str, ...]:
    """Kinds of names to be paired, each once and in the usual order.

    Raises
    ------
    UsageError
        If one of them cannot be paired, or there is none.
    """
    if isinstance(kinds, str) or not isinstance(kinds, Collection) or not kinds or set(kinds) - PAIRABLE.keys():
        got = f"the text {kinds!r}; give a list" if isinstance(kinds, str) else repr(kinds)
        raise UsageError(f"expected kinds of names to pair, among {tuple(PAIRABLE)}, got {got}")
    return tuple(kind for kind in PAIRABLE if kind in kinds)


def is_protein(entity: Entity, kinds: Collection[str] = PAIRED) -> bool:
    """Whether a mention is to be paired: of these kinds, or of a type that does not say that it is something else.

    >>> types = ["Gene", None, "protein", "Chemical", "ProteinMutation", "cell_line", "PROTEIN", "FAMILY", "DNA_RNA"]
    >>> [is_protein(Entity("e", "x", ((0, 1),), type)) for type in types]
    [True, True, True, False, False, False, True, False, False]
    >>> is_protein(Entity("e", "x", ((0, 1),), "FAMILY"), kinds=("protein", "family"))
    True
    """
    if entity.type in KINDS:
        return any(entity.type == PAIRABLE[kind] for kind in kinds)
    return not is_other_type(entity.type)


def text_order(entity: Entity) -> tuple[int, int]:
    """Sorts mentions as they stand in the text."""
    return entity.start, entity.end


def candidate_pairs(sentence: Sentence, proteins: Sequence[Entity], *, keep_same: bool = False) -> list[Pair]:
    """Every two proteins of different spans, in text order; without ``keep_same`` none that are one protein.

    A pair that the document has keeps its id, label and type; others are called ``<sentence>.i<number>``, numbered
    over all pairs of different spans, so that ids depend neither on what is found to interact nor on who is who.
    """
    given = {frozenset((pair.e1, pair.e2)): pair for pair in reversed(sentence.pairs)}
    taken = {pair.id for pair in sentence.pairs}
    found, number = [], 0
    identities = {} if keep_same else {entity.id: identity(entity) for entity in proteins}
    for first, second in combinations(sorted(proteins, key=text_order), 2):
        if first.spans == second.spans:
            continue
        pair = given.get(frozenset((first.id, second.id)))
        if pair is None:
            while (id := f"{sentence.id}.i{number}") in taken:
                number += 1
            pair = Pair(id, first.id, second.id)
            number += 1
        same = not keep_same and (
            identities[first.id].same(identities[second.id]) or one_phrase(sentence.text, first, second, proteins)
        )
        if not same:
            found.append(pair)
    return found
