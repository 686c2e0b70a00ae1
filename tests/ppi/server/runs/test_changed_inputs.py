"""Inputs that are moved away, replaced or cut short while they are read: noticed, never mixed."""

import gzip
import os

import pytest
from run_failures import run_failures
from small_runs import contents, documents, run_of, write_lines

import corpora
from ppi.core import RunError
from ppi.server.runs import manifest
from ppi.server.runs.long_run import LocalWorkers, annotate_files
from ppi.server.runs.manifest import check_unchanged, describe_input, digest_of, status_of
from ppi.server.runs.supervisor import Supervisor

pytestmark = pytest.mark.usefixtures("without_processes")

CAN_BE_STARTED_AGAIN = "the run stopped, and can be started again: .*in"


@pytest.fixture
def path(tmp_path):
    return write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(45)])


def disturbed(tmp_path, path, disturb, **changes):
    """A run that is disturbed when its first part is there, and stops."""
    happened = []

    def report(facts, share):
        if not happened:
            happened.append(facts)
            disturb()

    with pytest.raises(RunError, match=CAN_BE_STARTED_AGAIN) as stopped:
        annotate_files(run_of(tmp_path / "out", path, **changes), LocalWorkers(1), report=report)
    assert "\n" not in str(stopped.value)
    assert run_failures(tmp_path / "out") == []


def undisturbed(tmp_path, path, **changes):
    annotate_files(run_of(tmp_path / "undisturbed", path, **changes), LocalWorkers(1))
    return documents(tmp_path / "undisturbed")


@pytest.mark.parametrize("packed", [False, True])
def test_moved_away_the_run_stops_and_goes_on_later(tmp_path, path, packed):
    if packed:
        path = (tmp_path / "in.txt.gz").absolute()
        path.write_bytes(gzip.compress((tmp_path / "in.txt").read_bytes()))
    expected = undisturbed(tmp_path, path)
    disturbed(tmp_path, path, lambda: path.rename(tmp_path / "away"))
    with pytest.raises(RunError, match="No such file"):
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
    (tmp_path / "away").rename(path)
    summary = annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
    assert summary.parts_before >= 1
    assert documents(tmp_path / "out") == expected


def test_a_file_that_is_one_task_and_moved_away(tmp_path):
    paths = [tmp_path / f"in{number}.jsonl" for number in range(4)]
    for number, path in enumerate(paths):
        sentence = corpora.Sentence("s", "Abc Def SLOW")
        corpora.write([corpora.Document(f"d{number}", (sentence,))], path, "bioc-json")

    def disturb():
        for path in paths[1:]:
            path.rename(path.with_suffix(".away"))

    with pytest.raises(RunError, match=CAN_BE_STARTED_AGAIN):
        annotate_files(
            run_of(tmp_path / "out", *paths, source_format="bioc-json"), LocalWorkers(1), report=lambda *_: disturb()
        )
    assert run_failures(tmp_path / "out") == []


@pytest.mark.parametrize(
    "disturb",
    [
        lambda path: os.truncate(path, 100),
        lambda path: write_lines(path, [f"Ghi Jkl {n}" for n in range(45)]),
        lambda path: write_lines(path.with_name("other"), [f"Ghi Jkl {n}" for n in range(45)]).rename(path),
    ],
    ids=["cut short", "written anew", "replaced"],
)
def test_another_version_is_never_mixed_with_the_one_before(tmp_path, path, disturb):
    disturbed(tmp_path, path, lambda: disturb(path))
    noticed = []
    annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1), notice=noticed.append)
    assert noticed == [f"{path} has changed; its parts are made anew"]
    undisturbed(tmp_path, path)
    assert list(contents(tmp_path / "out").values()) == list(contents(tmp_path / "undisturbed").values())


def test_replaced_and_put_back_while_a_part_is_made_it_is_made_again(tmp_path, path, monkeypatch):
    expected = undisturbed(tmp_path, path)
    original, calls = path.read_text(), []
    annotate = Supervisor.annotate

    def annotate_disturbed(self, chunk):
        calls.append(chunk.part)
        if len(calls) != 2:
            return annotate(self, chunk)
        write_lines(path, [f"Ghi Jkl {n}" for n in range(30)])
        try:
            return annotate(self, chunk)
        finally:
            path.write_text(original)

    monkeypatch.setattr(Supervisor, "annotate", annotate_disturbed)
    annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
    assert calls[1] == calls[2]
    assert len(calls) == len(set(calls)) + 1
    assert documents(tmp_path / "out") == expected
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")


def test_a_change_that_no_time_tells_is_noticed_at_the_end_of_the_run(tmp_path, path, monkeypatch):
    monkeypatch.setattr("ppi.server.runs.long_run.status_of", lambda path: "same")
    monkeypatch.setattr(manifest, "status_of", lambda path: "same")
    other = [f"Ghi Jkl {n}"[:9] for n in range(45)]

    def disturb():
        write_lines(path, [text + "x" * (len(f"Abc Def {n}") - len(text)) for n, text in enumerate(other)])

    disturbed(tmp_path, path, disturb)
    annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
    undisturbed(tmp_path, path)
    assert list(contents(tmp_path / "out").values()) == list(contents(tmp_path / "undisturbed").values())


def test_a_file_that_never_stays_the_same_is_refused(path, monkeypatch):
    times = iter(range(100))
    monkeypatch.setattr(manifest, "status_of", lambda path: str(next(times)))
    with pytest.raises(RunError, match="changed while it was read"):
        describe_input(0, str(path), "text-lines")


class TestStatus:
    def test_a_touched_file_is_unchanged(self, path):
        file = describe_input(0, str(path), "text-lines")
        os.utime(path, (1, 1))
        assert status_of(path) != file.status
        assert check_unchanged(file) == status_of(path)

    def test_what_is_replaced_with_its_times_kept_is_changed(self, path):
        file = describe_input(0, str(path), "text-lines")
        times = path.stat().st_atime_ns, path.stat().st_mtime_ns
        path.write_bytes(path.read_bytes().replace(b"Abc", b"Xyz"))
        os.utime(path, ns=times)
        with pytest.raises(RunError, match="changed while it was read"):
            check_unchanged(file)

    def test_a_folder_is_its_files(self, tmp_path):
        folder = tmp_path / "folder"
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "a.txt").write_text("one")
        (folder / "dangling").symlink_to("nowhere")
        status, digest = status_of(folder), digest_of(folder)
        assert (status, digest) == (status_of(folder), digest_of(folder))
        (folder / "deep" / "a.txt").write_text("two")
        assert status != status_of(folder)
        assert digest != digest_of(folder)
