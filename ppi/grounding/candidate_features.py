"""Computes the features of grounding candidates, for a score that is learned.

Of a candidate of a group of mentions: how well which of its names matched; how many others match as well; what the
abbreviation stands for; which organisms the text names near the mentions, and in all; how the name looks.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat
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
#: Organisms that have separate features.
_SPECIES_LABELS = {HUMAN: "human", MOUSE: "mouse", RAT: "rat"}
_CAPITALS, _ONE_CAPITAL, _SMALL = "capitals", "one capital", "small"
#: Whose symbols are usually written so.
_SPECIES_BY_CASE = {
    _CAPITALS: ("human", (HUMAN,)),
    _ONE_CAPITAL: ("rodent", (MOUSE, RAT)),
    _SMALL: ("fish or fly", (ZEBRAFISH, FLY)),
}
#: Which match is better within a species: a symbol, however spelled, before a synonym as it is spelled.
_RANK_ORDER = {rank: place for place, rank in enumerate((0, 3, 1, 4, 2, 5, *range(6, len(MATCH_TYPES))))}

_OTHER_FEATURES = """
    match: part of the mention; match: without words before it; match: without a prefix; match: the first of a family;
    match: by a relative's symbol; match: best of its species; match: only one of its species;
    match: log of those as good, of its species; match: several names of the group; match: another name of the text;
    match: also a relative's of that symbol; match: also two relatives' of that symbol;
    match: a symbol, as written or normalized; match: prefix names its species; match: prefix names another species;
    name: one or two characters; name: three characters; name: a small word; name: a plural; name: a family's;
    name: several mentions; name: in the first sentence; name: found as a family; name: found as DNA or RNA;
    name: found as a cell; name: found as another thing;
    long form: names it; long form: names others; long form: unknown; gene: log of its number; gene: has a number;
    species: inside; species: another inside; species: before; species: another before; species: after;
    species: another after; species: near this name elsewhere; species: share near this name;
    species: share of the text; species: most named; species: named first;
    text: share of other organisms; text: share of human; text: share of mouse; text: share of rat;
    text: names an organism; text: share of names with one capital; text: share of names in capitals;
    text: animals' cues; text: people's cues;
    species: none named, human; species: none named, other; species: others named, human; species: others named, other;
    species: preferred; species: preferred, only one of it; species: preferred, exact symbol;
    case: capitals, human; case: capitals, other; case: one capital, rodent; case: one capital, other;
    case: small, fish or fly; case: small, other; species: human; species: mouse; species: rat; bias
"""
#: The columns, in the order of the model file; the first are the ranks of matches.
FEATURE_NAMES = (*(f"match: {match_type}" for match_type in MATCH_TYPES), *map(str.strip, _OTHER_FEATURES.split(";")))
_INDEX = {name: index for index, name in enumerate(FEATURE_NAMES)}


class DocumentContext(NamedTuple):
    """What all groups of a document share."""

    species: DocumentSpecies
    #: in how many groups a gene is a candidate
    group_counts: Counter[str]
    #: the organisms nearest to the mentions of a name, by its key
    nearest_species: dict[str, Counter[str]]
    #: features of the text as a whole
    text_features: dict[str, float]


def build_context(
    species: DocumentSpecies, group_counts: Counter[str], mention_groups: Sequence[MentionGroup]
) -> DocumentContext:
    """What all groups of a text with these groups share."""
    nearest_species: dict[str, Counter[str]] = {}
    for group in mention_groups:
        for mention in group.mentions:
            if mention.neighbourhood.nearest is not None:
                nearest_species.setdefault(group.key, Counter())[mention.neighbourhood.nearest] += 1
    names = [next(iter(group.names)) for group in mention_groups]
    cases = Counter(
        _classify_case(name) for name in names if " " not in name and len(name) > 2 and any(map(str.isalpha, name))
    )
    n_names, n_species = cases.total() or 1, species.total or 1
    text_features = {
        "text: share of other organisms": species.foreign_proportion,
        **{f"text: share of {label}": species.counts[taxid] / n_species for taxid, label in _SPECIES_LABELS.items()},
        "text: names an organism": float(species.total > 0),
        "text: share of names with one capital": cases[_ONE_CAPITAL] / n_names,
        "text: share of names in capitals": cases[_CAPITALS] / n_names,
        "text: animals' cues": math.log1p(species.animal_cues),
        "text: people's cues": math.log1p(species.people_cues),
    }
    return DocumentContext(species, group_counts, nearest_species, text_features)


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
    nearest = Counter(taxid for mention in group.mentions if (taxid := mention.neighbourhood.nearest) is not None)
    return nearest.most_common(1)[0][0] if nearest else species.dominant or HUMAN


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
    for match, is_by_ortholog in (*zip(matches, repeat(False)), *zip(ortholog_matches, repeat(True))):
        candidate = match.candidate
        if candidate.kind == GENE:
            current = best_matches.get(candidate.identifier)
            if current is None or (not is_by_ortholog and candidate.rank < current[0].candidate.rank):
                best_matches[candidate.identifier] = match, is_by_ortholog
            queries_by_id.setdefault(candidate.identifier, set()).add(match.query.text)
            if match.is_long:
                long_form_ids.add(candidate.identifier)
    symbols = Counter(
        match.candidate.symbol.lower() for match, is_by_ortholog in best_matches.values() if not is_by_ortholog
    )
    # species and rank within it, of the genes that are rated
    keys = {
        id: (species_of(match.candidate), _RANK_ORDER[match.candidate.rank] + len(MATCH_TYPES) * is_by_ortholog)
        for id, (match, is_by_ortholog) in best_matches.items()
        if _is_plausible(match, context.species)
    }
    counts = Counter(keys.values())
    best_ranks: dict[str | None, int] = {}
    for taxid, rank in counts:
        best_ranks[taxid] = min(best_ranks.get(taxid, rank), rank)
    preferred = infer_species(group, context.species)
    has_family = any(match.candidate.kind == FAMILY and match.candidate.rank < 9 for match in matches)
    group_row = _fill([0.0] * len(FEATURE_NAMES), {**_group_features(group, has_family), **context.text_features})
    genes = []
    for id, (taxid, rank) in keys.items():
        match, is_by_ortholog = best_matches[id]
        is_best = best_ranks[taxid] == rank
        is_unique = is_best and counts[taxid, rank] == 1
        n_relatives = symbols[match.candidate.symbol.lower()] - (not is_by_ortholog)
        features: dict[str, float] = {
            **_match_features(match, taxid),
            **_species_features(taxid, group, context),
            "match: by a relative's symbol": is_by_ortholog,
            "match: best of its species": is_best,
            "match: only one of its species": is_unique,
            "match: log of those as good, of its species": math.log(counts[taxid, rank]),
            "match: several names of the group": len(queries_by_id[id]) > 1,
            "match: another name of the text": context.group_counts[id] > 1,
            "match: also a relative's of that symbol": n_relatives > 0,
            "match: also two relatives' of that symbol": n_relatives > 1,
        }
        if group.long_form is not None:
            features["long form: names it"] = id in long_form_ids
            features["long form: names others"] = bool(long_form_ids) and id not in long_form_ids
            features["long form: unknown"] = not long_form_ids
        if taxid == preferred:
            features["species: preferred"] = 1.0
            features["species: preferred, only one of it"] = is_unique
            features["species: preferred, exact symbol"] = match.candidate.match_type == EXACT_SYMBOL
        genes.append(GeneFeatures(match, is_by_ortholog, _fill(group_row.copy(), features)))
    return genes


def _fill(row: list[float], features: Mapping[str, float]) -> list[float]:
    for name, value in features.items():
        row[_INDEX[name]] = float(value)
    return row


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


def _group_features(group: MentionGroup, has_family: bool) -> dict[str, float]:
    """The features that all candidates of a group share."""
    text = next(iter(group.names))
    types = Counter(mention.entity.type for mention in group.mentions)
    n_mentions = len(group.mentions)
    return {
        "name: one or two characters": len(text) < 3,
        "name: three characters": len(text) == 3,
        "name: a small word": text.isalpha() and text.islower(),
        "name: a plural": len(text) > 3 and text.endswith("s") and not text.endswith("ss"),
        "name: a family's": has_family,
        "name: several mentions": n_mentions > 1,
        "name: in the first sentence": group.mentions[0].sentence == 0,
        "name: found as a family": types[FAMILY_NAME] / n_mentions,
        "name: found as DNA or RNA": types[DNA_RNA] / n_mentions,
        "name: found as a cell": types[CELL] / n_mentions,
        "name: found as another thing": types[OTHER] / n_mentions,
        "bias": 1.0,
    }


def _match_features(match: CandidateMatch, taxid: str | None) -> dict[str, float]:
    """How the name was found, what number the gene has, and whether its species writes symbols in this case."""
    candidate, query = match.candidate, match.query
    features: dict[str, float] = {
        FEATURE_NAMES[candidate.rank]: 1.0,
        "match: part of the mention": query.form == PART,
        "match: without words before it": query.form == BARE,
        "match: without a prefix": query.form == PREFIXED,
        "match: the first of a family": query.form == MEMBER,
        "match: a symbol, as written or normalized": candidate.is_symbol,
        "match: prefix names its species": query.taxid is not None and query.taxid == taxid,
        "match: prefix names another species": query.taxid is not None and query.taxid != taxid,
    }
    number = candidate.identifier.removeprefix("ncbigene:")
    if number.isdigit():
        features |= {"gene: log of its number": math.log10(int(number)) / 4, "gene: has a number": 1.0}
    if (letter_case := _classify_case(query.text)) is not None:
        label, taxids = _SPECIES_BY_CASE[letter_case]
        features[f"case: {letter_case}, {label if taxid in taxids else 'other'}"] = 1.0
    return features


def _species_features(taxid: str | None, group: MentionGroup, context: DocumentContext) -> dict[str, float]:
    """How the species of a gene fits the organisms that the text names."""
    species = context.species
    features: defaultdict[str, float] = defaultdict(float)
    if group.species is not None:
        features["species: inside" if group.species == taxid else "species: another inside"] = 1.0
    weight = 1.0 / len(group.mentions)
    for mention in group.mentions:
        before, after = mention.neighbourhood.before, mention.neighbourhood.after
        if before is not None:
            features["species: before" if before == taxid else "species: another before"] += weight
        if after is not None:
            features["species: after" if after == taxid else "species: another after"] += weight
    if nearest_species := context.nearest_species.get(group.key):
        features["species: near this name elsewhere"] = nearest_species[taxid or ""] > 0
        features["species: share near this name"] = nearest_species[taxid or ""] / nearest_species.total()
    who = "human" if taxid == HUMAN else "other"
    if species.total:
        count = species.counts[taxid] if taxid is not None else 0
        features["species: share of the text"] = count / species.total
        features["species: most named"] = species.dominant == taxid
        features["species: named first"] = species.first == taxid
        if not count:
            features[f"species: others named, {who}"] = 1.0
    else:
        features[f"species: none named, {who}"] = 1.0
    if (label := _SPECIES_LABELS.get(taxid or "")) is not None:
        features[f"species: {label}"] = 1.0
    return features


@lru_cache(maxsize=4096)
def _classify_case(text: str) -> str | None:
    """How a word is written; None if it is mixed, or several words."""
    letters = [character for character in text if character.isalpha()]
    if " " in text or len(letters) < 2:
        return None
    if all(map(str.isupper, letters)):
        return _CAPITALS
    if not all(map(str.islower, letters[1:])):
        return None
    return _ONE_CAPITAL if letters[0].isupper() else _SMALL
