"""Kernels by name, as objects or precomputed: which one was asked for, which form suits it, and its matrix."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils.extmath import safe_sparse_dot

from learners.errors import KernelError

Kernel = str | Callable[[Any, Any], np.ndarray]
"""A name, ``"precomputed"``, or an object that maps ``(X, Y)`` to the matrix of k(x_i, y_j)."""

#: Computed by scikit-learn's :func:`~sklearn.metrics.pairwise.pairwise_kernels`.
SKLEARN_KERNELS = ("rbf", "laplacian", "poly", "polynomial", "sigmoid", "cosine", "chi2", "additive_chi2")


class KernelOptions(NamedTuple):
    """Parameters of the kernels that have names, as scikit-learn's ``KernelRidge`` calls them."""

    gamma: float | None = None
    degree: float = 3
    coef0: float = 1


_NO_OPTIONS = KernelOptions()

Form = Literal["primal", "dual"]
"""Whether a problem is decomposed over its features or over its examples."""


def is_kernel(kernel: Kernel, name: str) -> bool:
    """Whether ``kernel`` is the named one; kernel objects may define == as they like."""
    return isinstance(kernel, str) and kernel == name


def choose_form(form: str, kernel: Kernel, shape: tuple[int, int]) -> Form:
    """The form to decompose: primal for the linear kernel with fewer features than examples, unless one is given."""
    linear = is_kernel(kernel, "linear")
    if form == "primal" and not linear:
        raise KernelError(f"expected kernel='linear' with form='primal', got kernel={kernel!r}; try form='dual'")
    if form == "auto":
        return "primal" if linear and shape[1] < shape[0] else "dual"
    if form == "primal":
        return "primal"
    if form == "dual":
        return "dual"
    raise KernelError(f"expected form to be 'auto', 'primal' or 'dual', got {form!r}; try form='auto'")


def compute_kernel(kernel: Kernel, X: Any, Y: Any = None, options: KernelOptions = _NO_OPTIONS) -> np.ndarray:
    """Kernel matrix between the rows of ``X`` and of ``Y`` (of ``X`` with itself when ``Y`` is None).

    ``options`` are for the kernels that have names. With ``kernel="precomputed"`` ``X`` is that matrix already, and is
    only checked: square if ``Y`` is None, as many columns as ``Y`` has rows otherwise.
    """
    rows = X if Y is None else Y
    shape = (X.shape[0], rows.shape[0])
    if is_kernel(kernel, "linear"):
        return np.asarray(safe_sparse_dot(X, rows.T, dense_output=True))
    if is_kernel(kernel, "precomputed"):
        return _check_kernel_matrix(X, shape, kernel)
    if isinstance(kernel, str) and kernel in SKLEARN_KERNELS:
        matrix = pairwise_kernels(X, rows, metric=kernel, filter_params=True, **options._asdict())
        return _check_kernel_matrix(matrix, shape, kernel)
    if isinstance(kernel, str) or not callable(kernel):
        names = ", ".join(map(repr, ("linear", *SKLEARN_KERNELS)))
        raise KernelError(
            f"expected kernel to be one of {names}, 'precomputed' or a callable k(X, Y) -> ndarray, got {kernel!r}; "
            "try kernel='rbf'"
        )
    return _check_kernel_matrix(kernel(X, rows), shape, kernel)


def _check_kernel_matrix(K: Any, shape: tuple[int, int], kernel: Kernel) -> np.ndarray:
    if hasattr(K, "toarray"):
        K = K.toarray()
    matrix = np.asarray(K, dtype=np.float64)
    if matrix.shape != shape:
        raise KernelError(
            f"expected a matrix of shape {shape!r} from kernel {kernel!r}, got {matrix.shape!r}; "
            "a precomputed matrix has one row per example to predict and one column per training example"
        )
    if not np.all(np.isfinite(matrix)):
        raise KernelError(
            f"expected finite numbers from kernel {kernel!r}, got a matrix with NaN or infinity; check its parameters"
        )
    return matrix
