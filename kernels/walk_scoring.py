"""The all-paths kernel's scores: a batch's own vocabulary, translated to the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kernels._weighing import weigh
from kernels.batch import Batch
from kernels.labels import N_MARKS, LabelIndex
from kernels.scoring import BatchScorer, Products
from kernels.vocabulary import PairVocabulary, join_keys, split_keys
from kernels.walk_rows import walk_rows

if TYPE_CHECKING:
    from kernels.all_paths import AllPathsFeatures


class AllPathsScorer(BatchScorer):
    """Scores over the label pairs of a fitted vocabulary.

    Parameters
    ----------
    features
        Whose parameters count.
    index, vocabulary
        The labels and label pairs that have weights.
    """

    def __init__(
        self, features: AllPathsFeatures, index: LabelIndex, vocabulary: PairVocabulary, weights: ArrayLike
    ) -> None:
        super().__init__(weights, len(vocabulary))
        self._features = features
        self._number = {base: number for number, base in enumerate(index.bases)}
        self._vocabulary = vocabulary
        # the last row is what column -1 finds: label pairs that the model does not know weigh nothing
        self.weights = np.vstack([self.weights, np.zeros((1, self.weights.shape[1]))])

    def products(self, batch: Batch) -> Products:
        """Each distinct label pair of the batch is looked up once."""
        index, vocabulary = LabelIndex(), PairVocabulary()
        rows = walk_rows(self._features, batch, index, vocabulary, grow=True)
        model_bases = np.array([self._number.get(base, -1) for base in index.bases], dtype=np.int64)
        # number of each label of the batch in the model; marks keep their places
        label = (N_MARKS * model_bases[:, None] + np.arange(N_MARKS)).ravel()
        label[np.repeat(model_bases < 0, N_MARKS)] = -1
        source, target = (label[numbers] for numbers in split_keys(vocabulary.keys))
        is_known = (source >= 0) & (target >= 0)
        weights = np.zeros((len(vocabulary), self.weights.shape[1]))
        columns = self._vocabulary.columns(join_keys(source[is_known], target[is_known]), grow=False)
        weights[is_known] = self.weights[columns]
        return Products(*weigh(rows.indptr, rows.columns, rows.values, weights))
