"""Families, nucleic acids and what is none of the kinds have names of a certain form: "integrins", "SH2 domain".

Corpora call "actin" a family, "cotB" a piece of DNA and "oxytocin" something else, and so does a classifier that
learned from them; but by such a name a text means the gene or its product.  So these kinds are only given to names that
say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppi.pipeline.kinds import DNA_RNA, FAMILY, OTHER

#: The last word of a family's or a complex's name.
_FAMILY_ENDING = re.compile(
    r"(?:.*[a-z]{2}s|.*[A-Z]s|family|superfamily|complex|subfamily|class|group|heterodimer|homodimer|dimer|trimer"
    r"|.*kinase|.*phosphatase|.*protease|.*receptor|.*ase|integrin|cytokine|chemokine|collagen|tubulin|histone|proteasome"
    r"|ribosome|nucleosome|spliceosome|immunoglobulin|ubiquitin)$"
)
#: No plural, or one of many copies of a protein: "actin filaments".
_NOT_PLURAL = re.compile(
    r"(?:.*(?:ss|us|is|ras|ous)|[A-Z]?[a-z]{0,3}s|(?:mono|oligo|poly)mers|filaments|fib(?:er|re|ril)s|molecules|mutants)$"
)
_NUCLEIC_ENDING = re.compile(
    r"(?:.*rnas?|c?dnas?|promoters?|enhancers?|silencers?|operators?|operons?|regulons?|elements?|sites?|regions?|motifs?"
    r"|sequences?|ltrs?|utrs?|exons?|introns?|transcripts?|messages?|box(?:es)?|repeats?|plasmids?|vectors?|constructs?"
    r"|probes?|chromosomes?|telomeres?|\d*q\d*|\d*p\d\d*)$",
    re.IGNORECASE,
)
#: Parts of proteins, reagents, diseases, processes.
_OTHER_ENDING = re.compile(
    r"(?:domains?|motifs?|regions?|repeats?|fingers?|loops?|helix|helices|termin(?:us|i)|residues?|sites?|epitopes?|tags?"
    r"|antibod(?:y|ies)|mabs?|antiser(?:um|a)|assays?|syndromes?|diseases?|tumou?rs?|cancers?|.*omas?|pathways?"
    r"|transition|signal(?:l?ing)?|phenotypes?)$",
    re.IGNORECASE,
)
#: What substances are called that have no name yet (STX243), and abbreviations of words (SAHA).
_SUBSTANCE_CODE = re.compile(r"[A-Za-z]{1,4}-?\d{3,5}[A-Za-z]?|[a-z]?-?[A-Z]{3,5}")

#: What proteins are called by what they do, and the words that say with what, or where; alone they describe a family.
_GENERIC_NOUNS = frozenset(
    re.findall(
        r"\w+",
        """
        kinase phosphatase helicase receptor transporter channel factor protein molecule enzyme protease antigen
        exchanger antiport antiporter pump activator repressor regulator
        """,
    )
)
_GENERIC_MODIFIERS = frozenset(
    re.findall(
        r"\S+",
        """
        tyrosine serine threonine histidine lysine cysteine dual specificity cyclin dependent atp gtp dna rna mrna
        binding zinc finger leucine zipper membrane transmembrane plasma cell surface adhesion coupled ion potassium
        sodium calcium chloride proton na+ k+ h+ ca2+ glucose sugar amino acid peptide lipid iron metal guanine
        nucleotide exchange growth transcription transcriptional initiation elongation signal signaling signalling
        regulatory scaffold adaptor adapter effector voltage gated store operated gpi anchored non novel putative
        - / , ( ) 2+
        """,
    )
)


def is_generic_description(words: Sequence[str]) -> bool:
    """Whether a name has only words that describe: "receptor tyrosine kinase", not "protein kinase C".

    >>> [is_generic_description(name.split()) for name in ("receptor tyrosine kinase", "protein kinase C", "androgen receptor")]
    [True, False, False]
    """
    plain = list(map(_lower_singular, words))
    return plain[-1] in _GENERIC_NOUNS and all(word in _GENERIC_NOUNS or word in _GENERIC_MODIFIERS for word in plain)


def _lower_singular(word: str) -> str:
    """A word in small letters, without the s of a plural."""
    return word.lower().removesuffix("s") if word.islower() and len(word) > 3 else word.lower()


def has_form_of_kind(words: Sequence[str], kind: str) -> bool:
    """Whether a name of this kind may look like that; proteins, chemicals, cells and organisms have no form.

    >>> names = ("integrins", "Arp2 / 3 complex", "actin", "Fas", "PI 3 - kinase")
    >>> [has_form_of_kind(name.split(), "FAMILY") for name in names]
    [True, True, False, False, True]
    >>> [has_form_of_kind(name.split(), "DNA_RNA") for name in ("cotB", "IL - 2 promoter")]
    [False, True]
    >>> [has_form_of_kind(name.split(), "OTHER") for name in ("oxytocin", "SH2 domain", "STX243")]
    [False, True, True]
    """
    last = words[-1]
    if kind == FAMILY:
        return bool(_FAMILY_ENDING.match(last)) and not _NOT_PLURAL.match(last)
    if kind == DNA_RNA:
        return bool(_NUCLEIC_ENDING.match(last))
    return kind != OTHER or bool(_OTHER_ENDING.match(last) or _SUBSTANCE_CODE.fullmatch("".join(words)))
