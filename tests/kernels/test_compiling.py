"""The two forms of a compiled function: the same bits from both, and the switch from one to the other."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from code_forms import FORMS, fresh, running
from feature_maps import NAMES, make_map
from hypothesis import given
from hypothesis import strategies as st

import corpora
from kernels._token_walks import analyse_parse, fill_token_walks
from kernels.candidates import candidate_graphs
from kernels.compiling import (
    MIN_STEPS_TO_COMPILE,
    MIN_STEPS_TO_LOAD,
    Compiled,
    expect,
    inlined,
    use_compiled_code,
    uses_compiled_code,
)
from kernels.views import labelled_graph
from kernels.walks import WalkFeatures

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = corpora.load("sample")
FEW = 60


def in_both_forms(work):
    """What the work gives in each form."""
    answers = []
    for compiled in FORMS:
        with running(compiled=compiled):
            answers.append(work())
    return answers


def bits(*arrays):
    return [np.ascontiguousarray(array).tobytes() for array in arrays]


def test_candidates_have_the_same_bits():
    def work():
        graphs = candidate_graphs(DOCUMENTS)
        return [bits(g.roles, g.places, g.token_on_path, g.arc_on_path, np.array(g.path_length)) for g in graphs]

    plain, compiled = in_both_forms(work)
    assert plain == compiled
    assert len(plain) > FEW


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", ["max", "sum"])
@pytest.mark.parametrize("n_features", [None, 256])
def test_features_scores_and_contributions_have_the_same_bits(name, variant, n_features):
    graphs = candidate_graphs(DOCUMENTS)[:FEW]

    def work():
        features = make_map(name, variant=variant, n_features=n_features)
        X = features.fit_transform(graphs[::2])
        Z = features.transform(graphs)
        weights = np.random.default_rng(0).normal(size=(X.shape[1], 3))
        scores = features.scorer(weights)(graphs)
        contributions = features.attribute(graphs[1], weights[:, 0])
        return bits(X.data, X.indices, X.indptr, Z.data, Z.indices, scores), contributions

    plain, compiled = in_both_forms(work)
    assert plain == compiled


@pytest.mark.parametrize("n_features", [None, 256])
def test_walks_have_the_same_bits(n_features):
    graphs = [labelled_graph(graph) for graph in candidate_graphs(DOCUMENTS)[:5]]

    def work():
        X = WalkFeatures(max_length=3, n_features=n_features).fit_transform(graphs)
        return bits(X.data, X.indices, X.indptr)

    plain, compiled = in_both_forms(work)
    assert plain == compiled


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14), st.integers(0, 100))
def test_cycles_have_the_same_bits(arcs, seed):
    governors, dependents = (np.array([arc[end] for arc in arcs], dtype=np.int32) for end in (0, 1))
    weights = np.random.default_rng(seed).uniform(0.1, 0.9, len(arcs))

    def work():
        S = np.zeros((7, 7))
        converges = fill_token_walks(analyse_parse(governors, dependents, 7), weights, S)
        return bool(converges), bits(S)

    plain, compiled = in_both_forms(work)
    assert plain == compiled


class Watched(Compiled):
    """Counts which form is used, instead of compiling."""

    def __init__(self, *, kept):
        super().__init__(lambda: self.calls.append("plain"))
        self.kept, self.calls, self.asked = kept, [], 0
        self.__dict__["dispatcher"] = lambda: self.calls.append("compiled")

    def is_cached(self):
        self.asked += 1
        return self.kept

    def used(self):
        self()
        return self.calls[-1]


def test_a_little_work_asks_for_no_compiled_code():
    with fresh():
        function = Watched(kept=True)
        expect(MIN_STEPS_TO_LOAD - 1)
        assert (function.used(), function.asked, uses_compiled_code()) == ("plain", 0, False)


def test_code_of_an_earlier_process_is_loaded_after_some_work():
    with fresh():
        function = Watched(kept=True)
        function()
        expect(MIN_STEPS_TO_LOAD)
        assert (function.used(), function.asked, uses_compiled_code()) == ("compiled", 1, True)


def test_code_is_loaded_only_if_all_that_runs_is_kept():
    with fresh():
        known, unknown = Watched(kept=True), Watched(kept=False)
        known(), unknown()
        expect(MIN_STEPS_TO_LOAD)
        assert (known.used(), unknown.used()) == ("plain", "plain")


def test_before_anything_has_run_nothing_is_known_to_be_kept():
    with fresh():
        expect(MIN_STEPS_TO_LOAD)
        function = Watched(kept=False)
        assert function.used() == "plain"
        expect(1)
        assert (function.used(), function.asked) == ("plain", 1)


def test_without_it_compiling_waits_for_more_work_and_is_looked_for_once():
    with fresh() as switch:
        function = Watched(kept=False)
        function()
        for _ in range(5):
            expect(MIN_STEPS_TO_LOAD)
            assert function.used() == "plain"
        assert function.asked == 1
        expect(MIN_STEPS_TO_COMPILE - switch.steps)
        assert function.used() == "compiled"


def test_much_work_at_once_and_processes_that_ask_for_it_compile():
    with fresh():
        expect(MIN_STEPS_TO_COMPILE)
        assert Watched(kept=False).used() == "compiled"
    with fresh():
        use_compiled_code()
        assert Watched(kept=False).used() == "compiled"


def test_inlined_functions_are_run_by_python():
    assert inlined(lambda x: x + 1)(1) == 2


#: Compiles one small function, twice.
WORK = """
import sys
import numpy as np
from kernels.sentence_graphs import pair_roles
from kernels.compiling import use_compiled_code
assert "numba" not in sys.modules
use_compiled_code()
for type in (np.int64, np.int32):
    assert pair_roles(np.ones((2, 1), dtype=np.bool_), np.array([0], type), np.array([1], type)).tolist() == [[3]]
"""


def test_compiling_is_told_once_and_loading_is_not(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    told = [
        subprocess.run([sys.executable, "-c", WORK], env=environment, capture_output=True, text=True, check=True).stderr
        for _ in range(2)
    ]
    assert told[0].count("compiling what large amounts of text need, once") == 1
    assert told[1] == ""
    assert list(tmp_path.rglob("*.nbi"))
