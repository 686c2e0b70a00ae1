"""Checks what a wheel and a source distribution hold: ``python -m lab.frame.distributions dist``."""

from __future__ import annotations

import argparse
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

#: The top-level folders of the wheel, beside its metadata.
PACKAGES = ("corpora", "kernels", "learners", "ppi")
#: Files without which an installation does not work, or must not be passed on.
REQUIRED = (
    "ppi/py.typed",
    "ppi/__init__.pyi",
    "ppi/annotation/model.zip",
    "ppi/grounding/lexicon.zip",
    "ppi/grounding/NOTICE.txt",
    "ppi/language/model/config.cfg",
    "ppi/network/explorer/NOTICE.txt",
    "ppi/server/web/static/index.html",
)
REQUIRED_SOURCES = (*REQUIRED, "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "tests/test_architecture.py")
#: What must not be passed on: byte code, compiled code, caches and what a run left behind.
UNWANTED = ("__pycache__", ".nbi", ".nbc", ".pyc", ".venv", "demo-output", ".hypothesis")


def check_wheel(path: Path) -> list[str]:
    """What is wrong with the contents of a wheel."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    problems = [f"{path.name}: unexpected top-level {top!r}" for top in sorted(tops - set(PACKAGES))]
    return problems + _check_names(path, names, REQUIRED)


def check_sources(path: Path) -> list[str]:
    """What is wrong with the contents of a source distribution."""
    with tarfile.open(path) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    return _check_names(path, names, REQUIRED_SOURCES)


def _check_names(path: Path, names: Iterable[str], required: Iterable[str]) -> list[str]:
    names = set(names)
    problems = [f"{path.name}: {name} is missing" for name in required if name not in names]
    unwanted = sorted(name for name in names if any(part in name for part in UNWANTED))
    return problems + [f"{path.name}: {name} does not belong there" for name in unwanted[:10]]


def main(arguments: list[str] | None = None) -> int:
    """Check all distributions of a folder; exit 1 if there is a problem."""
    parser = argparse.ArgumentParser(prog="python -m lab.frame.distributions", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    wheels, sources = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    problems = [problem for path in wheels for problem in check_wheel(path)]
    problems += [problem for path in sources for problem in check_sources(path)]
    if len(wheels) != 1 or len(sources) != 1:
        problems.append(
            f"{folder}: expected one wheel and one source distribution, got {len(wheels)} and {len(sources)}"
        )
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
