"""Candidates from the Link Grammar parser (Sleator and Temperley 1991), Debian's program ``link-parser``.

Link Grammar links words that go together; a linkage is a connected planar graph, not a tree, and most links have no
head.  It becomes a :class:`~corpora.DependencyGraph` so:

- a token for each word it found, with offsets in the sentence, ``pos`` being the grammar's subscript (``n``, ``v-d``);
  ``misc`` is ``Known=No`` or ``Known=Shape`` of a word that is not in its dictionary, and ``Skipped=Yes`` of one it
  left out of the linkage;
- a dependency for each link, with the full name of the link (``MVp``) as type, from head to dependent where the
  grammar has a head, else from left to right;
- no tokens for the two walls; ``roots`` are the words that the left wall links by a ``W`` link (the head of the clause
  and its verb), links of punctuation to the walls are dropped.

Skipped words are allowed when there is no complete linkage; all linkages of a sentence skip equally many.

The program prints ``protein.n`` for "protein", ``p53[?].a`` for an unknown word taken as an adjective, ``MDM2[!]`` for
one recognized by its shape, ``[the]`` for a word it skipped, and small letters for a capital at the beginning.
"""

from __future__ import annotations

import random
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from corpora import Dependency, DependencyGraph, Sentence, Token
from ppi.core import UsageError
from ppi.parse_ranking.candidate_parses import CandidateParse, CandidateSet, as_sentences, check_max_candidates
from ppi.parse_ranking.link_parser import (
    MAX_LINE_BYTES,
    MAX_LINKAGES,
    TIMEOUT_MESSAGE,
    Linkage,
    LinkParserFailure,
    LinkParserProcess,
    UnreadableLinkage,
    read_linkage,
    split_linkages,
)

#: Options that make the output as it is read here; no spelling corrections: names are not misspelt words.
_OUTPUT_OPTIONS = ("-verbosity=1", "-links=1", "-postscript=1", "-graphics=0", "-walls=1", "-spell=0", "-panic=0")
_GUESS = re.compile(r"\[([?!~&])\]$")
_SKIPPED = re.compile(r"\[(.+)\]$", re.DOTALL)
#: Unicode categories that a line cannot hold or that separate words.
_BLANK_CATEGORIES = frozenset(["Cc", "Cs", "Zs", "Zl", "Zp"])
#: What the mark of a word means, as CoNLL-U's ``misc``.
_MISC_BY_MARK = {"?": "Known=No", "!": "Known=Shape", "~": "Known=Guess", "&": "Known=Split"}


class LinkGrammar:
    """The Link Grammar parser.

    Parameters
    ----------
    sample
        Which linkages are taken when there are more than wanted: ``"first"`` in the parser's own order, or a
        ``"random"`` sample of them.
    random_state
        Seed of the sample.  A sentence's sample depends only on the seed and on its text.
    linkages
        How many linkages the parser works out; of a sentence that has more (millions are common) it draws so many
        at random itself, always the same ones, and orders those by cost.
    timeout
        Seconds of computing the parser may spend on a sentence.
    hard_timeout
        Seconds on the wall clock after which it is stopped; by default ``2 * timeout + 10``.
    program
        Name or path of the parser.

    Notes
    -----
    ``CandidateParse.place`` is the place in the parser's own order of all linkages it worked out, so in a random sample
    places have gaps.  ``CandidateParse.cost`` is the sum of its disjuncts' costs; between equal ones, and first of all
    between numbers of skipped words (equal within a sentence), the parser prefers shorter links: only ``place`` shows.

    A sentence at which the parser dies or takes too long has no candidates, and neither has one longer than the
    parser reads (2,046 bytes); a warning at the end counts them.
    """

    name = "link-grammar"

    def __init__(
        self,
        *,
        sample: str = "first",
        random_state: int = 0,
        linkages: int = 1000,
        timeout: float = 10,
        hard_timeout: float | None = None,
        program: str = "link-parser",
    ) -> None:
        if sample not in ("first", "random"):
            raise UsageError(f"expected sample 'first' or 'random', got {sample!r}")
        if not 1 <= linkages <= MAX_LINKAGES:
            raise UsageError(f"expected from 1 to {MAX_LINKAGES} linkages, got {linkages!r}")
        if not timeout >= 1:
            raise UsageError(f"expected a timeout of 1 second or more, got {timeout!r}")
        self.sample = sample
        self.random_state = random_state
        self.linkages = linkages
        self.timeout = timeout
        self.hard_timeout = 2 * timeout + 10 if hard_timeout is None else hard_timeout
        self.program = program

    def candidates(self, sentences: Iterable[str | Sentence], *, max_candidates: int) -> Iterator[CandidateSet]:
        """For each sentence up to ``max_candidates`` distinct linkages.

        Raises
        ------
        MissingProgramError
            If the parser is not installed.
        """
        check_max_candidates(max_candidates)
        options = (f"-limit={self.linkages}", f"-timeout={int(self.timeout)}", *_OUTPUT_OPTIONS)
        process = LinkParserProcess(self.program, options)
        failures: Counter[str] = Counter()
        try:
            for sentence in as_sentences(sentences):
                try:
                    candidates = self._parse(process, sentence.text, max_candidates)
                except LinkParserFailure as failure:
                    failures[failure.kind] += 1
                    candidates = ()
                yield CandidateSet(sentence.id, sentence.text, candidates)
        finally:
            process.close()
        if failures:
            counts = ", ".join(f"{kind}: {count}" for kind, count in sorted(failures.items()))
            warnings.warn(f"no candidates for sentences at which link-parser failed ({counts})", stacklevel=2)

    def _parse(self, process: LinkParserProcess, text: str, max_candidates: int) -> tuple[CandidateParse, ...]:
        parser_input = make_parser_input(text)
        line = " ".join(parser_input.text.split())
        if not line:
            return ()
        if len(line.encode()) + 2 > MAX_LINE_BYTES:
            raise LinkParserFailure("sentence too long")
        # the first ones are nearly always among the first few linkages; if not, all are read
        n_first = min(self.linkages, 4 * max_candidates + 10) if self.sample == "first" else self.linkages
        for n_linkages in (n_first, self.linkages):
            answer = process.ask(line, linkages=n_linkages, seconds=self.hard_timeout)
            linkage_texts = split_linkages(answer)
            if not linkage_texts and TIMEOUT_MESSAGE in answer:
                raise LinkParserFailure("took too long")
            order = list(range(len(linkage_texts)))
            if self.sample == "random":
                # seeded by a string: the same in every process and whatever sentences came before
                random.Random(f"{self.random_state} {parser_input.text}").shuffle(order)
            candidates = _select_distinct(linkage_texts, order, parser_input, text, max_candidates)
            if len(candidates) == max_candidates or len(linkage_texts) < n_linkages or n_linkages == self.linkages:
                break
        return tuple(candidates)


def _select_distinct(
    linkage_texts: Sequence[str], order: Iterable[int], parser_input: ParserInput, text: str, max_candidates: int
) -> list[CandidateParse]:
    """The first ``max_candidates`` different linkages in ``order``, then in the parser's order."""
    candidate_by_graph: dict[DependencyGraph, CandidateParse] = {}
    for place in order:
        if len(candidate_by_graph) == max_candidates:
            break
        try:
            linkage = read_linkage(linkage_texts[place])
        except UnreadableLinkage:
            raise LinkParserFailure("garbled") from None
        graph = _make_graph(linkage, parser_input, text)
        if graph is not None:
            candidate_by_graph.setdefault(graph, CandidateParse(graph, place, linkage.disjunct_cost))
    if linkage_texts and not candidate_by_graph:
        raise LinkParserFailure("garbled")
    return sorted(candidate_by_graph.values(), key=lambda candidate: candidate.place)


def _make_graph(linkage: Linkage, parser_input: ParserInput, text: str) -> DependencyGraph | None:
    """The linkage as a graph; None if its words do not spell the sentence.

    That happens where the parser had several ways to cut a string of signs, skipped it, and prints two of the ways.
    """
    last = len(linkage.words) - 1
    words = locate_words(linkage.words[1:last], parser_input.text)
    if words is None:
        return None
    tokens = tuple(
        Token(str(index), word.start, word.end, text[word.start : word.end], pos=word.subscript, misc=word.misc)
        for index, word in enumerate(map(parser_input.restore_offsets, words), start=1)
    )
    arcs, roots = [], set()
    for link in linkage.links:
        if link.left > 0 and link.right < last:
            ends = (link.right, link.left) if link.head == link.right else (link.left, link.right)
            arcs.append(Dependency(str(ends[0]), str(ends[1]), link.type))
        elif link.right < last and link.type.startswith("W"):
            roots.add(link.right)
    return DependencyGraph(LinkGrammar.name, LinkGrammar.name, tokens, tuple(arcs), tuple(map(str, sorted(roots))))


class LocatedWord(NamedTuple):
    """A word of the sentence: its place, the grammar's subscript (``n``, ``v-d``) and CoNLL-U's ``misc``, if any."""

    start: int
    end: int
    subscript: str | None
    misc: str | None


class _WordReading(NamedTuple):
    text: str
    subscript: str | None = None
    misc: str | None = None


class ParserInput(NamedTuple):
    """A text as it can be sent, and for each of its characters the offset in the original."""

    text: str
    offsets: list[int]

    def restore_offsets(self, word: LocatedWord) -> LocatedWord:
        """The word with its place in the original text."""
        return word._replace(start=self.offsets[word.start], end=self.offsets[word.end - 1] + 1)


def make_parser_input(text: str) -> ParserInput:
    """The text on one line.

    Control characters, halves of surrogate pairs and any white space become spaces; characters without a shape (soft
    hyphens, zero-width spaces) are left out; so that no word holds ``)(``, the two are set apart.
    """
    characters: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        category = unicodedata.category(char)
        if category == "Cf":
            continue
        if char == "(" and characters and characters[-1] == ")":
            characters.append(" ")
            offsets.append(offset)
        characters.append(" " if category in _BLANK_CATEGORIES else char)
        offsets.append(offset)
    return ParserInput("".join(characters), offsets)


def locate_words(words: Sequence[str], text: str) -> list[LocatedWord] | None:
    """A place in ``text`` for each printed word, or None if they do not spell the text.

    Words follow each other with nothing but spaces between.  Where a word can be read in several ways (is
    ``e.g.`` a word, or ``e.g`` with a subscript?) the longest reading that lets the rest fit is taken.
    O(words x readings x places they can end at).
    """
    readings = [_list_readings(word) for word in words]
    located: list[LocatedWord] = []
    dead_ends: set[tuple[int, int]] = set()  # (words read, characters used) from which the rest does not fit
    while True:
        end = located[-1].end if located else 0
        if len(located) == len(words) and not text[end:].strip():
            return located
        fitting_words = _find_fitting_words(readings[len(located)], text, end) if len(located) < len(words) else []
        word = next((word for word in fitting_words if (len(located) + 1, word.end) not in dead_ends), None)
        if word is not None:
            located.append(word)
        elif located:  # go back and read the word before in another way
            dead_ends.add((len(located), end))
            located.pop()
        else:
            return None


def _find_fitting_words(readings: Sequence[_WordReading], text: str, position: int) -> list[LocatedWord]:
    """The readings that stand in the text at the next character that is no space."""
    while position < len(text) and text[position].isspace():
        position += 1
    return [
        LocatedWord(position, position + len(text_read), subscript, misc)
        for text_read, subscript, misc in readings
        if _equal_ignoring_case(text[position : position + len(text_read)], text_read)
    ]


def _equal_ignoring_case(first: str, second: str) -> bool:
    """Equal but for capitals; one character stays one, also where its small letter is two (İ)."""
    if first == second:
        return True
    return len(first) == len(second) and all(a.lower()[0] == b.lower()[0] for a, b in zip(first, second, strict=True))


@lru_cache(maxsize=2**14)  # the linkages of a sentence print nearly the same words
def _list_readings(printed: str) -> tuple[_WordReading, ...]:
    """What a printed word can stand for, longest first; each reading is at least one character."""
    readings = [_WordReading(printed)]
    if skipped := _SKIPPED.match(printed):
        readings.append(_WordReading(skipped[1], misc="Skipped=Yes"))
    for dot in re.finditer(r"\.", printed):
        readings.append(_WordReading(printed[: dot.start()], printed[dot.end() :] or None))
    for text, subscript, _ in list(readings):
        if guess := _GUESS.search(text):
            readings.append(_WordReading(text[: guess.start()], subscript, _MISC_BY_MARK[guess[1]]))
    return tuple(sorted((reading for reading in readings if reading.text), key=lambda reading: -len(reading.text)))
