"""Looks up names in a lexicon of genes of several species, families and complexes.

A lexicon is read from the file that ships, or from lists:

* NCBI's gene_info (https://ftp.ncbi.nlm.nih.gov/gene/DATA/README): one gene per line, tab-separated, ``-`` for nothing,
  ``|`` between several names.  A line of column names begins with ``#tax_id`` or, in files before 2016, with
  ``#Format:`` and spaces; files without one are read in NCBI's order.
* FamPlex's grounding map (https://github.com/sorgerlab/famplex): CSV, a name and then pairs of database and identifier.
  Only the rows of the namespace FPLX are families and complexes; the others ground single genes, chemicals and the
  like, which the gene file has.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path

from corpora import Source, truncate_repr
from ppi.core import UsageError
from ppi.grounding.lexicon_table import (
    EntryGroup,
    LexiconTable,
    is_built_lexicon,
    load_shipped_table,
    make_table,
    read_table,
)
from ppi.grounding.matching import (
    COMPLEX,
    FAMILY,
    FIELDS,
    GENE,
    LEVELS,
    MATCH_TYPES,
    STRIPPED,
    GroundingCandidate,
    LexiconEntry,
    make_spelling,
)

_ALL_COLUMNS = """
    tax_id GeneID Symbol LocusTag Synonyms dbXrefs chromosome map_location description type_of_gene
    Symbol_from_nomenclature_authority Full_name_from_nomenclature_authority Nomenclature_status Other_designations
    Modification_date
"""
_READ_COLUMNS = """
    tax_id GeneID Symbol Synonyms description type_of_gene Full_name_from_nomenclature_authority Other_designations
"""
#: NCBI's order of the columns, and those that are read.
GENE_INFO_COLUMNS, _USED_COLUMNS = _ALL_COLUMNS.split(), _READ_COLUMNS.split()
_MISSING = "-"
#: Kinds of genes (``type_of_gene``) whose names are names of proteins.
CODING_TYPES = frozenset({"protein-coding"})
FAMPLEX_NAMESPACE = "FPLX"
#: The namespace as Bioregistry writes it.
FAMPLEX_PREFIX = "fplx"
_COMPLEX_NAME = re.compile(r"[\s_-]complex$", re.IGNORECASE)

#: Yeast's way to write the product of a gene: Cdc28p, of CDC28.
_YEAST_PROTEIN = re.compile(r"([A-Z][a-z]{2}[0-9]{1,3})p")
_YEASTS = ("4932", "4896")
#: Names of no single gene: AP-1 complex, MAPK family.
_GROUP_NAME = re.compile(r"(.*\S)[\s\-]+(?:complex(?:es)?|(?:super|sub)?famil(?:y|ies))", re.IGNORECASE | re.DOTALL)
#: What else a name is looked up as, and for which groups.
_NAME_VARIANTS: tuple[tuple[re.Pattern[str], Callable[[EntryGroup], bool]], ...] = (
    (_YEAST_PROTEIN, lambda group: group.taxid in _YEASTS),
    (_GROUP_NAME, lambda group: group.kind != GENE),
)


class Lexicon:
    """Genes, families and complexes by name.

    Parameters
    ----------
    entries
        With all their names.  An identifier that comes twice has the names of both entries.
    """

    def __init__(self, entries: Iterable[LexiconEntry]) -> None:
        self._table = make_table(entries)

    @classmethod
    def shipped(cls) -> Lexicon:
        """The lexicon that comes with the package: genes of eight species, families and complexes.

        Its file is read when this is first called, and once per process.

        Raises
        ------
        ModelFileError
            If the file is damaged or of another version of the package.
        """
        return cls._from_table(load_shipped_table())

    @classmethod
    def _from_table(cls, table: LexiconTable) -> Lexicon:
        lexicon = cls(())
        lexicon._table = table
        return lexicon

    @classmethod
    def read(
        cls,
        gene_info: str | Path,
        families: str | Path | None = None,
        *,
        taxids: Collection[str] | None = None,
        types: Collection[str] | None = CODING_TYPES,
    ) -> Lexicon:
        """The lexicon of an NCBI gene_info file and, if given, a FamPlex grounding map, packed or not.

        Parameters
        ----------
        gene_info
            Or a file that ``scripts/build_lexicon`` wrote, which is taken as it is.
        taxids
            Only genes of these species; None: all.
        types
            Only genes of these kinds; None: all.  By default those that code for proteins.

        Raises
        ------
        CorpusError
            With file and line, if one of them cannot be read or is damaged.
        ModelFileError
            If it is a built lexicon that is damaged or of another version.
        UsageError
            If there are too many names, or something is to be added to a built lexicon.
        """
        if is_built_lexicon(gene_info):
            if families is not None:
                raise UsageError(f"{gene_info}: expected a gene_info file beside families, got a lexicon that is built")
            return cls._from_table(read_table(gene_info))
        genes = read_genes(gene_info, taxids=taxids, types=types)
        try:
            return cls(genes if families is None else chain(genes, read_families(families)))
        except UsageError as error:
            raise UsageError(f"{gene_info}: {error}") from None

    def __repr__(self) -> str:
        return f"<Lexicon: {len(self):,} genes, families and complexes>"

    def __len__(self) -> int:
        """How many entries it has."""
        return len(self._table.ids)

    def candidates(self, name: str) -> tuple[GroundingCandidate, ...]:
        """Everything that the name may stand for, of every species, best match first, then as they are listed."""
        table, ranks = self._table, self._rank_matches(name, lambda group: True)
        for pattern, accepts in _NAME_VARIANTS:
            if variant := pattern.fullmatch(name):
                for entry, rank in self._rank_matches(variant[1], accepts).items():
                    weaker_rank = max(rank, LEVELS.index(STRIPPED) * len(FIELDS) + rank % len(FIELDS))
                    ranks[entry] = min(ranks.get(entry, weaker_rank), weaker_rank)
        candidates: dict[str, GroundingCandidate] = {}
        for rank, entry in sorted((rank, entry) for entry, rank in ranks.items()):
            group = table.groups[table.group_of[entry]]
            identifier, symbol = f"{group.prefix}:{table.ids[entry]}", table.names[int(table.first_names[entry])]
            candidate = GroundingCandidate(
                identifier, symbol, group.taxid, group.kind, MATCH_TYPES[rank], table.uniprots[entry] or None
            )
            candidates.setdefault(identifier, candidate)
        return tuple(candidates.values())

    def _rank_matches(self, name: str, accepts: Callable[[EntryGroup], bool]) -> dict[int, int]:
        """For each entry of an accepted group that has a name that matches: the best rank in :data:`MATCH_TYPES`."""
        table, query = self._table, make_spelling(name, is_query=True)
        ranks: dict[int, int] = {}
        for key in query.hashes():
            for number in table.find_names(key).tolist():
                level = query.match_level(make_spelling(table.names[number]))
                entry = table.entry_of(number)
                if level is not None and accepts(table.groups[table.group_of[entry]]):
                    rank = LEVELS.index(level) * len(FIELDS) + int(table.fields[number])
                    ranks[entry] = min(ranks.get(entry, rank), rank)
        return ranks


def read_genes(
    path: str | Path, *, taxids: Collection[str] | None = None, types: Collection[str] | None = CODING_TYPES
) -> Iterator[LexiconEntry]:
    """Genes of these species and kinds (None: of all) of a gene_info file, packed or not, streamed.

    Raises
    ------
    CorpusError
        With file and line: if it cannot be read, or a line has too few columns or an identifier that is not a number.
    """
    source = Source(path)
    (last_index, pick_cells), has_genes = _find_used_columns(GENE_INFO_COLUMNS), False
    for number, line in source.lines():
        if line.startswith("#"):
            text = line.lstrip("#").removeprefix("Format:").partition(" (tab is")[0].strip()
            column_names = text.split("\t") if "\t" in text else text.split()
            if column_names[:2] == ["tax_id", "GeneID"]:
                if missing := [name for name in _USED_COLUMNS if name not in column_names]:
                    raise source.format_error(
                        f"expected the column {missing[0]!r}, got {column_names}; "
                        "give a gene_info file as NCBI distributes it",
                        number,
                    )
                last_index, pick_cells = _find_used_columns(column_names)
            continue
        cells = line.split("\t")
        if len(cells) <= last_index:
            if not line:
                continue
            raise source.format_error(
                f"expected at least {last_index + 1} tab-separated columns of gene_info, "
                f"got {len(cells)}: {truncate_repr(line)}",
                number,
            )
        taxid, id, symbol, synonyms, description, type, full_name, others = pick_cells(cells)
        if not (id.isascii() and id.isdigit() and taxid.isascii() and taxid.isdigit()):
            raise source.format_error(
                f"expected numbers as tax_id and GeneID, got {truncate_repr((taxid, id))}", number
            )
        has_genes = True
        if (taxids is None or taxid in taxids) and (types is None or type in types):
            names = dict.fromkeys((description, full_name, *others.split("|")))
            names.pop(_MISSING, None)
            synonym_names = () if synonyms == _MISSING else tuple(synonyms.split("|"))
            yield LexiconEntry(f"ncbigene:{id}", symbol, synonym_names, tuple(names), taxid)
    if not has_genes:
        raise source.format_error("expected genes, got none; give a gene_info file as NCBI distributes it")


def _find_used_columns(names: Sequence[str]) -> tuple[int, Callable[[Sequence[str]], tuple[str, ...]]]:
    """The highest index of the columns that are read, and what takes them out of a row."""
    indices = [names.index(name) for name in _USED_COLUMNS]
    return max(indices), itemgetter(*indices)


def read_families(path: str | Path) -> Iterator[LexiconEntry]:
    """Families and complexes, packed or not, in the order in which they are first named.

    The map does not show which of them are complexes: those are that have a name ending in "complex".

    Raises
    ------
    CorpusError
        With file and line: if it cannot be read, a row has a database without an identifier, or nothing is a family.
    """
    source = Source(path)
    names_by_id: dict[str, list[str]] = {}
    table = csv.reader((text + "\n" for _, text in source.lines()), strict=True)
    try:
        for row in table:
            if row and (len(row) < 3 or len(row) % 2 == 0):
                raise source.format_error(
                    f"expected a name and pairs of database and identifier, got {len(row)} columns: "
                    f"{truncate_repr(row)}",
                    table.line_num,
                )
            for database, identifier in zip(row[1::2], row[2::2], strict=True):
                if bool(database) != bool(identifier):
                    raise source.format_error(
                        f"expected a database and an identifier, got {truncate_repr((database, identifier))}",
                        table.line_num,
                    )
                if database == FAMPLEX_NAMESPACE and row[0]:
                    names_by_id.setdefault(identifier, []).append(row[0])
    except csv.Error as error:
        raise source.format_error(f"expected CSV, got: {error}", table.line_num) from None
    if not names_by_id:
        raise source.format_error(
            f"expected names of the namespace {FAMPLEX_NAMESPACE}, got none; give FamPlex's grounding map"
        )
    for identifier, synonyms in names_by_id.items():
        kind = COMPLEX if any(_COMPLEX_NAME.search(name) for name in synonyms) else FAMILY
        yield LexiconEntry(f"{FAMPLEX_PREFIX}:{identifier}", identifier, tuple(synonyms), kind=kind)
