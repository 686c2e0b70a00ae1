"""Reading NCBI's gene_info: one gene per line, tab-separated, ``-`` for nothing, ``|`` between several names.

https://ftp.ncbi.nlm.nih.gov/gene/DATA/README; a line of column names begins with ``#tax_id`` or, in files before 2016,
with ``#Format:`` and spaces.  Files without one are read in NCBI's order.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from corpora import FormatError, Source, truncate_repr
from ppi.grounding.matching import COMPLEX, FAMILY, LexiconEntry

#: NCBI's order of the columns that are read, and of those between.
GENE_INFO_COLUMNS = (
    "tax_id",
    "GeneID",
    "Symbol",
    "LocusTag",
    "Synonyms",
    "dbXrefs",
    "chromosome",
    "map_location",
    "description",
    "type_of_gene",
    "Symbol_from_nomenclature_authority",
    "Full_name_from_nomenclature_authority",
    "Nomenclature_status",
    "Other_designations",
    "Modification_date",
)
_USED_COLUMNS = (
    "tax_id",
    "GeneID",
    "Symbol",
    "Synonyms",
    "description",
    "type_of_gene",
    "Full_name_from_nomenclature_authority",
    "Other_designations",
)
_MISSING = "-"
#: Kinds of genes (``type_of_gene``) whose names are names of proteins.
PROTEIN_TYPES = frozenset({"protein-coding"})


class Gene(NamedTuple):
    """A gene: its identifier (``ncbigene:5216``), official symbol, synonyms and full names."""

    taxid: str
    identifier: str
    symbol: str
    synonyms: tuple[str, ...]
    names: tuple[str, ...]
    type: str


def read_genes(path: str | Path) -> Iterator[Gene]:
    """Genes of a gene_info file, packed or not, streamed.

    Raises
    ------
    CorpusError
        With file and line: if it cannot be read, or a line has too few columns or an identifier that is no number.
    """
    source = Source(path)
    indices = [GENE_INFO_COLUMNS.index(name) for name in _USED_COLUMNS]
    last_index, pick_cells, has_genes = max(indices), itemgetter(*indices), False
    for number, line in source.lines():
        if line.startswith("#"):
            if (header := _parse_header(line)) is not None:
                indices = _find_column_indices(header, source, number)
                last_index, pick_cells = max(indices), itemgetter(*indices)
            continue
        cells = line.split("\t")
        if len(cells) <= last_index:
            if not line:
                continue
            raise source.format_error(
                f"expected at least {last_index + 1} tab-separated columns of gene_info, got {len(cells)}: {truncate_repr(line)}",
                number,
            )
        taxid, id, symbol, synonyms, description, type, full, others = pick_cells(cells)
        if not (id.isascii() and id.isdigit() and taxid.isascii() and taxid.isdigit()):
            raise source.format_error(
                f"expected numbers as tax_id and GeneID, got {truncate_repr((taxid, id))}", number
            )
        has_genes = True
        names = dict.fromkeys((description, full, *others.split("|")))
        names.pop(_MISSING, None)
        synonym_names = () if synonyms == _MISSING else tuple(synonyms.split("|"))
        yield Gene(taxid, f"ncbigene:{id}", symbol, synonym_names, tuple(names), type)
    if not has_genes:
        raise source.format_error("expected genes, got none; give a gene_info file as NCBI distributes it")


def read_gene_entries(
    path: str | Path, *, taxids: Collection[str] | None = None, types: Collection[str] | None = PROTEIN_TYPES
) -> Iterator[LexiconEntry]:
    """Genes of these species and kinds (None: of all), with their names.

    Raises
    ------
    CorpusError
        As :func:`read_genes`.
    """
    for gene in read_genes(path):
        if (taxids is None or gene.taxid in taxids) and (types is None or gene.type in types):
            yield LexiconEntry(gene.identifier, gene.symbol, gene.synonyms, gene.names, gene.taxid)


def _parse_header(line: str) -> list[str] | None:
    """The names of the columns, if that is what the comment holds."""
    text = line.lstrip("#").removeprefix("Format:").partition(" (tab is")[0].strip()
    names = text.split("\t") if "\t" in text else text.split()
    return names if names[:2] == ["tax_id", "GeneID"] else None


def _find_column_indices(names: list[str], source: Source, line: int) -> list[int]:
    missing = [name for name in _USED_COLUMNS if name not in names]
    if missing:
        raise FormatError(
            f"expected the column {missing[0]!r}, got {names}; give a gene_info file as NCBI distributes it",
            line=line,
            path=source.name,
        )
    return [names.index(name) for name in _USED_COLUMNS]


# Reading FamPlex's grounding map: names of protein families and complexes, as CSV.
#
# Each row is a name, then pairs of database and identifier (https://github.com/sorgerlab/famplex).  Only the rows of the
# namespace FPLX are families and complexes; the others ground single genes, chemicals and the like, which is the gene
# file's part.

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
