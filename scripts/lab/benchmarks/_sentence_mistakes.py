"""Mistakes of sentence boundaries that need no annotation to be seen, counted by regular expressions.

They know nothing of the rules that set the boundaries: they look at the characters on both sides of a boundary, and at
the lines of texts that have one paragraph, heading, item or cell per line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpora import Span

#: A split here is false, whatever follows: kind -> what the text before the boundary ends with (a line feed stands for
#: the beginning of the sentence), what the one after it begins with.  The first that fits counts.
_FALSE_SPLITS = {
    "section number": (r"\n(?:\d{1,2}\.)+\d{0,2}\.?\Z", r"[A-Z(\[]"),
    "decimal": (r"[=<>\u2264\u2265~]\s*\.\Z", r"\d"),
    "initials of a species": (r"\b[A-Z]\.\Z", r"[a-z]{3,}"),
    "initials of a person": (
        r"(?:[A-Z][a-z]+,?\s|\b[A-Z]\.\s?-?|[,;(&]\s|\band\s|\bby\s|\bthank\s|\bto\s)[A-Z]\.\Z",
        r"(?:[A-Z]\.|[A-Z][a-z]+,?\s(?:[A-Z]\.|and\b|for\b|et\b)|,|;)",
    ),
    "abbreviation": (
        r"(?:\b(?:[Ff]igs?|e\.g|i\.e|vs|cf|ca|approx|Dr|Prof|Eqs?|[Rr]efs?|[Nn]os?)|\bet al)\.\Z",
        r"[a-z(\[\d]|[A-Z]+\d",
    ),
}
_NO_STOP = re.compile(r"[^\W_]\Z|[,;:%+\-/]\Z|[^.?!][)\]]\Z")
#: What may stand between a stop and the next sentence.
_CITED = re.compile(r"(?<=[.?!])\s?(?:\[[\d,;\s\u2013-]+\]|[\d,\s\u2013-]+)\Z")
_CAPITAL = re.compile(r"[A-Z]")
_OPEN_LINE = re.compile(r"[^.?!,;:\s][)\]\"'\u201d\u2019]*[ \t]*\Z")
_LIST_LINE = re.compile(r"[,;:][ \t]*\Z")
_BEFORE = 60


def false_splits(text: str, sentences: Sequence[Span]) -> Iterator[tuple[str, int]]:
    """Kind and place of each boundary that is certainly none."""
    for (begin, end), (start, _) in pairwise(sentences):
        if "\n" in text[end:start]:
            continue
        before, after = "\n" + text[max(begin, end - _BEFORE) : end], text[start : start + _BEFORE]
        if end - begin > _BEFORE:
            before = before[1:]
        for kind, (last, first) in _FALSE_SPLITS.items():
            if re.search(last, before) and re.match(first, after):
                yield kind, start
                break
        else:
            if _NO_STOP.search(_CITED.sub("", before)) and _CAPITAL.match(after):
                yield "no stop", start


def line_ends(text: str, sentences: Sequence[Span]) -> tuple[Counter[str], list[int]]:
    """Lines without a stop and lines of lists, and how many of each were glued to the next line; and where.

    Only for texts with one paragraph, heading or item per line: there every line ends a sentence.
    """
    starts = {start for start, _ in sentences}
    counts: Counter[str] = Counter()
    glued = []
    for match in re.finditer(r"[^\n]*\S[^\n]*(?=\n)", text):
        following = re.compile(r"\S").search(text, match.end())
        kind = "open" if _OPEN_LINE.search(match[0]) else "list" if _LIST_LINE.search(match[0]) else None
        if kind is None or following is None:
            continue
        counts[kind] += 1
        if following.start() not in starts:
            counts[f"{kind}, glued"] += 1
            glued.append(following.start())
    return counts, glued
