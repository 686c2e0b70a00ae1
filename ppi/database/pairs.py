"""Pairs of proteins read from an index."""

from __future__ import annotations

from collections.abc import Sequence

from ppi.database.connection import Reader
from ppi.database.proteins import fetch_proteins
from ppi.database.sentences import fetch_sentences
from ppi.database.types import FoundPair

_PAIR_COLUMNS = (
    *("type", "sign", "kind", "directed", "probability", "papers", "sentences", "mentions", "hedged", "negated"),
    *("first_year", "last_year"),
)
_SELECT_PAIRS = f"SELECT rowid, source, target, best, {', '.join(_PAIR_COLUMNS)} FROM edge"


def fetch_pairs(reader: Reader, numbers: Sequence[int], *, sentences: bool = True) -> list[FoundPair]:
    """The edges of these rows, in their order, with their proteins and, if wanted, their best sentences."""
    numbered_rows = reader.rows(f"{_SELECT_PAIRS} WHERE rowid IN (SELECT unnest(?::BIGINT[]))", [list(numbers)])
    by_number = {number: row for number, *row in numbered_rows}
    rows = [by_number[number] for number in numbers]
    ends = list(dict.fromkeys(end for row in rows for end in row[:2]))
    proteins = dict(zip(ends, fetch_proteins(reader, ends)))
    best = fetch_sentences(reader, [row[2] for row in rows]) if sentences else [None] * len(rows)
    return [
        FoundPair(source=proteins[source], target=proteins[target], best=sentence, **dict(zip(_PAIR_COLUMNS, fields)))
        for (source, target, _, *fields), sentence in zip(rows, best)
    ]
