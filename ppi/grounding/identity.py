"""When two mentions are the same protein.

A mention that is grounded to exactly one identifier is that identifier.  Every other one, ungrounded or ambiguous, is
its name: that of its long form, where the text defines it as an abbreviation, without the words around it that do not
change who is meant (:mod:`ppi.grounding.names`).

Inside one document a little more is known than the two keys say: see :func:`is_same_protein`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from corpora.types import Entity
from ppi.grounding.names import name_key

#: Before the normalized name of a protein that has no identifier.
NAME_PREFIX = "name:"
#: The remark that holds what an abbreviation stands for.
LONG_FORM = "long_form"
#: The remark of a mention whose identifiers are those of several proteins that are meant together.
MEMBERS = "members"
#: The prefix of Entrez genes, as Bioregistry writes it, and what others write in its place.
ENTREZ_PREFIX = "ncbigene"
_ENTREZ_SPELLINGS = frozenset(
    ("ncbigene", "ncbi_gene", "ncbi gene", "entrez", "entrezgene", "entrez gene", "geneid", "egid")
)
#: What follows one of these in a long form is not what it speaks of.
_CONNECTING_WORDS = frozenset(("of", "for", "to", "with", "by", "in", "on", "from", "and", "or"))
_NUMBER = re.compile(r"[0-9]+")
#: Types of mentions whose bare numbers are Entrez genes (PubTator's).
_GENE_TYPES = frozenset(("gene", "protein", "genefamily", "familyname", "gene_or_gene_product", "domainmotif"))


def protein_key(entity: Entity) -> str:
    """What the protein of a mention is called in a network.

    >>> protein_key(Entity("e1", "Profilin", ((0, 8),), identifiers=("NCBIGene:5216",)))
    'ncbigene:5216'
    >>> protein_key(Entity("e2", "IL-1β", ((0, 5),))), protein_key(Entity("e3", "IL-1 beta protein", ((0, 17),)))
    ('name:il1beta', 'name:il1beta')
    >>> protein_key(Entity("e4", "APP", ((0, 3),), infons=(("long_form", "amyloid precursor protein"),)))
    'name:amyloidprecursorprotein'
    """
    if len(entity.identifiers) == 1:
        return canonicalize_identifier(entity.identifiers[0], entity.type)
    return NAME_PREFIX + name_key(get_long_form(entity) or entity.text)


class Identity(NamedTuple):
    """What two mentions of one document are compared by.

    Parameters
    ----------
    identifiers
        In one spelling.
    names
        Keys of its name and of its long form.
    meant
        Keys of its long form and of the phrases that this ends with; empty if it is no abbreviation.
    several
        Whether the identifiers are those of several proteins that are meant together ("ERK1/2").
    """

    identifiers: frozenset[str]
    names: frozenset[str]
    long_form_keys: frozenset[str] = frozenset()
    is_multiple: bool = False

    def matches(self, other: Identity) -> bool:
        """Whether it is the same protein; see :func:`is_same_protein`."""
        if self.identifiers and self.identifiers == other.identifiers:
            return True
        if not self.long_form_keys.isdisjoint(other.names) or not other.long_form_keys.isdisjoint(self.names):
            return True
        if self.is_multiple or other.is_multiple:
            return not self.identifiers.isdisjoint(other.identifiers)
        if len(self.identifiers) == len(other.identifiers) == 1:
            return False
        return not self.names.isdisjoint(other.names)


def identify(entity: Entity) -> Identity:
    """What a mention is compared by."""
    long = get_long_form(entity)
    return Identity(
        frozenset(canonicalize_identifier(identifier, entity.type) for identifier in entity.identifiers),
        frozenset(name_key(name) for name in (entity.text, long) if name),
        frozenset() if long is None else _compute_long_form_keys(long),
        any(name == MEMBERS for name, _ in entity.infons),
    )


@lru_cache(maxsize=10_000)
def _compute_long_form_keys(long: str) -> frozenset[str]:
    """Keys of a long form and of the phrases of two words and more that it ends with and that are its head.

    Of "Src homology 2 domain-containing protein tyrosine phosphatase-1" also "tyrosine phosphatase-1"; of "inhibitor of
    NF-kappa B" not "NF-kappa B".
    """
    words = long.split()
    head_length = next((number for number, word in enumerate(words) if word.lower() in _CONNECTING_WORDS), len(words))
    ends = (words[start:] for start in range(1, min(head_length, len(words) - 1)))
    return frozenset(name_key(" ".join(part)) for part in (words, *ends))


def is_same_protein(first: Entity, second: Entity) -> bool:
    """Whether two mentions of one document are the same protein.

    * An abbreviation and the words that the text says it stands for, or their end, are the same whatever they were
      found to be.
    * Two that have one identifier each: if it is the same.
    * One that stands for several (``ERK1/2``): if they have one in common.
    * Otherwise: if they have the same name, or the name or long form of one is the name or long form of the other, or
      both are ambiguous between the same identifiers.

    >>> app = Entity("e1", "APP", ((0, 3),), infons=(("long_form", "amyloid precursor protein"),))
    >>> is_same_protein(app, Entity("e2", "amyloid precursor protein", ((9, 34),), identifiers=("ncbigene:351",)))
    True
    >>> is_same_protein(Entity("e1", "insulin", ((0, 7),)), Entity("e2", "insulin receptor", ((9, 25),)))
    False
    """
    return identify(first).matches(identify(second))


def canonicalize_identifier(identifier: str, type: str | None = None) -> str:
    """An identifier as it is compared: Entrez genes as ``ncbigene:5216``, however their prefix is written.

    >>> canonicalize_identifier("NCBIGene:5216"), canonicalize_identifier("5216", "Gene"), canonicalize_identifier("UniProt:P07737")
    ('ncbigene:5216', 'ncbigene:5216', 'uniprot:P07737')
    """
    prefix, colon, rest = identifier.partition(":")
    if not colon:
        gene = _NUMBER.fullmatch(identifier) and (type or "").lower() in _GENE_TYPES
        return f"{ENTREZ_PREFIX}:{identifier}" if gene else identifier
    prefix = prefix.strip().lower()
    return f"{ENTREZ_PREFIX}:{rest.strip()}" if prefix in _ENTREZ_SPELLINGS else f"{prefix}:{rest}"


def get_long_form(entity: Entity) -> str | None:
    """What the mention stands for, if the text defines it as an abbreviation."""
    return next((value for name, value in entity.infons if name == LONG_FORM), None)
