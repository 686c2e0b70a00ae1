"""Groups the mentions of one name, splits mentions into names, and generates the queries for a lexicon.

A mention may be several names written as one: "ERK1/2", "Smad1/5/8", "synapsins I and II", "S100A8/A9".  What comes
after the first name is short and has the form of the end of the first: digits, a Roman numeral, a Greek letter, a
capital, or some of these in a row.  The ends are exchanged.

A lexicon is asked for a name as it is, then without what texts put before names, then for the names inside it.

Mentions are one group if their names are equal after normalization, without organisms before them, or if one is the
long form of the other's abbreviation; unless the organism that is named inside them, or nearest in their sentence,
differs: a text may compare human with mouse Smad3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from corpora import Document, Entity
from ppi.grounding.identity import get_long_form
from ppi.grounding.matching import FIELDS, GENE, GREEK_WORDS, GroundingCandidate, normalize_name
from ppi.grounding.species import TAXIDS_BY_PREFIX, DocumentSpecies, Neighbourhood, find_species
from ppi.language import CELL

_CONJUNCTION = re.compile(r"\s*(?:,\s*(?:and|or)\s|,|/|\band\b|\bor\b|\bto\b|&|\+)\s*")
_GREEK = f"{GREEK_WORDS}|[α-ω]"
_SUFFIX_PIECE = re.compile(
    rf"(?P<greek>{_GREEK})|(?P<digits>[0-9]+)|(?P<roman>[IVX]+)(?![A-Za-z])|(?P<upper>[A-Z])|(?P<lower>[a-z])"
)
_SUFFIX_PATTERNS = {"greek": f"(?:{_GREEK})", "digits": "[0-9]+", "roman": "[IVX]+", "upper": "[A-Z]", "lower": "[a-z]"}
#: Ends of names have no more letters and digits, apart from Greek letters by name.
_MAX_SUFFIX_CHARACTERS = 4
#: "Mcm2-7" and "freac-1 to freac-7" have no more members.
_MAX_MEMBERS = 8
#: A longer mention is not a name.
_MAX_MENTION_CHARACTERS = 100
_RANGE = re.compile(r"(.*[A-Za-z]-?)([0-9]{1,2})-([0-9]{1,2})$")
_MARKER = re.compile(
    r"([A-Za-z][A-Za-z0-9-]*[A-Za-z0-9])"
    r"(?:\s?\([+-][^)]{0,5}\)|\+|\((?:hi|lo|high|low|int|bright|dim)\)|(?:hi|lo)(?=CD|$)|-positive|-negative)"
)

#: How a name was taken from a mention.
WHOLE, BARE, PREFIXED, PART, MEMBER = ("whole", "bare", "prefixed", "part", "member")

#: What stands before a name and is not part of it.
_MODIFIER = re.compile(
    r"(?:recombinant|wild[- ]?type|mutant|mutated|endogenous|exogenous|native|soluble|full[- ]length|phosphorylated"
    r"|phospho|unphosphorylated|dephosphorylated|activated|active|inactive|constitutively active|dominant[- ]negative"
    r"|nuclear|cytoplasmic|cytosolic|mitochondrial|membrane|secreted|circulating|serum|plasma|total|cleaved|purified"
    r"|truncated|transgenic|tagged|the|novel|putative|anti|pro|pre|mature|normal|cellular|intracellular"
    r"|extracellular|mammalian|vertebrate|eukaryotic|adult|fetal|embryonic|gene|protein|rh|p)[\s-]+",
    re.IGNORECASE,
)
#: hMLH1, mCD4, rIL-2, dTRAF2, zWnt: a small letter before a symbol.
_SYMBOL_PREFIX = re.compile(r"(rh|rm|h|m|r|d|z|zf|y|Hs|Mm|Dm|Sc|p|c|Ad|si|sh|s)[-.]?(?=[A-Z])")
_WORD = re.compile(r"[^\s/,;:+()\[\]]+")
#: Longer parts, in words, are not asked for, nor parts of mentions of more words.
_MAX_PART_WORDS, _MAX_MENTION_WORDS = 4, 8
#: What the first member of a family has at the end of its name.
_FIRST_MEMBER_SUFFIXES, _FIRST_MEMBER_SUFFIXES_AFTER_DIGIT = ("1", " alpha", " alpha 1"), ("A", " alpha")

Lookup = Callable[[str], Sequence[GroundingCandidate]]


def find_cell_markers(text: str) -> list[str]:
    """The proteins that mark a kind of cells.

    >>> find_cell_markers("CD4(+)CD25(+)FOXP3(-) T cells"), find_cell_markers("T cells")
    (['CD4', 'CD25', 'FOXP3'], [])
    """
    return _MARKER.findall(text[:_MAX_MENTION_CHARACTERS])


@lru_cache(maxsize=8192)
def split_coordination(text: str) -> tuple[str, ...]:
    """The names that a mention is made of; none if it is one name.

    >>> split_coordination("Smad1/5/8"), split_coordination("synapsins I and II"), split_coordination("S100A8/A9")
    (('Smad1', 'Smad5', 'Smad8'), ('synapsin I', 'synapsin II'), ('S100A8', 'S100A9'))
    >>> split_coordination("TGF-beta1 and -beta2"), split_coordination("CD25/FOXP3"), split_coordination("Mcm2-4")
    (('TGF-beta1', 'TGF-beta2'), ('CD25', 'FOXP3'), ('Mcm2', 'Mcm3', 'Mcm4'))
    >>> split_coordination("human immunodeficiency virus"), split_coordination("NF-kappaB")
    ((), ())
    """
    if len(text) > _MAX_MENTION_CHARACTERS:
        return ()
    if (match := _RANGE.match(text)) and 0 < int(match[3]) - int(match[2]) < _MAX_MEMBERS:
        return tuple(f"{match[1]}{number}" for number in range(int(match[2]), int(match[3]) + 1))
    first, *others = _CONJUNCTION.split(text)
    if not others or len(others) >= _MAX_MEMBERS or not first:
        return ()
    names = [first]
    for other in (other.lstrip("-").strip() for other in others):
        if not other:
            return ()
        if (pattern := _suffix_pattern(other)) is not None:
            suffix = re.search(rf"{pattern}$", first)
            if suffix is None or suffix.start() == 0:
                return ()
            names.append(first[: suffix.start()] + other)
        elif _is_symbol(first) and _is_symbol(other):
            names.append(other)
        else:
            return ()
    return tuple(re.sub(r"([a-z]{3})s (?=\S+$)", r"\1 ", name) for name in names)


def _suffix_pattern(text: str) -> str | None:
    """The form of an end, as an expression; None if the text is too long for one."""
    offset, patterns, n_characters = 0, [], 0
    while offset < len(text):
        piece = _SUFFIX_PIECE.match(text, offset)
        if piece is None or piece.lastgroup is None:
            return None
        patterns.append(_SUFFIX_PATTERNS[piece.lastgroup])
        n_characters += 1 if piece.lastgroup == "greek" else len(piece[0])
        offset = piece.end()
    return "".join(patterns) if n_characters <= _MAX_SUFFIX_CHARACTERS - 1 else None


def _is_symbol(text: str) -> bool:
    return len(text) > 2 and " " not in text and any(map(str.isupper, text)) and any(map(str.isalpha, text))


class NameQuery(NamedTuple):
    """A name to ask for; ``taxid`` if a prefix of it stands for a species."""

    text: str
    form: str
    taxid: str | None = None


def generate_queries(text: str) -> Iterator[NameQuery]:
    """What to ask for a mention, best first; the first that is known counts.

    >>> [query.text for query in generate_queries("human wild-type p53")]
    ['human wild-type p53', 'p53']
    >>> list(generate_queries("hMLH1"))[1]
    NameQuery(text='MLH1', form='prefixed', taxid='9606')
    """
    yield NameQuery(text, WHOLE)
    stripped = strip_modifiers(text)
    if stripped != text:
        yield NameQuery(stripped, BARE)
    if (prefix := _SYMBOL_PREFIX.match(stripped)) and len(stripped) - prefix.end() >= 2:
        yield NameQuery(stripped[prefix.end() :], PREFIXED, TAXIDS_BY_PREFIX.get(prefix[1]))
    yield from _generate_parts(stripped)
    if len(stripped) > 3 and stripped[-1].isalnum():
        # the first of a family often goes without its number: perilipin, Rab5, MOB1
        suffixes = _FIRST_MEMBER_SUFFIXES_AFTER_DIGIT if stripped[-1].isdigit() else _FIRST_MEMBER_SUFFIXES
        yield from (NameQuery(f"{stripped}{suffix}", MEMBER) for suffix in suffixes)


@lru_cache(maxsize=8192)
def strip_modifiers(text: str) -> str:
    """The text without organisms and adjectives at its beginning, the whole text if nothing would be left."""
    rest = text
    while True:
        organisms = find_species(rest)
        end = organisms[0].end if organisms and organisms[0].start == 0 else 0
        if end and end < len(rest) and rest[end] in " -":
            end += 1
        elif before := _MODIFIER.match(rest):
            end = before.end()
        else:
            return rest
        if not any(map(str.isalnum, rest[end:])):
            return rest
        rest = rest[end:]


def _generate_parts(text: str) -> Iterator[NameQuery]:
    """Runs of words of the text, longest first and then the last; single words only if they look like a symbol."""
    words = list(_WORD.finditer(text))
    if not 1 < len(words) <= _MAX_MENTION_WORDS:
        return
    for size in range(min(_MAX_PART_WORDS, len(words) - 1), 0, -1):
        for first in range(len(words) - size, -1, -1):
            part = text[words[first].start() : words[first + size - 1].end()]
            if size > 1 or looks_like_symbol(part):
                yield NameQuery(part, PART)


def looks_like_symbol(word: str) -> bool:
    """Whether a word has the looks of a symbol: a digit or a second capital, and two letters or more.

    >>> [looks_like_symbol(word) for word in ("SOX10", "p53", "Factor", "II", "c-Myc", "2")]
    [True, True, False, False, True, False]
    """
    if len(word) < 3 or not any(map(str.isalpha, word)):
        return False
    return any(map(str.isdigit, word)) or any(map(str.isupper, word[1:]))


class GroupedMention(NamedTuple):
    """An entity, the number of its sentence, and the organisms named around it."""

    sentence: int
    entity: Entity
    neighbourhood: Neighbourhood


class CandidateMatch(NamedTuple):
    """A candidate, by what name it was found, and whether that is the long form."""

    candidate: GroundingCandidate
    query: NameQuery
    is_long: bool


@dataclass
class MentionGroup:
    """Mentions of one name; ``long_form`` is what its abbreviation stands for."""

    key: str
    species: str | None
    mentions: list[GroupedMention] = field(default_factory=list)
    names: dict[str, bool] = field(default_factory=dict)
    long_form: str | None = None

    def matches(self, lookup: Lookup) -> Iterator[CandidateMatch]:
        """The candidates of every spelling."""
        for name, is_long in self.names.items():
            for query, candidates in query_lexicon(name, lookup):
                for candidate in candidates:
                    yield CandidateMatch(candidate, query, is_long)


def query_lexicon(name: str, lookup: Lookup) -> Iterator[tuple[NameQuery, Sequence[GroundingCandidate]]]:
    """The first query of a name that a lexicon has, with its candidates.

    Words inside a longer name count only where they are a gene's symbol or synonym, or several words of its name.
    """
    for query in generate_queries(name):
        candidates = lookup(query.text)
        if query.form in (PART, MEMBER):
            candidates = list(filter(_is_certain_gene, candidates))
        if candidates:
            yield query, candidates
            return


def group_mentions(
    document: Document, species: DocumentSpecies, lookup: Lookup, is_eligible: Callable[[Entity], bool]
) -> list[MentionGroup]:
    """The groups of the eligible mentions, in text order; O(mentions).

    A mention of several names ("ERK1/2") belongs to a group for each.
    """
    long_forms: dict[str, str] = {}  # of abbreviations; the first definition counts
    for sentence in document.sentences:
        for entity in sentence.entities:
            if (long := get_long_form(entity)) is not None:
                long_forms.setdefault(_compute_key(entity.text), long)
    long_keys = {_compute_key(long) for long in long_forms.values()}
    groups_by_key: dict[tuple[str, str | None], MentionGroup] = {}
    for number, sentence in enumerate(document.sentences):
        for entity in sentence.entities:
            if not is_eligible(entity):
                continue
            neighbourhood = species.neighbourhood(number, entity.start, entity.end)
            for name in _split_names(entity, lookup):
                key = _compute_key(name)
                long = long_forms.get(key)
                group_key = key if long is None else _compute_key(long)
                group = groups_by_key.setdefault(
                    (group_key, neighbourhood.nearest), MentionGroup(group_key, neighbourhood.inside)
                )
                group.mentions.append(GroupedMention(number, entity, neighbourhood))
                group.names.setdefault(name, key in long_keys)
                if long is not None:
                    group.long_form = long
                    group.names.setdefault(long, True)
    return list(groups_by_key.values())


def _split_names(entity: Entity, lookup: Lookup) -> Sequence[str]:
    """The names that a mention is made of: several only where no lexicon has the whole; of cells their markers."""
    if entity.type == CELL or "+" in entity.text:
        return find_cell_markers(entity.text)
    names = split_coordination(entity.text)
    return names if names and not any(map(_is_certain_gene, lookup(entity.text))) else (entity.text,)


def _is_certain_gene(candidate: GroundingCandidate) -> bool:
    """Whether it is a gene that matched as written, or normalized."""
    return candidate.kind == GENE and candidate.rank < len(FIELDS) * 2


@lru_cache(maxsize=8192)
def _compute_key(text: str) -> str:
    return normalize_name(strip_modifiers(text)) or text
