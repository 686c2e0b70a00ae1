"""A file of interactions, and the database of it."""

import threading

import pytest
from direct_process import DirectProcess
from small_database import annotated

import ppi


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "found.parquet"
    ppi.write(annotated(), path)
    return path


@pytest.fixture
def run(file):
    with ppi.open_run(file) as opened:
        yield opened


@pytest.fixture
def without_processes(monkeypatch):
    """Annotate in threads: quicker, where no process has to die."""
    monkeypatch.setattr("ppi.server.runs.supervisor.SupervisedProcess", DirectProcess)
    monkeypatch.setattr("ppi.server.runs.long_run._thread", threading.local())
