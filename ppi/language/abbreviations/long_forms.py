"""Finds the words that a short form stands for, by how well its letters fit them.

**Letters.**  A number is one letter.  Greek letters, and their names in the short form, are the Latin letters that they
begin with; Roman numerals and small numbers in words are digits.  The s of a plural and the 1 at the end of a symbol
(TWIST1) need not be there.

**Fit.**  Initials are better than letters inside of words.  Schwartz and Hearst (2003) take the fewest words that have
the letters, and so "encephalomyelitis" for EAE.  Here a letter that begins a word counts 1, and so do those that follow
it at once (RNA in "small RNAs"); a word without a letter counts -1 (function words and numbers aside), and so does a
comma.  The words with the largest sum are the long form; of several with the same sum those with fewer letters inside
of words, and then the fewest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ppi.language.tokenization import word_set

if TYPE_CHECKING:
    from corpora import Span

_GREEK = str.maketrans("αβγδεζηθικλμνξοπρστυφχψωµ", "abgdezhtiklmnxoprstufcpwm")
_GREEK_NAME = re.compile(r"(?<![a-z])(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|sigma|omega)")
_LETTER_OR_NUMBER = re.compile(r"\d+|[^\W\d_]")
_NUMERALS = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6"} | {
    word: str(number) for number, word in enumerate(("one", "two", "three", "four", "five", "six"), start=1)
}
_NUMERAL = re.compile(rf"(?<![^\W_])(?:{'|'.join(_NUMERALS)})(?![^\W_])")
#: An s behind a capital or a digit is a plural's, and one behind three small letters (Tregs).
_PLURAL = re.compile(r"(?<=[A-Z0-9])s$|(?<=[A-Z][a-z][a-z][a-z])s$")
_SMALL = re.compile(r"[a-z]")

#: Words that abbreviations pass over; no long form begins with one.
FUNCTION_WORDS = word_set("a an and as at by for from in into of on or per the to via with")

#: What an initial counts; letters inside of words, which count -1, only decide between equals.
INITIAL_SCORE = 16
_SKIP_PENALTY = -INITIAL_SCORE
_IMPOSSIBLE = -100 * INITIAL_SCORE

#: Characters of a long form; more are not looked at.
MAX_LONG_FORM_CHARACTERS = 200
_MAX_SHORT_FORM_CHARACTERS = 16
_DASH = "\\-\u2010-\u2015"

#: A letter or digit, then what symbols are made of; perhaps a second word.
_SHORT = re.compile(rf"[^\W_][\w/.()+'*\[\]{_DASH}]*(?: [\w/+{_DASH}]+)?")
_CAPITAL_OR_DIGIT = re.compile(r"[A-Z0-9\u0391-\u03a9]")
_LETTER = re.compile(r"[^\W\d_]")
_SPECIES = re.compile(r"[A-Z]\. ?[a-z]{3,}")
_NO_SHORT = re.compile(
    r"(?:suppl\w*|figs?|figures?|tables?|refs?|eqs?|videos?|movies?|panels?|appendix|see)\b.*|[IVX]{1,4}",
    re.IGNORECASE,
)
#: One small letter and a capital (pI): the capital stands for a word.
_SMALL_CAPITAL = re.compile(r"[a-z][A-Z]s?")
#: Capitals and digits, three or more, or a capital and one or two small letters (Fab, Fc).
_SYMBOLIC = re.compile(r"[A-Z0-9]{3,}s?|[A-Z][a-z]{1,2}")
#: The letters that a symbol begins with.
_SYMBOL = re.compile(r"[^\W\d_]*?(?=s?(?:[\W\d_]|$))")

#: What ends the search for a long form: the beginning of the sentence or of a part of it.
_BEGINNING = re.compile(r"(?<!\b[A-Z])(?<!\bvs)(?<!\bcf)[.!?]\s+(?=[A-Z(\[])|\n\s*\n|[;:]\s")
#: So do words that no long form has inside.
_CLAUSE = re.compile(
    r"(?<![^\W_])(?:is|are|was|were|be|been|being|has|have|had|can|could|may|might|that|which|who|whose|where|whereas|when"
    r"|while|we|our|it|its|they|their|this|these|those|than|but|both|either|include[sd]?|including|contains?|such|using"
    r"|treated|respectively|called|termed|named)(?![^\W_])",
    re.IGNORECASE,
)
#: A bracket between the words of a long form: "sex-determining region Y (SRY)-box 2".
_INNER = re.compile(r"(?<=\s)[(\[](?:[^()\[\]]|[(\[][^()\[\]]*[)\]])*[)\]]")
_OPENING = re.compile(r"(?:^|(?<=\s))[(\[]")
_WORD = re.compile(rf"[^\W_][^\s/{_DASH}]*")
_JOINED = re.compile(r"[^\W_]\S*")
#: Between a short form and the next one, if the first is not part of what the second stands for.
_ANOTHER = re.compile(r",|\b(?:and|n?or)\b")
#: Behind the long form, not a part of it, if the short form has no letter for it.
_FAMILY = re.compile(r"\s+(?:(?:super|sub)?famil(?:y|ies)(?: of \w+| members?)?|isoforms?|subtypes?)$")
#: Before the first letter, and a part of the long form: "L-thyroxine", "c-jun", "2-keto-3-deoxyoctonate".
_LOCANT = re.compile(rf"(?:\S{{1,2}}|[\dNOS,'\u2032]+|\d*(?:alpha|beta|gamma))[{_DASH}]")
#: "group 2 innate lymphoid cells" does not begin with the number.
_NUMBER = re.compile(r"\d+\s")
_LAST_WORD = re.compile(r"(?<!\S)[^\W\d_]+ $")


def fold(text: str) -> str:
    """The text, of the same length, in lower case and with Latin letters for Greek ones."""
    lower = text.lower()
    return (lower if len(lower) == len(text) else text).translate(_GREEK)


def replace_numerals(text: str) -> str:
    """The text, of the same length, with digits for Roman numerals and for small numbers in words.

    >>> replace_numerals("type II two-hybrid")
    'type 2  2  -hybrid'
    """
    return _NUMERAL.sub(lambda match: _NUMERALS[match.group()].ljust(len(match.group())), text)


def split_letters(short: str) -> list[str]:
    """The letters of a short form, without the s of a plural; a number is one of them.

    >>> split_letters("PSD-95s")
    ['p', 's', 'd', '95']
    """
    return _LETTER_OR_NUMBER.findall(fold(_PLURAL.sub("", short)))


def letter_variants(short: str, long: str) -> Iterator[tuple[list[str], str]]:
    """Letters to be looked for, and what they are looked for in, the plainest first."""
    plain, letters = fold(long), split_letters(short)
    greek = split_letters(_GREEK_NAME.sub(lambda match: match.group()[0], short))
    letter_lists = [letters] if greek == letters else [letters, greek]
    texts = [plain, fold(replace_numerals(long))] if any(map(str.isdigit, letters)) else [plain]
    yield from ((way, text) for way in letter_lists for text in texts if len(way) > 1)
    if letters[-1:] == ["1"] and len(letters) > 3:
        yield letters[:-1], plain


def rotate_letters(short: str) -> Iterator[list[str]]:
    """Letters in another order: what a short form with small letters ends or begins with may stand first or last in
    the words: "cellular prion protein" is PrP(c), "regulatory T cell" Treg.

    >>> list(rotate_letters("Treg"))
    [['g', 't', 'r', 'e'], ['r', 'e', 'g', 't']]
    """
    letters = split_letters(_GREEK_NAME.sub(lambda match: match.group()[0], short))
    if len(letters) > 3 and _SMALL.search(short):
        yield [letters[-1], *letters[:-1]]
        yield [*letters[1:], letters[0]]


def has_letters_in_order(letters: Sequence[str], long: str) -> bool:
    """Whether the letters stand in a folded text in their order, the first at the beginning of a word.

    That is the test of Schwartz and Hearst (2003): from right to left, each letter as far to the right as possible.
    """
    offset = len(long)
    for letter in reversed(letters[1:]):
        offset = find_before(letter, long, offset)
        if offset < 0:
            return False
    offset = find_before(letters[0], long, offset)
    while offset > 0 and long[offset - 1].isalnum():
        offset = find_before(letters[0], long, offset)
    return offset >= 0


def find_before(letter: str, long: str, end: int) -> int:
    """The last place of a letter before another place; -1 if there is none."""
    offset = long.rfind(letter, 0, end)
    while offset >= 0 and letter.isdigit() and not is_number(letter, long, offset):
        offset = long.rfind(letter, 0, offset)
    return offset


def find_from(letter: str, long: str, start: int) -> int:
    """The first place of a letter at or behind another place; -1 if there is none."""
    offset = long.find(letter, start)
    while offset >= 0 and letter.isdigit() and not is_number(letter, long, offset):
        offset = long.find(letter, offset + 1)
    return offset


def is_number(digits: str, long: str, offset: int) -> bool:
    """Whether digits in a text are a whole number, or the end of a year: COVID-19."""
    behind = long[offset + len(digits) : offset + len(digits) + 1]
    is_year = len(digits) == 2 and long[max(offset - 2, 0) : offset] in ("19", "20")
    return not behind.isdigit() and (is_year or not long[max(offset - 1, 0) : offset].isdigit())


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
        skip_penalty = 0 if word in FUNCTION_WORDS or not _LETTER.search(word) else _SKIP_PENALTY
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
    best_value, letter = _IMPOSSIBLE, letters[number]
    begins_word = word.startswith(letter) and (not letter.isdigit() or is_number(letter, word, 0))
    inside = -1 if number == 0 else find_from(letter, word, 1)  # the first letter of all stands at a beginning
    for is_initial, offset in ((True, 0 if begins_word else -1), (False, inside)):
        in_a_row, value = is_initial, 0
        for behind in range(number, len(letters)):
            if offset < 0:
                break
            value += INITIAL_SCORE if in_a_row else -1
            best_value = max(best_value, value + best[behind + 1])
            end = offset + len(letters[behind])
            offset = find_from(letters[behind + 1], word, end) if behind + 1 < len(letters) else -1
            in_a_row = in_a_row and offset == end
    return best_value


class Definition(NamedTuple):
    """Start and end of a short and of its long form, in characters of the text."""

    short: Span
    long: Span


def text_at(text: str, span: Span) -> str:
    """What stands in a place."""
    return text[span[0] : span[1]]


def is_short_form(text: str) -> bool:
    """Whether a text may be a short form: two letters or more, with a capital or a digit in each of at most two words.

    >>> [is_short_form(text) for text in ("RGCs", "EGFR TKI", "A. fumigatus", "Fig. 1", "not shown", "II", "n = 3")]
    [True, True, True, False, False, False, False]
    """
    if len(text) > _MAX_SHORT_FORM_CHARACTERS or not _SHORT.fullmatch(text) or _NO_SHORT.fullmatch(text):
        return False
    if len(split_letters(text)) < 2 or not _LETTER.search(text):
        return False
    return all(map(_CAPITAL_OR_DIGIT.search, text.split())) or _SPECIES.fullmatch(text) is not None


def find_long_form(text: str, end: int, short: str, inner: Definition | None = None) -> Span | None:
    """The words before a place that a short form stands for; None if there are none.

    ``inner`` is the definition before this one.  Its short form is read in the place of its long form, if it stands
    among these words: "sex-determining region Y (SRY)-box 2 (Sox2)".
    """
    first, window = _window_before(text, end)
    if inner is not None and first <= inner.long[0] < inner.short[0] and not _ANOTHER.search(text, inner.short[1], end):
        start, stop, other = inner.long[0] - first, inner.short[0] - first, text_at(text, inner.short)
        substituted = window[:start] + " " * (stop - start) + other + window[stop + len(other) :]
        span = _find_in_window(text, first, substituted, short)
        if span is not None and inner.long[0] < span[0] <= inner.short[0]:
            return inner.long[0], span[1]
    return _find_in_window(text, first, window, short)


def _find_in_window(text: str, first: int, window: str, short: str) -> Span | None:
    """The long form at the end of a window that begins at the character ``first`` of the text."""
    family = _FAMILY.search(window)
    for stop in [family.start(), len(window)] if family else [len(window)]:
        for start in _find_beginnings(short, window[:stop]):
            span = first + _extend_start(window, start, short), first + stop
            if _may_be_long_form(text_at(text, span), short):
                return span
    return None


def find_initials_before(text: str, end: int, short: str) -> Span | None:
    """The words before a place whose initials are the short form, in this order and without a word between them."""
    first, window = _window_before(text, end)
    letters = split_letters(short)
    for pattern in (_WORD, _JOINED):
        words = list(pattern.finditer(window))[-len(letters) :]
        if len(letters) > 2 and letters == _initials(words):
            span = first + words[0].start(), first + len(window)
            return span if _may_be_long_form(text_at(text, span), short) else None
    return None


def stands_for(short: str, long: str) -> bool:
    """Whether a short form stands for the whole of some words."""
    symbol = _SYMBOL.match(short)
    stem = symbol.group() if symbol else ""
    if long.lower().startswith(short.lower()) or (len(stem) > 1 and long.startswith(stem)):
        return False  # another of the same: "LOX (LOXL1)", "R7 (R7p)"
    locant = _LOCANT.match(long)
    return _fits_whole(short, long) or (locant is not None and _fits_whole(short, long[locant.end() :]))


def _fits_whole(short: str, long: str) -> bool:
    """The same, with the first letter at the beginning."""
    if not _may_be_long_form(long, short):
        return False
    for letters, text in letter_variants(short, long):
        if has_letters_in_order(letters, text):
            words = _WORD.findall(text)
            # one word without a letter more than usual: the long form's beginning is sure
            if _is_good_fit(letters, words, compute_fits(letters, words)[0] + INITIAL_SCORE, short):
                return True
    return False


def _window_before(text: str, end: int) -> tuple[int, str]:
    """Where the search for a long form begins, and what is searched: no other sentence, nothing outside of a bracket
    that is open, and blanks for brackets that are closed."""
    whole = text[max(0, end - MAX_LONG_FORM_CHARACTERS) : end]
    window = whole.rstrip(" \t\r\n,;:")
    end -= len(whole) - len(window)
    window = _INNER.sub(lambda inner: " " * len(inner.group()), window)
    for stop in (_OPENING, _BEGINNING, _CLAUSE):
        stops = list(stop.finditer(window))
        if stops:
            window = window[stops[-1].end() :]
    return end - len(window), window


def _find_beginnings(short: str, window: str) -> Iterator[int]:
    """Where in the window the long form may begin, the likeliest place first."""
    for letters, text in letter_variants(short, window):
        words, fit = _fit_window(letters, text, short)
        if words and _is_good_fit(letters, words, fit, short):
            yield words[0].start()
    if _SYMBOLIC.fullmatch(short) or _SMALL_CAPITAL.fullmatch(short):
        letters = split_letters(short)  # in any order: TFAM is the mitochondrial transcription factor A
        words = list(_WORD.finditer(window))[-len(letters) :]
        if sorted(letters) == sorted(_initials(words)):
            yield words[0].start()
    for letters in rotate_letters(short):
        words, fit = _fit_window(letters, fold(window), short)
        if words and fit > (len(letters) - 2) * INITIAL_SCORE:
            yield words[0].start()


def _fit_window(letters: Sequence[str], window: str, short: str) -> tuple[list[re.Match[str]], int]:
    """The words of the best long form at the end of a folded window, if any, and how well the letters fit them."""
    if has_letters_in_order(letters, window):
        words = list(_WORD.finditer(window))[-_max_words(short) :]
        fit = find_best_fit(letters, [word.group() for word in words])
        if fit is not None:
            return words[fit.first :], fit.value
    return [], 0


def _initials(words: Sequence[re.Match[str]]) -> list[str]:
    """The first letter of each word, or the number that it is."""
    return [split_letters(word.group())[0] for word in words]


def _is_good_fit(letters: Sequence[str], words: Sequence[object], fit: int, short: str) -> bool:
    """Whether letters fit well enough; two letters are the initials of two words, or both of one."""
    if len(words) == 1 and _SMALL_CAPITAL.fullmatch(short):
        return False
    return fit > (INITIAL_SCORE if len(letters) == 2 and len(words) > 1 else 0)


def _extend_start(window: str, start: int, short: str) -> int:
    """The place where a long form begins with what is joined to its first word, or with the word before a number."""
    word = window.rfind(" ", 0, start) + 1
    joined = window[word:start]
    if _LOCANT.fullmatch(joined) or (joined.endswith("/") and joined[0].lower() == short[0].lower()):
        return word
    if _NUMBER.match(window, start) and (before := _LAST_WORD.search(window, max(0, start - 20), start)):
        return before.start()
    return start


def _max_words(short: str) -> int:
    """How many words a long form has at most [Schwartz and Hearst, 2003]."""
    count = sum(map(str.isalnum, short))
    return min(count + 5, 2 * count)


def _may_be_long_form(long: str, short: str) -> bool:
    """Whether some words may be a long form at all: longer than the short one, and no clause."""
    words = list(filter(_LETTER.search, _WORD.findall(_INNER.sub(" ", long))))
    return (
        len(long) > len(short)
        and 0 < len(words) <= _max_words(short)
        and words[0].lower() not in FUNCTION_WORDS
        and not _CLAUSE.search(long)
        and f" {short} " not in f" {long} "
    )
