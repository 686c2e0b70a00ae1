"""Learning curves: how AUC grows with the training data [Airola2008, Figure 3].

Half of the folds are the test set; the documents of the other half are added in a random order, doubling the
training data from step to step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from corpora.folds import make_folds
from corpora.types import Document
from learners.metrics import auc
from ppi.errors import TrainingError
from ppi.evaluation.cross_validation import Settings
from ppi.extraction.design import Design
from ppi.extraction.examples import labelled_examples
from ppi.extraction.feature_maps import feature_map
from ppi.progress import track


@dataclass(frozen=True)
class CurvePoint:
    """AUC with so many documents of training data, over the repeats."""

    corpus: str
    documents: int
    pairs: float
    auc: float
    std: float
    repeats: int

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def learning_curve(
    corpus: str, documents: Sequence[Document], settings: Settings, *, n: int = 10, seed: int = 0, repeats: int = 5
) -> list[CurvePoint]:
    """Points of one corpus, from the smallest training set that holds both classes to the whole half."""
    examples = labelled_examples(documents, parser=settings.parser, name=corpus)
    X = feature_map(settings.kernel, variant=settings.variant).fit_transform(examples.graphs)
    folds = make_folds(documents, n, seed=seed)
    in_test = np.array([folds[id] >= (n + 1) // 2 for id in examples.documents])
    if len(np.unique(examples.labels[in_test])) < 2:
        raise TrainingError(f"expected both kinds of pairs in the test half of {corpus}, got one; use another seed")
    pool = np.unique(examples.documents[~in_test])
    learner = settings.make_learner()
    sizes = _doubling(len(pool))
    jobs = [(size, repeat) for size in sizes for repeat in range(repeats if size < len(pool) else 1)]
    found: dict[int, list[tuple[int, float]]] = {size: [] for size in sizes}
    for size, repeat in track(jobs, f"{corpus}: learning curve", total=len(jobs)):
        chosen = np.random.default_rng([seed, repeat]).permutation(pool)[:size]
        rows = np.isin(examples.documents, chosen)
        labels = examples.labels[rows]
        if len(np.unique(labels)) < 2:
            continue
        model = learner.train(Design.build(X[rows]), labels, examples.documents[rows])
        scores = np.asarray(X[in_test] @ model.weights).ravel()
        found[size].append((int(rows.sum()), auc(examples.labels[in_test], scores)))
    return [_point(corpus, size, values) for size, values in found.items() if values]


def _doubling(largest: int) -> list[int]:
    sizes = [largest]
    while sizes[-1] > 4:
        sizes.append(sizes[-1] // 2)
    return [size for size in reversed(sizes) if size >= 2]


def _point(corpus: str, size: int, values: list[tuple[int, float]]) -> CurvePoint:
    pairs, aucs = np.array(values).T
    return CurvePoint(corpus, size, float(pairs.mean()), float(aucs.mean()), float(aucs.std()), len(values))
