"""What a fitted learner keeps of its problem: one decomposition that answers for every regparam and hold-out.

``fit`` leaves one of these classes as ``decomposition_``. It holds the problem as it was given and decomposes it
when that pays, once: one or two values of regparam are solved by a Cholesky factorization each, which is what ``fit``
costs; a path, or more values one after another, is read off one eigendecomposition. Predictions come on the scale of
the original targets; arrays have the axis of regparams first and that of outputs last, also where there is only one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from learners import _holdout
from learners._cholesky import InverseCache, InverseForm, invert_regularized, solve_each
from learners._intercept import Intercept, centre_kernel, centre_rows, subtract_direction
from learners._kernel import Form
from learners._reduced_set import ReducedSet
from learners._sparse_spectral import SparseSpectralForm, decompose_sparse, sparse_hold_out_each
from learners._spectral import SpectralForm, WeightedFeatures, decompose_dual, decompose_primal, weight_kernel
from learners._validation import check_positive_weights
from learners.errors import GroupError


class Decomposition(ABC):
    """A least-squares problem over weighted examples.

    Attributes
    ----------
    targets : ndarray of shape (n_samples, n_outputs)
        Y~ = S^1/2 Y: the targets times the square roots of the example weights.
    weight_roots : ndarray of shape (n_samples,)
        Those square roots.
    single_output : bool
        Whether y came as a vector, so that results drop the axis of outputs.
    fit_intercept : bool
        Whether a constant that is not penalised is added to the function.

    Parameters
    ----------
    matrix : array or sparse matrix
        What the coefficients multiply: X, K or K_MR, one row per example.
    targets, weight_roots, single_output, fit_intercept
        As the attributes, targets without weights.
    """

    def __init__(
        self,
        matrix: Any,
        targets: np.ndarray,
        weight_roots: np.ndarray,
        *,
        single_output: bool,
        fit_intercept: bool = False,
    ):
        self.targets = targets * weight_roots[:, np.newaxis]
        self.weight_roots = weight_roots
        self.single_output = single_output
        self._intercept = Intercept.of(matrix, targets, weight_roots) if fit_intercept else None

    @property
    def n_samples(self) -> int:
        """How many training examples there are."""
        return len(self.targets)

    @property
    def fit_intercept(self) -> bool:
        """Whether the problem has an intercept."""
        return self._intercept is not None

    def intercepts(self, coefficients: np.ndarray) -> np.ndarray:
        """The intercepts, (n_regparams, n_outputs), that go with what :meth:`coefficients` gave; 0 without."""
        if self._intercept is None:
            return np.zeros((len(coefficients), self.targets.shape[1]))
        return self._intercept.values(coefficients)

    def _check_hold_outs(self, largest: int) -> None:
        check_positive_weights(self.weight_roots)
        if self.fit_intercept and self.n_samples <= largest:
            n = self.n_samples
            raise GroupError(
                f"expected more examples than the {largest} left out at a time, got {n} sample{'s' * (n > 1)}; an "
                "intercept needs at least one to train on"
            )

    @property
    @abstractmethod
    def eigenvalues(self) -> np.ndarray:
        """Of the weighted matrix that is decomposed, ascending."""

    @abstractmethod
    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """The solution for each regparam, (n_regparams, n_coefficients, n_outputs)."""

    def leave_one_out(self, regparams: np.ndarray) -> np.ndarray:
        """Prediction of every example without it, (n_regparams, n_samples, n_outputs)."""
        self._check_hold_outs(1)
        singles = [np.array([i]) for i in range(self.n_samples)]
        return np.concatenate(self.hold_out(singles, regparams), axis=1)

    def hold_out(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """For each hold-out U the predictions without it, (n_regparams, |U|, n_outputs)."""
        check_positive_weights(self.weight_roots)
        return self._hold_out(holdouts, regparams)

    @abstractmethod
    def _hold_out(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]: ...


class RLSDecomposition(Decomposition):
    """The problem of :class:`~learners.rls.RLS` with weights S: K~ = S^1/2 K S^1/2, or X~ = S^1/2 X.

    With an intercept what is decomposed is centred, see :mod:`learners._intercept`.

    Parameters
    ----------
    form : "primal" or "dual"
        Whether ``matrix`` is X or K, and so what is decomposed: X~^T X~ or K~.
    matrix : array or sparse matrix
        X of shape (n_samples, n_features), or K of shape (n_samples, n_samples).
    targets, weight_roots, single_output, fit_intercept
        As in :class:`Decomposition`.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RLS
    >>> model = RLS(form="dual", fit_intercept=False).fit(np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 4.0]))
    >>> model.decomposition_.eigenvalues.round(6).tolist()[-1]
    14.0
    >>> model.decomposition_.coefficients(np.array([1.0, 10.0])).shape
    (2, 3, 1)
    """

    def __init__(
        self,
        form: Form,
        matrix: Any,
        targets: np.ndarray,
        weight_roots: np.ndarray,
        *,
        single_output: bool,
        fit_intercept: bool = False,
    ):
        super().__init__(matrix, targets, weight_roots, single_output=single_output, fit_intercept=fit_intercept)
        self.form = form
        self._inverse_cache = InverseCache()
        self._shift = 0.0  # c of learners._intercept
        # The matrix is kept until it is decomposed: the spectral form replaces it.
        if form == "primal":
            self._matrix: Any = WeightedFeatures(matrix, weight_roots, centre=fit_intercept)
        else:
            self._matrix = weight_kernel(matrix, weight_roots)
            if self._intercept is not None:
                self._shift = centre_kernel(self._matrix, self._intercept.direction)  # K~ becomes P K~ P + c w^ w^T

    @cached_property
    def spectral(self) -> SpectralForm:
        """The eigendecomposition: O(m^3) in the dual form, O(m n^2 + n^3) in the primal one, the first time."""
        matrix, self._matrix = self._matrix, None
        decompose = decompose_primal if self.form == "primal" else decompose_dual
        return decompose(matrix, self.targets, self.weight_roots, has_intercept=self.fit_intercept)

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of K~ or X~^T X~, ascending."""
        return self.spectral.eigenvalues

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Weights of the features (primal) or of the examples (dual), (n_regparams, n or m, n_outputs)."""
        if self._matrix is not None and self._inverse_cache.is_cheaper_for(regparams):
            solved = self._solve_by_cholesky(regparams)
            if solved is not None:
                return solved
        return self.spectral.coefficients(regparams)

    def _solve_by_cholesky(self, regparams: np.ndarray) -> np.ndarray | None:
        """The coefficients by Cholesky: O(m^3) per regparam in the dual form, O(m n^2 + n^3) in the primal one."""
        # P Y~ in place of Y~: the same in exact arithmetic in the primal form, orthogonal to w in the dual one.
        right = self.targets if self._intercept is None else centre_rows(self.targets, self._intercept.direction)
        if self.form == "primal":  # w = (X~^T X~ + regparam I)^-1 X~^T Y~ [thesis, eq. 2.13]
            return solve_each(self._matrix.scatter(), regparams, self._matrix.transpose_dot(right))
        # a = S^1/2 (K~ + regparam I)^-1 Y~ [thesis, eq. 2.14]
        solved = solve_each(self._matrix, regparams, right)
        return None if solved is None else solved * self.weight_roots[:, np.newaxis]

    def inverse(self, regparam: float, out: np.ndarray | None = None) -> np.ndarray:
        """B, from which every hold-out is read: (K~ + regparam I)^-1 (dual) or I - hat (primal), O(m^3) or O(m^2 n).

        In the dual form a problem that is not decomposed stays so: a Cholesky factorization costs less.

        Parameters
        ----------
        out : ndarray of shape (n_samples, n_samples) in Fortran order, optional
            An array for that inverse, to be overwritten by it.
        """
        if self.form == "dual" and self._matrix is not None:
            return self._invert_by_cholesky(regparam, out)
        return self.spectral.inverse(regparam)

    def _invert_by_cholesky(self, regparam: float, out: np.ndarray | None = None) -> np.ndarray:
        """The dual B by Cholesky."""
        inverse = invert_regularized(self._matrix, regparam, out)
        if self._intercept is None:
            return inverse
        # The matrix has w^ as an eigenvector, of the eigenvalue c, which B has not.
        return subtract_direction(inverse, self._intercept.direction, 1.0 / (self._shift + regparam))

    def leave_one_out(self, regparams: np.ndarray) -> np.ndarray:
        """Prediction of every example without it, (n_regparams, n_samples, n_outputs)."""
        self._check_hold_outs(1)
        return _holdout.leave_one_out(self._form(regparams), regparams)

    def leave_pair_out(self, pairs: tuple[np.ndarray, np.ndarray] | None, regparams: np.ndarray) -> np.ndarray:
        """Predictions of both examples of each pair (of all pairs if None) without the two.

        Returns
        -------
        ndarray of shape (n_regparams, n_pairs, 2, n_outputs)
        """
        self._check_hold_outs(2)
        if pairs is None:
            return _holdout.leave_each_pair_out(self._form(regparams), regparams)
        return _holdout.leave_pair_out(self._form(regparams), *pairs, regparams)

    def _hold_out(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        return _holdout.hold_out_each(self._form(regparams), holdouts, regparams)

    def _form(self, regparams: np.ndarray) -> _holdout.HoldOutForm:
        """What hold-outs are read off: the inverse, if that is cheaper, or the eigendecomposition."""
        if (
            self.form == "dual"
            and self._matrix is not None
            and len(regparams) == 1
            and self._inverse_cache.is_cheaper_for(regparams)
        ):
            B = self._inverse_cache.inverse(regparams[0], self._invert_by_cholesky)
            if B is not None:
                return InverseForm(self._matrix, B, self.targets, self.weight_roots, self.fit_intercept)
        return self.spectral


class SparseRLSDecomposition(Decomposition):
    """The problem of :class:`~learners.sparse_rls.SparseRLS`: all examples, a function spanned by basis vectors.

    Hold-outs take the basis vectors among their examples along.

    Parameters
    ----------
    K_MR : ndarray of shape (n_samples, r)
        The kernel of all examples against the basis vectors.
    reduced : ReducedSet
        Which examples the basis vectors are, and which of them are independent.
    targets, weight_roots, single_output, fit_intercept
        As in :class:`Decomposition`.
    """

    def __init__(
        self,
        K_MR: np.ndarray,
        reduced: ReducedSet,
        targets: np.ndarray,
        weight_roots: np.ndarray,
        *,
        single_output: bool,
        fit_intercept: bool = False,
    ):
        super().__init__(K_MR, targets, weight_roots, single_output=single_output, fit_intercept=fit_intercept)
        self.reduced = reduced
        # Z = S^1/2 K_MR C^-T, (m, p), until it is decomposed: the spectral form replaces it
        self._features: Any = reduced.features(K_MR) * weight_roots[:, np.newaxis]
        self._means = None  # w^T Z of a Z that is centred
        if self._intercept is not None:
            # P Z = Z - w^ (w^T Z)
            self._means = self._intercept.direction @ self._features
            self._features -= np.outer(self._intercept.direction, self._means)
        self._inverse_cache = InverseCache()

    @cached_property
    def spectral(self) -> SparseSpectralForm:
        """The eigendecomposition in the space of the basis vectors: O(m r^2 + r^3) the first time."""
        features, self._features = self._features, None
        return decompose_sparse(features, self.reduced, self.targets, self.weight_roots, self._means)

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of the weighted Nystrom kernel, those that are not zero by construction, ascending."""
        return self.spectral.eigenvalues

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Coefficients of the basis vectors, 0 for dependent ones, (n_regparams, r, n_outputs)."""
        kept = None
        if self._features is not None and self._inverse_cache.is_cheaper_for(regparams):
            # a = C^-T (Z^T Z + regparam I)^-1 Z^T y~: RLS on Z, then b = C^-T w [PaperIII, sec. 2.2]
            Z = self._features
            solved = solve_each(Z.T @ Z, regparams, Z.T @ self.targets)
            kept = None if solved is None else np.stack([self.reduced.to_coefficients(w) for w in solved])
        return self.reduced.on_whole_basis(self.spectral.coefficients(regparams) if kept is None else kept)

    def _hold_out(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        return sparse_hold_out_each(self.spectral, holdouts, regparams)
