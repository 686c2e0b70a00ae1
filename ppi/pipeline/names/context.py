"""What stands around a name and says what it is: rules for what no corpus teaches well.

* An abbreviation is what its long form is: "benzo[a]pyrene (BaP)" a chemical, "endothelial progenitor cells (EPC)" a
  cell, "epithelial-mesenchymal transition (EMT)" none of the kinds, wherever the text says EPC or EMT.
* "anti-FLAG", "CD3 antibody" are antibodies; GFP and FLAG are tags.
* "CD4+ T cells", "CD34-positive" are cells.
* "p53 mRNA", "IL-2 promoter", "p53 siRNA" are DNA or RNA.
* "Na+" is a chemical, "Ser78" a residue.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from ppi.pipeline.kinds import CELL, CHEMICAL, DNA_RNA, FAMILY, OTHER, PROTEIN
from ppi.pipeline.names.definitions import definitions
from ppi.pipeline.names.kinds import FoundName


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


#: Only what would be taken for a protein is looked at.
_PROTEINS = (PROTEIN, FAMILY)

_NUCLEIC = _words(
    """
    mrna mrnas cdna cdnas promoter promoters enhancer enhancers sirna sirnas shrna shrnas utr dsrna
    sgrna sgrnas primers oligonucleotide oligonucleotides transcript transcripts
    """
)
_ANTIBODIES = _words(
    """
    antibody antibodies mab mabs antiserum antisera autoantibody autoantibodies
    """
)
_POSITIVE = frozenset({"positive", "negative"})
_CELLS = re.compile(
    r"(?:cells?|cytes?|blasts?|phages?|phils?|neurons?|progenitors?|platelets?|thymocytes?)$", re.IGNORECASE
)
_TAGS = _words(
    """
    gfp egfp yfp eyfp cfp ecfp rfp dsred mcherry tdtomato flag greenfluorescentprotein
    redfluorescentprotein mab
    """
)
_ION = re.compile(r"(?:Na|K|Li|H|Ca|Mg|Zn|Mn|Cu|Fe|Co|Ni|Cl)(?:\(?\d?[+-]\)?|\(\d?[+-]\))$")
_AMINO_ACID = "Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val"
_RESIDUE = re.compile(rf"(?:{_AMINO_ACID})[-( ]*\d+\)?(?:[-/,( ]+(?:{_AMINO_ACID})?[-( ]*\d+\)?)*$")
_NO_LETTERS = re.compile(r"[\W_]+")


def in_context(
    words: Sequence[str], names: Iterable[FoundName], sentences: Iterable[tuple[int, int]]
) -> list[FoundName]:
    """The names, some with another kind.

    Parameters
    ----------
    words
        Of a whole text.
    sentences
        Start and end of each of its sentences, in words; an abbreviation is defined within one.
    """
    names = list(names)
    by_place = {(name.start, name.end): name for name in names}
    defined = dict(_defined(words, by_place, sentences))
    return [_told(words, name, defined) if name.kind in _PROTEINS else name for name in names]


def _told(words: Sequence[str], name: FoundName, defined: dict[str, str]) -> FoundName:
    key = _key(words[name.start : name.end])
    kind = _by_neighbours(words, name) or defined.get(key)
    if kind is None:
        kind = _by_spelling("".join(words[name.start : name.end]), key)
    return name if kind is None else name._replace(kind=kind)


def _by_spelling(text: str, key: str) -> str | None:
    if key in _TAGS or _RESIDUE.match(text):
        return OTHER
    return CHEMICAL if _ION.match(text) else None


def _by_neighbours(words: Sequence[str], name: FoundName) -> str | None:
    before = tuple(word.lower() for word in words[max(name.start - 2, 0) : name.start])
    after = tuple(word.lower() for word in words[name.end : name.end + 2])
    if before == ("anti", "-") or (after and after[0] in _ANTIBODIES):
        return OTHER
    if after and (after[0].startswith("+") or (after[0] == "-" and after[-1] in _POSITIVE)):
        return CELL
    if after and (after[0] in _NUCLEIC or (after[0] == "gene" and after[-1] in _NUCLEIC)):
        return DNA_RNA
    return None


def _defined(
    words: Sequence[str], by_place: dict[tuple[int, int], FoundName], sentences: Iterable[tuple[int, int]]
) -> Iterator[tuple[str, str]]:
    """Abbreviations, as :func:`_key` writes them, that are no protein's, and their kinds."""
    ends = {name.end: name for name in by_place.values()}
    starts = sorted(by_place.values())
    for first, last in sentences:
        for definition in definitions(words[first:last]):
            start, bracket, end = (first + place for place in definition)
            short = by_place.get((bracket + 1, end))
            if short is None or short.kind not in _PROTEINS:
                continue
            long = ends.get(bracket)
            if long is not None and long.kind not in _PROTEINS:
                yield _key(words[bracket + 1 : end]), long.kind
            elif long is None and not _touches(starts, start, bracket):
                yield _key(words[bracket + 1 : end]), CELL if _CELLS.search(words[bracket - 1]) else OTHER


def _touches(names: Sequence[FoundName], start: int, end: int) -> bool:
    """Whether a protein stands in this place."""
    at = max(bisect_left(names, (start,)) - 1, 0)
    return any(name.end > start and name.kind in _PROTEINS for name in takewhile(lambda n: n.start < end, names[at:]))


def _key(words: Sequence[str]) -> str:
    """An abbreviation without what is no letter or digit and without the s of a plural."""
    key = _NO_LETTERS.sub("", "".join(words))
    return (key[:-1] if len(key) > 2 and key[-1] == "s" and key[-2].isupper() else key).lower()
