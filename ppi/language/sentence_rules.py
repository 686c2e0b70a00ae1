"""Finds where sentences begin by rule, and which places are left to the parser.

A full stop, question mark or exclamation mark is judged from the word before, the word after and the white space
between: initials (*D. melanogaster*, *Robertson, J. A.*), section numbers, decimals and abbreviations do not end a
sentence, *protein kinase C. We ...* does.

A line break ends a sentence, or is only where a long line was wrapped.  A heading, a title, a cell of a table or an
item of a list ends with its line, without a stop; the lines of e-mail, of PubMed's text format and of text copied from
PDF end anywhere.  The neighbours distinguish the two: wrapped lines are of about equal width, the first word of the
next would not have fitted, and many begin with a small letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ppi.language.tokenization import TokenizedText, is_empty_line, word_set

#: What a place among the words is: the beginning of a sentence, not one, or left to the parser.
START, INSIDE, OPEN = 1, -1, 0

#: A longer run of words without an end is not prose (a list of references, a table in one line): the parser may cut it.
MAX_SENTENCE_TOKENS = 300
#: A citation mark that lost its raised position: "in vivo.12 We".
_GLUED_CITATION = re.compile(r"[^\W\d_]{2,}[)\]]?\.\d{1,3}\Z")

#: Written with a stop, which never ends a sentence: something always follows.  Lower case, without the last stop.
NEVER_LAST = word_set(
    """
    approx ca cf chr dept e.g eg eq eqn eqns eqs est fig figs i.e ie incl ref refs resp sect ssp str subsp
    supp suppl univ viz vol vols vs
    """
)
#: The same, but with a capital; without it the word is another one (ms, st).
TITLES = word_set("Dr Drs Mr Mrs Ms Mt Mts Ph Prof St")
#: Written with a stop, which ends a sentence only before a word that begins one.  Lower case, without the last stop.
SELDOM_LAST = word_set(
    """
    acad al am annu biochem biol biophys bot bros bull cat chem clin co commun comp corp curr ed eds endocrinol environ
    etc eur exp ext gastroenterol gen genet hematol immunol inc int jr lett ltd med microbiol mol natl neurobiol neurol
    neurosci nutr oncol opin pathol pharmacol phys physiol pp proc psychiatry res rev sci ser soc sp spp sr struct surg
    symp tab toxicol trans var virol
    """
)
#: What follows these with a stop is a number, or it was an ordinary word: "accession no. CAJ01698.1".
BEFORE_NUMBERS = word_set("no nos nr art para ch chap sec lot ver v p pp n")

#: Nouns that a letter follows: "protein kinase C." may end a sentence, "by C." does not.
NOUNS_WITH_LETTER = word_set(
    """
    alpha beta gamma delta epsilon kappa lambda sigma
    amphotericin annexin apolipoprotein box buffer calcineurin caspase cathepsin chain class complex condition
    cyclin cyclosporin cyclosporine cystatin cytochrome domain element enterotoxin exon factor form fraction
    gene globulin granzyme group haemophilia hemophilia hepatitis immunoglobulin influenza isoform kinase kinases lamin
    lane latrunculin leptomycin ligand line lineage locus medium motif neuraminidase neurokinin panel panels
    part pathway phase phosphatase polymerase position procedure protein proteins protocol receptor region
    ribonuclease rnase series site solution state step stage staurosporine strain sub-group subgroup subtype
    subunit subunits tenascin toxin toxins type types variant vitamin vitamins virus
    """
)
#: Enzymes and proteins by their endings: "DNase I.", "lamin A."
LETTERED_NOUN = re.compile(r"(?!(?:cert|contain|obtain|remain|with|aga?)in)[a-zA-Z]{2,}(?:ases?|ins?)\Z")

#: Words that begin sentences and are hardly ever names of persons or places.
STARTERS = word_set(
    """
    Accordingly Additionally After Again All Also Alternatively Although Among An And Another Are As At Based Because
    Before Besides Between Both Briefly But By Can Collectively Compared Consequently Consistent Consistently Contrary
    Conversely Could Data Despite Did Do Does Due During Each Either Even Every Few Finally First Firstly Following For
    From Further Furthermore Given Hence Here How However If Importantly In Indeed Instead Interestingly Is It Its
    Lastly Later Less Like Likewise Many Meanwhile More Moreover Most Much Namely Neither Nevertheless Next No None
    Nonetheless Nor Not Notably Note Now On Once One Only Or Other Others Otherwise Our Over Overall Part Particularly
    Please Possibly Presumably Previous Previously Rather Recent Recently Remarkably Results Second Secondly See Several
    Similar Similarly Since So Some Specifically Still Subsequent Subsequently Such Surprisingly Taken That The Their
    Then There Therefore These They Third Thirdly This Those Though Three Through Throughout Thus To Together Two Under
    Unexpectedly Unless Unlike Until Upon Using Was We Were What When Where Whereas Whether Which While Who Why With
    Within Without Yet You
    """
)

#: A line that ends with one of these goes on in the next.
CONTINUATION_WORDS = word_set(
    """
    a an and are as at be been between both but by can could do does for from had has have if in into is its may might
    must nor of on or our shall should such than that the their these this those through to via was were when where
    whereas whether which while whose will with within without would
    """
)

#: Section numbers, letters and Roman numerals that count items: "2.2.", "B.", "iv."
ENUMERATOR = re.compile(r"(?:[A-Z]?\d{1,2}(?:\.\d{1,2})*|[A-Za-z]|[ivxIVX]{2,5})\Z")
#: One letter, or several with stops between them: "J", "J.A", "U.S".
INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_]{1,2})*\.?\Z")

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

_BREAK = re.compile("[\n\r\u2028\u2029\x0b\x0c\x85]")
_BULLETS = frozenset("\u2022\u25cf\u25aa\u25e6\u2023\u00b7*\u2013\u2014-")
_LIST_ENDS = frozenset(",;:")
_ODD_BEGINNINGS = _BULLETS | frozenset("+~\u00b1<>=\u00a4")
_CONTINUATION_SYMBOLS = frozenset("=-\u2013\u2212\u00d7")

#: Lines looked at before and after a break to recognize wrapped text.
_NEIGHBOUR_LINES = 10
#: Narrower and wider lines are not wrapped text.
_MIN_LINE_WIDTH, _MAX_LINE_WIDTH = 25, 200
#: Share of the breaks without punctuation where the sentence plainly goes on - a small letter follows, or "of" stands
#: before - from which on text is taken for wrapped.
_MIN_CONTINUING_PROPORTION = 0.3
#: A line is full if the next word would have made it longer than this share of the widest one.
_FULL_LINE_PROPORTION = 0.85
#: Headings and lines of a table before a small letter are not longer.
_MAX_CELL_CHARACTERS = 60


def find_sentence_starts(text: TokenizedText) -> list[int]:  # noqa: C901 - one case per rule
    """For each word :data:`START`, :data:`INSIDE` or :data:`OPEN`.

    A sentence ends with a stop, with its closing brackets, quotes and citation marks, or with a line that is judged to
    be a heading, an item of a list or a cell of a table; nowhere else.

    Examples
    --------
    >>> text = TokenizedText("Ras binds . MEK , too".split(), [" ", "", " ", "", " ", ""])
    >>> find_sentence_starts(text)
    [1, -1, -1, 1, -1, -1]
    """
    words, gaps = text
    starts = [INSIDE] * len(words)
    if not starts:
        return starts
    starts[0] = START
    lines = Lines(text) if any(map(has_break, gaps)) else None
    first, start_after_citation = 0, -1  # where the sentence began; where the one after a citation mark begins
    for last in range(len(words) - 1):
        gap, following = gaps[last], last + 1
        if not gap:
            continue
        if following == start_after_citation or is_empty_line(gap):
            starts[following], first = START, following
            continue
        stop = find_terminator(words, gaps, last)
        is_line_break = lines is not None and has_break(gap)
        if stop is not None:
            mark = None if is_line_break else find_citation_end(words, following)
            begin = following if mark is None or mark + 1 == len(words) else mark + 1
            line_end = is_line_break and lines is not None and not lines.is_wrapped(last)
            if ends_sentence(words, gaps, stop, begin, first, line_end=line_end):
                if begin == following:
                    starts[following], first = START, following
                else:
                    start_after_citation = begin
        elif is_line_break and lines is not None:
            if lines.ends_sentence(last, first=first):
                starts[following], first = START, following
        elif last - first >= MAX_SENTENCE_TOKENS or _may_lack_a_stop(words, gaps, last):
            starts[following] = OPEN
    return starts


def _may_lack_a_stop(words: Sequence[str], gaps: Sequence[str], last: int) -> bool:
    """Whether a sentence may end here inside a line: "in vivo.12 We", or a heading that lost its line, "Results We"."""
    following = words[last + 1]
    if following in STARTERS:
        return words[last][-1].isalnum() and words[last] not in CONTINUATION_WORDS
    return _GLUED_CITATION.search(words[last]) is not None and may_begin_sentence(words, gaps, last + 1)


def find_terminator(words: Sequence[str], gaps: Sequence[str], last: int) -> int | None:
    """The place of the terminator that ``words[: last + 1]`` ends with, closing marks aside; None if there is none."""
    index = last
    while last - index <= _MAX_CLOSERS and index >= 0:
        if words[index] in TERMINATORS or (words[index][-1] == "." and len(words[index]) > 1):
            return index
        if words[index] not in CLOSERS or index == 0 or gaps[index - 1]:
            return None
        index -= 1
    return None


def find_citation_end(words: Sequence[str], start: int) -> int | None:
    """The last word of a citation mark that begins at ``start``: "[12, 14-16]", or "12, 14" before such as "The"."""
    bracket = words[start] == "["
    if not (bracket or _is_cited_number(words[start])):
        return None
    index = start + bracket
    while index < min(start + _MAX_CITATION_WORDS, len(words)) and (
        _is_cited_number(words[index]) or words[index] in _BETWEEN_CITATIONS
    ):
        index += 1
    if index == len(words):
        return None
    if bracket:
        return index if words[index] == "]" and index > start + 1 else None
    return index - 1 if words[index] in STARTERS and words[index - 1].isdigit() else None


def _is_cited_number(word: str) -> bool:
    return word.isdigit() and len(word) <= 3


def may_begin_sentence(words: Sequence[str], gaps: Sequence[str], index: int) -> bool:
    """Whether the word at ``place`` may begin a sentence; a name such as p53, mTOR or c-Myc may, "cells" may not."""
    word = words[index]
    if word in _BRACKETS:
        return index + 1 < len(words)
    if word in _QUOTES:
        return index + 1 < len(words) and _may_begin_as_word(words, gaps, index + 1)
    if word[0] in _MARKS:
        following = index + 1
        return following < len(words) and (words[following] == "," or _may_begin_as_word(words, gaps, following))
    return _may_begin_as_word(words, gaps, index)


def _may_begin_as_word(words: Sequence[str], gaps: Sequence[str], index: int) -> bool:
    first = words[index][0]
    return first.isupper() or first.isdigit() or (first.isalpha() and _keeps_small_letter(words, gaps, index))


def _keeps_small_letter(words: Sequence[str], gaps: Sequence[str], index: int) -> bool:
    """p53, mRNA, c-Myc, \u03b2-catenin, "n = 5", "a: control": what is not written with a capital anywhere."""
    word = words[index]
    if any(character.isupper() or character.isdigit() for character in word) or "\u03b1" <= word[0] <= "\u03c9":
        return True
    if index + 2 >= len(words):
        return False
    after = words[index + 1]
    if len(word) == 1 and (after in _OPERATORS or after in {":", ")", ","}) and (gaps[index] or after not in _DASHES):
        return True
    hyphenated = not gaps[index] and after == "-" and not gaps[index + 1]
    return hyphenated and (len(word) == 1 or not words[index + 2].islower())


def ends_sentence(  # noqa: C901 - one case per rule
    words: Sequence[str], gaps: Sequence[str], stop: int, following: int, first: int, *, line_end: bool = False
) -> bool:
    """Whether the terminator at ``stop`` ends the sentence that began at ``first``, before the word at ``following``.

    ``line_end`` is whether a line that is not merely wrapped ends here.
    """
    word = words[stop]
    ends_by_default = line_end or may_begin_sentence(words, gaps, following)
    if word in TERMINATORS:
        if word != "." or stop == first:
            return ends_by_default
        index = stop - 1
        before = words[index]
    else:
        index, before = stop, word[:-1]
    if before in _OPERATORS and words[following][0].isdigit():  # "p = . 034"
        return False
    if before in CLOSERS:
        return ends_by_default and not (index > first and _is_enumerator(words, gaps, index - 1, first))
    if not before[-1].isalnum():
        return ends_by_default
    if _is_enumerator(words, gaps, index, first) and words[stop + 1] not in CLOSERS:
        return False
    lower, starter = before.lower(), words[following] in STARTERS
    if lower in NEVER_LAST or before in TITLES:
        return False
    if lower in BEFORE_NUMBERS and _has_digit(words, gaps, following):
        return False
    if lower in SELDOM_LAST:
        return starter or (line_end and may_begin_sentence(words, gaps, following))
    is_joined = index - 1 > first and not gaps[index - 1] and words[index - 1] in _WORD_JOINERS
    ends_word = is_joined and len(words[index - 2]) > 1 and words[index - 2][-1].isalnum()  # "GluR-B"
    if INITIALS.match(before) and not ends_word:
        if not ends_by_default or (_is_initial(words, gaps, following) and not line_end):
            return False
        surname = len(words[following]) > 1  # "A binds B. C does not."
        return starter or line_end or not surname or _takes_letter(words, gaps, index, first)
    return ends_by_default


def _has_digit(words: Sequence[str], gaps: Sequence[str], index: int) -> bool:
    """Whether a digit is in the next few pieces that no white space parts: "sc-34446"."""
    for piece in range(index, min(index + 3, len(words))):
        if any(map(str.isdigit, words[piece])):
            return True
        if gaps[piece]:
            break
    return False


def _is_enumerator(words: Sequence[str], gaps: Sequence[str], index: int, first: int) -> bool:
    """Whether the word is a section number, or a number or letter that counts items."""
    if not ENUMERATOR.match(words[index]):
        return False
    if index > first and words[index - 1] == "(":
        index -= 1
    return index == first or (words[index - 1] in {":", ";"} and gaps[index - 1] != "")


def _is_initial(words: Sequence[str], gaps: Sequence[str], index: int) -> bool:
    """Whether a letter with a stop stands at ``place``."""
    word = words[index]
    if len(word) == 1:
        return word.isupper() and not gaps[index] and index + 1 < len(words) and words[index + 1] == "."
    return word[-1] == "." and INITIALS.match(word) is not None


def _takes_letter(words: Sequence[str], gaps: Sequence[str], index: int, first: int) -> bool:
    """Whether a letter belongs to the word before it: "for 24 h", "protein kinase C", "A and B"; not "by J."."""
    if index == first or not gaps[index - 1] or len(words[index]) > 2:
        return False
    noun = words[index - 1]
    if noun in ("and", "or"):
        return index - 2 >= first and len(words[index - 2]) == 1 and words[index - 2].isalpha()
    return noun[0].isdigit() or noun.lower() in NOUNS_WITH_LETTER or LETTERED_NOUN.match(noun) is not None


class Line(NamedTuple):
    """Its first and last word and its characters."""

    first: int
    last: int
    length: int


def has_break(gap: str) -> bool:
    """Whether white space holds a line break."""
    return _BREAK.search(gap) is not None


class Lines:
    """The lines of a text, and what is known of each break between two of them.  O(words)."""

    def __init__(self, text: TokenizedText) -> None:
        self._text = text
        self._lines: list[Line] = []
        first = length = 0
        for index, (word, gap) in enumerate(zip(text.words, text.gaps)):
            length += len(word)
            if has_break(gap) or index == len(text.words) - 1:
                self._lines.append(Line(first, index, length))
                first, length = index + 1, 0
            else:
                length += len(gap)
        self._number = {line.last: number for number, line in enumerate(self._lines)}

    def is_wrapped(self, last: int) -> bool:
        """Whether the line that ends with the word at ``last`` was broken because it was full."""
        number = self._number[last]
        length_with_next_word = self._lines[number].length + 1 + self._first_chunk_length(number + 1)
        is_full = length_with_next_word > _FULL_LINE_PROPORTION * self._widest(number)
        return is_full and self._is_hard_wrapped(number)

    def ends_sentence(self, last: int, *, first: int) -> bool:
        """Whether the line that ends with the word at ``last``, which is not a stop, is a heading, an item or a cell.

        ``first`` is where the sentence began.
        """
        words, gaps = self._text
        number = self._number[last]
        line, following = self._lines[number], self._lines[number + 1]
        word, opening = words[last], words[following.first]
        wrapped = self.is_wrapped(last)
        if self._is_item(following):
            return not wrapped
        if wrapped or word in CONTINUATION_WORDS or word in OPENERS or word in _CONTINUATION_SYMBOLS:
            return False
        if may_begin_sentence(words, gaps, following.first):
            return True
        if not opening[0].isalpha():
            return opening[0] in _ODD_BEGINNINGS
        if word in _LIST_ENDS:
            return word != "," or not self._is_hard_wrapped(number)
        # before a small letter: a heading, a line of a table, or a sentence around a formula?
        max_length = self._widest(number) // 2 if self._is_hard_wrapped(number) else _MAX_CELL_CHARACTERS
        return line.length <= max_length and first == line.first and opening not in CONTINUATION_WORDS

    def _is_item(self, line: Line) -> bool:
        """Whether a line begins with a bullet or a counting mark: "- ", "1) ", "(a) ", "2. "."""
        words, gaps = self._text
        index = line.first
        if words[index] in _BULLETS:
            return index < line.last and gaps[index] != ""
        if words[index] == "(" and index < line.last:
            index += 1
        short = len(words[index]) <= 2 and words[index].isalnum()
        return short and index + 1 < line.last and words[index + 1] in (")", ".") and not gaps[index]

    def _is_hard_wrapped(self, number: int) -> bool:
        """Whether the neighbourhood of the break after a line looks wrapped."""
        if not _MIN_LINE_WIDTH <= self._widest(number) <= _MAX_LINE_WIDTH:
            return False
        near = self._neighbour_lines(number)
        words = self._text.words
        continues = [
            words[following.first][0].islower() or words[line.last] in CONTINUATION_WORDS
            for line, following in pairwise(near)
            if words[line.last][-1].isalnum() or words[line.last] in ")]"
        ]
        return sum(continues) >= max(_MIN_CONTINUING_PROPORTION * len(continues), 1)

    def _neighbour_lines(self, number: int) -> list[Line]:
        return self._lines[max(0, number - _NEIGHBOUR_LINES + 1) : number + _NEIGHBOUR_LINES + 1]

    def _widest(self, number: int) -> int:
        return max(line.length for line in self._neighbour_lines(number))

    def _first_chunk_length(self, number: int) -> int:
        """Characters of a line up to its first white space."""
        words, gaps = self._text
        length = 0
        for index in range(self._lines[number].first, self._lines[number].last + 1):
            length += len(words[index])
            if gaps[index] or length > _MAX_LINE_WIDTH:
                break
        return length
