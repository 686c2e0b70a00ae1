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

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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


# Connections to DuckDB: how much memory and how many threads, and nothing that a query could reach outside.

#: Megabytes that DuckDB holds of pages and results when it searches, and when it makes an index.
SEARCH_MEGABYTES, INDEX_MEGABYTES = 150, 260
DUCKDB_THREADS = 2
#: How long a query may take.
QUERY_SECONDS = 30.0


def require_duckdb() -> Any:
    """The package ``duckdb``, or a MissingExtraError."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("duckdb", "database") from None
    return duckdb


def connect_for_reading(path: Path, *, megabytes: int = SEARCH_MEGABYTES, threads: int = DUCKDB_THREADS) -> Any:
    """A connection to an index that is only read; no other file can be reached through it."""
    settings = {
        "memory_limit": f"{megabytes}MB",
        "threads": threads,
        "enable_external_access": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    return require_duckdb().connect(str(path), read_only=True, config=settings)


def connect_for_writing(
    path: Path, scratch: Path, *, megabytes: int = INDEX_MEGABYTES, threads: int = DUCKDB_THREADS
) -> Any:
    """A connection to an index that is being made; what does not fit into memory goes to ``scratch``."""
    settings = {
        "memory_limit": f"{megabytes}MB",
        "threads": threads,
        "temp_directory": str(scratch),
        "preserve_insertion_order": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    return require_duckdb().connect(str(path), config=settings)


class Reader:
    """Queries of an index: SQL that stands in this room, and values that are bound to it."""

    def __init__(self, connection: Any, *, seconds: float = QUERY_SECONDS) -> None:
        self._connection = connection
        self._seconds = seconds

    def rows(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple]:
        """All rows of the answer."""
        with self._cursor(sql, values) as cursor:
            return cursor.fetchall()

    def records(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[dict[str, Any]]:
        """All rows of the answer, each by the names of its columns."""
        with self._cursor(sql, values) as cursor:
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row)) for row in cursor.fetchall()]

    def close(self) -> None:
        """Let go of the index."""
        self._connection.close()

    @contextmanager
    def _cursor(self, sql: str, values: Sequence[Any] | dict[str, Any]) -> Iterator[Any]:
        """The answer's cursor: one per query, so that threads do not share one; a slow query is interrupted."""
        duckdb = require_duckdb()
        cursor = self._connection.cursor()
        timer = threading.Timer(self._seconds, cursor.interrupt)
        timer.start()
        try:
            yield cursor.execute(sql, _encodable(values))
        except duckdb.InterruptException:
            raise DatabaseError(
                f"expected a query that is answered within {self._seconds:g} seconds, got a slower one; ask for less"
            ) from None
        finally:
            timer.cancel()
            cursor.close()


def _encodable(value: Any) -> Any:
    """A value, or several, without halves of surrogate pairs, which no encoding has."""
    if isinstance(value, str):
        return encodable_text(value)
    if isinstance(value, dict):
        return {name: _encodable(item) for name, item in value.items()}
    if isinstance(value, list | tuple) and any(isinstance(item, str | list) for item in value):
        return [_encodable(item) for item in value]
    return value
