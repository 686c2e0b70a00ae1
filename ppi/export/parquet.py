"""Parquet: the columns of the CSV table, typed, in row groups as the documents come.

Identifiers and other names are lists of strings, spans lists of ``{start, end}``, ``negated``, ``hedged``, ``same`` and
``homo`` booleans; texts are exactly as they are, apart from halves of surrogate pairs.  Further columns are there to
read the interactions back: ``offset`` of the sentence, ``entity_1``, ``type_1``, ``remarks_1`` of the mentions,
``aliases`` as in JSON lines.  The metadata names the schema
under ``ppi-miner.schema``.  A file without the columns for types is read as interactions without types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from corpora import TYPES, CorpusError, truncate_repr
from ppi.annotation import (
    INTERACTION_COLUMNS,
    AnnotatedDocument,
    Interaction,
    InteractionRow,
    ProteinInfo,
    RowMention,
    aliases_to_json,
    encodable_text,
    from_json,
    interaction_rows,
)
from ppi.annotation import SCHEMA as JSON_SCHEMA
from ppi.core import MissingExtraError

SCHEMA = "ppi-interactions/1"
PARQUET_COLUMNS = (*INTERACTION_COLUMNS, "offset", "entity_1", "entity_2", "remarks_1", "remarks_2", "aliases")
#: Columns that files of models without types, or of earlier versions, or without what the lexicon knows, need not have.
_OPTIONAL_COLUMNS = frozenset(
    [
        *("type", "sign", "kind", "agent", "target", "negated", "hedged", *(f"probability_{type}" for type in TYPES)),
        *("aliases_1", "aliases_2", "same", "homo", "aliases", "year"),
        *(f"{name}_{which}" for name in ProteinInfo._fields for which in (1, 2)),
    ]
)
#: Columns that are fields of JSON lines as they are.
_UNCHANGED_COLUMNS = ("document", "pubmed", "sentence_id", "pair", "sentence", "offset", "probability", "score")
#: Rows that are held and written together.
GROUP_ROWS = 10_000


def write_parquet(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write all interactions, :data:`GROUP_ROWS` at a time in memory.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    pa, pq = require_pyarrow()
    with pq.ParquetWriter(output, _schema(pa), compression="zstd") as file:
        for table in make_arrow_tables(annotated):
            file.write_table(table, row_group_size=GROUP_ROWS)


def make_arrow_tables(annotated: Iterable[AnnotatedDocument]) -> Iterator[Any]:
    """All interactions as tables of Arrow, :data:`GROUP_ROWS` rows each."""
    pa, _ = require_pyarrow()
    schema = _schema(pa)
    for group in _batch_rows(interaction_rows(annotated)):
        cells = zip(*(_cells(row) for row in group), strict=True)
        arrays = [pa.array(values, field.type) for values, field in zip(cells, schema, strict=True)]
        yield pa.Table.from_arrays(arrays, schema=schema)


def read_parquet(path: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of a file that :func:`write` wrote, each with its PubMed id if known; a row group in memory.

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
            columns = _select_columns(file.schema_arrow, _schema(pa))
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


def _select_columns(schema: Any, expected_schema: Any) -> list[str]:
    """The columns to read, if they are there and of the types that :func:`write` gives them."""
    for field in expected_schema:
        if field.name not in schema.names:
            if field.name in _OPTIONAL_COLUMNS:
                continue
            raise CorpusError(f"expected a column {field.name!r}, got none; give a file that `ppi annotate` wrote")
        if schema.names.count(field.name) > 1:
            raise CorpusError(f"expected one column {field.name!r}, got several")
        if not schema.field(field.name).type.equals(field.type):
            raise CorpusError(
                f"expected the column {field.name!r} of type {field.type}, got {schema.field(field.name).type}"
            )
    return [name for name in PARQUET_COLUMNS if name in schema.names]


def _as_json(cells: dict[str, Any]) -> dict[str, Any]:
    """A row as a line of JSON lines has it, whose checks are then those of both."""
    entity_ids = {1: cells["entity_1"], 2: cells["entity_2"], None: None}
    fields = {
        "schema": JSON_SCHEMA,
        **{name: cells[name] for name in _UNCHANGED_COLUMNS},
        "proteins": [_protein(cells, which) for which in (1, 2)],
        "types": {type: value for type in TYPES if (value := cells.get(f"probability_{type}")) is not None},
        **{name: entity_ids.get(cells.get(name), cells.get(name)) for name in ("agent", "target")},
        **{name: cells.get(name) for name in ("type", "sign", "kind", "negated", "hedged", "same", "homo")},
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
    return _schema(require_pyarrow()[0])


def _schema(pa: Any) -> Any:
    spans = pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())]))
    types_by_name = {
        "start": pa.int64(),
        "end": pa.int64(),
        "spans": spans,
        "identifiers": pa.list_(pa.string()),
        "probability": pa.float64(),
        "score": pa.float64(),
        "offset": pa.int64(),
        "remarks": pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())])),
        "agent": pa.int64(),
        "target": pa.int64(),
        "year": pa.int64(),
        "negated": pa.bool_(),
        "hedged": pa.bool_(),
        "same": pa.bool_(),
        "homo": pa.bool_(),
        **{f"probability_{type}": pa.float64() for type in TYPES},
    }
    lists = dict.fromkeys(("aliases_1", "aliases_2"), pa.list_(pa.string()))
    plain = {name: types_by_name.get(name.rstrip("12").rstrip("_"), pa.string()) for name in PARQUET_COLUMNS}
    fields = list({**plain, **lists}.items())
    return pa.schema(fields, metadata={"ppi-miner.schema": SCHEMA})


def _batch_rows(rows: Iterator[InteractionRow]) -> Iterator[list[InteractionRow]]:
    while group := list(islice(rows, GROUP_ROWS)):
        yield group


def _cells(row: InteractionRow) -> tuple[Any, ...]:
    first, second = row.first, row.second
    return (
        encodable_text(row.document),
        row.pubmed,
        encodable_text(row.sentence_id),
        encodable_text(row.pair),
        encodable_text(first.name),
        encodable_text(second.name),
        first.start,
        first.end,
        second.start,
        second.end,
        _spans(first),
        _spans(second),
        [encodable_text(identifier) for identifier in first.identifiers],
        [encodable_text(identifier) for identifier in second.identifiers],
        first.grounding,
        second.grounding,
        row.probability,
        row.score,
        encodable_text(row.sentence),
        None if row.path is None else encodable_text(row.path),
        *(None if value is None else encodable_text(value) for value in row.relationship),
        row.agent,
        row.target,
        row.negated,
        row.hedged,
        *(row.types.get(type) for type in TYPES),
        first.type,
        second.type,
        *(
            None if value is None else encodable_text(value)
            for both in zip(first.protein_info, second.protein_info)
            for value in both
        ),
        [encodable_text(name) for name in row.aliases_1],
        [encodable_text(name) for name in row.aliases_2],
        row.same,
        row.homo,
        row.year,
        row.offset,
        encodable_text(first.id),
        encodable_text(second.id),
        _infon_cells(first),
        _infon_cells(second),
        json.dumps(aliases_to_json(row.aliases)) if row.aliases else None,
    )


def _spans(mention: RowMention) -> list[dict[str, int]]:
    return [{"start": start, "end": end} for start, end in mention.spans]


def _infon_cells(mention: RowMention) -> list[dict[str, str]]:
    return [{"key": encodable_text(key), "value": encodable_text(value)} for key, value in mention.infons]
