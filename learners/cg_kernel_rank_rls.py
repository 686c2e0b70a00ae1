"""RankRLS with a kernel by conjugate gradients, from products with the kernel matrix alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from scipy.sparse.linalg import LinearOperator
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, validate_data

from learners._conjugate_gradient import Iterate, kernel_conjugate_gradient
from learners._iterative_ranker import IterativeRanker, Product, ScoredExamples
from learners._kernel import Kernel, KernelOptions, is_kernel
from learners._kernel_products import kernel_products
from learners._ranker import RankerMixin
from learners._validation import check_only_preferences
from learners.errors import KernelError, LearnerError


class CGKernelRankRLS(RankerMixin, IterativeRanker, BaseEstimator):
    r"""RankRLS with a kernel, by conjugate gradients: one product with the kernel matrix per iteration.

    Minimises what :class:`~learners.rank_rls.RankRLS` does.  Its iterates are those of
    :class:`~learners.cg_rank_rls.CGRankRLS` on the features of the kernel [Airola2010_, sec. 5; Pahikkala2009_, 4.3],
    and regularize in the same three ways: O(t m^2) for t iterations, which are often few, in place of O(m^3).

    The kernel matrix need not be there: with ``low_memory`` its rows are computed when they are needed, and
    ``kernel="precomputed"`` takes any :class:`scipy.sparse.linalg.LinearOperator`, such as
    :class:`~learners.KroneckerKernel`, which multiplies faster than its matrix would.

    Parameters
    ----------
    regparam, early_stopping, validation_fraction, patience, tol, max_iter, on_limit, random_state
        As in :class:`~learners.cg_rank_rls.CGRankRLS`.
    kernel : str or callable, default="rbf"
        The name of one of scikit-learn's pairwise kernels, a callable that maps ``(X, Y)`` to the matrix of
        k(x_i, y_j), or "precomputed": then ``fit`` takes the m x m matrix or operator, ``predict`` that of new against
        training examples, and ``validation`` the one of the validation examples.
    gamma, degree, coef0 : float
        Parameters of the kernels that have names; gamma is 1 / n_features unless given.
    low_memory : bool, default=False
        Compute the kernel matrix anew for every product, some rows at a time, instead of keeping its 8 m^2 bytes.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,)
        f(x) = sum_i dual_coef_i k(x_i, x), over the examples that were trained on: without those set aside to stop by.
    n_iter_, best_iter_, residuals_, validation_errors_, n_features_in_
        As in :class:`~learners.cg_rank_rls.CGRankRLS`.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import CGKernelRankRLS, RankRLS
    >>> rng = np.random.default_rng(0)
    >>> X, qid = rng.normal(size=(60, 3)), np.repeat(np.arange(12), 5)
    >>> y = np.sin(X[:, 0]) + 10 * qid
    >>> model = CGKernelRankRLS(0.1, tol=1e-10).fit(X, y, qid=qid)
    >>> exact = RankRLS(0.1, kernel="rbf").fit(X, y, qid=qid)
    >>> bool(np.allclose(model.predict(X), exact.predict(X))), model.n_iter_ < 60
    (True, True)

    References
    ----------
    .. [Airola2010] A. Airola, T. Pahikkala, T. Salakoski. Large scale training methods for linear RankRLS.
       ECML/PKDD workshop on preference learning, 2010.
    .. [Pahikkala2009] T. Pahikkala, E. Tsivtsivadze, A. Airola, J. Jarvinen, J. Boberg. An efficient algorithm for
       learning to rank from preference graphs. Machine Learning 75(1), 2009.
    """

    def __init__(
        self,
        regparam: float | None = 1.0,
        *,
        kernel: Kernel = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        low_memory: bool = False,
        early_stopping: bool = False,
        validation_fraction: float = 0.2,
        patience: int = 10,
        tol: float = 1e-6,
        max_iter: int = 1000,
        on_limit: Literal["warn", "raise"] = "warn",
        random_state: Any = None,
    ):
        self.regparam = regparam
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.low_memory = low_memory
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.tol = tol
        self.max_iter = max_iter
        self.on_limit = on_limit
        self.random_state = random_state

    def predict(self, X: Any) -> np.ndarray:
        """Values of f, higher is better; only their differences within a query mean anything."""
        check_is_fitted(self)
        if not isinstance(X, LinearOperator):
            X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return self._products(X, self._spanning_rows)(self.dual_coef_)

    def _products(self, X: Any, Y: Any) -> Product:
        options = KernelOptions(self.gamma, self.degree, self.coef0)
        return kernel_products(self.kernel, options, X, Y, low_memory=self.low_memory)

    def _system(self, X: Any, laplacian: Product, right: np.ndarray, regparam: float) -> _KernelEquations:
        # Of precomputed rows only their number is needed again.
        self._spanning_rows = np.empty((X.shape[0], 0)) if is_kernel(self.kernel, "precomputed") else X
        return _KernelEquations(self, X, laplacian, right, regparam)

    def _store_solution(self, solution: np.ndarray) -> None:
        self.dual_coef_ = solution

    def _validate_with_scores(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        if not isinstance(X, LinearOperator):
            return super()._validate_with_scores(X, y)
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        check_consistent_length(np.empty(X.shape[0]), y)
        return self._validate_operator(X), y

    def _validate_with_preferences(self, X: Any, y: Any) -> Any:
        if not isinstance(X, LinearOperator):
            return super()._validate_with_preferences(X, y)
        check_only_preferences(y)
        return self._validate_operator(X)

    def _validate_operator(self, X: LinearOperator) -> LinearOperator:
        if X.shape[0] != X.shape[1]:
            raise KernelError(
                f"expected a square LinearOperator, the kernel of the training examples, got shape {X.shape!r}; pass "
                "that of all against all to fit"
            )
        self.n_features_in_ = X.shape[1]
        return X

    def _check_validation(self, validation: Any) -> ScoredExamples:
        if validation is None or not isinstance(validation[0], LinearOperator):
            return super()._check_validation(validation)
        X, *scored = validation
        # The scores are checked beside rows that stand for the operator's.
        return super()._check_validation((np.zeros(X.shape), *scored))._replace(X=X)

    def _split_validation(self, data: ScoredExamples, validation: Any) -> tuple[ScoredExamples, ScoredExamples]:
        if validation is None and is_kernel(self.kernel, "precomputed"):
            raise LearnerError(
                "expected validation=(K, y[, qid]) for early stopping with kernel='precomputed', K being the kernel of "
                "the validation examples against those of fit, got None; pass it, or the kernel itself"
            )
        return super()._split_validation(data, validation)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_kernel(self.kernel, "precomputed")
        return tags


class _KernelEquations:
    """(L K + regparam I) a = M N [Pahikkala2009, eq. 17], whose solution is that of the features' equations."""

    def __init__(self, model: CGKernelRankRLS, X: Any, laplacian: Product, right: np.ndarray, regparam: float):
        self._model, self._rows = model, model._spanning_rows
        self._products = model._products(X, self._rows)
        self._laplacian, self._right, self._regparam = laplacian, right, regparam

    @property
    def n_coefficients(self) -> int:
        return len(self._right)

    def iterates(self) -> Iterator[Iterate]:
        return kernel_conjugate_gradient(self._products, self._laplacian, self._right, self._regparam)

    def predictor(self, X: Any) -> Product:
        return self._model._products(X, self._rows)
