"""Text cut where it has too long a stretch without white space, so that tokenizing takes time in proportion to it.

spaCy's tokenizer takes punctuation off both ends of such a stretch one character at a time and looks at all that is
left each time: nested brackets would cost the square of their length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from corpora.types import Span

#: Characters without white space that are tokenized as one; longer stretches (hostile text, sequences of bases) are cut
#: behind the last punctuation mark before that, or else there.
MAX_RUN_CHARACTERS = 400
_TOO_LONG_RUN = re.compile(rf"\S{{{MAX_RUN_CHARACTERS + 1},}}")
_PIECE = re.compile(rf"\S{{1,{MAX_RUN_CHARACTERS - 1}}}[,;/|)\]}}]|\S{{1,{MAX_RUN_CHARACTERS}}}")


def find_token_spans(tokenizer: Callable[[str], Iterable[Any]], text: str) -> Iterator[Span]:
    """Extents of the tokens of ``text``, white space aside; O(characters).

    Parameters
    ----------
    tokenizer
        A tokenizer of spaCy.
    """
    start = 0
    for end in _find_piece_ends(text):
        for token in tokenizer(text[start:end]):
            if not token.is_space:
                first = start + token.idx
                yield first, first + len(token)
        start = end


def _find_piece_ends(text: str) -> Iterator[int]:
    """Where the pieces end that are tokenized by themselves; nearly always there is one piece."""
    for run in _TOO_LONG_RUN.finditer(text):
        for piece in _PIECE.finditer(text, *run.span()):
            yield piece.end()
    yield len(text)
