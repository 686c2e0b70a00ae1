"""A score is the same to the last bit, whatever else is scored with it and whatever process does it."""

import subprocess
import sys

import numpy as np
import pytest

import corpora
from kernels import Batch
from ppi.extraction import Extractor, build_candidate_graphs

CHILD = """
import sys, corpora
from ppi import Extractor
scores = Extractor.load(sys.argv[1]).score(corpora.load("sample"))
print(*[pair.score.hex() for pair in scores])
"""


@pytest.fixture(scope="module")
def extractor(small_extractor):
    return Extractor.load(small_extractor)


@pytest.fixture(scope="module")
def graphs(extractor):
    return build_candidate_graphs(corpora.load("sample"), parser=extractor.settings.parser)


def test_alone_or_in_any_company(extractor, graphs):
    together = extractor.score_graphs(graphs)
    assert np.array_equal(np.concatenate([extractor.score_graphs([graph]) for graph in graphs]), together)
    assert np.array_equal(extractor.score_graphs(graphs[::-1])[::-1], together)


def test_beside_a_word_with_a_space(extractor, graphs, monkeypatch):
    """Such a batch is scored by names instead of hashes."""
    together = extractor.score_graphs(graphs)
    monkeypatch.setattr(Batch, "has_spaces", True)
    assert np.array_equal(extractor.score_graphs(graphs), together)


def test_whatever_python_hashes_with(extractor, graphs, small_extractor):
    found = []
    for seed in ("1", "2"):
        child = subprocess.run(
            [sys.executable, "-c", CHILD, str(small_extractor)],
            env={"PYTHONHASHSEED": seed, "PATH": "", "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
        found.append(child.stdout.split())
    assert found[0] == found[1] == [float(score).hex() for score in extractor.score_graphs(graphs)]
