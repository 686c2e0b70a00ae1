"""Data sets for parse ranking: treebank sentences, their candidates, and how good each is.

All parses of a sentence, and all sentences of a document, are on one side: training sentences come from the treebanks'
training files and test sentences from their development files, which share no document.

What the generator may have seen.  Link Grammar was written by hand and has seen nothing.  The shipped parser was
*trained* on most of the training files: there, the first tree of its beam has a labelled F of 0.95, on new text 0.89,
and a ranker trained on that learns to trust it too much.  For such a generator training sentences are only those the
parser was not trained on: the articles (every fifteenth of CRAFT) and the last tenth of GENIA that its training kept
apart to decide when to stop.  They chose one number, the moment of stopping; no optimism is to be seen (F 0.88).  The
same holds for features that the shipped tagger makes.  The test sentences had no part in
training; the way the beam adds up its scores was chosen on 150 of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
import scipy.sparse as sp

from corpora import CorpusNotFoundError, Sentence
from lab.training.parse_rankers.gold import GOLD, gold_sentences
from lab.training.pipeline.treebank import Tree, read_trees
from learners import RankingData
from ppi.core import UsageError
from ppi.parse_ranking import CandidateSet, Generator, with_goodness

#: The files of a side; train and dev of a treebank share no document.
FILES = {
    "train": {"craft": "craft-train.conllu.gz", "genia": "genia-train.conllx.gz"},
    "test": {"craft": "craft-dev.conllu.gz", "genia": "genia-dev.conllx.gz"},
}
#: GENIA's files do not say where an abstract begins; the longest has about so many sentences.
_LONGEST_ABSTRACT = 25


@dataclass(frozen=True)
class Selection:
    """Which sentences are taken.

    Parameters
    ----------
    side
        "train" or "test".
    treebanks
        Of "craft" (articles) and "genia" (abstracts); of several, sentences are taken in turn.
    shortest, longest
        Length in gold tokens.
    unseen
        Whether to leave out the sentences that the shipped parser was trained on; none of them is a test sentence.
    random_state
        Seed of the order in which sentences are tried.
    """

    side: str
    treebanks: tuple[str, ...] = ("craft",)
    shortest: int = 10
    longest: int = 25
    unseen: bool = False
    random_state: int = 0

    def __post_init__(self) -> None:
        if self.side not in FILES:
            raise UsageError(f"expected the side 'train' or 'test', got {self.side!r}")
        unknown = [name for name in self.treebanks if name not in FILES[self.side]]
        if unknown or not self.treebanks or len(set(self.treebanks)) < len(self.treebanks):
            raise UsageError(f"expected different treebanks among {list(FILES[self.side])}, got {self.treebanks!r}")
        if not 1 <= self.shortest <= self.longest:
            raise UsageError(f"expected 1 <= shortest <= longest, got {self.shortest!r} and {self.longest!r}")

    def sentences(self, folder: str | Path) -> list[Sentence]:
        """The sentences with their gold parse, in the order to try them; each text once."""
        parts = [self._treebank(Path(folder), name) for name in self.treebanks]
        mixed = [sentence for turn in zip_longest(*parts) for sentence in turn if sentence is not None]
        return list({sentence.text: sentence for sentence in reversed(mixed)}.values())[::-1]

    def _treebank(self, folder: Path, name: str) -> list[Sentence]:
        path = folder / FILES[self.side][name]
        if not path.is_file():
            raise CorpusNotFoundError(
                f"expected the treebank {path.name!r}, got no such file; give the folder that holds it", path=folder
            )
        trees = list(read_trees(path))
        sentences = list(gold_sentences(trees, name=path.name.partition(".")[0]))
        if self.unseen and self.side == "train":
            sentences = [sentences[number] for number in _not_trained_on(trees)]
        fitting = [each for each in sentences if self.shortest <= len(each.parse(GOLD).tokens) <= self.longest]
        random.Random(self.random_state).shuffle(fitting)
        return fitting


def _not_trained_on(trees: Sequence[Tree]) -> list[int]:
    """Places of the trees that the shipped parser's training kept apart (``lab.training.pipeline.readers``)."""
    if trees and trees[0].document is None:
        # GENIA's last tenth; the abstract at the cut may be on both sides of it
        return list(range(len(trees) * 9 // 10 + _LONGEST_ABSTRACT, len(trees)))
    from lab.training.pipeline.readers import held_out_articles

    apart = held_out_articles(trees)
    return [number for number, tree in enumerate(trees) if tree.document in apart]


@dataclass
class Tally:
    """What happened while candidates were made; figures are over all sentences tried, kept or not."""

    tried: int = 0
    kept: int = 0
    seconds: float = 0.0
    numbers: list[int] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    best: list[float] = field(default_factory=list)

    def add(self, each: CandidateSet) -> None:
        """Count a set with goodness."""
        self.tried += 1
        self.numbers.append(len(each.candidates))
        if each.goodness:
            self.first.append(each.goodness[0])
            self.mean.append(fmean(each.goodness))
            self.best.append(max(each.goodness))

    def summary(self) -> dict[str, Any]:
        """The figures; F is that of the generator's first candidate, the mean, and the best one (oracle)."""
        parsed = len(self.first)
        return {
            "sentences_tried": self.tried,
            "sentences_kept": self.kept,
            "share_with_candidates": parsed / self.tried if self.tried else None,
            "median_candidates": median(self.numbers) if self.numbers else None,
            "seconds_per_sentence": self.seconds / self.tried if self.tried else None,
            "first_f": fmean(self.first) if parsed else None,
            "mean_f": fmean(self.mean) if parsed else None,
            "oracle_f": fmean(self.best) if parsed else None,
        }


def ranking_sets(
    sentences: Iterable[Sentence],
    generator: Generator,
    *,
    wanted: int | None,
    most: int = 20,
    labelled: bool = False,
    varied: bool = True,
    tally: Tally | None = None,
) -> Iterator[CandidateSet]:
    """Candidate sets with goodness, until there are ``wanted`` (None: all).

    Parameters
    ----------
    sentences
        Sentences with a parse called ``gold``.
    most
        Candidates per sentence.
    labelled
        Which goodness; see :func:`ppi.parse_ranking.candidate_parses.goodness`.
    varied
        Whether only sentences count that have candidates of different goodness: others have nothing to rank.
    tally
        Where to count what happens.
    """
    gold = list(sentences)
    tally = Tally() if tally is None else tally
    begin = time.perf_counter()
    for sentence, found in zip(gold, generator.candidates(gold, max_candidates=most)):
        each = with_goodness(found, sentence.parse(GOLD), labelled=labelled)
        tally.add(each)
        tally.seconds = time.perf_counter() - begin
        if not varied or len(set(each.goodness or ())) > 1:
            tally.kept += 1
            yield each
            if tally.kept == wanted:
                return


def ranking_rows(
    sets: Sequence[CandidateSet], features: Callable[[Sequence[CandidateSet]], sp.csr_matrix]
) -> RankingData:
    """Candidates as rows: features, goodness, and the number of the sentence (from 1) as query id."""
    scores = [score for each in sets for score in each.goodness or ()]
    queries = [number for number, each in enumerate(sets, start=1) for _ in each.candidates]
    if len(scores) != len(queries):
        raise UsageError(f"expected the goodness of {len(queries)} candidates, got {len(scores)}; add it first")
    return RankingData(features(sets), np.array(scores, dtype=float), np.array(queries, dtype=np.int64))
