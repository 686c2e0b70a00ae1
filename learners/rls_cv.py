"""RLS and sparse RLS that choose their regparam by exact hold-outs."""

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
    prediction_errors,
)
from learners._validation import check_choice
from learners.errors import LabelError
from learners.rls import RLS
from learners.sparse_rls import SparseRLS


class _LeastSquaresChoice(RegparamChoice):
    """``fit`` that poses the problem once, asks its hold-outs for every regparam, and solves for the best."""

    leave_out: str
    criterion: Criterion
    _LEAVES: tuple[str, ...]

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Choose regparam and solve for it.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features), or the kernel matrix if "precomputed"
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Outputs share one regparam.
        sample_weight : array of shape (n_samples,), optional
            The weights s_i, positive.
        groups : array of shape (n_samples,), optional
            For leave_out="group": a label (document, patient, ...) for each example.

        Raises
        ------
        LearnerError
            If a parameter or the data cannot be used.
        """
        how = self.leave_out
        check_choice("leave_out", how, self._LEAVES)
        check_groups_option(groups, how)
        regparams = self._values()
        X = self._pose(X, y, sample_weight)  # type: ignore[attr-defined]
        self.regparam_ = float(regparams[0])
        self._choose(regparams, self._errors(how, regparams, groups))
        self._set_coefficients(X)  # type: ignore[attr-defined]
        return self

    def _errors(self, how: str, regparams: np.ndarray, groups: Any) -> np.ndarray:
        problem = self.decomposition_  # type: ignore[attr-defined]
        roots = problem.weight_roots
        if how == "pair":
            if problem.n_samples < 3:
                n = problem.n_samples
                raise LabelError(
                    f"expected at least 3 examples with leave_out='pair', got {n} sample{'s' * (n > 1)}; give more"
                )
            predictions = problem.leave_pair_out(None, regparams)
            return pair_errors(problem.targets / roots[:, np.newaxis], predictions)
        if how == "one":
            predictions = problem.leave_one_out(regparams)
        else:
            held = self.leave_group_out(groups, regparams)  # type: ignore[attr-defined]
            predictions = held[..., np.newaxis] if problem.single_output else held
        errors: np.ndarray = prediction_errors(
            self.criterion, problem.targets / roots[:, np.newaxis], predictions, roots**2
        )
        return errors


class RLSCV(_LeastSquaresChoice, RLS):
    """:class:`~learners.rls.RLS` with the regparam of the least hold-out error.

    One decomposition gives the hold-out predictions for all values, each equal to training again without the held-out
    examples: what ``RidgeCV`` does for leave-one-out, with any kernel, for groups and for pairs too.

    Parameters
    ----------
    regparams : sequence of float, default: powers of ten from 1e-5 to 1e5
        Among which to choose.
    leave_out : "one", "group" or "pair", default="one"
        What each prediction was trained without; groups go to ``fit``.  Leave-pair-out judges the order of the two
        held-out examples, for which ``criterion`` is not asked; O(m^2) predictions per regparam.
    criterion : "squared_error", "absolute_error", "disagreement" or callable, default="squared_error"
        The error of held-out predictions, pooled.  "disagreement" is 1 - AUC where y has two values.  A callable maps
        (y_true, y_predicted) of one output to an error: less is better.
    fit_intercept, kernel, gamma, degree, coef0, form
        As in :class:`~learners.rls.RLS`.

    Attributes
    ----------
    regparam_ : float
        The chosen one; of equally good ones the greatest.
    cv_results_ : dict
        ``regparam`` and ``error``, arrays of shape (n_regparams,).
    best_error_ : float
    form_, coef_, dual_coef_, intercept_, decomposition_, n_features_in_
        As in :class:`~learners.rls.RLS`.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RLSCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(30, 5))
    >>> y = X[:, 0] + 0.1 * rng.normal(size=30)
    >>> model = RLSCV(regparams=[0.01, 1.0, 100.0]).fit(X, y)
    >>> model.regparam_, model.cv_results_["error"].round(3).tolist()
    (0.01, [0.011, 0.018, 0.396])
    """

    _LEAVES = ("one", "group", "pair")

    def __init__(
        self,
        regparams: Any = REGPARAMS,
        *,
        leave_out: Literal["one", "group", "pair"] = "one",
        criterion: Criterion = "squared_error",
        fit_intercept: bool = True,
        kernel: Kernel = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        form: Literal["auto", "primal", "dual"] = "auto",
    ):
        self.regparams = regparams
        self.leave_out = leave_out
        self.criterion = criterion
        self.fit_intercept = fit_intercept
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.form = form


class SparseRLSCV(_LeastSquaresChoice, SparseRLS):
    """:class:`~learners.sparse_rls.SparseRLS` with the regparam of the least hold-out error.

    Basis vectors among the held-out examples are held out with them.

    Parameters
    ----------
    regparams, criterion
        As in :class:`RLSCV`.
    leave_out : "one" or "group", default="one"
    fit_intercept, kernel, gamma, degree, coef0, n_basis, basis, rank_tol, random_state
        As in :class:`~learners.sparse_rls.SparseRLS`.

    Attributes
    ----------
    regparam_, cv_results_, best_error_
        As in :class:`RLSCV`.
    basis_, kept_, dual_coef_, coef_, intercept_, decomposition_, n_features_in_
        As in :class:`~learners.sparse_rls.SparseRLS`.
    """

    _LEAVES = ("one", "group")

    def __init__(
        self,
        regparams: Any = REGPARAMS,
        *,
        leave_out: Literal["one", "group"] = "one",
        criterion: Criterion = "squared_error",
        fit_intercept: bool = True,
        kernel: Kernel = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_basis: int = 1000,
        basis: Any = None,
        rank_tol: float | None = None,
        random_state: Any = None,
    ):
        self.regparams = regparams
        self.leave_out = leave_out
        self.criterion = criterion
        self.fit_intercept = fit_intercept
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_basis = n_basis
        self.basis = basis
        self.rank_tol = rank_tol
        self.random_state = random_state
