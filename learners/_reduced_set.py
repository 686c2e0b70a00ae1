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

from learners.errors import BasisError, KernelError


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
    _check_semidefinite(K_RR, factor[:, :rank], pivots, rank, scale)
    # Rows of the factor below the rank are the dropped vectors' coordinates: beta = L_21 C^-1.
    dependence = solve_triangular(C, np.tril(factor[:, :rank])[rank:].T, lower=True, trans="T").T
    return IndependentBasis(C, pivots[:rank], pivots[rank:], dependence)


def _check_semidefinite(K_RR: np.ndarray, factor: np.ndarray, pivots: np.ndarray, rank: int, scale: float) -> None:
    """Pivoting also stops at an indefinite matrix; there the squared distances left are negative."""
    left = np.diagonal(K_RR)[pivots[rank:]] - np.sum(np.square(factor[rank:]), axis=1)
    if len(left) and left.min() < -1e-6 * scale:
        raise KernelError(
            f"the kernel matrix of the basis vectors is not positive semidefinite: basis position "
            f"{pivots[rank + int(np.argmin(left))]} is at squared distance {left.min():.3g} from the span of the "
            "others; check the kernel"
        )


@dataclass(frozen=True)
class LostDirections:
    """The directions the span loses with some of its basis vectors, as combinations of kept positions.

    Position i alone stands for the direction dual to kept vector i. Most are lost as they are; of the
    ``touched`` ones, which a staying dropped vector still reaches, only some combinations are.
    """

    positions: np.ndarray  # kept vectors removed, (h,)
    touched: np.ndarray  # mask over positions
    combinations: np.ndarray  # (number touched, number of lost combinations), orthonormal columns

    @property
    def alone(self) -> np.ndarray:
        """Positions that are lost as they are."""
        return self.positions[~self.touched]

    def apply(self, rows: np.ndarray) -> np.ndarray:
        """One row for each lost direction from rows that are indexed by position."""
        if not np.any(self.touched):
            return rows[self.positions]
        return np.vstack([rows[self.alone], self.combinations.T @ rows[self.positions[self.touched]]])


def lost_directions(
    dependence: np.ndarray, kept_removed: np.ndarray, dropped_removed: np.ndarray, tolerance: float
) -> LostDirections:
    """What removing kept and dropped basis vectors takes away.

    A combination c of the directions dual to the removed kept vectors H is lost exactly if no staying
    dropped vector j in J reaches it: beta_JH c = 0. Singular values of beta_JH up to ``tolerance`` count as
    zero, entries up to it as absent.
    """
    reach = np.abs(dependence[:, kept_removed]) > tolerance
    reach[dropped_removed] = False
    touched = np.any(reach, axis=0)
    staying = np.any(reach, axis=1)
    if not np.any(touched):
        return LostDirections(kept_removed, touched, np.empty((0, 0)))
    beta = dependence[np.ix_(staying, kept_removed[touched])]
    _, singular, right = np.linalg.svd(beta, full_matrices=True)
    return LostDirections(kept_removed, touched, right[int(np.sum(singular > tolerance)) :].T)
