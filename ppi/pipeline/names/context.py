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

from ppi.pipeline.abbreviations import Definition, Meanings, find_definitions
from ppi.pipeline.kinds import CELL, DNA_RNA, FAMILY, OTHER, PROTEIN
from ppi.pipeline.names.forms import is_generic_description
from ppi.pipeline.names.kinds import NameSpan
from ppi.pipeline.names.long_forms import classify_long_form, find_head
from ppi.pipeline.names.segments import TokenizedText
from ppi.pipeline.names.spelling import classify_by_spelling


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_PROTEIN_KINDS = (PROTEIN, FAMILY)

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
_TAG_PROTEINS = _words(
    """
    gst mbp ha his 6xhis his6 v5 t7 strep tap halo snap cy2 cy3 cy5 venus cerulean nluc
    """
)
_JOINTS = _words("- :: ‐ ‑")
#: Behind a tag: what is done with it.
_TAG_CONTEXT_WORDS = _words("pull pulldown pulldowns fusion fusions tag tags beads resin")
_POSITIVE = frozenset({"positive", "negative"})
#: A phosphorylated or ubiquitinated residue, if a word says so: "at S6, S9 and S46".
_RESIDUE = re.compile(r"[KRSTY]\d{1,4}")
_AT_RESIDUE = _words("at on residue residues site sites")
_LIST_SEPARATORS = _words(", and or /")


def classify_in_context(text: TokenizedText, names: Iterable[NameSpan]) -> list[NameSpan]:
    """The names of a whole text in their order, some with another kind."""
    spelling_results = [_check_spelling(text, name) for name in names]
    abbreviation_kinds = _find_abbreviation_kinds(text, [name for name, _ in spelling_results])
    return [name if is_sure else _apply_context(text, name, abbreviation_kinds) for name, is_sure in spelling_results]


def _check_spelling(text: TokenizedText, name: NameSpan) -> tuple[NameSpan, bool]:
    """The name, and whether its spelling has said what it is; only what would be taken for a protein is looked at."""
    if name.kind not in _PROTEIN_KINDS:
        return name, False
    kind = classify_by_spelling(_name_text(text, name))
    return (name, False) if kind is None else (name._replace(kind=kind), True)


def _apply_context(text: TokenizedText, name: NameSpan, abbreviation_kinds: Meanings[str]) -> NameSpan:
    """The name as the words around it and the text's definitions say."""
    words = text.words[name.start : name.end]
    long_form_kind = abbreviation_kinds.look_up("".join(words), (0, name.start)) if abbreviation_kinds else None
    if long_form_kind in _PROTEIN_KINDS and name.kind not in _PROTEIN_KINDS:
        name = name._replace(kind=long_form_kind)
    if name.kind not in _PROTEIN_KINDS:
        return name
    kind = _classify_by_neighbours(text.words, name) or (
        long_form_kind if long_form_kind not in _PROTEIN_KINDS else None
    )
    if kind is None and is_generic_description(words):
        kind = FAMILY
    return name if kind is None else name._replace(kind=kind)


def _name_text(text: TokenizedText, name: NameSpan) -> str:
    """A name as it is written."""
    inside = range(name.start, name.end - 1)
    return "".join([*(text.words[at] + text.gaps[at] for at in inside), text.words[name.end - 1]])


def _classify_by_neighbours(words: Sequence[str], name: NameSpan) -> str | None:
    before = tuple(word.lower() for word in words[max(name.start - 2, 0) : name.start])
    after = tuple(word.lower() for word in words[name.end : name.end + 2])
    if before == ("anti", "-") or (after and after[0] in _ANTIBODIES):
        return OTHER
    if after and (after[0].startswith("+") or (after[0] == "-" and after[-1] in _POSITIVE)):
        return CELL
    if after and (after[0] in _NUCLEIC or (after[0] == "gene" and after[-1] in _NUCLEIC)):
        return DNA_RNA
    if "".join(words[name.start : name.end]).lower() in _TAG_PROTEINS and _is_joined_as_tag(before, after):
        return OTHER
    if name.end == name.start + 1 and _RESIDUE.fullmatch(words[name.start]):
        return OTHER if after == ("-", "linked") or _is_at_residue(words, name.start) else None
    return None


def _is_joined_as_tag(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether something is joined to what stands between the words, as to a tag."""
    if after and (after[0] in _TAG_CONTEXT_WORDS or (len(after) == 2 and after[0] in _JOINTS)):
        return True
    return len(before) == 2 and before[1] in _JOINTS


def _is_at_residue(words: Sequence[str], start: int) -> bool:
    """Whether a word such as "at" stands before a list of residues that reaches to a place."""
    for word in reversed(words[max(0, start - 8) : start]):
        if word.lower() in _AT_RESIDUE:
            return True
        if word not in _LIST_SEPARATORS and not _RESIDUE.fullmatch(word):
            return False
    return False


def _find_abbreviation_kinds(text: TokenizedText, names: Sequence[NameSpan]) -> Meanings[str]:
    """The kinds of the abbreviations that the text defines."""
    kinds = Meanings[str]()
    pieces = [word + gap for word, gap in zip(*text)]
    whole, starts = "".join(pieces), [0, *accumulate(map(len, pieces))]
    for definition in find_definitions(whole):
        kind = _classify_definition(whole, definition, starts, names)
        if kind is not None:
            kinds.add(whole[slice(*definition.short)], (0, _word_index(starts, definition.short[0])), kind)
    return kinds


def _classify_definition(
    whole: str, definition: Definition, starts: Sequence[int], names: Sequence[NameSpan]
) -> str | None:
    """The kind of a long form."""
    start, end = definition.long
    long = whole[start:end]
    head = _word_index(starts, start + find_head(long)[1] - 1)
    first, last = _word_index(starts, start), _word_index(starts, end - 1)
    inside = _names_overlapping(names, first, last + 1)
    head_kind = next((name.kind for name in inside if name.start <= head < name.end), None)
    has_protein = any(name.kind in _PROTEIN_KINDS for name in inside)
    return classify_long_form(long, head_kind=head_kind, has_protein=has_protein)


def _word_index(starts: Sequence[int], character: int) -> int:
    """The word to which a character belongs."""
    return bisect_right(starts, character) - 1


def _names_overlapping(names: Sequence[NameSpan], start: int, end: int) -> list[NameSpan]:
    """The names, of those in their order, that share a word with a place."""
    at = max(bisect_left(names, (start,)) - 1, 0)
    return [name for name in takewhile(lambda name: name.start < end, islice(names, at, None)) if name.end > start]
