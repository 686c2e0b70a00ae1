"""Parquet: the columns of the CSV table, typed, in row groups as the documents come.

Identifiers are lists of strings, spans lists of ``{start, end}``, ``negated`` and ``hedged`` booleans; texts are
exactly as they are, apart from halves of surrogate pairs.  Further columns are there to read the interactions back:
``offset`` of the sentence, ``entity_1``, ``type_1``, ``remarks_1`` of the mentions.  The metadata names the schema
under ``ppi-miner.schema``.  A file without the columns for types is read as interactions without types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from corpora.errors import CorpusError
from corpora.types import Entity
from ppi.annotation.characters import encodable
from ppi.annotation.relationship import TYPES
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.errors import MissingExtraError
from ppi.export.csv_table import COLUMNS
from ppi.export.rows import Mention, Row, rows_of

SCHEMA = "ppi-interactions/1"
PARQUET_COLUMNS = (*COLUMNS, "offset", "entity_1", "entity_2", "remarks_1", "remarks_2")
#: Rows that are held and written together.
GROUP_ROWS = 10_000


def write(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write all interactions, :data:`GROUP_ROWS` at a time in memory.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    pa, pq = require_pyarrow()
    schema = _schema(pa)
    with pq.ParquetWriter(output, schema, compression="zstd") as file:
        for group in _groups(rows_of(annotated)):
            cells = zip(*(_cells(row) for row in group), strict=True)
            arrays = [pa.array(values, field.type) for values, field in zip(cells, schema, strict=True)]
            file.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=GROUP_ROWS)


def read(path: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of a file that :func:`write` wrote, each with its PubMed id if known; a row group in memory.

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
                raise CorpusError(f"expected a table of the schema {SCHEMA!r}, got {schema!r}", path=path)
            columns = [name for name in PARQUET_COLUMNS if name in file.schema_arrow.names]
            for batch in file.iter_batches(GROUP_ROWS, columns=columns):
                for cells in batch.to_pylist():
                    yield _interaction(cells), cells["pubmed"]
    except (OSError, KeyError, IndexError, TypeError, pa.ArrowException) as error:
        raise CorpusError(f"expected a complete Parquet file of interactions, got: {error}", path=path) from None


def _interaction(cells: dict[str, Any]) -> Interaction:
    proteins = (_entity(cells, 1), _entity(cells, 2))
    agent, target = cells.get("agent"), cells.get("target")
    return Interaction(
        document=cells["document"],
        sentence_id=cells["sentence_id"],
        sentence=cells["sentence"],
        offset=cells["offset"],
        pair=cells["pair"],
        proteins=proteins,
        score=cells["score"],
        probability=cells["probability"],
        types={type: found for type in TYPES if (found := cells.get(f"probability_{type}")) is not None},
        type=cells.get("type"),
        agent=None if agent is None else proteins[agent - 1].id,
        target=None if target is None else proteins[target - 1].id,
        sign=cells.get("sign"),
        kind=cells.get("kind"),
        negated=cells.get("negated", False),
        hedged=cells.get("hedged", False),
    )


def _entity(cells: dict[str, Any], which: int) -> Entity:
    offset = cells["offset"]
    return Entity(
        id=cells[f"entity_{which}"],
        text=cells[f"name_{which}"],
        spans=tuple((span["start"] - offset, span["end"] - offset) for span in cells[f"spans_{which}"]),
        type=cells[f"type_{which}"],
        identifiers=tuple(cells[f"identifiers_{which}"]),
        infons=tuple((each["key"], each["value"]) for each in cells[f"remarks_{which}"]),
    )


def require_pyarrow() -> tuple[Any, Any]:
    """The packages ``pyarrow`` and ``pyarrow.parquet``, or a MissingExtraError."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    return pa, pq


def _schema(pa: Any) -> Any:
    spans = pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())]))
    kinds = {
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
        "negated": pa.bool_(),
        "hedged": pa.bool_(),
        **{f"probability_{type}": pa.float64() for type in TYPES},
    }
    fields = [(name, kinds.get(name.rstrip("12").rstrip("_"), pa.string())) for name in PARQUET_COLUMNS]
    return pa.schema(fields, metadata={"ppi-miner.schema": SCHEMA})


def _groups(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while group := list(islice(rows, GROUP_ROWS)):
        yield group


def _cells(row: Row) -> tuple[Any, ...]:
    first, second = row.first, row.second
    return (
        encodable(row.document),
        row.pubmed,
        encodable(row.sentence_id),
        encodable(row.pair),
        encodable(first.name),
        encodable(second.name),
        first.start,
        first.end,
        second.start,
        second.end,
        _spans(first),
        _spans(second),
        [encodable(each) for each in first.identifiers],
        [encodable(each) for each in second.identifiers],
        first.grounding,
        second.grounding,
        row.probability,
        row.score,
        encodable(row.sentence),
        None if row.path is None else encodable(row.path),
        *(None if value is None else encodable(value) for value in row.relationship),
        row.agent,
        row.target,
        row.negated,
        row.hedged,
        *(row.types.get(type) for type in TYPES),
        first.type,
        second.type,
        row.offset,
        encodable(first.id),
        encodable(second.id),
        _remarks(first),
        _remarks(second),
    )


def _spans(mention: Mention) -> list[dict[str, int]]:
    return [{"start": start, "end": end} for start, end in mention.spans]


def _remarks(mention: Mention) -> list[dict[str, str]]:
    return [{"key": encodable(key), "value": encodable(value)} for key, value in mention.remarks]
