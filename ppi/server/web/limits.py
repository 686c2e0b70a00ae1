"""How much a stranger may ask for; everything that could grow without bound has a limit here."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from ppi.core import UsageError
from ppi.server.web.problems import busy

T = TypeVar("T")
#: Holds more of the limit of that name for a request, or raises that the server is ``busy``.
Hold = Callable[[str, int], None]


@dataclass(frozen=True)
class Limits:
    """Limits of the web server.

    Parameters
    ----------
    body_bytes
        Of a request, counted as it arrives; also of an upload after unpacking.
    documents, characters, entities, pairs
        Of one request, together: documents, characters of text, given names, pairs found.
    word_characters
        Characters without white space between them: no word of a text is that long, and what is (a sequence, packed
        data) takes more than its share of time.
    explained
        Pairs of one request that evidence is asked for.
    seconds
        For the work on one request; the worker process that takes longer is ended and replaced.
    abandoned_seconds
        How long the work goes on when the client has left; then its worker is ended and replaced, too.
    workers
        Processes that annotate at the same time.
    queue
        Requests that may wait for a worker; more are answered that the server is busy.
    queue_seconds
        How long one may wait.
    head_seconds, body_seconds
        For receiving a request's head and body.
    send_seconds
        For the client to take the answer.
    requests
        That are complete and hold a place for work at the same time, waiting ones included.
    held_bytes
        Of all requests that are arriving, waiting or worked on.
    connections
        Open at the same time.
    client_share
        How much of ``requests``, ``held_bytes`` and ``connections`` one client (one address) may have.  Behind a proxy
        on another machine all clients have one address: make it 1, and let the proxy share out.
    worker_jobs
        After so many requests a worker is replaced by a fresh one, so that memory cannot creep up.
    """

    body_bytes: int = 5_000_000
    documents: int = 500
    characters: int = 500_000
    entities: int = 20_000
    word_characters: int = 1_000
    pairs: int = 20_000
    explained: int = 1_000
    seconds: float = 30.0
    abandoned_seconds: float = 2.0
    workers: int = 2
    queue: int = 16
    queue_seconds: float = 20.0
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    send_seconds: float = 60.0
    requests: int = 100
    held_bytes: int = 200_000_000
    connections: int = 500
    client_share: float = 0.5
    worker_jobs: int = 5_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "queue" else 1 if isinstance(field.default, int) else 0.001
            if not value >= least:
                raise UsageError(f"expected at least {least} for the limit {field.name!r}, got {value!r}")
        if self.client_share > 1:
            raise UsageError(f"expected at most 1 for the limit 'client_share', got {self.client_share!r}")

    @property
    def request_seconds(self) -> float:
        """The longest that any request can last, from its head to the end of its answer."""
        return self.body_seconds + self.queue_seconds + self.seconds + self.send_seconds


class ClientQuotas:
    """What clients hold of the server: bytes of requests that arrive or wait, and places of requests that are complete.

    A client that announces much and sends little holds what it has sent, and none of the places for work: these are
    given to requests that are there completely.  Nobody holds more than a share, so that one client never keeps the
    others out.  A client is an address.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        #: By the name of the limit and by client; of all clients together under None.
        self._usage: dict[str, Counter[str | None]] = {"held_bytes": Counter(), "requests": Counter()}

    @contextmanager
    def open(self, client: str) -> Iterator[Hold]:
        """One request, which holds nothing at first, and again nothing when the block ends."""
        held: Counter[str] = Counter()

        def hold(name: str, amount: int) -> None:
            usage, limit = self._usage[name], getattr(self._limits, name)
            of_client = client_limit(limit, self._limits.client_share)
            if usage[None] + amount > limit or usage[client] + amount > of_client:
                raise busy()
            self._add(name, client, amount)
            held[name] += amount

        try:
            yield hold
        finally:
            for name, amount in held.items():
                self._add(name, client, -amount)

    def _add(self, name: str, client: str, amount: int) -> None:
        usage = self._usage[name]
        usage[None] += amount
        usage[client] += amount
        if not usage[client]:
            del usage[client]  # clients that have left are forgotten


def client_limit(limit: int, client_share: float) -> int:
    """How much of a limit one client may hold: at least 1.

    >>> client_limit(100, 0.5), client_limit(1, 0.5)
    (50, 1)
    """
    return max(1, int(limit * client_share))


class LimitedThreads:
    """Threads beside the server's own, with a short queue before them, so that slow work holds up nobody's page."""

    def __init__(self, n_threads: int, *, max_waiting: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(n_threads, thread_name_prefix=name)
        self._max_waiting = max_waiting
        self._waiting = 0

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """What the work gives; raises that the server is ``busy`` when too many wait."""
        if self._waiting >= self._max_waiting:
            raise busy()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        finally:
            self._waiting -= 1

    def close(self, *, wait: bool = False) -> None:
        """End the threads, after what is still to be done, or without it."""
        self._threads.shutdown(wait=wait, cancel_futures=not wait)
