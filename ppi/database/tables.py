"""The tables of an index.

``interaction`` has one row for each interaction: ``line`` holds all of it as JSON, so that it can be read back with one
access; the other columns are what is searched and summed up: the sentence in small letters, names, the numbers of the
two proteins, of the edge of the network, the paper and the sentence.  Numbers are given once and stay when parts are
added; the tables that sum up (``edge``, ``name``, ``known``) are then made anew from the others.

``stands`` says whether an interaction may support an edge: not two mentions of one protein, unless the text states that
it interacts with itself.  An edge's number is made of those of its source, its target and its relation, so nothing has
to be looked up.
"""

from __future__ import annotations

from typing import Any

from ppi.annotation.rows import ProteinInfo
from ppi.export.parquet import PARQUET_COLUMNS

#: Another number: an index is made anew.
INDEX_VERSION = 1
#: Bits of an edge's number that are those of its target and of its relation.
TARGET_BITS, RELATION_BITS = 26, 11
MAX_PROTEINS, MAX_RELATIONS = 2**TARGET_BITS, 2**RELATION_BITS

#: What makes a sentence doubtful, as bits of ``doubt``; 0 is stated.
HEDGED, NEGATED = 1, 2
DOUBTS = range(4)

#: Columns of the Parquet parts that are kept as they are, beside the line.
COPIED_COLUMNS = {
    "document": "VARCHAR",
    "pair": "VARCHAR",
    "probability": "DOUBLE",
    "type": "VARCHAR",
    "year": "SMALLINT",
    **{
        f"{name}_{which}": kind
        for name, kind in (
            *((name, "VARCHAR") for name in ("name", "type", *ProteinInfo._fields)),
            ("aliases", "VARCHAR[]"),
        )
        for which in (1, 2)
    },
}
_REDUNDANT_COLUMNS = {
    "path",
    *(f"{name}_{which}" for name in ("start", "end", "grounding", "aliases") for which in (1, 2)),
}
_REDUNDANT_COLUMNS |= {f"{name}_{which}" for name in ProteinInfo._fields for which in (1, 2)}
#: Columns of the Parquet parts of which an interaction is read back: a line is the JSON array of their cells.
LINE_COLUMNS = tuple(name for name in PARQUET_COLUMNS if name not in _REDUNDANT_COLUMNS)
#: What the index adds.
DERIVED_COLUMNS = {
    "line": "VARCHAR",
    "words": "VARCHAR",
    "sure_1": "BOOLEAN",
    "sure_2": "BOOLEAN",
    "first": "INTEGER",
    "second": "INTEGER",
    "edge": "BIGINT",
    "paper": "INTEGER",
    "place": "INTEGER",
    "type_probability": "DOUBLE",
    "doubt": "TINYINT",
    "stands": "BOOLEAN",
}


def create_tables(connection: Any) -> None:
    """Empty tables in a new index."""
    columns = ", ".join(f'"{name}" {kind}' for name, kind in {**COPIED_COLUMNS, **DERIVED_COLUMNS}.items())
    connection.execute(f"CREATE TABLE interaction ({columns})")
    connection.execute("CREATE TABLE about (version INTEGER, made TIMESTAMP)")
    connection.execute("CREATE TABLE part (name VARCHAR, size BIGINT, changed BIGINT)")
    connection.execute("CREATE TABLE protein (id INTEGER, key VARCHAR)")
    connection.execute(
        "CREATE TABLE relation (id SMALLINT, type VARCHAR, sign VARCHAR, kind VARCHAR, directed BOOLEAN)"
    )
    connection.execute("CREATE TABLE paper (id INTEGER, name VARCHAR)")
    connection.execute("CREATE TABLE sentence (id INTEGER, document VARCHAR, sentence_id VARCHAR)")
    connection.execute("CREATE TABLE form (shown VARCHAR, form VARCHAR)")
    connection.execute("INSERT INTO about VALUES (?, now())", [INDEX_VERSION])
