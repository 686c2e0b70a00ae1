"""The four packages import one way only, and nothing loads code from disk."""

import ast
import re
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


#: The rooms of ppi: each imports only what stands before it.  This list is the drawing.
ROOMS = (
    "errors",
    "model_header",
    "archive",
    "progress",
    "parallel",
    "pipeline",
    "parsing",
    "grounding",
    "extraction",
    "annotation",
    "network",
    "export",
    "evaluation",
    "parse_ranking",
    "longrun",
    "database",
    "curation",
    "web",
    "cli",
)
#: Modules that are imported by name when they are first used: ``"ppi.export.jsonl:write"``.
LATE = re.compile(r"ppi(\.\w+)+(:\w+)?")


def rooms_of(path: Path) -> set[str]:
    """The rooms that a module imports: at its top, inside functions, for types only, or by a name in quotes."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "ppi":
            names.update(f"ppi.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and LATE.fullmatch(node.value):
            names.add(node.value.partition(":")[0])
    return {name.split(".")[1] for name in names if name.startswith("ppi.")}


def room_of(path: Path) -> str:
    return path.relative_to(ROOT / "ppi").parts[0].removesuffix(".py")


def test_every_room_is_in_the_drawing():
    rooms = {room_of(path) for path in (ROOT / "ppi").rglob("*.py")}
    assert rooms - {"__init__", "__main__"} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_what_stands_before_them(room):
    before = set(ROOMS[: ROOMS.index(room) + 1])
    wrong = {
        str(path.relative_to(ROOT)): sorted(rooms_of(path) - before)
        for path in (ROOT / "ppi").rglob("*.py")
        if room_of(path) == room and rooms_of(path) - before
    }
    assert wrong == {}


def test_imports_of_every_kind_are_seen(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        "import ppi.server.web.app\n"
        "from ppi import cli, Annotator\n"
        "if TYPE_CHECKING:\n    from ppi.server.runs.long_run import Run\n"
        "def late():\n    from ppi.export import write\n"
        'HOME = "ppi.network.drawing:draw"\n'
        'TEXT = "see ppi.core.errors for more"\n'
    )
    assert rooms_of(path) == {"web", "cli", "Annotator", "longrun", "export", "network"}
