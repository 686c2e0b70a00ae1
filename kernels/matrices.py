"""Feature matrices: what is checked of them, and the lengths of their rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kernels.errors import ShapeError


def check_matrix(name: str, X: Any) -> Any:
    """``X`` as CSR or a dense array of float64, two-dimensional and finite."""
    if sp.issparse(X):
        X = sp.csr_matrix(X, dtype=np.float64)
        data = X.data
    else:
        X = data = np.asarray(X, dtype=np.float64)
        if X.ndim != 2:
            raise ShapeError(f"expected {name} with two dimensions, got shape {X.shape}; one row per example")
    if not np.isfinite(data).all():
        bad = data[~np.isfinite(data)][0]
        raise ShapeError(f"expected finite entries in {name}, got {bad!r}; remove or replace them")
    return X


def squared_lengths(X: Any) -> NDArray[np.float64]:
    """||x||^2 of each row."""
    X = check_matrix("X", X)
    if sp.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


def inverse_root(squares: Any) -> NDArray[np.float64]:
    """1 / sqrt of each number, and 0 for 0."""
    squares = np.asarray(squares, dtype=np.float64)
    return np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
