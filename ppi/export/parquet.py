"""Parquet: the columns of the CSV table, typed, in row groups as the documents come.

Identifiers and other names are lists of strings, spans lists of ``{start, end}``, ``negated``, ``hedged``, ``same`` and
``homo`` booleans; texts are exactly as they are, apart from halves of surrogate pairs.  Further columns are there to
read the interactions back: ``offset`` of the sentence, ``entity_1``, ``type_1``, ``remarks_1`` of the mentions,
``aliases`` as in JSON lines.  The metadata names the schema under ``ppi-miner.schema``.  A file without the columns for
types is read as interactions without types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from corpora import TYPES, CorpusError, truncate_repr
from ppi.annotation import (
    LOSSLESS_COLUMNS,
    AnnotatedDocument,
    Column,
    Interaction,
    InteractionRow,
    encodable_text,
    from_json,
    interaction_rows,
)
from ppi.annotation import SCHEMA as JSON_SCHEMA
from ppi.core import MissingExtraError

SCHEMA = "ppi-interactions/1"
PARQUET_COLUMNS = tuple(column.name for column in LOSSLESS_COLUMNS)
#: Columns that are fields of JSON lines as they are.
_UNCHANGED_COLUMNS = (
    *("document", "pubmed", "sentence_id", "pair", "sentence", "offset", "probability", "score"),
    *("type", "sign", "kind", "negated", "hedged", "same", "homo"),
)
#: Rows that are held and written together.
GROUP_ROWS = 10_000


def write_parquet(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write all interactions, :data:`GROUP_ROWS` at a time in memory.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    _, pq = require_pyarrow()
    with pq.ParquetWriter(output, arrow_schema(), compression="zstd") as file:
        for table in make_arrow_tables(annotated):
            file.write_table(table, row_group_size=GROUP_ROWS)


def make_arrow_tables(annotated: Iterable[AnnotatedDocument]) -> Iterator[Any]:
    """All interactions as tables of Arrow, :data:`GROUP_ROWS` rows each."""
    pa, _ = require_pyarrow()
    schema, rows = arrow_schema(), interaction_rows(annotated)
    while group := list(islice(rows, GROUP_ROWS)):
        arrays = [
            pa.array([_cell(column, row) for row in group], schema.field(column.name).type)
            for column in LOSSLESS_COLUMNS
        ]
        yield pa.Table.from_arrays(arrays, schema=schema)


def read_parquet(path: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of a file that :func:`write_parquet` wrote, each with its PubMed id if known; a row group in memory.

    Raises
    ------
    CorpusError
        If the file cannot be read or is another table; with the row, if one is no interaction.
    """
    row = 0
    for table in read_parquet_tables(path):
        for cells in table.to_pylist():
            row += 1
            try:
                yield interaction_of(cells)
            except CorpusError as error:
                raise error.with_location(str(path), row) from None


def read_parquet_tables(path: str | Path) -> Iterator[Any]:
    """The same file as tables of Arrow, a row group at a time, with every column that the file has of ours.

    Raises
    ------
    CorpusError
        If the file cannot be read or is another table.
    """
    pa, pq = require_pyarrow()
    try:
        with pq.ParquetFile(path) as file:
            schema = (file.schema_arrow.metadata or {}).get(b"ppi-miner.schema")
            if schema != SCHEMA.encode():
                raise CorpusError(f"expected a table of the schema {SCHEMA!r}, got {truncate_repr(schema)}")
            columns = _select_columns(file.schema_arrow)
            for batch in file.iter_batches(GROUP_ROWS, columns=columns):
                yield pa.Table.from_batches([batch])
    except CorpusError as error:
        raise error.with_location(str(path), None) from None
    except (OSError, pa.ArrowException) as error:
        message = " ".join(str(error).split())[:200]
        raise CorpusError(f"expected a complete Parquet file of interactions, got: {message}", path=path) from None


def interaction_of(cells: dict[str, Any]) -> tuple[Interaction, str | None]:
    """The interaction of a row, by the names of its columns, and its PubMed id if it has one.

    Raises
    ------
    CorpusError
        If it is none.
    """
    return from_json(_as_json(cells))


def _select_columns(schema: Any) -> list[str]:
    """The columns to read, if they are there and of the types that :func:`write_parquet` gives them."""
    for column, field in zip(LOSSLESS_COLUMNS, arrow_schema(), strict=True):
        if column.name not in schema.names:
            if column.optional:
                continue
            raise CorpusError(f"expected a column {column.name!r}, got none; give a file that `ppi annotate` wrote")
        if schema.names.count(column.name) > 1:
            raise CorpusError(f"expected one column {column.name!r}, got several")
        if not schema.field(column.name).type.equals(field.type):
            raise CorpusError(
                f"expected the column {column.name!r} of type {field.type}, got {schema.field(column.name).type}"
            )
    return [name for name in PARQUET_COLUMNS if name in schema.names]


def _as_json(cells: dict[str, Any]) -> dict[str, Any]:
    """A row as a line of JSON lines has it, whose checks are then those of both."""
    entity_ids = {1: cells["entity_1"], 2: cells["entity_2"], None: None}
    fields = {
        "schema": JSON_SCHEMA,
        **{name: cells.get(name) for name in _UNCHANGED_COLUMNS},
        "proteins": [_protein(cells, which) for which in (1, 2)],
        "types": {type: value for type in TYPES if (value := cells.get(f"probability_{type}")) is not None},
        **{name: entity_ids.get(cells.get(name), cells.get(name)) for name in ("agent", "target")},
        "aliases": _read_aliases(cells.get("aliases")),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _read_aliases(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        raise CorpusError(f"expected JSON as 'aliases', got {truncate_repr(text)}") from None


def _protein(cells: dict[str, Any], which: int) -> dict[str, Any]:
    offset = cells["offset"] or 0
    spans, infons = cells[f"spans_{which}"] or (), cells[f"remarks_{which}"] or ()
    return {
        "id": cells[f"entity_{which}"],
        "text": cells[f"name_{which}"],
        "spans": [[_shift_bound(span, "start", offset), _shift_bound(span, "end", offset)] for span in spans],
        "type": cells[f"type_{which}"],
        "identifiers": cells[f"identifiers_{which}"] or [],
        "infons": [[infon and infon["key"], infon and infon["value"]] for infon in infons],
    }


def _shift_bound(span: dict[str, int | None] | None, end: str, offset: int) -> int | None:
    """A bound as it is relative to the sentence; None, which is refused as no number, where there is none."""
    bound = None if span is None else span[end]
    return None if bound is None else bound - offset


def require_pyarrow() -> tuple[Any, Any]:
    """The packages ``pyarrow`` and ``pyarrow.parquet``, or a MissingExtraError."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    return pa, pq


def arrow_schema() -> Any:
    """The schema of the files, of Arrow."""
    pa, _ = require_pyarrow()
    types = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "spans": pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())])),
        "infons": pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())])),
    }
    fields = [(column.name, types[column.type]) for column in LOSSLESS_COLUMNS]
    return pa.schema(fields, metadata={"ppi-miner.schema": SCHEMA})


def _cell(column: Column, row: InteractionRow) -> Any:
    value = column.value(row)
    if isinstance(value, str):
        return encodable_text(value)
    if column.type == "texts":
        return [encodable_text(text) for text in value]
    if column.type == "spans":
        return [{"start": start, "end": end} for start, end in value]
    if column.type == "infons":
        return [{"key": encodable_text(key), "value": encodable_text(text)} for key, text in value]
    return value
