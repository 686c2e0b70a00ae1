"""Which mentions are proteins, and which two of them make a candidate.

* Of the names that the shipped pipeline finds, those of the asked kinds are paired: genes and proteins, and families
  and complexes too if that is asked for.
* Given entities of a type that says something else (chemical, disease, species, mutation, cell ...) stay in the
  document but are neither paired nor blinded.  An unknown type, or none, is taken as a protein: corpora write roles
  (``agent``) and identifiers there.
* Two mentions of one protein (:func:`ppi.grounding.identity.is_same_protein`), or of a class and who belongs to it
  (:mod:`ppi.annotation.apposition`), are no candidate, unless that is asked for.
  A protein that interacts with itself is found by other means (:mod:`ppi.annotation.self_statements`).
* Two mentions of exactly the same characters are one mention twice and no pair; mentions that overlap otherwise
  (one name inside another) are a pair like any other, as in the corpora.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from corpora.types import Entity, Pair, Sentence
from ppi.annotation.apposition import is_apposition
from ppi.errors import UsageError
from ppi.grounding.identity import identify
from ppi.pipeline.kinds import FAMILY, KINDS, PROTEIN, is_non_protein_type

#: What can be paired, by the names of options; the first alone unless more is asked for.
PAIRABLE_KINDS = {"protein": PROTEIN, "family": FAMILY}
DEFAULT_KINDS = ("protein",)


def check_kinds(kinds: Collection[str]) -> tuple[str, ...]:
    """Kinds of names to be paired, each once and in the usual order.

    Raises
    ------
    UsageError
        If one of them cannot be paired, or there is none.
    """
    if isinstance(kinds, str) or not isinstance(kinds, Collection) or not kinds or set(kinds) - PAIRABLE_KINDS.keys():
        got = f"the text {kinds!r}; give a list" if isinstance(kinds, str) else repr(kinds)
        raise UsageError(f"expected kinds of names to pair, among {tuple(PAIRABLE_KINDS)}, got {got}")
    return tuple(kind for kind in PAIRABLE_KINDS if kind in kinds)


def is_protein(entity: Entity, kinds: Collection[str] = DEFAULT_KINDS) -> bool:
    """Whether a mention is to be paired: of these kinds, or of a type that does not say that it is something else.

    >>> types = ["Gene", None, "protein", "Chemical", "ProteinMutation", "cell_line", "PROTEIN", "FAMILY", "DNA_RNA"]
    >>> [is_protein(Entity("e", "x", ((0, 1),), type)) for type in types]
    [True, True, True, False, False, False, True, False, False]
    >>> is_protein(Entity("e", "x", ((0, 1),), "FAMILY"), kinds=("protein", "family"))
    True
    """
    if entity.type in KINDS:
        return any(entity.type == PAIRABLE_KINDS[kind] for kind in kinds)
    return not is_non_protein_type(entity.type)


def text_position(entity: Entity) -> tuple[int, int]:
    """Sorts mentions as they stand in the text."""
    return entity.start, entity.end


def candidate_pairs(sentence: Sentence, proteins: Sequence[Entity], *, keep_same: bool = False) -> list[Pair]:
    """Every two proteins of different spans, in text order; without ``keep_same`` none that are one protein.

    A pair that the document has keeps its id, label and type; others are called ``<sentence>.i<number>``, numbered
    over all pairs of different spans, so that ids depend neither on what is found to interact nor on who is who.
    """
    pair_by_entities = {frozenset((pair.e1, pair.e2)): pair for pair in reversed(sentence.pairs)}
    used_ids = {pair.id for pair in sentence.pairs}
    pairs, number = [], 0
    identities = {} if keep_same else {entity.id: identify(entity) for entity in proteins}
    for first, second in combinations(sorted(proteins, key=text_position), 2):
        if first.spans == second.spans:
            continue
        pair = pair_by_entities.get(frozenset((first.id, second.id)))
        if pair is None:
            while (id := f"{sentence.id}.i{number}") in used_ids:
                number += 1
            pair = Pair(id, first.id, second.id)
            number += 1
        same = not keep_same and (
            identities[first.id].matches(identities[second.id]) or is_apposition(sentence.text, first, second, proteins)
        )
        if not same:
            pairs.append(pair)
    return pairs
