"""The columns of a table of interactions, listed once for CSV, Parquet, databases and pandas.

What each column holds is described in :mod:`ppi.export.spreadsheets`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import Document, Entity
from ppi.annotation.input_documents import pubmed_id, year_of
from ppi.annotation.json_values import aliases_to_json
from ppi.annotation.relationship import TYPES
from ppi.annotation.results import AnnotatedDocument, Interaction, first_infon
from ppi.core import MissingExtraError, UsageError
from ppi.grounding import latin_name

if TYPE_CHECKING:
    import pandas as pd

CellValue = str | int | float | bool | None


class ProteinInfo(NamedTuple):
    """What the lexicon knows of the protein that a mention names; None for what it does not know."""

    symbol: str | None
    taxid: str | None
    species: str | None
    #: gene, family or complex
    entity_kind: str | None
    uniprot: str | None


def protein_info(entity: Entity) -> ProteinInfo:
    """What is known of the protein; its species in Latin, where the number of the species has a name here.

    The species is that of the gene or, of a mention that stays ambiguous or unknown, the one that the text names.
    """
    taxid = first_infon(entity, "taxid") or first_infon(entity, "species")
    kind, uniprot = first_infon(entity, "entity_kind"), first_infon(entity, "uniprot")
    return ProteinInfo(first_infon(entity, "symbol"), taxid, latin_name(taxid), kind, uniprot)


class InteractionRow(NamedTuple):
    """An interaction with what a table holds beside it: of its paper, and of its two proteins."""

    interaction: Interaction
    pubmed: str | None
    year: int | None
    proteins: tuple[ProteinInfo, ProteinInfo]


class Column(NamedTuple):
    """A column of a table of interactions.

    Its values are of the type ``text``, ``integer``, ``number`` or ``boolean``, or None; or tuples of ``texts``, of
    ``spans`` as (start, end), of ``infons`` as (key, value).  ``optional`` columns may be missing in files that are
    read: those of earlier versions and of models without types lack some.
    """

    name: str
    type: str
    value: Callable[[InteractionRow], Any]
    optional: bool = False


def _fields(type: str, *names: str, optional: bool = False) -> list[Column]:
    """Columns that hold fields of the interaction as they are."""
    return [Column(name, type, attrgetter(f"interaction.{name}"), optional) for name in names]


def _for_both(*columns: tuple[str, str, Callable[[Entity, int], Any]]) -> list[Column]:
    """Columns of the first mention, then of the second: name, type, and value of mention and sentence's offset."""
    return [
        Column(f"{name}_{which + 1}", type, partial(_mention_value, which, value))
        for which in (0, 1)
        for name, type, value in columns
    ]


def _mention_value(which: int, value: Callable[[Entity, int], Any], row: InteractionRow) -> Any:
    return value(row.interaction.proteins[which], row.interaction.offset)


def _agent_number(row: InteractionRow) -> int | None:
    """Which of the two acts, 1 or 2; None without direction; of one mention twice, the first."""
    interaction = row.interaction
    return (1 if interaction.agent == interaction.proteins[0].id else 2) if interaction.directed else None


def _aliases_as_json(row: InteractionRow) -> str | None:
    return json.dumps(aliases_to_json(row.interaction.aliases)) if row.interaction.aliases else None


#: The columns of CSV tables and frames, in this order for good: new ones come at the end.
TABLE_COLUMNS = (
    *_fields("text", "document"),
    Column("pubmed", "text", lambda row: row.pubmed),
    *_fields("text", "sentence_id", "pair"),
    *_for_both(("name", "text", lambda entity, offset: entity.text)),
    *_for_both(
        ("start", "integer", lambda entity, offset: offset + entity.start),
        ("end", "integer", lambda entity, offset: offset + entity.end),
    ),
    *_for_both(
        ("spans", "spans", lambda entity, offset: [(offset + start, offset + end) for start, end in entity.spans])
    ),
    *_for_both(("identifiers", "texts", lambda entity, offset: entity.identifiers)),
    *_for_both(("grounding", "text", lambda entity, offset: first_infon(entity, "grounding"))),
    *_fields("number", "probability", "score"),
    *_fields("text", "sentence"),
    Column("path", "text", lambda row: None if row.interaction.evidence is None else row.interaction.evidence.path),
    *_fields("text", "type", "sign", "kind", optional=True),
    Column("agent", "integer", _agent_number, optional=True),
    Column("target", "integer", lambda row: {1: 2, 2: 1}.get(_agent_number(row) or 0), optional=True),
    *_fields("boolean", "negated", "hedged", optional=True),
    *(
        Column(f"probability_{type}", "number", partial(lambda type, row: row.interaction.types.get(type), type), True)
        for type in TYPES
    ),
    *_for_both(("type", "text", lambda entity, offset: entity.type)),
    *(
        Column(f"{name}_{which + 1}", "text", partial(lambda at, which, row: row.proteins[which][at], at, which), True)
        for at, name in enumerate(ProteinInfo._fields)
        for which in (0, 1)
    ),
    Column("aliases_1", "texts", lambda row: row.interaction.other_names(0), optional=True),
    Column("aliases_2", "texts", lambda row: row.interaction.other_names(1), optional=True),
    *_fields("boolean", "same", "homo", optional=True),
    Column("year", "integer", lambda row: row.year, optional=True),
)
INTERACTION_COLUMNS = tuple(column.name for column in TABLE_COLUMNS)
#: The same and those that are needed to read the interactions back.
LOSSLESS_COLUMNS = (
    *TABLE_COLUMNS,
    *_fields("integer", "offset"),
    *_for_both(("entity", "text", lambda entity, offset: entity.id)),
    *_for_both(("remarks", "infons", lambda entity, offset: entity.infons)),
    Column("aliases", "text", _aliases_as_json, optional=True),
)


def interaction_rows(annotated: Iterable[AnnotatedDocument | Interaction]) -> Iterator[InteractionRow]:
    """A row for each interaction, in order; only documents know PubMed ids and years.

    Raises
    ------
    UsageError
        If something else is among them.
    """
    for item in annotated:
        if isinstance(item, Interaction):
            item = AnnotatedDocument(Document(""), (item,))
        if not isinstance(item, AnnotatedDocument):
            raise UsageError(f"expected interactions or annotated documents, got {type(item).__name__}")
        pubmed, year = pubmed_id(item.document), year_of(item.document)
        for interaction in item.interactions:
            first, second = interaction.proteins
            yield InteractionRow(interaction, pubmed, year, (protein_info(first), protein_info(second)))


def row_values(row: InteractionRow) -> tuple[CellValue, ...]:
    """What stands in each of :data:`INTERACTION_COLUMNS`, with tuples as text; None where there is nothing."""
    values = []
    for column in TABLE_COLUMNS:
        value = column.value(row)
        if column.type == "texts":
            value = "|".join(value) or None
        elif column.type == "spans":
            value = ";".join(f"{start}-{end}" for start, end in value)
        values.append(value)
    return tuple(values)


def to_frame(annotated: AnnotatedDocument | Iterable[AnnotatedDocument | Interaction]) -> pd.DataFrame:
    """One row per interaction, with the columns of the CSV table (:mod:`ppi.export.spreadsheets`); texts as they are.

    Parameters
    ----------
    found
        Interactions, or annotated documents, which also have PubMed ids.

    Raises
    ------
    MissingExtraError
        Without pandas.
    UsageError
        If something else came.

    Examples
    --------
    >>> from ppi import Annotator
    >>> frame = to_frame(Annotator().annotate("Profilin binds actin."))
    >>> frame[["name_1", "name_2", "type"]].values.tolist()
    [['Profilin', 'actin', 'binding']]
    """
    pandas = import_pandas()
    if isinstance(annotated, AnnotatedDocument):
        annotated = [annotated]
    if isinstance(annotated, str) or not isinstance(annotated, Iterable):
        raise UsageError(f"expected interactions or annotated documents, got {type(annotated).__name__}")
    rows = [row_values(row) for row in interaction_rows(annotated)]
    frame = pandas.DataFrame.from_records(rows, columns=list(INTERACTION_COLUMNS))
    nullable = [column.name for column in TABLE_COLUMNS if column.type == "integer" and column.optional]
    return frame.astype(dict.fromkeys(nullable, "Int64"))


def import_pandas() -> Any:
    """The package ``pandas``, or a MissingExtraError."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("pandas", "frame") from None
    return pandas
