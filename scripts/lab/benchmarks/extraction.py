"""Nested evaluation of an extractor on a whole corpus, against training one model of that size."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import corpora
from corpora import make_folds
from lab.benchmarks.figure import Figure, relative_cost
from lab.frame.clock import wall_seconds
from learners import RLS, SparseRLS, nested_leave_group_out
from ppi.extraction import REGPARAM_GRID, Design, collect_examples, make_feature_map


def run(scale: float = 1.0) -> Iterator[Figure]:
    """RLS with all pairs and sparse RLS; ``scale`` below 1 takes the smallest corpus instead of AImed."""
    name, n_basis = ("AImed", 4444) if scale >= 1 else ("LLL", 100)
    documents = corpora.load(name)
    examples = collect_examples(documents)
    folds = make_folds(documents, 10)
    fold_of = np.array([folds[id] for id in examples.documents])
    design = Design.build(make_feature_map("all-paths").fit_transform(examples.graphs))
    K, regparams = design.gram, REGPARAM_GRID * design.unit
    for title, estimator in (
        ("RLS", RLS(kernel="precomputed", fit_intercept=False)),
        ("sparse RLS", SparseRLS(kernel="precomputed", fit_intercept=False, n_basis=n_basis, random_state=0)),
    ):
        reference_seconds, _ = wall_seconds(partial(estimator.fit, K, examples.labels))
        seconds, nested = wall_seconds(
            partial(
                nested_leave_group_out,
                estimator,
                K,
                examples.labels,
                folds=fold_of,
                groups=examples.documents,
                regparams=regparams,
            )
        )
        yield relative_cost(
            f"{title} on {name}: 10 folds x leave-document-out x {len(regparams)} regparams, against one fit",
            seconds=seconds,
            reference_seconds=reference_seconds,
            bar=6,
            aim=4,
            same_answer=_agrees_with_refitting(estimator, K, examples.labels, fold_of, regparams, nested),
        )


def _agrees_with_refitting(estimator: Any, K: Any, labels: Any, fold_of: Any, regparams: Any, nested: Any) -> bool:
    """The first fold's test predictions for one regparam, by training without the fold."""
    train, test = np.flatnonzero(fold_of != 0), np.flatnonzero(fold_of == 0)
    if isinstance(estimator, SparseRLS):
        basis = np.searchsorted(train, np.intersect1d(estimator.basis_, train))
        model = SparseRLS(regparams[-1], kernel="precomputed", fit_intercept=False, basis=basis)
    else:
        model = RLS(regparams[-1], kernel="precomputed", fit_intercept=False)
    direct = model.fit(K[np.ix_(train, train)], labels[train]).predict(K[np.ix_(test, train)])
    return bool(np.allclose(nested.outer[-1, test], direct, atol=1e-6))
