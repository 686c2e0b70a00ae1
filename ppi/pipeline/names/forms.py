"""Families, nucleic acids and what is none of the kinds have names of a certain form: "integrins", "SH2 domain".

Corpora call "actin" a family, "cotB" a piece of DNA and "oxytocin" something else, and so does a classifier that learned
from them; but by such a name a text means the gene or its product.  So these kinds are only given to names that say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppi.pipeline.kinds import DNA_RNA, FAMILY, OTHER, PROTEIN

#: The last word of a family's or a complex's name.
_FAMILY = re.compile(
    r"(?:.*[a-z]{2}s|.*[A-Z]s|family|superfamily|complex|subfamily|class|group|heterodimer|homodimer|dimer|trimer"
    r"|.*kinase|.*phosphatase|.*protease|.*receptor|.*ase|integrin|cytokine|chemokine|collagen|tubulin|histone|proteasome"
    r"|ribosome|nucleosome|spliceosome|immunoglobulin|ubiquitin)$"
)
_NO_PLURAL = re.compile(r"(?:.*(?:ss|us|is|ras|ous)|[A-Z]?[a-z]{0,3}s)$")
_NUCLEIC = re.compile(
    r"(?:.*rnas?|c?dnas?|promoters?|enhancers?|silencers?|operators?|operons?|regulons?|elements?|sites?|regions?|motifs?"
    r"|sequences?|ltrs?|utrs?|exons?|introns?|transcripts?|messages?|box(?:es)?|repeats?|plasmids?|vectors?|constructs?"
    r"|probes?|chromosomes?|telomeres?|\d*q\d*|\d*p\d\d*)$",
    re.IGNORECASE,
)
#: Parts of proteins, reagents, diseases, processes.
_OTHER = re.compile(
    r"(?:domains?|motifs?|regions?|repeats?|fingers?|loops?|helix|helices|termin(?:us|i)|residues?|sites?|epitopes?|tags?"
    r"|antibod(?:y|ies)|mabs?|antiser(?:um|a)|assays?|syndromes?|diseases?|tumou?rs?|cancers?|.*omas?|pathways?"
    r"|transition|signal(?:l?ing)?|phenotypes?)$",
    re.IGNORECASE,
)


def by_form(words: Sequence[str], kind: str) -> str:
    """The kind, or that of proteins if the name has not its form.

    >>> [by_form(name.split(), "FAMILY") for name in ("integrins", "Arp2 / 3 complex", "actin", "Fas", "PI 3 - kinase")]
    ['FAMILY', 'FAMILY', 'PROTEIN', 'PROTEIN', 'FAMILY']
    >>> [by_form(name.split(), "DNA_RNA") for name in ("cotB", "IL - 2 promoter")]
    ['PROTEIN', 'DNA_RNA']
    >>> [by_form(name.split(), "OTHER") for name in ("oxytocin", "SH2 domain")]
    ['PROTEIN', 'OTHER']
    """
    last = words[-1]
    if kind == FAMILY and (not _FAMILY.match(last) or _NO_PLURAL.match(last)):
        return PROTEIN
    if (kind == DNA_RNA and not _NUCLEIC.match(last)) or (kind == OTHER and not _OTHER.match(last)):
        return PROTEIN
    return kind
