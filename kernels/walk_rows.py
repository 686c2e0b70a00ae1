"""Rows and scores of the all-paths kernel for a batch: sees to space, to columns and to graphs that diverge.

A batch is scored over a vocabulary of its own, each label pair of which is translated to the model's once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernels._all_paths import TOKEN_LABELS, Progress, Rows, SentenceLabels, WalkSettings, append_rows
from kernels.compiling import expect
from kernels.errors import ParameterError
from kernels.labels import N_MARKS, LabelIndex
from kernels.scoring import Batch, BatchScorer, Products, estimate_cells, weigh
from kernels.sentence_graphs import SentenceGraph, lemma_of
from kernels.vocabulary import PairVocabulary, join_keys, split_keys

if TYPE_CHECKING:
    from kernels.all_paths import AllPathsFeatures


#: The vocabulary grows by at least so many keys.
_MIN_NEW_KEYS = 1 << 16
#: Steps (:func:`kernels.compiling.expect`) for each cell of a candidate.
_STEPS_PER_CELL = 20


class WalkRows(NamedTuple):
    """A CSR matrix, columns of a row in no particular order, and how many graphs were scaled to make it."""

    indptr: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    n_scaled: int


def walk_rows(
    features: AllPathsFeatures, batch: Batch, index: LabelIndex, vocabulary: PairVocabulary, *, grow: bool
) -> WalkRows:
    """One row of label pairs per candidate, over the columns of ``vocabulary``.

    Parameters
    ----------
    features
        Whose parameters count; what it is fitted to does not.
    grow
        Whether labels and label pairs that are not known are added to ``index`` and ``vocabulary``, or left out.

    Raises
    ------
    DivergenceError
        If the sum over walks of a graph diverges, and ``features`` does not scale such graphs.
    """
    labels = sentence_labels(batch, index, features.labels, grow=grow)
    settings = WalkSettings(
        in_path_weight=float(features.in_path_weight),
        other_weight=float(features.other_weight),
        linear_weight=float(features.linear_weight),
        floor=float(features.min_weight),
        use_max=features.variant == "max",
        blind_pos=bool(features.blind_pos),
        mark_path=bool(features.mark_path),
        mark_place=bool(features.mark_place),
    )
    scales = np.ones(len(batch))
    longest = max((base.n_tokens for base in batch.bases), default=0)
    powers = settings.linear_weight ** np.arange(longest, dtype=np.float64)  # w^d between tokens d apart
    guess = int(estimate_cells(batch.graphs).sum())  # memory not written to is not used
    expect(_STEPS_PER_CELL * guess)
    rows = Rows(np.zeros(len(batch) + 1, np.int64), np.empty(guess, np.int32), np.empty(guess))
    progress, n_scaled = Progress(0, len(vocabulary), 0), 0
    while progress.candidate < len(batch):
        lookup = vocabulary.lookup(grow=grow)
        progress = append_rows(
            batch.sentences, labels, batch.candidates, scales, powers, settings, lookup, rows, progress
        )
        vocabulary.n_keys = progress.n_keys
        # it stopped at a candidate for want of space, or because its walks diverge; then on with the same candidate
        if progress.needed:
            _ensure_capacity(rows, int(rows.indptr[progress.candidate]) + progress.needed)
            if grow:
                vocabulary.reserve(max(progress.needed, _MIN_NEW_KEYS))
        elif progress.candidate < len(batch):
            scales[progress.candidate] = features.divergence_scale(batch.graphs[progress.candidate])
            n_scaled += 1
    _resize(rows, int(rows.indptr[-1]))
    if not np.isfinite(rows.values).all():
        raise ParameterError(
            f"expected finite sums over walks, got overflow with in_path_weight={features.in_path_weight!r} and "
            f"other_weight={features.other_weight!r}; use smaller weights"
        )
    return WalkRows(*rows, n_scaled)


def sentence_labels(batch: Batch, index: LabelIndex, kinds: Sequence[str], *, grow: bool) -> SentenceLabels:
    """The numbers of the labels of ``kinds``: a string is looked up once per token of a sentence, not of a pair."""
    words = [_token_numbers(base, index, kinds, grow) for base in batch.bases]
    types = [_type_numbers(base, index, kinds, grow) for base in batch.bases]
    return SentenceLabels(
        words=np.concatenate([np.empty((0, TOKEN_LABELS), np.int64), *words]),
        types=np.concatenate([np.empty(0, np.int64), *types]),
        n_bases=len(index),
    )


def _token_numbers(base: SentenceGraph, index: LabelIndex, kinds: Sequence[str], grow: bool) -> NDArray[np.int64]:
    """Three numbers per token: text, lemma, part of speech; -1 for what is not used or not known."""
    numbers = np.full((base.n_tokens, TOKEN_LABELS), -1, np.int64)
    if "text" in kinds:
        numbers[:, 0] = index.numbers("text", [token.text for token in base.tokens], grow=grow)
    if "lemma" in kinds:
        numbers[:, 1] = index.numbers("lemma", [lemma_of(token) for token in base.tokens], grow=grow)
    if "pos" in kinds:
        numbers[:, 2] = index.numbers("pos", [token.pos for token in base.tokens], grow=grow)
    return numbers


def _type_numbers(base: SentenceGraph, index: LabelIndex, kinds: Sequence[str], grow: bool) -> NDArray[np.int64]:
    if "dependency" not in kinds:
        return np.full(base.n_arcs, -1, np.int64)
    return np.array(index.numbers("dependency", base.types, grow=grow), dtype=np.int64)


def _ensure_capacity(rows: Rows, needed: int) -> None:
    if needed > len(rows.columns):
        _resize(rows, max(needed, 5 * len(rows.columns) // 4))


def _resize(rows: Rows, size: int) -> None:
    """In place where the system can, without a second copy."""
    rows.columns.resize(size, refcheck=False)
    rows.values.resize(size, refcheck=False)


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
