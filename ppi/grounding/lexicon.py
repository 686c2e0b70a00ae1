"""Names to identifiers, by exact and then by normalized match; what is ambiguous stays so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from corpora.types import Document, Entity, Infons
from ppi.grounding.famplex import read_families
from ppi.grounding.gene_info import Gene, read_genes
from ppi.grounding.normalization import normalized

#: Kinds of genes (``type_of_gene``) whose names are names of proteins.
PROTEIN_TYPES = frozenset({"protein-coding"})
#: Normalized names shorter than this ground nothing: ``P-1`` is not P1.
MIN_NORMALIZED = 3

EXACT_SYMBOL = "exact symbol"
EXACT_SYNONYM = "exact synonym"
EXACT_NAME = "exact name"
EXACT_FAMILY = "exact family"
NORMALIZED = "normalized"

_Index = dict[str, "str | tuple[str, ...]"]


class Grounding(NamedTuple):
    """What a name was found to be: ``how``, and all candidates in the order of the files; several are ambiguous."""

    how: str
    identifiers: tuple[str, ...]
    #: Of an exact match: what the name would be if case, hyphens and the like did not count.
    alternatives: tuple[str, ...] = ()

    @property
    def is_ambiguous(self) -> bool:
        """Whether there are several candidates."""
        return len(self.identifiers) > 1


class Lexicon:
    """Genes by name, and families by name.

    Looks a name up in this order, and takes everything that the first step with a match finds:

    1. official symbol, as written;
    2. synonym, full name of a gene, or name of a family or complex, as written;
    3. official symbol, normalized (see :mod:`ppi.grounding.normalization`);
    4. synonym, full name or family, normalized.

    Several genes, or a gene and a family, in one step are all kept, and marked as ambiguous.  A name that is found
    nowhere stays ungrounded.

    Parameters
    ----------
    genes
        As :func:`~ppi.grounding.gene_info.read_genes` gives them.
    families
        Names and identifiers, as :func:`~ppi.grounding.famplex.read_families` gives them.
    taxids
        Only genes of these species; None: all.
    types
        Only genes of these kinds; None: all.  By default those that code for proteins.
    """

    def __init__(
        self,
        genes: Iterable[Gene],
        families: Iterable[tuple[str, str]] = (),
        *,
        taxids: Collection[str] | None = None,
        types: Collection[str] | None = PROTEIN_TYPES,
    ) -> None:
        self._symbols: _Index = {}
        self._others: dict[str, _Index] = {EXACT_SYNONYM: {}, EXACT_NAME: {}, EXACT_FAMILY: {}}
        #: official symbol and species by identifier
        self._genes: dict[str, tuple[str, str]] = {}
        for gene in genes:
            if (taxids is None or gene.taxid in taxids) and (types is None or gene.type in types):
                self._add_gene(gene)
        for name, identifier in families:
            _add(self._others[EXACT_FAMILY], name, identifier)
        self._normalized_symbols = _normalized_index(self._symbols)
        self._normalized_others = _normalized_index(*self._others.values())

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

        Raises
        ------
        CorpusError
            With file and line, if one of them cannot be read or is damaged.
        """
        listed = () if families is None else read_families(families)
        return cls(read_genes(gene_info), listed, taxids=taxids, types=types)

    def __len__(self) -> int:
        """How many genes it knows."""
        return len(self._genes)

    def find(self, name: str) -> Grounding | None:
        """What a name is, or None if it is found nowhere."""
        if found := self._symbols.get(name):
            return Grounding(EXACT_SYMBOL, _listed(found))
        kinds = [(how, held) for how, index in self._others.items() if (held := index.get(name))]
        if kinds:
            candidates = dict.fromkeys(identifier for _, held in kinds for identifier in _listed(held))
            others = (each for found in self._normalized(name) for each in found if each not in candidates)
            return Grounding(kinds[0][0], tuple(candidates), tuple(dict.fromkeys(others)))
        return next((Grounding(NORMALIZED, found) for found in self._normalized(name)), None)

    def ground(self, entity: Entity) -> Entity:
        """The entity with what its name was found to be.

        One that has identifiers already, or whose name is found nowhere, comes back as it is.  Remarks say the rest:
        ``grounding`` how it was found, ``ambiguous`` the number of candidates if there are several, else ``symbol``
        and ``taxid`` of the gene; ``alternatives`` what else it could be if spelling did not count (``p21`` is a
        synonym of TCEAL1, but CDKN1A is called ``P21``).
        """
        if entity.identifiers:
            return entity
        found = self.find(entity.text)
        if found is None:
            return entity
        return replace(entity, identifiers=found.identifiers, infons=(*entity.infons, *self._remarks(found)))

    def ground_document(self, document: Document) -> Document:
        """The document with every entity grounded."""
        sentences = tuple(
            replace(sentence, entities=tuple(self.ground(entity) for entity in sentence.entities))
            for sentence in document.sentences
        )
        return replace(document, sentences=sentences)

    def _normalized(self, name: str) -> Iterator[tuple[str, ...]]:
        """What the normalized name is as a symbol, then as anything else."""
        key = normalized(name)
        if len(key) >= MIN_NORMALIZED:
            for index in (self._normalized_symbols, self._normalized_others):
                if found := index.get(key):
                    yield _listed(found)

    def _remarks(self, found: Grounding) -> Infons:
        remarks = [("grounding", found.how)]
        if found.is_ambiguous:
            remarks.append(("ambiguous", str(len(found.identifiers))))
        elif gene := self._genes.get(found.identifiers[0]):
            remarks += [("symbol", gene[0]), ("taxid", gene[1])]
        if found.alternatives:
            remarks.append(("alternatives", "|".join(found.alternatives)))
        return tuple(remarks)

    def _add_gene(self, gene: Gene) -> None:
        self._genes[gene.identifier] = (gene.symbol, gene.taxid)
        _add(self._symbols, gene.symbol, gene.identifier)
        for name in gene.synonyms:
            _add(self._others[EXACT_SYNONYM], name, gene.identifier)
        for name in gene.names:
            _add(self._others[EXACT_NAME], name, gene.identifier)


def _add(index: _Index, name: str, identifier: str) -> None:
    """Most names have one identifier, so it is kept bare: a tuple each would double the memory."""
    held = index.get(name)
    if held is None:
        index[name] = identifier
    elif isinstance(held, str):
        if held != identifier:
            index[name] = (held, identifier)
    elif identifier not in held:
        index[name] = (*held, identifier)


def _normalized_index(*indices: _Index) -> _Index:
    made: _Index = {}
    for index in indices:
        for name, held in index.items():
            key = normalized(name)
            if len(key) >= MIN_NORMALIZED:
                for identifier in _listed(held):
                    _add(made, key, identifier)
    return made


def _listed(held: str | tuple[str, ...]) -> tuple[str, ...]:
    return (held,) if isinstance(held, str) else held
