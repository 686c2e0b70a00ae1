"""Which basis vectors of a reduced set are linearly independent, and what removing some of them removes.

Let K_RR be the kernel matrix of the r basis vectors. A Cholesky factor C C^T = K_RR gives each basis vector
j coordinates, row j of C, in the space they span. If K_RR is singular to working precision (the same
sentence twice, more basis vectors than features), a pivoted Cholesky factorization keeps p independent basis
vectors and expresses each other one in them: k_j = sum_i beta_ji k_i. The span, and so the learned function,
is the same without the dependent ones. Nothing is added to the diagonal.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack, solve_triangular

from learners.errors import BasisError


@dataclass(frozen=True)
class IndependentBasis:
    """The independent part of a basis; positions count along the basis as given."""

    factor: np.ndarray  # C of the kept vectors, lower triangular, (p, p)
    kept: np.ndarray  # (p,)
    dropped: np.ndarray  # (r - p,)
    dependence: np.ndarray  # beta, (r - p, p): row j expresses dropped[j] in the kept vectors


def independent_basis(K_RR: np.ndarray, rank_tol: float) -> IndependentBasis:
    """Cholesky factor of K_RR, or of its independent part if its condition exceeds 1 / rank_tol.

    Pivoting stops when the greatest squared distance of a remaining vector to the span of the kept ones is
    at most ``rank_tol`` times the greatest k(x, x).
    """
    r = len(K_RR)
    norm = np.max(np.sum(np.abs(K_RR), axis=0))
    factor, info = lapack.dpotrf(K_RR, lower=1, clean=1)
    if info == 0:
        rcond, _ = lapack.dpocon(factor, norm, uplo="L")
        if rcond > rank_tol:
            return IndependentBasis(factor, np.arange(r), np.empty(0, dtype=np.intp), np.empty((0, r)))
    scale = np.max(np.diagonal(K_RR))
    if not scale > 0:
        raise BasisError(
            f"every basis vector has k(x, x) <= 0 (the greatest is {scale!r}), so they span nothing; "
            "choose basis vectors with a non-zero feature"
        )
    factor, pivots, rank, _ = lapack.dpstrf(K_RR, tol=rank_tol * scale, lower=1)
    pivots = pivots.astype(np.intp) - 1
    C = np.tril(factor[:rank, :rank])
    # Rows of the factor below the rank are the dropped vectors' coordinates: beta = L_21 C^-1.
    dependence = solve_triangular(C, np.tril(factor[:, :rank])[rank:].T, lower=True, trans="T").T
    return IndependentBasis(C, pivots[:rank], pivots[rank:], dependence)


def removed_combinations(
    basis_dependence: np.ndarray, kept_removed: np.ndarray, dropped_removed: np.ndarray, tolerance: float
) -> np.ndarray | None:
    """Which directions the span loses with some of its basis vectors; None means all of ``kept_removed``.

    Removing the kept vectors H takes away the directions dual to them, unless a dropped vector that stays
    still reaches them: a combination c of the dual directions is lost exactly if beta_JH c = 0 for the
    staying dropped vectors J.

    Returns
    -------
    ndarray of shape (len(kept_removed), n_lost) or None
        Orthonormal combinations spanning the null space of beta_JH; singular values up to ``tolerance``
        count as zero.
    """
    if not len(basis_dependence) or not len(kept_removed):
        return None
    reach = basis_dependence[:, kept_removed]
    staying = np.max(np.abs(reach), axis=1) > tolerance
    staying[dropped_removed] = False
    if not np.any(staying):
        return None
    _, singular, right = np.linalg.svd(reach[staying], full_matrices=True)
    rank = int(np.sum(singular > tolerance))
    return right[rank:].T
