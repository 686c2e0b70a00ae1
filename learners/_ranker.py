"""What all rankers share: their score, their tags and, for the linear ones, their predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from learners.metrics.ranking import disagreement_error


class RankerMixin:
    """``score`` and scikit-learn's tags; predictions order examples, their level means nothing."""

    def score(self, X: Any, y: Any, qid: Any = None) -> float:
        """1 - the pairwise disagreement error, averaged over queries (and outputs): higher is better."""
        y, predictions = np.asarray(y, dtype=float), self.predict(X)  # type: ignore[attr-defined]
        if y.ndim == 1:
            return 1.0 - disagreement_error(y, predictions, qid=qid)
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
