"""Leave-sentence-out of sparse RLS and RankRLS with basis removal, against recomputing map and model.

The set-up of Paper III, Table 1: 600 sentences of up to 20 candidate parses, 1 or 4 of them basis vectors.  The rows
are drawn so that parses of a sentence are close to each other, as they are in a graph kernel; the time does not depend
on what the numbers are.  Both sides give predictions for the whole path of regparams.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lab.benchmarks.figure import Figure, speedup
from lab.papers.parse_ranking.basis_vectors import independent_basis, time_cross_validation
from ppi.parse_ranking.learning import draw_per_sentence

#: Sentences that the reference is timed on; each takes it as long as every other.
SAMPLE = 5


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Both learners with 1 and with 4 basis vectors a sentence."""
    n_sentences = max(int(600 * scale), 10)
    X, y, qid = _parses(n_sentences, rng=np.random.default_rng(0))
    for per_sentence in (1, 4):
        basis = draw_per_sentence(qid, per_sentence, random_state=0)
        basis = independent_basis(X[basis] @ X[basis].T, basis)
        K_MR = X @ X[basis].T
        for method in ("sparse-rls", "sparse-rank-rls"):
            timing = time_cross_validation(K_MR, y, qid, basis, method=method, sample=SAMPLE)
            yield speedup(
                f"leave-sentence-out of {method}, {timing.n_parses} parses, {timing.n_basis} basis vectors, "
                f"{timing.n_regparams} regparams (reference timed on {timing.n_sampled} random sentences)",
                seconds=timing.decomposition_seconds + timing.seconds,
                reference_seconds=timing.reference_seconds,
                bar=50,
                aim=100,
                same_answer=timing.difference < 1e-6,
            )


def _parses(n_sentences: int, *, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features of unit length in a space larger than any basis, goodness that they decide in part, sentences."""
    sizes = rng.integers(13, 21, size=n_sentences)
    qid = np.repeat(np.arange(n_sentences), sizes)
    n_features = 5 * n_sentences
    X = rng.normal(size=(n_sentences, n_features))[qid] + rng.normal(size=(len(qid), n_features))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = X @ rng.normal(size=n_features) + rng.normal(size=len(qid))
    return X, y, qid
