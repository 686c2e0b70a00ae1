"""Reading FamPlex's grounding map: names of protein families and complexes, as CSV.

Each row is a name, then pairs of database and identifier (https://github.com/sorgerlab/famplex).  Only the rows of the
namespace FPLX are families and complexes; the others ground single genes, chemicals and the like, which is the gene
file's part.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from corpora.errors import shown
from corpora.source import Source

NAMESPACE = "FPLX"


def read_families(path: str | Path) -> Iterator[tuple[str, str]]:
    """(name, ``FPLX:...``) for each row of a family or complex, packed or not.

    Raises
    ------
    CorpusError
        With file and line: if it cannot be read, a row has a database without an identifier, or nothing is a family.
    """
    source = Source(path)
    found = False
    table = csv.reader((text + "\n" for _, text in source.lines()), strict=True)
    try:
        for row in table:
            if not row:
                continue
            if len(row) < 3 or len(row) % 2 == 0:
                raise source.format_error(
                    f"expected a name and pairs of database and identifier, got {len(row)} columns: {shown(row)}",
                    table.line_num,
                )
            for database, identifier in zip(row[1::2], row[2::2], strict=True):
                if bool(database) != bool(identifier):
                    raise source.format_error(
                        f"expected a database and an identifier, got {shown((database, identifier))}", table.line_num
                    )
                if database == NAMESPACE and row[0]:
                    found = True
                    yield row[0], f"{NAMESPACE}:{identifier}"
    except csv.Error as error:
        raise source.format_error(f"expected CSV, got: {error}", table.line_num) from None
    if not found:
        raise source.format_error(
            f"expected names of the namespace {NAMESPACE}, got none; give FamPlex's grounding map"
        )
