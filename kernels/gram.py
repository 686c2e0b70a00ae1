"""The linear kernel of very sparse matrices with a few very frequent columns.

K = X Y^T.  A column with f entries in X and g in Y costs f g scattered additions when its lists are walked, and
m_x m_y multiplications at the speed of dense BLAS, some ninety times cheaper each, when it is written out.
The columns for which BLAS is cheaper are written out; the rest is summed by :mod:`kernels._gram`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kernels._gram import (
    FREQUENT,
    MEDIUM,
    RARE,
    Csr,
    Parts,
    add_medium_products,
    add_rare_products,
    column_counts,
    mean_column_sharing,
    mirror,
    split_columns,
)
from kernels.errors import ShapeError
from kernels.validation import check_matrix

#: What one dense multiplication costs of one step along a list that feeds a block of rows.
DENSE_COST = 1 / 90
#: A column with at most this many products is summed by itself, straight into the result.
RARE_PRODUCTS = 256


def linear_gram(X: Any, Y: Any = None) -> NDArray[np.float64]:
    """All inner products of the rows of ``X`` with those of ``Y`` (default: ``X``), as a dense array.

    Equal to ``(X @ Y.T).toarray()`` up to the order of summation.  One thread, apart from BLAS.  Besides the
    result it needs a copy of Y by columns and the frequent columns of both, together at most a few times the
    memory of X and Y.

    Parameters
    ----------
    X, Y
        Sparse or dense matrices with the same number of columns; the entries have to be finite.

    Raises
    ------
    ShapeError
        If the numbers of columns differ, or an entry is not finite.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> linear_gram(sp.csr_matrix([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]]))
    array([[ 5.,  2.],
           [ 2., 10.]])
    """
    X = check_matrix("X", X)
    symmetric = Y is None
    Y = X if symmetric else check_matrix("Y", Y)
    if X.shape[1] != Y.shape[1]:
        raise ShapeError(
            f"expected X and Y with the same number of columns, got shapes {X.shape} and {Y.shape}; "
            "make both with one fitted feature map"
        )
    if not (sp.issparse(X) and sp.issparse(Y)):
        return np.asarray(X @ Y.T.toarray() if sp.issparse(Y) else X @ Y.T)
    kind = _kinds(X, Y)
    of_X = _split(X, kind)
    of_Y = of_X if symmetric else _split(Y, kind)
    K = of_X.dense @ of_Y.dense.T if of_X.dense.shape[1] else np.zeros((X.shape[0], Y.shape[0]))
    rare, medium = np.flatnonzero(kind == RARE), np.flatnonzero(kind == MEDIUM)
    add_rare_products(rare, of_X, of_Y, symmetric, K)
    add_medium_products(medium, of_X, of_Y, symmetric, K)
    if symmetric:
        mirror(K)
    return K


def _kinds(X: sp.csr_matrix, Y: sp.csr_matrix) -> NDArray[np.int8]:
    """Which way is cheapest for each column."""
    in_X = column_counts(X.indices, X.shape[1])
    in_Y = in_X if Y is X else column_counts(Y.indices, Y.shape[1])
    products = in_X * in_Y
    shared = mean_column_sharing(X.indptr, X.indices, X.shape[1])
    kind = np.full(X.shape[1], MEDIUM, np.int8)
    kind[products <= RARE_PRODUCTS] = RARE
    kind[products / shared > DENSE_COST * X.shape[0] * Y.shape[0]] = FREQUENT
    return kind


def _split(Y: sp.csr_matrix, kind: NDArray[np.int8]) -> Parts:
    counts = column_counts(Y.indices, Y.shape[1])
    n_medium = int(counts[kind == MEDIUM].sum())
    counts[kind == FREQUENT] = 0
    starts = np.concatenate(([0], np.cumsum(counts)))
    place = np.zeros(Y.shape[1], np.int32)
    for chosen in (kind == MEDIUM, kind == FREQUENT):
        place[chosen] = np.arange(np.count_nonzero(chosen))
    parts = Parts(
        dense=np.zeros((Y.shape[0], np.count_nonzero(kind == FREQUENT))),
        starts=starts,
        entries=np.empty((starts[-1], 2)),
        row_ends=np.zeros(Y.shape[0] + 1, np.int64),
        row_places=np.empty(n_medium, np.int32),
        row_values=np.empty(n_medium),
    )
    split_columns(Csr(Y.indptr, Y.indices, Y.data), kind, place, parts)
    return parts
