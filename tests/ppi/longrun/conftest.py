"""Annotating processes of tests find what the tests find."""

import os
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parents[2] / "support"


@pytest.fixture(autouse=True)
def _support_in_other_processes(monkeypatch):
    paths = [str(SUPPORT), str(SUPPORT.parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
