"""The names of a document, each once: mentions that must be of one thing, with the candidates of all their spellings.

Mentions are one group if their names are equal after normalization, without organisms before them, or if one is the
long form of the other's abbreviation; unless the organism that is named inside them, or nearest in their sentence,
differs: a text may compare human with mouse Smad3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from corpora.types import Document, Entity
from ppi.grounding.candidate import FIELDS, GENE, GroundingCandidate
from ppi.grounding.coordination import find_cell_markers, split_coordination
from ppi.grounding.identity import get_long_form
from ppi.grounding.normalization import normalize_name
from ppi.grounding.species import DocumentSpecies, Neighbourhood
from ppi.grounding.variants import MEMBER, PART, NameQuery, generate_queries, strip_modifiers
from ppi.pipeline.kinds import CELL

Lookup = Callable[[str], Sequence[GroundingCandidate]]


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
    """The first query of a name that a lexicon knows, with its candidates.

    Words inside a longer name count only where they are a gene's symbol or synonym, or several words of its name.
    """
    for query in generate_queries(name):
        candidates = lookup(query.text)
        if query.form in (PART, MEMBER):
            candidates = [
                candidate for candidate in candidates if candidate.kind == GENE and _is_exact_or_normalized(candidate)
            ]
        if candidates:
            yield query, candidates
            return


def group_mentions(
    document: Document, species: DocumentSpecies, lookup: Lookup, is_eligible: Callable[[Entity], bool]
) -> list[MentionGroup]:
    """The groups of the mentions that are wanted, in text order; O(mentions).

    A mention of several names ("ERK1/2") belongs to a group for each.
    """
    long_forms = _collect_long_forms(document)
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
    """The names that a mention is made of: several only where no lexicon knows the whole; of cells their markers."""
    if entity.type == CELL or "+" in entity.text:
        return find_cell_markers(entity.text)
    member_names = _split_members(entity.text)
    if member_names and any(
        candidate.kind == GENE and _is_exact_or_normalized(candidate) for candidate in lookup(entity.text)
    ):
        return (entity.text,)
    return member_names or (entity.text,)


@lru_cache(maxsize=8192)
def _split_members(text: str) -> tuple[str, ...]:
    return tuple(split_coordination(text))


def _is_exact_or_normalized(candidate: GroundingCandidate) -> bool:
    return candidate.rank < len(FIELDS) * 2  # as written, or normalized


def _collect_long_forms(document: Document) -> dict[str, str]:
    """What the abbreviations of the document stand for; the first definition counts."""
    long_forms: dict[str, str] = {}
    for sentence in document.sentences:
        for entity in sentence.entities:
            if (long := get_long_form(entity)) is not None:
                long_forms.setdefault(_compute_key(entity.text), long)
    return long_forms


@lru_cache(maxsize=8192)
def _compute_key(text: str) -> str:
    return normalize_name(strip_modifiers(text)) or text
