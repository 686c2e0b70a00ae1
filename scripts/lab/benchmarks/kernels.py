"""Speed of the kernels package on AImed, against the plain definitions in NumPy and SciPy.

Needs the corpora in the folder named by the environment variable PPI_CORPORA.  A scale below 1 uses LLL, the
smallest corpus, and fewer basis vectors.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cholesky, solve_triangular

import corpora
from kernels import (
    N_MARKS,
    AllPathsFeatures,
    Batch,
    CandidateGraph,
    LabelIndex,
    NystromMap,
    PairVocabulary,
    SentenceLabels,
    candidate_graphs,
    linear_gram,
    normalize_gram,
    sentence_labels,
)
from lab.benchmarks.figure import Figure, speedup
from lab.frame.clock import wall_seconds

#: Both sides are measured this often, and the best time of each counts.
REPEATS = 3


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Features, Gram matrix, and leave-document-out maps with two numbers of basis vectors."""
    corpus, sizes = ("AImed", (1000, 4000)) if scale >= 1 else ("LLL", (40, 120))
    graphs = _graphs(corpus)
    X, figure = _features(corpus, graphs)
    yield figure
    K, figure = _gram(corpus, X)
    yield figure
    documents = np.unique([graph.document_id for graph in graphs], return_inverse=True)[1]
    K = normalize_gram(K)
    for r, bar, aim, sample in zip(sizes, (6, 20), (12, 40), (20, 5)):
        yield _maps(corpus, K, documents, r=r, bar=bar, aim=aim, sample=sample)


def _features(corpus: str, graphs: list[CandidateGraph]) -> tuple[sp.csr_matrix, Figure]:
    features = AllPathsFeatures()
    features.fit_transform(graphs[:2])  # compiles, or loads what was compiled before
    seconds, X = wall_seconds(lambda: features.fit_transform(graphs), repeats=REPEATS)
    reference_seconds, (X_plain, keys) = wall_seconds(lambda: plain_features(graphs), repeats=REPEATS)
    return X, speedup(
        f"features of all {corpus} pairs, max",
        seconds=seconds,
        reference_seconds=reference_seconds,
        bar=10,
        aim=40,
        same_answer=_same_features(features, X, X_plain, keys),
    )


def _gram(corpus: str, X: sp.csr_matrix) -> tuple[np.ndarray, Figure]:
    linear_gram(X[:2])
    seconds, K = wall_seconds(lambda: linear_gram(X), repeats=REPEATS)
    reference_seconds, K_plain = wall_seconds(lambda: (X @ X.T).toarray(), repeats=REPEATS)
    return K, speedup(
        f"Gram matrix of {corpus}, {X.shape[0]} pairs",
        seconds=seconds,
        reference_seconds=reference_seconds,
        bar=5,
        aim=10,
        same_answer=np.abs(K - K_plain).max() <= 1e-10 * np.abs(K_plain).max(),
    )


def _maps(corpus: str, K: np.ndarray, documents: np.ndarray, *, r: int, bar: float, aim: float, sample: int) -> Figure:
    """All leave-document-out maps, fitting included, against recomputing, timed on a sample of the documents.

    The basis is drawn among independent examples, so that the plain Cholesky factor of the reference exists.
    """
    rng = np.random.default_rng(0)
    drawn = NystromMap("precomputed", n_basis=r + r // 5, random_state=0).fit(K)
    independent = drawn.basis_[drawn.independent_]
    basis = np.sort(rng.choice(independent, size=min(r, len(independent)), replace=False))
    splits = [(np.flatnonzero(documents != d), np.flatnonzero(documents == d)) for d in range(documents.max() + 1)]
    chosen = rng.choice(len(splits), size=min(sample, len(splits)), replace=False)
    probe = rng.choice(len(K), size=min(50, len(K)), replace=False)
    nystrom = NystromMap("precomputed", basis=basis)

    def all_maps() -> None:
        for _ in nystrom.fit(K).folds(splits, reuse=True):
            pass

    seconds, _ = wall_seconds(all_maps)
    reference_seconds, same = 0.0, True
    for d in chosen:
        test = splits[d][1]
        one, Z = wall_seconds(partial(plain_map, K, np.setdiff1d(basis, test)))
        reference_seconds += one * len(splits) / len(chosen)
        features = nystrom.without(test).features
        same &= np.abs(features @ features[probe].T - Z @ Z[probe].T).max() < 1e-6
    return speedup(
        f"leave-document-out maps of {corpus}, r={len(basis)} (reference timed on {len(chosen)} random documents)",
        seconds=seconds,
        reference_seconds=reference_seconds,
        bar=bar,
        aim=aim,
        same_answer=same,
    )


def plain_map(K: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """K_ML C^-T with K_LL = C C^T, from scratch."""
    C = cholesky(K[np.ix_(basis, basis)], lower=True)
    mapped: np.ndarray = solve_triangular(C, K[:, basis].T, lower=True).T
    return mapped


def _graphs(corpus: str) -> list[CandidateGraph]:
    if not os.environ.get("PPI_CORPORA"):
        raise FileNotFoundError(
            "expected the environment variable PPI_CORPORA to name the folder with the corpora, got nothing; "
            "this benchmark measures real sentences"
        )
    return candidate_graphs(corpora.load(corpus), parser="split_parse")


def plain_features(graphs: list[CandidateGraph]) -> tuple[sp.csr_matrix, np.ndarray]:
    """The max variant straight from the definition: dense inverse a pair, label pairs sorted; and the keys."""
    index = LabelIndex()
    batch = Batch(graphs)
    labels = sentence_labels(batch, index, ("text", "pos", "dependency"), grow=True)
    rows = [plain_label_pairs(batch, labels, p) for p in range(len(graphs))]
    all_keys = np.concatenate([keys for keys, _ in rows])
    keys, columns = np.unique(all_keys, return_inverse=True)
    indptr = np.concatenate(([0], np.cumsum([len(row_keys) for row_keys, _ in rows])))
    values = np.concatenate([values for _, values in rows])
    return sp.csr_matrix((values, columns, indptr), shape=(len(graphs), len(keys))), keys


def plain_label_pairs(batch: Batch, sentence_labels: SentenceLabels, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Sorted label-pair keys and their maxima for one candidate."""
    words, types, _ = sentence_labels
    governors, dependents, graph = batch.sentences.governors, batch.sentences.dependents, batch.graphs[p]
    s = batch.candidates.sentence_of[p]
    tokens = slice(*batch.sentences.token_offsets[s : s + 2])
    arcs = slice(*batch.sentences.arc_offsets[s : s + 2])
    on_path = graph.arc_on_path
    n, a = tokens.stop - tokens.start, arcs.stop - arcs.start

    A = np.zeros((2 * n + a, 2 * n + a))
    weights, arc_vertices = np.where(on_path, 0.9, 0.3), n + np.arange(a)
    A[governors[arcs], arc_vertices] = weights
    A[arc_vertices, dependents[arcs]] = weights
    A[n + a + np.arange(n - 1), n + a + np.arange(1, n)] = 0.9
    W = np.linalg.inv(np.eye(2 * n + a) - A) - np.eye(2 * n + a)
    W[np.abs(W) < 1e-14] = 0.0  # rounding noise of the inverse, which would be features

    role = graph.roles
    base = words[tokens].copy()
    base[role > 0, :2] = -1
    base[role & 1 > 0, 0], base[role & 2 > 0, 1], base[role & 4 > 0, 0] = 0, 1, 2
    labels = np.full((2 * n + a, 3), -1)
    labels[:n] = np.where(base >= 0, N_MARKS * base + graph.token_on_path[:, None], -1)
    labels[n : n + a, 0] = N_MARKS * types[arcs] + on_path
    labels[n + a :] = np.where(base >= 0, N_MARKS * base + 2 + graph.places[:, None], -1)

    k, j = np.nonzero(W)
    first, second = np.broadcast_arrays(labels[k][:, :, None], labels[j][:, None, :])
    labelled = (first >= 0) & (second >= 0)
    keys = (first << 32 | second)[labelled]
    values = np.broadcast_to(W[k, j][:, None, None], labelled.shape)[labelled]
    order = np.argsort(keys)
    unique, starts = np.unique(keys[order], return_index=True)
    maxima = np.maximum.reduceat(values[order], starts) if len(starts) else values
    return unique.astype(np.uint64), maxima


def _same_features(features: AllPathsFeatures, X: Any, X_plain: Any, keys: Any) -> bool:
    """Compare column by column; entries that the inverse's rounding swallowed are below 1e-13."""
    columns = PairVocabulary(features.state()["keys"]).columns(keys, grow=False)
    if (columns < 0).any():
        return False
    spread = sp.csr_matrix((np.ones(len(keys)), (np.arange(len(keys)), columns)), shape=(len(keys), X.shape[1]))
    return bool(abs(X - X_plain @ spread).max() < 1e-12)
