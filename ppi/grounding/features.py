"""What speaks for a candidate and what against it: numbers for a linear score.

Of a candidate of a group of mentions: how well which of its names matched; how many others match as well; what the
abbreviation stands for; which organisms the text names near the mentions, and in all; how the name looks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ppi.grounding.candidate import EXACT_SYMBOL, FAMILY, GENE, HOWS, Candidate
from ppi.grounding.groups import Group, Match
from ppi.grounding.species import TextSpecies
from ppi.grounding.species_words import FLY, HUMAN, LISTED, MOUSE, RAT, SPECIES_OF, ZEBRAFISH
from ppi.grounding.variants import BARE, MEMBER, PART, PREFIXED
from ppi.pipeline.kinds import CELL, DNA_RNA, OTHER
from ppi.pipeline.kinds import FAMILY as FAMILY_NAME

#: Whose symbols are alike: a name known for one of them is tried as a symbol of another.
RELATED = (HUMAN, MOUSE, RAT, ZEBRAFISH)
#: Whose genes may be meant without being named.
_ALWAYS = frozenset((HUMAN, MOUSE))

NAMES = (
    *(f"match: {how}" for how in HOWS),
    "match: part of the mention",
    "match: without words before it",
    "match: without a prefix",
    "match: the first of a family",
    "match: by a relative's symbol",
    "match: best of its species",
    "match: only one of its species",
    "match: log of those as good, of its species",
    "match: several names of the group",
    "match: another name of the text",
    "match: also a relative's of that symbol",
    "match: also two relatives' of that symbol",
    "match: a symbol, as written or normalized",
    "match: prefix names its species",
    "match: prefix names another species",
    "name: one or two characters",
    "name: three characters",
    "name: a small word",
    "name: a plural",
    "name: a family's",
    "name: several mentions",
    "name: in the first sentence",
    "name: found as a family",
    "name: found as DNA or RNA",
    "name: found as a cell",
    "name: found as another thing",
    "long form: names it",
    "long form: names others",
    "long form: unknown",
    "gene: log of its number",
    "gene: has a number",
    "species: inside",
    "species: another inside",
    "species: before",
    "species: another before",
    "species: after",
    "species: another after",
    "species: near this name elsewhere",
    "species: share near this name",
    "species: share of the text",
    "species: most named",
    "species: named first",
    "text: share of other organisms",
    "text: share of human",
    "text: share of mouse",
    "text: share of rat",
    "text: names an organism",
    "text: share of names with one capital",
    "text: share of names in capitals",
    "text: animals' cues",
    "text: people's cues",
    "species: none named, human",
    "species: none named, other",
    "species: others named, human",
    "species: others named, other",
    "species: preferred",
    "species: preferred, only one of it",
    "species: preferred, exact symbol",
    "case: capitals, human",
    "case: capitals, other",
    "case: one capital, rodent",
    "case: one capital, other",
    "case: small, fish or fly",
    "case: small, other",
    "species: human",
    "species: mouse",
    "species: rat",
    "bias",
)
_AT = {name: index for index, name in enumerate(NAMES)}


class Context(NamedTuple):
    """What all groups of a document share."""

    species: TextSpecies
    #: in how many groups a gene is a candidate
    supported: Counter[str]
    #: the organisms nearest to the mentions of a name, by its key
    near: dict[str, Counter[str]]
    #: features of the text as a whole
    shared: tuple[tuple[int, float], ...]


def context_of(species: TextSpecies, supported: Counter[str], listed: Sequence[Group]) -> Context:
    """What a text with these groups says of all of them."""
    near: dict[str, Counter[str]] = {}
    for group in listed:
        for mention in group.mentions:
            if mention.around.nearest is not None:
                near.setdefault(group.key, Counter())[mention.around.nearest] += 1
    names = [next(iter(group.names)) for group in listed]
    total = species.total or 1
    single = [name for name in names if " " not in name and len(name) > 2 and any(map(str.isalpha, name))]
    count = len(single) or 1
    values = {
        "text: share of other organisms": species.foreign_share,
        "text: share of human": species.counts[HUMAN] / total,
        "text: share of mouse": species.counts[MOUSE] / total,
        "text: share of rat": species.counts[RAT] / total,
        "text: names an organism": float(species.total > 0),
        "text: share of names with one capital": sum(_looks(name) == _ONE_CAPITAL for name in single) / count,
        "text: share of names in capitals": sum(_looks(name) == _CAPITALS for name in single) / count,
        "text: animals' cues": math.log1p(species.animal_cues),
        "text: people's cues": math.log1p(species.people_cues),
    }
    return Context(species, supported, near, tuple((_AT[name], value) for name, value in values.items()))


class Rated(NamedTuple):
    """A gene that a group may be, its best match, and its features."""

    match: Match
    is_transferred: bool
    row: list[float]


def preferred_species(group: Group, species: TextSpecies) -> str:
    """The organism whose gene a group should be.

    That in its own text; else the one that most of its mentions stand after or, if there is none before it in the
    sentence, before; else the one that the text names most; else the human.
    """
    if group.species is not None:
        return group.species
    near = Counter(taxid for mention in group.mentions if (taxid := mention.around.nearest) is not None)
    if near:
        return near.most_common(1)[0][0]
    return species.dominant or HUMAN


def rated(group: Group, matches: Sequence[Match], transferred: Sequence[Match], context: Context) -> list[Rated]:
    """The genes among the matches, each once with its best match, and what speaks for them."""
    best: dict[str, tuple[Match, bool]] = {}
    names_of: dict[str, set[str]] = {}
    by_long: set[str] = set()
    for listed, is_transferred in ((matches, False), (transferred, True)):
        for match in listed:
            candidate = match.candidate
            if candidate.kind != GENE:
                continue
            held = best.get(candidate.identifier)
            if held is None or (not is_transferred and candidate.rank < held[0].candidate.rank):
                best[candidate.identifier] = match, is_transferred
            names_of.setdefault(candidate.identifier, set()).add(match.query.text)
            if match.is_long:
                by_long.add(candidate.identifier)
    has_family = any(match.candidate.kind == FAMILY and match.candidate.rank < 9 for match in matches)
    common = _of_group(group, context, has_family)
    symbols = Counter(match.candidate.symbol.lower() for match, moved in best.values() if not moved)
    best = {id: each for id, each in best.items() if _may_be(each[0], context.species)}
    ranks = Counter((species_of(match.candidate), _rank(match, moved)) for match, moved in best.values())
    tops: dict[str | None, int] = {}
    for taxid, rank in ranks:
        tops[taxid] = min(tops.get(taxid, rank), rank)
    preferred = preferred_species(group, context.species)
    return [
        Rated(
            match,
            moved,
            _row(
                match,
                moved,
                common,
                ranks,
                tops,
                len(names_of[id]),
                id in by_long,
                bool(by_long),
                group,
                context,
                preferred,
                symbols,
            ),
        )
        for id, (match, moved) in best.items()
    ]


def _may_be(match: Match, species: TextSpecies) -> bool:
    """Whether a gene is worth rating: human, mouse, or of an organism that the text, or the name's prefix, names.

    Lists of all species have so many short names that most candidates are of organisms that the text is not about.
    """
    taxid = species_of(match.candidate)
    return taxid in _ALWAYS or taxid in species.counts or taxid == match.query.taxid or taxid not in LISTED


def species_of(candidate: Candidate) -> str | None:
    """The species of a gene, its strain's if that is given."""
    taxid = candidate.taxid
    return taxid if taxid is None else SPECIES_OF.get(taxid, taxid)


#: Which match is better within a species: a symbol, however spelled, before a synonym as it is spelled.
_ORDER = {rank: place for place, rank in enumerate((0, 3, 1, 4, 2, 5, *range(6, len(HOWS))))}


def _rank(match: Match, is_transferred: bool) -> int:
    return _ORDER[match.candidate.rank] + (len(HOWS) if is_transferred else 0)


def _of_group(group: Group, context: Context, has_family: bool) -> list[float]:
    """The features that all candidates of a group share."""
    row = [0.0] * len(NAMES)
    text = next(iter(group.names))
    row[_AT["name: one or two characters"]] = float(len(text) < 3)
    row[_AT["name: three characters"]] = float(len(text) == 3)
    row[_AT["name: a small word"]] = float(text.isalpha() and text.islower())
    row[_AT["name: a plural"]] = float(len(text) > 3 and text.endswith("s") and not text.endswith("ss"))
    row[_AT["name: a family's"]] = float(has_family)
    row[_AT["name: several mentions"]] = float(len(group.mentions) > 1)
    row[_AT["name: in the first sentence"]] = float(group.mentions[0].sentence == 0)
    types = [mention.entity.type for mention in group.mentions]
    row[_AT["name: found as a family"]] = sum(type == FAMILY_NAME for type in types) / len(types)
    row[_AT["name: found as DNA or RNA"]] = sum(type == DNA_RNA for type in types) / len(types)
    row[_AT["name: found as a cell"]] = sum(type == CELL for type in types) / len(types)
    row[_AT["name: found as another thing"]] = sum(type == OTHER for type in types) / len(types)
    for index, value in context.shared:
        row[index] = value
    row[_AT["bias"]] = 1.0
    return row


def _row(
    match: Match,
    is_transferred: bool,
    common: list[float],
    ranks: Counter[tuple[str | None, int]],
    tops: dict[str | None, int],
    n_names: int,
    by_long: bool,
    any_by_long: bool,
    group: Group,
    context: Context,
    preferred: str,
    symbols: Counter[str],
) -> list[float]:
    row = common.copy()
    candidate, query = match.candidate, match.query
    taxid = species_of(candidate)
    rank = _rank(match, is_transferred)
    row[candidate.rank] = 1.0
    row[_AT["match: part of the mention"]] = float(query.form == PART)
    row[_AT["match: without words before it"]] = float(query.form == BARE)
    row[_AT["match: without a prefix"]] = float(query.form == PREFIXED)
    row[_AT["match: the first of a family"]] = float(query.form == MEMBER)
    row[_AT["match: by a relative's symbol"]] = float(is_transferred)
    is_best = tops[taxid] == rank
    only = is_best and ranks[taxid, rank] == 1
    row[_AT["match: best of its species"]] = float(is_best)
    row[_AT["match: only one of its species"]] = float(only)
    row[_AT["match: log of those as good, of its species"]] = math.log(ranks[taxid, rank])
    row[_AT["match: several names of the group"]] = float(n_names > 1)
    row[_AT["match: another name of the text"]] = float(context.supported[candidate.identifier] > 1)
    relatives = symbols[candidate.symbol.lower()] - (not is_transferred)
    row[_AT["match: also a relative's of that symbol"]] = float(relatives > 0)
    row[_AT["match: also two relatives' of that symbol"]] = float(relatives > 1)
    row[_AT["match: a symbol, as written or normalized"]] = float(candidate.is_symbol)
    row[_AT["match: prefix names its species"]] = float(query.taxid is not None and query.taxid == taxid)
    row[_AT["match: prefix names another species"]] = float(query.taxid is not None and query.taxid != taxid)
    if group.long_form is not None:
        row[_AT["long form: names it"]] = float(by_long)
        row[_AT["long form: names others"]] = float(any_by_long and not by_long)
        row[_AT["long form: unknown"]] = float(not any_by_long)
    number = candidate.identifier.removeprefix("ncbigene:")
    if number.isdigit():
        row[_AT["gene: log of its number"]] = math.log10(int(number)) / 4
        row[_AT["gene: has a number"]] = 1.0
    _add_species(row, taxid, group, context.species, context.near.get(group.key))
    if taxid == preferred:
        row[_AT["species: preferred"]] = 1.0
        row[_AT["species: preferred, only one of it"]] = float(only)
        row[_AT["species: preferred, exact symbol"]] = float(candidate.how == EXACT_SYMBOL)
    _add_case(row, query.text, taxid)
    return row


def _add_species(
    row: list[float], taxid: str | None, group: Group, species: TextSpecies, near: Counter[str] | None
) -> None:
    if group.species is not None:
        row[_AT["species: inside" if group.species == taxid else "species: another inside"]] = 1.0
    weight = 1.0 / len(group.mentions)
    for mention in group.mentions:
        around = mention.around
        if around.before is not None:
            row[_AT["species: before" if around.before == taxid else "species: another before"]] += weight
        if around.after is not None:
            row[_AT["species: after" if around.after == taxid else "species: another after"]] += weight
    if near:
        row[_AT["species: near this name elsewhere"]] = float(near[taxid or ""] > 0)
        row[_AT["species: share near this name"]] = near[taxid or ""] / near.total()
    if species.total:
        count = species.counts[taxid] if taxid is not None else 0
        row[_AT["species: share of the text"]] = count / species.total
        row[_AT["species: most named"]] = float(species.dominant == taxid)
        row[_AT["species: named first"]] = float(species.first == taxid)
        if not count:
            row[_AT["species: others named, human" if taxid == HUMAN else "species: others named, other"]] = 1.0
    else:
        row[_AT["species: none named, human" if taxid == HUMAN else "species: none named, other"]] = 1.0
    if (name := _SPECIES_NAMES.get(taxid or "")) is not None:
        row[name] = 1.0


_CAPITALS, _ONE_CAPITAL, _SMALL, _MIXED = range(4)


@lru_cache(maxsize=4096)
def _looks(text: str) -> int:
    letters = [character for character in text if character.isalpha()]
    if " " in text or len(letters) < 2:
        return _MIXED
    if all(map(str.isupper, letters)):
        return _CAPITALS
    if not all(map(str.islower, letters[1:])):
        return _MIXED
    return _ONE_CAPITAL if letters[0].isupper() else _SMALL


def _add_case(row: list[float], text: str, taxid: str | None) -> None:
    looks = _looks(text)
    if looks == _CAPITALS:
        row[_AT["case: capitals, human" if taxid == HUMAN else "case: capitals, other"]] = 1.0
    elif looks == _ONE_CAPITAL:
        row[_AT["case: one capital, rodent" if taxid in (MOUSE, RAT) else "case: one capital, other"]] = 1.0
    elif looks == _SMALL:
        row[_AT["case: small, fish or fly" if taxid in (ZEBRAFISH, FLY) else "case: small, other"]] = 1.0


_SPECIES_NAMES = {
    HUMAN: _AT["species: human"],
    MOUSE: _AT["species: mouse"],
    RAT: _AT["species: rat"],
}
