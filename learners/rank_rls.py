"""RankRLS: learning to rank by regularized least-squares over pairs, with its exact cross-validation shortcuts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.extmath import safe_sparse_dot

from learners._rank_pairs import leave_pair_out
from learners._rank_systems import DualRankSystem, PrimalRankSystem
from learners._ranker import PairwiseInputs, RankerMixin, RegparamPath, choose_form, is_kernel
from learners._validation import Kernel, check_pairs, check_regparam, compute_kernel
from learners.errors import PreferenceError, QueryError


class RankRLS(PairwiseInputs, RegparamPath, RankerMixin, BaseEstimator):
    r"""Pairwise regularized least-squares ranking.

    Minimises, over the functions f of the kernel's space,

        sum_Q 1/Z_Q sum_{pairs {i,j} of Q} w_ij^2 (z_ij - (f(x_i) - f(x_j)))^2 + regparam ||f||^2

    over the pairs of examples of the same query Q [Pahikkala2009_, eq. 16], each pair once.  With
    ``cost="magnitude"`` z_ij = y_i - y_j and w_ij = 1 (eq. 21), with "unit" z_ij = 1 for y_i > y_j (eq. 20),
    with "relative" z_ij = y_i - y_j and w_ij = 1 / z_ij (eq. 22).  Z_Q is the number of examples of the query
    (``normalize="size"``, as in [Pahikkala2010_]), of its pairs ("pairs"), or 1 (None).

    ``fit`` decomposes once: O(m^3) in the dual form, O(m n^2 + n^3) in the primal one.  Other values of
    regparam, leave-query-out and several outputs are read off that decomposition.  Outputs share it when tied
    pairs are included; otherwise the pairs depend on the output, and each has a decomposition of its own.

    Parameters
    ----------
    regparam : float, default=1.0
        The regularizer's weight, positive.
    kernel : "linear", "precomputed" or callable, default="linear"
        A callable maps ``(X, Y)`` to the matrix of k(x_i, y_j).
    form : "auto", "primal" or "dual", default="auto"
        Which problem is decomposed; "auto" is primal for the linear kernel with fewer features than examples.
    cost : "magnitude", "unit" or "relative", default="magnitude"
    ties : "auto", "include" or "exclude", default="auto"
        Whether pairs with equal scores, which ask for equal predictions, take part.  "auto" includes them with
        the magnitude cost; the other two costs have no meaning for them.
    normalize : "size", "pairs" or None, default="size"
        Z_Q above.  Concerns scores; a preference of ``preferences=`` always counts 1.

    Attributes
    ----------
    form_ : "primal" or "dual"
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        Weights of the features; linear kernel only.
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        f(x) = sum_i dual_coef_i k(x_i, x); dual form only.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from learners.rank_rls import RankRLS
    >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 1.0], [3.0, 0.0]])
    >>> model = RankRLS(regparam=1.0).fit(X, [1.0, 2.0, 0.0, 3.0], qid=[1, 1, 2, 2])
    >>> np.argsort(model.predict(X)).tolist()
    [2, 0, 1, 3]
    >>> model.leave_query_out(regparams=[0.1, 1.0, 10.0]).shape
    (3, 4)

    References
    ----------
    .. [Pahikkala2009] T. Pahikkala, E. Tsivtsivadze, A. Airola, J. Jarvinen, J. Boberg. An efficient algorithm for
       learning to rank from preference graphs. Machine Learning 75(1), 2009.
    .. [Pahikkala2010] T. Pahikkala, A. Airola, P. Naula, T. Salakoski. Greedy RankRLS: a linear time algorithm for
       learning sparse ranking models. SIGIR workshop on feature generation and selection, 2010.
    """

    def __init__(
        self,
        regparam: float = 1.0,
        *,
        kernel: Kernel = "linear",
        form: Literal["auto", "primal", "dual"] = "auto",
        cost: Literal["magnitude", "unit", "relative"] = "magnitude",
        ties: Literal["auto", "include", "exclude"] = "auto",
        normalize: Literal["size", "pairs"] | None = "size",
    ):
        self.regparam = regparam
        self.kernel = kernel
        self.form = form
        self.cost = cost
        self.ties = ties
        self.normalize = normalize

    def fit(self, X: Any, y: Any = None, *, qid: Any = None, preferences: Any = None) -> Self:
        """Learn from scores y, or from preferences.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features), or the kernel matrix if "precomputed"
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Scores, higher is better.  ``None`` with ``preferences``.
        qid : array of shape (n_samples,), optional
            The query of each example; only examples of one query are compared.  Without it, all are.
        preferences : array of shape (n_preferences, 2 or 3), optional
            Rows (i, j) or (i, j, magnitude): example i is preferred over example j.
        """
        regparam = check_regparam(self.regparam)
        X, y = self._validate_training(X, y, preferences)
        costs = self._pairwise_costs(X.shape[0], y, qid, preferences)
        self.form_ = choose_form(self.form, self.kernel, X.shape)
        self._X_fit: Any = None if is_kernel(self.kernel, "precomputed") else X
        self._K = compute_kernel(self.kernel, X) if self.form_ == "dual" else None
        self._systems = [
            DualRankSystem(self._K, cost) if self._K is not None else PrimalRankSystem(X, cost) for cost in costs
        ]
        self._set_coefficients(regparam)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Scores, shape (n_samples,) or (n_samples, n_outputs); only their differences mean anything."""
        X = self._validate_new(X)
        if is_kernel(self.kernel, "linear"):
            return np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True))
        return self._kernel_to_training(X) @ self.dual_coef_

    def predict_path(self, X: Any, regparams: float | Iterable[float]) -> np.ndarray:
        """Predictions for each of ``regparams`` from the one decomposition, regparams first."""
        X = self._validate_new(X)
        if self.form_ == "dual":
            X = self._kernel_to_training(X)
        return np.stack([np.asarray(safe_sparse_dot(X, w)) for w in self.coefficient_path(regparams)])

    def coefficient_path(self, regparams: float | Iterable[float]) -> np.ndarray:
        """Coefficients for each of ``regparams`` [Pahikkala2009, eq. 31].

        Shape (n_regparams, n_features[, n_outputs]) in the primal form, (n_regparams, n_samples[, n_outputs])
        in the dual one; O(n^2) or O(m^2) each.
        """
        values = self._path_regparams(regparams)
        solutions = np.concatenate([system.coefficients(values) for system in self._systems], axis=2)
        return solutions[:, :, 0] if self._single_output else solutions

    def leave_query_out(self, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Prediction of every training example by the model trained without its query [Pahikkala2009, eq. 33].

        Returns
        -------
        ndarray of shape ([n_regparams,] n_samples[, n_outputs])
        """
        values = self._path_regparams(regparams)
        self._check_several_queries()
        predictions = np.concatenate([system.leave_query_out(values) for system in self._systems], axis=2)
        return self._path_shape(predictions, regparams)

    def leave_pair_out(self, pairs: Any = None, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Predictions for both examples of each pair by the model trained without the two.

        For a global ranking by scores with tied pairs included [Pahikkala2009, eq. 38]: one decomposition of
        the kernel matrix, then O(m^2) for all pairs of a regparam besides one product of m x m matrices.

        Parameters
        ----------
        pairs : array of shape (n_pairs, 2), optional
            Example indices; all m (m - 1) / 2 pairs, ordered as ``np.triu_indices(m, 1)``, if not given.
        regparams : float or sequence of float, optional

        Returns
        -------
        ndarray of shape ([n_regparams,] n_pairs, 2[, n_outputs])
        """
        values = self._path_regparams(regparams)
        scores = self._check_global_scores()
        left = len(scores) - 2
        # What centering the examples that are left is multiplied by: see CenteringLaplacian.
        kappa = {"size": 1.0, "pairs": 2.0 / max(left - 1, 1), None: float(left)}[self.normalize]
        K = self._K if self._K is not None else compute_kernel("linear", self._X_fit)
        chosen = None if pairs is None else check_pairs(pairs, len(scores))
        return self._path_shape(leave_pair_out(K, scores, chosen, values / kappa), regparams)

    def _check_global_scores(self) -> np.ndarray:
        if self._has_queries:
            raise QueryError(
                "leave_pair_out is for one global ranking, but fit had qid; use leave_query_out, or fit without qid"
            )
        if self._scores is None:
            raise PreferenceError(
                f"leave_pair_out needs scores and tied pairs included, got cost={self.cost!r}, ties={self.ties!r} "
                "or preferences; without all pairs present, leaving two examples out changes every entry of the "
                "Laplacian's diagonal; use cost='magnitude' and ties='auto'"
            )
        if len(self._scores) < 4:
            raise PreferenceError(
                f"leave_pair_out needs at least 4 examples, two of which are left to train on, got {len(self._scores)}"
            )
        return self._scores

    def _set_coefficients(self, regparam: float) -> None:
        solution = self.coefficient_path(regparam)[0]
        if self.form_ == "primal":
            self.coef_ = solution.T
            return
        self.dual_coef_ = solution
        if is_kernel(self.kernel, "linear"):
            self.coef_ = np.asarray(safe_sparse_dot(self._X_fit.T, solution, dense_output=True)).T

    def _kernel_to_training(self, X: Any) -> np.ndarray:
        # compute_kernel only reads the number of training rows when the kernel is precomputed.
        training = np.empty((self.n_features_in_, 0)) if self._X_fit is None else self._X_fit
        return compute_kernel(self.kernel, X, training)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_kernel(self.kernel, "precomputed")
        tags.target_tags.multi_output = True
        return tags
