"""What all rankers share: their inputs, their score and their tags."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from learners._pairwise_cost import PairwiseCost, Preferences, check_choices, costs_from_scores
from learners._queries import Queries
from learners._validation import Kernel, check_regparam, check_regparams, check_targets
from learners.errors import KernelError, PreferenceError, QueryError
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
    """Rankers that end as one weight a feature, ``coef_``."""

    def predict(self, X: Any) -> np.ndarray:
        """Scores X coef_, higher is better; only their differences within a query mean anything."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True))  # type: ignore[attr-defined]


class PairwiseInputs:
    """Scores or preferences into pairwise costs, for learners with ``cost``, ``ties`` and ``normalize``."""

    cost: str
    ties: str
    normalize: str | None

    def _validate_training(self, X: Any, y: Any, preferences: Any) -> tuple[Any, Any]:
        options = {"accept_sparse": "csr", "dtype": np.float64, "ensure_min_samples": 2}
        if preferences is None:
            return validate_data(self, X, y, multi_output=True, y_numeric=True, **options)
        if y is not None:
            raise PreferenceError(
                "expected either scores y or preferences, got both; pass y=None to learn from preferences"
            )
        return validate_data(self, X, **options), None

    def _validate_new(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def _pairwise_costs(self, m: int, y: Any, qid: Any, preferences: Any) -> list[PairwiseCost]:
        """One cost for all outputs that share their pairs; their columns together are those of y."""
        with_ties = check_choices(self.cost, self.ties, self.normalize)
        self._has_queries, self._scores = qid is not None, None
        if preferences is not None:
            self._single_output = True
            queries = Queries.from_qid(qid, m) if qid is not None else None
            self._costs = [Preferences.from_edges(preferences, m, cost=self.cost).cost(queries)]
            return self._costs
        scores, self._single_output = check_targets(y, m)
        self._scores = scores if with_ties else None
        self._costs = costs_from_scores(
            scores, Queries.from_qid(qid, m), cost=self.cost, with_ties=with_ties, normalize=self.normalize
        )
        return self._costs

    def _check_several_queries(self) -> None:
        if not self._has_queries or self._costs[0].laplacian.blocks.n_queries < 2:
            raise QueryError(
                "leave_query_out needs at least two queries: nothing is left to train on without the only one; "
                "pass qid= to fit, or use leave_pair_out of RankRLS for a global ranking"
            )


class RegparamPath:
    """Shapes of what is computed for one or several values of regparam."""

    regparam: float
    _single_output: bool

    def _path_regparams(self, regparams: Any) -> np.ndarray:
        check_is_fitted(self)
        return np.array([check_regparam(self.regparam)]) if regparams is None else check_regparams(regparams)

    def _path_shape(self, values: np.ndarray, regparams: Any) -> np.ndarray:
        """Drop the axis of outputs if ``fit`` had one, and that of regparams if one was given."""
        if self._single_output:
            values = values[..., 0]
        return values[0] if regparams is None or isinstance(regparams, Real) else values


def is_kernel(kernel: Kernel, name: str) -> bool:
    """Whether ``kernel`` is the named one; kernel objects may define == as they like."""
    return isinstance(kernel, str) and kernel == name


def choose_form(form: str, kernel: Kernel, shape: tuple[int, int]) -> str:
    """The form to decompose: primal for the linear kernel with fewer features than examples, unless told."""
    if form not in ("auto", "primal", "dual"):
        raise KernelError(f"form must be 'auto', 'primal' or 'dual', got {form!r}")
    linear = is_kernel(kernel, "linear")
    if form == "primal" and not linear:
        raise KernelError(f"form='primal' needs kernel='linear', got kernel={kernel!r}; try form='dual'")
    if form == "auto":
        return "primal" if linear and shape[1] < shape[0] else "dual"
    return form
