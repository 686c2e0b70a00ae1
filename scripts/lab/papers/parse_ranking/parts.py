"""The parts of the parse-ranking experiments; what each has finished is kept, so that a stopped run can go on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import scipy.sparse as sp
from numpy.typing import NDArray

import corpora
from lab.frame.cache import Part, digest
from lab.frame.experiment import RunSettings
from lab.papers.basis_vectors import METHODS, cross_validation_curves, drawn_basis, time_cross_validation
from lab.papers.basis_vectors import Method as Learner
from lab.papers.parse_ranking.comparison import Comparison, Method, Row, Sizes, methods, summary
from lab.papers.parse_ranking.extraction import CORPORA, extraction_figures
from lab.papers.parse_ranking.selection import Choice, choose_kernel, feature_grid
from lab.training.parse_rankers.candidates import candidate_part, candidate_sets
from lab.training.parse_rankers.held_out import HeldOut
from ppi.language import MODEL_DIRECTORY
from ppi.parse_ranking import CandidateSet, ParseFeatures, find_shipped_model, goodness_and_queries, sentence_folds


def compared(generator: str, sizes: Sizes, settings: RunSettings) -> dict[str, Any]:
    """Kernel choice and comparison of all learners for one generator; ``unfinished`` names those left for later.

    Raises
    ------
    OutOfTime
        If the seconds allowed are used up before there is a first row.
    """
    cache, tagger = settings.cache, digest(MODEL_DIRECTORY)
    wanted = {"train": max(sizes.train, sizes.more), "test": sizes.test}
    keys = {side: candidate_part(generator, side, count).digest for side, count in wanted.items()}
    sets = {side: candidate_sets(generator, side, count, cache=cache) for side, count in wanted.items()}
    # half of the training sentences are enough to choose with, at an eighth of the cost
    half, grid = sets["train"][: sizes.train // 2], feature_grid(generator)
    inputs = {"sets": keys["train"], "sentences": len(half), "grid": grid, "parses": sizes.parses, "tagger": tagger}
    choose = partial(choose_kernel, half, grid, parses_per_sentence=sizes.parses, crew=settings.crew)
    choice = Choice.from_json(cache.json(Part(f"{generator} choice", inputs, lambda: choose().to_json())))
    X = {side: _features(f"{generator} {side}", choice.features, sets[side], keys[side], settings) for side in sets}
    test = HeldOut.of(sets["test"])
    comparison = Comparison(X["train"], *goodness_and_queries(sets["train"]), X["test"], test, sizes)
    parts = [
        Part(
            f"{generator}: {method.name}",
            {"sets": keys, "sizes": sizes, "features": choice.features, "method": method, "tagger": tagger},
            partial(_measured, comparison, method, settings),
        )
        for method in methods(choice, sizes, len(sets["train"]))
    ]
    found, unfinished = cache.finished(parts)
    rows = [*comparison.untrained(), *map(Row.from_json, found)]
    return {**summary(rows, test, choice), "unfinished": unfinished}


def _features(
    name: str, features: ParseFeatures, sets: Sequence[CandidateSet], key: str, settings: RunSettings
) -> sp.csr_matrix:
    inputs = {"sets": key, "features": features, "tagger": digest(MODEL_DIRECTORY)}
    return settings.cache.matrix(Part(f"{name} features", inputs, partial(features.transform, sets)))


def _measured(comparison: Comparison, method: Method, settings: RunSettings) -> dict[str, Any]:
    row = comparison.row(method)
    settings.progress(f"{row.method}: {row.errors.mean():.4f}, {row.seconds:.0f} s")
    return row.to_json()


def basis_vectors(generator: str, sizes: Sizes, settings: RunSettings, *, folds: int) -> dict[str, Any]:
    """Cross-validation with basis vectors removed: the effect and the time [Paper III, Fig. 1, Tables 1 and 2]."""
    key = candidate_part(generator, "test", sizes.test).digest
    sets = candidate_sets(generator, "test", sizes.test, cache=settings.cache)
    y, qid = goodness_and_queries(sets)
    features = ParseFeatures(tags="shipped" if generator == "link-grammar" else "given", max_length=2)
    X = _features(f"{generator} basis", features, sets, key, settings)
    inputs = {"sets": key, "features": features, "folds": folds, "tagger": digest(MODEL_DIRECTORY)}
    curves = Part("basis curves", inputs, lambda: cross_validation_curves(X, y, qid, folds=folds).to_dict())
    shown = settings.cache.json(curves)
    schemes = {
        "leave-sentence-out": (METHODS, None),
        f"{folds}-fold": (METHODS[:1], sentence_folds(qid, folds, random_state=0)),
    }
    parts = [
        Part(
            f"{scheme}, {learner}, {count} basis vectors per sentence",
            inputs,
            partial(_timed, X, y, qid, count, scheme, learner, groups, settings),
        )
        for count in (1, 2, 3, 4)
        for scheme, (learners, groups) in schemes.items()
        for learner in learners
    ]
    timings, unfinished = settings.cache.finished(parts)
    return {"curves": shown, "timings": timings, "unfinished": unfinished}


def _timed(
    X: sp.csr_matrix,
    y: NDArray[Any],
    qid: NDArray[Any],
    per_sentence: int,
    scheme: str,
    learner: Learner,
    groups: NDArray[Any] | None,
    settings: RunSettings,
) -> dict[str, Any]:
    basis, K_MR = drawn_basis(X, qid, per_sentence)
    timing = time_cross_validation(K_MR, y, qid, basis, method=learner, groups=groups, sample=2)
    settings.progress(f"{scheme}, {learner}, {timing.n_basis} basis vectors: {timing.ratio:.0f}x")
    return {"scheme": scheme, **timing.to_dict()}


def extracted(settings: RunSettings) -> dict[str, Any]:
    """AUC and F of extraction from either parse, by the shipped ranker of the beam."""
    names = ("LLL",) if settings.tiny else CORPORA
    chosen: dict[str, Any] = {"seeds": (0,), "limit": 15} if settings.tiny else {"seeds": (0, 1, 2)}
    models = {"pipeline": digest(MODEL_DIRECTORY), "ranker": find_shipped_model("beam")}
    parts = [
        Part(
            f"extraction from {name}",
            {"corpus": corpora.find(name), **models, **chosen},
            partial(extraction_figures, name, **chosen),
        )
        for name in names
    ]
    found, unfinished = settings.cache.finished(parts, crew=settings.crew)
    return {"corpora": found, "unfinished": unfinished}
