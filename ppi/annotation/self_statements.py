"""Finds statements that a protein interacts with itself: homodimers, self-association, autophosphorylation.

"STAT1 forms homodimers" has no pair of mentions, so these statements are found by rule: a word that states it (the
*trigger*) beside a mention, joined by words that can stand between the two.  How often a rule is right was counted
(``python -m lab.types.self_statements``), and that share is the probability it gives; the counts are in
``self_statements.json`` beside this file.

==========  ===============================================================================================
``homo``    homodimer, homodimerizes, homotypic interaction: "STAT1 homodimers", "p53 can homodimerize"
``self``    self-association, self-interacts: "TRIM5 self-associates", "self-association of Apaf-1"
``itself``  "Sam68 binds to itself"
``double``  "RelA-RelA dimers", "Fas/Fas interactions": the protein is named twice
``oligo``   dimer, oligomerizes, without homo-: "Bax oligomerization", "TLR4 dimerizes"; not where a partner follows
``auto``    autophosphorylation, auto-ubiquitination: a modification of itself, with its kind
==========  ===============================================================================================

The mention stands before the trigger ("Bax oligomerizes", "Bax is known to form homodimers") or behind it
("oligomerization of Bax", "homodimeric Bax"); nothing but function words, adverbs and qualities may come between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from corpora import BINDING, MODIFICATION, Entity
from ppi.grounding import is_same_protein

#: How often each class is right, as counted.
COUNTS_FILE = Path(__file__).parent / "self_statements.json"

_MERS = r"(?:di|tri|tetra|penta|hexa|oligo|multi)mer"
_MER_WORDS = rf"{_MERS}(?:s|ic|i[sz](?:e[sd]?|ing|ations?))?"
_MODIFICATIONS = (
    r"(?P<kind>phosphorylat|ubiquitinat|ubiquitylat|acetylat|methylat|sumoylat|palmitoylat|ADP-ribosylat)"
    r"(?:ions?|es?|ed|ing)"
)
_CONTACTS = r"interactions?|associations?|contacts?|binding|complex(?:es)?"
_TRIGGERS = {
    "homo": rf"homo-?{_MER_WORDS}|homo(?:typic|philic)(?:ally)?(?: (?:{_CONTACTS}))?",
    "self": r"self-?(?:associat|interact|oligomeri[sz]|dimeri[sz])(?:ions?|ations?|ing|es?|ed|s)?",
    "itself": r"(?:binds?|bound|binding|interact(?:s|ed|ing)?|associat(?:es?|ed|ing)|dimeri[sz](?:es?|ed|ing))"
    r"(?: (?:directly|specifically|strongly|also))? (?:with|to) itself",
    "oligo": _MER_WORDS,
    "auto": rf"(?:trans-?)?(?:auto-?|self-){_MODIFICATIONS}",
}
_TRIGGER = re.compile(
    r"(?<![\w\-])(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _TRIGGERS.items()) + r")(?![\w\-])",
    re.IGNORECASE,
)
#: What every trigger has: most sentences have none of it.
_HINT = re.compile(r"homo|mer|self|auto", re.IGNORECASE)

_ADVERBS = r"\w+ly|also|only|both|either|then|thus|not|still|readily|indeed|first|never|often|itself|themselves"
_AUXILIARIES = (
    r"can(?:not)?|could|may|might|must|will|would|should|to|is|are|was|were|be|been|being|has|have|had|does|do|did"
    r"|able|unable|fail(?:s|ed)?|ability|capable|of|known|shown|found|reported|thought|believed|likely|required"
    r"|in order|appears?|seems?|tends?|which|that|proteins?|molecules?|monomers?|receptors?|kinases?|subunits?"
)
_FORMING = (
    r"forms?|formed|forming|formation of|exists?|existed|functions?|functioned|acts?|acted|behaves?|behaved"
    r"|assembles?|assembled|undergo(?:es|ing)?|underwent|exhibit(?:s|ed)?|displays?|displayed|shows?|showed|occurs?"
    r"|crystalli[sz]e[sd]?|migrate[sd]?|purifie[sd]|eluted?|as|into"
)
_QUALITIES = (
    r"an?|the|its|their|stable|functional|active|inactive|obligate|constitutive|symmetric(?:al)?|asymmetric|weak|strong"
    r"|tight|parallel|antiparallel|higher?-order|non-?covalent|disul(?:f|ph)ide-(?:linked|bonded)|covalent|soluble"
    r"|transient|DNA-bound|tyrosine|serine|threonine|enhanced|increased|ligand-induced|ligand-dependent|large|small"
    r"|wild-?type|mutant|recombinant|human|mouse|rat|murine|purified|transcription factor|protein|kinase|receptor"
    r"|tumou?r|suppressor|cytoplasmic|nuclear|native|endogenous|full-?length|full|truncated|membrane"
)
_BETWEEN = rf"(?:{_ADVERBS}|{_AUXILIARIES}|{_FORMING}|{_QUALITIES})"
#: "STAT1 (p91) protein is known to form stable homodimers"
_BEFORE_TRIGGER = re.compile(
    rf"[\s\-–]*(?:\([^()]{{1,30}}\)\s*)?(?:,? (?=which|that))?(?:\s*{_BETWEEN}(?=\s)){{0,8}}\s*"
)
#: "homodimerization of the wild-type STAT1"
_BEHIND_NOUN = re.compile(rf"(?: complex(?:es)?)?\s+of(?:\s+(?:{_QUALITIES}|{_ADVERBS}))*\s+")
#: "homodimeric STAT1"
_BEHIND_ADJECTIVE = re.compile(rf"(?:\s+(?:{_QUALITIES}))*\s+")
_NOUN = re.compile(r"(?:ions?|mers?|ing|binding|complex(?:es)?)$")
_ADJECTIVE = re.compile(r"(?:meric|typic|philic|ated|i[sz]ed)$")
#: Behind a trigger: "oligomerizes with", "dimers of A and B" are of two proteins.
_PARTNER = re.compile(
    r"(?: complex(?:es)?| form)?\s*(?:\w+ly\s+)?(?:with|between|to|and hetero|or hetero|formed by|containing|composed"
    r"|choice|partner)\b(?! itself)"
)
_HETERO = re.compile(r"(?:hetero|mixed|inter)[\s\-]*(?:and\s+|or\s+|/)?$", re.IGNORECASE)
#: Behind a mention: "a trimer of the NFAT-1 element" is one of DNA.
_SITE = re.compile(
    r"(?:[\s\-]+(?:(?:[\w()]|-)+[\s\-]+){0,2}?)"
    r"(?:sites?|elements?|motifs?|sequences?|promoters?|enhancers?|oligonucleotides?)\b"
)
_COORDINATION = re.compile(r"\s*(?:\([^()]{1,30}\)\s*)?(?:,? and|,? or|/|,|with|–|-|\+|:)\s*(?:the\s+)?")
_AFTER_DOUBLE_NAME = re.compile(rf"\s+(?:homo-?)?(?:{_MER_WORDS}|{_CONTACTS})\b")
_NAME_JOINER = re.compile(r"\s?[\-–/:•]\s?")

#: Between the mention and the trigger, and just before the first of them.
_NEGATION = re.compile(r"\b(?:not|cannot|unable|fail(?:s|ed)?|never|no longer)\b|n't\b")
_NEGATION_BEFORE = re.compile(
    r"\b(?:no|without|absence of|lack of|loss of|failure of|inability of|neither|nor)(?: (?:the|any|an?))?\s*$",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|putative(?:ly)?|potential(?:ly)?|likely|thought|believed)\b"
)
_HEDGE_BEFORE = re.compile(r"\b(?:whether|if|hypothesi[sz]\w+|speculat\w+|possib\w+|putative|potential)\b[^,;:]*$")
_KINDS = {"ubiquitylat": "ubiquitination", "adp-ribosylat": "ribosylation"}
#: How far before the two a word denies or supposes what they say.
_CUE_WINDOW_CHARS = 40
#: Between mention and trigger; and between two mentions that are named together.
_MAX_GAP_CHARS, _MAX_JOIN_CHARS = 200, 45


class SelfStatement(NamedTuple):
    """A statement that a protein interacts with itself.

    ``rule`` is the class of the rule, ``words`` are the trigger and ``start`` its place in the sentence; ``kind`` is
    that of a modification, None for a binding.
    """

    entity: Entity
    rule: str
    words: str
    start: int
    kind: str | None
    negated: bool
    hedged: bool

    @property
    def type(self) -> str:
        """``modification`` or ``binding``."""
        return BINDING if self.kind is None else MODIFICATION

    @property
    def probability(self) -> float:
        """How often statements of this class are right."""
        return rule_probabilities()[self.rule]


@cache
def rule_probabilities() -> Mapping[str, float]:
    """The probability of each class: r right among n that were looked at give (r + 1) / (n + 2), Laplace's rule.

    >>> sorted(rule_probabilities())
    ['auto', 'double', 'homo', 'itself', 'oligo', 'self']
    """
    counts = json.loads(COUNTS_FILE.read_text(encoding="utf-8"))["classes"]
    return {rule: (count["right"] + 1) / (count["read"] + 2) for rule, count in counts.items()}


def find_self_statements(text: str, proteins: Sequence[Entity]) -> list[SelfStatement]:
    """Statements that proteins of a sentence interact with themselves, in text order; one per protein, type and kind.

    O(triggers x proteins); sentences without a trigger, nearly all, cost one search.

    >>> bax = Entity("e", "Bax", ((0, 3),))
    >>> [(found.entity.text, found.words) for found in find_self_statements("Bax forms homodimers.", [bax])]
    [('Bax', 'homodimers')]
    """
    if not proteins or not _HINT.search(text):
        return []
    statements = list(_find_double_names(text, proteins))
    for trigger in _TRIGGER.finditer(text):
        entity = _triggered_protein(text, proteins, trigger)
        if entity is not None:
            kind = trigger["kind"]
            if kind is not None:
                kind = _KINDS.get(kind.lower(), f"{kind.lower()}ion")
            rule = trigger.lastgroup or ""
            statements.append(_build_statement(text, entity, rule, trigger.start(), trigger.end(), kind))
    unique: list[SelfStatement] = []
    for statement in sorted(statements, key=lambda statement: (statement.start, statement.entity.start)):
        same_kind = [other for other in unique if other.kind == statement.kind]
        if not any(is_same_protein(other.entity, statement.entity) for other in same_kind):
            unique.append(statement)
    return unique


def _find_double_names(text: str, proteins: Sequence[Entity]) -> Iterator[SelfStatement]:
    ordered = sorted(proteins, key=lambda entity: (entity.start, entity.end))
    for first, second in pairwise(ordered):
        is_joined = first.end <= second.start and _NAME_JOINER.fullmatch(text[first.end : second.start])
        if is_joined and is_same_protein(first, second) and (behind := _AFTER_DOUBLE_NAME.match(text, second.end)):
            yield _build_statement(text, first, "double", first.start, behind.end(), None)


def _triggered_protein(text: str, proteins: Sequence[Entity], trigger: re.Match[str]) -> Entity | None:
    """The protein that the trigger speaks of, None if there is none, or the trigger names a partner."""
    words = trigger[0].lower()
    if _HETERO.search(text[max(0, trigger.start() - _CUE_WINDOW_CHARS) : trigger.start()]):
        return None
    if trigger.lastgroup == "oligo" and _PARTNER.match(text, trigger.end()):
        return None
    behind = [entity for entity in proteins if entity.start >= trigger.end()]
    between = _BEHIND_NOUN if _NOUN.search(words) else _BEHIND_ADJECTIVE if _ADJECTIVE.search(words) else None
    if behind and between is not None:
        nearest = min(behind, key=lambda entity: (entity.start, -entity.end))
        gap = text[trigger.end() : nearest.start]
        if len(gap) < _MAX_GAP_CHARS and between.fullmatch(gap):
            # of several that follow, each may be meant, or all of them together
            is_site = _SITE.match(text[nearest.end : nearest.end + _CUE_WINDOW_CHARS])
            return None if is_site or _is_followed_by_protein(text, nearest, proteins) else nearest
    before = [entity for entity in proteins if entity.end <= trigger.start()]
    if before:
        nearest = max(before, key=lambda entity: (entity.end, -entity.start))
        gap = text[nearest.end : trigger.start()]
        if len(gap) < _MAX_GAP_CHARS and _BEFORE_TRIGGER.fullmatch(gap):
            # the last of several that are named together, "p50/p65 dimers", does not form dimers with itself
            listed = any(other is not nearest and _is_followed_by_protein(text, other, [nearest]) for other in proteins)
            return None if trigger.lastgroup == "oligo" and listed else nearest
    return None


def _is_followed_by_protein(text: str, entity: Entity, proteins: Sequence[Entity]) -> bool:
    """Whether another protein follows at once: "dimers of A and B"."""
    return any(
        entity.end <= other.start <= entity.end + _MAX_JOIN_CHARS
        and _COORDINATION.fullmatch(text[entity.end : other.start])
        for other in proteins
    )


def _build_statement(text: str, entity: Entity, rule: str, start: int, end: int, kind: str | None) -> SelfStatement:
    first, last = min(start, entity.start), max(start, entity.end)
    between, before = text[first:last], text[max(0, first - _CUE_WINDOW_CHARS) : first]
    negated = _NEGATION.search(between) or _NEGATION_BEFORE.search(before)
    hedged = _HEDGE.search(between) or _HEDGE_BEFORE.search(before)
    return SelfStatement(entity, rule, text[start:end], start, kind, negated is not None, hedged is not None)
