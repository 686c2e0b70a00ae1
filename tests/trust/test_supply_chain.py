"""Bounds of dependencies, and the audit, which may not pass when it knows nothing."""

import json
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def script(name):
    """A script without an ending, as a module."""
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = module_from_spec(spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def audit(tmp_path, monkeypatch):
    """The script with a pip-audit that prints the contents of a file."""
    module = script("audit")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "pip-audit"
    program.write_text(f"#!/bin/sh\ncat '{tmp_path}/report' || {{ echo 'no route to host' >&2; exit 1; }}\n")
    program.chmod(0o755)
    (tmp_path / "lib/python3.11/site-packages").mkdir(parents=True)
    monkeypatch.setattr(module, "TOOLS", tmp_path)
    monkeypatch.setattr("sys.argv", ["audit", "--environment", str(tmp_path)])
    return module


def report(tmp_path, *packages):
    (tmp_path / "report").write_text(json.dumps({"dependencies": packages, "fixes": []}))


def test_every_dependency_has_one_lower_bound():
    bounds = script("lowest_bounds").lower_bounds(tomllib.loads((ROOT / "pyproject.toml").read_text()))
    assert {"numpy", "spacy", "fastapi", "pytest"} <= bounds.keys()
    assert {name: each for name, each in bounds.items() if len(each) != 1 or "" in each} == {}


def test_a_bound_that_is_not_installed_is_named():
    complaint = script("lowest_bounds").complaint
    assert "write numpy>=" in complaint("numpy", {"0.1"})
    assert "one lower bound everywhere" in complaint("numpy", {"1.0", "2.0"})
    assert "to be installed" in complaint("no-such-package", {"1.0"})


def test_a_clean_audit_passes(audit, tmp_path, capsys):
    report(
        tmp_path, {"name": "numpy", "version": "2.0", "vulns": []}, {"name": "ppi-miner", "skip_reason": "not there"}
    )
    assert audit.main() == 0
    assert "1 of 1 packages audited, 0 vulnerabilities" in capsys.readouterr().out


def test_a_vulnerability_fails(audit, tmp_path, capsys, monkeypatch):
    found = {"id": "PYSEC-1", "aliases": ["CVE-2"], "fix_versions": ["2.1"]}
    report(tmp_path, {"name": "numpy", "version": "2.0", "vulns": [found]})
    assert audit.main() == 1
    assert "numpy 2.0: PYSEC-1, fixed in 2.1" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["audit", "--environment", str(tmp_path), "--ignore", "CVE-2"])
    assert audit.main() == 0


def test_packages_that_nothing_is_known_of_fail(audit, tmp_path, capsys):
    report(tmp_path, {"name": "numpy", "skip_reason": "Dependency not found on PyPI"})
    assert audit.main() == 1
    assert "numpy: not audited: Dependency not found" in capsys.readouterr().out


def test_an_unreachable_service_fails(audit):
    with pytest.raises(SystemExit, match="got 'no route to host'; is the advisory service 'pypi' reachable"):
        audit.main()
