"""Where compiled code is kept, for accounts that can write to neither the package nor a home folder."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kernels.cache_folder import private_folder

ROOT = Path(__file__).resolve().parents[2]
#: Compiles and runs one small function.
WORK = """
import numpy as np
from kernels.sentence_graphs import pair_roles
from kernels.compiling import use_compiled_code
use_compiled_code()
assert pair_roles(np.ones((2, 1), dtype=np.bool_), np.array([0]), np.array([1])).tolist() == [[3]]
"""
NOWHERE = "import tempfile; tempfile.tempdir = '/dev/null/none'\n"


@pytest.fixture
def base(tmp_path, monkeypatch):
    """The system's temporary folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_folder_is_for_this_user_alone_and_the_same_for_all_processes(base):
    folder = private_folder()
    assert folder.parent == base
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert private_folder() == folder


@pytest.mark.parametrize("taken", ["a link", "a file", "open to others", "another user's"])
def test_a_name_that_somebody_else_took_is_not_used(base, taken, tmp_path_factory, monkeypatch):
    folder = base / f"ppi-miner-{os.getuid()}"
    if taken == "a link":
        folder.symlink_to(tmp_path_factory.mktemp("elsewhere"))
    elif taken == "a file":
        folder.write_text("")
    else:
        folder.mkdir(mode=0o700)
        if taken == "open to others":
            folder.chmod(0o770)
        else:
            user = os.getuid()
            monkeypatch.setattr(os, "getuid", lambda: user + 1)
            folder.rename(base / f"ppi-miner-{user + 1}")
    found = private_folder()
    assert found not in (folder, base / f"ppi-miner-{os.getuid()}")
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert not any(found.iterdir())


def test_where_others_can_rename_what_is_ours_there_is_no_folder(base):
    base.chmod(0o777)
    assert private_folder() is None
    base.chmod(0o1777)
    assert private_folder() is not None


def run(package, code, tmp_path):
    """The code in a process that can write neither beside the package nor to a home folder."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PPI_", "XDG_"))},
        "PYTHONPATH": str(package),
        "HOME": "/dev/null",
        "TMPDIR": str(tmp_path / "tmp"),
    }
    (tmp_path / "tmp").mkdir(exist_ok=True)
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=package, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture
def package(tmp_path):
    """The packages in a place where nothing can be kept: a file is where Python and numba want a folder."""
    place = tmp_path / "site"
    for name in ("kernels", "corpora"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "data"))
        (place / name / "__pycache__").write_text("")
    return place


def test_an_account_without_a_home_runs_and_is_told_once(package, tmp_path):
    told = run(package, WORK, tmp_path)
    assert told.count("compiled code is kept in") == 1
    (folder,) = (tmp_path / "tmp").iterdir()
    assert list(folder.rglob("*.nbi"))
    child = f"{WORK}\nimport subprocess, sys; subprocess.run([sys.executable, '-c', {WORK!r}], check=True)"
    assert run(package, child, tmp_path).count("UserWarning") == 1  # of two processes


def test_without_any_folder_it_runs_uncached_and_is_told_once(package, tmp_path):
    code = NOWHERE + WORK
    child = f"{code}\nimport subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}], check=True)"
    told = run(package, child, tmp_path)
    assert told.count("each process compiles anew") == 1
    assert not any((tmp_path / "tmp").iterdir())
