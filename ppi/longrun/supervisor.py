"""Watching over the process that annotates: deadlines, crashes, and going on behind the document that caused them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from ppi.errors import RunError
from ppi.longrun.annotating import AnnotatorSettings, Finished, Order, Starting
from ppi.longrun.chunks import Chunk, Failure
from ppi.parallel.mapping import ONE_THREAD

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument

#: Seconds that pipeline and model may take to load, also on a busy machine.
LOADING_SECONDS = 300.0
_PROGRAM = "from ppi.longrun.annotating import main; main()"


@dataclass
class ChunkResult:
    """All of a chunk, in the order of its records."""

    chunk: Chunk
    documents: list[AnnotatedDocument] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0


class _Stopped(Exception):
    """The annotating process died, or was stopped because it took too long."""

    def __init__(self, reason: str, *, late: bool = False) -> None:
        super().__init__(reason)
        self.late = late


class Supervisor:
    """One annotating process and the chunks it is given, one after another.

    Parameters
    ----------
    settings
        Of the annotator.
    time_limit
        Seconds for a batch of documents, and for a single document once its batch has exceeded them.
    """

    def __init__(self, settings: AnnotatorSettings, *, time_limit: float = 60.0) -> None:
        self.settings = settings
        self.time_limit = time_limit
        self._process: subprocess.Popen | None = None
        self._connection: Connection | None = None
        self._abandoned = False

    def annotate(self, chunk: Chunk) -> ChunkResult:
        """Annotate a chunk.

        If the process dies it may have been killed from outside, so the batch is tried once more.  A batch that kills
        it again, or takes too long, is done a document at a time; the document that does it then is listed as a
        failure, and all others have their results.

        Raises
        ------
        RunError
            If the annotator cannot be made at all.
        """
        began = time.perf_counter()
        result = ChunkResult(chunk)
        order = Order(chunk, chunk.first)
        tried_again = -1  # the batch, by its first record
        while True:
            current = Starting(order.start, 1, None)
            try:
                self._start()
                self._send(order)
                while (message := self._receive(self.time_limit)) != "done":
                    if isinstance(message, Starting):
                        current = message
                    else:
                        result.documents.extend(message.documents)
                        result.failures.extend(message.failures)
                        order = _after(order, message)
            except _Stopped as stopped:
                self.close()
                if stopped.late or tried_again == current.first or current.size == 1:
                    order = _behind(order, current, result, str(stopped))
                else:
                    tried_again = current.first
                continue
            result.seconds = time.perf_counter() - began
            return result

    def _start(self) -> None:
        if self._abandoned:
            raise RunError("the run was stopped")
        if self._connection is not None:
            return
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-c", _PROGRAM, str(theirs.fileno())]
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], env=os.environ | ONE_THREAD, stdin=subprocess.DEVNULL
            )
        self._connection = Connection(ours.detach())
        try:
            self._send(self.settings)
            answer = self._receive(LOADING_SECONDS)
        except _Stopped as stopped:
            self.close()
            raise RunError(f"expected an annotator to start, got: {stopped}; try ppi annotate on one file") from None
        if isinstance(answer, Exception):
            self.close()
            raise RunError(f"expected an annotator to start, got: {answer}") from answer

    def _send(self, value: Any) -> None:
        try:
            self._connection.send(value)  # type: ignore[union-attr]
        except OSError:
            raise self._ended() from None

    def _receive(self, limit: float) -> Any:
        try:
            if not self._connection.poll(limit):  # type: ignore[union-attr]
                raise _Stopped(f"took longer than {limit:g} seconds", late=True)
            return self._connection.recv()  # type: ignore[union-attr]
        except (EOFError, OSError):
            raise self._ended() from None

    def _ended(self) -> _Stopped:
        status = self._process.wait()  # type: ignore[union-attr]
        how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        return _Stopped(f"ended the annotating process ({how})")

    def abandon(self) -> None:
        """End the process, from another thread; the chunk at work is given up with a RunError."""
        self._abandoned = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _after(order: Order, message: Finished) -> Order:
    return Order(order.chunk, message.following, max(0, order.start + order.alone - message.following))


def _behind(order: Order, current: Starting, result: ChunkResult, reason: str) -> Order:
    """How to go on: the batch one by one, or behind the single record that was being worked on."""
    if current.size > 1:
        return Order(order.chunk, current.first, current.size)
    result.failures.append(Failure(order.chunk.path, current.first, current.document, reason))
    return Order(order.chunk, current.first + 1, max(0, order.start + order.alone - current.first - 1))
