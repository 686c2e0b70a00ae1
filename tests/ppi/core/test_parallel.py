"""The same answers in the same order, whoever does the work."""

import json

import pytest
import scipy.linalg  # noqa: F401  it has a BLAS of its own, beside NumPy's
from threadpoolctl import threadpool_info

from ppi.cli import main
from ppi.core.errors import UsageError
from ppi.core.parallel import SINGLE_THREAD_ENVIRONMENT, map_parallel


def test_processes_give_what_a_loop_gives():
    tasks = [-3, 2, -1, 0]
    assert list(map_parallel(abs, tasks, workers=2)) == list(map_parallel(abs, tasks)) == [3, 2, 1, 0]


def blas_threads(_):
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_keep_one_blas_thread_each(workers, monkeypatch):
    for name in SINGLE_THREAD_ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    for threads in map_parallel(blas_threads, [0, 1], workers=workers):
        assert set(threads) == {1}


def test_results_come_one_by_one():
    found = map_parallel(int, ["1", "x"])
    assert next(found) == 1
    with pytest.raises(ValueError, match="invalid literal"):
        next(found)


def test_an_error_in_another_process_reaches_the_caller():
    with pytest.raises(ValueError, match="invalid literal"):
        list(map_parallel(int, ["1", "x"], workers=2))


def test_no_worker_is_an_error():
    with pytest.raises(UsageError, match="at least one"):
        map_parallel(abs, [1], workers=0)


def test_a_cluster_gives_what_a_loop_gives():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        assert list(map_parallel(abs, [-3, 2], scheduler=cluster.scheduler_address)) == [3, 2]


@pytest.mark.parametrize("verb", ["evaluate", "cross-corpus"])
def test_verbs_print_the_same_with_workers(verb, capsys, tmp_path):
    import corpora

    documents = corpora.load("sample")
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    corpora.write(documents[:10], paths[0])
    corpora.write(documents[10:], paths[1])
    options = ["--kernel", "path", "--learner", "rls", "--json"] + (["--n", "3"] if verb == "evaluate" else [])
    printed = []
    for workers in ("1", "2"):
        assert main([verb, *map(str, paths), *options, "--workers", workers]) == 0
        found = json.loads(capsys.readouterr().out)
        printed.append([{key: each[key] for key in each if key != "seconds"} for each in found])
    assert printed[0] == printed[1]
