"""Penn tags of the shipped pipeline's tagger, for parses whose own tokens know only the grammar's word classes.

The Link Grammar chooses a class for each word as part of a parse ("bind.v", "bind.n"); what a tagger thinks of the
word is evidence from outside, and where the two disagree the parse is suspect.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpora.types import Token

_BATCH_TEXTS = 64


@dataclass(frozen=True)
class TaggedText:
    """The tagger's tokens of a text, in order: where each starts, ends, and its tag.

    >>> text = TaggedText((0, 9), (8, 14), ("NN", "VBZ"))
    >>> text.tag_at(9, 14), text.tag_at(20, 22)
    ('VBZ', None)
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    tags: tuple[str, ...]

    def tag_at(self, start: int, end: int) -> str | None:
        """The tag of the token that shares most characters with this span, the first of equals; None if none does."""
        best, max_shared = None, 0
        place = max(bisect_right(self.starts, start) - 1, 0)
        while place < len(self.starts) and self.starts[place] < end:
            shared = min(end, self.ends[place]) - max(start, self.starts[place])
            if shared > max_shared:
                best, max_shared = self.tags[place], shared
            place += 1
        return best

    def tags_of(self, tokens: Iterable[Token]) -> list[str | None]:
        """The tag of each token, by its place in the text."""
        return [self.tag_at(token.start, token.end) for token in tokens]


def tag_texts(texts: Sequence[str]) -> list[TaggedText]:
    """Each text tagged by the shipped pipeline, as one sentence: no parser is run, so O(words)."""
    from ppi.pipeline import load

    nlp = load()
    required_pipes = {"tok2vec", "tagger"}
    disabled_pipes = [name for name in nlp.pipe_names if name not in required_pipes]
    docs = nlp.pipe(texts, disable=disabled_pipes, batch_size=_BATCH_TEXTS)
    return [_to_tagged_text(doc) for doc in docs]


def _to_tagged_text(doc) -> TaggedText:
    words = [token for token in doc if not token.is_space]
    return TaggedText(
        tuple(token.idx for token in words),
        tuple(token.idx + len(token) for token in words),
        tuple(token.tag_ for token in words),
    )
