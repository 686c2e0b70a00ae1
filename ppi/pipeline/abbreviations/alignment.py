"""How well the letters of a short form fit some words: initials are better than letters inside of words.

Schwartz and Hearst (2003) take the fewest words that have the letters, and so "encephalomyelitis" for EAE.  Here a
letter that begins a word counts 1, and so do those that follow it at once (RNA in "small RNAs"); a word without a
letter counts -1 (function words and numbers aside), and so does a comma.  The words with the largest sum are the long
form; of several with the same sum those with fewer letters inside of words, and then the fewest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ppi.pipeline.abbreviations.letters import find_from, is_number

#: Words that abbreviations pass over; no long form begins with one.
FUNCTION_WORDS = frozenset(re.findall(r"\w+", "a an and as at by for from in into of on or per the to via with"))

_LETTERS = re.compile(r"[^\W\d_]")
#: What an initial counts; letters inside of words, which count -1, only decide between equals.
INITIAL_SCORE = 16
_SKIP_PENALTY = -INITIAL_SCORE
_IMPOSSIBLE = -100 * INITIAL_SCORE


class Fit(NamedTuple):
    """Number of the first word of a long form that reaches to the last word, and how well the letters fit it."""

    first: int
    value: int


def find_best_fit(letters: Sequence[str], words: Sequence[str]) -> Fit | None:
    """The best long form at the end of some (folded) words; None if the letters are not there.

    Cost: O(words * letters * letters of a word that are letters of the short form).

    >>> fit = find_best_fit("eae", "mice with experimental autoimmune encephalomyelitis".split())
    >>> fit.first, fit.value / INITIAL_SCORE
    (2, 3.0)
    """
    fits = compute_fits(letters, words)
    first = max(range(len(words)), key=lambda index: (fits[index], index), default=None)
    return None if first is None or fits[first] <= _IMPOSSIBLE // 2 else Fit(first, fits[first])


def compute_fits(letters: Sequence[str], words: Sequence[str]) -> list[int]:
    """How well the letters fit the words from each of them to the last, the first letter beginning the first word."""
    count = len(letters)
    #: For each letter, how well it and those behind it fit the words from the present one on.
    best = [_IMPOSSIBLE] * count + [0]
    fits = [_IMPOSSIBLE] * len(words)
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        if word.endswith(",") and index < len(words) - 1:
            best = [value + _SKIP_PENALTY for value in best]
        skip_penalty = 0 if word in FUNCTION_WORDS or not _LETTERS.search(word) else _SKIP_PENALTY
        new_best = [value + skip_penalty for value in best]
        for number in range(count):
            value = _score_taking_word(letters, number, word, best)
            if number == 0:
                fits[index] = value
            new_best[number] = max(new_best[number], value)
        best = new_best
    return fits


def _score_taking_word(letters: Sequence[str], number: int, word: str, best: Sequence[int]) -> int:
    """The best if the word has the letter of this number, and perhaps more of those behind it."""
    best_value = _IMPOSSIBLE
    for is_initial in (True, False):
        at = _find_first(letters[number], word, is_initial=is_initial, is_first=number == 0)
        in_a_row, value = is_initial, 0
        for behind in range(number, len(letters)):
            if at < 0:
                break
            value += INITIAL_SCORE if in_a_row else -1
            best_value = max(best_value, value + best[behind + 1])
            end = at + len(letters[behind])
            at = find_from(letters[behind + 1], word, end) if behind + 1 < len(letters) else -1
            in_a_row = in_a_row and at == end
    return best_value


def _find_first(letter: str, word: str, *, is_initial: bool, is_first: bool) -> int:
    """Where a word has a letter: at its beginning, or behind it (which the first letter of all may not); -1 if not."""
    if not is_initial:
        return -1 if is_first else find_from(letter, word, 1)
    is_there = word.startswith(letter) and (not letter.isdigit() or is_number(letter, word, 0))
    return 0 if is_there else -1
