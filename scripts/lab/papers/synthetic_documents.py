"""Made-up documents of the size and sparsity of RCV1, for experiments on data that cannot be passed on.

How a document comes about, all from one seed:

1. It has a topic, one of ``N_TOPICS``, the k-th most frequent with probability proportional to 1 / (k + 5). Every
   other topic is relevant, as about half of RCV1 is in its category CCAT.
2. Its length is log-normal. A word is the topic's with probability ``TOPIC_SHARE``: one of the ``TOPIC_WORDS``
   words of that topic, which are drawn once, the frequent ones as probably as the rare ones (uniform in the logarithm
   of the rank). Otherwise it is the language's: word r with probability proportional to 1 / (r + 2.7), Zipf's law as
   Mandelbrot corrected it.
3. The features are (1 + log tf) idf, idf from the training documents, scaled to Euclidean length one.
4. Its relevance is its topic's, turned round with probability ``LABEL_NOISE``.

So the best possible error is about ``LABEL_NOISE``, and a linear function comes near it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

N_TOPICS = 100
TOPIC_WORDS = 400
TOPIC_SHARE = 0.2
LABEL_NOISE = 0.01
MEAN_LENGTH, LENGTH_SPREAD = 89.5, 0.5
_CHUNK = 50_000  # documents that are drawn at a time, to bound the memory for words


@dataclass(frozen=True)
class RankingData:
    """Three parts of one collection, each a matrix of features and relevance, 1.0 or 0.0."""

    X_train: Any
    y_train: np.ndarray
    X_validation: Any
    y_validation: np.ndarray
    X_test: Any
    y_test: np.ndarray


def documents(*, n_train: int, n_validation: int, n_test: int, n_features: int, seed: int) -> RankingData:
    """Draw the collection; O(words), at most twice the memory of the result."""
    rng = np.random.default_rng(seed)
    language = _Language(n_features, rng)
    sizes = (n_train, n_validation, n_test)
    X, y = zip(*(language.draw(size, rng) for size in sizes))
    frequencies = np.bincount(X[0].indices, minlength=n_features)
    idf = np.log((1.0 + n_train) / (1.0 + frequencies)) + 1.0
    for matrix in X:
        _weigh(matrix, idf)
    return RankingData(X[0], y[0], X[1], y[1], X[2], y[2])


class _Language:
    """The probabilities of topics and words."""

    def __init__(self, n_features: int, rng: np.random.Generator) -> None:
        self.n_features = n_features
        self._word_sums = _cumulative(1.0 / (np.arange(n_features) + 2.7))
        self._topic_sums = _cumulative(1.0 / (np.arange(N_TOPICS) + 6.0))
        self._topic_word_sums = _cumulative(1.0 / (np.arange(TOPIC_WORDS) + 6.0))
        ranks = np.exp(rng.uniform(0.0, np.log(n_features), (N_TOPICS, TOPIC_WORDS)))
        self._topic_words = np.minimum(ranks.astype(np.int32), n_features - 1)

    def draw(self, n_documents: int, rng: np.random.Generator) -> tuple[Any, np.ndarray]:
        """Counts of words, and relevance."""
        parts = list(self._chunks(n_documents, rng))
        relevance = np.concatenate([part[1] for part in parts])
        return sp.vstack([part[0] for part in parts], format="csr"), relevance

    def _chunks(self, n_documents: int, rng: np.random.Generator) -> Iterator[tuple[Any, np.ndarray]]:
        for start in range(0, n_documents, _CHUNK):
            size = min(_CHUNK, n_documents - start)
            topics = np.searchsorted(self._topic_sums, rng.random(size))
            counts = self._word_counts(topics, rng)
            turned = rng.random(size) < LABEL_NOISE
            yield counts, ((topics % 2 == 0) ^ turned).astype(np.float64)

    def _word_counts(self, topics: np.ndarray, rng: np.random.Generator) -> Any:
        # The mean of a log-normal variable is exp(mu + sigma^2 / 2).
        location = np.log(MEAN_LENGTH) - LENGTH_SPREAD**2 / 2.0
        lengths = np.maximum(rng.lognormal(location, LENGTH_SPREAD, len(topics)).astype(np.int64), 1)
        starts = np.concatenate(([0], np.cumsum(lengths)))
        words = np.searchsorted(self._word_sums, rng.random(starts[-1])).astype(np.int32)
        from_topic = np.flatnonzero(rng.random(starts[-1]) < TOPIC_SHARE)
        places = np.searchsorted(self._topic_word_sums, rng.random(len(from_topic)))
        words[from_topic] = self._topic_words[np.repeat(topics, lengths)[from_topic], places]
        shape = (len(topics), self.n_features)
        counts = sp.csr_array((np.ones(len(words)), words, starts.astype(np.int32)), shape=shape)
        counts.sum_duplicates()
        return counts


def _cumulative(weights: np.ndarray) -> np.ndarray:
    sums = np.cumsum(weights)
    sums /= sums[-1]  # the last is exactly 1, which rng.random never reaches
    return sums


def _weigh(counts: Any, idf: np.ndarray) -> None:
    """Counts to tf-idf of unit length, in place."""
    np.log(counts.data, out=counts.data)
    counts.data += 1.0
    counts.data *= idf[counts.indices]
    squares = np.add.reduceat(counts.data**2, counts.indptr[:-1])  # no document is empty
    counts.data /= np.repeat(np.sqrt(squares), np.diff(counts.indptr))
