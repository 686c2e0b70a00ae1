"""Reading FamPlex's grounding map: names of protein families and complexes, as CSV.

Each row is a name, then pairs of database and identifier (https://github.com/sorgerlab/famplex).  Only the rows of the
namespace FPLX are families and complexes; the others ground single genes, chemicals and the like, which is the gene
file's part.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from corpora.errors import truncate_repr
from corpora.source import Source
from ppi.grounding.candidate import COMPLEX, FAMILY, LexiconEntry

FAMPLEX_NAMESPACE = "FPLX"
#: The namespace as Bioregistry writes it.
FAMPLEX_PREFIX = "fplx"
_COMPLEX_NAME = re.compile(r"[\s_-]complex$", re.IGNORECASE)


def read_families(path: str | Path) -> Iterator[LexiconEntry]:
    """Families and complexes, packed or not, in the order in which they are first named.

    The map does not say which of them are complexes: those are that have a name ending in "complex".

    Raises
    ------
    CorpusError
        With file and line: if it cannot be read, a row has a database without an identifier, or nothing is a family.
    """
    names_by_id: dict[str, list[str]] = {}
    for name, identifier in _read_family_names(path):
        names_by_id.setdefault(identifier, []).append(name)
    for identifier, synonyms in names_by_id.items():
        kind = COMPLEX if any(_COMPLEX_NAME.search(name) for name in synonyms) else FAMILY
        yield LexiconEntry(f"{FAMPLEX_PREFIX}:{identifier}", identifier, tuple(synonyms), kind=kind)


def _read_family_names(path: str | Path) -> Iterator[tuple[str, str]]:
    source = Source(path)
    has_families = False
    table = csv.reader((text + "\n" for _, text in source.lines()), strict=True)
    try:
        for row in table:
            if not row:
                continue
            if len(row) < 3 or len(row) % 2 == 0:
                raise source.format_error(
                    f"expected a name and pairs of database and identifier, got {len(row)} columns: {truncate_repr(row)}",
                    table.line_num,
                )
            for database, identifier in zip(row[1::2], row[2::2], strict=True):
                if bool(database) != bool(identifier):
                    raise source.format_error(
                        f"expected a database and an identifier, got {truncate_repr((database, identifier))}",
                        table.line_num,
                    )
                if database == FAMPLEX_NAMESPACE and row[0]:
                    has_families = True
                    yield row[0], identifier
    except csv.Error as error:
        raise source.format_error(f"expected CSV, got: {error}", table.line_num) from None
    if not has_families:
        raise source.format_error(
            f"expected names of the namespace {FAMPLEX_NAMESPACE}, got none; give FamPlex's grounding map"
        )
