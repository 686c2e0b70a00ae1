"""What stands around a name and says what it is: rules for what no corpus teaches well.

* An abbreviation is what its long form is: "benzo[a]pyrene (BaP)" a chemical, "endothelial progenitor cells (EPC)" a
  cell, "epithelial-mesenchymal transition (EMT)" none of the kinds, wherever the text says EPC or EMT.
* "anti-FLAG", "CD3 antibody" are antibodies; GFP and FLAG are tags, and so is GST in "GST-Arfrp1" and "GST pull-down".
* "CD4+ T cells", "CD34-positive" are cells.
* "p53 mRNA", "IL-2 promoter", "p53 siRNA" are DNA or RNA.
* "Na+" is a chemical, "Ser78" a residue.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice, takewhile

from ppi.pipeline.abbreviations import Definition, Meanings, definitions
from ppi.pipeline.kinds import CELL, DNA_RNA, FAMILY, OTHER, PROTEIN
from ppi.pipeline.names.forms import is_description
from ppi.pipeline.names.kinds import FoundName
from ppi.pipeline.names.long_forms import head_of, kind_of_long_form
from ppi.pipeline.names.segments import Tokenized
from ppi.pipeline.names.spelling import kind_by_spelling


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


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
#: Proteins, peptides and dyes that are tags where something is joined to them, and names of their own elsewhere.
_FUSED = _words(
    """
    gst mbp ha his 6xhis his6 v5 t7 strep tap halo snap cy2 cy3 cy5 venus cerulean nluc
    """
)
_JOINTS = _words("- :: ‐ ‑")
#: Behind a tag: what is done with it.
_WITH_A_TAG = _words("pull pulldown pulldowns fusion fusions tag tags beads resin")
_POSITIVE = frozenset({"positive", "negative"})
#: A phosphorylated or ubiquitinated residue, if a word says so: "at S6, S9 and S46".
_RESIDUE = re.compile(r"[KRSTY]\d{1,4}")
_AT_RESIDUE = _words("at on residue residues site sites")
_BETWEEN = _words(", and or /")


def in_context(text: Tokenized, names: Iterable[FoundName]) -> list[FoundName]:
    """The names of a whole text in their order, some with another kind."""
    spelled = [_spelled(text, name) for name in names]
    defined = _defined(text, [name for name, _ in spelled])
    return [name if is_sure else _told(text, name, defined) for name, is_sure in spelled]


def _spelled(text: Tokenized, name: FoundName) -> tuple[FoundName, bool]:
    """The name, and whether its spelling has said what it is; only what would be taken for a protein is looked at."""
    if name.kind not in _PROTEINS:
        return name, False
    kind = kind_by_spelling(_text(text, name))
    return (name, False) if kind is None else (name._replace(kind=kind), True)


def _told(text: Tokenized, name: FoundName, defined: Meanings[str]) -> FoundName:
    """The name as the words around it and the text's definitions say."""
    words = text.words[name.start : name.end]
    meant = defined.of("".join(words), (0, name.start)) if defined else None
    if meant in _PROTEINS and name.kind not in _PROTEINS:
        name = name._replace(kind=meant)
    if name.kind not in _PROTEINS:
        return name
    kind = _by_neighbours(text.words, name) or (meant if meant not in _PROTEINS else None)
    if kind is None and is_description(words):
        kind = FAMILY
    return name if kind is None else name._replace(kind=kind)


def _text(text: Tokenized, name: FoundName) -> str:
    """A name as it is written."""
    inside = range(name.start, name.end - 1)
    return "".join([*(text.words[at] + text.gaps[at] for at in inside), text.words[name.end - 1]])


def _by_neighbours(words: Sequence[str], name: FoundName) -> str | None:
    before = tuple(word.lower() for word in words[max(name.start - 2, 0) : name.start])
    after = tuple(word.lower() for word in words[name.end : name.end + 2])
    if before == ("anti", "-") or (after and after[0] in _ANTIBODIES):
        return OTHER
    if after and (after[0].startswith("+") or (after[0] == "-" and after[-1] in _POSITIVE)):
        return CELL
    if after and (after[0] in _NUCLEIC or (after[0] == "gene" and after[-1] in _NUCLEIC)):
        return DNA_RNA
    if "".join(words[name.start : name.end]).lower() in _FUSED and _is_joined(before, after):
        return OTHER
    if name.end == name.start + 1 and _RESIDUE.fullmatch(words[name.start]):
        return OTHER if after == ("-", "linked") or _is_at_residue(words, name.start) else None
    return None


def _is_joined(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether something is joined to what stands between the words, as to a tag."""
    if after and (after[0] in _WITH_A_TAG or (len(after) == 2 and after[0] in _JOINTS)):
        return True
    return len(before) == 2 and before[1] in _JOINTS


def _is_at_residue(words: Sequence[str], start: int) -> bool:
    """Whether a word such as "at" stands before a list of residues that reaches to a place."""
    for word in reversed(words[max(0, start - 8) : start]):
        if word.lower() in _AT_RESIDUE:
            return True
        if word not in _BETWEEN and not _RESIDUE.fullmatch(word):
            return False
    return False


def _defined(text: Tokenized, names: Sequence[FoundName]) -> Meanings[str]:
    """The kinds of the abbreviations that the text defines."""
    kinds = Meanings[str]()
    pieces = [word + gap for word, gap in zip(*text)]
    whole, starts = "".join(pieces), [0, *accumulate(map(len, pieces))]
    for definition in definitions(whole):
        kind = _kind(whole, definition, starts, names)
        if kind is not None:
            kinds.add(whole[slice(*definition.short)], (0, _word_at(starts, definition.short[0])), kind)
    return kinds


def _kind(whole: str, definition: Definition, starts: Sequence[int], names: Sequence[FoundName]) -> str | None:
    """The kind of a long form."""
    start, end = definition.long
    long = whole[start:end]
    head = _word_at(starts, start + head_of(long)[1] - 1)
    first, last = _word_at(starts, start), _word_at(starts, end - 1)
    inside = _overlapping(names, first, last + 1)
    named = next((name.kind for name in inside if name.start <= head < name.end), None)
    has_protein = any(name.kind in _PROTEINS for name in inside)
    return kind_of_long_form(long, named=named, has_protein=has_protein)


def _word_at(starts: Sequence[int], character: int) -> int:
    """The word to which a character belongs."""
    return bisect_right(starts, character) - 1


def _overlapping(names: Sequence[FoundName], start: int, end: int) -> list[FoundName]:
    """The names, of those in their order, that share a word with a place."""
    at = max(bisect_left(names, (start,)) - 1, 0)
    return [name for name in takewhile(lambda name: name.start < end, islice(names, at, None)) if name.end > start]
