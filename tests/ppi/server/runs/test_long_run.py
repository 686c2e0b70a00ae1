"""Long runs: poison documents, crashes and restarts cost what they must and no more."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fake_annotator import FakeSettings
from run_failures import run_failures
from small_runs import contents, documents, run_of, write_lines

from corpora import CorpusError
from ppi.annotation import AnnotatorSettings
from ppi.core import MissingExtraError, RunError, UsageError
from ppi.server.runs.chunks import Chunk
from ppi.server.runs.long_run import DaskWorkers, LocalWorkers, annotate_files
from ppi.server.runs.supervisor import Supervisor


class TestPoison:
    TEXTS = tuple(f"Abc Def {number}" for number in range(25))

    def test_each_poisoned_document_is_listed_and_all_others_done(self, tmp_path):
        poison = {3: "CRASH", 4: "HANG", 12: "RAISE", 13: "CRASH", 24: "HANG"}
        texts = [f"{text} {poison.get(number, '')}" for number, text in enumerate(self.TEXTS)]
        path = write_lines(tmp_path / "in.txt", texts)
        result = Supervisor(FakeSettings(), time_limit=1.0).annotate(Chunk(str(path), "text-lines", 0, None, "p"))
        assert [each.document.id for each in result.documents] == [
            f"in-{number + 1}" for number in range(25) if number not in poison
        ]
        failures = {failure.record: failure for failure in result.failures}
        assert sorted(failures) == sorted(poison)
        assert failures[3].document == "in-4"
        assert "SIGKILL" in failures[3].reason
        assert "longer than 1 second" in failures[4].reason
        assert failures[12].reason == "ValueError: this document is bad"

    def test_a_process_killed_from_outside_costs_no_document(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"{text} SLOW" for text in self.TEXTS])
        watcher = Supervisor(FakeSettings(), time_limit=30.0)
        watcher.start()
        first = watcher.process.pid
        killer = subprocess.Popen(["bash", "-c", f"sleep 0.5; kill -9 {first}"])
        result = watcher.annotate(Chunk(str(path), "text-lines", 0, None, "p"))
        killer.wait()
        assert watcher.process.pid not in (None, first)
        assert len(result.documents) == 25
        assert result.failures == []
        watcher.close()

    def test_a_document_of_a_million_characters_is_listed(self, tmp_path, monkeypatch):
        path = write_lines(tmp_path / "in.txt", ["Abc Def", "Abc " + "x" * 1_000_000, "Abc Def"])
        result = Supervisor(FakeSettings()).annotate(Chunk(str(path), "text-lines", 0, None, "p"))
        assert [each.document.id for each in result.documents] == ["in-1", "in-3"]
        assert [failure.record for failure in result.failures] == [1]
        assert "expected at most" in result.failures[0].reason

    def test_sentences_that_were_not_searched_are_listed_but_their_document_is_not_lost(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def", "Abc Def LONG"])
        result = Supervisor(FakeSettings()).annotate(Chunk(str(path), "text-lines", 0, None, "p"))
        assert len(result.documents) == 2
        (failure,) = result.failures
        assert (failure.record, failure.document, failure.lost) == (1, "in-2", False)
        assert "not searched" in failure.reason

    def test_an_annotator_that_cannot_be_made_is_one_error(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", self.TEXTS)
        watcher = Supervisor(AnnotatorSettings(parser="no_such_pipeline"))
        with pytest.raises(RunError, match="no_such_pipeline"):
            watcher.annotate(Chunk(str(path), "text-lines", 0, None, "p"))


class TestRun:
    def test_results_do_not_depend_on_the_number_of_workers(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [*(f"Abc Def {n}" for n in range(35)), "RAISE RAISE", "", "Abc Def"])
        one = annotate_files(run_of(tmp_path / "one", path), LocalWorkers(1))
        four = annotate_files(run_of(tmp_path / "four", path), LocalWorkers(4))
        assert (one.documents, one.failures, one.parts) == (four.documents, four.failures, four.parts) == (36, 1, 4)
        assert contents(tmp_path / "one") == contents(tmp_path / "four")
        assert [failure["document"] for failure in run_failures(tmp_path / "one")] == ["in-36"]

    def test_started_again_it_does_nothing_twice(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(25)])
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
        before = {each: each.stat().st_mtime_ns for each in (tmp_path / "out" / "parts").iterdir()}
        more = write_lines(tmp_path / "more.txt", ["Ghi Jkl"])
        summary = annotate_files(run_of(tmp_path / "out", path, more), LocalWorkers(1))
        assert (summary.parts, summary.parts_before, summary.documents) == (1, 3, 26)
        assert all(each.stat().st_mtime_ns == time for each, time in before.items())

    def test_a_changed_input_is_noticed_and_done_anew(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(25)])
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
        write_lines(path, [f"Ghi Jkl {n}" for n in range(5)])
        noticed = []
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1), notice=noticed.append)
        assert noticed == [f"{path} has changed; its parts are made anew"]
        assert documents(tmp_path / "out") == [f"in-{n + 1}" for n in range(5)]

    def test_a_touched_input_is_not_changed(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def"])
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
        os.utime(path, (1, 1))
        assert annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1)).parts == 0

    def test_progress_reaches_the_whole(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(25)])
        shares = []
        annotate_files(
            run_of(tmp_path / "out", path), LocalWorkers(2), report=lambda facts, share: shares.append(share)
        )
        assert shares == sorted(shares)
        assert shares[-1] == pytest.approx(1.0)

    def test_leftovers_of_a_crash_are_cleared_away(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(15)])
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
        expected = contents(tmp_path / "out")
        manifest = tmp_path / "out" / "manifest.jsonl"
        manifest.write_text(manifest.read_text()[:-20])  # as if the machine had stopped while the last line was written
        (tmp_path / "out" / "parts" / ".00000-in-00009.jsonl.abc.part").write_text("half")
        summary = annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
        assert (summary.parts, summary.parts_before) == (1, 1)
        assert contents(tmp_path / "out") == expected

    def test_a_coordinator_that_is_killed_goes_on_where_it_was(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def {n} SLOW" for n in range(60)])
        program = (
            "import sys; from pathlib import Path; from fake_annotator import FakeSettings;"
            "from ppi.server.runs.long_run import LocalWorkers, Run, annotate_files;"
            "run = Run([sys.argv[1]], Path(sys.argv[2]), FakeSettings(), 'text-lines', 'jsonl', 10, 30.0);"
            "annotate_files(run, LocalWorkers(2))"
        )
        out = tmp_path / "out"
        process = subprocess.Popen([sys.executable, "-c", program, str(path), str(out)])
        while not list(out.glob("parts/*.jsonl")):
            time.sleep(0.05)
        process.kill()
        process.wait()
        assert 0 < len(list(out.glob("parts/*.jsonl"))) < 6
        summary = annotate_files(run_of(out, path), LocalWorkers(2))
        assert summary.parts + summary.parts_before == 6
        annotate_files(run_of(tmp_path / "undisturbed", path), LocalWorkers(1))
        assert contents(out) == contents(tmp_path / "undisturbed")


class TestRefusals:
    def test_other_settings(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def"])
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
        with pytest.raises(RunError, match=r"min_probability.*name another folder"):
            annotate_files(run_of(tmp_path / "out", path, settings=FakeSettings(min_probability=0.9)), LocalWorkers(1))

    def test_types_and_doubts_are_settings_that_stay_the_same(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def"])
        settings = FakeSettings(types=("binding", "regulation"), include_hedged=True)
        run = run_of(tmp_path / "out", path, settings=settings)
        annotate_files(run, LocalWorkers(1))
        assert annotate_files(run, LocalWorkers(1)).parts == 0  # taken up again
        with pytest.raises(RunError, match=r"types.*name another folder"):
            annotate_files(replace(run, settings=replace(settings, types=("binding",))), LocalWorkers(1))

    def test_a_folder_of_something_else(self, tmp_path):
        write_lines(tmp_path / "in.txt", ["Abc Def"])
        with pytest.raises(RunError, match="got other files"):
            annotate_files(run_of(tmp_path, tmp_path / "in.txt"), LocalWorkers(1))

    def test_a_folder_in_use(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def"])

        def again(facts, share):
            with pytest.raises(RunError, match="in use"):
                annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))

        assert annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1), report=again).parts == 1

    def test_a_manifest_of_another_version(self, tmp_path):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "manifest.jsonl").write_text('{"format": "ppi-annotate-run", "version": 99}\n')
        with pytest.raises(RunError, match="version 99"):
            annotate_files(run_of(tmp_path / "out", write_lines(tmp_path / "in.txt", ["A B"])), LocalWorkers(1))

    def test_a_full_disk_leaves_what_is_done_and_goes_on_later(self, tmp_path, monkeypatch):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(35)])
        written = []

        def write(documents, target, format):
            if len(written) == 2:
                raise CorpusError("expected room on the disk, got: No space left on device")
            written.append(target)
            real(documents, target, format)

        from ppi import export

        real = export.write
        with monkeypatch.context() as patched:
            patched.setattr(export, "write", write)
            with pytest.raises(RunError, match=r"can be started again: .*No space left"):
                annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
        assert len(list((tmp_path / "out" / "parts").iterdir())) == 2
        assert annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1)).parts == 2
        assert len(documents(tmp_path / "out")) == 35

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"part_format": "html"}, "one row per interaction"),
            ({"chunk_records": 0}, "positive"),
            ({"inputs": ()}, "none"),
        ],
    )
    def test_wrong_arguments(self, tmp_path, changes, message):
        with pytest.raises(UsageError, match=message):
            annotate_files(run_of(tmp_path / "out", tmp_path / "in.txt", **changes), LocalWorkers(1))

    def test_a_missing_package_is_named_before_anything_is_done(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match="parquet"):
            annotate_files(run_of(tmp_path / "out", tmp_path / "in.txt", part_format="parquet"), LocalWorkers(1))
        assert not (tmp_path / "out").exists()

    def test_a_missing_input(self, tmp_path):
        with pytest.raises(RunError, match="No such file"):
            annotate_files(run_of(tmp_path / "out", tmp_path / "missing.txt"), LocalWorkers(1))

    def test_a_scheduler_that_is_not_there(self, monkeypatch):
        pytest.importorskip("distributed")
        monkeypatch.setattr("ppi.core.parallel.CONNECT_TIMEOUT_SECONDS", 1)
        with pytest.raises(RunError, match="dask scheduler"):
            DaskWorkers("tcp://127.0.0.1:9")


def test_annotating_process_ends_when_its_supervisor_is_killed(tmp_path):
    path = write_lines(tmp_path / "in.txt", [f"Abc Def {n} SLOW" for n in range(200)])
    program = (
        "import sys; from fake_annotator import FakeSettings; from ppi.server.runs.chunks import Chunk;"
        "from ppi.server.runs.supervisor import Supervisor; s = Supervisor(FakeSettings()); s.start();"
        "print(s.process.pid, flush=True); s.annotate(Chunk(sys.argv[1], 'text-lines', 0, None, 'p'))"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    child = int(process.stdout.readline())
    process.kill()
    process.wait()
    for _ in range(200):  # it notices when it next reports
        if not Path(f"/proc/{child}").exists():
            break
        time.sleep(0.1)
    assert not Path(f"/proc/{child}").exists()
