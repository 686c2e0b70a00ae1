"""The process that annotates: one annotator, one request at a time, a pipe to the server.

It is a process and not a thread so that a request that takes too long, or brings the parser down, can be ended without
harm to the others, and so that annotating does not hold up the server's answers.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from threadpoolctl import threadpool_limits

from corpora.errors import CorpusError
from corpora.types import Document, Sentence
from ppi.errors import PpiError
from ppi.web.limits import Limits
from ppi.web.problems import Refusal

READY = "ready"
_FIRST = Document("first", (Sentence("first.s0", "Profilin binds actin."),))


@dataclass(frozen=True)
class Failure:
    """Something that should not happen; ``place`` is for the log and holds no word of the request."""

    place: str


def work(connection: Connection, annotator: Callable[[], Any], limits: Limits) -> None:
    """Make an annotator, say so, and answer requests until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server decides what ends when
    try:
        made = annotator()
        list(made.annotate_documents([_FIRST], explain=True, min_probability=0.0))  # loads and compiles what is left
    except Exception as error:  # told to whoever starts the server
        # its text alone: not every exception can be put together again on the other side
        connection.send(PpiError(str(error)) if _is_ours(error) else Failure(place_of(error)))
        return
    threadpool_limits(1)  # the workers share the cores; threads of their own would only fight over them
    connection.send(READY)
    while True:
        try:
            job, request = connection.recv()
            connection.send(_answer(made, job, request, limits))
        except (EOFError, OSError):  # the server is gone
            return


def _answer(annotator: Any, job: str, request: dict[str, Any], limits: Limits) -> bytes | Refusal | Failure:
    from ppi.web import jobs

    try:
        return jobs.run(annotator, job, request, limits)
    except Refusal as refusal:
        return refusal
    except MemoryError:
        return Refusal(413, "too-large", "expected text that can be annotated in the memory there is; send less of it")
    except Exception as error:  # whatever a parser may raise must not end the worker
        if _is_ours(error):
            return Refusal(422, "cannot-read", str(error))
        return Failure(place_of(error))


def _is_ours(error: Exception) -> bool:
    """Whether the error is about the input, with a text made for people."""
    return isinstance(error, (CorpusError, PpiError))


def place_of(error: Exception) -> str:
    """Type and place of an error, without its text, which may quote the document."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return f"{type(error).__name__} at " + " < ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in reversed(frames)
    )
