"""The public face of paths over regparam and of the hold-out shortcuts, the same for every learner that has them.

Shapes: the axis of regparams is there when a sequence of them is given, the axis of outputs when ``fit`` had several.
"""

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, ClassVar, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from learners._validation import check_groups, check_holdouts, check_pairs, check_regparams, group_members
from learners.errors import GroupError, NotFittedError


class RegparamPath:
    """Solutions for several values of ``regparam``, read off the ``decomposition_`` that a learner has.

    What is asked without naming a value is for ``regparam_``, that of ``fit``, whatever ``set_params`` said since.
    A pickled learner leaves its ``decomposition_`` behind, as much as the training set and its square: what comes back
    predicts, and has to be fitted again to be asked for more.
    """

    regparam_: float
    decomposition_: Any
    #: Attributes that predict does without
    _TRANSIENT_ATTRIBUTES: ClassVar[tuple[str, ...]] = ("decomposition_", "_scores")

    def coefficient_path(self, regparams: float | Iterable[float]) -> np.ndarray:
        """Coefficients for each of ``regparams`` from the one decomposition.

        Returns
        -------
        ndarray of shape (n_regparams, n_coefficients[, n_outputs])
            Of the features in the primal form, O(n^2) each; of the training examples in the dual one, O(m^2);
            of the basis vectors of a reduced set, O(r^2).
        """
        return self._solution_path(regparams)[0]

    def _solution_path(self, regparams: float | Iterable[float]) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients, and the intercepts that go with them, (n_regparams[, n_outputs])."""
        self._check_decomposition()
        coefficients = self.decomposition_.coefficients(check_regparams(regparams))
        intercepts = self.decomposition_.intercepts(coefficients)
        return self._without_output_axis(coefficients), self._without_output_axis(intercepts)

    def _path_regparams(self, regparams: float | Iterable[float] | None) -> np.ndarray:
        """The values to compute for; ``regparam_`` if none are given."""
        self._check_decomposition()
        return np.array([self.regparam_]) if regparams is None else check_regparams(regparams)

    def _check_decomposition(self) -> None:
        check_is_fitted(self)
        if not hasattr(self, "decomposition_"):
            raise NotFittedError(
                f"expected a {type(self).__name__} that has its decomposition, got one that was pickled or copied, "
                "which leaves it behind: predict works, paths over regparam and hold-outs need fit again"
            )

    def __getstate__(self) -> dict[str, Any]:
        """What predict needs: neither the decomposition nor what only it is asked with."""
        state: dict[str, Any] = dict(cast(dict[str, Any], super().__getstate__()))
        for name in self._TRANSIENT_ATTRIBUTES:
            state.pop(name, None)
        return state

    def _path_shape(self, values: np.ndarray, regparams: float | Iterable[float] | None) -> np.ndarray:
        """Drop the axis of outputs if ``fit`` had one, and that of regparams if one was given."""
        values = self._without_output_axis(values)
        return values[0] if regparams is None or isinstance(regparams, Real) else values

    def _without_output_axis(self, values: np.ndarray) -> np.ndarray:
        return values[..., 0] if self.decomposition_.single_output else values


class HoldOutShortcuts(RegparamPath):
    """Leave-one-out, leave-group-out and arbitrary hold-outs, each equal to training again without them."""

    def leave_one_out(self, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Prediction of every training example by the model trained without it.

        Parameters
        ----------
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam_``.

        Returns
        -------
        ndarray of shape ([n_regparams,] n_samples[, n_outputs])
        """
        values = self._path_regparams(regparams)
        return self._path_shape(self.decomposition_.leave_one_out(values), regparams)

    def leave_group_out(
        self, groups: Any, regparams: float | Iterable[float] | None = None, *, always_train: Any = None
    ) -> np.ndarray:
        """Prediction of every training example by the model trained without that example's group.

        Parameters
        ----------
        groups : array of shape (n_samples,)
            A label (document, query, ...) for each training example.
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam_``.
        always_train : label, optional
            Examples with this label are never held out; their predictions are NaN.

        Returns
        -------
        ndarray of shape ([n_regparams,] n_samples[, n_outputs])
        """
        values = self._path_regparams(regparams)
        m = self.decomposition_.n_samples
        codes, labels = check_groups(groups, m)
        members = group_members(codes, len(labels))
        if always_train is not None:
            members = [U for U, label in zip(members, labels) if label != always_train]
        if not members:
            raise GroupError(
                f"expected groups besides the always_train label {always_train!r}, got it for every example, so no "
                "group is held out; give the examples to evaluate other labels"
            )
        parts = self.decomposition_.hold_out(check_holdouts(members, m), values)
        predictions = np.full((len(values), m, parts[0].shape[2]), np.nan)
        for indices, part in zip(members, parts):
            predictions[:, indices] = part
        return self._path_shape(predictions, regparams)

    def hold_out(self, holdouts: Sequence[Any], regparams: float | Iterable[float] | None = None) -> list[np.ndarray]:
        """Predictions of each hold-out by the model trained without it; hold-outs may overlap.

        Parameters
        ----------
        holdouts : sequence of integer arrays
            Indices of training examples.
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam_``.

        Returns
        -------
        list of ndarray of shape ([n_regparams,] len(holdout)[, n_outputs])
        """
        values = self._path_regparams(regparams)
        parts = self.decomposition_.hold_out(check_holdouts(holdouts, self.decomposition_.n_samples), values)
        return [self._path_shape(part, regparams) for part in parts]


class PairShortcut(RegparamPath):
    """Leave-pair-out, equal to training again without the two."""

    def leave_pair_out(self, pairs: Any = None, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Predictions for both examples of each pair by the model trained without the two.

        Parameters
        ----------
        pairs : array of shape (n_pairs, 2), optional
            Example indices; all m (m - 1) / 2 pairs, ordered as ``np.triu_indices(m, 1)``, if not given.
        regparams : float or sequence of float, optional
            Values to use in place of ``regparam_``.

        Returns
        -------
        ndarray of shape ([n_regparams,] n_pairs, 2[, n_outputs])
        """
        values = self._path_regparams(regparams)
        return self._path_shape(self._leave_pair_out(pairs, values), regparams)

    def _leave_pair_out(self, pairs: Any, regparams: np.ndarray) -> np.ndarray:
        """Predictions (n_regparams, n_pairs, 2, n_outputs)."""
        chosen = None if pairs is None else check_pairs(pairs, self.decomposition_.n_samples)
        predictions: np.ndarray = self.decomposition_.leave_pair_out(chosen, regparams)
        return predictions
