"""What a name may be, and how well it matched."""

from __future__ import annotations

from typing import NamedTuple

#: What kinds of things have names: a gene with its products, a family of genes, a complex.
GENE, FAMILY, COMPLEX = ENTRY_KINDS = ("gene", "family", "complex")
#: Those that are no single gene.
GROUP_KINDS = (FAMILY, COMPLEX)

#: How the spelling matched, best first (see :mod:`ppi.grounding.matching`).
EXACT, NORMALIZED, PLURAL, STRIPPED, LETTERS = LEVELS = ("exact", "normalized", "plural", "stripped", "letters")
#: Which name of the thing it was, best first: the official symbol, another short name, a name in words.
SYMBOL, SYNONYM, NAME = FIELDS = ("symbol", "synonym", "name")
#: All values of :attr:`Candidate.how`, best first: spelling counts more than which name it is.
MATCH_TYPES = tuple(f"{level} {field}" for level in LEVELS for field in FIELDS)
EXACT_SYMBOL, NORMALIZED_SYMBOL = f"{EXACT} {SYMBOL}", f"{NORMALIZED} {SYMBOL}"

_RANK_BY_MATCH_TYPE = {how: rank for rank, how in enumerate(MATCH_TYPES)}


class GroundingCandidate(NamedTuple):
    """One thing that a name may stand for.

    Parameters
    ----------
    identifier
        A CURIE with the prefix as Bioregistry writes it: ``ncbigene:5216``, ``fplx:AKT``.
    symbol
        What it is officially called, in the case of its species: human ``IL2``, mouse ``Il2``.
    taxid
        NCBI's number of its species; None if it is of no one species.
    kind
        ``gene``, ``family`` or ``complex``.
    how
        One of :data:`MATCH_TYPES`: ``exact symbol``, ``normalized synonym`` and so on.
    uniprot
        UniProt's accession, where the source has it.
    """

    identifier: str
    symbol: str
    taxid: str | None
    kind: str
    how: str
    uniprot: str | None = None

    @property
    def rank(self) -> int:
        """The place of :attr:`how` in :data:`MATCH_TYPES`; 0 is the best."""
        return _RANK_BY_MATCH_TYPE[self.how]

    @property
    def is_symbol(self) -> bool:
        """Whether the name is the official symbol, as written or normalized."""
        return self.how in (EXACT_SYMBOL, NORMALIZED_SYMBOL)


class LexiconEntry(NamedTuple):
    """A gene, family or complex with all its names, as a source lists it."""

    identifier: str
    symbol: str
    synonyms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    taxid: str | None = None
    kind: str = GENE
    uniprot: str | None = None
