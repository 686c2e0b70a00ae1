"""Where sentences begin: what is certain by rule, and what is left to the parser."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppi.pipeline.names.segments import TokenizedText, is_empty_line
from ppi.pipeline.sentences.lines import Lines, has_break
from ppi.pipeline.sentences.stops import ends_sentence, find_citation_end, find_terminator, may_begin_sentence
from ppi.pipeline.sentences.words import CONTINUATION_WORDS, STARTERS

#: What a place among the words is: the beginning of a sentence, not one, or for the parser to say.
START, INSIDE, OPEN = 1, -1, 0

#: A longer stretch without an end is no prose (a list of references, a table in one line): the parser may cut it.
MAX_SENTENCE_TOKENS = 300
#: A citation mark that lost its raised position: "in vivo.12 We".
_GLUED_CITATION = re.compile(r"[^\W\d_]{2,}[)\]]?\.\d{1,3}\Z")


def find_sentence_starts(text: TokenizedText) -> list[int]:
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
