"""A process that crashes, hangs or cannot load takes down nothing but itself, and can be started again."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np  # noqa: F401  has BLAS threads to keep to one
import pytest
import supervised_jobs as jobs

from ppi.core.errors import LoadingError
from ppi.core.supervised_process import ProcessEnded, SupervisedProcess


@pytest.fixture
def process():
    process = started(jobs.obedient)
    yield process
    process.close()


def started(load, **options):
    process = SupervisedProcess(load, **options)
    process.start()
    process.wait_until_ready()
    return process


def is_gone(pid):
    end = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class TestAnswers:
    def test_messages_come_one_by_one(self, process):
        messages = process.stream("count", seconds=60)
        assert next(messages) == "0"
        assert list(messages) == ["1", "2"]
        assert process.call("once", seconds=60) == "once"
        assert process.requests == 2

    def test_what_loads_may_bring_arguments(self):
        process = started(partial(jobs.obedient, "this "))
        assert process.call("once", seconds=60) == "this once"
        process.close()

    def test_started_twice_it_is_one_process(self, process):
        pid = process.pid
        process.start()
        process.wait_until_ready()
        assert process.pid == pid

    def test_it_is_kept_to_one_thread_and_leaves_ctrl_c_to_its_owner(self, process):
        facts = process.call("facts", seconds=60)
        assert facts["pid"] == process.pid
        assert set(facts["blas"]) <= {1}
        assert facts["interrupt"]
        os.kill(process.pid, signal.SIGINT)
        assert process.call("once", seconds=60) == "once"

    def test_it_inherits_no_socket(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            os.set_inheritable(server.fileno(), True)
            process = started(jobs.obedient)
            facts = process.call("facts", seconds=60)
            process.close()
        assert sum(link.startswith("socket:") for link in facts["links"]) == 1  # its end of the connection

    def test_it_loads_nothing_by_itself(self, process):
        assert not process.call("facts", seconds=60)["spacy"]


class TestEnds:
    @pytest.mark.parametrize(
        ("request_", "messages", "reason"),
        [
            ("crash", ["about to"], r"ended the worker \(signal SIGKILL\)"),
            ("leave", [], r"ended the worker \(exit status 3\)"),
            ("raise", [], r"ended the worker \(exit status 1\)"),
        ],
    )
    def test_a_crash_says_how_it_ended_and_the_next_start_works(self, request_, messages, reason):
        process = started(jobs.obedient, name="worker")
        got = []
        with pytest.raises(ProcessEnded, match=reason) as ended:
            got.extend(process.stream(request_, seconds=60))
        assert (got, ended.value.late, process.pid) == (messages, False, None)
        process.start()
        process.wait_until_ready()
        assert process.call("once", seconds=60) == "once"
        assert process.requests == 1
        process.close()

    def test_what_takes_too_long_is_killed(self, process):
        pid = process.pid
        messages = process.stream("hang", seconds=0.3)
        assert next(messages) == "about to"
        with pytest.raises(ProcessEnded, match=r"took longer than 0\.3 seconds") as ended:
            next(messages)
        assert ended.value.late
        assert is_gone(pid)

    def test_an_answer_that_nobody_waits_for_is_no_answer_to_the_next_request(self, process):
        pid = process.pid
        messages = process.stream("count", seconds=60)
        next(messages)
        messages.close()
        assert is_gone(pid)
        process.start()
        process.wait_until_ready()
        assert process.call("once", seconds=60) == "once"

    def test_more_than_one_message_is_no_call(self, process):
        with pytest.raises(ValueError, match="too many values"):
            process.call("count", seconds=60)

    def test_killed_from_outside_it_can_be_started_again(self, process):
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ProcessEnded, match="signal SIGKILL"):
            process.call("once", seconds=60)
        process.start()
        process.wait_until_ready()
        assert process.call("once", seconds=60) == "once"

    def test_asked_without_being_started(self):
        process = SupervisedProcess(jobs.obedient)
        with pytest.raises(ProcessEnded, match="the process is not running"):
            process.call("once", seconds=60)
        with pytest.raises(LoadingError, match="the process is not running"):
            process.wait_until_ready()

    @pytest.mark.parametrize("request_", ["hang", "once"])
    def test_it_ends_with_its_owner_even_in_the_middle_of_work(self, request_):
        program = (
            "import sys, supervised_jobs; from ppi.core.supervised_process import SupervisedProcess;"
            "process = SupervisedProcess(supervised_jobs.obedient); process.start(); process.wait_until_ready();"
            f"messages = process.stream({request_!r}, seconds=100); next(messages);"
            "print(process.pid, flush=True); input()"
        )
        command = [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as owner:
            pid = int(owner.stdout.readline())
            owner.kill()
        assert is_gone(pid)


class TestLoading:
    def test_our_own_errors_keep_their_text(self):
        with pytest.raises(LoadingError, match=r"^expected a model, got none$"):
            started(jobs.refusing)

    def test_other_errors_say_what_they_are(self):
        with pytest.raises(LoadingError, match="KeyError: 'weights'"):
            started(jobs.broken)

    def test_what_cannot_be_found_there_is_named(self, monkeypatch):
        monkeypatch.setattr(jobs, "only_here", lambda: None, raising=False)
        jobs.only_here.__module__, jobs.only_here.__qualname__ = jobs.__name__, "only_here"
        with pytest.raises(LoadingError, match="only_here"):
            started(jobs.only_here)

    def test_an_end_while_loading(self):
        with pytest.raises(LoadingError, match=r"that loads all it needs, got: .*exit status 7"):
            started(jobs.dying)

    def test_loading_that_takes_too_long(self):
        process = SupervisedProcess(jobs.slow_to_load, name="worker", loading_seconds=0.5)
        process.start()
        pid = process.pid
        with pytest.raises(LoadingError, match=r"expected a worker .* took longer than 0\.5 seconds"):
            process.wait_until_ready()
        assert is_gone(pid)


class TestClosing:
    def test_from_another_thread_a_request_at_work_is_given_up(self, process):
        pid = process.pid
        closing = threading.Timer(0.3, process.close)
        messages = process.stream("hang", seconds=60)
        assert next(messages) == "about to"
        closing.start()
        with pytest.raises(ProcessEnded) as ended:
            next(messages)
        closing.join()
        assert not ended.value.late
        assert is_gone(pid)

    def test_from_another_thread_while_it_loads(self):
        process = SupervisedProcess(jobs.slow_to_load)
        process.start()
        closing = threading.Timer(0.3, process.close)
        closing.start()
        with pytest.raises(LoadingError):
            process.wait_until_ready()
        closing.join()
        assert process.pid is None

    def test_closed_it_is_not_started_again(self, process):
        process.close()
        process.close()
        with pytest.raises(LoadingError, match="got one that was closed"):
            process.start()
