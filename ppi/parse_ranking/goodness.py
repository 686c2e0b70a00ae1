"""How good a candidate parse is: F of its links against the treebank's dependencies.

    F = 2 |G n C| / (|G| + |C| + g)

G are the gold dependencies and C the candidate's links, both as pairs of *units* (:mod:`ppi.parse_ranking.alignment`),
so that the two need not cut the text alike.  This is the harmonic mean of precision |G n C| / |C| and recall
|G n C| / (|G| + g).

- **Merged by the candidate** (``NF-kappaB`` where gold has three tokens): a gold dependency inside a unit of several
  gold tokens is one the candidate does not show: it counts as missing.  These are the g of the formula.
- **Split by the candidate** (``kb``, ``/``, ``ml`` where gold has one token): a link inside a unit says nothing that
  gold knows about; it counts neither for nor against.
- **Skipped words** have no links, so their gold dependencies count as missing.
- **Punctuation** is left out on both sides: gold dependencies labelled ``punct``, and everything that touches a unit
  of nothing but tokens that gold attaches as ``punct``.  Link Grammar leaves most punctuation unlinked, and how
  treebanks attach it is a matter of taste.
- **Roots** are no dependencies and do not count.

Unlabelled F looks at which units are linked, whatever the direction: grammars with other schemes can be compared.
Labelled F wants the same governor, dependent and type: for generators with the treebank's own scheme.
A candidate without anything to find and without links has F = 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from corpora.types import DependencyGraph
from ppi.parse_ranking.alignment import align_units
from ppi.parse_ranking.types import CandidateSet

#: What treebanks call the attachment of punctuation.
PUNCTUATION = "punct"


def goodness(candidate: DependencyGraph, gold: DependencyGraph, *, labelled: bool = False) -> float:
    """F of the candidate's links, from 0 to 1; O(tokens log tokens + links).

    Parameters
    ----------
    candidate, gold
        Parses of one sentence, with offsets in it.
    labelled
        Whether direction and type count too.

    Examples
    --------
    >>> from corpora.types import Dependency, Token
    >>> words = (Token("1", 0, 8, "Profilin"), Token("2", 9, 14, "binds"), Token("3", 15, 20, "actin"))
    >>> gold = DependencyGraph("gold", "gold", words, (Dependency("2", "1", "nsubj"), Dependency("2", "3", "dobj")))
    >>> found = DependencyGraph("lg", "lg", words, (Dependency("1", "2", "Ss"),))
    >>> round(goodness(found, gold), 3), goodness(found, gold, labelled=True)
    (0.667, 0.0)
    """
    gold_units, candidate_units = align_units(gold.tokens, candidate.tokens)
    punctuation = _find_punctuation_units(gold, gold_units)
    gold_links, n_hidden = _collect_links(gold, gold_units, punctuation, labelled=labelled)
    candidate_links, _ = _collect_links(candidate, candidate_units, punctuation, labelled=labelled)
    total = len(gold_links) + len(candidate_links) + n_hidden
    return 2 * len(gold_links & candidate_links) / total if total else 1.0


def with_goodness(candidates: CandidateSet, gold: DependencyGraph, *, labelled: bool = False) -> CandidateSet:
    """The set with the goodness of each candidate: what :meth:`ParseRanker.fit` learns from.

    Parameters
    ----------
    candidates
        The parses of one sentence.
    gold, labelled
        As in :func:`goodness`.
    """
    scores = tuple(goodness(candidate.graph, gold, labelled=labelled) for candidate in candidates.candidates)
    return replace(candidates, goodness=scores)


def _collect_links(
    graph: DependencyGraph, unit_of: Sequence[int], ignored: Iterable[int], *, labelled: bool
) -> tuple[set[tuple[int, int, str]], int]:
    """Links between units, and how many (punctuation apart) are inside one."""
    place = {token.id: unit for token, unit in zip(graph.tokens, unit_of, strict=True)}
    between, n_inside = set(), 0
    for arc in graph.dependencies:
        first, second = place[arc.governor], place[arc.dependent]
        if arc.type == PUNCTUATION or first in ignored or second in ignored:
            continue
        if first == second:
            n_inside += 1
        elif labelled:
            between.add((first, second, arc.type))
        else:
            between.add((min(first, second), max(first, second), ""))
    return between, n_inside


def _find_punctuation_units(gold: DependencyGraph, unit_of: Sequence[int]) -> set[int]:
    marks = {arc.dependent for arc in gold.dependencies if arc.type == PUNCTUATION}
    words = {unit for token, unit in zip(gold.tokens, unit_of, strict=True) if token.id not in marks}
    return set(unit_of) - words
