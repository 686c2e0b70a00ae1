"""What all rankers share: their score, their tags and, for the linear ones, their predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from learners.errors import QueryError
from learners.metrics.ranking import disagreement_error


class RankerMixin:
    """``score`` and scikit-learn's tags; predictions order examples, their level means nothing."""

    _has_queries: bool  # whether fit had qid

    def score(self, X: Any, y: Any, qid: Any = None) -> float:
        """1 - the pairwise disagreement error, averaged over queries (and outputs): higher is better.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features), or the kernel matrix if "precomputed"
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Scores, higher is better.
        qid : array of shape (n_samples,), optional
            The query of each example; only examples of one query are compared.  Must be given if ``fit`` had it.

        Raises
        ------
        QueryError
            If ``fit`` had ``qid`` and this call has not: predictions for different queries cannot be compared.

        Examples
        --------
        scikit-learn's searches and cross-validation pass ``qid`` on by metadata routing:

        >>> import numpy as np
        >>> from sklearn import config_context
        >>> from sklearn.model_selection import GridSearchCV, GroupKFold
        >>> from learners import RankRLS
        >>> rng = np.random.default_rng(0)
        >>> X, qid = rng.normal(size=(40, 3)), np.repeat(np.arange(8), 5)
        >>> y = X[:, 0] + 10 * qid  # the level of a query means nothing
        >>> with config_context(enable_metadata_routing=True):
        ...     model = RankRLS().set_fit_request(qid=True).set_score_request(qid=True)
        ...     search = GridSearchCV(model, {"regparam": [0.1, 10.0]}, cv=GroupKFold(4))
        ...     search.fit(X, y, qid=qid, groups=qid).best_score_.item()
        1.0

        For a ``Pipeline``, whose ``score`` takes no ``qid``, give the search
        ``scoring=make_scorer(disagreement_error, greater_is_better=False).set_score_request(qid=True)`` and the
        ranker within ``set_fit_request(qid=True)``.
        """
        check_is_fitted(self)
        if qid is None and self._has_queries:
            raise QueryError(
                "expected qid, since fit had it and predictions for different queries cannot be compared, got None; "
                "pass qid= to score, or have searches pass it by metadata routing: "
                "sklearn.set_config(enable_metadata_routing=True) and "
                "model.set_fit_request(qid=True).set_score_request(qid=True)"
            )
        y, predictions = np.asarray(y, dtype=float), self.predict(X)  # type: ignore[attr-defined]
        if y.ndim == 1:
            agreement: float = 1.0 - disagreement_error(y, predictions, qid=qid)
            return agreement
        return 1.0 - float(np.mean([disagreement_error(t, p, qid=qid) for t, p in zip(y.T, predictions.T)]))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


class LinearRankerMixin(RankerMixin):
    """Rankers that end as one weight per feature, ``coef_``."""

    def predict(self, X: Any) -> np.ndarray:
        """Scores X coef_, higher is better; only their differences within a query mean anything."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True))  # type: ignore[attr-defined]
