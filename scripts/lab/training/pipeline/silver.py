"""Chemicals, cells and organisms in sentences where people marked genes alone: names of lists, outside of the genes.

Such labels are not complete and not all right, but the gold genes around them are: what the finder learns from them is
which names that look like a gene's stand where a chemical or a cell would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lab.training.pipeline.name_data import LabelledSentence
from ppi.language import LISTS, Gazetteer

#: What ends the name of a cell type.
_CELL = re.compile(r"(?:cells?|lines?|[a-z]{3,}(?:cytes?|blasts?|phages?|phils?|platelets?)|neurons?|oocytes?)$", re.I)
#: A name of a cell line that is no ordinary word.
_CODE = re.compile(r"(?=.*[A-Z])(?=.*\d)")
_AFTER_A_CELL = frozenset({"cell", "cells"})
#: Shorter names in lists of chemicals are as often something else.
_SHORTEST_CHEMICAL = 4


def with_other_names(sentence: LabelledSentence, gazetteer: Gazetteer) -> LabelledSentence:
    """The sentence with labels for the chemicals, cells and organisms of the lists, where it had none."""
    labels = list(sentence.labels)
    for start, end, kind in _others(sentence.words, gazetteer):
        if all(label == "O" for label in labels[start:end]):
            inside = [f"I-{kind}"] * (end - start - 2)
            labels[start:end] = [f"U-{kind}"] if end - start == 1 else [f"B-{kind}", *inside, f"L-{kind}"]
    return replace(sentence, labels=labels)


def _others(words: Sequence[str], gazetteer: Gazetteer) -> Iterator[tuple[int, int, str]]:
    for start, end, number in gazetteer.find_matches(words):
        name, kind = " ".join(words[start:end]), LISTS[number]
        if kind == "cell":
            is_before_cell = end < len(words) and words[end].lower() in _AFTER_A_CELL
            if is_before_cell or _CELL.search(name) or _CODE.search(name):
                yield start, end + is_before_cell, kind
        elif kind == "organism" or (kind == "chemical" and len(name) >= _SHORTEST_CHEMICAL):
            yield start, end, kind
