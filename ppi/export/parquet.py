"""Parquet: the columns of the CSV table, typed, in row groups as the documents come.

Identifiers are lists of strings and spans lists of ``{start, end}``; texts are exactly as they are, apart from halves
of surrogate pairs.  The file's metadata names the schema under ``ppi-miner.schema``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any

from ppi.annotation.types import AnnotatedDocument
from ppi.errors import MissingExtraError
from ppi.export.csv_table import COLUMNS
from ppi.export.rows import Mention, Row, rows_of
from ppi.export.text import encodable

SCHEMA = "ppi-interactions/1"
#: Rows that are held and written together.
GROUP_ROWS = 10_000


def write(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write all interactions, :data:`GROUP_ROWS` at a time in memory.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    schema = _schema(pa)
    with pq.ParquetWriter(output, schema, compression="zstd") as file:
        for group in _groups(rows_of(annotated)):
            cells = zip(*(_cells(row) for row in group), strict=True)
            arrays = [pa.array(values, field.type) for values, field in zip(cells, schema, strict=True)]
            file.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=GROUP_ROWS)


def _schema(pa: Any) -> Any:
    spans = pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())]))
    kinds = {
        "start": pa.int64(),
        "end": pa.int64(),
        "spans": spans,
        "identifiers": pa.list_(pa.string()),
        "probability": pa.float64(),
        "score": pa.float64(),
    }
    fields = [(name, kinds.get(name.rstrip("12").rstrip("_"), pa.string())) for name in COLUMNS]
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
    )


def _spans(mention: Mention) -> list[dict[str, int]]:
    return [{"start": start, "end": end} for start, end in mention.spans]
