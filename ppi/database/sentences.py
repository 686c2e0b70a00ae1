"""Interactions read back from an index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from corpora.errors import CorpusError, printable
from ppi.database.connection import Reader
from ppi.database.tables import LINE_COLUMNS
from ppi.database.types import FoundSentence
from ppi.errors import DatabaseError
from ppi.export.parquet import interaction_of

_SELECT_SENTENCES = """
    SELECT i.rowid AS number, i.line, i.year, a.key AS first, b.key AS second
    FROM interaction AS i JOIN known AS a ON a.id = i.first JOIN known AS b ON b.id = i.second
"""


def fetch_sentences(reader: Reader, numbers: Sequence[int]) -> list[FoundSentence]:
    """The interactions of these rows, in their order."""
    if not numbers:
        return []
    rows = reader.records(f"{_SELECT_SENTENCES} WHERE i.rowid IN (SELECT unnest(?::BIGINT[]))", [list(numbers)])
    by_number = {row["number"]: row for row in rows}
    return [_decode_sentence(by_number[number]) for number in numbers]


def fetch_sentence(reader: Reader, document: str, pair: str) -> FoundSentence | None:
    """The interaction of that pair of that document, if there is one."""
    rows = reader.rows("SELECT rowid FROM interaction WHERE document = ? AND pair = ? LIMIT 1", [document, pair])
    return fetch_sentences(reader, [rows[0][0]])[0] if rows else None


def fetch_same_sentence(reader: Reader, document: str, pair: str) -> list[FoundSentence]:
    """All interactions of the sentence that the pair stands in, in the order of the run."""
    rows = reader.rows(
        "SELECT rowid FROM interaction WHERE place IN "
        "(SELECT place FROM interaction WHERE document = ? AND pair = ?) ORDER BY rowid",
        [document, pair],
    )
    return fetch_sentences(reader, [row[0] for row in rows])


def fetch_sentences_by_key(reader: Reader, keys: Sequence[tuple[str, str]]) -> list[FoundSentence | None]:
    """The interactions of these documents and pairs, in their order; None for what there is not."""
    if not keys:
        return []
    documents, pairs = zip(*keys)
    rows = reader.rows(
        "SELECT min(i.rowid), i.document, i.pair FROM interaction AS i JOIN "
        "(SELECT DISTINCT unnest(?::VARCHAR[]) AS document, unnest(?::VARCHAR[]) AS pair) AS k "
        "ON i.document = k.document AND i.pair = k.pair GROUP BY i.document, i.pair",
        [list(documents), list(pairs)],
    )
    sentences = fetch_sentences(reader, [row[0] for row in rows])
    by_key = {(document, pair): sentence for (_, document, pair), sentence in zip(rows, sentences)}
    return [by_key.get(key) for key in keys]


def _decode_sentence(row: dict[str, Any]) -> FoundSentence:
    cells = dict(zip(LINE_COLUMNS, json.loads(row["line"]), strict=True))
    try:
        interaction, pubmed = interaction_of(cells)
    except CorpusError as error:
        raise DatabaseError(
            f"document {printable(cells['document'])!r}, pair {printable(cells['pair'])!r}: {error}"
        ) from None
    return FoundSentence(interaction, pubmed, row["year"], (row["first"], row["second"]))
