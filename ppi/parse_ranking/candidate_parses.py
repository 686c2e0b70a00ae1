"""Candidate parses of a sentence: what generators make, and how good each parse is against a treebank's.

The goodness of a candidate is F of its links against the treebank's dependencies,

    F = 2 |G n C| / (|G| + |C| + g)

G are the gold dependencies and C the candidate's links, both as pairs of *units*, so that the two need not cut the text
alike.  This is the harmonic mean of precision |G n C| / |C| and recall |G n C| / (|G| + g).

A *unit* is a smallest part of the text at whose ends both tokenizations have a boundary: one token on each side where
they agree, several on one side where the other did not cut (``NF-kappaB`` against ``NF``, ``-``, ``kappaB``), several
on both where they cut differently.

- **Merged by the candidate** (``NF-kappaB`` where gold has three tokens): a gold dependency inside a unit of several
  gold tokens is one the candidate does not show: it counts as missing.  These are the g of the formula.
- **Split by the candidate** (``kb``, ``/``, ``ml`` where gold has one token): gold has nothing to compare a link inside
  a unit with; it counts neither for nor against.
- **Skipped words** have no links, so their gold dependencies count as missing.
- **Punctuation** is left out on both sides: gold dependencies labelled ``punct``, and everything that touches a unit
  of nothing but tokens that gold attaches as ``punct``.  Link Grammar leaves most punctuation unlinked, and how
  treebanks attach it is a matter of taste.
- **Roots** are no dependencies and do not count.

Unlabelled F compares which units are linked, whatever the direction: grammars with other schemes can be compared.
Labelled F wants the same governor, dependent and type: for generators with the treebank's own scheme.
A candidate without anything to find and without links has F = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from corpora import DependencyGraph, Sentence, Token
from ppi.core import UsageError

#: What treebanks call the attachment of punctuation.
PUNCTUATION = "punct"
#: The names of all generators.
GENERATORS = ("beam", "link-grammar")


@dataclass(frozen=True)
class CandidateParse:
    """One parse of a sentence.

    Parameters
    ----------
    graph
        Its tokens (offsets in the sentence) and links; ``graph.parser`` is the generator's name.
    place
        In the generator's own order; 0 is the one it likes best.
    cost
        The generator's own measure, if it has one; smaller is better.
    """

    graph: DependencyGraph
    place: int
    cost: float | None = None


@dataclass(frozen=True)
class CandidateSet:
    """A sentence and its candidate parses; ``goodness`` has one number per candidate, larger is better, if known."""

    id: str
    text: str
    candidates: tuple[CandidateParse, ...]
    goodness: tuple[float, ...] | None = None


def align_units(first: Sequence[Token], second: Sequence[Token]) -> tuple[list[int], list[int]]:
    """For each token of either tokenization the number of its unit; O(tokens log tokens).

    Tokens that share a character are in one unit, and so on through their neighbours; a token that shares none has
    a unit of its own.  Units are numbered in text order.

    >>> gold = [Token("1", 0, 2, "NF"), Token("2", 2, 3, "-"), Token("3", 3, 9, "kappaB"), Token("4", 10, 15, "binds")]
    >>> other = [Token("1", 0, 9, "NF-kappaB"), Token("2", 10, 15, "binds")]
    >>> align_units(gold, other)
    ([0, 0, 0, 1], [0, 1])
    """
    spans = sorted(
        (token.start, token.end, side, index)
        for side, tokens in enumerate((first, second))
        for index, token in enumerate(tokens)
    )
    unit_numbers = ([0] * len(first), [0] * len(second))
    unit, unit_end = -1, 0
    for start, end, side, index in spans:
        if unit < 0 or start >= unit_end:
            unit += 1
        unit_end = max(unit_end, end)
        unit_numbers[side][index] = unit
    return unit_numbers


def goodness(candidate: DependencyGraph, gold: DependencyGraph, *, labelled: bool = False) -> float:
    """F of the candidate's links, from 0 to 1; O(tokens log tokens + links).

    Parameters
    ----------
    candidate, gold
        Parses of one sentence, with offsets in it.
    labelled
        Whether direction and type count too.

    >>> from corpora import Dependency, Token
    >>> words = (Token("1", 0, 8, "Profilin"), Token("2", 9, 14, "binds"), Token("3", 15, 20, "actin"))
    >>> gold = DependencyGraph("gold", "gold", words, (Dependency("2", "1", "nsubj"), Dependency("2", "3", "dobj")))
    >>> found = DependencyGraph("lg", "lg", words, (Dependency("1", "2", "Ss"),))
    >>> round(goodness(found, gold), 3), goodness(found, gold, labelled=True)
    (0.667, 0.0)
    """
    gold_units, candidate_units = align_units(gold.tokens, candidate.tokens)
    marks = {arc.dependent for arc in gold.dependencies if arc.type == PUNCTUATION}
    words = {unit for token, unit in zip(gold.tokens, gold_units, strict=True) if token.id not in marks}
    punctuation = set(gold_units) - words
    gold_links, n_hidden = _collect_links(gold, gold_units, punctuation, labelled=labelled)
    candidate_links, _ = _collect_links(candidate, candidate_units, punctuation, labelled=labelled)
    total = len(gold_links) + len(candidate_links) + n_hidden
    return 2 * len(gold_links & candidate_links) / total if total else 1.0


def with_goodness(candidates: CandidateSet, gold: DependencyGraph, *, labelled: bool = False) -> CandidateSet:
    """The set with the :func:`goodness` of each candidate: what :meth:`ParseRanker.fit` learns from."""
    scores = tuple(goodness(candidate.graph, gold, labelled=labelled) for candidate in candidates.candidates)
    return replace(candidates, goodness=scores)


def _collect_links(
    graph: DependencyGraph, unit_of: Sequence[int], ignored: set[int], *, labelled: bool
) -> tuple[set[tuple[int, int, str]], int]:
    """Links between units, and how many (punctuation apart) are inside one."""
    unit_by_id = {token.id: unit for token, unit in zip(graph.tokens, unit_of, strict=True)}
    between, n_inside = set(), 0
    for arc in graph.dependencies:
        first, second = unit_by_id[arc.governor], unit_by_id[arc.dependent]
        if arc.type == PUNCTUATION or first in ignored or second in ignored:
            continue
        if first == second:
            n_inside += 1
        elif labelled:
            between.add((first, second, arc.type))
        else:
            between.add((min(first, second), max(first, second), ""))
    return between, n_inside


class Generator(Protocol):
    """A source of candidate parses; ``name`` becomes the name of its parses and of its tokenization."""

    name: str

    def candidates(self, sentences: Iterable[str | Sentence], *, max_candidates: int) -> Iterator[CandidateSet]:
        """For each sentence, in order, up to ``max_candidates`` distinct parses; none is a set without candidates.

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


def get_generator(name: str, **options: Any) -> Generator:
    """The generator called ``name``, with its own options; the program or model behind it is needed only at work.

    Raises
    ------
    UsageError
        If there is none of that name, or it has no such option.
    """
    make: Callable[..., Generator]
    if name == "beam":
        from ppi.parse_ranking.beam_generator import Beam as make
    elif name == "link-grammar":
        from ppi.parse_ranking.link_grammar import LinkGrammar as make
    else:
        raise UsageError(f"expected a generator of {', '.join(GENERATORS)}, got {name!r}")
    try:
        return make(**options)
    except TypeError as error:
        raise UsageError(f"expected options of the generator {name!r}, got: {error}") from None
