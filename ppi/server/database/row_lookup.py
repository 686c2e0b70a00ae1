"""Read proteins, sentences and pairs back from rows of an index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields

from corpora import CorpusError, printable
from ppi.core import DatabaseError
from ppi.export import interaction_of
from ppi.server.database.index import LINE_COLUMNS, Reader
from ppi.server.database.result_types import FoundPair, FoundSentence, KnownProtein

_PROTEIN_COLUMNS = [field.name for field in fields(KnownProtein)]
_PAIR_COLUMNS = [field.name for field in fields(FoundPair) if field.name not in ("source", "target", "best")]
_SELECT_SENTENCES = """
    SELECT i.rowid, i.line, i.year, a.key, b.key
    FROM interaction AS i JOIN known AS a ON a.id = i.first JOIN known AS b ON b.id = i.second
"""


def fetch_proteins(reader: Reader, numbers: Sequence[int]) -> list[KnownProtein]:
    """The proteins of these numbers, in their order."""
    sql = f"SELECT id, {', '.join(_PROTEIN_COLUMNS)} FROM known WHERE id IN (SELECT unnest(?::INTEGER[]))"
    rows = reader.rows(sql, [numbers])
    proteins = {number: KnownProtein(key, label, tuple(names), *rest) for number, key, label, names, *rest in rows}
    return [proteins[number] for number in numbers]


def fetch_sentences(reader: Reader, numbers: Sequence[int]) -> list[FoundSentence]:
    """The interactions of these rows, in their order."""
    if not numbers:
        return []
    rows = reader.rows(f"{_SELECT_SENTENCES} WHERE i.rowid IN (SELECT unnest(?::BIGINT[]))", [numbers])
    sentences = {number: _decode_sentence(*row) for number, *row in rows}
    return [sentences[number] for number in numbers]


def _decode_sentence(line: str, year: int | None, first_key: str, second_key: str) -> FoundSentence:
    cells = dict(zip(LINE_COLUMNS, json.loads(line), strict=True))
    try:
        interaction, pubmed = interaction_of(cells)
    except CorpusError as error:
        raise DatabaseError(
            f"document {printable(cells['document'])!r}, pair {printable(cells['pair'])!r}: {error}"
        ) from None
    return FoundSentence(interaction, pubmed, year, (first_key, second_key))


def fetch_pairs(reader: Reader, numbers: Sequence[int], *, sentences: bool = True) -> list[FoundPair]:
    """The edges of these rows, in their order, with their proteins and, if wanted, their best sentences."""
    columns = ", ".join(_PAIR_COLUMNS)
    sql = f"SELECT rowid, best, source, target, {columns} FROM edge WHERE rowid IN (SELECT unnest(?::BIGINT[]))"
    by_number = {number: row for number, *row in reader.rows(sql, [numbers])}
    rows = [by_number[number] for number in numbers]
    ends = list(dict.fromkeys(end for _, source, target, *_ in rows for end in (source, target)))
    proteins = dict(zip(ends, fetch_proteins(reader, ends)))
    best = fetch_sentences(reader, [row[0] for row in rows]) if sentences else [None] * len(rows)
    return [
        FoundPair(source=proteins[source], target=proteins[target], best=sentence, **dict(zip(_PAIR_COLUMNS, cells)))
        for (_, source, target, *cells), sentence in zip(rows, best)
    ]
