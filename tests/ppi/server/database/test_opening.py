"""The index beside the files: made once, made longer, made anew; and what is refused."""

import json
import multiprocessing
import shutil
import subprocess
import sys

import duckdb
import pyarrow.parquet as pq
import pytest
from small_database import TYPED, annotated
from small_runs import run_of, write_lines

import ppi
from ppi.core import DatabaseError, MissingExtraError
from ppi.server.database import index_file, ingest
from ppi.server.runs.long_run import LocalWorkers, annotate_files


def indexes(path):
    return sorted(index_file.index_folder(path).glob("*.duckdb"))


def count(path):
    with ppi.open_run(path) as run:
        return run.facts().interactions


@pytest.fixture
def folder(tmp_path):
    """Two parts."""
    folder = tmp_path / "files"
    folder.mkdir()
    ppi.write(annotated(TYPED[:3]), folder / "a.parquet")
    ppi.write(annotated(TYPED[3:4]), folder / "b.jsonl")
    return folder


def test_the_index_is_made_once(file, monkeypatch):
    assert count(file) == 7
    (index,) = indexes(file)
    before = index.stat()
    monkeypatch.setattr(index_file, "add_parts", None)
    assert count(file) == 7
    assert index.stat().st_mtime_ns == before.st_mtime_ns


def test_the_index_is_made_anew_when_a_file_changed(file):
    assert count(file) == 7
    (before,) = indexes(file)
    ppi.write(annotated(TYPED[:2]), file)
    assert count(file) == 2
    assert len(indexes(file)) == 1
    assert indexes(file) != [before]


def test_a_folder_that_was_moved_keeps_its_index(folder, monkeypatch):
    assert count(folder) == 4
    moved = folder.rename(folder.with_name("moved"))
    monkeypatch.setattr(index_file, "add_parts", None)
    assert count(moved) == 4


def test_new_parts_are_added_and_old_ones_not_read_again(folder, monkeypatch):
    with ppi.open_run(folder) as run:
        assert not run.refresh()
        seen = []
        monkeypatch.setattr(ingest, "_tables", _noting(seen, ingest._tables))
        ppi.write(annotated(TYPED[4:]), folder / "c.parquet")
        before = run.search()
        assert run.refresh()
        assert seen == ["c.parquet"]
        assert run.facts().interactions == 7
        assert len(list(before)) == 4  # asked before, answered from what there was
        assert len(indexes(folder)) == 1
    fresh = folder.with_name("fresh")
    shutil.copytree(folder, fresh, ignore=shutil.ignore_patterns("index"))
    with ppi.open_run(folder) as one, ppi.open_run(fresh) as other:
        everything = {"include_negated": True, "include_hedged": True}
        assert sorted(found.pair for found in one.search(**everything)) == sorted(
            found.pair for found in other.search(**everything)
        )
        assert one.search(**everything).pairs() == other.search(**everything).pairs()
        assert one.facts() == other.facts()


def _noting(seen, tables):
    def noted(part):
        seen.append(part.name)
        return tables(part)

    return noted


def test_a_part_that_is_gone_is_forgotten(folder):
    assert count(folder) == 4
    (folder / "b.jsonl").unlink()
    assert count(folder) == 3


@pytest.mark.parametrize(
    "damage",
    [
        lambda index: index.write_bytes(b"no database"),
        lambda index: index.write_bytes(b""),
        lambda index: index.write_bytes(index.read_bytes()[:5000]),
        lambda index: _other_version(index),
        lambda index: _other_tables(index),
    ],
    ids=["other bytes", "empty", "cut", "another version", "no tables"],
)
def test_an_index_that_is_not_ours_is_made_anew(file, damage):
    assert count(file) == 7
    damage(indexes(file)[0])
    assert count(file) == 7


def _other_version(index):
    with duckdb.connect(str(index)) as connection:
        connection.execute("UPDATE about SET version = 99")


def _other_tables(index):
    with duckdb.connect(str(index)) as connection:
        connection.execute("DROP TABLE edge")


def test_what_a_killed_process_left_is_taken_away(file):
    work = index_file.index_folder(file) / "work"
    work.mkdir(parents=True)
    (work / "half.duckdb").write_bytes(b"half")
    assert count(file) == 7
    assert not work.exists()


def test_processes_that_open_at_once_make_one_index(file):
    context = multiprocessing.get_context("fork")
    with context.Pool(3) as pool:
        assert pool.map(count, [file] * 3) == [7] * 3
    assert len(indexes(file)) == 1


def test_where_nothing_can_be_written_the_index_is_elsewhere(file, monkeypatch):
    def refused(*args, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(index_file.fcntl, "flock", refused)
    assert count(file) == 7
    assert indexes(file) == []


@pytest.mark.usefixtures("without_processes")
def test_a_run_that_goes_on(tmp_path):
    source = write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(15)])
    out = tmp_path / "out"
    annotate_files(run_of(out, source, part_format="parquet"), LocalWorkers(1))
    with ppi.open_run(out) as run:
        assert run.facts().interactions == 15
        assert [protein.label for protein in run.find("abc")] == ["Abc"]
        more = write_lines(tmp_path / "more.txt", [f"Abc Ghi {n}" for n in range(7)])
        (out / "parts" / ".00001-more-00000.parquet.x.part").write_bytes(b"being written")
        assert not run.refresh()
        annotate_files(run_of(out, source, more, part_format="parquet"), LocalWorkers(1))
        assert run.refresh()
        assert len(run.search("Ghi")) == 7
    annotate_files(run_of(out, source, more, part_format="parquet"), LocalWorkers(1))  # the index is no part of ours


def _manifest(tmp_path, **head):
    (tmp_path / "run" / "parts").mkdir(parents=True)
    line = {"format": "ppi-annotate-run", "version": 2, "settings": {}, **head}
    (tmp_path / "run" / "manifest.jsonl").write_text(json.dumps(line) + "\n")
    return tmp_path / "run"


def test_a_run_without_a_finished_part_is_empty(tmp_path):
    assert count(_manifest(tmp_path)) == 0


@pytest.mark.parametrize("head", [{"version": 1}, {"version": "2"}, {"format": "other"}, {"version": None}])
def test_a_run_of_another_version_is_refused(tmp_path, head):
    with pytest.raises(
        DatabaseError, match=r"manifest.jsonl: expected a run of 'ppi-annotate-run', version 2, got .*; "
    ):
        ppi.open_run(_manifest(tmp_path, **head))


@pytest.mark.parametrize("line", ["", "{", "[]", "[" * 100_000])
def test_a_manifest_that_is_none_is_refused(tmp_path, line):
    path = _manifest(tmp_path)
    (path / "manifest.jsonl").write_text(line)
    with pytest.raises(DatabaseError, match="expected a run of 'ppi-annotate-run'"):
        ppi.open_run(path)


def test_parts_that_cannot_be_read_back_are_refused(tmp_path):
    path = _manifest(tmp_path)
    (path / "parts" / "00000-a-00000.csv").write_text("document,pubmed\n")
    with pytest.raises(DatabaseError, match=r"expected parts that can be read back, .* got '.csv'"):
        ppi.open_run(path)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda path: None, "got nothing of that name"),
        (lambda path: path.mkdir(), "expected the folder of a run, or one with .parquet or .jsonl files, got neither"),
        (lambda path: path.write_text("hello"), "expected a .parquet or .jsonl file"),
    ],
)
def test_what_is_no_run_is_refused(tmp_path, make, text):
    make(tmp_path / "what")
    with pytest.raises(DatabaseError, match=text):
        ppi.open_run(tmp_path / "what")


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-100]),
        lambda path: path.write_bytes(b"PAR1"),
        lambda path: _other_schema(path),
        lambda path: path.write_bytes(_flipped(path.read_bytes())),
    ],
    ids=["cut", "begun", "another schema", "a page overwritten"],
)
def test_a_damaged_part_is_one_clear_error_and_no_index_is_left(file, damage):
    damage(file)
    with pytest.raises(DatabaseError, match=r"found\.parquet.*: expected .*; if it belongs to a run, start that again"):
        ppi.open_run(file)
    assert indexes(file) == []


def _other_schema(path):
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"ppi-miner.schema": "ppi-interactions/9"}), path)


def _flipped(content):
    return content[:4] + b"\xff" * 400 + content[404:]


def test_a_damaged_line_is_one_clear_error(tmp_path):
    path = tmp_path / "found.jsonl"
    ppi.write(annotated(), path)
    path.write_text(path.read_text()[:-30])
    with pytest.raises(DatabaseError, match=r"found\.jsonl"):
        ppi.open_run(path)


def test_a_server_goes_on_with_what_it_has(folder):
    with ppi.open_run(folder) as run:
        (folder / "c.parquet").write_bytes(b"PAR1")
        with pytest.raises(DatabaseError, match=r"c\.parquet"):
            run.refresh()
        assert run.facts().interactions == 4


def test_odd_names_of_folders(tmp_path):
    path = tmp_path / "it's a [run] *.%"
    path.mkdir()
    ppi.write(annotated(), path / "a'b.parquet")
    assert count(path) == 7


def test_without_the_extra(file):
    program = "import sys; sys.modules['duckdb'] = None; import ppi; ppi.open_run(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}", str(file)],
        capture_output=True,
        text=True,
    )
    assert MissingExtraError.__name__ in done.stderr
    assert "ppi-miner[database]" in done.stderr
