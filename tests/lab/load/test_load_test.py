"""What scripts/load_test says of a trial."""

from lab.load.__main__ import complaints, shown

QUIET = {
    "clients": 2,
    "seconds": 1.0,
    "requests": 5,
    "statuses": {"200": 4, "503": 1},
    "busy_share": 0.2,
    "answered_a_second": 4.0,
    "latency_seconds": {"p50": 0.1, "max": None},
    "errors": [],
    "memory_megabytes": {"0 s": 1.0},
    "memory_at_the_end_megabytes": 2.0,
    "slow_heads_dropped_after": [3.0],
    "slow_bodies_got": [0, 408],
    "beside_slow_ones": {"status": 200, "seconds": 0.2},
    "oversized_got": [413, 413],
    "server_said": [],
}


def test_answers_and_busy_are_no_complaint():
    assert complaints(QUIET) == []
    text = shown(QUIET)
    assert "5 requests {'200': 4, '503': 1}, 20.0 % busy, 4.0 answered per second" in text
    assert "p50 0.10 s\n" in text
    assert "dropped after at most 3.0 s" in text


def test_everything_else_is_one():
    wrong = {
        **QUIET,
        "statuses": {"500": 1},
        "errors": ["ConnectionResetError"],
        "slow_heads_dropped_after": [None],
        "beside_slow_ones": {"status": 0, "seconds": 9.0},
        "oversized_got": [413, 200],
        "server_said": ["Traceback"],
    }
    assert complaints(wrong) == [
        "status 500: 1",
        "ConnectionResetError",
        "no request was answered",
        "slow clients that were kept",
        "slow clients kept out a quick one",
        "oversized bodies got [413, 200]",
        "Traceback",
    ]
