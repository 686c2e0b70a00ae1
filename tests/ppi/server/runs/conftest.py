"""Annotating processes of tests find what the tests find."""

import os
import threading
from pathlib import Path

import pytest
from direct_process import DirectProcess

SUPPORT = Path(__file__).parents[3] / "support"


@pytest.fixture(autouse=True)
def _support_in_other_processes(monkeypatch):
    paths = [str(SUPPORT), str(SUPPORT.parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.fixture
def without_processes(monkeypatch):
    """Annotate in threads: quicker, where no process has to die."""
    monkeypatch.setattr("ppi.server.runs.supervisor.SupervisedProcess", DirectProcess)
    monkeypatch.setattr("ppi.server.runs.long_run._thread", threading.local())
