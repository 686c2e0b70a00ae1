"""Classifies names by rules on their spelling and their long forms, independently of the network.

Rules of spelling hold for any text: tags, residues, ions, figures and tables, strains that lack a gene (Δtrr1, rad51Δ),
loci, numbers that firms give to substances (LY294002, AZD2171), endings of international nonproprietary names (-mab,
-tinib), nucleotides with sugars, prostaglandins, salts, names that end like those of chemicals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ppi.language.entity_kinds import CELL, CHEMICAL, DNA_RNA, FAMILY, ORGANISM, OTHER, PROTEIN
from ppi.language.tokenization import TokenizedText, word_set

#: Only their letters and digits.
_TAGS = word_set(
    "gfp egfp yfp eyfp cfp ecfp rfp dsred mcherry tdtomato flag greenfluorescentprotein redfluorescentprotein mab"
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
#: Parts of cells that are not complexes of proteins, in one word.
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
    >>> names = ("Figure 5A", "Δtrr1", "ΔFosB", "Soc locus", "K465/468–K483", "p38/p42")
    >>> [classify_by_spelling(name) for name in names]
    ['OTHER', 'OTHER', None, 'DNA_RNA', 'OTHER', None]
    """
    if _NON_ALPHANUMERIC.sub("", name).lower() in _TAGS or _OTHER_SPELLING.fullmatch(name):
        return OTHER
    if _NUCLEIC_SPELLING.fullmatch(name):
        return DNA_RNA
    return CHEMICAL if _CHEMICAL_SPELLING.fullmatch(name) else None


# Families, nucleic acids and what is none of the kinds have names of a certain form: "integrins", "SH2 domain".
#
# Corpora call "actin" a family, "cotB" a piece of DNA and "oxytocin" something else, and so does a classifier that
# learned from them; but by such a name a text means the gene or its product.  So only names that say so get the kinds.

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

#: What proteins are called by what they do, and words for with what, or where; by themselves they describe a family.
_GENERIC_NOUNS = word_set(
    """
    kinase phosphatase helicase receptor transporter channel factor protein molecule enzyme protease antigen
    exchanger antiport antiporter pump activator repressor regulator
    """
)
_GENERIC_MODIFIERS = word_set(
    """
    tyrosine serine threonine histidine lysine cysteine dual specificity cyclin dependent atp gtp dna rna mrna
    binding zinc finger leucine zipper membrane transmembrane plasma cell surface adhesion coupled ion potassium
    sodium calcium chloride proton na+ k+ h+ ca2+ glucose sugar amino acid peptide lipid iron metal guanine
    nucleotide exchange growth transcription transcriptional initiation elongation signal signaling signalling
    regulatory scaffold adaptor adapter effector voltage gated store operated gpi anchored non novel putative
    - / , ( ) 2+
    """
)


def is_generic_description(words: Sequence[str]) -> bool:
    """Whether a name has only words that describe: "receptor tyrosine kinase", not "protein kinase C".

    >>> names = ("receptor tyrosine kinase", "protein kinase C", "androgen receptor")
    >>> [is_generic_description(name.split()) for name in names]
    [True, False, False]
    """
    # in small letters, without the s of a plural
    plain = [word.lower().removesuffix("s") if word.islower() and len(word) > 3 else word.lower() for word in words]
    return plain[-1] in _GENERIC_NOUNS and all(word in _GENERIC_NOUNS or word in _GENERIC_MODIFIERS for word in plain)


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


# What an abbreviation is the name of, by its long form: by the name found there, or by its head.
#
# The head of "mammalian target of rapamycin" is "target", that of "casein kinase 1" is "kinase".  Where neither says
# anything, an abbreviation of several words none of which is a protein's is the name of something else: of a disease, a
# method, a tissue.

#: What comes behind the head: "of ...", "deleted on ...".
_AFTER_HEAD = re.compile(
    r"(?<=\w)(?:,|\s+(?:of|for|in|on|from|with|to|by|at|that|expressed|deleted|mutated|induced|regulated|containing)\b).*$",
    re.DOTALL | re.IGNORECASE,
)
#: "protein kinase C", "factor 2", "receptor type II", "coactivator 1alpha".
_TRAILING_NUMBER = re.compile(
    r"(?:[\s/-]+(?:\d[\w.]{0,5}|[IVX]+|[A-Za-z]|\w?(?:alpha|beta|gamma|delta|kappa)\d?|types?|isoforms?|like))+[)\]']*$"
)
_WORD = re.compile(r"[^\W_]+")

_PROTEIN_WORD = re.compile(
    r"(?:\w*kinase|\w*phosphatase|\w*receptor|\w*protein|\w*peptide|factor|hormone|enzyme|\w*globulin"
    r"|antigen|ligand|cytokine|chemokine|\w*interleukin|\w*interferon|transporter|exchanger|channel|\w*activator"
    r"|\w*repressor|regulator|transducer|adaptor|adapter|subunit|chain|homologu?e?|\w*oncogene|gene|\w*cadherin"
    r"|molecule|antagonist|inhibitor|target|suppressor|mediator|substrate|effector|sensor|\w*collagen|\w*albumin|\w{4,}ins?(?<!mycin)(?<!vitamin)(?<!origin)(?<!heparin)"
    r"|(?!disease|phase|base|release|increase|decrease|database|case|purchase|lipase$)\w{2,}ase|lipase)s?",
    re.IGNORECASE,
)
_OTHER_HEADS = (
    r"(?:\w*(?:osis|itis|oma|emia|aemia|pathy|trophy|ectomy|scopy|graphy|metry|ology|therapy|ization|isation|graft)s?"
    r"|cancers?|tumou?rs?|diseases?|syndromes?|disorders?|infections?|injur(?:y|ies)|failure|transition|pathways?|assays?"
    r"|tests?|scores?|ind(?:ex|ices)|rates?|ratios?|systems?|reactions?|analys[ei]s|microarrays?|networks?|membranes?"
    r"|reticulum|matri(?:x|ces)|tissues?|cortex|cord|zones?|networks?|nucle(?:us|i)|buffers?|medium|saline|serum|treatments?"
    r"|responses?|stress|death|signal(?:l?ing)|damage|repair|imaging|sequencing|density|domains?|motifs?|repeats?)"
)
#: Endings that words of other kinds do not have.
_CHEMICAL_HEADS = (
    r"(?:acids?|\w*(?:oxide|chloride|bromide|fluoride|phosphate|sulfate|sulphate|acetate|nitrate|glycol|alcohol|ether|ester"
    r"|steroid|aldehyde)s?|\w{3,}(?:amide|amine|idine|azole|oside|anol|enol|sterol|sterone|mycin|cillin|quinone|ylene"
    r"|anide|imide|ceride|saccharide|ketone|lactone|thiol|urea|glutamate|pyruvate|lactate|butyrate)s?"
    r"|hyaluronan|hyaluronate|\w*(?:lipid|glucose|dextran|chitosan|heparin|eicosanoid|cannabinoid)s?)"
)
#: The heads of long forms by their kinds, in the order in which they are tried.
_KIND_PATTERNS = [
    (re.compile(pattern, re.IGNORECASE), kind)
    for kind, pattern in (
        (CELL, r"(?:cells?|\w*(?:cytes?|blasts?|phages?|phils?)|neurons?|progenitors?|platelets?|\w*glia)"),
        (DNA_RNA, r"(?:\w*[dr]nas?|promoters?|enhancers?|oligonucleotides?|operons?|introns?|exons?|elements?|utrs?)"),
        (ORGANISM, r"(?:\w*virus(?:es)?|mouse|mice|rats?|bacteri(?:a|um)|plants?)"),
        (OTHER, _OTHER_HEADS),
        (OTHER, CELL_PART),
        (CHEMICAL, _CHEMICAL_HEADS),
    )
] + [(_PROTEIN_WORD, PROTEIN)]
#: Genes are called by what happens to them, too: "ataxia telangiectasia mutated", "deleted in colorectal cancer".
_PARTICIPLE = re.compile(
    r"\b(?:deleted|mutated|expressed|induced|enriched|amplified|associated|related|linked)\b", re.I
)


def find_head(long: str) -> tuple[int, int]:
    """Start and end of a long form's head; of the whole, if it has no word.

    >>> long = "mammalian target of rapamycin"
    >>> long[slice(*find_head(long))]
    'target'
    """
    words = list(_WORD.finditer(_TRAILING_NUMBER.sub("", _AFTER_HEAD.sub("", long))))
    return words[-1].span() if words else (0, len(long))


def classify_long_form(long: str, *, head_kind: str | None, has_protein: bool) -> str | None:
    """The kind of the names that abbreviate some words; None if nothing speaks for one.

    ``head_kind`` is that of the name that was found where the head is, if there is one; ``has_protein`` is whether the
    name of a protein was found anywhere in these words.
    """
    if head_kind is not None:
        return head_kind
    kind = classify_by_head(long)
    if kind is not None or has_protein:
        return kind
    words = _WORD.findall(long)
    is_numbered = words[-1].isdigit()  # "structural maintenance of chromosomes 1"
    is_open = len(words) < 2 or is_numbered or any(map(_PROTEIN_WORD.fullmatch, words)) or _PARTICIPLE.search(long)
    return None if is_open else OTHER


def classify_by_head(long: str) -> str | None:
    """The kind by the head; None if that is unknown.

    >>> longs = ("casein kinase 1", "retinal ganglion cells", "oleic acid", "growth plate")
    >>> [classify_by_head(long) for long in longs]
    ['PROTEIN', 'CELL', 'CHEMICAL', None]
    """
    start, end = find_head(long)
    return next((kind for pattern, kind in _KIND_PATTERNS if pattern.fullmatch(long, start, end)), None)


# What cannot be the name of a protein, whatever the network predicts: addresses, primers, genotypes, point mutations.
#
# Brackets in a name are balanced: one that was never opened or closed inside it is cut off, or the name is dropped.

#: Whole mentions that are not names.
_NO_NAME = re.compile(
    rf"""
      (?:doi:)?10\.\d{{4,}}/.*                            # a DOI
    | (?:https?|ftp)://.* | www\..*                       # an address
    | (?:[35]['\u2032\u2019]?-?)?[ACGTU]{{8,}}(?:-?[35]['\u2032\u2019]?)?  # a primer
    | [ACDEFGHIKLMNPQRSTVWY][1-9]\d{{1,3}}[ACDEFGHIKLMNPQRSTVWY]         # a substitution: S70E (not H2A, S6K)
    | p?\.?(?:{_AMINO_ACID})-?\d+(?:{_AMINO_ACID}|Ter|\*)?  # Ser70Glu, Ser70
    | [cg]\.[-*]?\d.*                                     # c.76A>T
    | [\d\W_]+                                            # no letter at all
    """,
    re.VERBOSE,
)
#: A genotype, in or right behind the mention: p53-/-, Fgf9+/-, Crx(-/-).  It names animals or cells, not the protein.
_DASH = "[-\u2010\u2011\u2012\u2013\u2014\u2212]"
_GENOTYPE = re.compile(rf"\s?[(\[]?(?:{_DASH}|\+|[A-Za-z\u0394]{{1,5}})\s?/\s?(?:{_DASH}|\+)[)\]]?(?![A-Za-z0-9])")
_OPENING, _CLOSING = "([{", ")]}"
#: Characters of a genotype; no more are looked at.
_MAX_GENOTYPE_CHARACTERS = 14


def drop_implausible(text: TokenizedText, names: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The names that may be some, in their order, with balanced brackets; O(words of the names).

    ``names`` are the first word of each name, the word after its last, and whatever else is known of it, which stays.

    >>> text = TokenizedText(["(", "Ras", "of", "p53", "-", "/", "-", "mice"], ["", " ", " ", "", "", "", " ", ""])
    >>> drop_implausible(text, [(0, 2), (3, 4)])
    [(1, 2)]
    """
    plausible_names = []
    for start, end, *extra in names:
        start, end = _trim_brackets(text.words, start, end)
        if start < end and not _cannot_be_name(text, start, end):
            plausible_names.append((start, end, *extra))
    return plausible_names


def _trim_brackets(words: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The span without the brackets that have no partner, and without what one of them parts from the name.

    Of "kinase (Ras" the name is what stands before the bracket, of "kinase) Ras" what stands behind it.
    """
    unmatched = _find_unmatched_brackets(words, start, end)
    closing = [index for index in unmatched if words[index] in _CLOSING]
    start = closing[-1] + 1 if closing and closing[-1] < end - 1 else start
    opening = [index for index in unmatched if words[index] in _OPENING and index >= start]
    while opening and opening[0] == start:
        start = opening.pop(0) + 1
    if opening:
        end = opening[0]
    while start < end and words[end - 1] in _CLOSING and end - 1 in closing:
        end -= 1
    return (start, end) if not _find_unmatched_brackets(words, start, end) else (start, start)


def _find_unmatched_brackets(words: Sequence[str], start: int, end: int) -> list[int]:
    open_brackets: list[int] = []
    unmatched: list[int] = []
    for index in range(start, end):
        if words[index] in _OPENING:
            open_brackets.append(index)
        elif words[index] in _CLOSING:
            partner = open_brackets and _OPENING.index(words[open_brackets[-1]]) == _CLOSING.index(words[index])
            if partner:
                open_brackets.pop()
            else:
                unmatched.append(index)
    return sorted([*unmatched, *open_brackets])


def _cannot_be_name(text: TokenizedText, start: int, end: int) -> bool:
    name = text.join(start, end)
    if _NO_NAME.fullmatch(name):
        return True
    if end < len(text.words) and not text.gaps[end - 1]:
        behind = text.join(end, min(end + _MAX_GENOTYPE_CHARACTERS, len(text.words)))[:_MAX_GENOTYPE_CHARACTERS]
        if _GENOTYPE.match(behind):
            return True
    return any(match.end() == len(name) and match.start() > 0 for match in _GENOTYPE.finditer(name))
