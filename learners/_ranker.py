"""What all rankers share: their inputs, their score and their tags."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from learners._validation import Kernel, check_regparam, check_regparams, compute_kernel
from learners.errors import KernelError
from learners.metrics.ranking import disagreement_error


class RankerMixin:
    """``score`` and scikit-learn's tags; predictions order examples, their level means nothing."""

    def score(self, X: Any, y: Any, qid: Any = None) -> float:
        """1 - the pairwise disagreement error, averaged over queries (and outputs): higher is better."""
        y, predictions = np.asarray(y, dtype=float), self.predict(X)  # type: ignore[attr-defined]
        if y.ndim == 1:
            return 1.0 - disagreement_error(y, predictions, qid=qid)
        return 1.0 - float(np.mean([disagreement_error(t, p, qid=qid) for t, p in zip(y.T, predictions.T)]))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


class LinearRankerMixin(RankerMixin):
    """Rankers that end as one weight a feature, ``coef_``."""

    def predict(self, X: Any) -> np.ndarray:
        """Scores X coef_, higher is better; only their differences within a query mean anything."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True))  # type: ignore[attr-defined]


class RegparamPath:
    """Shapes of what is computed for one or several values of regparam."""

    regparam: float
    _single_output: bool

    def _path_regparams(self, regparams: Any) -> np.ndarray:
        check_is_fitted(self)
        return np.array([check_regparam(self.regparam)]) if regparams is None else check_regparams(regparams)

    def _path_shape(self, values: np.ndarray, regparams: Any) -> np.ndarray:
        """Drop the axis of outputs if ``fit`` had one, and that of regparams if one was given."""
        if self._single_output:
            values = values[..., 0]
        return values[0] if regparams is None or isinstance(regparams, Real) else values


def is_kernel(kernel: Kernel, name: str) -> bool:
    """Whether ``kernel`` is the named one; kernel objects may define == as they like."""
    return isinstance(kernel, str) and kernel == name


def choose_form(form: str, kernel: Kernel, shape: tuple[int, int]) -> str:
    """ "primal" or "dual": primal for the linear kernel with fewer features than examples, unless told."""
    if form not in ("auto", "primal", "dual"):
        raise KernelError(f"form must be 'auto', 'primal' or 'dual', got {form!r}")
    linear = is_kernel(kernel, "linear")
    if form == "primal" and not linear:
        raise KernelError(f"form='primal' needs kernel='linear', got kernel={kernel!r}; try form='dual'")
    if form == "auto":
        return "primal" if linear and shape[1] < shape[0] else "dual"
    return form


__all__ = [
    "LinearRankerMixin",
    "RankerMixin",
    "RegparamPath",
    "choose_form",
    "compute_kernel",
    "is_kernel",
]
