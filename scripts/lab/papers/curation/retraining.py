"""Training from scratch on everything, the judged pairs as one more corpus: what an update takes the place of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from lab.papers.curation.left_out import LeftOut
from learners import FeatureGram, masked_ridge
from ppi.extraction import INTERACTION, OUTPUTS, REGPARAMS, SOLVER_TOLERANCE


def retrained_scores(corpus: LeftOut, judged: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
    """For each set of judged rows: scores of interacting, of all rows, by the model of the training rows and these.

    The learner, its regularization and its intercept for each corpus are those of training; all models are solved
    together, and their common features are those of training.  The intercept of the judged pairs has no effect on a
    ranking.
    """
    column = OUTPUTS.index(INTERACTION)
    training = corpus.training
    if training.targets is None:
        raise ValueError("expected training rows with targets, got none")
    teaches = training.trainable & ~np.isnan(training.targets[:, column])
    extra = sorted({row for rows in judged for row in rows})
    X = sp.vstack([training.X[teaches], corpus.X[extra].astype(np.float32)], format="csr")
    y = np.concatenate([training.targets[teaches, column], corpus.targets[extra, column]])
    groups = np.concatenate([training.corpora[teaches], np.full(len(extra), training.corpora.max() + 1)])
    masks = np.ones((len(y), len(judged)), dtype=np.bool_)
    masks[int(teaches.sum()) :] = np.column_stack([np.isin(extra, rows) for rows in judged])
    duals = masked_ridge(FeatureGram(X), y, masks, REGPARAMS[INTERACTION], groups=groups, tol=SOLVER_TOLERANCE)
    weights = np.asarray(X.T @ duals.astype(np.float32))
    return list(np.asarray(corpus.X @ weights.astype(np.float64)).T)
