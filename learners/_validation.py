"""Checks and kernel plumbing that all learners share.

Every function returns what it was asked to check in the one form the learners compute with, or raises an
exception of :mod:`learners.errors` that says what was expected, what came and what to try.
"""

from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.extmath import safe_sparse_dot

from learners.errors import BasisError, GroupError, KernelError, LabelError, RegParamError

Kernel = str | Callable[[Any, Any], np.ndarray]
"""``"linear"``, ``"precomputed"``, or an object that maps ``(X, Y)`` to the matrix of k(x_i, y_j)."""


def check_regparam(regparam: float, *, name: str = "regparam") -> float:
    """``regparam`` as a float, or :class:`RegParamError` unless it is a positive finite number."""
    if isinstance(regparam, bool) or not isinstance(regparam, Real):
        raise RegParamError(f"{name} must be a positive number, got {regparam!r}; try {name}=1.0")
    value = float(regparam)
    if not np.isfinite(value) or value <= 0:
        raise RegParamError(
            f"{name} must be positive and finite, got {regparam!r}; without regularization the problem may "
            f"have no unique solution, try a small value such as {name}=1e-6"
        )
    return value


def check_regparams(regparams: float | Iterable[float]) -> np.ndarray:
    """One or several regularization values as a vector, in the order given."""
    if not isinstance(regparams, Iterable):
        return np.array([check_regparam(regparams, name="regparams")])
    values = [check_regparam(value, name=f"regparams[{i}]") for i, value in enumerate(list(regparams))]
    if not values:
        raise RegParamError("regparams must hold at least one value, got an empty sequence; try [1.0]")
    return np.array(values)


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
        raise GroupError(f"{name} must give one label per example, got None; pass {name}=<array of labels>")
    array = np.asarray(groups)
    if array.ndim != 1:
        raise GroupError(f"{name} must be one-dimensional, one label per example, got shape {array.shape!r}")
    if len(array) != n_samples:
        raise GroupError(
            f"{name} must have one label per example: {n_samples} examples, got {len(array)} labels; "
            f"check that {name} was subset together with X and y"
        )
    if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
        raise GroupError(
            f"{name} must not hold NaN or infinity, got {np.sum(~np.isfinite(array))} such labels; "
            f"give the examples of no group labels of their own"
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
            f"holdouts must be a sequence of index arrays, got one array of shape {holdouts.shape!r}; "
            "pass [indices] for a single hold-out"
        )
    return [_check_holdout(holdout, number, n_samples) for number, holdout in enumerate(holdouts)]


def _check_holdout(holdout: Any, number: int, n_samples: int) -> np.ndarray:
    indices = np.asarray(holdout)
    where = f"holdouts[{number}]"
    if indices.ndim != 1 or len(indices) == 0 or indices.dtype.kind not in "iu":
        raise GroupError(
            f"{where} must be a non-empty one-dimensional array of example indices, got {holdout!r}; "
            "turn a mask into indices with np.flatnonzero"
        )
    if indices.min() < 0 or indices.max() >= n_samples:
        raise GroupError(f"{where} must hold indices from 0 to {n_samples - 1}, got {indices.min()} to {indices.max()}")
    if len(np.unique(indices)) != len(indices):
        raise GroupError(f"{where} must not repeat an index, got {holdout!r}; try np.unique")
    if len(indices) == n_samples:
        raise GroupError(
            f"{where} holds all {n_samples} examples, so nothing is left to train on; leave some out of it"
        )
    return indices.astype(np.intp, copy=False)


def check_pairs(pairs: Any, n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of different examples as two integer arrays: the first and the second of each."""
    indices = np.asarray(pairs)
    if indices.ndim != 2 or indices.shape[1] != 2 or indices.dtype.kind not in "iu":
        raise GroupError(
            f"pairs must be an integer array of shape (n_pairs, 2), got shape {indices.shape!r} and dtype "
            f"{indices.dtype}; try np.column_stack([first, second])"
        )
    if indices.size and (indices.min() < 0 or indices.max() >= n_samples):
        raise GroupError(f"pairs must hold indices from 0 to {n_samples - 1}, got {indices.min()} to {indices.max()}")
    equal = np.flatnonzero(indices[:, 0] == indices[:, 1])
    if len(equal):
        raise GroupError(f"a pair must be two examples, got pairs[{equal[0]}] = {indices[equal[0]].tolist()!r}")
    return indices[:, 0], indices[:, 1]


def check_targets(y: Any, n_samples: int) -> tuple[np.ndarray, bool]:
    """Targets as a float matrix of shape (n_samples, n_outputs), and whether they came as a vector."""
    targets = np.asarray(y, dtype=np.float64)
    single = targets.ndim == 1
    if single:
        targets = targets[:, np.newaxis]
    if targets.ndim != 2 or len(targets) != n_samples:
        raise LabelError(f"y must have shape ({n_samples},) or ({n_samples}, n_outputs), got {np.shape(y)!r}")
    return targets, single


def check_positive_weights(weights: np.ndarray) -> None:
    """Hold-outs rescale by the weights, so an example of weight zero has no hold-out prediction."""
    zeros = int(np.sum(weights == 0))
    if zeros:
        raise LabelError(
            f"hold-out predictions need positive sample_weight, got {zeros} examples of weight 0; "
            "leave these examples out of fit and use predict for them"
        )


def check_basis(basis: Any, n_samples: int) -> np.ndarray:
    """Basis vectors as distinct indices of training examples."""
    indices = np.asarray(basis)
    if indices.ndim != 1 or len(indices) == 0 or indices.dtype.kind not in "iu":
        raise BasisError(f"basis must be a non-empty one-dimensional array of training example indices, got {basis!r}")
    if indices.min() < 0 or indices.max() >= n_samples:
        raise BasisError(f"basis must hold indices from 0 to {n_samples - 1}, got {indices.min()} to {indices.max()}")
    if len(np.unique(indices)) != len(indices):
        raise BasisError(
            f"basis must not repeat an index, got {len(indices) - len(np.unique(indices))} repeats; "
            "try np.unique(basis)"
        )
    return indices.astype(np.intp)


def compute_kernel(kernel: Kernel, X: Any, Y: Any = None) -> np.ndarray:
    """Kernel matrix between the rows of ``X`` and of ``Y`` (of ``X`` with itself when ``Y`` is None).

    With ``kernel="precomputed"`` ``X`` is that matrix already, and is only checked: square if ``Y`` is None,
    as many columns as ``Y`` has rows otherwise.
    """
    other = X if Y is None else Y
    shape = (X.shape[0], other.shape[0])
    if isinstance(kernel, str):
        if kernel == "linear":
            return np.asarray(safe_sparse_dot(X, other.T, dense_output=True))
        if kernel == "precomputed":
            return _check_kernel_matrix(X, shape, kernel)
        raise KernelError(
            f"kernel must be 'linear', 'precomputed' or a callable kernel object, got {kernel!r}; "
            "the kernels package has LinearKernel, PolynomialKernel and GaussianKernel"
        )
    if not callable(kernel):
        raise KernelError(f"kernel must be 'linear', 'precomputed' or a callable k(X, Y) -> ndarray, got {kernel!r}")
    return _check_kernel_matrix(kernel(X, other), shape, kernel)


def _check_kernel_matrix(K: Any, shape: tuple[int, int], kernel: Kernel) -> np.ndarray:
    if hasattr(K, "toarray"):
        K = K.toarray()
    matrix = np.asarray(K, dtype=np.float64)
    if matrix.shape != shape:
        raise KernelError(
            f"kernel {kernel!r} must give a matrix of shape {shape!r}, got {matrix.shape!r}; "
            "a precomputed matrix has a row per example to predict and a column per training example"
        )
    if not np.all(np.isfinite(matrix)):
        raise KernelError(f"kernel {kernel!r} gave a matrix with NaN or infinity; check its parameters")
    return matrix
