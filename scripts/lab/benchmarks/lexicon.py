"""The lexicon that ships: its size, and loading, memory and look-ups against plain dictionaries of the same names.

The dictionaries hold every form of every name as Python objects, so that nothing is decided when a name is looked up:
the fastest way to find one, and the largest.  ``scale`` shrinks the number of entries.
"""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lab.benchmarks.figure import Figure, relative_cost, speedup
from lab.frame.clock import cpu_seconds
from lab.training import shipped
from ppi.grounding import (
    FIELDS,
    LEVELS,
    MATCH_TYPES,
    GroundingCandidate,
    Lexicon,
    LexiconEntry,
    LexiconTable,
    Spelling,
    make_spelling,
    read_table,
)

#: Names asked for: as they are listed, changed a little, and absent.
ASKED = 3000


def run(scale: float = 1.0, path: Path = shipped.LEXICON) -> Iterator[Figure]:
    """Megabytes of the file and in memory, seconds to load, and look-ups against dictionaries."""
    size = path.stat().st_size / 1e6
    yield Figure("file, megabytes", size, "lower", 12, 8, True, 0.0, 0.0)
    seconds, table = cpu_seconds(lambda: read_table(path))
    yield Figure("loading, seconds", seconds, "lower", 0.5, 0.25, True, seconds, seconds)
    memory, _ = _megabytes(lambda: read_table(path))
    yield Figure("memory at most while loading, megabytes", memory, "lower", 150, 75, True, seconds, seconds)

    entries = list(entries_of(table, max(20, round(len(table.ids) * scale))))
    lexicon = Lexicon(entries)
    plain_memory, plain = _megabytes(lambda: PlainNames(entries))
    building, _ = cpu_seconds(lambda: PlainNames(entries), repeats=1)
    names = asked(entries, max(20, round(ASKED * scale)))
    same = all(lexicon.candidates(name) == plain.candidates(name) for name in names)
    yield speedup(
        "loading, against building dictionaries",
        seconds=seconds * len(entries) / len(table.ids),
        reference_seconds=building,
        bar=5,
        aim=20,
        same_answer=same,
    )
    ratio = plain_memory / (memory * len(entries) / len(table.ids))
    yield Figure("memory of dictionaries, times ours", ratio, "higher", 3, 5, same, seconds, building)
    ours, _ = cpu_seconds(lambda: [lexicon.candidates(name) for name in names])
    theirs, _ = cpu_seconds(lambda: [plain.candidates(name) for name in names])
    yield Figure("look-ups a second", len(names) / ours, "higher", 5_000, 10_000, same, ours, theirs)
    yield relative_cost(
        "look-ups, times those in dictionaries",
        seconds=ours,
        reference_seconds=theirs,
        bar=5,
        aim=3,
        same_answer=same,
    )


class PlainNames:
    """Dictionaries of the forms of names; for names without the special endings of groups and yeast."""

    def __init__(self, entries: Sequence[LexiconEntry]) -> None:
        self.entries = entries
        self.names: dict[str, list[tuple[int, int, Spelling]]] = {}
        for number, entry in enumerate(entries):
            for field, listed in enumerate(((entry.symbol,), entry.synonyms, entry.names)):
                for name in listed:
                    forms = make_spelling(name)
                    for key in {forms.letters or name, forms.stripped_letters or name}:
                        self.names.setdefault(key, []).append((number, field, forms))

    def candidates(self, name: str) -> tuple[GroundingCandidate, ...]:
        """As :meth:`ppi.grounding.Lexicon.candidates`."""
        forms = make_spelling(name, is_query=True)
        best: dict[int, int] = {}
        for key in {forms.letters or name, forms.stripped_letters or name}:
            for number, field, held in self.names.get(key, ()):
                level = forms.match_level(held)
                if level is not None:
                    rank = LEVELS.index(level) * len(FIELDS) + field
                    best[number] = min(best.get(number, rank), rank)
        found: dict[str, GroundingCandidate] = {}
        for rank, number in sorted((rank, number) for number, rank in best.items()):
            entry = self.entries[number]
            made = GroundingCandidate(
                entry.identifier, entry.symbol, entry.taxid, entry.kind, MATCH_TYPES[rank], entry.uniprot
            )
            found.setdefault(entry.identifier, made)
        return tuple(found.values())


def entries_of(table: LexiconTable, count: int) -> Iterator[LexiconEntry]:
    """The first entries of a table, and their names that are in its index."""
    indexed = set(table.name_of.tolist())
    for number in range(count):
        first = int(table.first_names[number])
        last = int(table.first_names[number + 1]) if number + 1 < len(table.ids) else len(table.names)
        names: tuple[list[str], ...] = ([], [], [])
        for name in range(first, last):
            if name in indexed:
                names[int(table.fields[name])].append(table.names[name])
        group = table.groups[table.group_of[number]]
        identifier = f"{group.prefix}:{table.ids[number]}"
        symbol = table.names[first]
        accession = table.uniprots[number] or None
        yield LexiconEntry(identifier, symbol, tuple(names[1]), tuple(names[2]), group.taxid, group.kind, accession)


def asked(entries: Sequence[LexiconEntry], count: int) -> list[str]:
    """Names to look up: a third as listed, a third with other accidents of spelling, a third absent."""
    chooser = random.Random(0)
    names = [
        name
        for entry in entries
        for name in (entry.symbol, *entry.synonyms, *entry.names)
        if not name.lower().endswith(("complex", "family", "p"))
    ]
    chosen = chooser.choices(names, k=count)
    third = count // 3
    spelled = [name.lower().replace("-", " ") for name in chosen[third : 2 * third]]
    return [*chosen[:third], *spelled, *(f"{name[::-1]}x7" for name in chosen[2 * third :])]


def _megabytes(make: Callable[[], Any]) -> tuple[float, Any]:
    tracemalloc.start()
    try:
        made = make()
        return tracemalloc.get_traced_memory()[1] / 1e6, made
    finally:
        tracemalloc.stop()
