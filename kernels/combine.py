"""Sums, products and cosines of kernels that are given as explicit features.

    <[sqrt(a) X, sqrt(b) Z]_i, [...]_j> = a k_X + b k_Z          stack
    x (x) z, all products of two features                        multiply:  k_X k_Z
    x / ||x||                                                    normalize: cosine

A row of zeros stays a row of zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

import scipy.sparse as sp

from kernels.errors import ShapeError
from kernels.matrices import check_matrix, inverse_root, squared_lengths
from kernels.validation import check_number


def normalize_features(X: Any) -> sp.csr_matrix:
    """Rows scaled to length 1, the cosine kernel; zero rows stay zero."""
    X = sp.csr_matrix(check_matrix("X", X))
    return sp.csr_matrix(sp.diags_array(inverse_root(squared_lengths(X))) @ X)


def stack_features(parts: Iterable[Any], *, weights: Sequence[float] | None = None) -> sp.csr_matrix:
    """Features of the kernel sum_i weights_i k_i: columns side by side, scaled by the roots of the weights."""
    matrices = [sp.csr_matrix(check_matrix("a part", X)) for X in parts]
    factors = [1.0] * len(matrices) if weights is None else list(weights)
    if len(factors) != len(matrices) or not matrices or len({X.shape[0] for X in matrices}) != 1:
        raise ShapeError(
            "expected parts with equal numbers of rows and one weight each, "
            f"got rows {[X.shape[0] for X in matrices]} and weights {factors}"
        )
    for factor in factors:
        check_number("weights", factor)
    return sp.hstack([sqrt(factor) * X for factor, X in zip(factors, matrices)], format="csr")


def multiply_features(X: Any, Z: Any) -> sp.csr_matrix:
    """Features of the kernel k_X k_Z: in each row all products of a feature of X with one of Z.

    The columns are those of X times those of Z, the non-zeros of a row the product of the two rows' non-zeros: for
    large rows, multiply the Gram matrices instead.
    """
    X, Z = sp.csr_matrix(check_matrix("X", X)), sp.csr_matrix(check_matrix("Z", Z))
    if X.shape[0] != Z.shape[0]:
        raise ShapeError(f"expected equal numbers of rows, got shapes {X.shape} and {Z.shape}")
    rows = [sp.kron(X[i], Z[i], format="csr") for i in range(X.shape[0])]
    empty = sp.csr_matrix((0, X.shape[1] * Z.shape[1]))
    return sp.vstack(rows, format="csr") if rows else empty
