"""Turns annotated corpora into labelled rows of features, and these into the design matrix of a learner.

Features of all corpora are over one vocabulary.  A corpus is learned from together with others, or with models of
others as starting points.  The design has the features, a constant, and the scores of those prior models:

    phi(x) = [ x,  b,  c_1 s_1(x), ..., c_k s_k(x) ],   s_i(x) = <v_i, x>

with b^2 the mean of ||x||^2, so that the constant weighs as much as the features do; v_i the weights of a model
trained on the i-th extra corpus, and c_i such that c_i^2 mean s_i^2 is a fixed part of b^2.  The extra columns let
the learner start from the other corpora's models, each as far as it agrees with the data.  A linear model over phi
is a linear model over x with an intercept: :meth:`Design.collapse`.

The means are of the rows that a model learns from.  Where all rows share one design but every outer fold has a
different training part, :meth:`Design.fold_scaling` gives b^2 and the c_i^2 there, in units of what they are here.

With ``degree`` 2 the features are those of the squared kernel (:mod:`ppi.extraction.trained_model`), which are never
written out: b^2 is the mean of k_2(x, x), and the prior models are of x as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora import Document
from kernels import CandidateGraph, FeatureMap, denials, linear_gram
from ppi.core import TrainingError
from ppi.extraction.examples import Examples, collect_examples, drop_shared_documents
from ppi.extraction.feature_maps import make_feature_map
from ppi.extraction.ridge import prior_weights
from ppi.extraction.settings import Settings
from ppi.extraction.trained_model import CONSTANT_WEIGHT, QuadraticModel, square_kernel

#: c_i^2 mean s_i^2 as a part of the mean squared norm of the features.
PRIOR_NORM_RATIO = 0.3
#: Corpora whose guidelines count denied relations as relations; others teach what a denial means.
DENIALS_AS_RELATIONS_CORPORA = frozenset(["BioInfer"])
#: Parts of a corpus that are left out one by one where it is the only one.
MAX_HOLD_OUT_PARTS = 10


class FoldScaling(NamedTuple):
    """Of a part of the rows: the unit of regparam, and what the extra columns' products are multiplied by."""

    unit: float
    column_weights: NDArray[np.float64]


def regparam_unit(mean_square: float) -> float:
    """The mean squared norm, rounded to a power of 2.

    So folds whose means are nearly the same choose from the same values of regparam, each of which costs an inverse
    of the whole kernel matrix.

    >>> regparam_unit(0.98), regparam_unit(37.2)
    (1.0, 32.0)
    """
    return float(2.0 ** np.round(np.log2(mean_square)))


@dataclass(frozen=True)
class Design:
    """Rows x with the constant and the scores of prior models; ``priors`` holds the c_i v_i as columns."""

    X: sp.csr_matrix
    constant: float
    priors: np.ndarray
    degree: int = 1

    @classmethod
    def build(cls, X: sp.csr_matrix, *, priors: np.ndarray | None = None, degree: int = 1) -> Design:
        """Scale the constant and the prior models to the features."""
        mean_square = float(np.sum(_compute_squared_norms(X, degree)) / max(X.shape[0], 1)) or 1.0
        if priors is None:
            priors = np.zeros((X.shape[1], 0))
        spread = np.mean(np.asarray(X @ priors) ** 2, axis=0)
        scale = np.sqrt(np.divide(PRIOR_NORM_RATIO * mean_square, spread, out=np.zeros_like(spread), where=spread > 0))
        return cls(X, mean_square**0.5, priors * scale, degree)

    @property
    def mean_square(self) -> float:
        """The mean of ||x||^2."""
        return self.constant**2

    @property
    def unit(self) -> float:
        """The unit of regparam."""
        return regparam_unit(self.mean_square)

    def fold_scaling(self, part: NDArray[np.bool_]) -> FoldScaling:
        """What a design of only these rows would have."""
        mean_square = float(np.mean(self._row_norms[part])) or 1.0
        spread = np.mean(self.extra_columns()[part, 1:] ** 2, axis=0)
        # a prior model that is 0 on the whole part has no effect there, whatever it weighs
        prior_scales = np.divide(PRIOR_NORM_RATIO * mean_square, spread, out=np.ones_like(spread), where=spread > 0)
        return FoldScaling(regparam_unit(mean_square), np.array([mean_square / self.mean_square, *prior_scales]))

    @cached_property
    def _row_norms(self) -> np.ndarray:
        return _compute_squared_norms(self.X, self.degree)

    def extra_columns(self) -> np.ndarray:
        """The constant and the scores of the prior models, of every row."""
        return np.hstack([np.full((self.X.shape[0], 1), self.constant), np.asarray(self.X @ self.priors)])

    @cached_property
    def gram(self) -> np.ndarray:
        """K_ij = <phi(x_i), phi(x_j)>."""
        K = linear_gram(self.X)
        if self.degree == 2:
            K = square_kernel(K)
        extra = self.extra_columns()
        K += extra @ extra.T
        K.setflags(write=False)
        return K

    @cached_property
    def matrix(self) -> sp.csr_matrix:
        """phi itself, for learners that want features."""
        return sp.hstack([self.X, sp.csr_matrix(self.extra_columns())], format="csr")

    def collapse_dual(self, coefficients: np.ndarray) -> tuple[np.ndarray, float, QuadraticModel | None]:
        """f(x) = sum_i a_i <phi(x_i), phi(x)> over x: weights, an intercept, and what a squared kernel keeps."""
        feature_weights = np.asarray(self.X.T @ coefficients).ravel()
        weights, intercept = self.collapse(np.concatenate([feature_weights, self.extra_columns().T @ coefficients]))
        if self.degree == 1:
            return weights, intercept, None
        # k_2 is a constant, a linear part, and what needs the rows
        weights += (2.0 * CONSTANT_WEIGHT * (1.0 - CONSTANT_WEIGHT) - 1.0) * feature_weights
        intercept += CONSTANT_WEIGHT**2 * float(coefficients.sum())
        return weights, intercept, QuadraticModel.from_dual(self.X, coefficients)

    def collapse(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """Weights over x and the intercept of f(x) = <w, phi(x)>, of degree 1."""
        n = self.X.shape[1]
        return weights[:n] + self.priors @ weights[n + 1 :], float(weights[n] * self.constant)


def _compute_squared_norms(X: sp.csr_matrix, degree: int) -> np.ndarray:
    norms = np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    return square_kernel(norms) if degree == 2 else norms


@dataclass(frozen=True)
class HoldOut:
    """Rows that are left out together.

    ``test_mask`` are those that are tested; ``excluded_mask`` are those and all that must not be learned from
    meanwhile, because their documents are also in the part left out.
    """

    name: str
    test_mask: NDArray[np.bool_]
    excluded_mask: NDArray[np.bool_]


@dataclass(frozen=True)
class TrainingRows:
    """Examples as a learner sees them, one row per candidate.

    Parameters
    ----------
    X, labels, documents
        Features, +1 or -1, and the document of each row.
    corpora
        The corpus of each row, as a number.
    trainable
        Rows that the learner ``ridge`` learns from: without the denied pairs of :data:`DENIALS_AS_RELATIONS_CORPORA`.
    hold_outs
        The parts that are left out one by one.
    priors
        Weights of models that are starting points, as columns.
    targets
        Of a typed model: one column per output (:mod:`ppi.extraction.outputs`), NaN where it is not annotated.
    degree
        2 for the squared kernel.
    """

    X: sp.csr_matrix
    labels: NDArray[np.float64]
    documents: NDArray[Any]
    corpora: NDArray[np.intp]
    trainable: NDArray[np.bool_]
    hold_outs: tuple[HoldOut, ...] = ()
    priors: NDArray[np.float64] | None = None
    targets: NDArray[np.float64] | None = None
    degree: int = 1

    def __len__(self) -> int:
        return len(self.labels)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "design"}  # made again where needed

    def check_hold_outs(self) -> None:
        """Refuse corpora of which one leaves nothing to learn from when it is left out."""
        for part in self.hold_outs:
            if (part.excluded_mask | ~self.trainable).all():
                raise TrainingError(
                    f"expected pairs to learn from when {part.name!r} is left out, got none: the other corpora share "
                    "all their documents with it; leave it out of the corpora, or add another one"
                )

    @cached_property
    def design(self) -> Design:
        """The rows with a constant and the scores of the prior models."""
        return Design.build(self.X, priors=self.priors, degree=self.degree)

    def subset(self, rows: NDArray[np.bool_]) -> TrainingRows:
        """Only these rows."""
        arrays = {name: getattr(self, name)[rows] for name in ("X", "labels", "documents", "corpora", "trainable")}
        hold_outs = tuple(HoldOut(part.name, part.test_mask[rows], part.excluded_mask[rows]) for part in self.hold_outs)
        targets = None if self.targets is None else self.targets[rows]
        return replace(self, **arrays, hold_outs=hold_outs, targets=targets)


@dataclass(frozen=True)
class PreparedCorpora:
    """Corpora by name: their documents, examples, and features over one vocabulary."""

    map: FeatureMap[CandidateGraph]
    documents: dict[str, Sequence[Document]]
    examples: dict[str, Examples]
    features: dict[str, sp.csr_matrix]
    degree: int = 1
    _shared: dict[tuple[str, str], set[str]] = field(default_factory=dict, repr=False)

    def rows(self, names: Sequence[str], *, starting_from: Sequence[str] = ()) -> TrainingRows:
        """The examples of some corpora together; models of others are the starting points."""
        examples = [self.examples[name] for name in names]
        priors = [prior_weights(self.features[name], self.examples[name].labels) for name in starting_from]
        rows = TrainingRows(
            X=sp.vstack([self.features[name] for name in names], format="csr"),
            labels=np.concatenate([part.labels for part in examples]),
            documents=np.concatenate([part.documents for part in examples]),
            corpora=np.repeat(np.arange(len(names)), [len(part) for part in examples]),
            trainable=np.concatenate([self._trainable_mask(name) for name in names]),
            priors=np.column_stack(priors) if priors else None,
            targets=np.concatenate([part.targets for part in examples]) if self.has_types(names) else None,
            degree=self.degree,
        )
        return replace(rows, hold_outs=self._make_hold_outs(names, rows))

    def has_types(self, names: Sequence[str]) -> bool:
        """Whether one of the corpora annotates types."""
        return any(self.examples[name].typed for name in names)

    def shared_document_ids(self, name: str, other: str) -> set[str]:
        """Ids of the documents of one corpus that another has too."""
        if (name, other) not in self._shared:
            kept = drop_shared_documents(self.documents[name], self.documents[other])
            ids = {document.id for document in self.documents[name]}
            self._shared[name, other] = ids - {document.id for document in kept}
        return self._shared[name, other]

    def _trainable_mask(self, name: str) -> NDArray[np.bool_]:
        keeps_denials = name not in DENIALS_AS_RELATIONS_CORPORA
        return np.array([keeps_denials or not denials(graph) for graph in self.examples[name].graphs], dtype=np.bool_)

    def _make_hold_outs(self, names: Sequence[str], rows: TrainingRows) -> tuple[HoldOut, ...]:
        """Each corpus; of a single one, parts of whole documents."""
        if len(names) == 1:
            ids = np.unique(rows.documents)
            part_of = np.searchsorted(ids, rows.documents) % min(MAX_HOLD_OUT_PARTS, len(ids))
            return tuple(HoldOut(f"part {part}", part_of == part, part_of == part) for part in np.unique(part_of))
        hold_outs = []
        for number, name in enumerate(names):
            test_mask = rows.corpora == number
            excluded_mask = test_mask.copy()
            for other_number, other in enumerate(names):
                if other != name:
                    shared = np.isin(self.examples[other].documents, list(self.shared_document_ids(other, name)))
                    excluded_mask[rows.corpora == other_number] = shared
            hold_outs.append(HoldOut(name, test_mask, excluded_mask))
        return tuple(hold_outs)


def prepare_corpora(corpora: Mapping[str, Sequence[Document]], settings: Settings) -> PreparedCorpora:
    """Examples and features of annotated corpora; the first one's features come first in the vocabulary.

    Raises
    ------
    TrainingError
        If one of them has nothing to learn from.
    """
    examples = {
        name: collect_examples(documents, parser=settings.parser, name=name) for name, documents in corpora.items()
    }
    transformer = make_feature_map(settings.kernel, variant=settings.variant, n_features=settings.n_features)
    X = transformer.fit_transform([graph for part in examples.values() for graph in part.graphs])
    ends = np.cumsum([len(part) for part in examples.values()])
    features = {name: X[end - len(part) : end] for (name, part), end in zip(examples.items(), ends)}
    return PreparedCorpora(transformer, dict(corpora), examples, features, settings.degree)


def add_extra_corpora(
    corpora: Mapping[str, Sequence[Document]], extra: Mapping[str, Sequence[Document]]
) -> dict[str, Sequence[Document]]:
    """The corpora, and extra ones without the documents that they share with those.

    Raises
    ------
    TrainingError
        If a corpus is both.
    """
    if both := sorted(corpora.keys() & extra.keys()):
        raise TrainingError(f"expected extra corpora other than those learned from, got {both} as both")
    everything = [document for documents in corpora.values() for document in documents]
    return {**corpora, **{name: drop_shared_documents(documents, everything) for name, documents in extra.items()}}
