"""Interactions as a frame of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ppi.annotation.columns import INTERACTION_COLUMNS, row_values
from ppi.annotation.rows import InteractionRow, interaction_row, interaction_rows
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import pandas as pd

#: Columns of whole numbers that may be missing.
_NULLABLE_INT_COLUMNS = ("agent", "target", "year")


def to_frame(found: AnnotatedDocument | Iterable[AnnotatedDocument | Interaction]) -> pd.DataFrame:
    """One row per interaction, with the columns of the CSV table (:mod:`ppi.export.csv_table`); texts as they are.

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
