"""Leave-sentence-out of sparse RLS and RankRLS with basis removal, against recomputing map and model.

The set-up of Paper III, Table 1: 600 sentences of up to 20 candidate parses, 1 or 4 of them basis vectors.  The rows
are drawn so that parses of a sentence are close to each other, as they are in a graph kernel; the time does not depend
on what the numbers are.  Both sides give predictions for the whole path of regparams.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lab.benchmarks.figure import Figure, speedup
from lab.papers.basis_vectors import METHODS, drawn_basis, drawn_parses, time_cross_validation

#: Sentences that the reference is timed on; each takes it as long as every other.
SAMPLE = 5


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Both learners with 1 and with 4 basis vectors per sentence."""
    n_sentences = max(int(600 * scale), 10)
    X, y, qid = drawn_parses(n_sentences, np.random.default_rng(0))
    for per_sentence in (1, 4):
        basis, K_MR = drawn_basis(X, qid, per_sentence)
        for method in METHODS:
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
