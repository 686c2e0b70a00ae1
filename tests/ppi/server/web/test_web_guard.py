"""Who may ask, how much, how slowly; what every answer carries; what the log says."""

import asyncio
import gzip
import json
import logging
import os
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import urlsplit

import httpx
import pytest
from waiting import WAIT_SECONDS, wait_until
from web_annotator import SLEEP_SECONDS, BrokenAnnotator, WebAnnotator
from web_server import serving

from ppi.core import PpiError, UsageError
from ppi.server.web.app import create_app
from ppi.server.web.guard import Guard
from ppi.server.web.limits import Limits
from ppi.server.web.problems import HTTPProblem
from ppi.server.web.worker_pool import Pool

SMALL = Limits(
    workers=1,
    queue=2,
    body_bytes=20_000,
    documents=3,
    characters=2_000,
    entities=20,
    pairs=30,
    explained=3,
    seconds=0.5 * SLEEP_SECONDS,
    head_seconds=0.5,
    body_seconds=0.7,
    connections=30,
    client_share=1.0,
)


@pytest.fixture(scope="module")
def small():
    with serving(WebAnnotator, limits=SMALL) as address, httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
        yield client


def connected(client):
    place = urlsplit(str(client.base_url))
    connection = socket.create_connection((place.hostname, place.port), timeout=WAIT_SECONDS)
    return closing(connection)


def answer_on(connection):
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def head(*lines):
    return "\r\n".join(["POST /api/annotate HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


@pytest.mark.parametrize("path", ["/", "/docs", "/static/main.js", "/api/health", "/nothing"])
def test_every_answer_carries_the_security_headers(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers or "uvicorn" in headers["server"]


def test_the_page_has_no_inline_code_and_asks_nobody_else(client):
    page = client.get("/").text
    assert "http://" not in page
    assert "https://" not in page
    assert "style=" not in page
    # the library that draws networks, and the page's own modules
    scripts = re.findall(r"<script[^>]*>", page)
    assert len(scripts) == 2
    assert all(' src="/static/' in script for script in scripts)
    for name in ("main", "api", "dom", "text", "table", "network", "evidence", "explorer", "identity", "layout"):
        code = client.get(f"/static/{name}.js")
        assert code.headers["content-type"].startswith("text/javascript")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in code.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "", "127.0.0.1.evil.example", "[", "é"])
def test_other_host_names_are_refused(client, host):
    answer = client.get("/api/health", headers={"host": host.encode()})
    assert answer.status_code in (400, 421)
    assert "evil" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:8000"])
def test_names_of_this_machine_are_taken(client, host):
    assert client.get("/api/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"origin": "http://["}],
)
def test_pages_of_other_sites_cannot_send_work(client, headers):
    answer = client.post("/api/annotate", json={"text": "RAD51"}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["code"] == "cross-site"


def test_the_own_page_can_send_work(client, address):
    headers = {"origin": address, "sec-fetch-site": "same-origin"}
    assert client.post("/api/annotate", json={"text": "RAD51"}, headers=headers).status_code == 200


def test_a_body_that_says_it_is_too_large_is_refused_unread(small):
    with connected(small) as connection:
        connection.sendall(
            head("Content-Type: application/json", "Content-Length: 100000000000", "Expect: 100-continue")
        )
        answer = answer_on(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"at most 20,000 bytes" in answer


def test_a_large_body_with_its_length(small):
    answer = small.post("/api/annotate", json={"text": "x" * 30_000})
    assert answer.status_code == 413
    assert answer.json()["code"] == "too-large"


def test_a_large_body_without_its_length(small):
    answer = small.post("/api/annotate", content=iter([b'{"text": "', *[b"x" * 1000] * 100, b'"}']))
    assert "content-length" not in {name.lower() for name in answer.request.headers}
    assert answer.status_code == 413


def test_an_upload_that_unpacks_to_too_much(small):
    answer = small.post("/api/annotate/file", files={"file": ("a.txt.gz", gzip.compress(b"0 " * 2_500_000))})
    assert answer.status_code == 413
    assert "after unpacking" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("request_json", "what"),
    [
        ({"documents": [{"id": str(n), "text": "RAD51"} for n in range(4)]}, "3 documents"),
        ({"text": "RAD51 " * 400}, "2,000 characters"),
        ({"text": "a" * 30, "entities": [{"start": n, "end": n + 1} for n in range(25)]}, "20 given names"),
        ({"text": "RAD51 " * 12}, "30 pairs of proteins"),
        ({"text": "RAD51 " * 4, "explain": True}, "3 pairs of proteins with evidence"),
    ],
)
def test_too_many_documents_characters_names_and_pairs(small, request_json, what):
    answer = small.post("/api/annotate", json=request_json)
    assert answer.status_code == 413
    assert f"at most {what}" in answer.json()["detail"]


def test_a_slow_body_is_given_up(small):
    with connected(small) as connection:
        connection.sendall(head("Content-Type: application/json", "Content-Length: 1000") + b'{"te')
        answer = answer_on(connection)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer.lower()


def test_a_slow_head_is_given_up_even_while_it_trickles(small):
    begun = time.monotonic()
    with connected(small) as connection:
        try:
            while time.monotonic() < begun + WAIT_SECONDS:
                connection.sendall(b"X")
                connection.settimeout(0.1)
                try:
                    if connection.recv(100) == b"":
                        break
                except TimeoutError:
                    continue
        except (BrokenPipeError, ConnectionResetError):
            pass
        else:
            assert time.monotonic() < begun + WAIT_SECONDS, "the server still listens"


def test_a_slow_head_on_a_used_connection_is_given_up(small):
    with connected(small) as connection:
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT")
        answer = answer_on(connection)  # ends only when the server closes
    assert answer.count(b"HTTP/1.1 200 ") == 1


def test_too_many_connections_are_told_that_the_server_is_busy(small):
    place = urlsplit(str(small.base_url))
    held = [socket.create_connection((place.hostname, place.port), timeout=WAIT_SECONDS) for _ in range(40)]
    try:
        answers = [answer_on(one) for one in held]
    finally:
        for one in held:
            one.close()
    refusals = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503 ")]
    assert len(refusals) >= 10
    assert all(json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "busy" for answer in refusals)


class Requests:
    """Requests to a guard without a server: each has sent so many bytes, and is complete or not."""

    def __init__(self, **limits):
        self.working = asyncio.Event()
        self.guard = Guard(self.work, limits=Limits(**limits), hosts=None)
        self.tasks = []

    async def work(self, scope, receive, send):
        await self.working.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    async def status(self, n_bytes, client="1.1.1.1", *, complete=True):
        """Of the answer, if there is one at once; None if the request waits."""
        messages = [{"type": "http.request", "body": b"x" * n_bytes, "more_body": not complete}]
        answers = []

        async def receive():
            if messages:
                return messages.pop()
            await asyncio.Event().wait()

        async def send(message):
            answers.append(message)

        scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "client": (client, 1)}
        self.tasks.append(asyncio.ensure_future(self.guard(scope, receive, send)))
        await asyncio.sleep(0.01)
        return answers[0]["status"] if answers else None

    async def leave(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.wait(self.tasks)


def test_a_body_that_has_not_arrived_takes_no_place_for_work():
    async def run():
        requests = Requests(requests=2, client_share=1.0)
        for _ in range(120):
            assert await requests.status(1, complete=False) is None
        assert [await requests.status(9) for _ in range(3)] == [None, None, 503]
        requests.working.set()
        await asyncio.sleep(0.01)  # the two are done
        assert await requests.status(9) == 200
        await requests.leave()

    asyncio.run(run())


def test_one_client_takes_its_share_of_places_and_no_more():
    async def run():
        requests = Requests(requests=4)
        assert [await requests.status(9, "1.1.1.1") for _ in range(3)] == [None, None, 503]
        assert [await requests.status(9, "2.2.2.2") for _ in range(3)] == [None, None, 503]
        assert await requests.status(9, "3.3.3.3") == 503  # all four are taken
        await requests.leave()
        assert await requests.status(9, "1.1.1.1") is None
        await requests.leave()

    asyncio.run(run())


def test_bytes_of_bodies_are_bounded_whether_they_are_complete_or_not(monkeypatch):
    monkeypatch.setattr("ppi.server.web.guard._LINGER_SECONDS", 0.001)

    async def run():
        requests = Requests(held_bytes=1000)
        assert [await requests.status(400, complete=False) for _ in range(2)] == [None, 503]
        assert [await requests.status(500, "2.2.2.2") for _ in range(2)] == [None, 503]
        assert await requests.status(101, "3.3.3.3", complete=False) == 503
        assert await requests.status(100, "3.3.3.3", complete=False) is None
        await requests.leave()
        assert await requests.status(400) is None
        await requests.leave()

    asyncio.run(run())


def test_120_clients_that_announce_a_body_and_send_one_byte_keep_nobody_out():
    limits = Limits(workers=1, requests=10, connections=300)
    with (
        serving(WebAnnotator, limits=limits) as address,
        httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client,
    ):
        place = urlsplit(address)
        held = [socket.create_connection((place.hostname, place.port)) for _ in range(120)]
        for one in held:
            one.sendall(head("Content-Type: application/json", "Content-Length: 1000") + b"{")
        assert client.post("/api/annotate", json={"text": "RAD51 and TP53"}).status_code == 200
        for one in held:
            one.close()


def test_one_client_has_its_share_of_connections():
    with serving(WebAnnotator, limits=Limits(workers=1, connections=20)) as address:
        place = urlsplit(address)
        held = [socket.create_connection((place.hostname, place.port), timeout=WAIT_SECONDS) for _ in range(12)]
        assert held[-1].recv(20).startswith(b"HTTP/1.1 503 ")
        held[0].settimeout(0.2)
        with pytest.raises(TimeoutError):
            held[0].recv(1)
        for one in held:
            one.close()
        wait_until(lambda: httpx.get(f"{address}/api/health", timeout=WAIT_SECONDS).status_code == 200)


@pytest.mark.parametrize("text", ["1," * 20_000, "(" * 40_000, "RAD51" * 300])
def test_endless_words_are_refused_before_any_work(client, text):
    answer = client.post("/api/annotate", json={"text": f"RAD51 binds {text}"})
    assert answer.status_code == 413
    assert "at most 1,000 characters without white space" in answer.json()["detail"]


def test_long_words_are_taken(client):
    assert client.post("/api/annotate", json={"text": "RAD51 binds " + "A" * 1000}).status_code == 200


def test_the_process_that_takes_too_long_is_ended():
    async def run():
        pool = Pool(WebAnnotator, Limits(workers=1, seconds=0.2))
        pool.start()
        try:
            (worker,) = pool._workers
            before = worker.pid
            with pytest.raises(HTTPProblem, match="too-slow"):
                await pool.run("annotate", {"text": "SLUMBER", "entities": None, **QUIET})
            return before
        finally:
            pool.close()

    with pytest.raises(ProcessLookupError):
        os.kill(asyncio.run(run()), 0)


QUIET = {"explain": False, "types": None, "include_negated": False, "include_hedged": False, "min_probability": 0.0}


def test_the_work_of_a_client_that_left_is_ended():
    limits = Limits(workers=1, seconds=50.0, abandoned_seconds=0.1)
    with (
        serving(WebAnnotator, limits=limits) as address,
        httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client,
    ):
        place = urlsplit(address)
        body = json.dumps({"text": "SLUMBER"}).encode()
        with closing(socket.create_connection((place.hostname, place.port))) as connection:
            connection.sendall(head("Content-Type: application/json", f"Content-Length: {len(body)}") + body)
            wait_until(lambda: client.get("/api/health").json()["idle"] == 0)
        wait_until(lambda: client.get("/api/health").json()["idle"] == 1)  # a new process takes its time
        assert client.post("/api/annotate", json={"text": "RAD51 and TP53"}, timeout=WAIT_SECONDS).status_code == 200


def test_work_past_the_time_limit_is_ended_and_the_next_request_works(small):
    answer = small.post("/api/annotate", json={"text": "SLEEP"})
    assert answer.status_code == 422
    assert answer.json()["code"] == "too-slow"
    assert small.post("/api/annotate", json={"text": "RAD51 and TP53"}).status_code == 200


def test_a_worker_that_dies_is_replaced(small):
    assert small.post("/api/annotate", json={"text": "CRASH"}).json()["code"] == "failed"
    assert small.post("/api/annotate", json={"text": "RAD51 and TP53"}).status_code == 200


def test_memory_that_runs_out_is_a_matter_of_size(small):
    answer = small.post("/api/annotate", json={"text": "HUNGER"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_failures_say_nothing_of_the_text_neither_to_the_client_nor_to_the_log(small, caplog):
    with caplog.at_level(logging.DEBUG):
        answer = small.post("/api/annotate", json={"text": "RAISE Confidential7"})
    assert answer.status_code == 500
    assert "Confidential7" not in answer.text + caplog.text
    assert "Traceback" not in answer.text
    assert "ZeroDivisionError at web_annotator.py:" in caplog.text


def test_fifty_clients_at_once_get_an_answer_or_are_told_to_wait():
    async def one(client, n):
        statuses = []
        for _ in range(6):
            answer = await client.post("/api/annotate", json={"text": f"RAD51 binds TP{n}. " * 20})
            statuses.append(answer.status_code)
            if answer.status_code == 503:
                assert answer.json()["code"] == "busy"
                assert int(answer.headers["retry-after"]) >= 1
        return statuses

    async def all_of_them(address):
        async with httpx.AsyncClient(
            base_url=address, timeout=WAIT_SECONDS, limits=httpx.Limits(max_connections=50)
        ) as client:
            return await asyncio.gather(*(one(client, n) for n in range(50)))

    with serving(WebAnnotator, limits=Limits(workers=2, queue=8)) as address:
        with ThreadPoolExecutor() as threads:
            found = threads.submit(asyncio.run, all_of_them(address)).result()
        statuses = [status for each in found for status in each]
        assert httpx.get(f"{address}/api/health", timeout=WAIT_SECONDS).json() | {"version": ""} == {
            "status": "ok", "version": "", "workers": 2, "idle": 2, "waiting": 0,
        }  # fmt: skip
    assert set(statuses) <= {200, 503}
    assert statuses.count(200) >= 50


def test_a_client_that_leaves_leaves_the_queue():
    with serving(WebAnnotator, limits=Limits(workers=1, queue=3, abandoned_seconds=60.0)) as address:
        body = json.dumps({"text": "SLUMBER"}).encode()
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        held = []
        with httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
            place = urlsplit(address)
            for _ in range(4):
                held.append(socket.create_connection((place.hostname, place.port)))
                held[-1].sendall(head(*lines) + body)
            wait_until(lambda: client.get("/api/health").json()["waiting"] == 3)
            for one in held:
                one.close()
            wait_until(lambda: client.get("/api/health").json()["waiting"] == 0)
            assert client.get("/api/health").json()["idle"] == 0  # the first is still being worked on


def test_a_request_in_progress_is_answered_when_the_server_is_told_to_end():
    with ThreadPoolExecutor() as threads:
        with serving(WebAnnotator, limits=Limits(workers=1)) as address:
            answer = threads.submit(httpx.post, f"{address}/api/annotate", json={"text": "SLEEP"}, timeout=WAIT_SECONDS)
            wait_until(lambda: httpx.get(f"{address}/api/health", timeout=WAIT_SECONDS).json()["idle"] == 0)
        assert answer.result().status_code == 200


def test_a_worker_is_replaced_after_its_share_of_work():
    with serving(WebAnnotator, limits=Limits(workers=1, worker_jobs=2)) as address:
        for _ in range(3):
            answer = httpx.post(f"{address}/api/annotate", json={"text": "RAD51 and TP53"}, timeout=WAIT_SECONDS)
            assert answer.status_code == 200


def test_an_annotator_that_cannot_be_made_is_an_error_at_the_start():
    app = create_app(annotator=BrokenAnnotator, limits=Limits(workers=1))
    with pytest.raises(PpiError, match=r"ppi-miner\[stanza\]"):
        app.state.pool.start()


def test_limits_that_make_no_sense():
    with pytest.raises(UsageError, match="at least 1 for the limit 'workers', got 0"):
        Limits(workers=0)
    assert Limits(queue=0).queue == 0
    with pytest.raises(UsageError, match=r"at most 1 for the limit 'client_share', got 1\.5"):
        Limits(client_share=1.5)
