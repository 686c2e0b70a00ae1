"""Which examples each round of a nested cross-validation holds out, and the linear algebra the rounds share."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import blas, lapack

from learners._validation import check_groups, group_members
from learners.errors import GroupError


@dataclass(frozen=True)
class NestedLayout:
    """Outer folds, and the groups that lie in them."""

    n_samples: int
    fold_labels: np.ndarray
    fold_of: np.ndarray  # (m,): outer fold of each example, -1 if it is always in training
    folds: list[np.ndarray]  # examples of each outer fold
    groups: list[np.ndarray]  # examples of each group that is held out
    group_fold: np.ndarray  # outer fold of each group

    def inner_groups(self, fold: int) -> np.ndarray:
        """The groups that take turns within the training part of ``fold``."""
        return np.flatnonzero(self.group_fold != fold)


def make_nested_layout(folds: Any, groups: Any, n_samples: int, always_train: Any = None) -> NestedLayout:
    """Check that no group is split between folds and that every round has something to train on."""
    group_codes, group_labels = check_groups(groups, n_samples)
    is_held_out = np.ones(n_samples, dtype=bool)
    if always_train is not None:
        is_held_out = np.asarray(groups) != always_train
    if not np.any(is_held_out):
        raise GroupError(
            f"expected groups besides the always_train label {always_train!r}, got it for every example, so nothing is "
            "held out; give the examples to evaluate other labels"
        )
    fold_codes, _ = check_groups(folds, n_samples, name="folds")
    fold_labels, own_folds = np.unique(np.asarray(folds)[is_held_out], return_inverse=True)
    fold_of = np.full(n_samples, -1, dtype=np.intp)
    fold_of[is_held_out] = own_folds
    members = [U for U in group_members(group_codes, len(group_labels)) if is_held_out[U[0]]]
    _check_unsplit(fold_codes, members, group_labels[[group_codes[U[0]] for U in members]], folds)
    group_fold = np.array([fold_of[U[0]] for U in members])
    counts = np.bincount(group_fold, minlength=len(fold_labels))
    if len(fold_labels) < 2:
        raise GroupError(f"expected at least two folds, got {fold_labels.tolist()!r}; assign the groups to more folds")
    if np.all(is_held_out) and np.min(len(members) - counts) < 2:
        fold = int(np.argmax(counts))
        raise GroupError(
            f"expected at least two groups outside every fold, but without fold {fold_labels.tolist()[fold]!r} there "
            f"is {len(members) - counts[fold]} group left, so the inner leave-group-out has nothing to train on; "
            "use more, smaller groups or folds"
        )
    outer = [np.flatnonzero(fold_of == number) for number in range(len(fold_labels))]
    return NestedLayout(n_samples, fold_labels, fold_of, outer, members, group_fold)


class Rounds(NamedTuple):
    """The predictions of one layout, weighted as the targets are; NaN where there is none."""

    inner: np.ndarray  # (n_folds, n_regparams, m, k): without the fold and the example's group
    outer: np.ndarray  # (n_regparams, m, k): without the example's fold


def empty_rounds(layout: NestedLayout, n_regparams: int, n_outputs: int) -> Rounds:
    """Arrays for the predictions of one layout, NaN until they are filled in."""
    inner = np.full((len(layout.folds), n_regparams, layout.n_samples, n_outputs), np.nan)
    return Rounds(inner, np.full((n_regparams, layout.n_samples, n_outputs), np.nan))


def _check_unsplit(fold_codes: np.ndarray, members: list[np.ndarray], labels: np.ndarray, folds: Any) -> None:
    split = [number for number, U in enumerate(members) if len(np.unique(fold_codes[U])) > 1]
    if split:
        label = labels[split[:1]].tolist()[0]
        seen = np.unique(np.asarray(folds)[members[split[0]]]).tolist()
        raise GroupError(
            f"expected no group to be split between outer folds, but {len(split)} of {len(members)} are, for example "
            f"group {label!r} lies in folds {seen!r}; assign folds to whole groups"
        )


def buckets_by_shape(shapes: list[tuple[int, ...]]) -> list[np.ndarray]:
    """Positions of equal shapes together, so that each bucket is one stacked solve."""
    buckets: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for position, shape in enumerate(shapes):
        buckets[shape].append(position)
    return [np.array(positions) for positions in buckets.values()]


def divide_rows(L: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """``rows @ L^-T`` in place: the triangular solve of a panel whose columns are kept as rows.

    Multiplying by the inverse of the small triangle is half again as fast as solving for a panel this long.
    """
    if not rows.shape[1]:
        return rows
    # rows L^-T = (L^-1 rows^T)^T: BLAS sees rows^T, which lies in its own order, and overwrites it
    inverse, _ = lapack.dtrtri(L, lower=1)
    divided: np.ndarray = blas.dtrmm(1.0, inverse, rows.T, lower=1, overwrite_b=1).T
    return divided
