"""The design matrix: features, a constant, and the opinions of models trained on other corpora.

    phi(x) = [ x,  b,  c_1 s_1(x), ..., c_k s_k(x) ],   s_i(x) = <v_i, x>

with b^2 the mean of ||x||^2, so that the constant weighs as much as the features do; v_i the weights of a model
trained on the i-th extra corpus, and c_i such that c_i^2 mean s_i^2 is a fixed part of b^2.  The extra columns let
the learner start from the other corpora's models, each as far as it agrees with the data.  A linear model over phi
is a linear model over x with an intercept: :meth:`Design.collapse`.

The means are of the rows that a model learns from.  Where all rows share one design but every outer fold has a
training part of its own, :meth:`Design.fold_scaling` says what b^2 and the c_i^2 are there, in units of what they are here.

With ``degree`` 2 the features are those of the squared kernel (:mod:`ppi.extraction.support`), which are never written
out: b^2 is the mean of k_2(x, x), and the opinions are of x as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kernels import linear_gram
from ppi.extraction.support import CONSTANT_WEIGHT, QuadraticModel, square_kernel

#: c_i^2 mean s_i^2 as a part of the mean squared norm of the features.
PRIOR_NORM_RATIO = 0.3


class CollapsedModel(NamedTuple):
    """A function over x: weights, an intercept, and with a squared kernel what it keeps of the training pairs."""

    weights: np.ndarray
    intercept: float
    quadratic: QuadraticModel | None = None


@dataclass(frozen=True)
class FoldScaling:
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
    """Rows x with the constant and the opinions; ``priors`` holds the c_i v_i as columns."""

    X: sp.csr_matrix
    constant: float
    priors: np.ndarray
    degree: int = 1

    @classmethod
    def build(cls, X: sp.csr_matrix, *, priors: np.ndarray | None = None, degree: int = 1) -> Design:
        """Scale the constant and the opinions to the features."""
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
        """What a design of these rows alone would have."""
        mean_square = float(np.mean(self._row_norms[part])) or 1.0
        spread = np.mean(self.extra_columns()[part, 1:] ** 2, axis=0)
        # an opinion that is 0 on the whole part says nothing there, whatever it weighs
        prior_scales = np.divide(PRIOR_NORM_RATIO * mean_square, spread, out=np.ones_like(spread), where=spread > 0)
        return FoldScaling(regparam_unit(mean_square), np.array([mean_square / self.mean_square, *prior_scales]))

    @cached_property
    def _row_norms(self) -> np.ndarray:
        return _compute_squared_norms(self.X, self.degree)

    def extra_columns(self) -> np.ndarray:
        """The constant and the opinions of every row."""
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

    def collapse_dual(self, coefficients: np.ndarray) -> CollapsedModel:
        """f(x) = sum_i a_i <phi(x_i), phi(x)> over x."""
        feature_weights = np.asarray(self.X.T @ coefficients).ravel()
        weights, intercept = self.collapse(np.concatenate([feature_weights, self.extra_columns().T @ coefficients]))
        if self.degree == 1:
            return CollapsedModel(weights, intercept)
        # k_2 is a constant, a linear part, and what needs the rows
        weights += (2.0 * CONSTANT_WEIGHT * (1.0 - CONSTANT_WEIGHT) - 1.0) * feature_weights
        intercept += CONSTANT_WEIGHT**2 * float(coefficients.sum())
        return CollapsedModel(weights, intercept, QuadraticModel.from_dual(self.X, coefficients))

    def collapse(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """Weights over x and the intercept of f(x) = <w, phi(x)>, of degree 1."""
        n = self.X.shape[1]
        return weights[:n] + self.priors @ weights[n + 1 :], float(weights[n] * self.constant)


def _compute_squared_norms(X: sp.csr_matrix, degree: int) -> np.ndarray:
    norms = np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    return square_kernel(norms) if degree == 2 else norms
