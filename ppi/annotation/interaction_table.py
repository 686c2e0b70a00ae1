"""An interaction as one row of a table: what CSV, Parquet and frames of pandas share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import Entity, Infons, Span
from ppi.annotation.input_documents import pubmed_id, year_of
from ppi.annotation.relationship import TYPES, Relationship
from ppi.annotation.results import Alias, AnnotatedDocument, Interaction
from ppi.core import MissingExtraError, UsageError
from ppi.grounding import latin_name

if TYPE_CHECKING:
    import pandas as pd


class ProteinInfo(NamedTuple):
    """What the lexicon knows of the protein that a mention names; None for what it does not know."""

    symbol: str | None
    taxid: str | None
    species: str | None
    #: gene, family or complex
    entity_kind: str | None
    uniprot: str | None


@dataclass(frozen=True, slots=True)
class RowMention:
    """One of the two proteins; spans count characters of the document."""

    name: str
    start: int
    end: int
    spans: tuple[Span, ...]
    type: str | None
    identifiers: tuple[str, ...]
    grounding: str | None
    id: str
    infons: Infons
    protein_info: ProteinInfo


@dataclass(frozen=True, slots=True)
class InteractionRow:
    """An interaction with everything that a table shows of it."""

    document: str
    pubmed: str | None
    sentence_id: str
    pair: str
    first: RowMention
    second: RowMention
    probability: float
    score: float
    sentence: str
    path: str | None
    offset: int
    #: type, sign and kind
    relationship: Relationship
    #: which of the two acts and which is acted on, 1 or 2; None without direction
    agent: int | None
    target: int | None
    negated: bool
    hedged: bool
    #: by type
    types: Mapping[str, float]
    #: what else the two are called where the sentence says the same of them
    aliases_1: tuple[str, ...]
    aliases_2: tuple[str, ...]
    #: one protein twice; a protein that the text says interacts with itself
    same: bool
    homo: bool
    #: the pairs that the aliases are of
    aliases: tuple[Alias, ...]
    #: of the paper, where known
    year: int | None = None


def interaction_rows(annotated: Iterable[AnnotatedDocument]) -> Iterator[InteractionRow]:
    """A row for each interaction, in order."""
    for annotated_document in annotated:
        pubmed, year = pubmed_id(annotated_document.document), year_of(annotated_document.document)
        for interaction in annotated_document.interactions:
            yield interaction_row(interaction, pubmed, year)


def interaction_row(interaction: Interaction, pubmed: str | None, year: int | None = None) -> InteractionRow:
    """The row of one interaction."""
    first, second = (_mention(entity, interaction.offset) for entity in interaction.proteins)
    agent, target = _roles(interaction)
    return InteractionRow(
        interaction.document,
        pubmed,
        interaction.sentence_id,
        interaction.pair,
        first,
        second,
        interaction.probability,
        interaction.score,
        interaction.sentence,
        None if interaction.evidence is None else interaction.evidence.explanation.path,
        interaction.offset,
        interaction.relationship,
        agent,
        target,
        interaction.negated,
        interaction.hedged,
        interaction.types,
        interaction.other_names(0),
        interaction.other_names(1),
        interaction.same,
        interaction.homo,
        interaction.aliases,
        year,
    )


def _roles(interaction: Interaction) -> tuple[int | None, int | None]:
    """Which of the two acts and which is acted on; of one mention twice, the first on the second."""
    if not interaction.directed:
        return None, None
    return (1, 2) if interaction.agent == interaction.proteins[0].id else (2, 1)


def first_infon(entity: Entity, name: str) -> str | None:
    """The first remark of that name."""
    return next((value for key, value in entity.infons if key == name), None)


def protein_info(entity: Entity) -> ProteinInfo:
    """What is known of the protein; its species in Latin, where the number of the species has a name here.

    The species is that of the gene or, of a mention that stays ambiguous or unknown, the one that the text tells.
    """
    taxid = first_infon(entity, "taxid") or first_infon(entity, "species")
    return ProteinInfo(
        first_infon(entity, "symbol"),
        taxid,
        latin_name(taxid),
        first_infon(entity, "entity_kind"),
        first_infon(entity, "uniprot"),
    )


def _mention(entity: Entity, offset: int) -> RowMention:
    return RowMention(
        entity.text,
        offset + entity.start,
        offset + entity.end,
        tuple((offset + start, offset + end) for start, end in entity.spans),
        entity.type,
        entity.identifiers,
        first_infon(entity, "grounding"),
        entity.id,
        entity.infons,
        protein_info(entity),
    )


# The columns of a table of interactions, listed once: for CSV, Parquet, and frames of pandas.
#
# What each means is said in :mod:`ppi.export.spreadsheets`.

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
        f"{name}_{number}": attrgetter(f"{which}.protein_info.{name}")
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


# Interactions as a frame of pandas.

#: Columns of whole numbers that may be missing.
_NULLABLE_INT_COLUMNS = ("agent", "target", "year")


def to_frame(found: AnnotatedDocument | Iterable[AnnotatedDocument | Interaction]) -> pd.DataFrame:
    """One row per interaction, with the columns of the CSV table (:mod:`ppi.export.spreadsheets`); texts as they are.

    Parameters
    ----------
    found
        Interactions, or annotated documents, which also tell PubMed ids.

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
    frame = pandas.DataFrame.from_records(
        [row_values(row) for row in _iterate_rows(found)], columns=list(INTERACTION_COLUMNS)
    )
    return frame.astype(dict.fromkeys(_NULLABLE_INT_COLUMNS, "Int64"))


def import_pandas() -> Any:
    """The package ``pandas``, or a MissingExtraError."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("pandas", "frame") from None
    return pandas


def _iterate_rows(results: AnnotatedDocument | Iterable[AnnotatedDocument | Interaction]) -> Iterator[InteractionRow]:
    if isinstance(results, AnnotatedDocument):
        results = [results]
    if isinstance(results, str) or not isinstance(results, Iterable):
        raise UsageError(f"expected interactions or annotated documents, got {type(results).__name__}")
    for result in results:
        if isinstance(result, AnnotatedDocument):
            yield from interaction_rows([result])
        elif isinstance(result, Interaction):
            yield interaction_row(result, None)
        else:
            raise UsageError(f"expected interactions or annotated documents, got {type(result).__name__}")
