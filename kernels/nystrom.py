"""The Nystrom map, and the exact removal of basis vectors from it [PaperIII].

With basis vectors R and K_RR = C C^T, the rows of Phi = K_MR C^-T are the examples in an r-dimensional space whose
inner products are the Nystrom kernel K_MR K_RR^-1 K_RM [eq. 2].  Any linear learner trained on Phi is the
reduced-set kernel learner, with coefficients b = C^-T w on the basis vectors [section 2.2].

Removal.  Let H be the basis vectors held out, L the others.  The columns of N = (C^-1)_{:,H} are orthogonal to
the images of all basis vectors in L, because C_L (C^-1)_{:,H} = 0, and there are |H| of them: they span what has
to go.  With N = Q T (thin QR) the map without H is

    Phi' = Phi - (Phi Q) Q^T,      Phi' Phi'^T = K_ML K_LL^-1 K_LM.

This is Theorem 1 in O(|H| |R| m) with a projection in place of its two steps: any Phi' with these inner
products is a valid map.  C is lower triangular, so N is zero above the first row in H and the columns of Phi
before it stay as they are: with basis vectors in the order of the data, half of the work on average.

Dependent basis vectors.  If K_RR is singular (two equal examples are enough), the map rests on a largest
independent subset, found by Cholesky with pivoting; the other basis vectors lie in its span and change
nothing, until a vector of the subset is held out and one that depends on it is not.  Then the directions in
the span of Q along which such a vector has a part stay, and only the rest goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import qr, solve_triangular, svd
from scipy.linalg.blas import dgemm
from scipy.linalg.lapack import dpotrf, dpstrf
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from kernels.errors import KernelError, ParameterError, ShapeError
from kernels.validation import check_matrix
from kernels.vector import Kernel, LinearKernel


class NystromMap(TransformerMixin, BaseEstimator):
    """Examples as vectors whose inner products are the Nystrom approximation of a kernel.

    Fitting costs the kernel values, O(r^3) for the factor and O(m r^2) for the map.

    Parameters
    ----------
    kernel
        A kernel object, or ``"precomputed"``: ``X`` is then the square matrix of kernel values between examples in
        ``fit``, and values against the training examples in ``transform``.
    n_basis
        How many basis vectors are drawn, uniformly without replacement; all examples if there are not more.
    basis
        Indices of the basis vectors instead.
    random_state
        Seed or generator of the draw.
    rank_tol
        A basis vector counts as dependent if its squared distance from the span of others is at most this
        times the largest k(x, x); None takes r times the machine precision.

    Attributes
    ----------
    basis_ : array of r indices
        All basis vectors, in ascending order.
    independent_ : array of rank_ indices
        The positions in ``basis_`` that the map rests on.
    rank_ : int
        The dimension of the map.
    features_ : array of shape (m, rank_)
        The map of the training examples, in Fortran order.
    """

    def __init__(
        self,
        kernel: Kernel | str | None = None,
        *,
        n_basis: int | None = 1000,
        basis: ArrayLike | None = None,
        random_state: Any = None,
        rank_tol: float | None = None,
    ) -> None:
        self.kernel = kernel
        self.n_basis = n_basis
        self.basis = basis
        self.random_state = random_state
        self.rank_tol = rank_tol

    def fit(self, X: Any, y: ArrayLike | None = None) -> NystromMap:
        """Choose the basis, factor its kernel matrix and map the training examples."""
        X = check_matrix("X", X)
        n_samples = X.shape[0]
        if self._is_precomputed and X.shape[1] != n_samples:
            raise ShapeError(f"expected a square precomputed kernel matrix, got shape {X.shape}")
        self.basis_ = self._choose_basis(n_samples)
        self.n_train_ = n_samples
        self._basis_rows = None if self._is_precomputed else X[self.basis_]
        K = self._values(X)
        self._factorize(K[self.basis_])
        self.features_ = self._map(K[:, self.independent_])
        return self

    def fit_transform(self, X: Any, y: ArrayLike | None = None) -> NDArray[np.float64]:
        """The map of the training examples."""
        return self.fit(X).features_

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The map of any examples, K_XS C^-T."""
        check_is_fitted(self, "features_")
        return self._map(self._values(check_matrix("X", X))[:, self.independent_])

    def dual_coef(self, w: ArrayLike) -> NDArray[np.float64]:
        """Coefficients b on ``basis_`` (0 for dependent ones) with k(x, basis) b = map(x) w [b = C^-T w]."""
        check_is_fitted(self, "features_")
        w = self._check_weights(w)
        b = np.zeros((len(self.basis_), *w.shape[1:]))
        b[self.independent_] = solve_triangular(self.factor_, w, lower=True, trans=1)
        return b

    def without(self, examples: ArrayLike, *, out: NDArray[np.float64] | None = None) -> ReducedMap:
        """The map after removing those of these training examples that are basis vectors, exactly, by Theorem 1.

        Parameters
        ----------
        examples
            Indices of training examples, the hold-out set; those that are not basis vectors change nothing.
        out
            An array like ``features_`` (Fortran order) to write the new map to; its earlier content is lost.
        """
        check_is_fitted(self, "features_")
        holdout = self._holdout_mask(examples)
        removal = self._compute_removal(holdout)
        features = self._output(out)
        features[:, : removal.first] = self.features_[:, : removal.first]
        self._project(features, removal)
        return ReducedMap(self, np.flatnonzero(holdout), removal, features)

    def folds(
        self, splits: Iterable[tuple[ArrayLike, ArrayLike]], *, reuse: bool = False
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any], ReducedMap]]:
        """For each (train, test) of a cross-validation, these and the map without the basis vectors in ``test``.

        All folds together cost O(r^2 m) [Corollary 2].

        Parameters
        ----------
        reuse
            Write every map to one and the same array: faster, but a map is gone when the next one comes.
        """
        check_is_fitted(self, "features_")
        out, dirty = None, 0
        for train, test in splits:
            train, test = np.asarray(train), np.asarray(test)
            if not reuse:
                yield train, test, self.without(test)
                continue
            holdout = self._holdout_mask(test)
            removal = self._compute_removal(holdout)
            if out is None:
                out, dirty = self.features_.copy(order="F"), self.rank_
            if dirty < removal.first:  # what the fold before changed and this one does not
                out[:, dirty : removal.first] = self.features_[:, dirty : removal.first]
            self._project(out, removal)
            dirty = removal.first
            yield train, test, ReducedMap(self, np.flatnonzero(holdout), removal, out)

    @property
    def _is_precomputed(self) -> bool:
        if isinstance(self.kernel, str) and self.kernel != "precomputed":
            raise ParameterError(f'expected a kernel object or "precomputed", got {self.kernel!r}')
        return isinstance(self.kernel, str)

    def _choose_basis(self, n_samples: int) -> NDArray[np.int64]:
        if self.basis is not None:
            basis = np.unique(np.asarray(self.basis))
            if not len(basis) or basis[0] < 0 or basis[-1] >= n_samples or len(basis) != len(np.ravel(self.basis)):
                raise ParameterError(
                    f"expected basis as distinct indices from 0 to {n_samples - 1}, got {self.basis!r}"
                )
            return basis.astype(np.int64)
        if self.n_basis is None or (isinstance(self.n_basis, int | np.integer) and self.n_basis >= n_samples):
            return np.arange(n_samples)
        if not isinstance(self.n_basis, int | np.integer) or self.n_basis < 1:
            raise ParameterError(f"expected n_basis to be None or an integer of 1 or more, got {self.n_basis!r}")
        drawn = check_random_state(self.random_state).permutation(n_samples)[: self.n_basis]
        return np.sort(drawn)  # in the order of the data: see the module's text on the cost of removal

    def _values(self, X: Any) -> NDArray[np.float64]:
        """Kernel values of the rows of X against the basis."""
        if self._is_precomputed:
            if X.shape[1] != self.n_train_:
                raise ShapeError(
                    f"expected kernel values against the {self.n_train_} training examples, got shape {X.shape}"
                )
            columns = X[:, self.basis_]
            values: NDArray[np.float64] = columns.toarray() if hasattr(columns, "toarray") else columns
            return values
        kernel: Any = LinearKernel() if self.kernel is None else self.kernel
        values = kernel(X, self._basis_rows)
        return values

    def _factorize(self, K: NDArray[np.float64]) -> None:
        """Find the independent basis vectors and the Cholesky factor of their kernel matrix."""
        r = len(K)
        relative = r * np.finfo(float).eps if self.rank_tol is None else self.rank_tol
        self._tolerance = tolerance = relative * np.diagonal(K).max()
        # K_RR = C C^T [PaperIII, sec. 2.1].  A squared pivot C_ii^2 is what is left of k(x_i, x_i) beyond the span of
        # the vectors before; with pivoting the largest comes first, and dpstrf stops at the tolerance.
        C, failed = dpotrf(K, lower=1, clean=1)
        if failed == 0 and np.square(np.diagonal(C)).min() > tolerance:
            self.independent_ = np.arange(r)
        else:
            _, pivots, rank, _ = dpstrf(K, lower=1, tol=tolerance)
            self.independent_ = np.sort(pivots[:rank] - 1)
            C, failed = dpotrf(K[np.ix_(self.independent_, self.independent_)], lower=1, clean=1)
            if failed or not rank:
                raise KernelError(
                    f"expected kernel values of the basis with a positive definite part, got none of rank {rank}; "
                    "the kernel is not positive semidefinite or all zero, or rank_tol is too small"
                )
        self.rank_ = len(self.independent_)
        self.factor_ = C
        self.dependent_ = np.setdiff1d(np.arange(r), self.independent_)

    def _map(self, K: NDArray[np.float64]) -> NDArray[np.float64]:
        """K C^-T, in Fortran order: columns are what removal works on."""
        return np.asfortranarray(solve_triangular(self.factor_, K.T, lower=True).T)

    def _check_weights(self, w: ArrayLike) -> NDArray[np.float64]:
        w = np.asarray(w, dtype=np.float64)
        if not w.ndim or len(w) != self.rank_:
            raise ShapeError(f"expected {self.rank_} weights, one for each column of the map, got shape {w.shape}")
        return w

    def _holdout_mask(self, examples: ArrayLike) -> NDArray[np.bool_]:
        """Which basis vectors are among the training examples of these indices."""
        examples = np.asarray(examples, dtype=np.int64).ravel()
        if len(examples) and (examples.min() < 0 or examples.max() >= self.n_train_):
            raise ShapeError(
                f"expected indices of training examples from 0 to {self.n_train_ - 1}, "
                f"got {examples.min()} to {examples.max()}"
            )
        return np.isin(self.basis_, examples)

    def _compute_removal(self, holdout: NDArray[np.bool_]) -> Removal:
        """What goes with these basis vectors, and which dependent ones keep a part of it."""
        columns = np.flatnonzero(holdout[self.independent_])
        if not len(columns):
            none = np.empty((0, 0))
            return Removal(self.rank_, none, none, np.empty(0, np.int64))
        first = int(columns[0])
        unit = np.zeros((self.rank_ - first, len(columns)), order="F")
        unit[columns - first, np.arange(len(columns))] = 1.0
        # N = (C^-1)_:H, C^-1 of the unit vectors: zero before the first of them, since C is lower triangular.
        N = solve_triangular(self.factor_[first:, first:], unit, lower=True, overwrite_b=True)
        Q = qr(N, mode="economic", overwrite_a=True)[0]  # orthonormal columns, the same span
        # Parts of the dependent vectors that stay along Q: an orthonormal basis of those rows (SVD) turns Q into
        # directions that one of them still spans, and directions that are orthogonal to all of them and go.
        stays = self.dependent_[~holdout[self.dependent_]]
        parts = self.features_[self.basis_[stays], first:] @ Q
        _, lengths, Vt = svd(parts, full_matrices=True)
        n_kept = np.count_nonzero(np.square(lengths) > self._tolerance)
        if not n_kept:
            return Removal(first, Q, Q[:, :0], stays[:0])
        turned = Vt.T
        # As many of the vectors as there are directions, the most independent ones, can stand for what stays.
        order = qr((parts @ turned[:, :n_kept]).T, mode="r", pivoting=True)[1]
        return Removal(first, Q @ turned[:, n_kept:], Q @ turned[:, :n_kept], stays[order[:n_kept]])

    def _remove_component(self, rows: NDArray[np.float64], removal: Removal) -> None:
        """Take the part along what goes from the columns of ``rows`` (an array of rank_ rows), in place."""
        if removal.gone.size:
            rows[removal.first :] -= removal.gone @ (removal.gone.T @ rows[removal.first :])

    def _output(self, out: NDArray[np.float64] | None) -> NDArray[np.float64]:
        if out is None:
            return np.empty_like(self.features_, order="F")
        if out.shape != self.features_.shape or out.dtype != np.float64 or not out.flags.f_contiguous:
            raise ShapeError(
                f"expected out of shape {self.features_.shape}, float64 in Fortran order, got {out.shape}, {out.dtype}"
            )
        return out

    def _project(self, out: NDArray[np.float64], removal: Removal) -> None:
        """Write the columns of the map that change to ``out``, without their part along what goes."""
        first, Q = removal.first, removal.gone
        out[:, first:] = self.features_[:, first:]
        if Q.size:
            along = self.features_[:, first:] @ Q
            # Phi' = Phi - (Phi Q) Q^T, in place
            dgemm(-1.0, along, Q, 1.0, out[:, first:], trans_b=1, overwrite_c=1)


class Removal(NamedTuple):
    """Orthonormal directions in the columns of the map from ``first`` on; the columns before do not change.

    ``gone`` span what is removed, ``kept`` what the basis vectors at the positions ``keepers`` still span.
    """

    first: int
    gone: NDArray[np.float64]
    kept: NDArray[np.float64]
    keepers: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ReducedMap:
    """A Nystrom map after some basis vectors were removed.

    ``features`` maps all training examples, held out or not, to as many columns as before (their rank is
    smaller by the number of directions removed); ``removed`` are positions in the map's ``basis_``.
    """

    full: NystromMap
    removed: NDArray[np.int64]
    removal: Removal
    features: NDArray[np.float64]

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The reduced map of any examples, consistent with ``features``."""
        mapped = self.full.transform(X)
        self.full._remove_component(mapped.T, self.removal)
        return mapped

    def dual_coef(self, w: ArrayLike) -> NDArray[np.float64]:
        """Coefficients on the full map's ``basis_`` with k(x, basis) b = map(x) w; exactly 0 for the removed."""
        full, (first, _, kept, keepers) = self.full, self.removal
        w = full._check_weights(w).copy()
        full._remove_component(w, self.removal)
        images = full.features_[full.basis_[keepers]]
        # b = C^-T w is right for any w in the span of basis vectors that were not removed [PaperIII, sec. 2.2].
        # What is left of w along the directions kept is made of the keepers, the rest of vectors not removed.
        on_keepers = np.linalg.solve((images[:, first:] @ kept).T, kept.T @ w[first:]) if len(keepers) else None
        if on_keepers is not None:
            w -= images.T @ on_keepers
        b = full.dual_coef(w)
        if on_keepers is not None:
            b[keepers] = on_keepers
        b[self.removed] = 0.0
        return b
