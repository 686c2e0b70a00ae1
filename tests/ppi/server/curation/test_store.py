"""Judgements in a file: kept, taken back, read again; torn lines, other files, several writers."""

import json
import multiprocessing
import os
import signal
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from judged import TYPED, Clock, judgement

from ppi.core import CurationError
from ppi.server.curation.judgement_file import HEAD, encode_line
from ppi.server.curation.store import Curation, curation_path


@pytest.fixture
def curation(tmp_path):
    return Curation(tmp_path / "curation.jsonl", clock=Clock())


def again(curation):
    return Curation(curation.path, clock=Clock())


def verdicts(curation):
    return [kept.judgement.verdict for kept in curation.state]


def test_a_judgement_is_in_the_file_when_it_is_told(curation):
    assert not curation.path.exists()  # looking makes nothing
    id = curation.judge(TYPED[0], "right", curator=" Ada ", pubmed="4711", comment=" sure ")
    head, line = curation.path.read_bytes().splitlines()
    assert json.loads(head) == {"format": "ppi-curation", "version": 1}
    told = json.loads(line)["judgement"]
    assert (told["verdict"], told["curator"], told["comment"]) == ("right", "Ada", "sure")
    assert told["time"] == "2026-01-02T03:04:06.000000Z"
    assert told["interaction"]["sentence"] == "Profilin binds actin."
    assert [each["spans"] for each in told["interaction"]["proteins"]] == [[[0, 8]], [[15, 20]]]
    assert list(curation.events) == [id] == list(again(curation).events)


def test_the_latest_holds_and_undoing_brings_back_what_was_before(curation):
    first = curation.judge(TYPED[0], "right", curator="Ada")
    second = curation.judge(TYPED[0], "wrong", curator="Ada")
    assert verdicts(curation) == ["wrong"]
    curation.undo(second, curator="Ada")
    assert verdicts(curation) == ["right"]
    curation.undo(first, curator="Ada")
    assert verdicts(curation) == []
    curation.judge(TYPED[0], "right", curator="Ada")  # the same again is another judgement
    assert verdicts(curation) == ["right"] == verdicts(again(curation))


def test_nobody_takes_back_what_does_not_hold_or_is_not_theirs(curation):
    first = curation.judge(TYPED[0], "right", curator="Ada")
    with pytest.raises(CurationError, match="expected a judgement of 'Bob' that holds"):
        curation.undo(first, curator="Bob")
    with pytest.raises(CurationError, match="got 'nothing'; it was taken back before"):
        curation.undo("nothing", curator="Ada")
    curation.undo(first, curator="Ada")
    with pytest.raises(CurationError, match="taken back before"):
        curation.undo(first, curator="Ada")


def test_what_is_refused_leaves_no_line(curation):
    curation.judge(TYPED[0], "right", curator="Ada")
    before = curation.path.read_bytes()
    with pytest.raises(CurationError, match="wrong direction"):
        curation.judge(TYPED[0], "wrong direction", curator="Ada")
    assert curation.path.read_bytes() == before


def test_a_clock_that_is_set_back_does_not_turn_the_order(tmp_path):
    clock = Clock()
    curation = Curation(tmp_path / "curation.jsonl", clock=clock)
    curation.judge(TYPED[0], "right", curator="Ada")
    clock.now -= timedelta(days=1)
    curation.judge(TYPED[0], "wrong", curator="Ada")
    assert verdicts(curation) == ["wrong"]
    first, second = [event.time for event in curation.events.values()]
    assert second == first.replace("000000Z", "000001Z")


class TestTornLines:
    def test_a_torn_last_line_is_passed_over_and_said(self, curation):
        curation.judge(TYPED[0], "right", curator="Ada")
        whole = curation.path.read_bytes()
        torn = encode_line(judgement("wrong", of=1))
        for length in (1, 10, len(torn) // 2, len(torn) - 2):
            curation.path.write_bytes(whole + torn[:length])
            found = again(curation)
            assert (verdicts(found), found.torn) == (["right"], [3])

    def test_the_next_line_is_never_joined_to_it(self, curation):
        curation.judge(TYPED[0], "right", curator="Ada")
        with open(curation.path, "ab") as stream:
            stream.write(encode_line(judgement("wrong", of=1))[:100])
        assert curation.refresh() is False
        curation.judge(TYPED[2], "wrong", curator="Ada")
        assert verdicts(curation) == ["right", "wrong"] == verdicts(again(curation))
        assert curation.torn == [3] == again(curation).torn
        assert curation.path.read_bytes().count(b"\n") == 4

    def test_a_line_that_lacks_but_its_end_is_whole(self, curation):
        curation.judge(TYPED[0], "right", curator="Ada")
        with open(curation.path, "ab") as stream:
            stream.write(encode_line(judgement("wrong", of=1, seconds=5)).rstrip())
        curation.refresh()
        assert (verdicts(curation), curation.torn) == (["right", "wrong"], [])
        curation.judge(TYPED[2], "wrong", curator="Ada")
        assert verdicts(curation) == ["right", "wrong", "wrong"] == verdicts(again(curation))

    @pytest.mark.parametrize("length", range(len(HEAD)))
    def test_a_torn_head_is_completed(self, tmp_path, length):
        path = tmp_path / "curation.jsonl"
        path.write_bytes(HEAD[:length])
        curation = Curation(path)
        curation.judge(TYPED[0], "right", curator="Ada")
        assert path.read_bytes().startswith(HEAD)
        assert verdicts(Curation(path)) == ["right"]

    def test_what_a_lost_block_leaves_is_torn(self, curation):
        curation.judge(TYPED[0], "right", curator="Ada")
        with open(curation.path, "ab") as stream:
            stream.write(b"\0" * 300)
        curation.judge(TYPED[1], "wrong", curator="Ada")
        assert (verdicts(again(curation)), again(curation).torn) == (["right", "wrong"], [3])


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (b'{"format": "ppi-curation", "version": 2}\n', "expected judgements of version 1, got version 2; use the"),
            (b'{"format": "ppi-curation", "version": true}\n', "got version True"),
            (b'{"format": "ppi-curation"}\n', "got version None"),
            (b'{"format": "ppi-annotate-run", "version": 2}\n', "expected a file of judgements"),
            (b"PAR1", "expected a file of judgements"),
            (b"[" * 100_000 + b"\n", "expected a file of judgements"),
            (HEAD + b'{"verdict": "right"}\n', "line 2: expected an object with 'judgement' or 'undo'"),
            (HEAD + b"3\n", "line 2: expected an object"),
            (HEAD + b'{"judgement": {"verdict": "right"}}\n', "line 2: expected dict as 'interaction'"),
            (HEAD + b"[" * 100_000 + b"\n", "line 2: .* nested too deep"),
            (HEAD + b"x" * (2**20 + 1), "line 2: expected at most 1,048,576 bytes, got more"),
        ],
        ids=range(11),
    )
    def test_are_refused_and_left_alone(self, tmp_path, content, expected):
        path = tmp_path / "curation.jsonl"
        path.write_bytes(content)
        with pytest.raises(CurationError, match=expected):
            Curation(path)
        assert path.read_bytes() == content

    def test_links_pipes_and_folders_are_refused(self, tmp_path):
        other = tmp_path / "other"
        other.write_bytes(HEAD)
        (tmp_path / "link").symlink_to(other)
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "folder").mkdir()
        for name in ("link", "pipe", "folder"):
            with pytest.raises(CurationError, match="expected a file of our own"):
                Curation(tmp_path / name)

    def test_a_file_that_cannot_be_made_is_an_error(self, tmp_path):
        with pytest.raises(CurationError, match="expected a file of our own, got: No such file"):
            Curation(tmp_path / "nowhere" / "curation.jsonl").judge(TYPED[0], "right", curator="Ada")

    def test_a_full_file_takes_no_more(self, curation, monkeypatch):
        monkeypatch.setattr("ppi.server.curation.store.MAX_FILE_BYTES", 100)
        with pytest.raises(CurationError, match="expected a file of at most 100 bytes, got a full one"):
            curation.judge(TYPED[0], "right", curator="Ada")

    def test_a_sentence_without_end_is_refused(self, curation):
        endless = replace(TYPED[0], sentence=TYPED[0].sentence + "x" * 2**20)
        with pytest.raises(CurationError, match="sentences of this length cannot be judged"):
            curation.judge(endless, "right", curator="Ada")

    def test_a_full_disk_is_said_and_the_next_line_is_whole(self, curation, monkeypatch):
        curation.judge(TYPED[0], "right", curator="Ada")
        real, written = os.write, []

        def half_then_none(file, content):
            if written:
                raise OSError(28, "No space left on device")
            written.append(real(file, bytes(content)[:150]))
            return written[0]

        monkeypatch.setattr(os, "write", half_then_none)
        with pytest.raises(CurationError, match="No space left on device; it is not kept"):
            curation.judge(TYPED[1], "wrong", curator="Ada")
        monkeypatch.setattr(os, "write", real)
        curation.judge(TYPED[2], "wrong", curator="Ada")
        assert verdicts(again(curation)) == ["right", "wrong"]
        assert again(curation).torn == [3]

    def test_a_file_that_was_replaced_is_read_anew(self, curation, tmp_path):
        curation.judge(TYPED[0], "right", curator="Ada")
        other = Curation(tmp_path / "other.jsonl")
        other.judge(TYPED[1], "wrong", curator="Bob")
        os.replace(other.path, curation.path)
        assert curation.refresh() is False  # as many as before, but others
        assert verdicts(curation) == ["wrong"]
        curation.path.unlink()
        assert curation.refresh()
        assert verdicts(curation) == []


def judge_many(path, curator, count, told):
    curation = Curation(path)
    for number in range(count):
        told.put(curation.judge(TYPED[number % 5], "right", curator=curator, comment=str(number)))


def judge_for_ever(path, told):
    curation = Curation(path)
    number = 0
    while True:
        told.send(curation.judge(TYPED[number % 5], "right", curator="Ada", comment=f"{number}" + "x" * 1500))
        number += 1


class TestSeveralWriters:
    def test_processes_lose_nothing_of_each_other(self, tmp_path):
        path = tmp_path / "curation.jsonl"
        context = multiprocessing.get_context("fork")
        told = context.SimpleQueue()
        writers = [context.Process(target=judge_many, args=(path, name, 25, told)) for name in ("A", "B", "C")]
        for writer in writers:
            writer.start()
        ids = {told.get() for _ in range(75)}
        for writer in writers:
            writer.join()
        curation = Curation(path)
        assert set(curation.events) == ids
        assert len(ids) == 75
        assert curation.torn == []
        times = [event.time for event in curation.events.values()]
        assert times == sorted(set(times))

    def test_threads_lose_nothing_of_each_other(self, tmp_path):
        curation = Curation(tmp_path / "curation.jsonl")
        told = []

        def work(name):
            told.extend(curation.judge(TYPED[0], "right", curator=name, comment=str(n)) for n in range(20))

        threads = [threading.Thread(target=work, args=(name,)) for name in "AB"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(told) == set(Curation(curation.path).events)
        assert len(set(told)) == 40

    def test_a_writer_killed_in_the_middle_loses_nothing_that_was_told(self, tmp_path):
        path = tmp_path / "curation.jsonl"
        context = multiprocessing.get_context("fork")
        for round in range(3):
            receiver, sender = context.Pipe(duplex=False)
            writer = context.Process(target=judge_for_ever, args=(path, sender))
            writer.start()
            ids = [receiver.recv() for _ in range(5 + round)]
            os.kill(writer.pid, signal.SIGKILL)
            writer.join()
            sender.close()
            while receiver.poll():
                try:
                    ids.append(receiver.recv())
                except EOFError:
                    break
            curation = Curation(path)
            assert set(ids) <= set(curation.events)
            assert len(curation.torn) <= round + 1

    def test_a_file_that_somebody_holds_is_an_error_in_time(self, curation, monkeypatch):
        import fcntl

        curation.judge(TYPED[0], "right", curator="Ada")
        monkeypatch.setattr("ppi.server.curation.store.LOCK_SECONDS", 0.05)
        with open(curation.path, "rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            with pytest.raises(CurationError, match="got one held; try again"):
                curation.judge(TYPED[1], "right", curator="Ada")
        curation.judge(TYPED[1], "right", curator="Ada")
        assert len(curation.events) == 2


def test_others_are_heard_when_one_looks_again(curation):
    other = again(curation)
    other.judge(TYPED[0], "right", curator="Bob")
    assert curation.refresh()
    assert curation.refresh() is False
    assert verdicts(curation) == ["right"]
    curation.judge(TYPED[1], "wrong", curator="Ada")
    other.judge(TYPED[2], "wrong", curator="Bob")
    assert len(other.events) == 3


def test_where_judgements_are(tmp_path):
    assert curation_path(tmp_path) == tmp_path / "curation.jsonl"
    assert curation_path(tmp_path / "found.parquet") == tmp_path / "found.parquet.curation.jsonl"


def test_judgements_are_no_part_of_what_is_judged(tmp_path):
    from ppi.server.database.sources import list_parts

    for name in ("a.jsonl", "curation.jsonl", "a.jsonl.curation.jsonl"):
        (tmp_path / name).write_bytes(b"")
    assert [part.name for part in list_parts(tmp_path)] == ["a.jsonl"]
