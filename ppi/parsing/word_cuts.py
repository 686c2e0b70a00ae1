"""Tokens of a text by a spaCy tokenizer, each distinct word cut once.

A rule tokenizer cuts at white space first and then looks at each word alone, so that equal words are cut alike.  spaCy
remembers them, but not inside a memory zone (:mod:`ppi.annotation.own_parser`), where every word would be cut anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from corpora.types import Span
from ppi.parsing.runs import find_token_spans

#: Words that are remembered; then the memory is emptied.
MAX_CACHED_WORDS = 50_000
#: Longer ones are met once and not remembered.
MAX_CACHED_WORD_CHARACTERS = 60

_WORDS = re.compile(r"\S+")


class CachedTokenizer:
    """The tokens of words.

    Parameters
    ----------
    tokenizer
        spaCy's own, whose tokens never cross white space.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._cache: dict[str, tuple[Span, ...]] = {}

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        cache = self._cache
        for match in _WORDS.finditer(text):
            word, offset = match.group(), match.start()
            pieces = cache.get(word) or self._tokenize_word(word)
            for start, end in pieces:
                yield offset + start, offset + end

    def _tokenize_word(self, word: str) -> tuple[Span, ...]:
        pieces = tuple(find_token_spans(self._tokenizer, word))
        if len(word) <= MAX_CACHED_WORD_CHARACTERS:
            if len(self._cache) >= MAX_CACHED_WORDS:
                self._cache.clear()
            self._cache[word] = pieces
        return pieces
