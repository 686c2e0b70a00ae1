"""Candidate parses that are trees over the same tokens, by their parts: the features of the shipped beam's ranker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ppi.errors import UsageError
from ppi.parse_ranking.types import CandidateSet
from ppi.parsing.reranking.beam import ROOT, BeamTrees
from ppi.parsing.reranking.features import BeamFeatures

#: What a model file calls them.
TREE_FEATURES_KIND = "trees"


@dataclass(frozen=True)
class TreeFeatures:
    """Turns candidate sets into one CSR row per candidate: its difference to the first of the set.

    Parameters
    ----------
    beam
        What a row is made of.
    """

    beam: BeamFeatures = field(default_factory=BeamFeatures)

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.beam.width

    def parameters(self) -> dict[str, Any]:
        """All parameters as plain JSON values."""
        return {"kind": TREE_FEATURES_KIND, **self.beam.parameters()}

    def transform(self, sets: Sequence[CandidateSet], *, rows: NDArray[np.int64] | None = None) -> sp.csr_matrix:
        """The features of all candidates, in order, as rows; or of those at these places in that order.

        Raises
        ------
        UsageError
            If the candidates of a sentence have different tokens, or a token has several heads: they are no trees.
        """
        matrix = self.beam.rows([to_beam_trees(candidate_set) for candidate_set in sets if candidate_set.candidates])
        return matrix if rows is None else matrix[rows]


def to_beam_trees(candidates: CandidateSet) -> BeamTrees:
    """The candidates of a sentence as arrays."""
    tokens = candidates.candidates[0].graph.tokens
    place = {token.id: number for number, token in enumerate(tokens)}
    label_ids = {ROOT: 0}
    heads = np.full((len(candidates.candidates), len(tokens)), -1, dtype=np.int16)
    labels = np.zeros_like(heads)
    for row, candidate in enumerate(candidates.candidates):
        if candidate.graph.tokens != tokens:
            raise UsageError(f"expected trees over the same tokens, got others in candidate {row} of {candidates.id!r}")
        for arc in candidate.graph.dependencies:
            child = place[arc.dependent]
            if heads[row, child] >= 0:
                raise UsageError(f"expected trees, got two heads of a token in candidate {row} of {candidates.id!r}")
            heads[row, child] = place[arc.governor]
            labels[row, child] = label_ids.setdefault(arc.type, len(label_ids))
    return BeamTrees(
        tuple(token.text for token in tokens),
        tuple(token.pos or "" for token in tokens),
        heads,
        labels,
        np.array([candidate.cost or 0.0 for candidate in candidates.candidates]),
        tuple(label_ids),
    )
