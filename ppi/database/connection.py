"""Connections to DuckDB: how much memory and how many threads, and nothing that a query could reach outside."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ppi.annotation.characters import encodable_text
from ppi.errors import DatabaseError, MissingExtraError

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
