"""Across corpora: train on one (or on all but one), test on another [Airola2008, Tables 2 to 5].

F is given for three thresholds: the one chosen on the training corpus by leave-document-out, the best one on the test
corpus (an upper bound, not a result), and the one that calls as many test pairs positive as there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.stats import rankdata

from corpora.types import Document
from learners.metrics import auc, best_threshold, scores_at
from ppi.evaluation.cross_validation import Settings
from ppi.extraction.design import Design
from ppi.extraction.examples import Examples, labelled_examples
from ppi.extraction.extractor import joint_features
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.prior import without_shared
from ppi.parallel.mapping import in_parallel

#: How the training set of all corpora but one is called.
ALL_BUT = "all but "


@dataclass(frozen=True)
class CrossCorpusCell:
    """One training corpus (``all but TEST`` for the rest together) and one test corpus."""

    train: str
    test: str
    training_pairs: int
    shared_documents_left_out: int
    regparam: float
    auc: float
    f_training_threshold: float
    f_best_threshold: float
    f_class_share: float

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def cross_corpus(
    documents: Mapping[str, Sequence[Document]],
    settings: Settings,
    *,
    all_but_one: bool = True,
    workers: int | None = None,
    scheduler: str | None = None,
) -> list[CrossCorpusCell]:
    """Every ordered pair of corpora and, with three or more, all others against each.

    Documents that a training corpus shares with the test corpus are left out of training.  Models are trained by
    ``workers`` processes or by the Dask cluster of ``scheduler``, as in :func:`~ppi.parallel.mapping.in_parallel`.
    """
    examples = {name: labelled_examples(each, parser=settings.parser, name=name) for name, each in documents.items()}
    transformer = feature_map(settings.kernel, variant=settings.variant)
    features = dict(zip(examples, joint_features(transformer, list(examples.values())), strict=True))
    jobs: list[tuple[tuple[str, ...], str]] = [
        ((train,), test) for train in examples for test in examples if train != test
    ]
    if all_but_one and len(examples) > 2:
        jobs += [(tuple(name for name in examples if name != test), test) for test in examples]
    rows = [_training_rows(trains, test, documents, examples) for trains, test in jobs]
    # the same model serves every test corpus that shares nothing with it
    keys = [(trains, tuple(mask.tobytes() for mask in kept)) for (trains, _), (kept, _) in zip(jobs, rows)]
    tasks = {
        key: _training_task(trains, kept, examples, features, settings)
        for key, (trains, _), (kept, _) in zip(keys, jobs, rows)
    }
    trained = in_parallel(_train, list(tasks.values()), workers=workers, scheduler=scheduler)
    models = dict(zip(tasks, trained, strict=True))
    cells = []
    for key, (trains, test), (_, shared) in zip(keys, jobs, rows):
        model = models[key]
        scores = np.asarray(features[test] @ model.weights).ravel() + model.intercept
        name = trains[0] if len(trains) == 1 else f"{ALL_BUT}{test}"
        n_pairs = len(tasks[key].labels)
        cells.append(_cell(name, test, examples[test].labels > 0, scores, model, n_pairs, shared))
    return cells


def corpus_names(cells: Sequence[CrossCorpusCell]) -> list[str]:
    """The corpora, in the order they were given."""
    return list(dict.fromkeys(cell.train for cell in cells if not cell.train.startswith(ALL_BUT)))


def ranks(cells: Sequence[CrossCorpusCell]) -> dict[tuple[str, str], float]:
    """The rank of each training corpus on each test corpus by AUC, 1 the best; all-but-one rows not counted."""
    found = {}
    for test in dict.fromkeys(cell.test for cell in cells):
        rivals = [cell for cell in cells if cell.test == test and not cell.train.startswith(ALL_BUT)]
        for cell, rank in zip(rivals, rankdata([-cell.auc for cell in rivals]), strict=True):
            found[cell.train, test] = float(rank)
    return found


def _training_rows(
    trains: tuple[str, ...],
    test: str,
    documents: Mapping[str, Sequence[Document]],
    examples: Mapping[str, Examples],
) -> tuple[list[np.ndarray], int]:
    masks, shared = [], 0
    for train in trains:
        kept, count = without_shared(documents[train], documents[test])
        masks.append(np.isin(examples[train].documents, [document.id for document in kept]))
        shared += count
    return masks, shared


@dataclass(frozen=True)
class _TrainingTask:
    """Everything that a model is trained from."""

    X: sp.csr_matrix
    labels: np.ndarray
    groups: np.ndarray
    settings: Settings


def _training_task(
    trains: tuple[str, ...],
    kept: list[np.ndarray],
    examples: Mapping[str, Examples],
    features: Mapping[str, sp.csr_matrix],
    settings: Settings,
) -> _TrainingTask:
    X = sp.vstack([features[name][mask] for name, mask in zip(trains, kept, strict=True)], format="csr")
    labels = np.concatenate([examples[name].labels[mask] for name, mask in zip(trains, kept, strict=True)])
    groups = np.concatenate([examples[name].documents[mask] for name, mask in zip(trains, kept, strict=True)])
    return _TrainingTask(X, labels, groups, settings)


def _train(task: _TrainingTask) -> Any:
    return task.settings.make_learner().train(Design.build(task.X), task.labels, task.groups)


def _cell(
    train: str, test: str, positive: np.ndarray, scores: np.ndarray, model, n_pairs: int, shared: int
) -> CrossCorpusCell:
    share_threshold = np.sort(scores)[::-1][int(positive.sum()) - 1]
    return CrossCorpusCell(
        train=train,
        test=test,
        training_pairs=n_pairs,
        shared_documents_left_out=shared,
        regparam=model.regparam,
        auc=auc(positive, scores),
        f_training_threshold=scores_at(positive, scores, model.threshold).f,
        f_best_threshold=best_threshold(positive, scores).f,
        f_class_share=scores_at(positive, scores, share_threshold).f,
    )
