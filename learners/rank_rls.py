"""RankRLS: learning to rank by regularized least-squares over pairs, with its exact cross-validation shortcuts."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator

from learners._kernel import Kernel
from learners._kernel_learner import WholeKernelLearner
from learners._pairwise_cost import PairwiseCost, all_pairs_weights
from learners._pairwise_least_squares import PairwiseLeastSquares
from learners._rank_pairs import leave_pair_out
from learners._shortcuts import HoldOutShortcuts, PairShortcut
from learners._validation import check_pairs
from learners.errors import PreferenceError, QueryError
from learners.rank_decomposition import RankRLSDecomposition


class RankRLS(WholeKernelLearner, PairwiseLeastSquares, HoldOutShortcuts, PairShortcut, BaseEstimator):
    r"""Pairwise regularized least-squares ranking.

    Minimises, over the functions f of the kernel's space,

        sum_Q 1/Z_Q sum_{pairs {i,j} of Q} w_ij^2 (z_ij - (f(x_i) - f(x_j)))^2 + regparam ||f||^2

    over the pairs of examples of the same query Q [Pahikkala2009_, eq. 16], each pair once.  With
    ``cost="magnitude"`` z_ij = y_i - y_j and w_ij = 1 (eq. 21), with "unit" z_ij = 1 for y_i > y_j (eq. 20),
    with "relative" z_ij = y_i - y_j and w_ij = 1 / z_ij (eq. 22).  Z_Q is the number of examples of the query
    (``normalize="size"``, as in [Pahikkala2010_]), of its pairs ("pairs"), or 1 (None).

    ``fit`` solves by one Cholesky factorization: m^3 / 3 operations in the dual form, O(m n^2 + n^3) in the primal one.
    Paths over regparam (eq. 31) and hold-outs for more than two values are read off one eigendecomposition, made when
    it is first asked for; for one or two values in the dual form off an inverse each.  Memory in the dual form: the
    kernel matrix, three times as much beside it in ``fit`` and four times in hold-outs (8 m^2 bytes each); in the
    primal one copies of X and n x n.

    Whole queries can be held out whatever the cost.  Single examples, or any sets of them, can be held out of scores
    with tied pairs included, as can pairs of one global ranking (eq. 38), for which the kernel matrix is decomposed.
    Predictions of all of them equal refitting up to rounding errors of about 1e-16 times the ratio of the greatest
    eigenvalue to regparam: in the dual form, with a singular kernel and a tiny regparam, few digits are left.
    Outputs share the decomposition when tied pairs are included; otherwise the pairs depend on the output, and each has
    its own.

    Parameters
    ----------
    regparam : float, default=1.0
        The regularizer's weight, positive.
    kernel : str or callable, default="linear"
        "linear", the name of one of scikit-learn's pairwise kernels ("rbf", "poly", ...), or a callable that maps
        ``(X, Y)`` to the matrix of k(x_i, y_j). Or "precomputed", as in :class:`~learners.rls.RLS`.
    gamma, degree, coef0 : float
        Parameters of the kernels that have names, those of ``sklearn.kernel_ridge.KernelRidge``; gamma is
        1 / n_features unless given.
    form : "auto", "primal" or "dual", default="auto"
        Which problem is decomposed; "auto" is primal for the linear kernel with fewer features than examples.
    cost : "magnitude", "unit" or "relative", default="magnitude"
        z_ij and w_ij above.  With "relative", scores that differ by less than 1e-5 of the greatest difference within a
        query count as ties, with a :class:`~learners.errors.NearTieWarning`: their weights would swamp the others.
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
    decomposition_ : RankRLSDecomposition
        From which the path and the shortcuts are read.
    regparam_ : float
        That of ``fit``: the shortcuts use it unless given another.
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
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        form: Literal["auto", "primal", "dual"] = "auto",
        cost: Literal["magnitude", "unit", "relative"] = "magnitude",
        ties: Literal["auto", "include", "exclude"] = "auto",
        normalize: Literal["size", "pairs"] | None = "size",
    ):
        self.regparam = regparam
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.form = form
        self.cost = cost
        self.ties = ties
        self.normalize = normalize

    def _problem(self, X: Any, costs: list[PairwiseCost], single_output: bool) -> RankRLSDecomposition:
        form, matrix = self._choose_matrix(X)
        return RankRLSDecomposition(form, matrix, costs, single_output=single_output)

    def _leave_pair_out(self, pairs: Any, regparams: np.ndarray) -> np.ndarray:
        """One decomposition of the kernel matrix, then O(m^2) for all pairs [Pahikkala2009, eq. 38]."""
        scores = self._check_global_scores()
        # What centering the m - 2 examples that are left is multiplied by: see CenteringLaplacian.
        kappa = float(all_pairs_weights(np.array([len(scores) - 2]), self._normalization)[0])
        chosen = None if pairs is None else check_pairs(pairs, len(scores))
        return leave_pair_out(self.decomposition_.kernel_matrix(), scores, chosen, regparams / kappa)

    def _check_global_scores(self) -> np.ndarray:
        if self._has_queries:
            raise QueryError(
                "expected a model fitted without qid for leave_pair_out, which is for one global ranking, got one "
                "fitted with qid; use leave_query_out, or fit without qid"
            )
        if self._scores is None:
            got = "preferences" if self._has_preferences else f"cost={self.cost!r} and ties={self.ties!r}"
            raise PreferenceError(
                f"expected scores and tied pairs included for leave_pair_out, got {got}: without all pairs present, "
                "leaving two examples out changes every entry of the Laplacian's diagonal; use scores, "
                "cost='magnitude' and ties='auto'"
            )
        if len(self._scores) < 4:
            raise PreferenceError(
                f"expected at least 4 examples for leave_pair_out, two of which are left to train on, got "
                f"{len(self._scores)}; give more"
            )
        return self._scores
