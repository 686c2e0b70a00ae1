"""What the wheel holds is reached by a command or by a public name; the rest belongs in the laboratory."""

import ast
import tomllib
from pathlib import Path

import pytest
from reachability import reached_from, read_modules

ROOT = Path(__file__).parents[1]
PACKAGES = ("corpora", "kernels", "learners", "ppi")


#: Packages whose interfaces are for everybody; the subpackages of ppi list what they offer each other, too.
PUBLIC = ("corpora", "kernels", "learners", "ppi")

#: Names of subpackages that no command needs, but that the documentation shows.
DOCUMENTED = [("ppi.evaluation", "evaluate"), ("ppi.parse_ranking", "with_goodness")]
#: Names that only training needs, and that must change the package from within.
TRAINING = [("ppi.language", "use_pipeline")]


def public_names(modules):
    """What the public packages list in ``__all__``."""
    return [
        (name, public) for name in PUBLIC for public in ast.literal_eval(modules[name].definitions["__all__"].value)
    ]


def entry_points():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    places = [*project["scripts"].values(), *project["entry-points"]["spacy_factories"].values()]
    return [tuple(place.split(":")) for place in places]


@pytest.fixture(scope="module")
def modules():
    return read_modules(ROOT, PACKAGES)


def test_what_ships_is_reached(modules):
    roots = [*entry_points(), *public_names(modules), *DOCUMENTED, *TRAINING, ("ppi", "__getattr__")]
    # each verb is a module that the command line asks to register itself
    roots += [(name, "register") for name in modules if name.startswith("ppi.cli.")]
    reached = reached_from(roots, modules)
    unreached = [
        f"{module.name}.{name}"
        for module in modules.values()
        for name in module.definitions
        if (module.name, name) not in reached and name not in ("__all__", "__getattr__", "__dir__", "__version__")
    ]
    assert not unreached, "\n".join(unreached)


def test_reaching_follows_imports_modules_and_texts(tmp_path):
    package = tmp_path / "ppi"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("from ppi.b import f\nimport ppi.c as c\nX = 'ppi.d:g'\ndef main():\n    f(c.h, X)\n")
    (package / "b.py").write_text("def f():\n    return used\nused = 1\nunused = 2\n")
    (package / "c.py").write_text("def h(): pass\ndef alone(): pass\n")
    (package / "d.py").write_text("def g(): pass\n")
    found = read_modules(tmp_path, ["ppi"])
    reached = {place for place in reached_from([("ppi.a", "main")], found) if place[1]}
    assert reached == {
        ("ppi.a", "main"), ("ppi.a", "X"), ("ppi.b", "f"), ("ppi.b", "used"), ("ppi.c", "h"), ("ppi.d", "g")
    }  # fmt: skip
