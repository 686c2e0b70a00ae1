"""What the spelling of a name says that it is, whatever the network says: tags, residues, drugs, nucleotides, ions.

Rules of form that hold for any text: figures and tables, strains that lack a gene (Δtrr1, rad51Δ), loci, numbers that
firms give to substances (LY294002, AZD2171), endings of international nonproprietary names (-mab, -tinib), nucleotides
with sugars, prostaglandins, salts, names that end like those of chemicals.
"""

from __future__ import annotations

import re

from ppi.pipeline.kinds import CHEMICAL, DNA_RNA, OTHER

#: Written without what is no letter or digit.
_TAGS = frozenset(
    re.findall(
        r"\w+",
        "gfp egfp yfp eyfp cfp ecfp rfp dsred mcherry tdtomato flag greenfluorescentprotein redfluorescentprotein mab",
    )
)
_NON_ALPHANUMERIC = re.compile(r"[\W_]+")

_AMINO_ACID = "Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val"
_RESIDUE = rf"(?:{_AMINO_ACID})[-( ]*\d+(?: ?\))?(?:[-/,( ]+(?:{_AMINO_ACID})?[-( ]*\d+(?: ?\))?)*"
#: Several residues, by one letter each: "S252/S256", "K465/468–K483".
_RESIDUES = r"[ACDEFGHIKLMNPQRSTVWY]\d{2,4}(?:[/–-][ACDEFGHIKLMNPQRSTVWY]?\d{2,4})+"
#: Monoclonal antibodies, by their international names.
_ANTIBODY = r"\w{3,}mab"
_FIGURE = r"(?:Supplementary )?(?:Fig(?:ure)?s?\.?|Tables?|Movies?|Videos?|Panels?) ?S?\d+ ?[A-Za-z]?"
#: A gene in small letters, or any in a yeast's notation, with a delta: a strain that lacks it.  ΔFosB, ΔNp63 and
#: ΔF508 are proteins.
_STRAIN_SUFFIX = r"(?: mutants?| strains?| cells)?"
_DELETION = rf"[Δ∆][a-z]{{2,5}}\d*[A-Z]?{_STRAIN_SUFFIX}|[A-Za-z]{{2,5}}\d*[Δ∆]{_STRAIN_SUFFIX}"
_DOMAIN = r"EF[- ]hands?(?: (?:[IVX]+|\d+))?|\S.* propellers?"
_LOCUS = r"\S.*[ -](?:locus|loci|alleles?|E-box(?:es)?)"

_ION = r"(?:Na|K|Li|H|Ca|Mg|Zn|Mn|Cu|Fe|Co|Ni|Cl)(?:\(?\d?[+-]\)?|\(\d?[+-]\))"
_SALT = (
    r"(?:Na|Li|K|Ag|NH4)(?:Cl|Br|F|I|CN)|(?:Ca|Mg|Zn|Mn|Cu|Fe|Co|Ni|Ba|Cd|Hg|Pb)(?:Cl|Br|F)2|CNBr|H2O2|Na[HO]\w{1,4}"
)
#: A firm's letters and four or more digits; or any letters and five or more, which no series of genes has.
_SUBSTANCE = (
    r"(?:SB|PD|LY|SU|AG|GW|GF|CGP|ZD|AZD|BMS|MLN|GDC|PLX|NVP|BAY|SKF|SK&F|ICI|SCH|JNJ|GSK|WAY|MDL|RWJ|TAK|UCN|STI|CEP|OSI"
    r"|CHIR|ABT|NSC|PHA|AMG|BIBF|SSR|YM|RU|PF|SP|KN|XAV|ZM|ZK|FTY|G[o\u00f6]e?|R[oO])[- ]?\d{4,7}[A-Z]?"
    r"|U0\d{3}"
    r"|(?!KIAA|LOC|FLJ|MGC|DKFZ|RP|CTD|LINC|ENS|CG|[NX][MP]_|A[BFK]|BC|Rv|At|Ce)[A-Z][A-Za-z]{0,3}[- ]?\d{5,7}[A-Z]?"
)
#: Endings of international nonproprietary names.
_DRUG = (
    r"(?i:\w{3,}(?:tinib|platin|rubicin|cillin|azole|caine|sartan|olol|dipine|taxel|parib|zomib|ciclib|rafenib|limus"
    r"|floxacin|cycline|profen))"
)
_NUCLEOTIDE = (
    r"(?:UDP|GDP|CMP|ADP|CDP|d?TDP)-?(?:GlcNAc|GalNAc|GlcA|NeuAc|Gal|Glc|Man|Xyl|Fuc|glucose|galactose|mannose|ribose)"
    r"|[AG][TD]P[- ]?(?:gamma|\u03b3|beta|\u03b2|alpha|\u03b1)[- ]?S|NADP?(?:\+|H|\(\+\))|[ACGU](?:p[ACGU])+"
    r"|Ptd(?:Ins|Ser|Cho)\S*"
)
#: Glycans as they are written down, Lewis antigens among them.
_GLYCAN = r"\S*(?:GalNAc|GlcNAc|NeuAc)\S*-R|(?:[Ss]ialyl[- ])?Le\([abxy]\)|(?:\S+ )?[NO]-(?:linked )?glycans?"
_PROSTAGLANDIN = r"PG(?:[ABDEGHIJ](?:[12]|\([12] ?\))|F(?:[12]|\([12] ?\))(?:alpha|\u03b1)?)"
#: The last word of a chemical's name; "protamine" is a protein, "HDL cholesterol" a measured one.
_CHEMICAL_ENDING = (
    r"(?i:(?!.* (?:of|for|to) )(?:.*[^\w])?(?:acid"
    r"|\w*(?:phosphate|phosphatidylinositol|oxide|chloride|aldehyde|acetate|glutamate)"
    r"|(?!protamine)\w{3,}(?:amide|amine|mycin|cillin|quinone|saccharide))s?(?:[ -]\d)?)"
)
#: Parts of cells that are no complexes of proteins, in one word.
CELL_PART = (
    r"(?i:(?:micro)?(?:tubules?|filaments?|vesicles?)|synapses?|droplets?|granules?|mitochondri(?:a|on)|chromatin"
    r"|(?:micro)?vill(?:i|us)|cili(?:a|um)|(?:lyso|endo|peroxi|exo|lipo|(?:auto)?phago|chromo|centro|melano|micro)somes?)"
)

_OTHER_SPELLING = re.compile("|".join((_RESIDUE, _RESIDUES, _ANTIBODY, _FIGURE, _DELETION, _DOMAIN, CELL_PART)))
_NUCLEIC_SPELLING = re.compile(_LOCUS)
_CHEMICAL_SPELLING = re.compile(
    "|".join((_ION, _SALT, _SUBSTANCE, _DRUG, _NUCLEOTIDE, _GLYCAN, _PROSTAGLANDIN, _CHEMICAL_ENDING))
)


def classify_by_spelling(name: str) -> str | None:
    """The kind of a name that cannot be a protein's; None if it can.

    >>> [classify_by_spelling(name) for name in ("GFP", "Ser78", "AZD2171", "UDP-Gal", "KIAA1199", "CD44")]
    ['OTHER', 'OTHER', 'CHEMICAL', 'CHEMICAL', None, None]
    >>> [classify_by_spelling(name) for name in ("Figure 5A", "Δtrr1", "ΔFosB", "Soc locus", "K465/468–K483", "p38/p42")]
    ['OTHER', 'OTHER', None, 'DNA_RNA', 'OTHER', None]
    """
    if _NON_ALPHANUMERIC.sub("", name).lower() in _TAGS or _OTHER_SPELLING.fullmatch(name):
        return OTHER
    if _NUCLEIC_SPELLING.fullmatch(name):
        return DNA_RNA
    return CHEMICAL if _CHEMICAL_SPELLING.fullmatch(name) else None
