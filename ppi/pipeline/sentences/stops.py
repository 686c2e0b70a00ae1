"""Whether a full stop, question mark or exclamation mark ends a sentence.

Judged from the word before, the word after and the white space between: initials (*D. melanogaster*, *Robertson,
J. A.*), section numbers, decimals and abbreviations do not end one, *protein kinase C. We ...* does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppi.pipeline.sentences.words import (
    BEFORE_NUMBERS,
    ENUMERATOR,
    INITIALS,
    LETTERED_NOUN,
    NEVER_LAST,
    NOUNS_WITH_LETTER,
    SELDOM_LAST,
    STARTERS,
    TITLES,
)

TERMINATORS = frozenset([".", "?", "!", "..", "...", "\u2026", "?!", "!!", "\u3002"])
#: What may stand between a terminator and the white space after the sentence.
CLOSERS = frozenset([")", "]", "}", '"', "'", "''", "\u201d", "\u2019", "\u00bb"])
#: Marks of footnotes that begin a sentence in a legend or below a table.
_MARKS = frozenset("*\u2020\u2021\u00a7\u00b6#~\u223c\u2022\u25cf\u25aa\u00a4\u00a9")
_BRACKETS, _QUOTES = frozenset("([{"), frozenset(['"', "'", "``", "\u201c", "\u2018", "\u00ab"])
OPENERS = _BRACKETS | {"``", "\u201c", "\u2018", "\u00ab"}
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2212")
_WORD_JOINERS = _DASHES | {"/"}
_OPERATORS = frozenset("=<>\u2264\u2265\u00b1\u00d7~\u223c\u2248+-\u2212")
_BETWEEN_CITATIONS = _DASHES | {",", ";"}
#: Nobody needs more to close a sentence.
_MAX_CLOSERS = 4
#: Words of a mark of citations: "[12, 14-16]".
_MAX_CITATION_WORDS = 24


def find_terminator(words: Sequence[str], gaps: Sequence[str], last: int) -> int | None:
    """The place of the terminator that ``words[: last + 1]`` ends with, closing marks aside; None if there is none."""
    place = last
    while last - place <= _MAX_CLOSERS and place >= 0:
        if words[place] in TERMINATORS or (words[place][-1] == "." and len(words[place]) > 1):
            return place
        if words[place] not in CLOSERS or place == 0 or gaps[place - 1]:
            return None
        place -= 1
    return None


def find_citation_end(words: Sequence[str], start: int) -> int | None:
    """The last word of a citation mark that begins at ``start``: "[12, 14-16]", or "12, 14" before such as "The"."""
    bracket = words[start] == "["
    if not (bracket or _is_cited_number(words[start])):
        return None
    place = start + bracket
    while place < min(start + _MAX_CITATION_WORDS, len(words)) and (
        _is_cited_number(words[place]) or words[place] in _BETWEEN_CITATIONS
    ):
        place += 1
    if place == len(words):
        return None
    if bracket:
        return place if words[place] == "]" and place > start + 1 else None
    return place - 1 if words[place] in STARTERS and words[place - 1].isdigit() else None


def _is_cited_number(word: str) -> bool:
    return word.isdigit() and len(word) <= 3


def may_begin_sentence(words: Sequence[str], gaps: Sequence[str], place: int) -> bool:
    """Whether the word at ``place`` may begin a sentence; a name such as p53, mTOR or c-Myc may, "cells" may not."""
    word = words[place]
    if word in _BRACKETS:
        return place + 1 < len(words)
    if word in _QUOTES:
        return place + 1 < len(words) and _may_begin_as_word(words, gaps, place + 1)
    if word[0] in _MARKS:
        following = place + 1
        return following < len(words) and (words[following] == "," or _may_begin_as_word(words, gaps, following))
    return _may_begin_as_word(words, gaps, place)


def _may_begin_as_word(words: Sequence[str], gaps: Sequence[str], place: int) -> bool:
    first = words[place][0]
    return first.isupper() or first.isdigit() or (first.isalpha() and _keeps_small_letter(words, gaps, place))


def _keeps_small_letter(words: Sequence[str], gaps: Sequence[str], place: int) -> bool:
    """p53, mRNA, c-Myc, \u03b2-catenin, "n = 5", "a: control": what is not written with a capital anywhere."""
    word = words[place]
    if any(character.isupper() or character.isdigit() for character in word) or "\u03b1" <= word[0] <= "\u03c9":
        return True
    if place + 2 >= len(words):
        return False
    after = words[place + 1]
    if len(word) == 1 and (after in _OPERATORS or after in {":", ")", ","}) and (gaps[place] or after not in _DASHES):
        return True
    hyphenated = not gaps[place] and after == "-" and not gaps[place + 1]
    return hyphenated and (len(word) == 1 or not words[place + 2].islower())


def ends_sentence(
    words: Sequence[str], gaps: Sequence[str], stop: int, following: int, first: int, *, line_end: bool = False
) -> bool:
    """Whether the terminator at ``stop`` ends the sentence that began at ``first``, before the word at ``following``.

    Parameters
    ----------
    line_end
        Whether a line that is not merely wrapped ends here.
    """
    word = words[stop]
    ends_by_default = line_end or may_begin_sentence(words, gaps, following)
    if word in TERMINATORS:
        if word != "." or stop == first:
            return ends_by_default
        place = stop - 1
        before = words[place]
    else:
        place, before = stop, word[:-1]
    if before in _OPERATORS and words[following][0].isdigit():  # "p = . 034"
        return False
    if before in CLOSERS:
        return ends_by_default and not (place > first and _is_enumerator(words, gaps, place - 1, first))
    if not before[-1].isalnum():
        return ends_by_default
    if _is_enumerator(words, gaps, place, first) and words[stop + 1] not in CLOSERS:
        return False
    lower, starter = before.lower(), words[following] in STARTERS
    if lower in NEVER_LAST or before in TITLES:
        return False
    if lower in BEFORE_NUMBERS and _has_digit(words, gaps, following):
        return False
    if lower in SELDOM_LAST:
        return starter or (line_end and may_begin_sentence(words, gaps, following))
    if INITIALS.match(before) and not _is_glued(words, gaps, place, first):
        if not ends_by_default or (_is_initial(words, gaps, following) and not line_end):
            return False
        surname = len(words[following]) > 1  # "A binds B. C does not."
        return starter or line_end or not surname or _takes_letter(words, gaps, place, first)
    return ends_by_default


def _has_digit(words: Sequence[str], gaps: Sequence[str], place: int) -> bool:
    """Whether a digit is in the next few pieces that no white space parts: "sc-34446"."""
    for piece in range(place, min(place + 3, len(words))):
        if any(map(str.isdigit, words[piece])):
            return True
        if gaps[piece]:
            break
    return False


def _is_enumerator(words: Sequence[str], gaps: Sequence[str], place: int, first: int) -> bool:
    """Whether the word is a section number, or a number or letter that counts items."""
    if not ENUMERATOR.match(words[place]):
        return False
    if place > first and words[place - 1] == "(":
        place -= 1
    return place == first or (words[place - 1] in {":", ";"} and gaps[place - 1] != "")


def _is_initial(words: Sequence[str], gaps: Sequence[str], place: int) -> bool:
    """Whether a letter with a stop stands at ``place``."""
    word = words[place]
    if len(word) == 1:
        return word.isupper() and not gaps[place] and place + 1 < len(words) and words[place + 1] == "."
    return word[-1] == "." and INITIALS.match(word) is not None


def _is_glued(words: Sequence[str], gaps: Sequence[str], place: int, first: int) -> bool:
    """Whether a letter is the end of a longer word: "GluR-B"."""
    joined = place - 1 > first and not gaps[place - 1] and words[place - 1] in _WORD_JOINERS
    return joined and len(words[place - 2]) > 1 and words[place - 2][-1].isalnum()


def _takes_letter(words: Sequence[str], gaps: Sequence[str], place: int, first: int) -> bool:
    """Whether a letter belongs to the word before it: "for 24 h", "protein kinase C", "A and B"; not "by J."."""
    if place == first or not gaps[place - 1] or len(words[place]) > 2:
        return False
    noun = words[place - 1]
    if noun in ("and", "or"):
        return place - 2 >= first and len(words[place - 2]) == 1 and words[place - 2].isalpha()
    return noun[0].isdigit() or noun.lower() in NOUNS_WITH_LETTER or LETTERED_NOUN.match(noun) is not None
