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

from ppi.grounding.matching import EXACT_SYMBOL, FAMILY, GENE, MATCH_TYPES, GroundingCandidate
from ppi.grounding.mention_groups import BARE, MEMBER, PART, PREFIXED, CandidateMatch, MentionGroup
from ppi.grounding.species import FLY, HUMAN, LEXICON_SPECIES, MOUSE, RAT, SPECIES_OF_STRAIN, ZEBRAFISH, DocumentSpecies
from ppi.language import CELL, DNA_RNA, OTHER
from ppi.language import FAMILY as FAMILY_NAME

#: Whose symbols are alike: a name known for one of them is tried as a symbol of another.
RELATED_SPECIES = (HUMAN, MOUSE, RAT, ZEBRAFISH)
#: Whose genes may be meant without being named.
_ALWAYS_PLAUSIBLE_SPECIES = frozenset((HUMAN, MOUSE))

FEATURE_NAMES = (
    *(f"match: {how}" for how in MATCH_TYPES),
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
_INDEX = {name: index for index, name in enumerate(FEATURE_NAMES)}


class DocumentContext(NamedTuple):
    """What all groups of a document share."""

    species: DocumentSpecies
    #: in how many groups a gene is a candidate
    group_counts: Counter[str]
    #: the organisms nearest to the mentions of a name, by its key
    nearest_species: dict[str, Counter[str]]
    #: features of the text as a whole
    text_features: tuple[tuple[int, float], ...]


def build_context(
    species: DocumentSpecies, group_counts: Counter[str], mention_groups: Sequence[MentionGroup]
) -> DocumentContext:
    """What a text with these groups says of all of them."""
    nearest_species: dict[str, Counter[str]] = {}
    for group in mention_groups:
        for mention in group.mentions:
            if mention.neighbourhood.nearest is not None:
                nearest_species.setdefault(group.key, Counter())[mention.neighbourhood.nearest] += 1
    names = [next(iter(group.names)) for group in mention_groups]
    total = species.total or 1
    single_words = [name for name in names if " " not in name and len(name) > 2 and any(map(str.isalpha, name))]
    count = len(single_words) or 1
    values = {
        "text: share of other organisms": species.foreign_proportion,
        "text: share of human": species.counts[HUMAN] / total,
        "text: share of mouse": species.counts[MOUSE] / total,
        "text: share of rat": species.counts[RAT] / total,
        "text: names an organism": float(species.total > 0),
        "text: share of names with one capital": sum(_classify_case(name) == _ONE_CAPITAL for name in single_words)
        / count,
        "text: share of names in capitals": sum(_classify_case(name) == _CAPITALS for name in single_words) / count,
        "text: animals' cues": math.log1p(species.animal_cues),
        "text: people's cues": math.log1p(species.people_cues),
    }
    return DocumentContext(
        species, group_counts, nearest_species, tuple((_INDEX[name], value) for name, value in values.items())
    )


class GeneFeatures(NamedTuple):
    """A gene that a group may be, its best match, and its features."""

    match: CandidateMatch
    is_by_ortholog: bool
    row: list[float]


def infer_species(group: MentionGroup, species: DocumentSpecies) -> str:
    """The organism whose gene a group should be.

    That in its own text; else the one that most of its mentions stand after or, if there is none before it in the
    sentence, before; else the one that the text names most; else the human.
    """
    if group.species is not None:
        return group.species
    nearest_species = Counter(
        taxid for mention in group.mentions if (taxid := mention.neighbourhood.nearest) is not None
    )
    if nearest_species:
        return nearest_species.most_common(1)[0][0]
    return species.dominant or HUMAN


def compute_gene_features(
    group: MentionGroup,
    matches: Sequence[CandidateMatch],
    ortholog_matches: Sequence[CandidateMatch],
    context: DocumentContext,
) -> list[GeneFeatures]:
    """The genes among the matches, each once with its best match, and what speaks for them."""
    best_matches: dict[str, tuple[CandidateMatch, bool]] = {}
    queries_by_id: dict[str, set[str]] = {}
    long_form_ids: set[str] = set()
    for match_list, is_by_ortholog in ((matches, False), (ortholog_matches, True)):
        for match in match_list:
            candidate = match.candidate
            if candidate.kind != GENE:
                continue
            current = best_matches.get(candidate.identifier)
            if current is None or (not is_by_ortholog and candidate.rank < current[0].candidate.rank):
                best_matches[candidate.identifier] = match, is_by_ortholog
            queries_by_id.setdefault(candidate.identifier, set()).add(match.query.text)
            if match.is_long:
                long_form_ids.add(candidate.identifier)
    has_family = any(match.candidate.kind == FAMILY and match.candidate.rank < 9 for match in matches)
    group_features = _compute_group_features(group, context, has_family)
    symbols = Counter(
        match.candidate.symbol.lower() for match, is_by_ortholog in best_matches.values() if not is_by_ortholog
    )
    best_matches = {
        id: best_match for id, best_match in best_matches.items() if _is_plausible(best_match[0], context.species)
    }
    ranks = Counter(
        (species_of(match.candidate), _rank(match, is_by_ortholog)) for match, is_by_ortholog in best_matches.values()
    )
    best_ranks: dict[str | None, int] = {}
    for taxid, rank in ranks:
        best_ranks[taxid] = min(best_ranks.get(taxid, rank), rank)
    preferred = infer_species(group, context.species)
    return [
        GeneFeatures(
            match,
            is_by_ortholog,
            _compute_row(
                match,
                is_by_ortholog,
                group_features,
                ranks,
                best_ranks,
                len(queries_by_id[id]),
                id in long_form_ids,
                bool(long_form_ids),
                group,
                context,
                preferred,
                symbols,
            ),
        )
        for id, (match, is_by_ortholog) in best_matches.items()
    ]


def _is_plausible(match: CandidateMatch, species: DocumentSpecies) -> bool:
    """Whether a gene is worth rating: human, mouse, or of an organism that the text, or the name's prefix, names.

    Lists of all species have so many short names that most candidates are of organisms that the text is not about.
    """
    taxid = species_of(match.candidate)
    return (
        taxid in _ALWAYS_PLAUSIBLE_SPECIES
        or taxid in species.counts
        or taxid == match.query.taxid
        or taxid not in LEXICON_SPECIES
    )


def species_of(candidate: GroundingCandidate) -> str | None:
    """The species of a gene, its strain's if that is given."""
    taxid = candidate.taxid
    return taxid if taxid is None else SPECIES_OF_STRAIN.get(taxid, taxid)


#: Which match is better within a species: a symbol, however spelled, before a synonym as it is spelled.
_RANK_ORDER = {rank: place for place, rank in enumerate((0, 3, 1, 4, 2, 5, *range(6, len(MATCH_TYPES))))}


def _rank(match: CandidateMatch, is_by_ortholog: bool) -> int:
    return _RANK_ORDER[match.candidate.rank] + (len(MATCH_TYPES) if is_by_ortholog else 0)


def _compute_group_features(group: MentionGroup, context: DocumentContext, has_family: bool) -> list[float]:
    """The features that all candidates of a group share."""
    row = [0.0] * len(FEATURE_NAMES)
    text = next(iter(group.names))
    row[_INDEX["name: one or two characters"]] = float(len(text) < 3)
    row[_INDEX["name: three characters"]] = float(len(text) == 3)
    row[_INDEX["name: a small word"]] = float(text.isalpha() and text.islower())
    row[_INDEX["name: a plural"]] = float(len(text) > 3 and text.endswith("s") and not text.endswith("ss"))
    row[_INDEX["name: a family's"]] = float(has_family)
    row[_INDEX["name: several mentions"]] = float(len(group.mentions) > 1)
    row[_INDEX["name: in the first sentence"]] = float(group.mentions[0].sentence == 0)
    types = [mention.entity.type for mention in group.mentions]
    row[_INDEX["name: found as a family"]] = sum(type == FAMILY_NAME for type in types) / len(types)
    row[_INDEX["name: found as DNA or RNA"]] = sum(type == DNA_RNA for type in types) / len(types)
    row[_INDEX["name: found as a cell"]] = sum(type == CELL for type in types) / len(types)
    row[_INDEX["name: found as another thing"]] = sum(type == OTHER for type in types) / len(types)
    for index, value in context.text_features:
        row[index] = value
    row[_INDEX["bias"]] = 1.0
    return row


def _compute_row(
    match: CandidateMatch,
    is_by_ortholog: bool,
    group_features: list[float],
    ranks: Counter[tuple[str | None, int]],
    best_ranks: dict[str | None, int],
    n_names: int,
    is_from_long_form: bool,
    has_long_form_match: bool,
    group: MentionGroup,
    context: DocumentContext,
    preferred: str,
    symbols: Counter[str],
) -> list[float]:
    row = group_features.copy()
    candidate, query = match.candidate, match.query
    taxid = species_of(candidate)
    rank = _rank(match, is_by_ortholog)
    row[candidate.rank] = 1.0
    row[_INDEX["match: part of the mention"]] = float(query.form == PART)
    row[_INDEX["match: without words before it"]] = float(query.form == BARE)
    row[_INDEX["match: without a prefix"]] = float(query.form == PREFIXED)
    row[_INDEX["match: the first of a family"]] = float(query.form == MEMBER)
    row[_INDEX["match: by a relative's symbol"]] = float(is_by_ortholog)
    is_best = best_ranks[taxid] == rank
    is_unique = is_best and ranks[taxid, rank] == 1
    row[_INDEX["match: best of its species"]] = float(is_best)
    row[_INDEX["match: only one of its species"]] = float(is_unique)
    row[_INDEX["match: log of those as good, of its species"]] = math.log(ranks[taxid, rank])
    row[_INDEX["match: several names of the group"]] = float(n_names > 1)
    row[_INDEX["match: another name of the text"]] = float(context.group_counts[candidate.identifier] > 1)
    n_relatives = symbols[candidate.symbol.lower()] - (not is_by_ortholog)
    row[_INDEX["match: also a relative's of that symbol"]] = float(n_relatives > 0)
    row[_INDEX["match: also two relatives' of that symbol"]] = float(n_relatives > 1)
    row[_INDEX["match: a symbol, as written or normalized"]] = float(candidate.is_symbol)
    row[_INDEX["match: prefix names its species"]] = float(query.taxid is not None and query.taxid == taxid)
    row[_INDEX["match: prefix names another species"]] = float(query.taxid is not None and query.taxid != taxid)
    if group.long_form is not None:
        row[_INDEX["long form: names it"]] = float(is_from_long_form)
        row[_INDEX["long form: names others"]] = float(has_long_form_match and not is_from_long_form)
        row[_INDEX["long form: unknown"]] = float(not has_long_form_match)
    number = candidate.identifier.removeprefix("ncbigene:")
    if number.isdigit():
        row[_INDEX["gene: log of its number"]] = math.log10(int(number)) / 4
        row[_INDEX["gene: has a number"]] = 1.0
    _add_species_features(row, taxid, group, context.species, context.nearest_species.get(group.key))
    if taxid == preferred:
        row[_INDEX["species: preferred"]] = 1.0
        row[_INDEX["species: preferred, only one of it"]] = float(is_unique)
        row[_INDEX["species: preferred, exact symbol"]] = float(candidate.how == EXACT_SYMBOL)
    _add_case_features(row, query.text, taxid)
    return row


def _add_species_features(
    row: list[float],
    taxid: str | None,
    group: MentionGroup,
    species: DocumentSpecies,
    nearest_species: Counter[str] | None,
) -> None:
    if group.species is not None:
        row[_INDEX["species: inside" if group.species == taxid else "species: another inside"]] = 1.0
    weight = 1.0 / len(group.mentions)
    for mention in group.mentions:
        neighbourhood = mention.neighbourhood
        if neighbourhood.before is not None:
            row[_INDEX["species: before" if neighbourhood.before == taxid else "species: another before"]] += weight
        if neighbourhood.after is not None:
            row[_INDEX["species: after" if neighbourhood.after == taxid else "species: another after"]] += weight
    if nearest_species:
        row[_INDEX["species: near this name elsewhere"]] = float(nearest_species[taxid or ""] > 0)
        row[_INDEX["species: share near this name"]] = nearest_species[taxid or ""] / nearest_species.total()
    if species.total:
        count = species.counts[taxid] if taxid is not None else 0
        row[_INDEX["species: share of the text"]] = count / species.total
        row[_INDEX["species: most named"]] = float(species.dominant == taxid)
        row[_INDEX["species: named first"]] = float(species.first == taxid)
        if not count:
            row[_INDEX["species: others named, human" if taxid == HUMAN else "species: others named, other"]] = 1.0
    else:
        row[_INDEX["species: none named, human" if taxid == HUMAN else "species: none named, other"]] = 1.0
    if (column := _SPECIES_COLUMNS.get(taxid or "")) is not None:
        row[column] = 1.0


_CAPITALS, _ONE_CAPITAL, _SMALL, _MIXED = range(4)


@lru_cache(maxsize=4096)
def _classify_case(text: str) -> int:
    letters = [character for character in text if character.isalpha()]
    if " " in text or len(letters) < 2:
        return _MIXED
    if all(map(str.isupper, letters)):
        return _CAPITALS
    if not all(map(str.islower, letters[1:])):
        return _MIXED
    return _ONE_CAPITAL if letters[0].isupper() else _SMALL


def _add_case_features(row: list[float], text: str, taxid: str | None) -> None:
    letter_case = _classify_case(text)
    if letter_case == _CAPITALS:
        row[_INDEX["case: capitals, human" if taxid == HUMAN else "case: capitals, other"]] = 1.0
    elif letter_case == _ONE_CAPITAL:
        row[_INDEX["case: one capital, rodent" if taxid in (MOUSE, RAT) else "case: one capital, other"]] = 1.0
    elif letter_case == _SMALL:
        row[_INDEX["case: small, fish or fly" if taxid in (ZEBRAFISH, FLY) else "case: small, other"]] = 1.0


_SPECIES_COLUMNS = {
    HUMAN: _INDEX["species: human"],
    MOUSE: _INDEX["species: mouse"],
    RAT: _INDEX["species: rat"],
}
