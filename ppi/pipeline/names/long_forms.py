"""What an abbreviation is the name of, by its long form: by the name found there, or by its head.

The head of "mammalian target of rapamycin" is "target", that of "casein kinase 1" is "kinase".  Where neither says
anything, an abbreviation of several words none of which is a protein's is the name of something else: of a disease, a
method, a tissue.
"""

from __future__ import annotations

import re

from ppi.pipeline.kinds import CELL, CHEMICAL, DNA_RNA, ORGANISM, OTHER, PROTEIN
from ppi.pipeline.names.spelling import CELL_PART

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
_CELL_WORD = re.compile(
    r"(?:cells?|\w*(?:cytes?|blasts?|phages?|phils?)|neurons?|progenitors?|platelets?|\w*glia)", re.IGNORECASE
)
_NUCLEIC_WORD = re.compile(
    r"(?:\w*[dr]nas?|promoters?|enhancers?|oligonucleotides?|operons?|introns?|exons?|elements?|utrs?)", re.IGNORECASE
)
_ORGANISM_WORD = re.compile(r"(?:\w*virus(?:es)?|mouse|mice|rats?|bacteri(?:a|um)|plants?)", re.IGNORECASE)
#: Endings that words of other kinds do not have.
_CHEMICAL_WORD = re.compile(
    r"(?:acids?|\w*(?:oxide|chloride|bromide|fluoride|phosphate|sulfate|sulphate|acetate|nitrate|glycol|alcohol|ether|ester"
    r"|steroid|aldehyde)s?|\w{3,}(?:amide|amine|idine|azole|oside|anol|enol|sterol|sterone|mycin|cillin|quinone|ylene"
    r"|anide|imide|ceride|saccharide|ketone|lactone|thiol|urea|glutamate|pyruvate|lactate|butyrate)s?"
    r"|hyaluronan|hyaluronate|\w*(?:lipid|glucose|dextran|chitosan|heparin|eicosanoid|cannabinoid)s?)",
    re.IGNORECASE,
)
_OTHER_WORD = re.compile(
    r"(?:\w*(?:osis|itis|oma|emia|aemia|pathy|trophy|ectomy|scopy|graphy|metry|ology|therapy|ization|isation|graft)s?"
    r"|cancers?|tumou?rs?|diseases?|syndromes?|disorders?|infections?|injur(?:y|ies)|failure|transition|pathways?|assays?"
    r"|tests?|scores?|ind(?:ex|ices)|rates?|ratios?|systems?|reactions?|analys[ei]s|microarrays?|networks?|membranes?"
    r"|reticulum|matri(?:x|ces)|tissues?|cortex|cord|zones?|networks?|nucle(?:us|i)|buffers?|medium|saline|serum|treatments?"
    r"|responses?|stress|death|signal(?:l?ing)|damage|repair|imaging|sequencing|density|domains?|motifs?|repeats?)",
    re.IGNORECASE,
)
_PART_WORD = re.compile(CELL_PART)
_KIND_PATTERNS = (
    (_CELL_WORD, CELL),
    (_NUCLEIC_WORD, DNA_RNA),
    (_ORGANISM_WORD, ORGANISM),
    (_OTHER_WORD, OTHER),
    (_PART_WORD, OTHER),
    (_CHEMICAL_WORD, CHEMICAL),
    (_PROTEIN_WORD, PROTEIN),
)
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

    Parameters
    ----------
    named
        The kind of the name that was found where the head is, if there is one.
    has_protein
        Whether the name of a protein was found anywhere in these words.
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
    """What the head says.

    >>> [classify_by_head(long) for long in ("casein kinase 1", "retinal ganglion cells", "oleic acid", "growth plate")]
    ['PROTEIN', 'CELL', 'CHEMICAL', None]
    """
    start, end = find_head(long)
    return next((kind for pattern, kind in _KIND_PATTERNS if pattern.fullmatch(long, start, end)), None)
