"""Nested cross-validation of RLS and sparse RLS for little more than a few trainings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from learners._nested_columns import check_columns
from learners._nested_layout import Rounds, make_nested_layout
from learners._nested_rls import solve_nested_rls
from learners._nested_sparse import solve_nested_sparse
from learners._validation import check_positive_weights, check_regparams
from learners.errors import LabelError, LearnerError
from learners.rls import RLS
from learners.sparse_rls import SparseRLS


@dataclass(frozen=True)
class NestedPredictions:
    """Every prediction of a nested cross-validation.

    Attributes
    ----------
    regparams : ndarray of shape (n_regparams,)
    fold_labels : ndarray of shape (n_folds,)
    fold_of : ndarray of shape (n_samples,)
        Position in ``fold_labels`` of the outer fold of each example, -1 for one that is always in training.
    inner : ndarray of shape (n_folds, n_regparams, n_samples[, n_outputs])
        Predictions of the training examples of each outer fold, by the model trained without that fold and
        without the example's group. NaN for the examples of the fold and those always in training.
    outer : ndarray of shape (n_regparams, n_samples[, n_outputs])
        Predictions of each example by the model trained without its outer fold. NaN for examples always in
        training.
    """

    regparams: np.ndarray
    fold_labels: np.ndarray
    fold_of: np.ndarray
    inner: np.ndarray
    outer: np.ndarray

    def training(self, fold: int) -> np.ndarray:
        """Indices of the examples that have inner predictions in the outer fold at position ``fold``."""
        return np.flatnonzero((self.fold_of != fold) & (self.fold_of >= 0))

    def select(self, y: Any, criterion: Callable[[np.ndarray, np.ndarray], float]) -> "NestedSelection":
        """Choose regparam in each outer fold by its inner predictions alone.

        Parameters
        ----------
        y : array of shape (n_samples,)
        criterion : callable
            ``criterion(y_true, predictions)``, greater is better, for example
            ``learners.metrics.auc``. The first of equally good regparams is chosen.
        """
        y = np.asarray(y)
        if len(y) != len(self.fold_of):
            raise LabelError(
                f"expected y to have {len(self.fold_of)} values, got {len(y)}; pass that of the nested run"
            )
        chosen = np.empty(len(self.fold_labels), dtype=np.intp)
        predictions = np.full(self.outer.shape[1:], np.nan)
        for fold, candidates in enumerate(self.inner):
            rows = self.training(fold)
            scores = [criterion(y[rows], candidate[rows]) for candidate in candidates]
            chosen[fold] = int(np.argmax(scores))
            test = self.fold_of == fold
            predictions[test] = self.outer[chosen[fold], test]
        return NestedSelection(chosen, self.regparams[chosen], predictions)


@dataclass(frozen=True)
class NestedSelection:
    """The regparam each outer fold chose, and its test predictions with it."""

    chosen: np.ndarray  # (n_folds,): positions in regparams
    regparams: np.ndarray  # (n_folds,)
    predictions: np.ndarray  # (n_samples[, n_outputs])


def nested_leave_group_out(
    estimator: RLS | SparseRLS,
    X: Any,
    y: Any,
    *,
    folds: Any,
    groups: Any = None,
    regparams: float | Iterable[float],
    always_train: Any = None,
    sample_weight: Any = None,
    progress: Callable[[np.ndarray], Iterable[float]] = iter,
) -> NestedPredictions:
    """Outer k-fold and inner leave-group-out over a grid of regparams, all from one decomposition.

    Equal to the plain nested loop: for each outer fold, for each regparam and for each group of the rest,
    train without the fold and the group and predict the group; then train without the fold and predict it.
    With :class:`SparseRLS` the basis vectors among the held-out examples are left out too, those of the
    fold as well as those of the group.

    Costs O(m^3) per regparam for the dual form; O(m^2 r + r m (m - r)) per regparam for the reduced set; in
    both cases plus O(m^3 / n_folds). Memory is a few matrices of m x m (and m x r), whatever the number of
    folds and regparams.

    Parameters
    ----------
    estimator : RLS or SparseRLS
        Its kernel, form, basis and so on are used, its regparam is not. It is not fitted.
    X, y : as for ``estimator.fit``
    folds : array of shape (n_samples,)
        Label of the outer fold of each example. A group must not be split between folds.
    groups : array of shape (n_samples,), optional
        Label of the group (document, query, ...) of each example. None: the folds themselves, so that within the
        training part of a fold the other folds are left out in turn, as the fold itself is.
    regparams : sequence of float
    always_train : label, optional
        Examples whose group has this label are in every training set and never predicted; their fold is
        ignored.
    sample_weight : array of shape (n_samples,), optional
    progress : callable, optional
        Wraps the loop over regparams, each of which costs the same; ``tqdm.tqdm`` shows the time left.

    Returns
    -------
    NestedPredictions

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RLS, nested_leave_group_out
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = X @ rng.normal(size=5) + rng.normal(size=60)
    >>> documents = np.repeat(np.arange(20), 3)
    >>> nested = nested_leave_group_out(
    ...     RLS(), X, y, folds=documents % 4, groups=documents, regparams=[0.1, 1.0, 10.0]
    ... )
    >>> nested.inner.shape, nested.outer.shape
    ((4, 3, 60), (3, 60))
    >>> selection = nested.select(y, lambda true, predicted: -np.mean((true - predicted) ** 2))
    >>> selection.predictions.shape
    (60,)
    """
    (predictions,) = repeated_nested_leave_group_out(
        estimator,
        X,
        y,
        folds=[folds],
        groups=groups,
        regparams=regparams,
        always_train=always_train,
        sample_weight=sample_weight,
        progress=progress,
    )
    return predictions


def repeated_nested_leave_group_out(
    estimator: RLS | SparseRLS,
    X: Any,
    y: Any,
    *,
    folds: Sequence[Any],
    groups: Any = None,
    regparams: float | Iterable[float],
    always_train: Any = None,
    sample_weight: Any = None,
    columns: Any = None,
    column_weights: Sequence[Any] | None = None,
    progress: Callable[[np.ndarray], Iterable[float]] = iter,
) -> list[NestedPredictions]:
    """:func:`nested_leave_group_out` for several assignments to outer folds, all from one decomposition.

    Repeating the outer cross-validation with other folds costs a fraction of the first time, since what is
    formed for each regparam is shared: O(m^3 / n_folds) per regparam in the dual form.

    Parameters
    ----------
    folds : sequence of arrays of shape (n_samples,)
        One assignment for each repeat.
    columns : array of shape (n_samples, n_columns), optional
        Features that the kernel has, K = K_rest + columns @ columns.T, and that weigh otherwise in every fold: a
        constant or other inputs whose scale is taken from the training part, so that the test part has no say in it.
    column_weights : sequence of arrays of shape (n_folds, n_columns), optional
        One array for each repeat: what the columns' products are multiplied by, positive. In fold k the kernel is
        K_rest + columns @ diag(column_weights[k]) @ columns.T. Costs O(m^2 n_columns) per regparam and repeat.

    Returns
    -------
    list of NestedPredictions
        In the order of ``folds``.
    """
    values = check_regparams(regparams)
    solve = _choose_solver(estimator)
    decomposition = clone(estimator).decompose(X, y, sample_weight)
    n_samples = decomposition.n_samples
    layouts = [
        make_nested_layout(fold_labels, fold_labels if groups is None else groups, n_samples, always_train)
        for fold_labels in folds
    ]
    check_positive_weights(decomposition.weight_roots)
    roots = decomposition.weight_roots[:, np.newaxis]
    predictions = []
    fold_columns = check_columns(columns, column_weights, layouts)
    for layout, (inner, outer) in zip(layouts, solve(decomposition, layouts, fold_columns, values, progress)):
        inner /= roots
        outer /= roots
        if decomposition.single_output:
            inner, outer = inner[..., 0], outer[..., 0]
        predictions.append(NestedPredictions(values, layout.fold_labels, layout.fold_of, inner, outer))
    return predictions


def _choose_solver(estimator: RLS | SparseRLS) -> Callable[..., list[Rounds]]:
    """The algorithm for this kind of decomposition."""
    if isinstance(estimator, RLS):
        return solve_nested_rls
    if isinstance(estimator, SparseRLS):
        return solve_nested_sparse
    raise LearnerError(
        f"expected an RLS or a SparseRLS for nested_leave_group_out, got {estimator!r}; for classification "
        "code the labels as +1 and -1"
    )
