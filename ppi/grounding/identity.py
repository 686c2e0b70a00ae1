"""Decides whether two mentions are the same protein, and strips names of the words around them.

A mention that is grounded to exactly one identifier is that identifier.  Every other one, ungrounded or ambiguous, is
its name: that of its long form, where the text defines it as an abbreviation, without the words around it that do not
change who is meant.  Inside one document a little more is known: see :func:`is_same_protein`.

``UL37 protein``, ``protein UL37`` and ``the UL37 gene product`` are UL37; ``insulin receptor`` is not insulin,
``protein kinase C`` is not C, ``ERK kinase`` is not ERK.  So a word is taken away only where what is left is sure to be
the name of the same thing:

* behind a name (``gene``, ``mRNA``, ``promoter``, ``cDNA``, ``locus`` ...): what belongs to the gene, whatever it is
  called, as long as a name is left and not only a class (``kinase genes``);
* ``protein``, ``polypeptide``, ``product``: behind a symbol (``p53``, ``UL37``, ``Mdm2``), and behind longer names
  whose last word is that of a protein by itself (``fatty aldehyde dehydrogenase protein``); not in ``C-reactive
  protein``, ``G protein``, ``matrix protein``;
* ``receptor``: only behind a symbol that names a receptor already (``CXCR4 receptor``, ``EGF-R receptor``);
* classes behind a symbol, as long as they name no partner of it: ``p53 tumor suppressor``, ``Sp1 transcription
  factor``, but not ``Rho kinase`` or ``Fas ligand``;
* before a symbol, classes of any kind: ``protein UL37``, ``tumor suppressor p53``, ``protein tyrosine phosphatase
  SHP-1``, ``chemokine receptor CXCR4``; a Roman or Arabic number is not a symbol (``transcription factor IIH``);
* ``the``, ``mutant``, ``wild-type``, ``recombinant``, ``endogenous`` and the like, and species, before anything: where
  two species' genes are kept apart, they have identifiers; other organisms before a symbol (``Salmonella SopE``,
  ``human cytomegalovirus UL20``).

What is left is then normalized (:mod:`ppi.grounding.matching`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from corpora import Entity
from ppi.grounding.matching import normalize_name
from ppi.grounding.species import find_species

#: Before the normalized name of a protein that has no identifier.
NAME_PREFIX = "name:"
#: The infon that holds what an abbreviation stands for.
LONG_FORM = "long_form"
#: The infon of a mention whose identifiers are those of several proteins that are meant together.
MEMBERS = "members"
#: The prefix of Entrez genes, as Bioregistry writes it, and what others write in its place.
ENTREZ_PREFIX = "ncbigene"
_ENTREZ_SPELLINGS = frozenset(
    ("ncbigene", "ncbi_gene", "ncbi gene", "entrez", "entrezgene", "entrez gene", "geneid", "egid")
)
#: What follows one of these in a long form is not its head.
_CONNECTING_WORDS = frozenset(("of", "for", "to", "with", "by", "in", "on", "from", "and", "or"))
_NUMBER = re.compile(r"[0-9]+")
#: Types of mentions whose bare numbers are Entrez genes (PubTator's).
_GENE_TYPES = frozenset(("gene", "protein", "genefamily", "familyname", "gene_or_gene_product", "domainmotif"))

#: What belongs to a gene.
_GENE_NOUNS = (
    r"genes?|alleles?|loc(?:us|i)|promoters?|enhancers?|m?RNAs?|cDNAs?|transcripts?|messages?|messenger RNAs?"
    r"|gene promoters?|gene products?|gene transcripts?|open reading frames?|ORFs?"
)
#: What a name is the name of.
_PROTEIN_NOUNS = r"(?:onco)?proteins?|polypeptides?|products?|molecules?|isoforms?"
#: Classes that name no partner of the symbol before them: "Rho kinase" is not Rho, but "p53 tumor suppressor" is p53.
_CLASS_NOUNS = (
    r"tumou?r suppressors?(?: proteins?| genes?)?|transcription(?:al)? factors?|(?:proto-?)?oncogenes?|GTPases?"
    r"|transcription(?:al)? activators?|transcription(?:al)? repressors?|adaptors?|cytokines?|chemokines?|enzymes?"
)
_QUALIFIERS = (
    r"the|its|their|mutant|mutated|wild-?type|recombinant|endogenous|exogenous|ectopic|overexpressed|full-?length"
    r"|phosphorylated|purified|constitutively active|dominant-?negative|human|murine|mouse|rat|bovine|yeast|Drosophila"
    r"|zebrafish|chicken|porcine|Xenopus|Arabidopsis"
)
#: Words for the class of a symbol behind them.
_CLASS_WORD = (
    r"(?:onco|nucleo|phospho|glyco)?proteins?|peptides?|kinases?|receptors?|factors?|transcription(?:al)?|tumou?r|genes?"
    r"|suppressors?|(?:proto-?)?oncogenes?|adapt[oe]rs?|scaffold(?:ing)?|phosphatases?|tyrosine|serine|threonine|lipid"
    r"|serine/threonine|enzymes?|ligases?|ubiquitin|E3|GTPases?|ATPases?|helicases?|proteases?|peptidases?|nucleases?"
    r"|(?:co-?)?chaperones?|cytokines?|chemokines?|ligands?|hormones?|channels?|ion|transporters?|antigens?|motor"
    r"|(?:co-?)?repressors?|(?:co-?)?activators?|regulators?|modulators?|inhibitors?|markers?|subunits?|components?"
    r"|members?|effectors?|substrates?|targets?|products?|isoforms?|homolog(?:ue)?s?|ortholog(?:ue)?s?|nuclear|small"
    r"|(?:trans|cell-?)?membrane|(?:cell-?)?surface|viral|bacterial|histone|(?:methyl|acetyl)transferases?|orphan"
    r"|de(?:acetyl|methyl)ases?|(?:anti-?|pro-?)?(?:apoptotic|inflammatory)|G-protein(?:-coupled)?|coupled|regulatory"
    r"|signall?ing|docking"
)
#: Words that are not a name even when that of a gene follows.
_GENERIC_WORD = (
    rf"{_CLASS_WORD}|{_QUALIFIERS}|matrix|fusion|binding|reporter|core|heat|shock|housekeeping|early|late|and|of|for"
)

_CLASS_PREFIX = re.compile(rf"(?:(?:{_CLASS_WORD}),? )+$", re.IGNORECASE)
_GENERIC = re.compile(rf"(?:{_GENERIC_WORD})(?: (?:{_GENERIC_WORD}))*$", re.IGNORECASE)
_QUALIFIER_PREFIX = re.compile(rf"^(?:(?:{_QUALIFIERS}) )+", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
#: The second word of an organism's Latin name: Pseudomonas aeruginosa.
_EPITHET = re.compile(r"^[a-z]{4,} ")
#: Two letters and more with a digit or a second capital, or one of them and a digit: UL37, p53, Mdm2, STAT, c-Myc, Ras.
_SYMBOL = re.compile(r"(?=[^\s]*[A-Za-z])(?=[^\s]*[A-Z0-9\u0370-\u03ff])[^\s\d][^\s]+$")
_NO_SYMBOL = re.compile(
    r"[IVX]+[A-Za-z]?$|[A-Za-z]$|\d+[A-Za-z]?$|.*-(?:binding|associated|interacting|related|like|dependent|inducible"
    r"|activated|activating|regulated|responsive|containing|coupled|linked|releasing|specific|rich|type|derived"
    r"|anchoring|modifying|stimulating|inhibiting|inhibitory|reactive|transfer|terminal|negative|positive|box|protein)$"
)
#: Symbols that are those of receptors: CXCR4, EGFR, IL-2Rα, TLR4, GPR30, 5-HT2A, TRPV1, P2X7, CB1.
_RECEPTOR_SYMBOL = re.compile(
    r"(?:[A-Za-z0-9\-]{2,}R(?:-?\d+[A-Za-z]?|-?[a-gα-ω]|alpha|beta|gamma)?|5-?HT\d[A-Z]?|TRP[A-Z]+\d+|P2[XY]\d+|CB[12]"
    r"|Notch-?\d?|Fas|Toll|Glu[NAK]\d\w?|CD\d+\w?)$"
)
#: The last word of a name that is a protein's without "protein" behind it.
_PROTEIN_WORD = re.compile(
    r"(?:[a-z]{2,}(?:ase|in|ins|ases|or|ors|gen|globin)|receptor|factor|ligand|kinase|hormone|subunit|antigen|channel)$",
    re.IGNORECASE,
)
#: What distinguishes proteins of one name: "profilin 1", "importin beta".
_NUMBERS = r"\d+[A-Za-z]?|[IVX]+|[A-Z]|alpha|beta|gamma|delta|epsilon|zeta|theta|[α-ω]"
_NUMBERED = re.compile(rf"(?:[ \-](?:{_NUMBERS}))+$")
_NUMBERED_APART = re.compile(rf"(?: (?:{_NUMBERS}))+$")
#: Words that end like names of proteins and are none, or are only classes.
_NO_PROTEIN_WORD = re.compile(
    r"(?:precursor|domain|chain|brain|skin|origin|within|tumor|donor|main|strain|motor|inhibitor|adaptor|activator"
    r"|repressor|suppressor|regulator|phase|base|disease|increase|decrease|release|response|case)$",
    re.IGNORECASE,
)
_MIN_SYMBOL_LENGTH = 3
_SHORT_SYMBOL = re.compile(r"[A-Z]\d$")  # E6, but not 2A
_MIN_NAME_LENGTH = 4
_MIN_NORMALIZED_LENGTH = 2
#: Longer ones are not names, and searching them takes time with the square of their length.
_MAX_NAME_LENGTH = 200


def strip_name(name: str) -> str:
    """The name without the words around it that do not change who is meant.

    >>> [strip_name(name) for name in ("UL37 protein", "protein UL37", "the p53 gene product", "insulin receptor")]
    ['UL37', 'UL37', 'p53', 'insulin receptor']
    >>> [strip_name(name) for name in ("human cytomegalovirus UL20 protein", "Salmonella effector SopE")]
    ['UL20', 'SopE']
    >>> [strip_name(name) for name in ("ALDH3A2 gene", "G protein", "C-reactive protein", "protein kinase C")]
    ['ALDH3A2', 'G protein', 'C-reactive protein', 'protein kinase C']
    """
    if len(name) > _MAX_NAME_LENGTH:
        return name
    name = _SPACE.sub(" ", name).strip()
    for _ in range(4):  # "the mutant p53 gene promoter"
        shorter = _strip_once(name)
        if shorter == name:
            break
        name = shorter
    return name


@lru_cache(maxsize=50_000)
def is_class(name: str) -> bool:
    """Whether a name is that of a class and of no protein: it has nothing but words for classes.

    >>> [is_class(name) for name in ("transcription factor", "E3 ubiquitin ligase", "inhibitor of p53", "cytokines")]
    [True, True, False, True]
    """
    return len(name) <= _MAX_NAME_LENGTH and _GENERIC.match(_SPACE.sub(" ", name).strip()) is not None


def _strip_once(name: str) -> str:
    """The name without one such part, if it has one."""
    if (name_after_organism := _strip_organism(name)) is not None:
        return name_after_organism
    if (match := _QUALIFIER_PREFIX.match(name)) and _is_name(remainder := name[match.end() :]):
        return remainder
    for suffix, accepts in _SUFFIXES:
        if (match := suffix.search(name)) and accepts(remainder := name[: match.start()]):
            return remainder
    before, space, last = name.rpartition(" ")
    return last if _is_symbol(last) and _CLASS_PREFIX.match(before + space) else name


def _strip_organism(name: str) -> str | None:
    """What follows an organism at the beginning of a name, if it begins or ends with a symbol."""
    organisms = find_species(name)
    if not organisms or organisms[0].start or name[organisms[0].end : organisms[0].end + 1] != " ":
        return None
    remainder = name[organisms[0].end + 1 :]
    if name[0].isupper():
        remainder = _EPITHET.sub("", remainder)
    return remainder if _is_symbol(remainder.partition(" ")[0]) or _is_symbol(remainder.rpartition(" ")[2]) else None


def _is_symbol(text: str) -> bool:
    if len(text) < _MIN_SYMBOL_LENGTH:
        return bool(_SHORT_SYMBOL.match(text))
    return bool(_SYMBOL.match(text)) and not _NO_SYMBOL.match(text)


def _is_name(text: str) -> bool:
    """Whether it can stand by itself: not a single letter, a number, or nothing but a class."""
    return len(normalize_name(text)) >= _MIN_NORMALIZED_LENGTH and not text.isdigit() and not _GENERIC.match(text)


def _is_protein(text: str) -> bool:
    """Whether it is a protein's name by its last word: "aldehyde dehydrogenase", "leptin", "importin beta"."""
    symbol, text = _NUMBERED_APART.sub("", text), _NUMBERED.sub("", text)
    last = text.rpartition(" ")[2]
    long_enough = len(symbol) >= _MIN_NAME_LENGTH and not _GENERIC.match(text)
    has_protein_word = _PROTEIN_WORD.search(last) and not _NO_PROTEIN_WORD.search(last)
    return long_enough and bool(has_protein_word or _is_symbol(symbol))


#: What is taken off the end of a name, if what is left is accepted.
_SUFFIXES: tuple[tuple[re.Pattern[str], Callable[[str], object]], ...] = (
    (re.compile(rf"[\s\-]+(?:{_GENE_NOUNS})$"), _is_name),
    (re.compile(rf"[\s\-]+(?:{_PROTEIN_NOUNS})$", re.IGNORECASE), lambda text: _is_symbol(text) or _is_protein(text)),
    (re.compile(rf"[\s\-]+(?:{_CLASS_NOUNS})$", re.IGNORECASE), _is_symbol),
    (re.compile(r"[\s\-]+receptors?$", re.IGNORECASE), _RECEPTOR_SYMBOL.match),
)


@lru_cache(maxsize=50_000)
def name_key(name: str) -> str:
    """The bare name, normalized; of a name that has neither letter nor digit, the code points of its characters.

    >>> name_key("Profilin-I"), name_key("profilin 1 protein"), name_key("+")
    ('profilin1', 'profilin1', 'u2b')
    """
    key = normalize_name(strip_name(name)) or normalize_name(name)
    return key or "".join(f"u{ord(character):x}" for character in name)


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
    long_form_keys
        Keys of its long form and of the phrases that this ends with; empty if it is not an abbreviation.
    is_multiple
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

    * An abbreviation and the words that it stands for in the text, or their end, are the same whatever they were
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

    >>> canonicalize_identifier("NCBIGene:5216"), canonicalize_identifier("5216", "Gene")
    ('ncbigene:5216', 'ncbigene:5216')
    >>> canonicalize_identifier("UniProt:P07737")
    'uniprot:P07737'
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
