"""The clusters of words that ship with the package: of the word vectors of its language pipeline.

``word_clusters.txt.gz`` has one line per cluster, its words in order; ``python -m lab.training.extraction.clusters``
makes it.  A model with the kernel ``composite-clusters`` knows clusters by their numbers, so the file changes only
together with such models.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from kernels import WordClusters

#: Where the clusters are kept.
CLUSTERS_FILE = Path(__file__).parent / "word_clusters.txt.gz"


@lru_cache(maxsize=1)
def load_word_clusters() -> WordClusters:
    """The shipped clusters, read once.

    >>> load_word_clusters().of("binds") == load_word_clusters().of("interacts")
    True
    """
    lines = gzip.decompress(CLUSTERS_FILE.read_bytes()).decode("utf-8").splitlines()
    return WordClusters({word: f"c{number}" for number, line in enumerate(lines) for word in line.split()})
