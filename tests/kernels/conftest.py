"""Compiled code, candidates of a real corpus, and a sentence whose graph can be worked by hand."""

import pytest
from code_forms import running
from kernel_twins import make_sentence

import corpora
from kernels.candidates import candidate_graphs


@pytest.fixture(scope="session")
def lll(corpora_folder):
    """The candidate graphs of LLL."""
    return candidate_graphs(corpora.load("LLL"), parser="split_parse")


@pytest.fixture(autouse=True, scope="package")
def _compiled_code():
    """What is tested here is compiled code, however little there is to do; what is not compiled has the same bits."""
    with running(compiled=True):
        yield


@pytest.fixture
def binding():
    """P1 binds P2 near P3."""
    return make_sentence(
        ["P1", "binds", "P2", "near", "P3"],
        [(1, 0, "nsubj"), (1, 2, "dobj"), (1, 4, "prep_near")],
        [[0], [2], [4]],
        pos=["NN", "VBZ", "NN", "IN", "NN"],
    )
