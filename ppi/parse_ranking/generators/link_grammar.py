"""Candidates from the Link Grammar parser (Sleator and Temperley 1991), Debian's program ``link-parser``.

Link Grammar links words that go together; a linkage is a connected planar graph, not a tree, and most links have no
head.  It becomes a :class:`~corpora.types.DependencyGraph` so:

- a token for each word it found, with offsets in the sentence, ``pos`` being the grammar's subscript (``n``,
  ``v-d``); ``misc`` says ``Known=No`` or ``Known=Shape`` of a word that is not in its dictionary, and
  ``Skipped=Yes`` of one it left out of the linkage;
- a dependency for each link, with the full name of the link (``MVp``) as type, from head to dependent where the
  grammar says which is which, else from left to right;
- no tokens for the two walls; ``roots`` are the words that the left wall links by a ``W`` link (the head of the
  clause and its verb), links of punctuation to the walls are dropped.

Skipped words are allowed when there is no complete linkage; all linkages of a sentence skip equally many.
"""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from corpora.types import Dependency, DependencyGraph, Sentence, Token
from ppi.errors import UsageError
from ppi.parse_ranking.generators.base import as_sentences, check_most
from ppi.parse_ranking.generators.link_parser_output import (
    TIMER,
    Linkage,
    UnreadableLinkage,
    read_linkage,
    split_linkages,
)
from ppi.parse_ranking.generators.link_parser_process import (
    LONGEST_LINE,
    MOST_LINKAGES,
    LinkParserFailure,
    LinkParserProcess,
)
from ppi.parse_ranking.generators.link_words import Readable, locate, readable
from ppi.parse_ranking.types import Candidate, CandidateSet

#: Options that make the output what we read; no spelling corrections: names are not misspelt words.
_OUTPUT = ("-verbosity=1", "-links=1", "-postscript=1", "-graphics=0", "-walls=1", "-spell=0", "-panic=0")


class LinkGrammar:
    """The Link Grammar parser.

    Parameters
    ----------
    sample
        Which linkages are taken when there are more than wanted: ``"first"`` in the parser's own order, or a
        ``"random"`` sample of them.
    random_state
        Seed of the sample.  A sentence's sample depends on the seed and on its text alone.
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
    ``Candidate.place`` is the place in the parser's own order of all linkages it worked out, so in a random sample
    places have gaps.  ``Candidate.cost`` is the sum of its disjuncts' costs; between equal ones, and first of all
    between numbers of skipped words (equal within a sentence), the parser prefers shorter links: ``place`` knows.

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
        if not 1 <= linkages <= MOST_LINKAGES:
            raise UsageError(f"expected from 1 to {MOST_LINKAGES} linkages, got {linkages!r}")
        if not timeout >= 1:
            raise UsageError(f"expected a timeout of 1 second or more, got {timeout!r}")
        self.sample = sample
        self.random_state = random_state
        self.linkages = linkages
        self.timeout = timeout
        self.hard_timeout = 2 * timeout + 10 if hard_timeout is None else hard_timeout
        self.program = program

    def candidates(self, sentences: Iterable[str | Sentence], *, most: int) -> Iterator[CandidateSet]:
        """For each sentence up to ``most`` distinct linkages.

        Raises
        ------
        MissingProgramError
            If the parser is not installed.
        """
        check_most(most)
        options = (f"-limit={self.linkages}", f"-timeout={int(self.timeout)}", *_OUTPUT)
        process = LinkParserProcess(self.program, options)
        failures: Counter[str] = Counter()
        try:
            for sentence in as_sentences(sentences):
                try:
                    found = self._parse(process, sentence.text, most)
                except LinkParserFailure as failure:
                    failures[failure.kind] += 1
                    found = ()
                yield CandidateSet(sentence.id, sentence.text, found)
        finally:
            process.close()
        if failures:
            counts = ", ".join(f"{kind}: {count}" for kind, count in sorted(failures.items()))
            warnings.warn(f"no candidates for sentences at which link-parser failed ({counts})", stacklevel=2)

    def _parse(self, process: LinkParserProcess, text: str, most: int) -> tuple[Candidate, ...]:
        shown = readable(text)
        line = " ".join(shown.text.split())
        if not line:
            return ()
        if len(line.encode()) + 2 > LONGEST_LINE:
            raise LinkParserFailure("sentence too long")
        if self.sample == "first":  # are nearly always among the first few; if not, all are looked at
            few = min(self.linkages, 4 * most + 10)
            printed = self._linkages(process, line, few)
            found = _distinct(printed, range(len(printed)), shown, text, most)
            if len(found) == most or len(printed) < few or few == self.linkages:
                return tuple(found)
        printed = self._linkages(process, line, self.linkages)
        order = list(range(len(printed)))
        if self.sample == "random":
            # seeded by a string: the same in every process and whatever sentences came before
            random.Random(f"{self.random_state} {shown.text}").shuffle(order)
        return tuple(_distinct(printed, order, shown, text, most))

    def _linkages(self, process: LinkParserProcess, line: str, number: int) -> list[str]:
        """The first ``number`` linkages as printed."""
        answer = process.ask(line, linkages=number, seconds=self.hard_timeout)
        printed = split_linkages(answer)
        if not printed and TIMER in answer:
            raise LinkParserFailure("took too long")
        return printed


def _distinct(printed: Sequence[str], order: Iterable[int], shown: Readable, text: str, most: int) -> list[Candidate]:
    """The first ``most`` different linkages in ``order``, then in the parser's order."""
    found: dict[DependencyGraph, Candidate] = {}
    for place in order:
        if len(found) == most:
            break
        try:
            linkage = read_linkage(printed[place])
        except UnreadableLinkage:
            raise LinkParserFailure("garbled") from None
        graph = _graph(linkage, shown, text)
        if graph is not None:
            found.setdefault(graph, Candidate(graph, place, linkage.disjunct_cost))
    if printed and not found:
        raise LinkParserFailure("garbled")
    return sorted(found.values(), key=lambda candidate: candidate.place)


def _graph(linkage: Linkage, shown: Readable, text: str) -> DependencyGraph | None:
    """The linkage as a graph; None if its words do not spell the sentence.

    That happens where the parser had several ways to cut a string of signs, skipped it, and prints two of the ways.
    """
    last = len(linkage.words) - 1
    words = locate(linkage.words[1:last], shown.text)
    if words is None:
        return None
    tokens = tuple(
        Token(str(index), word.start, word.end, text[word.start : word.end], pos=word.subscript, misc=word.remark)
        for index, word in enumerate(map(shown.original, words), start=1)
    )
    inner = [link for link in linkage.links if link.left > 0 and link.right < last]
    arcs = []
    for link in inner:
        ends = (link.right, link.left) if link.head == link.right else (link.left, link.right)
        arcs.append(Dependency(str(ends[0]), str(ends[1]), link.type))
    roots = {link.right for link in linkage.links if link.left == 0 and link.right < last and link.type.startswith("W")}
    return DependencyGraph(
        LinkGrammar.name, LinkGrammar.name, tokens, tuple(arcs), roots=tuple(str(root) for root in sorted(roots))
    )
