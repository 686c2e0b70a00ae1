"""Tokens as numbers: which word, which shape, which characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

#: Row 0 of each table is padding, row 1 stands for everything unknown.
PADDING, UNKNOWN = 0, 1

#: Characters of a token beyond these are not looked at.
MAX_WORD_CHARACTERS = 20

_RUNS = re.compile(r"(.)\1{3,}")


def word_shape(word: str) -> str:
    """Upper case, lower case and digits as A, a, 0, runs cut to three.

    >>> word_shape("p53"), word_shape("Interleukin"), word_shape("NF"), word_shape("β1")
    ('a00', 'Aaaa', 'AA', 'a0')
    """
    kinds = "".join("A" if c.isupper() else "a" if c.islower() else "0" if c.isdigit() else c for c in word)
    return _RUNS.sub(r"\1\1\1", kinds)


class Vocabulary:
    """Numbers of words (lower case), shapes and characters.

    Parameters
    ----------
    words, shapes, characters
        Those known, in the order of their numbers, which begin at 2.
    """

    def __init__(self, words: Sequence[str], shapes: Sequence[str], characters: Sequence[str]) -> None:
        self.words, self.shapes, self.characters = tuple(words), tuple(shapes), tuple(characters)
        self._words = _number_items(self.words)
        self._shapes = _number_items(self.shapes)
        self._characters = _number_items(self.characters)

    @classmethod
    def from_texts(
        cls, texts: Iterable[Sequence[str]], *, extra_words: Iterable[str] = (), max_words: int = 0
    ) -> Vocabulary:
        """What occurs at least twice (characters three times) in tokenized texts.

        Parameters
        ----------
        more, most
            Further words, taken in their order until there are ``most`` words.
        """
        words: Counter[str] = Counter()
        shapes: Counter[str] = Counter()
        characters: Counter[str] = Counter()
        for text in texts:
            words.update(word.lower() for word in text)
            shapes.update(word_shape(word[:MAX_WORD_CHARACTERS]) for word in text)
            characters.update(character for word in text for character in word)
        vocabulary_words = dict.fromkeys(_frequent(words, 2))
        for word in extra_words:
            if len(vocabulary_words) >= max_words:
                break
            vocabulary_words.setdefault(word)
        return cls(list(vocabulary_words), _frequent(shapes, 2), _frequent(characters, 3))

    def word_ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The number of each word."""
        return np.array([self._words.get(word.lower(), UNKNOWN) for word in words], dtype=np.int32)

    def shape_ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The number of each word's shape."""
        return np.array(
            [self._shapes.get(word_shape(word[:MAX_WORD_CHARACTERS]), UNKNOWN) for word in words], dtype=np.int32
        )

    def character_ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The numbers of each word's first characters, shape (words, LONGEST_WORD)."""
        ids = np.full((len(words), MAX_WORD_CHARACTERS), PADDING, dtype=np.int32)
        ids_by_character = self._characters
        for row, word in zip(ids, words):
            start = [ids_by_character.get(character, UNKNOWN) for character in word[:MAX_WORD_CHARACTERS]]
            row[: len(start)] = start
        return ids


def _number_items(items: Sequence[str]) -> dict[str, int]:
    return {item: number for number, item in enumerate(items, start=UNKNOWN + 1)}


def _frequent(counts: Counter[str], min_count: int) -> list[str]:
    return sorted(item for item, count in counts.items() if count >= min_count)
