"""Learning curves: how AUC grows with the training data [Airola2008, Figure 3].

Half of the folds are the test set; the documents of the other half are added in a random order, doubling the
training data from step to step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corpora import Document, make_folds
from learners import auc
from ppi.core import TrainingError, track
from ppi.evaluation.records import JsonRecord
from ppi.extraction import Settings, make_learner, prepare_corpora


@dataclass(frozen=True)
class CurvePoint(JsonRecord):
    """AUC with so many documents of training data, over the repeats."""

    corpus: str
    documents: int
    pairs: float
    auc: float
    std: float
    repeats: int


def learning_curve(
    corpus: str, documents: Sequence[Document], settings: Settings, *, n: int = 10, seed: int = 0, repeats: int = 5
) -> list[CurvePoint]:
    """Points of one corpus, from the smallest training set that holds both classes to the whole half."""
    rows = prepare_corpora({corpus: documents}, settings).rows([corpus])
    folds = make_folds(documents, n, seed=seed)
    in_test = np.array([folds[id] >= (n + 1) // 2 for id in rows.documents])
    if len(np.unique(rows.labels[in_test])) < 2:
        raise TrainingError(f"expected both kinds of pairs in the test half of {corpus}, got one; use another seed")
    pool = np.unique(rows.documents[~in_test])
    learner = make_learner(settings)
    sizes = _double_sizes(len(pool))
    jobs = [(size, repeat) for size in sizes for repeat in range(repeats if size < len(pool) else 1)]
    scores_by_size: dict[int, list[tuple[int, float]]] = {size: [] for size in sizes}
    for size, repeat in track(jobs, f"{corpus}: learning curve", total=len(jobs)):
        sampled_documents = np.random.default_rng([seed, repeat]).permutation(pool)[:size]
        training = rows.subset(np.isin(rows.documents, sampled_documents))
        if len(np.unique(training.labels)) < 2:
            continue
        model = learner.train(training)
        scores = model.scores(rows.X[in_test])
        scores_by_size[size].append((len(training), auc(rows.labels[in_test], scores)))
    points = []
    for size, values in scores_by_size.items():
        if values:
            pairs, aucs = np.array(values).T
            points.append(
                CurvePoint(corpus, size, float(pairs.mean()), float(aucs.mean()), float(aucs.std()), len(values))
            )
    return points


def _double_sizes(max_size: int) -> list[int]:
    sizes = [max_size]
    while sizes[-1] > 4:
        sizes.append(sizes[-1] // 2)
    return [size for size in reversed(sizes) if size >= 2]
