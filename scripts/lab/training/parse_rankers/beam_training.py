"""The ranker of the shipped parser's beam: jackknifed parsers, their lists of all training sentences, and learning.

A parser is surer of sentences that it has learned from than of others, and so are their lists no examples of what it
will be given.  So each training article is listed by a parser that was made without it and the rest of its group.  What
is chosen is chosen on the articles that no parser has seen (they decided when to stop training it), with lists of the
shipped one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.frame.memory import peak_megabytes
from lab.training.parse_rankers.beam_learning import LEARNERS, ListRows
from lab.training.parse_rankers.beam_lists import BeamList, Job, make_lists, read_lists
from lab.training.pipeline.readers import GROUPS, group_of_article, group_of_genia, treebank_part
from lab.training.pipeline.run import Sources, jackknifed_parsers
from lab.training.pipeline.scheme import to_craft_scheme
from lab.training.pipeline.treebank import Tree, is_fragment, read_trees
from ppi.language import BeamFeatures, Reranker

#: Trees per sentence; sequences of moves that are kept to find them, and the share of the best one's probability that
#: they need.
BEAM: dict[str, Any] = {"max_trees": 20, "width": 64, "density": 0.0005}
GENIA = "genia"
#: GENIA, ten times smaller than CRAFT and of other habits, is learned from so many times, as by the parser.
GENIA_REPEATS = 3
VALIDATION, CRAFT_TEST, GENIA_TEST = "validation", "craft-dev", "genia-dev"
TRAINING = tuple(f"group-{group}" for group in range(GROUPS))
#: From which the regularization of each learner is chosen, on the validation articles.
REGPARAMS = {
    "rank-rls": (10.0, 30.0, 100.0, 300.0, 1000.0),
    "rls": (30.0, 300.0),
    "rank-svm": (1e-4, 1e-3),
    "log-linear": (1.0, 10.0, 30.0),
}


def beam_jobs(sources: Sources, work: Path, pipeline: Path) -> list[Job]:
    """Who lists which sentences.

    Parameters
    ----------
    work
        Where word vectors, teacher and jackknifed parsers are kept; what is there is used again.
    pipeline
        The pipeline that ships.
    """
    articles, abstracts = treebank_part(sources.craft, sources.genia, "train")
    groups: list[list[tuple[Tree, str]]] = [[] for _ in range(GROUPS)]
    for number, article in enumerate(articles):
        groups[group_of_article(number)] += _named(article)
    for number, tree in enumerate(abstracts):
        groups[group_of_genia(number, len(abstracts))] += _named([tree])
    apart_articles, apart_abstracts = treebank_part(sources.craft, sources.genia, "tune")
    apart = [tree for article in apart_articles for tree in article] + apart_abstracts
    genia = [to_craft_scheme(tree) for tree in read_trees(sources.genia_held_out)]
    parsers = jackknifed_parsers(sources, work / "vectors", work)
    jackknifed = [Job(*each) for each in zip(TRAINING, parsers, groups, strict=True)]
    return [
        *jackknifed,
        Job(VALIDATION, pipeline, _named(apart)),
        Job(CRAFT_TEST, pipeline, _named(read_trees(sources.craft_held_out))),
        Job(GENIA_TEST, pipeline, _named(genia)),
    ]


def _named(trees: Iterable[Tree]) -> list[tuple[Tree, str]]:
    """With their documents, and without fragments, which have nothing to rank."""
    return [(tree, tree.document or GENIA) for tree in trees if not is_fragment(tree)]


class BeamData(NamedTuple):
    """Lists to learn from, to choose by, and to measure on."""

    training: list[BeamList]
    validation: list[BeamList]
    tests: dict[str, list[BeamList]]


def beam_data(sources: Sources, work: Path, pipeline: Path, folder: Path, report: Callable[[str], None]) -> BeamData:
    """The lists, made where they are not there yet."""
    make_lists(beam_jobs(sources, work, pipeline), folder, report=report, **BEAM)
    tests = {name: read_lists(folder, [name]) for name in (CRAFT_TEST, GENIA_TEST)}
    training = varied(read_lists(folder, TRAINING))
    repeated = [each for each in training if each.document == GENIA] * (GENIA_REPEATS - 1)
    return BeamData(training + repeated, read_lists(folder, [VALIDATION]), tests)


def varied(lists: Sequence[BeamList]) -> list[BeamList]:
    """Those with trees of different goodness: others have nothing to learn from."""
    return [each for each in lists if each.right.min() < each.right.max()]


class Trained(NamedTuple):
    """A ranker, and what each try gave on the validation articles."""

    reranker: Reranker
    tried: list[dict[str, Any]]


def train_reranker(
    training: ListRows,
    validation: ListRows,
    features: BeamFeatures,
    *,
    learner: str = "rank-rls",
    regparams: Sequence[float] | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Trained:
    """Learn with every regparam; the one whose first trees are best on the validation articles is kept."""
    tried: list[dict[str, Any]] = []
    best: tuple[float, np.ndarray] | None = None
    for regparam in regparams or REGPARAMS[learner]:
        begin = time.process_time()
        weights, choices = LEARNERS[learner](training, validation, regparam)
        figures = validation.figures(np.asarray(validation.X @ weights))
        row = {**choices, "seconds": time.process_time() - begin, "megabytes": peak_megabytes(), **figures}
        report(f"{learner}: " + ", ".join(f"{name} {value:.4g}" for name, value in row.items()))
        tried.append({"learner": learner, **row})
        if best is None or figures["reranked"] > best[0]:
            best = (figures["reranked"], weights)
            chosen = row
    assert best is not None
    facts = {"learner": learner, "regparam": chosen["regparam"], "iterations": chosen.get("iterations")}
    facts |= {"sentences": len(training.totals), "trees": len(training.right), "validation": figures_of(chosen)}
    return Trained(Reranker(features, best[1].astype(np.float32), facts), tried)


def figures_of(row: dict[str, Any]) -> dict[str, float]:
    """Of a try, what it gives on sentences."""
    names = (
        "sentences",
        "trees",
        "first",
        "most_probable",
        "reranked",
        "oracle",
        "share_of_the_way",
        "error_own",
        "error",
    )
    return {name: row[name] for name in names}
