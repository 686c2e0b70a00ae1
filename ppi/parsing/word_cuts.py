"""Tokens of a text by a spaCy tokenizer, each distinct word cut once.

A rule tokenizer cuts at white space first and then looks at each word alone, so that equal words are cut alike.  spaCy
remembers them, but not inside a memory zone (:mod:`ppi.annotation.own_parser`), where every word would be cut anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from corpora.types import Span
from ppi.parsing.runs import token_spans

#: Words that are remembered; then the memory is emptied.
MOST_WORDS = 50_000
#: Longer ones are met once and not remembered.
LONGEST_WORD = 60

_WORDS = re.compile(r"\S+")


class WordCuts:
    """The tokens of words.

    Parameters
    ----------
    tokenizer
        spaCy's own, whose tokens never cross white space.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[Span, ...]] = {}

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        known = self._known
        for match in _WORDS.finditer(text):
            word, offset = match.group(), match.start()
            pieces = known.get(word) or self._cut(word)
            for start, end in pieces:
                yield offset + start, offset + end

    def _cut(self, word: str) -> tuple[Span, ...]:
        pieces = tuple(token_spans(self._tokenizer, word))
        if len(word) <= LONGEST_WORD:
            if len(self._known) >= MOST_WORDS:
                self._known.clear()
            self._known[word] = pieces
        return pieces
