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
from ppi.grounding.candidate import FIELDS, GENE, Candidate
from ppi.grounding.coordination import markers, members
from ppi.grounding.identity import long_form
from ppi.grounding.normalization import normalized
from ppi.grounding.species import Neighbourhood, TextSpecies
from ppi.grounding.variants import MEMBER, PART, Query, bare, queries
from ppi.pipeline.kinds import CELL

Lookup = Callable[[str], Sequence[Candidate]]


class Mention(NamedTuple):
    """An entity, the number of its sentence, and the organisms named around it."""

    sentence: int
    entity: Entity
    around: Neighbourhood


class Match(NamedTuple):
    """A candidate, by what name it was found, and whether that is the long form."""

    candidate: Candidate
    query: Query
    is_long: bool


@dataclass
class Group:
    """Mentions of one name; ``long_form`` is what its abbreviation stands for."""

    key: str
    species: str | None
    mentions: list[Mention] = field(default_factory=list)
    names: dict[str, bool] = field(default_factory=dict)
    long_form: str | None = None

    def matches(self, lookup: Lookup) -> Iterator[Match]:
        """The candidates of every spelling."""
        for name, is_long in self.names.items():
            for query, found in known(name, lookup):
                for candidate in found:
                    yield Match(candidate, query, is_long)


def known(name: str, lookup: Lookup) -> Iterator[tuple[Query, Sequence[Candidate]]]:
    """The first query of a name that a lexicon knows, with its candidates.

    Words inside a longer name count only where they are a gene's symbol or synonym, or several words of its name.
    """
    for query in queries(name):
        found = lookup(query.text)
        if query.form in (PART, MEMBER):
            found = [candidate for candidate in found if candidate.kind == GENE and _is_close(candidate)]
        if found:
            yield query, found
            return


def groups(document: Document, species: TextSpecies, lookup: Lookup, wanted: Callable[[Entity], bool]) -> list[Group]:
    """The groups of the mentions that are wanted, in text order; O(mentions).

    A mention of several names ("ERK1/2") belongs to a group for each.
    """
    long_forms = _long_forms(document)
    long_keys = {_key(long) for long in long_forms.values()}
    made: dict[tuple[str, str | None], Group] = {}
    for number, sentence in enumerate(document.sentences):
        for entity in sentence.entities:
            if not wanted(entity):
                continue
            around = species.around(number, entity.start, entity.end)
            for name in _names(entity, lookup):
                key = _key(name)
                long = long_forms.get(key)
                home = key if long is None else _key(long)
                group = made.setdefault((home, around.nearest), Group(home, around.inside))
                group.mentions.append(Mention(number, entity, around))
                group.names.setdefault(name, key in long_keys)
                if long is not None:
                    group.long_form = long
                    group.names.setdefault(long, True)
    return list(made.values())


def _names(entity: Entity, lookup: Lookup) -> Sequence[str]:
    """The names that a mention is made of: several only where no lexicon knows the whole; of cells their markers."""
    if entity.type == CELL or "+" in entity.text:
        return markers(entity.text)
    several = _members(entity.text)
    if several and any(candidate.kind == GENE and _is_close(candidate) for candidate in lookup(entity.text)):
        return (entity.text,)
    return several or (entity.text,)


@lru_cache(maxsize=8192)
def _members(text: str) -> tuple[str, ...]:
    return tuple(members(text))


def _is_close(candidate: Candidate) -> bool:
    return candidate.rank < len(FIELDS) * 2  # as written, or normalized


def _long_forms(document: Document) -> dict[str, str]:
    """What the abbreviations of the document stand for; the first definition counts."""
    found: dict[str, str] = {}
    for sentence in document.sentences:
        for entity in sentence.entities:
            if (long := long_form(entity)) is not None:
                found.setdefault(_key(entity.text), long)
    return found


@lru_cache(maxsize=8192)
def _key(text: str) -> str:
    return normalized(bare(text)) or text
