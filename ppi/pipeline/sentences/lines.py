"""Whether a line break ends a sentence, or is only where a long line was wrapped.

A heading, a title, a cell of a table or an item of a list ends with its line, without a stop; the lines of e-mail, of
PubMed's text format and of text copied from PDF end anywhere.  The two are told apart by the neighbours: wrapped lines
are of about equal width, the first word of the next would not have fitted, and many begin with a small letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ppi.pipeline.names.segments import TokenizedText
from ppi.pipeline.sentences.stops import OPENERS, may_begin_sentence
from ppi.pipeline.sentences.words import CONTINUATION_WORDS

_BREAK = re.compile("[\n\r\u2028\u2029\x0b\x0c\x85]")
_BULLETS = frozenset("\u2022\u25cf\u25aa\u25e6\u2023\u00b7*\u2013\u2014-")
_LIST_ENDS = frozenset(",;:")
_ODD_BEGINNINGS = _BULLETS | frozenset("+~\u00b1<>=\u00a4")
_CONTINUATION_SYMBOLS = frozenset("=-\u2013\u2212\u00d7")

#: Lines looked at before and after a break to tell wrapped text.
_NEIGHBOUR_LINES = 10
#: Narrower lines are no wrapped text, nor are wider ones.
_MIN_LINE_WIDTH, _MAX_LINE_WIDTH = 25, 200
#: Share of the breaks without punctuation where the sentence plainly goes on - a small letter follows, or "of" stands
#: before - from which on text is taken for wrapped.
_MIN_CONTINUING_PROPORTION = 0.3
#: A line is full if the next word would have made it longer than this share of the widest one.
_FULL_LINE_PROPORTION = 0.85
#: Headings and lines of a table before a small letter are not longer.
_MAX_CELL_CHARACTERS = 60


class Line(NamedTuple):
    """Its first and last word and its characters."""

    first: int
    last: int
    length: int


def has_break(gap: str) -> bool:
    """Whether white space holds a line break."""
    return _BREAK.search(gap) is not None


class Lines:
    """The lines of a text, and what is known of each break between two of them.  O(words)."""

    def __init__(self, text: TokenizedText) -> None:
        self._text = text
        self._lines = list(_split_lines(text))
        self._number = {line.last: number for number, line in enumerate(self._lines)}

    def is_wrapped(self, last: int) -> bool:
        """Whether the line that ends with the word at ``last`` was broken because it was full."""
        number = self._number[last]
        return self._is_hard_wrapped(number) and self._is_full(number)

    def ends_sentence(self, last: int, *, first: int) -> bool:
        """Whether the line that ends with the word at ``last``, which is no stop, is a heading, an item or a cell.

        Parameters
        ----------
        first
            Where the sentence began.
        """
        words, gaps = self._text
        number = self._number[last]
        line, following = self._lines[number], self._lines[number + 1]
        word, opening = words[last], words[following.first]
        wrapped = self.is_wrapped(last)
        if self._is_item(following):
            return not wrapped
        if wrapped or word in CONTINUATION_WORDS or word in OPENERS or word in _CONTINUATION_SYMBOLS:
            return False
        if may_begin_sentence(words, gaps, following.first):
            return True
        if not opening[0].isalpha():
            return opening[0] in _ODD_BEGINNINGS
        if word in _LIST_ENDS:
            return word != "," or not self._is_hard_wrapped(number)
        # before a small letter: a heading, a line of a table, or a sentence around a formula?
        short = line.length <= (
            _MAX_CELL_CHARACTERS if not self._is_hard_wrapped(number) else self._widest(number) // 2
        )
        return short and first == line.first and opening not in CONTINUATION_WORDS

    def _is_item(self, line: Line) -> bool:
        """Whether a line begins with a bullet or a counting mark: "- ", "1) ", "(a) ", "2. "."""
        words, gaps = self._text
        place = line.first
        if words[place] in _BULLETS:
            return place < line.last and gaps[place] != ""
        if words[place] == "(" and place < line.last:
            place += 1
        short = len(words[place]) <= 2 and words[place].isalnum()
        return short and place + 1 < line.last and words[place + 1] in (")", ".") and not gaps[place]

    def _is_hard_wrapped(self, number: int) -> bool:
        """Whether the neighbourhood of the break after a line looks wrapped."""
        if not _MIN_LINE_WIDTH <= self._widest(number) <= _MAX_LINE_WIDTH:
            return False
        near = self._neighbour_lines(number)
        words = self._text.words
        continues = [
            words[following.first][0].islower() or words[line.last] in CONTINUATION_WORDS
            for line, following in pairwise(near)
            if words[line.last][-1].isalnum() or words[line.last] in ")]"
        ]
        return sum(continues) >= max(_MIN_CONTINUING_PROPORTION * len(continues), 1)

    def _is_full(self, number: int) -> bool:
        return self._lines[number].length + 1 + self._first_chunk_length(
            number + 1
        ) > _FULL_LINE_PROPORTION * self._widest(number)

    def _neighbour_lines(self, number: int) -> list[Line]:
        return self._lines[max(0, number - _NEIGHBOUR_LINES + 1) : number + _NEIGHBOUR_LINES + 1]

    def _widest(self, number: int) -> int:
        return max(line.length for line in self._neighbour_lines(number))

    def _first_chunk_length(self, number: int) -> int:
        """Characters of a line up to its first white space."""
        words, gaps = self._text
        length = 0
        for place in range(self._lines[number].first, self._lines[number].last + 1):
            length += len(words[place])
            if gaps[place] or length > _MAX_LINE_WIDTH:
                break
        return length


def _split_lines(text: TokenizedText) -> Sequence[Line]:
    lines: list[Line] = []
    first = length = 0
    for place, (word, gap) in enumerate(zip(text.words, text.gaps)):
        length += len(word)
        if has_break(gap) or place == len(text.words) - 1:
            lines.append(Line(first, place, length))
            first, length = place + 1, 0
        else:
            length += len(gap)
    return lines
