"""Pairs of proteins read from an index."""

from __future__ import annotations

from typing import Any

from ppi.database.connection import Reader
from ppi.database.proteins import fetch_proteins
from ppi.database.sentences import fetch_sentences
from ppi.database.types import FoundPair

_COUNTS = "probability, papers, sentences, mentions, hedged, negated, first_year, last_year"
_SELECT = f"SELECT source, target, type, sign, kind, directed, {_COUNTS}, best FROM edge WHERE"


def fetch_pairs(reader: Reader, where: str, values: dict[str, Any], *, sentences: bool = True) -> list[FoundPair]:
    """The edges that a condition of this room selects, with their proteins and, if wanted, their best sentences."""
    rows = reader.rows(f"{_SELECT} {where}", values)
    numbers = list(dict.fromkeys(number for row in rows for number in row[:2]))
    proteins = dict(zip(numbers, fetch_proteins(reader, numbers)))
    best = fetch_sentences(reader, [row[-1] for row in rows]) if sentences else [None] * len(rows)
    return [
        FoundPair(proteins[source], proteins[target], *rest, best=told)
        for (source, target, *rest, _), told in zip(rows, best)
    ]
