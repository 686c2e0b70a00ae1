"""A corpus that a model has not seen, as features, and what the model was trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora.types import Document
from ppi.extraction.calibration import Calibration
from ppi.extraction.preparation import TrainingRows, prepare
from ppi.extraction.settings import Settings
from ppi.extraction.typed import train_typed


@dataclass(frozen=True)
class LeftOut:
    """The pairs of one corpus, and the model that was trained without it and without what shares documents with it.

    Parameters
    ----------
    name
        Of the corpus.
    X, targets, documents
        Its pairs: features that the model has, targets of every output (NaN where the corpus says nothing), document.
    prior
        What the model says of them.
    calibrations
        From the model's scores to probabilities, fitted to other corpora.
    training
        What the model was trained on, with the same features.
    """

    name: str
    X: sp.csr_matrix
    targets: NDArray[np.float64]
    documents: NDArray
    prior: NDArray[np.float64]
    calibrations: dict[str, Calibration]
    training: TrainingRows


def left_out_corpora(
    documents: Mapping[str, Sequence[Document]], names: Sequence[str], settings: Settings
) -> Iterator[LeftOut]:
    """For each of ``names`` the model of all other corpora, without the documents that these share with it."""
    prepared = prepare(documents, settings)
    rows = prepared.rows(list(documents))
    if rows.targets is None:
        raise ValueError("expected corpora with types, got none")
    for name in names:
        (part,) = (hold for hold in rows.hold_outs if hold.name == name)
        training = rows.subset(~part.barred)
        model = train_typed(training, min_documents=settings.min_documents)
        X = sp.csr_matrix(rows.X[part.tested][:, model.kept], dtype=np.float64)
        yield LeftOut(
            name,
            X,
            rows.targets[part.tested],
            rows.documents[part.tested],
            np.nan_to_num(model.outputs.scores(X)),
            model.calibrations,
            replace(training, X=sp.csr_matrix(training.X[:, model.kept], dtype=np.float32)),
        )
