"""Runs a process that loads something slow and answers requests; it is killed when late or too large, and restarted.

It is a separate program, so that whatever crashes, hangs or takes too much memory ends nothing but itself.  It
inherits no socket and no file but its end of the connection; it works on one BLAS thread; its owner handles Ctrl-C;
and it ends when its owner does, even in the middle of work.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

from corpora import CorpusError
from ppi.core.errors import LoadingError, LoadingInterruptedError, PpiError
from ppi.core.parallel import SINGLE_THREAD_ENVIRONMENT

MEBIBYTE = 2**20
#: Seconds that packages and models may take to load, also on a busy machine.
LOADING_SECONDS = 300.0
#: Seconds between two looks at the memory of a process that has a limit.
MEMORY_CHECK_SECONDS = 0.05

#: What answers a request: with one message, or with several as they are ready.
RequestHandler = Callable[[Any], Iterable[Any]]

# modules are looked for where the owner finds them
_CHILD_PROGRAM = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); sys.path[:] = sys.argv[2:]; "
    "from ppi.core.supervised_process import serve; serve(int(sys.argv[1]))"
)


class _Reply(NamedTuple):
    """What the process sends; the content is that of a message, or the text of why nothing is loaded.

    The text only, since not every exception can be put together again on the other side.
    """

    kind: Literal["ready", "cannot load", "message", "done"]
    content: Any = None


class ProcessEnded(Exception):
    """It ended, or was killed as it took too long (``late``) or too much memory; the text has the reason."""

    def __init__(self, reason: str, *, late: bool = False) -> None:
        super().__init__(reason)
        self.late = late


class SupervisedProcess:
    """The owner's end of the process.

    One thread at a time may start it and ask it; :meth:`close` may be called from any other.

    Parameters
    ----------
    load
        Called in the process, without arguments; returns what answers requests.  It travels there, so it must be
        picklable, as must requests and messages.
    name
        What the process is called in messages.
    loading_seconds
        How long loading may take.
    memory_limit
        Resident bytes that the process may have while it answers; None: any.  They are looked at from here, every
        :data:`MEMORY_CHECK_SECONDS`: a limit set by the system would make compiled code fail in the middle of anything.

    Attributes
    ----------
    ready : bool
        Whether there is a process that has loaded everything.
    requests : int
        How many the process has been sent since it was started.

    Examples
    --------
    >>> from functools import partial
    >>> from operator import itemgetter
    >>> process = SupervisedProcess(partial(itemgetter, slice(2)))
    >>> process.start()
    >>> process.wait_until_ready()
    >>> list(process.stream(("first", "second", "third"), seconds=60))
    ['first', 'second']
    >>> process.close()
    """

    def __init__(
        self,
        load: Callable[[], RequestHandler],
        *,
        name: str = "process",
        loading_seconds: float = LOADING_SECONDS,
        memory_limit: int | None = None,
    ) -> None:
        self.name = name
        self.requests = 0
        self.ready = False
        self._memory_limit = memory_limit
        self._load = load
        self._loading_seconds = loading_seconds
        self._lock = threading.Lock()  # of the three below, which a close in another thread takes away
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        process = self._process
        return None if process is None else process.pid

    def start(self) -> None:
        """Start the process, if there is none, without waiting for it.

        Raises
        ------
        LoadingError
            If this end was closed.
        """
        with self._lock:
            if self._closed:
                raise LoadingError(f"expected a {self.name} in use, got one that was closed")
            if self._process is not None:
                return
            own_socket, child_socket = socket.socketpair()
            with child_socket:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _CHILD_PROGRAM, str(child_socket.fileno()), *sys.path],
                    pass_fds=[child_socket.fileno()],  # and nothing else
                    env=os.environ | SINGLE_THREAD_ENVIRONMENT,
                    stdin=subprocess.DEVNULL,
                )
            self._connection = Connection(own_socket.detach())
        self.requests, self.ready = 0, False
        try:
            self._send(self._load)
        except ProcessEnded as error:
            self._fail_to_load(str(error))

    def wait_until_ready(self) -> None:
        """Wait until the process that was started has loaded all it needs.

        Raises
        ------
        LoadingInterruptedError
            If it ended meanwhile, by itself or killed from outside, or took too long.
        LoadingError
            With the text of what kept it from loading.
        """
        if self.ready:
            return
        try:
            reply = self._receive(self._loading_seconds)
        except ProcessEnded as error:
            self._fail_to_load(str(error))
        if reply.kind == "cannot load":
            self.kill()
            raise LoadingError(reply.content)
        self.ready = True

    def stream(self, request: Any, *, seconds: float) -> Iterator[Any]:
        """The messages that answer a request, as they come.

        Whatever ends the stream before its last message ends the process, too; it can be started again.

        Parameters
        ----------
        seconds
            That each message may take.

        Raises
        ------
        ProcessEnded
            If the process ends by itself, is closed, takes longer, or takes more memory than it may.
        """
        self.requests += 1
        try:
            self._send(request)
            while (reply := self._receive(seconds)).kind == "message":
                yield reply.content
        except BaseException:
            self.kill()
            raise

    def call(self, request: Any, *, seconds: float) -> Any:
        """The only message that answers a request; as :meth:`stream`."""
        (message,) = self.stream(request, seconds=seconds)
        return message

    def kill(self) -> None:
        """End the process at once; it can be started again."""
        with self._lock:
            process, self._process = self._process, None
            # closed with its last reference: another thread may still be reading, and finds the end
            self._connection = None
        self.ready = False
        if process is not None:
            process.kill()
            process.wait()

    def close(self) -> None:
        """End the process for good, from whichever thread; a request at work is given up with ProcessEnded."""
        self._closed = True
        self.kill()

    def _send(self, value: Any) -> None:
        process, connection = self._require_running()
        try:
            connection.send(value)
        except OSError:
            raise self._exit_error(process) from None

    def _receive(self, seconds: float) -> _Reply:
        process, connection = self._require_running()
        memory_limit = self._memory_limit if self.ready else None
        poll_seconds = seconds if memory_limit is None else MEMORY_CHECK_SECONDS
        deadline = time.monotonic() + seconds
        try:
            while not connection.poll(max(0.0, min(poll_seconds, deadline - time.monotonic()))):
                if time.monotonic() >= deadline:
                    raise ProcessEnded(f"took longer than {seconds:g} seconds", late=True)
                if memory_limit is not None and resident_bytes(process.pid) > memory_limit:
                    raise ProcessEnded(f"took more than {memory_limit // MEBIBYTE} MB of memory")
            reply: _Reply = connection.recv()
            return reply
        except (EOFError, OSError):
            raise self._exit_error(process) from None

    def _require_running(self) -> tuple[subprocess.Popen[bytes], Connection]:
        with self._lock:
            if self._process is None or self._connection is None:
                raise ProcessEnded(f"the {self.name} is not running")
            return self._process, self._connection

    def _exit_error(self, process: subprocess.Popen[bytes]) -> ProcessEnded:
        status = process.wait()
        exit_description = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        return ProcessEnded(f"ended the {self.name} ({exit_description})")

    def _fail_to_load(self, reason: str) -> NoReturn:
        self.kill()
        raise LoadingInterruptedError(f"expected a {self.name} that loads all it needs, got: {reason}") from None


def serve(descriptor: int) -> None:
    """The program of the process: load, report it, and answer requests until the other side is gone."""
    threading.Thread(target=_end_with_owner, args=(descriptor,), daemon=True).start()
    connection = Connection(descriptor)
    try:
        try:
            load = connection.recv()
            handle_request = load()
        except Exception as error:  # reported to the owner: of our own errors the text, of others the kind, too
            text = str(error) if isinstance(error, (CorpusError, PpiError)) else f"{type(error).__name__}: {error}"
            connection.send(_Reply("cannot load", text))
            return
        from threadpoolctl import threadpool_limits

        threadpool_limits(limits=1)
        connection.send(_Reply("ready"))
        while True:
            for message in handle_request(connection.recv()):
                connection.send(_Reply("message", message))
            connection.send(_Reply("done"))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _end_with_owner(descriptor: int) -> None:
    poller = select.poll()
    poller.register(descriptor, 0)  # nothing but the hanging up of the other side
    poller.poll()
    os._exit(1)


def resident_bytes(pid: int) -> int:
    """The memory that a process has now; 0 if it has ended, or the system is not Linux and does not report it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
