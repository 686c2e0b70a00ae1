"""Inputs whose names hold what is no text, or parts lines in it: runs over them can be taken up again."""

import os

import pytest
from run_failures import run_failures
from small_runs import documents, run_of, write_lines

from corpora import file_stem
from ppi.cli import main
from ppi.server.runs.long_run import LocalWorkers, annotate_files

pytestmark = pytest.mark.usefixtures("without_processes")

NAMES = {
    "line separator": "a\u2028b.txt",
    "next line": "a\u0085b.txt",
    "line feed": "a\nb.txt",
    "no UTF-8": os.fsdecode(b"a\xffb.txt"),
    "quote": 'a"\\b.txt',
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("format", ["jsonl", "csv", "mitab", "parquet"])
def test_a_run_is_taken_up_again(tmp_path, name, format):
    if format == "parquet":
        pytest.importorskip("pyarrow")
    path = write_lines(tmp_path / name, [*(f"Abc Def {n}" for n in range(12)), "Abc Def RAISE"])
    run = run_of(tmp_path / "out", path, part_format=format)
    assert annotate_files(run, LocalWorkers(1)).parts == 2
    again = annotate_files(run, LocalWorkers(1))
    assert (again.parts, again.parts_before, again.documents, again.failures) == (0, 2, 12, 1)
    (listed,) = run_failures(tmp_path / "out")
    listed["path"].encode()  # text, whatever the name is
    assert listed["record"] == 12
    if format == "jsonl":
        assert documents(tmp_path / "out") == [f"{file_stem(name)}-{n + 1}" for n in range(12)]


def test_the_folder_of_the_run_may_have_such_a_name(tmp_path):
    path = write_lines(tmp_path / "in.txt", ["Abc Def"])
    for name in NAMES.values():
        folder = tmp_path / f"out {name}"
        assert annotate_files(run_of(folder, path), LocalWorkers(1)).parts == 1
        assert annotate_files(run_of(folder, path), LocalWorkers(1)).parts_before == 1


def test_messages_about_them_are_one_line(tmp_path, capsys):
    for name in NAMES.values():
        assert main(["annotate", str(tmp_path / name), "--run", str(tmp_path / "out"), "--to", "jsonl"]) == 1
        assert len(capsys.readouterr().err.splitlines()) == 1
