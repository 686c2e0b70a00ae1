"""The columns of a table of interactions, listed once: for CSV, Parquet, and frames of pandas.

What each means is said in :mod:`ppi.export.csv_table`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter

from ppi.annotation.relationship import TYPES
from ppi.annotation.rows import InteractionRow, ProteinInfo, RowMention

CellValue = str | int | float | bool | None


def row_values(row: InteractionRow) -> tuple[CellValue, ...]:
    """What stands in each of :data:`INTERACTION_COLUMNS`; None where there is nothing."""
    return tuple(value(row) for value in _COLUMN_VALUES.values())


def _spans(mention: RowMention) -> str:
    return ";".join(f"{start}-{end}" for start, end in mention.spans)


def _identifiers(mention: RowMention) -> str | None:
    return "|".join(mention.identifiers) or None


def _probability(row: InteractionRow, *, type: str) -> float | None:
    return row.types.get(type)


#: From the name of a column to what it holds, in this order for good: new ones come at the end.
_COLUMN_VALUES: dict[str, Callable[[InteractionRow], CellValue]] = {
    "document": attrgetter("document"),
    "pubmed": attrgetter("pubmed"),
    "sentence_id": attrgetter("sentence_id"),
    "pair": attrgetter("pair"),
    "name_1": attrgetter("first.name"),
    "name_2": attrgetter("second.name"),
    "start_1": attrgetter("first.start"),
    "end_1": attrgetter("first.end"),
    "start_2": attrgetter("second.start"),
    "end_2": attrgetter("second.end"),
    "spans_1": lambda row: _spans(row.first),
    "spans_2": lambda row: _spans(row.second),
    "identifiers_1": lambda row: _identifiers(row.first),
    "identifiers_2": lambda row: _identifiers(row.second),
    "grounding_1": attrgetter("first.grounding"),
    "grounding_2": attrgetter("second.grounding"),
    "probability": attrgetter("probability"),
    "score": attrgetter("score"),
    "sentence": attrgetter("sentence"),
    "path": attrgetter("path"),
    "type": attrgetter("relationship.type"),
    "sign": attrgetter("relationship.sign"),
    "kind": attrgetter("relationship.kind"),
    "agent": attrgetter("agent"),
    "target": attrgetter("target"),
    "negated": attrgetter("negated"),
    "hedged": attrgetter("hedged"),
    **{f"probability_{type}": partial(_probability, type=type) for type in TYPES},
    "type_1": attrgetter("first.type"),
    "type_2": attrgetter("second.type"),
    **{
        f"{name}_{number}": attrgetter(f"{which}.who.{name}")
        for name in ProteinInfo._fields
        for number, which in enumerate(("first", "second"), start=1)
    },
    "aliases_1": lambda row: "|".join(row.aliases_1) or None,
    "aliases_2": lambda row: "|".join(row.aliases_2) or None,
    "same": attrgetter("same"),
    "homo": attrgetter("homo"),
    "year": attrgetter("year"),
}
INTERACTION_COLUMNS = tuple(_COLUMN_VALUES)
