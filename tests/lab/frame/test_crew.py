"""Experiments done side by side: the same findings, byte for byte, and the CPU seconds of everybody."""

import json
import time

import pytest
from lab.frame.crew import Crew
from lab.frame.experiment import RunSettings, perform
from lab.papers.__main__ import main
from lab.papers.registry import experiment
from mini_reuters import write_collection


def busy(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_a_crew_gives_what_a_loop_gives_and_adds_up_its_seconds(workers):
    crew, done = Crew(workers=workers), []
    before = crew.cpu_seconds()
    assert crew.map(busy, [0.3, 0.2, 0.4], done=done.append) == [0.3, 0.2, 0.4]
    assert done == [1, 2, 3]
    assert crew.cpu_seconds() - before >= 0.9


def findings(name, corpora, crew):
    """The result as it is kept on disk, without what is measured in seconds."""
    kept = json.loads(perform(experiment(name), RunSettings(corpora, tiny=True, seed=1, crew=crew)).to_json())
    timed = {"seconds", "cpu_seconds"}
    if name == "nystrom":
        kept["tables"], kept["checks"] = kept["tables"][:1], kept["checks"][:2]  # the others are times
    return {key: value for key, value in kept.items() if key not in timed}


@pytest.mark.parametrize("name", ["greedy-letor", "letor", "nystrom"])
def test_workers_find_the_same_in_the_data(name, corpora_folder):
    assert findings(name, corpora_folder, Crew(workers=2)) == findings(name, corpora_folder, Crew())


def test_workers_find_the_same_in_stories(tmp_path):
    write_collection(tmp_path)
    assert findings("reuters-auc", tmp_path, Crew(workers=2)) == findings("reuters-auc", tmp_path, Crew())


def test_a_cluster_writes_what_one_process_writes(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        for folder, who in (("one", []), ("all", ["--scheduler", cluster.scheduler_address])):
            assert main(["auc-estimates", "--tiny", "--output", str(tmp_path / folder), *who]) == 0
    one, other = (
        json.loads((tmp_path / folder / "results/auc-estimates.json").read_text()) for folder in ("one", "all")
    )
    assert one["points"] == other["points"] != {}
    assert one["tables"] == other["tables"]
    pictures = [(tmp_path / folder / "figures/auc-estimates-sizes.svg").read_bytes() for folder in ("one", "all")]
    assert pictures[0] == pictures[1]


def test_workers_that_are_none_are_refused_in_one_line(capsys):
    assert main(["auc-estimates", "--tiny", "--workers", "0"]) == 1
    assert "expected at least one worker, got 0" in capsys.readouterr().err
