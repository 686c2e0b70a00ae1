"""Interactions as a frame of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ppi.annotation.columns import COLUMNS, values_of
from ppi.annotation.rows import Row, row_of, rows_of
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import pandas as pd

#: Columns of whole numbers that may be missing.
_NUMBERS = ("agent", "target", "year")


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
    frame = pandas.DataFrame.from_records([values_of(row) for row in _rows(found)], columns=list(COLUMNS))
    return frame.astype(dict.fromkeys(_NUMBERS, "Int64"))


def import_pandas() -> Any:
    """The package ``pandas``, or a MissingExtraError."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("pandas", "frame") from None
    return pandas


def _rows(found: AnnotatedDocument | Iterable[AnnotatedDocument | Interaction]) -> Iterator[Row]:
    if isinstance(found, AnnotatedDocument):
        found = [found]
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise UsageError(f"expected interactions or annotated documents, got {type(found).__name__}")
    for each in found:
        if isinstance(each, AnnotatedDocument):
            yield from rows_of([each])
        elif isinstance(each, Interaction):
            yield row_of(each, None)
        else:
            raise UsageError(f"expected interactions or annotated documents, got {type(each).__name__}")
