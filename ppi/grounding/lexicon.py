"""Names to candidates: genes of several species, families and complexes that a name may stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from ppi.core import UsageError
from ppi.grounding.lexicon_sources import PROTEIN_TYPES, read_families, read_gene_entries
from ppi.grounding.lexicon_table import (
    EntryGroup,
    LexiconTable,
    is_built_lexicon,
    load_shipped_table,
    make_table,
    read_table,
)
from ppi.grounding.matching import (
    FIELDS,
    GENE,
    LEVELS,
    MATCH_TYPES,
    STRIPPED,
    GroundingCandidate,
    LexiconEntry,
    make_spelling,
)

#: Yeast's way to write the product of a gene: Cdc28p, of CDC28.
_YEAST_PROTEIN = re.compile(r"([A-Z][a-z]{2}[0-9]{1,3})p")
_YEASTS = ("4932", "4896")
#: What says that no single gene is named: AP-1 complex, MAPK family.
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
        types: Collection[str] | None = PROTEIN_TYPES,
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

        def entries() -> Iterator[LexiconEntry]:
            yield from read_gene_entries(gene_info, taxids=taxids, types=types)
            if families is not None:
                yield from read_families(families)

        try:
            return cls(entries())
        except UsageError as error:
            raise UsageError(f"{gene_info}: {error}") from None

    def __repr__(self) -> str:
        return f"<Lexicon: {len(self):,} genes, families and complexes>"

    def __len__(self) -> int:
        """How many entries it has."""
        return len(self._table.ids)

    def candidates(self, name: str) -> tuple[GroundingCandidate, ...]:
        """Everything that the name may stand for, of every species, best match first, then as they are listed.

        No choice is made: that is the part of who knows the text.
        """
        ranks = self._rank_matches(name, lambda group: True)
        for pattern, accepts in _NAME_VARIANTS:
            if variant := pattern.fullmatch(name):
                for entry, rank in self._rank_matches(variant[1], accepts).items():
                    weaker_rank = max(rank, LEVELS.index(STRIPPED) * len(FIELDS) + rank % len(FIELDS))
                    ranks[entry] = min(ranks.get(entry, weaker_rank), weaker_rank)
        candidates: dict[str, GroundingCandidate] = {}
        for rank, entry in sorted((rank, entry) for entry, rank in ranks.items()):
            candidate = self._candidate(entry, MATCH_TYPES[rank])
            candidates.setdefault(candidate.identifier, candidate)
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

    def _candidate(self, entry: int, how: str) -> GroundingCandidate:
        table = self._table
        group = table.groups[table.group_of[entry]]
        symbol = table.names[int(table.first_names[entry])]
        identifier = f"{group.prefix}:{table.ids[entry]}"
        return GroundingCandidate(identifier, symbol, group.taxid, group.kind, how, table.uniprots[entry] or None)
