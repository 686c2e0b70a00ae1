"""Lay out the index of a run as tables of DuckDB, connect to it, and read it.

``interaction`` has one row for each interaction: ``line`` holds all of it as JSON, so that it can be read back with one
access; the other columns are what is searched and summed up: the sentence in small letters, names, the numbers of the
two proteins, of the edge of the network, the paper and the sentence.  Numbers are given once and stay when parts are
added; the tables that sum up (``edge``, ``name``, ``known``) are then made anew from the others.

``stands`` is whether an interaction may support an edge: not two mentions of one protein, unless the text states that
it interacts with itself.  An edge's number is made of those of its source, its target and its relation, so nothing has
to be looked up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ppi.annotation import ProteinInfo, encodable_text
from ppi.core import DatabaseError, MissingExtraError
from ppi.export import PARQUET_COLUMNS

#: Another number: an index is made anew.
INDEX_VERSION = 1
#: Bits of an edge's number that are those of its target and of its relation.
TARGET_BITS, RELATION_BITS = 26, 11
MAX_PROTEINS, MAX_RELATIONS = 2**TARGET_BITS, 2**RELATION_BITS

#: Megabytes that DuckDB holds of pages and results when it searches, and when it makes an index.
SEARCH_MEGABYTES, INDEX_MEGABYTES = 150, 260
DUCKDB_THREADS = 2
#: How long a query may take.
QUERY_SECONDS = 30.0

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
    **{f"{name}_{which}": "VARCHAR" for name in ("name", "type", *ProteinInfo._fields) for which in (1, 2)},
    "aliases_1": "VARCHAR[]",
    "aliases_2": "VARCHAR[]",
}
_REDUNDANT_COLUMNS = {
    "path",
    *(f"{name}_{which}" for name in ("start", "end", "grounding", "aliases", *ProteinInfo._fields) for which in (1, 2)),
}
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
    connection.execute(
        f"""
        CREATE TABLE interaction ({columns});
        CREATE TABLE about (version INTEGER, made TIMESTAMP);
        CREATE TABLE part (name VARCHAR, size BIGINT, changed BIGINT);
        CREATE TABLE protein (id INTEGER, key VARCHAR);
        CREATE TABLE relation (id SMALLINT, type VARCHAR, sign VARCHAR, kind VARCHAR, directed BOOLEAN);
        CREATE TABLE paper (id INTEGER, name VARCHAR);
        CREATE TABLE sentence (id INTEGER, document VARCHAR, sentence_id VARCHAR);
        CREATE TABLE form (shown VARCHAR, form VARCHAR);
        INSERT INTO about VALUES ({INDEX_VERSION}, now());
        """
    )


def require_duckdb() -> Any:
    """The package ``duckdb``, or a MissingExtraError."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("duckdb", "database") from None
    return duckdb


def connect_for_reading(path: Path) -> Any:
    """A connection to an index that is only read; no other file can be reached through it."""
    return _connect(path, SEARCH_MEGABYTES, read_only=True, enable_external_access=False)


def connect_for_writing(path: Path, scratch: Path) -> Any:
    """A connection to an index that is being made; what does not fit into memory goes to ``scratch``."""
    return _connect(path, INDEX_MEGABYTES, temp_directory=str(scratch), preserve_insertion_order=False)


def _connect(path: Path, megabytes: int, *, read_only: bool = False, **settings: Any) -> Any:
    limits = {"memory_limit": f"{megabytes}MB", "threads": DUCKDB_THREADS}
    no_extensions = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    return require_duckdb().connect(str(path), read_only=read_only, config=limits | no_extensions | settings)


class Reader:
    """Queries of an index: SQL that is written in this package, and values that are bound to it."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def rows(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of the answer; DatabaseError if the query is too slow."""
        duckdb = require_duckdb()
        cursor = self._connection.cursor()  # one per query, so that threads do not share one
        timer = threading.Timer(QUERY_SECONDS, cursor.interrupt)
        timer.start()
        try:
            rows: list[tuple[Any, ...]] = cursor.execute(sql, map_texts(values, encodable_text)).fetchall()
            return rows
        except duckdb.InterruptException:
            raise DatabaseError(
                f"expected a query that is answered within {QUERY_SECONDS:g} seconds, got a slower one; ask for less"
            ) from None
        finally:
            timer.cancel()
            cursor.close()

    def column(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
        """The first value of each row."""
        return [row[0] for row in self.rows(sql, values)]

    def close(self) -> None:
        """Let go of the index."""
        self._connection.close()


def map_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A value with ``change`` done to every text in it, however nested.

    >>> map_texts({"names": ["a", 1]}, str.upper)
    {'names': ['A', 1]}
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: map_texts(item, change) for name, item in value.items()}
    return [map_texts(item, change) for item in value] if isinstance(value, list | tuple) else value
