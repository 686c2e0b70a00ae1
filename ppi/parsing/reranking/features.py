"""The trees of a beam as rows: their parts, and what the parser itself thinks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kernels.tree_parts import TreeParts, Trees
from ppi.parsing.reranking.beam import BeamTrees
from ppi.pipeline.clusters import load_word_clusters

#: The beam's probabilities are raised to these powers before trees are compared with the others: sharp to flat.
_POWERS = (1.0, 0.5, 0.0)
N_PARSER_FEATURES = 3 + 2 * len(_POWERS)


@dataclass(frozen=True)
class BeamFeatures:
    """Hashed parts (:class:`~kernels.tree_parts.TreeParts`), and behind them the columns of the parser's opinion.

    The opinion on a tree is whether it is the greedy parser's, its cost above the least, the logarithm of that, and how
    many of its arcs and attachments the other trees share, weighed by their probabilities: a tree whose every arc is
    in most of the beam is the safest choice, even if another one is more probable as a whole.

    Parameters
    ----------
    n_features
        Columns of the parts: a power of 2.
    opinion
        The weight of the parser's opinion beside the parts: the larger, the less it is regularized.
    """

    n_features: int = 2**20
    opinion: float = 10.0

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.n_features + N_PARSER_FEATURES

    def parameters(self) -> dict[str, Any]:
        """All parameters as plain JSON values."""
        return {"n_features": self.n_features, "opinion": self.opinion}

    def rows(self, sentences: Sequence[BeamTrees]) -> sp.csr_matrix:
        """One row per tree, in order, as its difference to the first tree of the sentence."""
        parts = self._parts.rows(to_trees(sentence) for sentence in sentences)
        if not sentences:
            return sp.csr_matrix((0, self.width), dtype=np.float32)
        parser_rows = np.concatenate([parser_features(sentence) for sentence in sentences])
        parser_rows = sp.csr_matrix((self.opinion * parser_rows).astype(np.float32))
        return sp.hstack([parts, parser_rows], format="csr", dtype=np.float32)

    def scores(self, sentence: BeamTrees, weights: NDArray[np.float32]) -> NDArray[np.float64]:
        """The score of each tree, but for a constant: its row times the weights, without making rows."""
        parts = self._parts.scores(to_trees(sentence), weights[: self.n_features])
        return parts + self.opinion * (parser_features(sentence) @ weights[self.n_features :].astype(np.float64))

    @property
    def _parts(self) -> TreeParts:
        return TreeParts(n_features=self.n_features)


def to_trees(sentence: BeamTrees) -> Trees:
    """With the clusters of the words."""
    clusters = [load_word_clusters().of(word) for word in sentence.words]
    return Trees(sentence.words, sentence.tags, clusters, sentence.heads, sentence.labels, sentence.names)


def parser_features(sentence: BeamTrees) -> NDArray[np.float64]:
    """What the parser thinks of each tree, as differences to the first; shape (n_trees, N_OPINIONS)."""
    excess_costs = sentence.costs - sentence.costs.min()
    columns = [np.arange(len(excess_costs)) == 0, excess_costs, np.log1p(excess_costs)]
    same_head = sentence.heads[:, None, :] == sentence.heads[None, :, :]
    same_arc = same_head & (sentence.labels[:, None, :] == sentence.labels[None, :, :])
    heads, arcs = same_head.sum(axis=2), same_arc.sum(axis=2)  # (tree, other tree)
    for power in _POWERS:
        tree_weights = np.exp(-power * sentence.costs)
        tree_weights /= tree_weights.sum()
        columns += [heads @ tree_weights, arcs @ tree_weights]
    features = np.column_stack(columns).astype(np.float64)
    return features - features[0]
