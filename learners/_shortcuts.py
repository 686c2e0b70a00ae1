"""The public face of the hold-out shortcuts, the same for every learner that has them."""

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from learners._validation import (
    check_groups,
    check_holdouts,
    check_regparam,
    check_regparams,
    group_members,
)
from learners.errors import GroupError


class HoldOutShortcuts:
    """Leave-one-out, leave-group-out and arbitrary hold-outs, each equal to training again without them.

    A learner provides ``_n_training_examples``, ``_hold_out_each(holdouts, regparams)`` and
    ``_single_output``. Shapes: the axis of regparams is there when a sequence of them is given, the axis of
    outputs when ``fit`` had several.
    """

    regparam: float
    _single_output: bool

    def leave_one_out(self, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Prediction of every training example by the model trained without it.

        Parameters
        ----------
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam``.

        Returns
        -------
        ndarray of shape ([n_regparams,] n_samples[, n_outputs])
        """
        values = self._check_shortcut_regparams(regparams)
        return self._shape_like_call(self._hold_out_one(values), regparams)

    def leave_group_out(
        self, groups: Any, regparams: float | Iterable[float] | None = None, *, always_train: Any = None
    ) -> np.ndarray:
        """Prediction of every training example by the model trained without that example's group.

        Parameters
        ----------
        groups : array of shape (n_samples,)
            A label (document, query, ...) for each training example.
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam``.
        always_train : label, optional
            Examples with this label are never held out; their predictions are NaN.

        Returns
        -------
        ndarray of shape ([n_regparams,] n_samples[, n_outputs])
        """
        values = self._check_shortcut_regparams(regparams)
        m = self._n_training_examples()
        codes, labels = check_groups(groups, m)
        members = group_members(codes, len(labels))
        if always_train is not None:
            members = [U for U, label in zip(members, labels) if label != always_train]
        if not members:
            raise GroupError(
                f"every example has the always_train label {always_train!r}, so no group is held out; "
                "give the examples to evaluate other labels"
            )
        parts = self._hold_out_each(check_holdouts(members, m), values)
        predictions = np.full((len(values), m, parts[0].shape[2]), np.nan)
        for indices, part in zip(members, parts):
            predictions[:, indices] = part
        return self._shape_like_call(predictions, regparams)

    def hold_out(self, holdouts: Sequence[Any], regparams: float | Iterable[float] | None = None) -> list[np.ndarray]:
        """Predictions of each hold-out by the model trained without it; hold-outs may overlap.

        Parameters
        ----------
        holdouts : sequence of integer arrays
            Indices of training examples.
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam``.

        Returns
        -------
        list of ndarray of shape ([n_regparams,] len(holdout)[, n_outputs])
        """
        values = self._check_shortcut_regparams(regparams)
        parts = self._hold_out_each(check_holdouts(holdouts, self._n_training_examples()), values)
        return [self._shape_like_call(part, regparams) for part in parts]

    def _n_training_examples(self) -> int:
        raise NotImplementedError

    def _hold_out_each(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        raise NotImplementedError

    def _hold_out_one(self, regparams: np.ndarray) -> np.ndarray:
        singles = [np.array([i]) for i in range(self._n_training_examples())]
        return np.concatenate(self._hold_out_each(singles, regparams), axis=1)

    def _check_shortcut_regparams(self, regparams: float | Iterable[float] | None) -> np.ndarray:
        if regparams is None:
            return np.array([check_regparam(self.regparam)])
        return check_regparams(regparams)

    def _shape_like_call(self, predictions: np.ndarray, regparams: Any) -> np.ndarray:
        if self._single_output:
            predictions = predictions[..., 0]
        return predictions[0] if regparams is None or isinstance(regparams, Real) else predictions
