"""What makes candidates: the interface every generator stands behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from corpora.types import Sentence
from ppi.errors import UsageError
from ppi.parse_ranking.types import CandidateSet


class Generator(Protocol):
    """A source of candidate parses; ``name`` becomes the name of its parses and of its tokenization."""

    name: str

    def candidates(self, sentences: Iterable[str | Sentence], *, max_candidates: int) -> Iterator[CandidateSet]:
        """For each sentence, in order, up to ``most`` distinct parses; none is a set without candidates.

        A sentence given as text is called by its place (``"0"``, ``"1"`` ...), one given as a
        :class:`~corpora.types.Sentence` by its id.
        """
        ...


def as_sentences(sentences: Iterable[str | Sentence]) -> Iterator[Sentence]:
    """Each as a sentence; a text gets its place as id."""
    for place, sentence in enumerate(sentences):
        if isinstance(sentence, str):
            yield Sentence(str(place), sentence)
        elif isinstance(sentence, Sentence):
            yield sentence
        else:
            raise UsageError(f"expected a sentence or its text, got {sentence!r} at place {place}")


def check_max_candidates(max_candidates: int) -> None:
    """Refuse a number of candidates that is not a whole number above 0."""
    if isinstance(max_candidates, bool) or not isinstance(max_candidates, int) or max_candidates < 1:
        raise UsageError(f"expected a number of candidates of 1 or more, got {max_candidates!r}")
