"""A Dask cluster of separate processes: a worker and the coordinator are killed, and not a row is lost or doubled."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_annotator import FakeSettings
from lab.load.recombining import recombined

import corpora
from ppi.annotation import AnnotatorSettings
from ppi.server.runs.long_run import LocalWorkers, Run, annotate_files

pytest.importorskip("distributed")

SUPPORT = Path(__file__).parents[3] / "support"
COORDINATOR = """
import sys
from pathlib import Path
from fake_annotator import FakeSettings
from ppi.annotation.settings import AnnotatorSettings
from ppi.server.runs.long_run import Run, annotate_files
from ppi.server.runs.long_run import DaskWorkers
address, source, folder, size, real = sys.argv[1:]
settings = AnnotatorSettings() if real == "real" else FakeSettings()
run = Run([source], Path(folder), settings, "jsonl", "jsonl", int(size), 300.0)
annotate_files(run, DaskWorkers(address), report=lambda facts, share: print(facts.part, flush=True))
"""


class Cluster:
    """A scheduler and two workers, each a process group of its own."""

    def __init__(self, folder):
        paths = [str(SUPPORT), str(SUPPORT.parents[1]), os.environ.get("PYTHONPATH", "")]
        self.environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self.folder = folder
        address_file = folder / "scheduler.json"
        self.processes = [
            self.start(
                "-m",
                "distributed.cli.dask_scheduler",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-dashboard",
                "--scheduler-file",
                str(address_file),
            )
        ]
        while not address_file.exists() or not address_file.read_text():
            time.sleep(0.05)
        self.address = json.loads(address_file.read_text())["address"]
        self.workers = [self.add_worker(), self.add_worker()]

    def start(self, *arguments):
        return subprocess.Popen(
            [sys.executable, *arguments],
            env=self.environment,
            cwd=self.folder,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def add_worker(self):
        process = self.start(
            "-m",
            "distributed.cli.dask_worker",
            self.address,
            "--nthreads",
            "1",
            "--no-dashboard",
            "--no-nanny",
            "--host",
            "127.0.0.1",
            "--local-directory",
            str(self.folder),
        )
        self.processes.append(process)
        return process

    def coordinate(self, source, out, size, real):
        process = self.start("-c", COORDINATOR, self.address, str(source), str(out), str(size), real)
        self.processes.append(process)
        return process

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    found = Cluster(tmp_path)
    yield found
    found.close()


def parts(folder):
    return {path.name: path.read_bytes() for path in (folder / "parts").iterdir()}


def disturbed_run(cluster, source, out, size, real="fake"):
    """Kill a worker once a part is there, then the coordinator once two more are, and start it again."""
    first = cluster.coordinate(source, out, size, real)
    assert first.stdout.readline()
    cluster.workers[0].kill()
    assert first.stdout.readline()
    first.kill()
    first.wait()
    before = len((out / "manifest.jsonl").read_text().splitlines())
    second = cluster.coordinate(source, out, size, real)
    finished = second.stdout.read().splitlines()
    assert second.wait() == 0
    return before, finished


def test_killed_worker_and_coordinator_leave_the_undisturbed_result(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", cluster.environment["PYTHONPATH"])
    source = tmp_path / "in.jsonl"
    lines = [f'{{"id":"d{n}","sentences":[{{"id":"s","text":"Abc Def SLOW"}}]}}\n' for n in range(160)]
    source.write_text("".join(lines))
    before, finished = disturbed_run(cluster, source, tmp_path / "out", 10)
    assert before + len(finished) == 2 + 16  # two lines that are no parts; none done twice
    annotate_files(Run([source], tmp_path / "alone", FakeSettings(), "jsonl", "jsonl", 10), LocalWorkers(1))
    assert parts(tmp_path / "out") == parts(tmp_path / "alone")


@pytest.mark.slow
def test_a_thousand_abstracts_annotated_by_a_disturbed_cluster(cluster, tmp_path):
    folder = os.environ.get("PPI_CORPORA")
    if folder is None:
        pytest.skip("PPI_CORPORA names no folder with the corpora")
    source = tmp_path / "abstracts.jsonl"
    corpora.write(recombined(corpora.load("LLL") + corpora.load("HPRD50"), 1000), source)
    disturbed_run(cluster, source, tmp_path / "out", 100, "real")
    annotate_files(Run([source], tmp_path / "alone", AnnotatorSettings(), "jsonl", "jsonl", 100), LocalWorkers(1))
    assert len(parts(tmp_path / "alone")) == 10
    assert parts(tmp_path / "out") == parts(tmp_path / "alone")
