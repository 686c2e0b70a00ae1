"""``fit`` and leave-query-out of RankRLS, whatever spans the function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import MultiOutputMixin
from sklearn.utils.validation import validate_data

from learners._pairwise_cost import PairwiseCost, Preferences, check_choices, costs_from_scores
from learners._queries import Queries, check_query_sets
from learners._ranker import RankerMixin
from learners._shortcuts import RegparamPath
from learners._validation import check_only_preferences, check_regparam, check_targets
from learners.errors import QueryError
from learners.rank_decomposition import RankDecomposition


class PairwiseLeastSquares(RegparamPath, RankerMixin, MultiOutputMixin):
    """A ranker by the problem that ``_problem`` makes of pairwise costs.

    A learner has the parameters ``cost``, ``ties`` and ``normalize``.
    """

    regparam: float
    cost: str
    ties: str
    normalize: str | None

    def fit(self, X: Any, y: Any = None, *, qid: Any = None, preferences: Any = None) -> Self:
        """Learn from scores y, or from preferences; everything is computed in float64.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features), or the kernel matrix if "precomputed"
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Scores, higher is better.  ``None`` with ``preferences``.
        qid : array of shape (n_samples,), optional
            The query of each example; only examples of one query are compared.  Without it, all are.
        preferences : array of shape (n_preferences, 2 or 3), optional
            Rows (i, j) or (i, j, magnitude): example i is preferred over example j.

        Raises
        ------
        LearnerError
            If a parameter or the data cannot be used.
        """
        self.regparam_ = check_regparam(self.regparam)
        self._set_coefficients(self._pose(X, y, qid, preferences))
        return self

    def _pose(self, X: Any, y: Any, qid: Any, preferences: Any) -> Any:
        """Set ``decomposition_``, and give the validated X."""
        X, y = self._validate_training(X, y, preferences)
        costs, single_output = self._pairwise_costs(X.shape[0], y, qid, preferences)
        self.decomposition_ = self._problem(X, costs, single_output)
        return X

    def leave_query_out(self, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Prediction of every training example by the model trained without its query [Pahikkala2009, eq. 33].

        Basis vectors of the query leave with it: they would have seen the test data.

        Parameters
        ----------
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam_``.

        Returns
        -------
        ndarray of shape ([n_regparams,] n_samples[, n_outputs])

        Raises
        ------
        QueryError
            Unless ``fit`` had at least two queries.
        """
        values = self._path_regparams(regparams)
        self._check_several_queries()
        return self._path_shape(self.decomposition_.leave_query_out(values), regparams)

    def leave_queries_out(
        self, sets: Sequence[Any], regparams: float | Iterable[float] | None = None
    ) -> list[np.ndarray]:
        """Predictions of each set of queries by the model trained without it [Pahikkala2009, sec. 3.3].

        For folds of queries, or queries that go together. Basis vectors of these queries leave with them.

        Parameters
        ----------
        sets : sequence of sequences of query identifiers
            As they stood in ``qid``; sets may overlap.
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam_``.

        Returns
        -------
        list of ndarray of shape ([n_regparams,] n_held[, n_outputs])
            For each set the examples of its queries, in the order of the training examples.

        Raises
        ------
        QueryError
            Unless ``fit`` had the queries of every set, and one more.
        """
        values = self._path_regparams(regparams)
        self._check_several_queries()
        numbers = check_query_sets(sets, self.decomposition_.query_labels)
        parts = self.decomposition_.leave_queries_out(numbers, values)
        return [self._path_shape(part, regparams) for part in parts]

    def _check_several_queries(self) -> None:
        if self._has_queries and self.decomposition_.n_queries >= 2:
            return
        if self._has_queries:
            reason = "got 1, without which nothing is left to train on; fit with more of them"
        elif self._has_preferences:
            reason = (
                "got preferences without qid, which do not say which examples belong together; pass qid= beside "
                "preferences= to fit"
            )
        else:
            reason = "got one global ranking; pass qid= to fit, or use leave_pair_out of RankRLS"
        raise QueryError(f"expected at least two queries for leave_query_out, {reason}")

    def _validate_training(self, X: Any, y: Any, preferences: Any) -> tuple[Any, Any]:
        options = {"accept_sparse": "csr", "dtype": np.float64, "ensure_min_samples": 2}
        if preferences is None:
            X, y = validate_data(self, X, y, multi_output=True, y_numeric=True, **options)
            return X, y
        check_only_preferences(y)
        return validate_data(self, X, **options), None

    def _pairwise_costs(self, m: int, y: Any, qid: Any, preferences: Any) -> tuple[list[PairwiseCost], bool]:
        """One cost for all outputs that share their pairs, their columns together those of y; whether y is one."""
        with_ties = check_choices(self.cost, self.ties, self.normalize)
        self._has_queries, self._has_preferences = qid is not None, preferences is not None
        self._scores, self._normalization = None, self.normalize
        if preferences is not None:
            queries = Queries.from_qid(qid, m) if qid is not None else None
            return [Preferences.from_edges(preferences, m, cost=self.cost).cost(queries)], True
        scores, single_output = check_targets(y, m)
        self._scores = scores if with_ties else None
        costs = costs_from_scores(
            scores, Queries.from_qid(qid, m), cost=self.cost, with_ties=with_ties, normalize=self.normalize
        )
        return costs, single_output

    def _problem(self, X: Any, costs: list[PairwiseCost], single_output: bool) -> RankDecomposition:
        raise NotImplementedError

    def _set_coefficients(self, X: Any) -> None:
        raise NotImplementedError
