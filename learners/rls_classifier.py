"""Regularized least-squares classification: RLS on labels coded as +1 and -1."""

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from learners._kernel import Kernel, is_kernel
from learners._shortcuts import HoldOutShortcuts, PairShortcut
from learners.errors import LabelError
from learners.rls import RLS


class RLSClassifier(HoldOutShortcuts, PairShortcut, ClassifierMixin, BaseEstimator):
    """RLS classification, one class against the rest.

    Minimises what :class:`RLS` does, sum_i s_i (y_i - f(x_i) - b)^2 + regparam ||f||^2, with y_i = +1 for the class
    and -1 for the rest: one f for two classes (the greater label is +1), one for each class otherwise, all
    from one decomposition. The prediction is the sign of f + b, or the class whose f + b is largest. The hold-out
    shortcuts return decision values, those of f + b.

    Parameters
    ----------
    regparam, fit_intercept, kernel, gamma, degree, coef0, form
        As in :class:`RLS`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    rls_ : RLS
        The regressor on the coded labels.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights of the features; linear kernel only.
    intercept_ : ndarray of shape (1,) or (n_classes,)
    regparam_, decomposition_
        Those of ``rls_``.
    n_features_in_ : int

    Examples
    --------
    >>> from learners import RLSClassifier
    >>> model = RLSClassifier().fit([[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, 1.0]], ["b", "b", "a", "a"])
    >>> model.predict([[3.0, 0.0], [-3.0, 0.0]])
    array(['b', 'a'], dtype='<U1')
    >>> model.leave_one_out().round(2)  # decision values
    array([ 0.15,  1.35, -0.15, -1.35])
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Code the labels and decompose once, as :meth:`RLS.fit`."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise LabelError(
                f"expected at least two classes, got one class {self.classes_.tolist()[0]!r} in all "
                f"{len(y)} examples; check how the training set was chosen"
            )
        coded = np.where(codes[:, np.newaxis] == np.arange(len(self.classes_)), 1.0, -1.0)
        if len(self.classes_) == 2:
            coded = coded[:, 1]
        self.rls_ = RLS(
            self.regparam,
            fit_intercept=self.fit_intercept,
            kernel=self.kernel,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            form=self.form,
        )
        self.rls_.fit(X, coded, sample_weight=sample_weight)
        self.intercept_ = np.atleast_1d(self.rls_.intercept_)
        if is_kernel(self.kernel, "linear"):
            self.coef_ = np.atleast_2d(self.rls_.coef_)
        self.decomposition_, self.regparam_ = self.rls_.decomposition_, self.rls_.regparam_
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Values of f, (n_samples,) for two classes, (n_samples, n_classes) for more."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return self.rls_.predict(X)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each example; a decision value of exactly 0 goes to the lesser label."""
        return self.classes_from(self.decision_function(X))

    def classes_from(self, decision_values: np.ndarray) -> np.ndarray:
        """The classes that decision values, for example those of a hold-out, stand for."""
        check_is_fitted(self)
        values = np.asarray(decision_values)
        numbers = (values > 0).astype(int) if len(self.classes_) == 2 else np.argmax(values, axis=-1)
        labels: np.ndarray = self.classes_[numbers]
        return labels

    def __sklearn_tags__(self) -> Any:
        """Sparse X is welcome; a precomputed kernel is subset on both axes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_kernel(self.kernel, "precomputed")
        return tags
