"""Names put in the place of other names, so that the name finder learns contexts and spellings and not a list."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from pathlib import Path

from ppi.pipeline.training.mentions import AnnotatedText, Span


def swap_names(annotated: AnnotatedText, names: Sequence[str], state: random.Random, *, share: float) -> AnnotatedText:
    """The text with about ``share`` of its names replaced by names drawn from ``names``.

    A name inside a longer word stays: what comes in might not fall on token boundaries.

    >>> swap_names(AnnotatedText("IL-2 binds.", ((0, 4),), "d"), ["p53"], random.Random(0), share=1.0)
    AnnotatedText(text='p53 binds.', spans=((0, 3),), document='d')
    """
    pieces: list[str] = []
    spans: list[Span] = []
    length = copied = 0
    for start, end in annotated.spans:
        name = annotated.text[start:end]
        if state.random() < share and _stands_alone(annotated.text, start, end):
            name = state.choice(names)
        before = annotated.text[copied:start]
        pieces += (before, name)
        spans.append((length + len(before), length + len(before) + len(name)))
        length, copied = spans[-1][1], end
    return AnnotatedText("".join((*pieces, annotated.text[copied:])), tuple(spans), annotated.document)


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum()


def read_gene_names(path: Path) -> list[str]:
    """Symbols, synonyms and full names of the protein-coding genes of a gzipped NCBI ``gene_info`` file, sorted.

    Without what nobody writes in running text: numbers of loci, and descriptions with commas or brackets.
    """
    names: set[str] = set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                names |= _names_of_gene(line.rstrip("\n").split("\t"))
    return sorted(
        name for name in names if name.strip("-") and not name.startswith("LOC") and not set(name) & set(",()")
    )


def _names_of_gene(columns: list[str]) -> set[str]:
    symbol, synonyms, full_name, kind = (columns[index] for index in (2, 4, 8, 9))
    return {symbol, full_name, *synonyms.split("|")} if kind == "protein-coding" else set()
