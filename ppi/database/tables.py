"""The tables of an index.

``interaction`` holds every column of the Parquet parts, so that an interaction can be read back, and numbers beside
them: of the two proteins, the edge of the network, the paper and the sentence.  Numbers are given once and stay when
parts are added; the tables that sum up (``edge``, ``name``, ``known``) are then made anew from the others.

``stands`` says whether an interaction may support an edge: not two mentions of one protein, unless the text states that
it interacts with itself.  An edge's number is made of those of its source, its target and its relation, so nothing has to be looked up.
"""

from __future__ import annotations

from typing import Any

from ppi.annotation.relationship import TYPES
from ppi.export.parquet import PARQUET_COLUMNS

#: Another number: an index is made anew.
VERSION = 1
#: Bits of an edge's number that are those of its target and of its relation.
TARGET_BITS, RELATION_BITS = 26, 11
MOST_PROTEINS, MOST_RELATIONS = 2**TARGET_BITS, 2**RELATION_BITS

#: What makes a sentence doubtful, as bits of ``doubt``; 0 is stated.
HEDGED, NEGATED = 1, 2
DOUBTS = range(4)

_SPANS = "STRUCT(start BIGINT, \"end\" BIGINT)[]"
_REMARKS = "STRUCT(key VARCHAR, value VARCHAR)[]"
_KINDS = {
    **dict.fromkeys(("start", "end", "offset", "agent", "target", "year"), "BIGINT"),
    **dict.fromkeys(("probability", "score", *(f"probability_{type}" for type in TYPES)), "DOUBLE"),
    **dict.fromkeys(("negated", "hedged", "same", "homo"), "BOOLEAN"),
    "spans": _SPANS,
    "identifiers": "VARCHAR[]",
    "remarks": _REMARKS,
}
#: Columns that end in a number and are lists all the same.
_LISTS = {"aliases_1": "VARCHAR[]", "aliases_2": "VARCHAR[]"}


def kind_of(column: str) -> str:
    """DuckDB's type of a column of the Parquet parts."""
    return _LISTS.get(column) or _KINDS.get(column.rstrip("12").rstrip("_"), "VARCHAR")


#: Columns of the Parquet parts, and what the index adds to each interaction.
RAW = tuple(PARQUET_COLUMNS)
ADDED = {
    "first": "INTEGER",
    "second": "INTEGER",
    "edge": "BIGINT",
    "relation": "SMALLINT",
    "paper": "INTEGER",
    "place": "INTEGER",
    "type_probability": "DOUBLE",
    "doubt": "TINYINT",
    "stands": "BOOLEAN",
}


def make_tables(connection: Any) -> None:
    """Empty tables in a new index."""
    columns = [f'"{name}" {kind_of(name)}' for name in RAW] + [f"{name} {kind}" for name, kind in ADDED.items()]
    connection.execute(f"CREATE TABLE interaction ({', '.join(columns)})")
    connection.execute("CREATE TABLE about (version INTEGER, made TIMESTAMP)")
    connection.execute("CREATE TABLE part (name VARCHAR, size BIGINT, changed BIGINT)")
    connection.execute("CREATE TABLE protein (id INTEGER, key VARCHAR)")
    connection.execute("CREATE TABLE relation (id SMALLINT, type VARCHAR, sign VARCHAR, kind VARCHAR, directed BOOLEAN)")
    connection.execute("CREATE TABLE paper (id INTEGER, name VARCHAR)")
    connection.execute("CREATE TABLE sentence (id INTEGER, document VARCHAR, sentence_id VARCHAR, words VARCHAR)")
    connection.execute("CREATE TABLE form (shown VARCHAR, form VARCHAR)")
    connection.execute("INSERT INTO about VALUES (?, now())", [VERSION])
