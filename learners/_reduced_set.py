"""Which basis vectors of a reduced set are linearly independent, and what removing some of them removes.

Let K_RR be the kernel matrix of the r basis vectors. A Cholesky factor C C^T = K_RR [PaperIII, sec. 2] gives each
basis vector j coordinates, row j of C, in the space they span. If K_RR is singular to working precision (the same
sentence twice, more basis vectors than features), a pivoted Cholesky factorization keeps p independent basis
vectors and expresses each other one in them: k_j = sum_i beta_ji k_i. The span, and so the learned function,
is the same without the dependent ones. Nothing is added to the diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack, solve_triangular

from learners.errors import BasisError, KernelError

#: A squared distance below minus this part of the greatest k(x, x) is more than rounding: pivoting leaves errors of
#: about r times the float64 epsilon, 1e-12 for thousands of basis vectors, and an indefinite kernel leaves its own.
_INDEFINITE_TOLERANCE = 1e-6


class IndependentBasis(NamedTuple):
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
            f"expected a basis vector with k(x, x) > 0, got {scale!r} as the greatest, so they span nothing; "
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
    if len(left) and left.min() < -_INDEFINITE_TOLERANCE * scale:
        raise KernelError(
            "expected a positive semidefinite kernel matrix of the basis vectors, got one that is not positive "
            f"semidefinite: basis position {pivots[rank + int(np.argmin(left))]} is at squared distance "
            f"{left.min():.3g} from the span of the others; check the kernel"
        )


class LostDirections(NamedTuple):
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
        positions: np.ndarray = self.positions[~self.touched]
        return positions

    def apply(self, rows: np.ndarray) -> np.ndarray:
        """One row for each lost direction from rows that are indexed by position."""
        if not np.any(self.touched):
            own_rows: np.ndarray = rows[self.positions]
            return own_rows
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
    # The right singular vectors of the zero singular values span the null space of beta_JH.
    _, singular, right = np.linalg.svd(beta, full_matrices=True)
    return LostDirections(kept_removed, touched, right[int(np.sum(singular > tolerance)) :].T)


@dataclass(frozen=True, eq=False)
class ReducedSet:
    """The basis vectors of a learner: which examples they are, if they are, and which of them are independent."""

    size: int  # r
    examples: np.ndarray  # (r,): example of each basis vector, or (0,) if they are rows of their own
    independent: IndependentBasis
    kept_position: np.ndarray  # (m,): the example's position among the kept basis vectors, or -1
    dropped_position: np.ndarray  # (m,): the example's position among the dropped ones, or -1
    direction_tol: float  # see lost_directions

    @classmethod
    def from_kernel(cls, K_MR: np.ndarray, basis: np.ndarray, rank_tol: float) -> ReducedSet:
        """The reduced set of the examples ``basis``, given the kernel of all m examples against them."""
        independent, m = independent_basis(K_MR[basis], rank_tol), len(K_MR)
        kept, dropped = (_positions(basis[part], m) for part in (independent.kept, independent.dropped))
        # rank_tol bounds squared distances; a direction is a distance, so it counts as lost at the square root.
        return cls(len(basis), basis, independent, kept, dropped, float(np.sqrt(rank_tol)))

    @classmethod
    def from_rows(cls, K_RR: np.ndarray, n_samples: int, rank_tol: float) -> ReducedSet:
        """The reduced set of vectors that are no examples: whichever of these leave, none of it does."""
        nowhere = np.full(n_samples, -1, dtype=np.intp)
        examples = np.empty(0, dtype=np.intp)
        independent = independent_basis(K_RR, rank_tol)
        return cls(len(K_RR), examples, independent, nowhere, nowhere, float(np.sqrt(rank_tol)))

    @property
    def independent_examples(self) -> np.ndarray:
        """The examples that are the independent basis vectors, in the order of the rows of the factor C."""
        return self.examples[self.independent.kept] if len(self.examples) else self.examples

    def features(self, K_MR: np.ndarray) -> np.ndarray:
        """K_MR C^-T: the features whose inner products are the Nystrom kernel [thesis, eq. 2.8], (m, p)."""
        C, kept = self.independent.factor, self.independent.kept
        Z: np.ndarray = solve_triangular(C, K_MR[:, kept].T, lower=True, check_finite=False).T
        return Z

    def to_coefficients(self, w: np.ndarray) -> np.ndarray:
        """C^-T w: coefficients of the kept basis vectors from weights of the features [PaperIII, sec. 2]."""
        coefficients: np.ndarray = solve_triangular(
            self.independent.factor, w, lower=True, trans="T", check_finite=False
        )
        return coefficients

    def on_whole_basis(self, coefficients: np.ndarray) -> np.ndarray:
        """Coefficients (n_regparams, p, k) of the kept vectors as (n_regparams, r, k), 0 for dropped ones."""
        whole = np.zeros((len(coefficients), self.size, coefficients.shape[2]))
        whole[:, self.independent.kept] = coefficients
        return whole

    def lost_directions(self, examples: np.ndarray) -> LostDirections:
        """What the span loses with the basis vectors among ``examples``."""
        kept, dropped = self.kept_position[examples], self.dropped_position[examples]
        return lost_directions(self.independent.dependence, kept[kept >= 0], dropped[dropped >= 0], self.direction_tol)


def _positions(examples: np.ndarray, m: int) -> np.ndarray:
    positions = np.full(m, -1, dtype=np.intp)
    positions[examples] = np.arange(len(examples))
    return positions
