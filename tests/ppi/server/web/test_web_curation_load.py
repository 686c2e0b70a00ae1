"""Judging that does not go smoothly: a server killed in the middle, many readers beside a writer."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path

import httpx
import pytest
from curated import judged_server, write_run
from waiting import WAIT_SECONDS

from ppi.server.curation.store import Curation, curation_path

pytest.importorskip("duckdb")
PROGRAM = Path(__file__).parents[3] / "support" / "serve_judged.py"
QUERY = {"protein": "RAD51", "show": "sentences"}
READERS, QUESTIONS = 20, 10


@pytest.fixture
def run(tmp_path):
    return write_run(tmp_path)


def started(run):
    """A server as a program of its own, and its address."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), str(run)], stdout=subprocess.PIPE, text=True, env=environment
    )
    return process, process.stdout.readline().strip()


def judging(address, comments, told):
    """Judge one row after another, for ever; ``told`` gets the comments of what was answered with 200."""
    with httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
        rows = client.get("/api/database/search", params=QUERY).json()["sentences"]
        for number in comments:
            row = rows[number % len(rows)]
            key = {name: row[name] for name in ("document", "pair", "words")}
            body = {**key, "verdict": "right", "curator": "Ada", "comment": str(number)}
            answer = client.post("/api/curation/judge", json=body)
            assert answer.status_code == 200, answer.text
            told.append(number)


def test_a_server_killed_in_the_middle_loses_nothing_but_the_last_click(run):
    numbers, told = count(), []
    enough = threading.Event()

    class Told(list):
        def append(self, number):
            super().append(number)
            if len(self) >= 15:
                enough.set()

    for _ in range(2):  # killed, started again on the same file, killed again
        process, address = started(run)
        answered = Told()
        enough.clear()

        def work(address=address, answered=answered):
            with contextlib.suppress(httpx.HTTPError):  # the server is gone
                judging(address, numbers, answered)

        thread = threading.Thread(target=work)
        thread.start()
        assert enough.wait(WAIT_SECONDS)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        thread.join(WAIT_SECONDS)
        told += answered
        curation = Curation(curation_path(run))
        kept = [int(event.comment) for event in curation.events.values()]
        assert kept == sorted(kept)
        assert set(told) <= set(kept)
        # the click that had no answer may be there or not, for each time it was killed
        assert len(set(kept) - set(told)) <= 2
        assert len(curation.torn) <= 2
    with judged_server(run) as (address, _), httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
        assert client.get("/api/curation").json()["rows"] == len(curation.state.rows)


def test_readers_and_a_writer_do_not_disturb_each_other(run):
    failures, told, stop = [], [], threading.Event()

    def reading(number):
        try:
            with httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
                for turn in range(QUESTIONS):
                    path = ("/api/database/search", "/api/curation/judgements", "/api/curation")[(number + turn) % 3]
                    answer = client.get(path, params=QUERY if "search" in path else {})
                    if answer.status_code != 200:
                        failures.append((path, answer.status_code, answer.text))
        except httpx.HTTPError as error:
            failures.append(repr(error))

    def writing():
        try:
            judging(address, iter(lambda: None if stop.is_set() else len(told), None), told)
        except (AssertionError, httpx.HTTPError) as error:
            failures.append(repr(error))

    with judged_server(run) as (address, _):
        writer = threading.Thread(target=writing)
        readers = [threading.Thread(target=reading, args=(number,)) for number in range(READERS)]
        writer.start()
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        stop.set()
        writer.join()
    assert failures == []
    kept = [int(event.comment) for event in Curation(curation_path(run)).events.values()]
    assert kept == told
    assert len(kept) > 5
