"""A corpus that a model has not seen, as features, and what the model was trained on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora import Document, atomic_output
from ppi.extraction import Calibration, Settings, TrainingRows, document_frequencies, prepare_corpora, train_typed


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
    documents: NDArray[Any]
    prior: NDArray[np.float64]
    calibrations: dict[str, Calibration]
    training: TrainingRows


def common_rows(documents: Mapping[str, Sequence[Document]], settings: Settings) -> TrainingRows:
    """The pairs of all corpora, with features that occur in enough documents for a model of some of them."""
    rows = prepare_corpora(documents, settings).rows(list(documents))
    frequent = document_frequencies(rows) >= settings.min_documents
    return replace(rows, X=sp.csr_matrix(rows.X[:, frequent], dtype=np.float32))


def left_out(rows: TrainingRows, name: str, settings: Settings) -> LeftOut:
    """A corpus, and the model of all others, without the documents that these share with it."""
    if rows.targets is None:
        raise ValueError("expected corpora with types, got none")
    (part,) = (hold for hold in rows.hold_outs if hold.name == name)
    training = rows.subset(~part.excluded_mask)
    model = train_typed(training, min_documents=settings.min_documents)
    X = sp.csr_matrix(rows.X[part.test_mask][:, model.feature_mask], dtype=np.float64)
    return LeftOut(
        name,
        X,
        rows.targets[part.test_mask],
        rows.documents[part.test_mask],
        np.nan_to_num(model.outputs.scores(X)),
        model.calibrations,
        replace(training, X=training.X[:, model.feature_mask]),
    )


def save(corpus: LeftOut, path: Path) -> None:
    """Write what a simulation needs as plain arrays, whole or not at all."""
    training = corpus.training
    arrays: dict[str, Any] = {
        "facts": json.dumps({"name": corpus.name, "calibrations": _plain(corpus.calibrations)}),
        "targets": corpus.targets,
        "documents": corpus.documents.astype(str),
        "prior": corpus.prior,
        "training_labels": training.labels,
        "training_documents": training.documents.astype(str),
        "training_corpora": training.corpora,
        "training_trainable": training.trainable,
        "training_targets": training.targets,
    }
    for name, matrix in (("X", corpus.X), ("training_X", training.X)):
        parts = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr, "shape": matrix.shape}
        arrays.update({f"{name}_{part}": value for part, value in parts.items()})
    with atomic_output(path) as output:
        np.savez(output, **arrays)


def load(path: Path) -> LeftOut:
    """Read what :func:`save` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        facts = json.loads(str(arrays["facts"]))
        names = ("labels", "documents", "corpora", "trainable", "targets")
        training = TrainingRows(_matrix(arrays, "training_X"), **{name: arrays[f"training_{name}"] for name in names})
        return LeftOut(
            facts["name"],
            _matrix(arrays, "X"),
            arrays["targets"],
            arrays["documents"],
            arrays["prior"],
            {name: Calibration.from_dict(value) for name, value in facts["calibrations"].items()},
            training,
        )


def _plain(calibrations: Mapping[str, Calibration]) -> dict[str, Any]:
    return {name: calibration.to_dict() for name, calibration in calibrations.items()}


def _matrix(arrays: Any, name: str) -> sp.csr_matrix:
    data, indices, indptr, shape = (arrays[f"{name}_{part}"] for part in ("data", "indices", "indptr", "shape"))
    return sp.csr_matrix((data, indices, indptr), shape=tuple(shape.tolist()))
