"""Make the clusters of words that ship: k-means of the unit word vectors of the language pipeline.

The vectors are of running text (eLife, CC BY 4.0); no annotation has a say in the clusters.  Their number was taken
from a single try.
"""

from __future__ import annotations

import argparse
import gzip
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans

from lab.frame.program import run_program
from ppi.language import CLUSTERS_FILE, load_shipped_uncached

N_CLUSTERS = 400


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; exit 1 if it cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.extraction.clusters", description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=CLUSTERS_FILE, metavar="FILE", help="(default: the shipped file)"
    )
    args = parser.parse_args(arguments)
    return run_program("clusters", lambda: _write(args.output))


def _write(path: Path) -> int:
    words, vectors = pipeline_vectors()
    lines = "\n".join(" ".join(cluster) for cluster in cluster_words(words, vectors, N_CLUSTERS)) + "\n"
    path.write_bytes(gzip.compress(lines.encode("utf-8"), mtime=0))
    return 0


def pipeline_vectors() -> tuple[list[str], NDArray[np.float32]]:
    """The words that have a vector of their own, and the vectors."""
    vocab = load_shipped_uncached(optimized=False).vocab
    known = [(vocab.strings[key], row) for key, row in vocab.vectors.key2row.items() if row >= 0]
    return [word for word, _ in known], vocab.vectors.data[[row for _, row in known]]


def cluster_words(words: Sequence[str], vectors: NDArray[np.float32], n: int) -> list[list[str]]:
    """Words of similar vectors together, in alphabetical order; clusters in that of their first words."""
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    kmeans = MiniBatchKMeans(n, random_state=0, n_init=1, batch_size=4096, max_iter=30)
    clusters = defaultdict(list)
    for word, label in zip(words, kmeans.fit_predict(unit), strict=True):
        if word == word.lower() and len(word.split()) == 1:
            clusters[label].append(word)
    return sorted(sorted(cluster) for cluster in clusters.values())


if __name__ == "__main__":
    raise SystemExit(main())
