"""What may be a short form, and which words before it, or in a given place, are its long form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ppi.pipeline.abbreviations.alignment import FUNCTION_WORDS, INITIAL, best_fit, fits_of
from ppi.pipeline.abbreviations.letters import letters_of, readings, stand_in

Span = tuple[int, int]

#: Characters of a long form; more are not looked at.
LONGEST = 200
_LONGEST_SHORT = 16
_DASH = "\\-\u2010-\u2015"

#: A letter or digit, then what symbols are made of; perhaps a second word.
_SHORT = re.compile(rf"[^\W_][\w/.()+'*\[\]{_DASH}]*(?: [\w/+{_DASH}]+)?")
_CAPITAL_OR_DIGIT = re.compile(r"[A-Z0-9\u0391-\u03a9]")
_LETTER = re.compile(r"[^\W\d_]")
_SPECIES = re.compile(r"[A-Z]\. ?[a-z]{3,}")
_NO_SHORT = re.compile(
    r"(?:suppl\w*|figs?|figures?|tables?|refs?|eqs?|videos?|movies?|panels?|appendix|see|and|or|not)\b.*|[IVX]{1,4}",
    re.IGNORECASE,
)
#: One small letter and a capital (pI): the capital stands for a word.
_SMALL_CAPITAL = re.compile(r"[a-z][A-Z]s?")
_CAPITAL_SMALL = re.compile(r"[A-Z][a-z]")
#: The letters that a symbol begins with.
_SYMBOL = re.compile(r"[^\W\d_]*?(?=s?(?:[\W\d_]|$))")

#: What ends the search for a long form: the beginning of the sentence or of a part of it.
_BEGINNING = re.compile(r"(?<![A-Z])(?<!\bvs)(?<!\bcf)[.!?]\s+(?=[A-Z(\[])|\n\s*\n|[;:]\s")
#: A bracket between the words of a long form: "sex-determining region Y (SRY)-box 2".
_INNER = re.compile(r"(?<=\s)[(\[][^()\[\]]*[)\]]")
_OPENING = re.compile(r"(?:^|(?<=\s))[(\[]")
_WORD = re.compile(rf"[^\W_][^\s/{_DASH}]*")
_JOINED = re.compile(r"[^\W_]\S*")
#: No long form has one of these inside.
_CLAUSE = re.compile(
    r"(?<![^\W_])(?:is|are|was|were|be|been|being|has|have|had|can|could|may|might|that|which|who|whose|where|whereas|when"
    r"|while|we|our|it|its|they|their|this|these|those|than|but|both|either|include[sd]?|including|contains?|such|using"
    r"|treated|respectively|called|termed|named)(?![^\W_])",
    re.IGNORECASE,
)
#: Behind the long form, not a part of it, if the short form has no letter for it.
_FAMILY = re.compile(r"\s+(?:(?:super|sub)?famil(?:y|ies)(?: of \w+| members?)?|isoforms?|subtypes?)$")
#: Before the first letter, and a part of the long form: "L-thyroxine", "c-jun", "2-keto-3-deoxyoctonate".
_LOCANT = re.compile(rf"(?:\S{{1,2}}|[\dNOS,'\u2032]+|\d*(?:alpha|beta|gamma))[{_DASH}]")
#: "group 2 innate lymphoid cells" does not begin with the number.
_NUMBER = re.compile(r"\d+\s")
_LAST_WORD = re.compile(r"(?<!\S)[^\W\d_]+ $")


def part(text: str, span: Span) -> str:
    """What stands in a place."""
    return text[span[0] : span[1]]


def is_short(text: str) -> bool:
    """Whether a text may be a short form: two letters or more, with a capital or a digit in each of at most two words.

    >>> [is_short(text) for text in ("RGCs", "EGFR TKI", "A. fumigatus", "Fig. 1", "not shown", "II", "n = 3")]
    [True, True, True, False, False, False, False]
    """
    if len(text) > _LONGEST_SHORT or not _SHORT.fullmatch(text) or _NO_SHORT.fullmatch(text):
        return False
    if len(letters_of(text)) < 2 or not _LETTER.search(text):
        return False
    return all(map(_CAPITAL_OR_DIGIT.search, text.split())) or _SPECIES.fullmatch(text) is not None


def long_form(text: str, end: int, short: str) -> Span | None:
    """The words before a place that a short form stands for; None if there are none."""
    first, window = _before(text, end)
    family = _FAMILY.search(window)
    for stop in [family.start(), len(window)] if family else [len(window)]:
        for start in _beginnings(short, window[:stop]):
            span = first + _widened(window, start), first + stop
            if _is_long(part(text, span), short):
                return span
    return None


def initials_before(text: str, end: int, short: str) -> Span | None:
    """The words before a place whose initials are the short form, in this order and without a word between them."""
    first, window = _before(text, end)
    letters = letters_of(short)
    for pattern in (_WORD, _JOINED):
        words = list(pattern.finditer(window))[-len(letters) :]
        if len(letters) > 2 and letters == _initials(words):
            span = first + words[0].start(), first + len(window)
            return span if _is_long(part(text, span), short) else None
    return None


def stands_for(short: str, long: str) -> bool:
    """Whether a short form stands for the whole of some words."""
    symbol = _SYMBOL.match(short)
    if long.startswith(short) or (symbol and len(symbol.group()) > 1 and long.startswith(symbol.group())):
        return False  # another of the same: "LOX (LOXL1)", "R7 (R7p)"
    if not _is_long(long, short):
        return False
    for letters, text in readings(short, long):
        if stand_in(letters, text):
            words = _WORD.findall(text)
            # one word without a letter more than usual: the long form's beginning is sure
            if _is_good(letters, words, fits_of(letters, words)[0] + INITIAL):
                return True
    return False


def _before(text: str, end: int) -> tuple[int, str]:
    """Where the search for a long form begins, and what is searched: no other sentence, nothing outside of a bracket
    that is open, and blanks for brackets that are closed."""
    whole = text[max(0, end - LONGEST) : end]
    window = whole.rstrip(" \t\r\n,;:")
    end -= len(whole) - len(window)
    beginnings = list(_BEGINNING.finditer(window))
    if beginnings:
        window = window[beginnings[-1].end() :]
    window = _INNER.sub(lambda inner: " " * len(inner.group()), window)
    openings = list(_OPENING.finditer(window))
    if openings:
        window = window[openings[-1].end() :]
    return end - len(window), window


def _beginnings(short: str, window: str) -> Iterator[int]:
    """Where in the window the long form may begin, the likeliest place first."""
    for letters, text in readings(short, window):
        if stand_in(letters, text):
            words = list(_WORD.finditer(text))[-_most_words(short) :]
            fit = best_fit(letters, [word.group() for word in words])
            if fit is not None:
                own = [word.group() for word in words[fit.first :]]
                if _is_good(letters, own, fit.value) and not (len(own) == 1 and _SMALL_CAPITAL.fullmatch(short)):
                    yield words[fit.first].start()
    yield from _in_any_order(short, window)


def _in_any_order(short: str, window: str) -> Iterator[int]:
    """Where the last words begin, as many as there are letters, if these are their initials: TFAM is the mitochondrial
    transcription factor A."""
    letters = letters_of(short)
    if len(letters) > 2 or _SMALL_CAPITAL.fullmatch(short) or _CAPITAL_SMALL.fullmatch(short):
        words = list(_WORD.finditer(window))[-len(letters) :]
        if sorted(letters) == sorted(_initials(words)):
            yield words[0].start()


def _initials(words: Sequence[re.Match[str]]) -> list[str]:
    """The first letter of each word, or the number that it is."""
    return [letters_of(word.group())[0] for word in words]


def _is_good(letters: Sequence[str], words: Sequence[str], fit: int) -> bool:
    """Whether letters fit well enough; two letters are the initials of two words, or both of one."""
    return fit > (INITIAL if len(letters) == 2 and len(words) > 1 else 0)


def _widened(window: str, start: int) -> int:
    """The place where a long form begins with what is joined to its first word, or with the word before a number."""
    word = window.rfind(" ", 0, start) + 1
    if _LOCANT.fullmatch(window, word, start):
        return word
    if _NUMBER.match(window, start) and (before := _LAST_WORD.search(window, max(0, start - 20), start)):
        return before.start()
    return start


def _most_words(short: str) -> int:
    """How many words a long form has at most [Schwartz and Hearst, 2003]."""
    count = sum(map(str.isalnum, short))
    return min(count + 5, 2 * count)


def _is_long(long: str, short: str) -> bool:
    """Whether some words may be a long form at all: longer than the short one, and no clause."""
    words = _WORD.findall(_INNER.sub(" ", long))
    return (
        len(long) > len(short)
        and 0 < len(words) <= _most_words(short)
        and words[0].lower() not in FUNCTION_WORDS
        and not _CLAUSE.search(long)
        and f" {short} " not in f" {long} "
    )
