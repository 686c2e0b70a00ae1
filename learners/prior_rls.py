"""Regularized least-squares that starts from a model: a few examples change it, in closed form.

    min_w  sum_i (y_i - <w, x_i>)^2 + regparam ||w - w0||^2      has     w = w0 + X^T (X X^T + regparam I)^-1 (y - X w0)

It is regularized least-squares on what the starting point w0 leaves over, r = y - X w0, so that all of its shortcuts
hold: with B = (K + regparam I)^-1 and a = B r, the model without the examples U says y_U - B_UU^-1 a_U of them
(:mod:`learners._spectral`), U = everything included, which gives back the starting point.  Made for few examples of
many features: the dual form alone, m^3 for m examples, whatever the number of features.
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from learners._cholesky import invert_regularized
from learners._validation import check_groups, check_regparam, check_targets, group_members
from learners.errors import KernelError, LabelError, LearnerError, RegParamError

Regparam = float | ArrayLike
"""One value, or one for each output."""


class PriorUpdate:
    """The dual problem: kernel matrix, targets and what the starting point says, and every answer about them.

    Minimises, for each output over the functions d of the kernel's space,

        sum_{i: y_i is known} (y_i - f0(x_i) - d(x_i))^2 + regparam ||d||^2

    The model is f0 + d, with d(x) = sum_i a_i k(x_i, x).

    Parameters
    ----------
    K : ndarray of shape (n_samples, n_samples)
        Kernel matrix.
    y : ndarray of shape (n_samples, n_outputs)
        Targets; NaN where one is not known, which then teaches that output nothing.
    prior : ndarray of shape (n_samples, n_outputs)
        f0: what the starting point says of each.

    Notes
    -----
    The matrix B is inverted once for each set of examples that an output knows and each regparam, m^3, and kept.
    """

    def __init__(self, K: NDArray[np.float64], y: NDArray[np.float64], prior: NDArray[np.float64]) -> None:
        if y.ndim != 2 or prior.shape != y.shape:
            raise LabelError(
                f"expected y and prior of one shape (n_samples, n_outputs), got {y.shape!r} and {prior.shape!r}; "
                "give what the starting point says of every example and output"
            )
        if K.shape != (len(y), len(y)):
            raise KernelError(f"expected K of shape {(len(y), len(y))!r} for {len(y)} targets, got {K.shape!r}")
        self.known = ~np.isnan(y)
        self._K, self._y = K, y
        self._residuals = np.where(self.known, y - prior, 0.0)
        self._inverses: dict[tuple[bytes, float], NDArray[np.float64]] = {}

    def dual_coef(self, regparam: Regparam) -> NDArray[np.float64]:
        """a, (n_samples, n_outputs): zero where the target is not known."""
        coefficients = np.zeros_like(self._y)
        for output, rows, B in self._systems(regparam):
            coefficients[rows, output] = B @ self._residuals[rows, output]
        return coefficients

    def leave_one_out(self, regparam: Regparam) -> NDArray[np.float64]:
        """What f0 + d says of each example when it is left out; NaN where the target is not known: O(m^2)."""
        return self.leave_group_out(np.arange(len(self._y)), regparam)

    def leave_group_out(self, groups: ArrayLike, regparam: Regparam) -> NDArray[np.float64]:
        """What f0 + d says of each example when its whole group is left out; NaN where the target is not known."""
        codes, labels = check_groups(groups, len(self._y))
        held_out = np.full(self._y.shape, np.nan)
        for output, rows, B in self._systems(regparam):
            a = B @ self._residuals[rows, output]
            held_out[rows, output] = self._y[rows, output] - _solve_groups(B, a, codes[rows], len(labels))
        return held_out

    def _systems(self, regparam: Regparam) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.float64]]]:
        """Each output that is taught anything: its number, the rows it knows and their B."""
        for output, value in enumerate(check_output_regparams(regparam, self._y.shape[1])):
            rows = np.flatnonzero(self.known[:, output])
            if len(rows) > 0:
                yield output, rows, self._inverse(rows, float(value))

    def _inverse(self, rows: NDArray[np.intp], regparam: float) -> NDArray[np.float64]:
        key = (rows.tobytes(), regparam)  # outputs that know the same examples share it
        if key not in self._inverses:
            self._inverses[key] = invert_regularized(self._K[np.ix_(rows, rows)], regparam)
        return self._inverses[key]


def _solve_groups(
    B: NDArray[np.float64], a: NDArray[np.float64], codes: NDArray[np.intp], n: int
) -> NDArray[np.float64]:
    """B_UU^-1 a_U of every group U; groups that have no example here are empty."""
    removed = a / np.diagonal(B)  # the groups of one example, and of leave-one-out all
    for members in group_members(codes, n):
        if len(members) > 1:
            removed[members] = np.linalg.solve(B[np.ix_(members, members)], a[members])
    return removed


def check_output_regparams(regparam: Regparam, n_outputs: int) -> NDArray[np.float64]:
    """One value for each output, from one for all or as many as there are outputs."""
    values = np.array([check_regparam(value) for value in np.asarray(regparam, dtype=object).ravel().tolist()])
    if len(values) not in (1, n_outputs):
        raise RegParamError(f"expected one regparam, or one for each of {n_outputs} outputs, got {len(values)}")
    return np.broadcast_to(values, n_outputs)


class PriorRLS(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Linear regularized least-squares that starts from given weights.

    Minimises, for each output, with starting point w0, b0 and c = ``intercept_scaling``,

        sum_{i: y_i is known} (y_i - <w, x_i> - b)^2 + regparam (||w - w0||^2 + (b - b0)^2 / c^2)

    The intercept is penalised as the weight of a constant feature c: one example moves it no further than it moves a
    feature of that size.  A free intercept would take up the whole of what a single example teaches.  c = 0 leaves it
    at b0.

    Parameters
    ----------
    regparam : float, or one for each output, default=1.0
    prior_coef : array of shape (n_features,) or (n_outputs, n_features), optional
        w0; zero unless given.
    prior_intercept : float or array of shape (n_outputs,), default=0.0
        b0.
    intercept_scaling : float, default=1.0
        c, 0 or more; the root of the mean squared norm of the rows makes the constant count as much as all features.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
    intercept_ : float or ndarray of shape (n_outputs,)
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        a: coef_ = w0 + X^T a.
    prior_predictions_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        What the starting point says of the examples.
    problem_ : PriorUpdate
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> model = PriorRLS(regparam=1.0, prior_coef=[1.0, 0.0], intercept_scaling=0.0)
    >>> model.fit([[1.0, 0.0], [0.0, 2.0]], [1.0, 4.0]).coef_  # w0 is right of the first; 2 * 4 / (4 + 1)
    array([1. , 1.6])
    >>> model.leave_one_out(), model.prior_predictions_
    (array([1., 0.]), array([1., 0.]))
    """

    def __init__(
        self,
        regparam: Regparam = 1.0,
        *,
        prior_coef: ArrayLike | None = None,
        prior_intercept: ArrayLike = 0.0,
        intercept_scaling: float = 1.0,
    ) -> None:
        self.regparam = regparam
        self.prior_coef = prior_coef
        self.prior_intercept = prior_intercept
        self.intercept_scaling = intercept_scaling

    def fit(self, X: Any, y: Any) -> Self:
        """Solve; everything is computed in float64, and sparse X stays sparse.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            NaN where a target is not known.

        Raises
        ------
        LearnerError
            If a parameter or the data cannot be used.
        """
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        if y is None:
            raise LabelError("expected targets, requires y to be passed, but the target y is None")
        assert_all_finite(y, allow_nan=True, input_name="y")
        targets, self._single = check_targets(y, X.shape[0])
        if np.isnan(targets).all():
            raise LabelError(f"expected a target to learn from, got NaN for all of {targets.shape[0]} examples")
        scale = self._scaling()
        start, base = self._starting_point(X.shape[1], targets.shape[1])
        prior = safe_sparse_dot(X, start.T) + base
        K = np.asarray(safe_sparse_dot(X, X.T, dense_output=True)) + scale**2
        self.problem_ = PriorUpdate(K, targets, prior)
        dual = self.problem_.dual_coef(self.regparam)
        self.coef_ = self._drop_output_axis(start + safe_sparse_dot(X.T, dual).T, axis=0)
        self.intercept_ = self._drop_output_axis(base + scale**2 * dual.sum(axis=0), axis=0)
        self.dual_coef_, self.prior_predictions_ = self._drop_output_axis(dual), self._drop_output_axis(prior)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """<w, x> + b of each row."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        predictions: NDArray[np.float64] = np.asarray(safe_sparse_dot(X, self.coef_.T)) + self.intercept_
        return predictions

    def leave_one_out(self, regparam: Regparam | None = None) -> NDArray[np.float64]:
        """Prediction of every example by the model that has not seen it; NaN where the target is not known."""
        check_is_fitted(self)
        predictions = self.problem_.leave_one_out(self.regparam if regparam is None else regparam)
        held_out: NDArray[np.float64] = self._drop_output_axis(predictions)
        return held_out

    def leave_group_out(self, groups: ArrayLike, regparam: Regparam | None = None) -> NDArray[np.float64]:
        """The same by the model that has seen none of its group; ``regparam`` in place of that of ``fit``."""
        check_is_fitted(self)
        predictions = self.problem_.leave_group_out(groups, self.regparam if regparam is None else regparam)
        held_out: NDArray[np.float64] = self._drop_output_axis(predictions)
        return held_out

    def __sklearn_tags__(self) -> Any:
        """Sparse X is welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _scaling(self) -> float:
        value = self.intercept_scaling
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= value < np.inf:
            raise LearnerError(f"expected intercept_scaling of 0 or more, got {value!r}; 0 keeps the intercept")
        return float(value)

    def _starting_point(self, n_features: int, n_outputs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """w0 as (n_outputs, n_features) and b0 as (n_outputs,)."""
        shape = (n_outputs, n_features)
        coef = np.zeros(shape) if self.prior_coef is None else np.asarray(self.prior_coef, dtype=np.float64)
        if coef.shape != shape and not (n_outputs == 1 and coef.shape == (n_features,)):
            raise LearnerError(
                f"expected prior_coef of shape {shape!r}, for the outputs of y and features of X, got {coef.shape!r}"
            )
        base = np.asarray(self.prior_intercept, dtype=np.float64)
        if base.shape not in ((), (n_outputs,)):
            raise LearnerError(f"expected prior_intercept to be a number or {n_outputs} of them, got {base.shape!r}")
        return coef.reshape(shape), np.broadcast_to(base, n_outputs)

    def _drop_output_axis(self, values: NDArray[np.float64], *, axis: int = -1) -> Any:
        """Without the axis of outputs where ``fit`` had none."""
        return values.take(0, axis=axis) if self._single else values
