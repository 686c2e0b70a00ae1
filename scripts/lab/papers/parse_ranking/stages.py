"""The parts of the results page in stages that are kept: a run that is stopped goes on where it was."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import scipy.sparse as sp
from numpy.typing import NDArray

from corpora.source import atomic_output
from lab.papers.parse_ranking.basis_vectors import Method as Learner
from lab.papers.parse_ranking.basis_vectors import (
    cross_validation_curves,
    independent_basis,
    time_cross_validation,
)
from lab.papers.parse_ranking.candidates import candidate_sets
from lab.papers.parse_ranking.comparison import Comparison, HeldOut, Method, Row, Sizes, methods, summary
from lab.papers.parse_ranking.extraction import CORPORA, extraction_figures
from lab.papers.parse_ranking.selection import Choice, choose_kernel, feature_grid
from ppi.parallel.mapping import results_in_order
from ppi.parse_ranking.features import ParseFeatures
from ppi.parse_ranking.learning import draw_per_sentence
from ppi.parse_ranking.ranker import ParseRanker, goodness_and_queries


class OutOfTime(Exception):
    """The seconds allowed are used up; what was finished is kept."""


class Stages:
    """Results by name in a folder, computed if they are not there; for one set of data and sizes.

    ``who``, the ``workers`` or ``scheduler`` of :func:`~ppi.parallel.mapping.in_parallel`, does side by side what is
    not timed.
    """

    def __init__(self, folder: Path, *, seconds: float | None = None, who: Mapping[str, Any] | None = None) -> None:
        self.folder, self._seconds, self.who = folder, seconds, dict(who or {})
        folder.mkdir(parents=True, exist_ok=True)

    def json(self, name: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Plain values, kept as JSON."""
        path = self.folder / f"{name}.json"
        if not path.is_file():
            self._check_time()
            text = json.dumps(compute())
            with atomic_output(path) as output:
                output.write(text.encode("utf-8"))
        return json.loads(path.read_text(encoding="utf-8"))

    def finished(
        self, wanted: Mapping[str, Callable[[], dict[str, Any]]], *, timed: bool = True
    ) -> tuple[list[dict[str, Any]], list[str]]:
        """The results that are there or can be computed in time, and the names of the others.

        What is not ``timed`` is computed by the workers, where there are any.
        """
        if not timed and self.who:
            missing = [name for name in wanted if not (self.folder / f"{name}.json").is_file()]
            computed = results_in_order(_call, [wanted[name] for name in missing], **self.who)
            for name, result in zip(missing, computed, strict=True):
                self.json(name, partial(dict, result))
        found, unfinished = [], []
        for name, compute in wanted.items():
            try:
                found.append(self.json(name, compute))
            except OutOfTime:
                unfinished.append(name)
        return found, unfinished

    def matrix(self, name: str, compute: Callable[[], sp.csr_matrix]) -> sp.csr_matrix:
        """A sparse matrix, kept as plain arrays."""
        path = self.folder / f"{name}.npz"
        if not path.is_file():
            self._check_time()
            found = compute()
            with atomic_output(path) as output:
                sp.save_npz(output, found, compressed=False)
        return sp.csr_matrix(sp.load_npz(path))

    def _check_time(self) -> None:
        if self._seconds is not None and time.process_time() > self._seconds:
            raise OutOfTime


def compared(generator: str, sizes: Sizes, *, data: str | Path, stages: Stages) -> dict[str, Any]:
    """Kernel choice and comparison of all learners for one generator; ``unfinished`` names those left for later.

    Raises
    ------
    OutOfTime
        If the seconds allowed are used up before there is a first row.
    """
    training = candidate_sets(generator, "train", max(sizes.train, sizes.more), folder=data)
    tests = candidate_sets(generator, "test", sizes.test, folder=data)

    def choose() -> dict[str, Any]:
        # half of the training sentences are enough to choose with, at an eighth of the cost
        half = training[: sizes.train // 2]
        grid = feature_grid(generator)
        return choose_kernel(half, grid, parses_per_sentence=sizes.parses, **stages.who).to_json()

    choice = Choice.from_json(stages.json("choice", choose))
    X = stages.matrix("training", lambda: choice.features.transform(training))
    X_test = stages.matrix("test", lambda: choice.features.transform(tests))
    test = HeldOut.of(tests)
    comparison = Comparison(X, *goodness_and_queries(training), X_test, test, sizes)
    wanted = {
        _slug(method.name): partial(_measured, comparison, method) for method in methods(choice, sizes, len(training))
    }
    found, unfinished = stages.finished(wanted)
    rows = [*comparison.untrained(), *map(Row.from_json, found)]
    return {**summary(rows, test, choice), "unfinished": unfinished}


def basis_vectors(generator: str, sizes: Sizes, *, data: str | Path, folds: int, stages: Stages) -> dict[str, Any]:
    """Cross-validation with basis vectors removed: the effect and the time [Paper III, Fig. 1, Tables 1 and 2]."""
    sets = candidate_sets(generator, "test", sizes.test, folder=data)
    y, qid = goodness_and_queries(sets)
    tags = "shipped" if generator == "link-grammar" else "given"
    X = stages.matrix("features", lambda: ParseFeatures(tags=tags, max_length=2).transform(sets))
    curves = stages.json("curves", lambda: cross_validation_curves(X, y, qid, folds=folds).to_dict())
    schemes: tuple[tuple[Learner, int | None], ...] = (
        ("sparse-rls", None),
        ("sparse-rank-rls", None),
        ("sparse-rls", folds),
    )
    wanted = {
        f"timing{count}-{number}": partial(_timed, X, y, qid, count, learner, n_folds)
        for count in (1, 2, 3, 4)
        for number, (learner, n_folds) in enumerate(schemes)
    }
    timings, unfinished = stages.finished(wanted)
    return {"curves": curves, "timings": timings, "unfinished": unfinished}


def _timed(
    X: sp.csr_matrix, y: NDArray, qid: NDArray, per_sentence: int, learner: Learner, folds: int | None
) -> dict[str, Any]:
    basis = draw_per_sentence(qid, per_sentence, random_state=0)
    basis = independent_basis((X[basis] @ X[basis].T).toarray(), basis)
    K_MR = (X @ X[basis].T).toarray()
    timing = time_cross_validation(K_MR, y, qid, basis, method=learner, folds=folds, sample=2)
    sys.stderr.write(f"{timing.scheme}, {learner}, {timing.n_basis} basis vectors: {timing.ratio:.0f}x\n")
    return timing.to_dict()


def extracted(
    names: Sequence[str] = CORPORA, *, stages: Stages, most: int = 20, limit: int | None = None
) -> dict[str, Any]:
    """AUC and F of extraction from either parse, by the shipped ranker of the beam."""
    ranker = ParseRanker.shipped("beam")
    seeds = (0, 1, 2) if limit is None else (0,)
    wanted = {
        name: partial(extraction_figures, name, ranker=ranker, seeds=seeds, most=most, limit=limit) for name in names
    }
    found, unfinished = stages.finished(wanted, timed=False)
    return {"corpora": found, "unfinished": unfinished}


def _call(compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return compute()


def _slug(name: str) -> str:
    """A file's name for a method.

    >>> _slug("RankRLS (21), all pairs")
    'rankrls-21-all-pairs'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _measured(comparison: Comparison, method: Method) -> dict[str, Any]:
    row = comparison.row(method)
    sys.stderr.write(f"{row.method}: {row.errors.mean():.4f}, {row.seconds:.0f} s\n")
    return row.to_json()
