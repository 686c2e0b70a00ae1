"""Decides which mentions are proteins, and which two of them are a candidate pair.

* Of the names that the shipped pipeline finds, those of the asked kinds are paired: genes and proteins, and families
  and complexes too if that is asked for.
* Given entities of a type that means something else (chemical, disease, species, mutation, cell ...) stay in the
  document but are neither paired nor blinded.  An unknown type, or none, is taken as a protein: corpora write roles
  (``agent``) and identifiers there.
* Two mentions of one protein (:func:`ppi.grounding.is_same_protein`), or in apposition, are not paired, unless that is
  requested.  A protein that interacts with itself is found by other means (:mod:`ppi.annotation.self_statements`).
* Two mentions of exactly the same characters are one mention and not paired; mentions that overlap otherwise (one
  name inside another) are a pair like any other, as in the corpora.

Mentions in apposition are one noun phrase, a class and who belongs to it, or a gene and what it encodes.  "The ATPase
VPS4", "lipid phosphatase SHIP-1", "mTOR kinase" name one protein in two words; "the cytokines TNF, IL-2 and IL-6",
"CDKs, including CDK2" name a class and its members.  Neither states that the two interact.

* Two mentions with nothing but white space between them are one phrase, unless a noun for what they do together
  follows ("Bcl-2 Bax heterodimers"); behind a word that is only a class they always are ("the ATPase VPS4 complex").
* "α-adaptin is encoded by the apa-2 gene", "TP53 encodes the tumour suppressor p53": a gene and its product.
* A mention that is only a class, or a plural (``cytokines``, ``MAP kinases``, ``CDKs``), is the class of the mentions
  that are listed behind it: nothing but commas, brackets, ``and``, ``or``, ``including``, ``such as`` and other
  mentions stands between.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import combinations

from corpora import Entity, Pair, Sentence
from ppi.core import UsageError
from ppi.grounding import identify, is_class
from ppi.language import FAMILY, KINDS, PROTEIN, is_non_protein_type

#: What can be paired, by the names of options; only the first unless more is asked for.
PAIRABLE_KINDS = {"protein": PROTEIN, "family": FAMILY}
DEFAULT_KINDS = ("protein",)
#: Behind two names: what they do together.
_JOINT_NOUN = re.compile(
    r"[\s\-]*(?:protein[\s\-]+)?(?:hetero\w*|homo\w*|dimers?|dimeri[sz]ation|complex\w*|interact(?:ions?|ing|ome)|binding|"
    r"associations?|conjugat(?:es?|ions?)|chimer\w*|fusion\w*|axis|pathway|signal(?:l?ing|s?)|cascade|loop|interface|pair)\b",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"(?:[\s,;:()\[\]/]|\b(?:and|or|including|includes?|such as|namely|like|especially|notably|particularly|the|both"
    r"|termed|called|named)\b|\be\.g\.|\bi\.e\.)+"
)
#: A plural by its last word: CDKs, MAP kinases, receptors; not Ras or Fas.
_PLURAL = re.compile(r"(?:[a-z]{4,}[^s\W]s|[A-Z0-9]{2,}s)$")
#: Between a gene and its product, in either order.
_ENCODING = re.compile(
    r"(?:\s+genes?)?,?(?:\s+(?:which|that|is|are|was|were|also|and|the|a|an|gene|protein|product|likely))*\s+"
    r"(?:encod(?:es?|ed|ing)|codes? for|coding for)"
    r"(?:\s+(?:by|the|a|an|gene|genes|for|protein|\w+(?:al|ic|ed|ory|ing|ase|or|er)))*\s+"
)
#: A longer gap is not a list.
_MAX_LIST_GAP_CHARS = 300


def is_apposition(text: str, first: Entity, second: Entity, proteins: Sequence[Entity]) -> bool:
    """Whether two mentions of a sentence, in text order, are a class and who belongs to it, or a gene and its product.

    >>> text = "The ATPase VPS4 and the cytokines TNF and IL-6 bind Bcl-2 Bax dimers."
    >>> words = ("ATPase", "VPS4", "cytokines", "TNF", "IL-6", "Bcl-2", "Bax")
    >>> names = [Entity(word, word, ((text.index(word), text.index(word) + len(word)),)) for word in words]
    >>> [is_apposition(text, names[a], names[b], names) for a, b in ((0, 1), (1, 3), (2, 3), (2, 4), (3, 4), (5, 6))]
    [True, False, True, True, False, False]
    """
    if second.start < first.end or second.start - first.end > _MAX_LIST_GAP_CHARS:
        return False
    gap = text[first.end : second.start]
    if _ENCODING.fullmatch(gap):
        return True
    if gap.isspace():
        return is_class(first.text) or _JOINT_NOUN.match(text[second.end : second.end + 40]) is None
    if not (is_class(first.text) or _PLURAL.search(first.text)):
        return False
    # mentions between the two are part of the list; each becomes one comma
    for other in sorted(proteins, key=lambda entity: -entity.start):
        if first.end <= other.start and other.end <= second.start:
            gap = gap[: other.start - first.end] + "," + gap[other.end - first.end :]
    return _LISTING.fullmatch(gap) is not None


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
    """Whether a mention is to be paired: of these kinds, or of a type that does not mean something else.

    >>> types = ["Gene", None, "protein", "Chemical", "ProteinMutation", "cell_line", "PROTEIN", "FAMILY", "DNA_RNA"]
    >>> [is_protein(Entity("e", "x", ((0, 1),), type)) for type in types]
    [True, True, True, False, False, False, True, False, False]
    >>> is_protein(Entity("e", "x", ((0, 1),), "FAMILY"), kinds=("protein", "family"))
    True
    """
    if entity.type in KINDS:
        return any(entity.type == PAIRABLE_KINDS[kind] for kind in kinds)
    return not is_non_protein_type(entity.type)


def candidate_pairs(sentence: Sentence, proteins: Sequence[Entity], *, keep_same: bool = False) -> list[Pair]:
    """Every two proteins of different spans, in text order; without ``keep_same`` none that are one protein.

    A pair that the document has keeps its id, label and type; others are called ``<sentence>.i<number>``, numbered
    over all pairs of different spans, so that ids depend neither on what is found to interact nor on who is who.
    """
    pair_by_entities = {frozenset((pair.e1, pair.e2)): pair for pair in reversed(sentence.pairs)}
    used_ids = {pair.id for pair in sentence.pairs}
    pairs, number = [], 0
    identities = {} if keep_same else {entity.id: identify(entity) for entity in proteins}
    for first, second in combinations(sorted(proteins, key=lambda entity: (entity.start, entity.end)), 2):
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
