"""What tests of supervised processes load; a module of its own, so that the process can import it."""

import os
import signal
import sys
import time

from threadpoolctl import threadpool_info

from ppi.core import UsageError


def obedient(prefix=""):
    """Answers that do what the request says."""
    return lambda request: _OBEYED[request](prefix)


def _crash(prefix):
    yield f"{prefix}about to"
    os.kill(os.getpid(), signal.SIGKILL)


def _leave(prefix):
    os._exit(3)
    yield


def _hang(prefix):
    yield f"{prefix}about to"
    time.sleep(1000)


def _facts(prefix):
    yield {
        "pid": os.getpid(),
        "blas": [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"],
        "interrupt": signal.getsignal(signal.SIGINT) == signal.SIG_IGN,
        "links": [_link(each) for each in os.listdir("/proc/self/fd")],
        "spacy": "spacy" in sys.modules,
    }


def _link(descriptor):
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""


_OBEYED = {
    "count": lambda prefix: (f"{prefix}{number}" for number in range(3)),
    "once": lambda prefix: [f"{prefix}once"],
    "crash": _crash,
    "leave": _leave,
    "hang": _hang,
    "raise": lambda prefix: 1 / 0,
    "facts": _facts,
}


def refusing():
    """Cannot be loaded, for a reason that people understand."""
    raise UsageError("expected a model, got none")


def broken():
    """Cannot be loaded, for another reason."""
    raise KeyError("weights")


def slow_to_load():
    """Takes for ever."""
    time.sleep(1000)


def dying():
    """Ends while it loads."""
    os._exit(7)
