"""What a fitted RankRLS keeps of its problem; the counterpart of :mod:`learners.decomposition` for rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from learners._kernel import Form, compute_kernel
from learners._laplacian import CenteringLaplacian
from learners._pairwise_cost import PairwiseCost
from learners._rank_removal import Removable
from learners._rank_systems import DualRankSystem, PrimalRankSystem
from learners._reduced_set import ReducedSet
from learners._sparse_rank_system import SparseRankSystem
from learners.errors import PreferenceError


class RankSystem(Protocol):
    """A ranking problem whose outputs share their pairs, decomposed when that is first asked for."""

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """The solution for each regparam, (n_regparams, n_coefficients, n_outputs)."""

    def leave_query_out(self, regparams: np.ndarray) -> np.ndarray:
        """Prediction of every example without its query, (n_regparams, n_samples, n_outputs)."""

    def leave_queries_out(self, sets: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """Predictions of the examples of each set of queries without it, (n_regparams, n_held, n_outputs)."""


class RankDecomposition:
    """A least-squares problem over pairs of examples.

    Attributes
    ----------
    systems : sequence of RankSystem
        One if all outputs share their pairs, as they do with ties included; otherwise one for each output.
    n_samples : int
        How many training examples there are.
    n_queries : int
        How many queries, or components of the graph of preferences, they form.
    query_labels : ndarray of shape (n_queries,)
        Their identifiers, sorted.
    single_output : bool
        Whether y came as a vector, so that results drop the axis of outputs.
    """

    def __init__(self, systems: Sequence[RankSystem], costs: Sequence[PairwiseCost], *, single_output: bool):
        self.systems = systems
        self.n_samples = len(costs[0].linear_term)
        self.n_queries = costs[0].laplacian.blocks.n_queries
        self.query_labels = costs[0].laplacian.blocks.labels
        self.single_output = single_output

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """The solution for each regparam, (n_regparams, n_coefficients, n_outputs)."""
        return np.concatenate([system.coefficients(regparams) for system in self.systems], axis=2)

    def intercepts(self, coefficients: np.ndarray) -> np.ndarray:
        """0 for each regparam and output: pairs do not see a constant."""
        # L 1 = 0: a constant added to f changes no difference f_i - f_j
        return np.zeros((len(coefficients), coefficients.shape[2]))

    def leave_query_out(self, regparams: np.ndarray) -> np.ndarray:
        """Prediction of every example without its query, (n_regparams, n_samples, n_outputs)."""
        return np.concatenate([system.leave_query_out(regparams) for system in self.systems], axis=2)

    def leave_queries_out(self, sets: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """Predictions of the examples of each set without it, (n_regparams, n_held, n_outputs), in their order.

        Sets are arrays of positions in ``query_labels``.
        """
        parts = [system.leave_queries_out(sets, regparams) for system in self.systems]
        return [np.concatenate(outputs, axis=2) for outputs in zip(*parts)]


class RankRLSDecomposition(RankDecomposition):
    """The problem of :class:`~learners.rank_rls.RankRLS`.

    Parameters
    ----------
    form : "primal" or "dual"
        Whether ``matrix`` is X or K, and so what is decomposed: X^T L X or F K F with F F = L.
    matrix : array or sparse matrix
        X of shape (n_samples, n_features), or K of shape (n_samples, n_samples).
    costs : sequence of PairwiseCost
        The Laplacian L and the linear term of each system.
    single_output : bool
        As in :class:`RankDecomposition`.
    """

    def __init__(self, form: Form, matrix: Any, costs: Sequence[PairwiseCost], *, single_output: bool):
        system = PrimalRankSystem if form == "primal" else DualRankSystem
        self.systems: list[PrimalRankSystem | DualRankSystem] = [system(matrix, cost) for cost in costs]
        super().__init__(self.systems, costs, single_output=single_output)
        self.form = form
        self._matrix = matrix
        self._laplacian = costs[0].laplacian

    def leave_one_out(self, regparams: np.ndarray) -> np.ndarray:
        """Prediction of every example without it, (n_regparams, n_samples, n_outputs)."""
        return self._removable.leave_one_out(regparams)

    def hold_out(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """For each hold-out U the predictions without it, (n_regparams, |U|, n_outputs)."""
        return self._removable.hold_out(holdouts, regparams)

    @property
    def _removable(self) -> Removable:
        """All outputs share their pairs, every pair of a query, so there is one system."""
        laplacian = self._laplacian
        if not isinstance(laplacian, CenteringLaplacian):
            raise PreferenceError(
                "expected scores and tied pairs included to hold out single examples, got preferences, or pairs that "
                "depend on the scores; use scores, cost='magnitude' and ties='auto', or hold out whole queries"
            )
        # L = kappa (I - 1 1^T / l) in each query does not depend on the scores
        (system,) = self.systems
        return system.removable(laplacian)

    def kernel_matrix(self) -> np.ndarray:
        """K of the training examples; X X^T is formed anew in the primal form."""
        return compute_kernel("linear", self._matrix) if self.form == "primal" else self._matrix


class SparseRankRLSDecomposition(RankDecomposition):
    """The problem of :class:`~learners.sparse_rank_rls.SparseRankRLS`: leaving a query out takes its basis along.

    Parameters
    ----------
    K_MR : ndarray of shape (n_samples, r)
        The kernel of all examples against the basis vectors.
    reduced : ReducedSet
        Which examples the basis vectors are, and which of them are independent.
    costs, single_output
        As in :class:`RankRLSDecomposition`.
    """

    def __init__(self, K_MR: np.ndarray, reduced: ReducedSet, costs: Sequence[PairwiseCost], *, single_output: bool):
        features = reduced.features(K_MR)  # Z = K_MR C^-T: RankRLS on Z is [Pahikkala2009, eq. 41], a = C^-T w
        systems = [SparseRankSystem(features, reduced, cost) for cost in costs]
        super().__init__(systems, costs, single_output=single_output)
        self.reduced = reduced
