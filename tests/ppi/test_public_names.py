"""What `import ppi` offers: named by dir and help, and loaded only when it is used."""

import ast
import importlib
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import ppi

SLOW = ("numpy", "scipy", "spacy", "networkx", "sklearn", "numba", "pandas", "lxml")


def test_dir_names_what_there_is_and_all_of_it_is_there():
    assert set(ppi.__all__) < set(dir(ppi))
    assert dir(ppi) == sorted(dir(ppi))
    for name in dir(ppi):
        getattr(ppi, name)


def test_every_name_is_that_of_a_subpackage():
    stub = ast.parse(Path(ppi.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    sources = {
        alias.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert sources.keys() == set(ppi.__all__)
    for name, subpackage in sources.items():
        module = importlib.import_module(f"ppi.{subpackage or name}")
        assert getattr(ppi, name) is (getattr(module, name) if subpackage else module)


@pytest.mark.parametrize(
    ("old", "name"),
    [("errors", "PpiError"), ("parsing", "parse"), ("pipeline", "load_shipped_pipeline"), ("database", "open_run")],
)
def test_renamed_subpackages_still_work_with_a_warning(old, name):
    with pytest.warns(DeprecationWarning, match=rf"ppi\.{old} is deprecated; use ppi\.\w+"):
        package = getattr(ppi, old)
    assert callable(getattr(package, name))


PACKAGES = (
    "corpora",
    "kernels",
    "learners",
    "ppi.annotation",
    "ppi.extraction",
    "ppi.parse_ranking",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_dir_of_packages_names_what_they_list(package):
    module = importlib.import_module(package)
    assert set(module.__all__) <= set(dir(module))


def test_help_begins_with_the_lines_that_matter_and_lists_every_name():
    text = pydoc.plain(pydoc.render_doc(ppi))
    beginning, _, rest = text.partition("CLASSES")
    assert [name for name in ppi.__all__ if name not in beginning] == []
    assert [name for name in ("Annotator", "to_frame", "load_pipeline") if name not in rest] == []


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'ppi' has no attribute 'Anotator'"):
        _ = ppi.Anotator


def test_the_version_is_a_version():
    assert all(part.isdigit() for part in ppi.__version__.split(".")[:2])


def test_importing_loads_nothing_slow():
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "import ppi\ndir(ppi), ppi.__version__, ppi.__doc__\n"
        f"print([name for name in {SLOW!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ast.literal_eval(found.stdout) == [], found.stderr
