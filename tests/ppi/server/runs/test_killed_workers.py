"""Annotating processes that are killed: no document is given up that did not fail alone twice."""

from collections import Counter

import pytest
from fake_annotator import FakeSettings
from run_failures import run_failures
from small_runs import documents, run_of, write_lines

from ppi.core import ProcessEnded, RunError
from ppi.server.runs.chunks import Chunk
from ppi.server.runs.long_run import LocalWorkers, annotate_files
from ppi.server.runs.supervisor import (
    BATCH_DOCUMENTS,
    BatchStarted,
    ChunkRequest,
    ChunkResult,
    Supervisor,
    _next_request,
)


def annotated(path, **options):
    supervisor = Supervisor(FakeSettings(), **options)
    try:
        return supervisor.annotate(Chunk(str(path), "text-lines", 0, None, "p"))
    finally:
        supervisor.close()


class TestAlone:
    def test_killed_once_in_a_document_that_is_alone_in_its_task(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def ONCE:{tmp_path}/killed"])
        result = annotated(path)
        assert (tmp_path / "killed").read_bytes() == b"xx"
        assert [each.document.id for each in result.documents] == ["in-1"]
        assert result.failures == []

    def test_killed_in_the_last_record_of_a_chunk(self, tmp_path):
        # the first batch has 32 documents, so that the last one is a batch by itself
        path = write_lines(tmp_path / "in.txt", [*["Abc Def"] * 32, f"Abc Def ONCE:{tmp_path}/killed"])
        result = annotated(path)
        assert len(result.documents) == 33
        assert result.failures == []

    def test_given_up_when_it_has_failed_alone_twice(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def COUNT:{tmp_path}/tried WHILE:{tmp_path}"])
        result = annotated(path)
        assert (tmp_path / "tried").read_bytes() == b"xx"
        assert result.documents == []
        (failure,) = result.failures
        assert (failure.document, failure.lost) == ("in-1", True)
        assert failure.reason == "ended the annotating process (signal SIGKILL), 2 times"

    def test_a_document_of_a_batch_is_tried_twice_together_and_twice_alone(self, tmp_path):
        texts = ["Abc Def", f"Abc Def COUNT:{tmp_path}/tried WHILE:{tmp_path}", "Abc Def"]
        result = annotated(write_lines(tmp_path / "in.txt", texts))
        assert (tmp_path / "tried").read_bytes() == b"xxxx"
        assert [each.document.id for each in result.documents] == ["in-1", "in-3"]
        assert [each.document for each in result.failures] == ["in-2"]

    def test_an_error_is_given_two_chances_too(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", [f"Abc Def COUNT:{tmp_path}/tried RAISE"])
        result = annotated(path)
        assert (tmp_path / "tried").read_bytes() == b"xx"
        assert [each.reason for each in result.failures] == ["ValueError: this document is bad"]

    def test_retry_failed_tries_again_what_was_given_up_and_nothing_else(self, tmp_path):
        (tmp_path / "poisonous").touch()
        texts = [f"Abc Def {n}" + f" WHILE:{tmp_path}/poisonous" * (n == 3) for n in range(25)]
        path = write_lines(tmp_path / "in.txt", texts)
        out = tmp_path / "out"
        assert annotate_files(run_of(out, path), LocalWorkers(1)).failures == 1
        assert [each["document"] for each in run_failures(out)] == ["in-4"]
        (tmp_path / "poisonous").unlink()
        unasked = annotate_files(run_of(out, path), LocalWorkers(1))
        assert (unasked.parts, unasked.failures) == (0, 1)
        noticed = []
        asked = annotate_files(run_of(out, path, retry_failed=True), LocalWorkers(1), notice=noticed.append)
        assert (asked.parts, asked.parts_before, asked.failures, asked.documents) == (1, 2, 0, 25)
        assert noticed == ["1 parts with failed documents are made again"]
        assert run_failures(out) == []
        assert documents(out) == [f"in-{n + 1}" for n in range(25)]


class TestLoading:
    def test_killed_while_it_loads_the_worker_is_started_again_and_others_go_on(self, tmp_path):
        (tmp_path / "deaths").write_bytes(b"xxx")
        path = write_lines(tmp_path / "in.txt", [f"Abc Def {n}" for n in range(25)])
        run = run_of(tmp_path / "out", path, settings=FakeSettings(deaths=str(tmp_path / "deaths")))
        summary = annotate_files(run, LocalWorkers(2))
        assert (tmp_path / "deaths").read_bytes() == b""
        assert (summary.documents, summary.failures) == (25, 0)

    def test_killed_at_work_and_then_while_it_loads_again(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def", f"Abc Def ONCE:{tmp_path}/killed"])
        deaths = tmp_path / "deaths"
        deaths.write_bytes(b"")
        supervisor = Supervisor(FakeSettings(deaths=str(deaths)))
        supervisor.start()
        deaths.write_bytes(b"xx")
        result = supervisor.annotate(Chunk(str(path), "text-lines", 0, None, "p"))
        supervisor.close()
        assert deaths.read_bytes() == b""
        assert len(result.documents) == 2
        assert result.failures == []

    def test_an_annotator_that_never_loads_is_given_up(self, tmp_path):
        (tmp_path / "deaths").write_bytes(b"x" * 50)
        path = write_lines(tmp_path / "in.txt", ["Abc Def"])
        run = run_of(tmp_path / "out", path, settings=FakeSettings(deaths=str(tmp_path / "deaths")))
        with pytest.raises(RunError, match=r"got 5 times: .*signal SIGKILL"):
            annotate_files(run, LocalWorkers(1))


class TestMemory:
    def test_a_document_that_takes_too_much_fails_alone(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def", "Abc Def EAT", "Abc Def"])
        result = annotated(path, memory_limit=500)
        assert [each.document.id for each in result.documents] == ["in-1", "in-3"]
        (failure,) = result.failures
        assert (failure.document, failure.reason) == ("in-2", "took more than 500 MB of memory, 2 times")

    def test_what_stays_below_the_limit_is_left_alone(self, tmp_path):
        path = write_lines(tmp_path / "in.txt", ["Abc Def SLOW"] * 5)
        assert len(annotated(path, memory_limit=500).documents) == 5


class TestNextOrder:
    """What is done after the process has ended, without a process."""

    CHUNK = Chunk("in.txt", "text-lines", 100, 200, "p")

    def orders(self, start, at_work, times, *, late=False):
        """The orders after each end in the same place, with what is given up."""
        result, ends, order = ChunkResult(self.CHUNK), Counter(), start
        for _ in range(times):
            order = _next_request(order, at_work, ProcessEnded("ended", late=late), ends, result)
            yield order, [(failure.record, failure.document) for failure in result.failures]

    def test_a_batch_is_tried_again_and_then_one_by_one(self):
        start = ChunkRequest(self.CHUNK, 132)
        found = list(self.orders(start, BatchStarted(132, 32, None), 2))
        assert found == [(start, []), (ChunkRequest(self.CHUNK, 132, alone=32), [])]

    def test_a_late_batch_is_done_one_by_one_at_once(self):
        found = list(self.orders(ChunkRequest(self.CHUNK, 132), BatchStarted(132, 20, None), 1, late=True))
        assert found == [(ChunkRequest(self.CHUNK, 132, alone=20), [])]

    @pytest.mark.parametrize("late", [False, True])
    def test_a_document_alone_is_given_up_the_second_time(self, late):
        start = ChunkRequest(self.CHUNK, 140, alone=7)
        found = list(self.orders(start, BatchStarted(140, 1, "d140"), 2, late=late))
        assert found == [(start, []), (ChunkRequest(self.CHUNK, 141, alone=6), [(140, "d140")])]

    def test_what_ends_it_while_it_reads_is_looked_for_one_by_one(self):
        start = ChunkRequest(self.CHUNK, 132)
        *_, (order, given_up) = self.orders(start, None, 2)
        assert (order, given_up) == (ChunkRequest(self.CHUNK, 132, alone=BATCH_DOCUMENTS), [])
        *_, (order, given_up) = self.orders(order, None, 2)
        assert (order, given_up) == (ChunkRequest(self.CHUNK, 133, alone=BATCH_DOCUMENTS - 1), [(132, None)])
