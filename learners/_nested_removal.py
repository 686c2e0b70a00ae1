"""Which directions of the basis an inner group takes along once its outer fold has left.

With an independent basis these are the group's own basis vectors. If some basis vectors depend on others, a
direction may stay when the fold leaves alone, because a dependent vector of the group still reaches it, and
go when both leave: it then goes with the group.
"""

from typing import NamedTuple

import numpy as np

from learners._nested_layout import NestedLayout
from learners._reduced_set import LostDirections
from learners._sparse_spectral import SparseSpectralForm

#: Two orthonormal sets of which one contains the other have singular values 1 and 0 between them: any value in the
#: middle tells them apart.
_BETWEEN_ZERO_AND_ONE = 0.5


class GroupRemoval(NamedTuple):
    """An inner group, and the directions that go with it: positions, or their combinations ``mix`` if given."""

    examples: np.ndarray  # U
    positions: np.ndarray  # H, among the kept basis vectors
    mix: np.ndarray | None  # (len(positions), n_directions)


class FoldRemoval(NamedTuple):
    """The directions an outer fold takes along, and for each inner group what goes with it."""

    lost: LostDirections
    groups: list[GroupRemoval]


def plan_removal(spectral: SparseSpectralForm, layout: NestedLayout, fold: int) -> FoldRemoval:
    """The plan of one outer fold; it does not depend on regparam."""
    examples = layout.folds[fold]
    lost = spectral.lost_directions(examples)
    groups = []
    for number in layout.inner_groups(fold):
        U = layout.groups[number]
        if len(spectral.reduced.independent.dropped):
            both = spectral.lost_directions(np.concatenate([examples, U]))
            positions, mix = _additional(lost, both)
        else:
            positions, mix = spectral.lost_directions(U).positions, None
        groups.append(GroupRemoval(U, positions, mix))
    return FoldRemoval(lost, groups)


def _additional(fold: LostDirections, both: LostDirections) -> tuple[np.ndarray, np.ndarray | None]:
    """The part of what ``both`` lose that is orthogonal to what the fold loses alone.

    ``both.positions`` are those of the fold followed by those of the group. What the fold loses as it is
    stays lost, so only its touched positions and those of the group have to be looked at.
    """
    h = len(fold.positions)
    own = both.positions[h:]
    if not np.any(fold.touched) and not np.any(both.touched):
        return own, None
    # Coordinates: the touched positions of the fold, then those of the group. ``after`` spans what both lose there,
    # ``before`` what the fold loses alone; the part of the first orthogonal to the second goes with the group.
    open_before = np.concatenate([fold.touched, np.ones(len(own), dtype=bool)])
    alone = np.eye(len(both.positions))[:, ~both.touched & open_before]
    mixed = np.zeros((len(both.positions), both.combinations.shape[1]))
    mixed[both.touched] = both.combinations
    after = np.hstack([alone, mixed])[open_before]
    before = np.zeros((len(after), fold.combinations.shape[1]))
    before[: int(np.sum(fold.touched))] = fold.combinations
    # Both spans have orthonormal columns, and the first contains the second: what the projection leaves has as many
    # singular values 1 as directions go with the group, and 0 for the others.
    rest = after - before @ (before.T @ after)
    left, singular, _ = np.linalg.svd(rest, full_matrices=False)
    return both.positions[open_before], left[:, singular > _BETWEEN_ZERO_AND_ONE]
