"""The four packages import one way only, and nothing loads code from disk."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("corpora", "kernels", "learners", "ppi")
#: what each package may import from the house
ALLOWED = {
    "corpora": {"corpora"},
    "kernels": {"kernels", "corpora.types"},
    "learners": {"learners"},
    "ppi": {"ppi", "corpora", "kernels", "learners"},
}


def imports_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module)
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package):
    files = list((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        for name in imports_of(path):
            if name.split(".")[0] in PACKAGES:
                within = any(name == allowed or name.startswith(allowed + ".") for allowed in ALLOWED[package])
                assert within, f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_pickle(package):
    for path in (ROOT / package).rglob("*.py"):
        assert not imports_of(path) & {"pickle", "joblib", "dill", "cloudpickle", "marshal"}, path
