"""Regularized least-squares, with its exact cross-validation shortcuts."""

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator

from learners._kernel import Kernel
from learners._kernel_learner import WholeKernelLearner
from learners._least_squares import WeightedLeastSquares
from learners._shortcuts import PairShortcut
from learners.decomposition import RLSDecomposition


class RLS(WholeKernelLearner, WeightedLeastSquares, PairShortcut, BaseEstimator):
    """Regularized least-squares regression (ridge, kernel ridge).

    Minimises, over the functions f of the kernel's space and the intercept b,

        sum_i s_i (y_i - f(x_i) - b)^2 + regparam ||f||^2                        [thesis, eq. 2.12, there without b]

    with example weights s_i (1 unless given). The intercept is not penalised; ``fit_intercept=False`` fixes it at 0,
    as in the thesis. Several outputs are independent problems that share one decomposition.

    ``fit`` solves by one Cholesky factorization: m^3 / 3 operations in the dual form, O(m n^2 + n^3) in the primal one.
    Whatever is asked afterwards for other values of regparam, or without some of the examples, is read off one
    eigendecomposition, made when it is first asked for; for one or two values in the dual form off an inverse each.
    Memory in the dual form: the kernel matrix, twice as much beside it in ``fit`` and three times in hold-outs (8 m^2
    bytes each); in the primal one copies of X and n x n.
    Hold-out predictions equal refitting up to rounding errors of about 1e-16 times the ratio of the greatest
    eigenvalue to regparam, which matters for a singular kernel and a tiny regparam only, or in the dual form for
    features whose means are thousands of times their spread: centre these.

    Parameters
    ----------
    regparam : float, default=1.0
        The regularizer's weight, positive.
    fit_intercept : bool, default=True
        Whether there is a b. Every shortcut trains it anew, too.
    kernel : str or callable, default="linear"
        "linear", the name of one of scikit-learn's pairwise kernels ("rbf", "poly", ...), or a callable that maps
        ``(X, Y)`` to the matrix of k(x_i, y_j). With "precomputed", ``fit`` takes the
        n_samples x n_samples matrix and ``predict`` the matrix of new against training examples.
    gamma, degree, coef0 : float
        Parameters of the kernels that have names, those of ``sklearn.kernel_ridge.KernelRidge``; gamma is
        1 / n_features unless given.
    form : "auto", "primal" or "dual", default="auto"
        Which problem is decomposed. "auto" is primal for the linear kernel with fewer features than
        examples, dual otherwise. The primal form needs the linear kernel.

    Attributes
    ----------
    form_ : "primal" or "dual"
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        Weights of the features; linear kernel only.
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Coefficients of the training examples, f(x) = sum_i dual_coef_i k(x_i, x); dual form only.
    intercept_ : float or ndarray of shape (n_outputs,)
        b; 0 without ``fit_intercept``.
    decomposition_ : RLSDecomposition
        From which the paths and the shortcuts are read.
    regparam_ : float
        That of ``fit``: the shortcuts use it unless given another.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RLS
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 4.0])
    >>> model = RLS(regparam=1.0).fit(X, y)
    >>> model.predict([[2.0]])
    array([2.33333333])
    >>> model.leave_one_out()  # the last: mean 1.5, slope 0.5 / (0.5 + 1), 1.5 + (3 - 1.5) / 3
    array([2. , 2.5, 2. ])
    >>> model.leave_one_out(regparams=[0.1, 1.0, 10.0]).shape
    (3, 3)

    References
    ----------
    Rifkin, Lippert: Notes on regularized least squares, 2007. Pahikkala, Boberg, Salakoski: Fast n-fold
    cross-validation for regularized least-squares, 2006.
    """

    def __init__(
        self,
        regparam: float = 1.0,
        *,
        fit_intercept: bool = True,
        kernel: Kernel = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        form: Literal["auto", "primal", "dual"] = "auto",
    ):
        self.regparam = regparam
        self.fit_intercept = fit_intercept
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.form = form

    def _problem(self, X: Any, targets: np.ndarray, weight_roots: np.ndarray, single_output: bool) -> RLSDecomposition:
        form, matrix = self._choose_matrix(X)
        return RLSDecomposition(
            form, matrix, targets, weight_roots, single_output=single_output, fit_intercept=bool(self.fit_intercept)
        )
