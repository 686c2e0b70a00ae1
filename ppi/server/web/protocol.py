"""uvicorn's HTTP protocol with deadlines.

uvicorn waits for ever for the head of a request and for a client that does not take its answer: a few thousand such
clients (slow loris) keep everybody else out.  Here a connection is dropped when a head takes too long, when a request
as a whole does, and when there are too many connections, of all clients or of one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ppi.server.web.limits import Limits, client_limit
from ppi.server.web.problems import busy

#: What a connection is doing, when it is not in the middle of a request.
_HEAD, _IDLE = "receives a head", "waits for another request"


def make_protocol(limits: Limits) -> type[H11Protocol]:  # noqa: C901 - a class made for its limits
    """The protocol class for these limits, for uvicorn's ``http`` setting."""
    open_connections: Counter[str | None] = Counter()

    class DeadlineProtocol(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None
        _phase: object = None
        _address: str | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._address = self.client[0] if self.client else None
            open_connections[self._address] += 1
            max_client_connections = client_limit(limits.connections, limits.client_share)
            if len(self.connections) > limits.connections or open_connections[self._address] > max_client_connections:
                transport.write(_busy_answer())
                transport.close()
            else:
                self._enter(_HEAD)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()  # may begin with the next request, if it is here already
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._enter(None)
            open_connections[self._address] -= 1
            if not open_connections[self._address]:
                del open_connections[self._address]
            super().connection_lost(exc)

        def _watch(self) -> None:
            if self.cycle is not None and not self.cycle.response_complete:
                self._enter(self.cycle)
            else:
                self._enter(_HEAD if self.conn.trailing_data[0] else _IDLE)

        def _enter(self, phase: object) -> None:
            """A new phase has a new deadline; more of the same head or body gives no new time."""
            if phase is self._phase:
                return
            self._phase = phase
            if self._deadline is not None:
                self._deadline.cancel()
            seconds = self._seconds(phase)
            self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

        def _seconds(self, phase: object) -> float | None:
            if phase is _HEAD:
                return limits.head_seconds
            if phase is _IDLE:  # uvicorn itself closes idle connections, but not those with an answer not yet taken
                return limits.send_seconds if self.transport.get_write_buffer_size() else None
            return None if phase is None else limits.request_seconds

    return DeadlineProtocol


def _busy_answer() -> bytes:
    problem = busy()
    headers = {**problem.headers, "content-length": str(len(problem.body)), "connection": "close"}
    lines = ["HTTP/1.1 503 Service Unavailable", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + problem.body
