"""Prediction with a kernel, shared by the learners over all training examples and over a reduced set of them."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from learners._kernel import Form, Kernel, KernelOptions, choose_form, compute_kernel, is_kernel
from learners._reduced_set import ReducedSet
from learners._shortcuts import RegparamPath
from learners._validation import check_basis, check_basis_rows, check_regparam, is_rows
from learners.errors import BasisError, KernelError


class KernelLearner(RegparamPath):
    """``predict`` and ``predict_path`` of a learner with a ``kernel`` and its parameters, and a ``decomposition_``.

    A subclass says with ``_images`` what its coefficients multiply.
    """

    kernel: Kernel
    gamma: float | None
    degree: float
    coef0: float
    _spanning_rows: Any  # f is spanned by the kernel functions of these rows; None if they are not needed
    coef_: np.ndarray
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray = 0.0  # a ranker has no other

    def predict(self, X: Any) -> np.ndarray:
        """Values of f, shape (n_samples,) or (n_samples, n_outputs); of a ranker only differences mean anything."""
        X = self._validate_new(X)
        if is_kernel(self.kernel, "linear"):
            return np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True)) + self.intercept_
        predictions: np.ndarray = self._images(X) @ self.dual_coef_ + self.intercept_
        return predictions

    def predict_path(self, X: Any, regparams: float | Iterable[float]) -> np.ndarray:
        """Predictions for each of ``regparams`` from the one decomposition, regparams first."""
        images = self._images(self._validate_new(X))
        solutions, intercepts = self._solution_path(regparams)
        return np.stack([np.asarray(safe_sparse_dot(images, w)) + b for w, b in zip(solutions, intercepts)])

    def _kernel_matrix(self, X: Any, Y: Any = None) -> np.ndarray:
        """k(x_i, y_j) for the rows of X and of Y, or of X."""
        return compute_kernel(self.kernel, X, Y, KernelOptions(self.gamma, self.degree, self.coef0))

    def _validate_new(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def _images(self, X: Any) -> Any:
        """The matrix that times the coefficients of ``coefficient_path`` is f(X)."""
        raise NotImplementedError

    def _set_solution(self) -> np.ndarray:
        """Set ``intercept_``, if there is one, and give the coefficients."""
        solutions, intercepts = self._solution_path(self.regparam_)
        if hasattr(self, "fit_intercept"):
            self.intercept_ = intercepts[0]
        solution: np.ndarray = solutions[0]
        return solution

    def _set_dual_coefficients(self, solution: np.ndarray) -> None:
        self.dual_coef_ = solution
        if is_kernel(self.kernel, "linear"):
            self.coef_ = np.asarray(safe_sparse_dot(self._spanning_rows.T, solution, dense_output=True)).T

    def __getstate__(self) -> dict[str, Any]:
        """Without the rows that span a linear function, too: it has ``coef_``."""
        state = super().__getstate__()
        if is_kernel(self.kernel, "linear"):
            state.pop("_spanning_rows", None)
        return state

    def __sklearn_tags__(self) -> Any:
        """Sparse X is welcome; a precomputed kernel is subset on both axes."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_kernel(self.kernel, "precomputed")
        return tags


class WholeKernelLearner(KernelLearner):
    """A function spanned by all training examples, found in the primal or in the dual ``form``."""

    form: str
    form_: Form

    def _choose_matrix(self, X: Any) -> tuple[Form, Any]:
        """The form, and what is decomposed in it: X (primal) or the kernel matrix (dual)."""
        form = choose_form(self.form, self.kernel, X.shape)
        return form, X if form == "primal" else self._kernel_matrix(X)

    def _set_coefficients(self, X: Any) -> None:
        self.form_ = self.decomposition_.form
        self._spanning_rows = None if self.form_ == "primal" or is_kernel(self.kernel, "precomputed") else X
        solution = self._set_solution()
        if self.form_ == "primal":
            self.coef_ = solution.T
        else:
            self._set_dual_coefficients(solution)

    def _images(self, X: Any) -> Any:
        if self.form_ == "primal":
            return X
        # Of training rows only the number is read when the kernel is precomputed.
        rows = np.empty((X.shape[1], 0)) if self._spanning_rows is None else self._spanning_rows
        return self._kernel_matrix(X, rows)


class ReducedKernelLearner(KernelLearner):
    """A function spanned by the basis vectors ``basis_``, some of the training examples or rows of their own.

    A learner has the parameters ``kernel``, ``n_basis``, ``basis``, ``rank_tol`` and ``random_state``.
    """

    n_basis: int
    basis: Any
    rank_tol: float | None
    random_state: Any

    def _reduce(self, X: Any) -> tuple[np.ndarray, ReducedSet]:
        """Choose the basis: K_MR, and which of its vectors are independent."""
        if is_rows(self.basis):
            rows = self._basis_rows(X)
            K_MR, K_RR = self._kernel_matrix(X, rows), self._kernel_matrix(rows)
            return K_MR, ReducedSet.from_rows(K_RR, X.shape[0], self._rank_tolerance(rows.shape[0]))
        basis = self._choose_basis(X.shape[0])
        if is_kernel(self.kernel, "precomputed"):
            K_MR = self._select_basis_columns(X, basis)
        else:
            K_MR = self._kernel_matrix(X, X[basis])
        return K_MR, ReducedSet.from_kernel(K_MR, basis, self._rank_tolerance(len(basis)))

    def _basis_rows(self, X: Any) -> Any:
        if is_kernel(self.kernel, "precomputed"):
            raise BasisError(
                f"expected basis to hold indices of training examples with kernel='precomputed', got rows of shape "
                f"{np.shape(self.basis)!r}; pass the kernel itself, which is asked for their values"
            )
        return check_basis_rows(self.basis, X.shape[1])

    def _choose_basis(self, n_samples: int) -> np.ndarray:
        if self.basis is not None:
            return check_basis(self.basis, n_samples)
        if isinstance(self.n_basis, bool) or not isinstance(self.n_basis, int | np.integer) or self.n_basis < 1:
            raise BasisError(f"expected n_basis to be a positive integer, got {self.n_basis!r}; try n_basis=1000")
        r = min(int(self.n_basis), n_samples)
        return np.sort(check_random_state(self.random_state).permutation(n_samples)[:r])

    def _select_basis_columns(self, X: Any, basis: np.ndarray) -> np.ndarray:
        m, n_columns = X.shape
        if n_columns != m and (self.basis is None or n_columns != len(basis)):
            raise KernelError(
                f"expected a precomputed kernel of {m} training examples to have shape {(m, m)!r}, or one column for "
                f"each of the basis vectors given as basis=, got {X.shape!r}; pass kernel(X, X) or kernel(X, X[basis])"
            )
        K = compute_kernel("precomputed", X, np.empty((n_columns, 0)))
        return K[:, basis] if n_columns == m else K

    def _rank_tolerance(self, r: int) -> float:
        if self.rank_tol is None:
            return r * float(np.finfo(np.float64).eps)
        return check_regparam(self.rank_tol, name="rank_tol")

    def _set_coefficients(self, X: Any) -> None:
        reduced = self.decomposition_.reduced
        precomputed = is_kernel(self.kernel, "precomputed")
        if is_rows(self.basis):
            self.basis_, self.kept_ = self._basis_rows(X), reduced.independent.kept
            self._spanning_rows = self.basis_
        else:
            self.basis_, self.kept_ = reduced.examples, reduced.independent_examples
            self._spanning_rows = None if precomputed else X[self.basis_]
        self._has_whole_rows = precomputed and X.shape[0] == X.shape[1]
        self._set_dual_coefficients(self._set_solution())

    def _images(self, X: Any) -> np.ndarray:
        """The kernel between the rows of X and the basis vectors."""
        if self._spanning_rows is not None:
            return self._kernel_matrix(X, self._spanning_rows)
        K = compute_kernel("precomputed", X, np.empty((X.shape[1], 0)))
        return K[:, self.basis_] if self._has_whole_rows else K
