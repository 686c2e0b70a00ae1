"""Waiting for something to come true: as long as a busy machine may need, and no longer than it takes."""

import time

#: After so long it is taken that it never will; every wait of a test of servers and pages ends by then.
WAIT_SECONDS = 180


def wait_until(condition):
    """Wait until the function's value is true, and return it."""
    end = time.monotonic() + WAIT_SECONDS
    while not (value := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return value
