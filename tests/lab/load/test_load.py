"""The real server, for a few seconds, under more clients than it has workers; scripts/load_test is the long version."""

import asyncio

import pytest
from lab.load.trial import Answer, Crowd, crowd, oversized, serving, slow_body, slow_head

import corpora
from ppi.server import Limits

PATIENCE = 60.0


@pytest.fixture(scope="module")
def texts():
    return ["\n\n".join(sentence.text for sentence in each.sentences) for each in corpora.load("abstracts")]


async def everybody(server, texts):
    """A crowd with slow clients among it; then bodies that are too large."""
    address = server.address
    slow = asyncio.gather(
        *(slow_head(address, interval=1.0, patience=PATIENCE) for _ in range(3)),
        *(slow_body(address, interval=1.0, patience=PATIENCE) for _ in range(3)),
    )
    found = await crowd(address, texts, clients=10, seconds=5.0, server=server)
    ends = await slow
    large = [await oversized(address, 3 * Limits().body_bytes, chunked=chunked) for chunked in (False, True)]
    return found, ends, large


def test_a_crowd_with_slow_clients_among_it(texts):
    with serving("--workers", "1") as server:
        found, ends, large = asyncio.run(everybody(server, texts))
        still_running = server.process.poll() is None
        said = "".join(line for line in server.lines if not line.startswith("ppi: "))
    assert still_running
    assert said == ""
    figures = found.to_dict()
    assert figures["errors"] == []
    assert set(figures["statuses"]) <= {"200", "503"}
    assert figures["statuses"]["200"] >= 10  # nobody was kept out
    assert None not in ends[:3]  # heads that do not end are dropped
    assert ends[3:] == [408] * 3
    assert [answer.status for answer in large] == [413, 413]
    start, end = found.memory[0][1], found.memory[-1][1]
    assert 0 < end < 1.2 * start


def test_figures_of_a_report():
    answers = [Answer(200, n / 100) for n in range(1, 101)] + [Answer(503, 0.0, 1.0)] * 25
    figures = Crowd(5, 10.0, answers, [(0.0, 2**20)]).to_dict()
    assert figures["requests"] == 125
    assert figures["busy_share"] == 0.2
    assert figures["answered_a_second"] == 10.0
    assert figures["latency_seconds"] == {"p50": 0.51, "p90": 0.91, "p99": 1.0, "max": 1.0}
    assert figures["memory_megabytes"] == {"0 s": 1.0}
    assert Crowd(1, 1.0).to_dict()["latency_seconds"]["p50"] is None


def test_a_server_that_does_not_start():
    with (
        pytest.raises(RuntimeError, match=r"expected a server that starts, got: (.|\n)*no-such-model"),
        serving("--model", "no-such-model.zip"),
    ):
        pass
