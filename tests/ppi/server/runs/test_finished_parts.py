"""Finished parts are what was written, or are made again; and nothing that is not ours is touched."""

import pytest
from run_failures import run_failures
from small_runs import contents, run_of, write_lines

from ppi.core import RunError
from ppi.server.runs.long_run import LocalWorkers, annotate_files
from ppi.server.runs.manifest import PART_NAME
from ppi.server.runs.parts import part_name, remove_unfinished
from ppi.server.runs.run_reader import read_run

pytestmark = pytest.mark.usefixtures("without_processes")


@pytest.fixture
def source(tmp_path):
    return write_lines(tmp_path / "in.txt", [f"Abc Def {n}" + " RAISE" * (n == 7) for n in range(25)])


@pytest.fixture
def out(tmp_path, source):
    annotate_files(run_of(tmp_path / "out", source), LocalWorkers(1))
    return tmp_path / "out"


def delete_all(out):
    for path in (out / "parts").iterdir():
        path.unlink()
    (out / "parts").rmdir()


def flip(path):
    content = bytearray(path.read_bytes())
    content[50] ^= 1
    path.write_bytes(content)


def to_link(path):
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


FIRST = "parts/00000-in-00000.jsonl"


@pytest.mark.parametrize(
    ("damage", "remade"),
    [
        (lambda out: (out / FIRST).unlink(), 1),
        (lambda out: (out / FIRST).write_bytes(b""), 1),
        (lambda out: (out / FIRST).write_bytes((out / FIRST).read_bytes()[:-5]), 1),
        (lambda out: flip(out / FIRST), 1),
        (lambda out: to_link(out / FIRST), 1),
        (lambda out: (out / "errors/00000-in-00000.jsonl").unlink(), 1),
        (lambda out: (out / "errors/00000-in-00001.jsonl").write_text("{}"), 1),
        (delete_all, 3),
    ],
    ids=["gone", "empty", "cut", "a bit", "a link", "errors gone", "errors invented", "all gone"],
)
def test_what_is_damaged_is_made_again(out, source, damage, remade):
    before = contents(out)
    damage(out)
    noticed = []
    summary = annotate_files(run_of(out, source), LocalWorkers(1), notice=noticed.append)
    assert (summary.parts, summary.parts_before, summary.documents) == (remade, 3 - remade, 24)
    assert noticed == [f"{remade} finished parts are missing or damaged, and are made again"]
    (out / "parts" / "elsewhere").unlink(missing_ok=True)
    assert contents(out) == before
    assert [each["document"] for each in run_failures(out)] == ["in-8"]


@pytest.mark.parametrize("name", ["parts", "errors"])
def test_links_are_not_followed(out, source, tmp_path, name):
    (out / name).rename(tmp_path / "kept")
    (tmp_path / "precious").mkdir()
    for each in ("00000-in-00000.jsonl", "00009-other-00000.jsonl", ".00000-in-00000.jsonl.x.part", "diary.txt"):
        (tmp_path / "precious" / each).write_text("precious")
    (out / name).symlink_to(tmp_path / "precious")
    with pytest.raises(RunError, match=rf"{name}: expected a folder of the run's own, got a link"):
        annotate_files(run_of(out, source), LocalWorkers(1))
    assert [path.read_text() for path in (tmp_path / "precious").iterdir()] == ["precious"] * 4
    (out / name).unlink()
    (tmp_path / "kept").rename(out / name)
    assert annotate_files(run_of(out, source), LocalWorkers(1)).parts == 0


def test_a_manifest_that_is_a_link_is_refused(out, source, tmp_path):
    (out / "manifest.jsonl").rename(tmp_path / "other")
    (out / "manifest.jsonl").symlink_to(tmp_path / "other")
    before = (tmp_path / "other").read_bytes()
    with pytest.raises(RunError, match=r"manifest.jsonl: expected a file of our own, got"):
        annotate_files(run_of(out, source), LocalWorkers(1))
    assert (tmp_path / "other").read_bytes() == before


def test_only_own_names_are_cleared_away(out):
    ours = ("00003-in-00000.jsonl", ".00003-in-00000.jsonl.ab_1.part", ".00000-in-00000.jsonl.ab_1.part")
    foreign = (
        "notes.txt",
        ".hidden",
        ".00003-in-00001.jsonl",
        "00003-in.jsonl",
        "x-00003-in-00000.jsonl",
        "00003-in-00000",
        "00000-in-00000.d",
    )
    for name in (*ours, *foreign[:-1]):
        (out / "parts" / name).write_text("x")
    (out / "parts" / foreign[-1]).mkdir()
    remove_unfinished(out, {f"00000-in-0000{n}" for n in range(3)})
    left = {path.name for path in (out / "parts").iterdir()}
    assert left == {*foreign, *(f"00000-in-0000{n}.jsonl" for n in range(3))}


@pytest.mark.parametrize("stem", ["in", "", "a" * 200, "pubmed26n0001", "ä\u2028/..", "-"])
def test_names_of_parts_are_own_names(stem):
    assert PART_NAME.fullmatch(part_name(3, stem, 100_000))


def test_a_run_without_parts_cannot_be_read(out):
    delete_all(out)
    with pytest.raises(RunError, match="expected a folder 'parts'"):
        list(read_run(out))


def test_parts_of_inputs_that_are_not_asked_for_are_left_alone(out, tmp_path):
    other = write_lines(tmp_path / "other.txt", ["Ghi Jkl"])
    (out / FIRST).unlink()
    noticed = []
    summary = annotate_files(run_of(out, other), LocalWorkers(1), notice=noticed.append)
    assert (summary.parts, summary.parts_before, noticed) == (1, 0, [])
    assert (out / "parts" / "00000-in-00001.jsonl").exists()
