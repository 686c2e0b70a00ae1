"""RankRLS and sparse RankRLS that choose their regparam by exact hold-outs."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from learners._kernel import Kernel
from learners._regparam_choice import (
    REGPARAMS,
    Criterion,
    RegparamChoice,
    check_groups_option,
    pair_errors,
    ranking_errors,
)
from learners._validation import check_choice, check_targets
from learners.rank_rls import RankRLS
from learners.sparse_rank_rls import SparseRankRLS


class _RankingChoice(RegparamChoice):
    """``fit`` that poses the problem once, asks its hold-outs for every regparam, and solves for the best."""

    leave_out: str
    criterion: Criterion
    _LEAVES: tuple[str, ...]

    def fit(self, X: Any, y: Any, *, qid: Any = None, groups: Any = None) -> Self:
        """Choose regparam and solve for it.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features), or the kernel matrix if "precomputed"
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Scores, higher is better.  Outputs share one regparam.
        qid : array of shape (n_samples,), optional
            The query of each example; only examples of one query are compared.
        groups : array of shape (n_samples,), optional
            For leave_out="group": a label (document, patient, fold ...) for each example.

        Raises
        ------
        LearnerError
            If a parameter or the data cannot be used.
        """
        how = self.leave_out
        check_choice("leave_out", how, self._LEAVES)
        check_groups_option(groups, how)
        regparams = self._values()
        X = self._pose(X, y, qid, None)  # type: ignore[attr-defined]
        self.regparam_ = float(regparams[0])
        truth, single_output = check_targets(y, X.shape[0])
        predictions = self._predict_held_out(how, regparams, groups)
        if single_output:
            predictions = predictions[..., np.newaxis]
        pairs = how == "pair"
        errors = pair_errors(truth, predictions) if pairs else ranking_errors(self.criterion, truth, predictions, qid)
        self._choose(regparams, errors)
        self._set_coefficients(X)  # type: ignore[attr-defined]
        return self

    def _predict_held_out(self, how: str, regparams: np.ndarray, groups: Any) -> np.ndarray:
        """Predictions without the query, pair, example or group."""
        predictions: np.ndarray
        if how == "group":
            predictions = self.leave_group_out(groups, regparams)  # type: ignore[attr-defined]
        elif how == "pair":
            predictions = self.leave_pair_out(None, regparams)  # type: ignore[attr-defined]
        else:
            shortcut = self.leave_one_out if how == "one" else self.leave_query_out  # type: ignore[attr-defined]
            predictions = shortcut(regparams)
        return predictions


class RankRLSCV(_RankingChoice, RankRLS):  # type: ignore[misc]  # fit takes scores, no preferences
    """:class:`~learners.rank_rls.RankRLS` with the regparam of the least hold-out error.

    Parameters
    ----------
    regparams : sequence of float, default: powers of ten from 1e-5 to 1e5
        Among which to choose.
    leave_out : "query", "pair", "one" or "group", default="query"
        Whole queries; for one global ranking every two examples, whose order is then judged; single examples, each then
        compared with others of its query that were held out in their turn; or groups, which go to ``fit``.  An example
        that is held out alone has its own query in the training set: that tells how well further examples of known
        queries are ranked, not new queries.
    criterion : "disagreement" or callable, default="disagreement"
        The error within held-out queries: the share of pairs ordered wrongly, averaged over queries.  A callable maps
        (y_true, y_predicted, qid=...) of one output to an error: less is better.
    kernel, gamma, degree, coef0, form, cost, ties, normalize
        As in :class:`~learners.rank_rls.RankRLS`.

    Attributes
    ----------
    regparam_ : float
        The chosen one; of equally good ones the greatest.
    cv_results_ : dict
        ``regparam`` and ``error``, arrays of shape (n_regparams,).
    best_error_ : float
    form_, coef_, dual_coef_, decomposition_, n_features_in_
        As in :class:`~learners.rank_rls.RankRLS`.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RankRLSCV
    >>> rng = np.random.default_rng(0)
    >>> X, qid = rng.normal(size=(60, 8)), np.repeat(np.arange(12), 5)
    >>> y = X[:, 0] + 10 * qid  # the level of a query means nothing
    >>> model = RankRLSCV(regparams=[0.1, 1000.0]).fit(X, y, qid=qid)
    >>> model.regparam_, bool(model.best_error_ < 0.05)
    (0.1, True)
    """

    _LEAVES = ("query", "pair", "one", "group")

    def __init__(
        self,
        regparams: Any = REGPARAMS,
        *,
        leave_out: Literal["query", "pair", "one", "group"] = "query",
        criterion: Criterion = "disagreement",
        kernel: Kernel = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        form: Literal["auto", "primal", "dual"] = "auto",
        cost: Literal["magnitude", "unit", "relative"] = "magnitude",
        ties: Literal["auto", "include", "exclude"] = "auto",
        normalize: Literal["size", "pairs"] | None = "size",
    ):
        self.regparams = regparams
        self.leave_out = leave_out
        self.criterion = criterion
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.form = form
        self.cost = cost
        self.ties = ties
        self.normalize = normalize


class SparseRankRLSCV(_RankingChoice, SparseRankRLS):  # type: ignore[misc]  # as RankRLSCV
    """:class:`~learners.sparse_rank_rls.SparseRankRLS` with the regparam of the least leave-query-out error.

    Basis vectors of the held-out query are held out with it.

    Parameters
    ----------
    regparams, criterion
        As in :class:`RankRLSCV`.
    kernel, gamma, degree, coef0, n_basis, basis, cost, ties, normalize, rank_tol, random_state
        As in :class:`~learners.sparse_rank_rls.SparseRankRLS`.

    Attributes
    ----------
    regparam_, cv_results_, best_error_
        As in :class:`RankRLSCV`.
    basis_, kept_, dual_coef_, coef_, decomposition_, n_features_in_
        As in :class:`~learners.sparse_rls.SparseRLS`.
    """

    _LEAVES = ("query",)
    leave_out = "query"

    def __init__(
        self,
        regparams: Any = REGPARAMS,
        *,
        criterion: Criterion = "disagreement",
        kernel: Kernel = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_basis: int = 1000,
        basis: Any = None,
        cost: Literal["magnitude", "unit", "relative"] = "magnitude",
        ties: Literal["auto", "include", "exclude"] = "auto",
        normalize: Literal["size", "pairs"] | None = "size",
        rank_tol: float | None = None,
        random_state: Any = None,
    ):
        self.regparams = regparams
        self.criterion = criterion
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_basis = n_basis
        self.basis = basis
        self.cost = cost
        self.ties = ties
        self.normalize = normalize
        self.rank_tol = rank_tol
        self.random_state = random_state
