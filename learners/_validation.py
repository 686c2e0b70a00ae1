"""Checks of what callers pass in, shared by all learners.

Every function returns what it was asked to check in the one form the learners compute with, or raises an
exception of :mod:`learners.errors` that says what was expected, what came and what to try.
"""

import warnings
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array

from learners.errors import (
    BasisError,
    GroupError,
    LabelError,
    LearnerError,
    NotConvergedError,
    NotConvergedWarning,
    PreferenceError,
    RegParamError,
)


def check_regparam(regparam: float, *, name: str = "regparam") -> float:
    """``regparam`` as a float, or :class:`RegParamError` unless it is a positive finite number."""
    if isinstance(regparam, bool) or not isinstance(regparam, Real):
        raise RegParamError(f"expected {name} to be a positive number, got {regparam!r}; try {name}=1.0")
    value = float(regparam)
    if not np.isfinite(value) or value <= 0:
        raise RegParamError(
            f"expected {name} to be positive and finite, got {regparam!r}; without regularization the problem may "
            f"have no unique solution, try a small value such as {name}=1e-6"
        )
    return value


def check_regparams(regparams: float | Iterable[float]) -> np.ndarray:
    """One or several regularization values as a vector, in the order given."""
    if not isinstance(regparams, Iterable):
        return np.array([check_regparam(regparams, name="regparams")])
    values = [check_regparam(value, name=f"regparams[{i}]") for i, value in enumerate(list(regparams))]
    if not values:
        raise RegParamError("expected regparams to hold at least one value, got an empty sequence; try [1.0]")
    return np.array(values)


def check_positive(**options: float) -> None:
    """Refuse tolerances, limits and the like, passed by their names, that are not positive numbers."""
    for name, value in options.items():
        if not isinstance(value, Real) or not value > 0:
            raise LearnerError(f"expected {name} to be a positive number, got {value!r}; leave it out for the default")


def report_not_converged(message: str, on_limit: str) -> None:
    """Raise or warn, as ``on_limit`` says, that an iteration limit was reached."""
    if on_limit == "raise":
        raise NotConvergedError(message)
    warnings.warn(NotConvergedWarning(message), stacklevel=4)


def check_choice(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """Refuse an option that is not one of those ``allowed``."""
    if value not in allowed:
        raise LearnerError(f"expected {name} to be one of {tuple(allowed)!r}, got {value!r}; try {name}={allowed[0]!r}")


def check_groups(groups: Any, n_samples: int, *, name: str = "groups") -> tuple[np.ndarray, np.ndarray]:
    """Group labels of any hashable kind as integer codes.

    Returns
    -------
    codes : ndarray of shape (n_samples,)
        ``labels[codes]`` is ``groups``.
    labels : ndarray
        The distinct labels, sorted.
    """
    if groups is None:
        raise GroupError(f"expected {name} to give one label per example, got None; pass {name}=<array of labels>")
    array = np.asarray(groups)
    if array.ndim != 1:
        raise GroupError(
            f"expected {name} to be one-dimensional, one label per example, got shape {array.shape!r}; "
            "try np.ravel of it"
        )
    if len(array) != n_samples:
        raise GroupError(
            f"expected {name} to have one label per example, for {n_samples} examples, got {len(array)} labels; "
            f"check that {name} was subset together with X and y"
        )
    if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
        raise GroupError(
            f"expected {name} without NaN or infinity, got {np.sum(~np.isfinite(array))} such labels; "
            "give the examples of no group labels of their own"
        )
    labels, codes = np.unique(array, return_inverse=True)
    return codes, labels


def group_members(codes: np.ndarray, n_groups: int) -> list[np.ndarray]:
    """Example indices of each group, in increasing order: one stable sort for all groups."""
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=n_groups))
    return np.split(order, ends[:-1])


def check_holdouts(holdouts: Sequence[Any], n_samples: int) -> list[np.ndarray]:
    """Hold-out index sets, which may overlap, as integer arrays; none is empty, none holds everything."""
    if isinstance(holdouts, np.ndarray) and holdouts.ndim == 1 and holdouts.dtype != object:
        raise GroupError(
            f"expected holdouts to be a sequence of index arrays, got one array of shape {holdouts.shape!r}; "
            "pass [indices] for a single hold-out"
        )
    return [_check_holdout(holdout, f"holdouts[{number}]", n_samples) for number, holdout in enumerate(holdouts)]


def _check_holdout(holdout: Any, name: str, n_samples: int) -> np.ndarray:
    indices = _check_indices(holdout, name, n_samples, GroupError)
    if len(indices) == n_samples:
        raise GroupError(
            f"expected {name} to leave examples to train on, got all {n_samples} examples; leave some out of it"
        )
    return indices


def _check_indices(values: Any, name: str, n_samples: int, error: type[LearnerError]) -> np.ndarray:
    """A non-empty set of example indices, each once, or ``error``."""
    indices = np.asarray(values)
    if indices.ndim != 1 or len(indices) == 0 or indices.dtype.kind not in "iu":
        raise error(
            f"expected {name} to be a non-empty one-dimensional array of example indices, got {values!r}; "
            "turn a mask into indices with np.flatnonzero"
        )
    _check_range(indices, name, n_samples, error)
    n_repeats = len(indices) - len(np.unique(indices))
    if n_repeats:
        raise error(f"expected {name} to hold each index once, got {n_repeats} repeats; try np.unique")
    return indices.astype(np.intp)


def _check_range(indices: np.ndarray, name: str, n_samples: int, error: type[LearnerError]) -> None:
    if indices.size and (indices.min() < 0 or indices.max() >= n_samples):
        raise error(
            f"expected {name} to hold indices from 0 to {n_samples - 1}, got {indices.min()} to {indices.max()}; "
            "count from 0 along the training examples"
        )


def check_pairs(pairs: Any, n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of different examples as two integer arrays: the first and the second of each."""
    indices = np.asarray(pairs)
    if indices.ndim != 2 or indices.shape[1] != 2 or indices.dtype.kind not in "iu":
        raise GroupError(
            f"expected pairs to be an integer array of shape (n_pairs, 2), got shape {indices.shape!r} and dtype "
            f"{indices.dtype}; try np.column_stack([first, second])"
        )
    _check_range(indices, "pairs", n_samples, GroupError)
    equal = np.flatnonzero(indices[:, 0] == indices[:, 1])
    if len(equal):
        raise GroupError(
            f"expected every pair to be two examples, got pairs[{equal[0]}] = {indices[equal[0]].tolist()!r}; "
            "leave it out"
        )
    return indices[:, 0], indices[:, 1]


def check_targets(y: Any, n_samples: int) -> tuple[np.ndarray, bool]:
    """Targets as a float matrix of shape (n_samples, n_outputs), and whether they came as a vector."""
    targets = np.asarray(y, dtype=np.float64)
    single = targets.ndim == 1
    if single:
        targets = targets[:, np.newaxis]
    if targets.ndim != 2 or len(targets) != n_samples:
        raise LabelError(
            f"expected y of shape ({n_samples},) or ({n_samples}, n_outputs), got {np.shape(y)!r}; give one row "
            "per example of X"
        )
    return targets, single


def check_positive_weights(weights: np.ndarray) -> None:
    """Hold-outs rescale by the weights, so an example of weight zero has no hold-out prediction."""
    n_zeros = int(np.sum(weights == 0))
    if n_zeros:
        raise LabelError(
            f"expected positive sample_weight for hold-out predictions, got {n_zeros} examples of weight 0; "
            "leave these examples out of fit and use predict for them"
        )


def check_basis(basis: Any, n_samples: int) -> np.ndarray:
    """Basis vectors as distinct indices of training examples."""
    return _check_indices(basis, "basis", n_samples, BasisError)


def is_rows(basis: Any) -> bool:
    """Whether basis vectors come as rows of features, not as indices of training examples."""
    return sp.issparse(basis) or (basis is not None and np.ndim(basis) == 2)


def check_basis_rows(rows: Any, n_features: int) -> Any:
    """Basis vectors as a float matrix with the columns of X, dense or sparse."""
    checked = check_array(rows, accept_sparse="csr", dtype=np.float64, input_name="basis")
    if checked.shape[1] != n_features:
        raise BasisError(
            f"expected rows of basis vectors with the {n_features} features of X, got {checked.shape[1]}; "
            "transform them as X was"
        )
    return checked


def check_only_preferences(y: Any) -> None:
    """Refuse scores beside preferences: it would not be clear which of the two to learn from."""
    if y is not None:
        raise PreferenceError(
            "expected either scores y or preferences, got both; pass y=None to learn from preferences"
        )
