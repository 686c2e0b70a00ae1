"""How much a stranger may ask for; everything that could grow without bound has a number here."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ppi.errors import UsageError


@dataclass(frozen=True)
class Limits:
    """Limits of the web server.

    Parameters
    ----------
    body_bytes
        Of a request, counted as it arrives; also of an upload after unpacking.
    documents, characters, entities, pairs
        Of one request, together: documents, characters of text, given names, pairs found.
    explained
        Pairs of one request that evidence is asked for.
    seconds
        For the work on one request; the worker process that takes longer is ended and replaced.
    workers
        Processes that annotate at the same time.
    queue
        Requests that may wait for a worker; more are told that the server is busy.
    queue_seconds
        How long one may wait.
    head_seconds, body_seconds
        For receiving a request's head and body.
    send_seconds
        For the client to take the answer.
    requests
        That send work at the same time, waiting ones included; each may hold ``body_bytes`` in memory.
    connections
        Open at the same time.
    worker_jobs
        After so many requests a worker is replaced by a fresh one, so that memory cannot creep up.
    """

    body_bytes: int = 5_000_000
    documents: int = 500
    characters: int = 500_000
    entities: int = 20_000
    pairs: int = 20_000
    explained: int = 1_000
    seconds: float = 30.0
    workers: int = 2
    queue: int = 16
    queue_seconds: float = 20.0
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    send_seconds: float = 60.0
    requests: int = 100
    connections: int = 500
    worker_jobs: int = 5_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "queue" else 1 if isinstance(field.default, int) else 0.001
            if not value >= least:
                raise UsageError(f"expected at least {least} for the limit {field.name!r}, got {value!r}")

    @property
    def request_seconds(self) -> float:
        """The longest that any request can last, from its head to the end of its answer."""
        return self.body_seconds + self.queue_seconds + self.seconds + self.send_seconds
