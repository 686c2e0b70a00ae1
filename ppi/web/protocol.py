"""uvicorn's HTTP protocol with deadlines.

uvicorn waits for ever for the head of a request and for a client that does not take its answer: a few thousand such
clients (slow loris) keep everybody else out.  Here a connection is dropped when a head takes too long, when a request
as a whole does, and when there are too many connections.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ppi.web.limits import Limits
from ppi.web.problems import busy


def protocol_with(limits: Limits) -> type[H11Protocol]:
    """The protocol class for these limits, for uvicorn's ``http`` setting."""

    class DeadlineProtocol(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None
        _in_request = False

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > limits.connections:
                transport.write(_busy_answer())
                transport.close()
                return
            self._set_deadline(limits.head_seconds)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()  # may begin with the next request, if it is here already
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._set_deadline(None)
            super().connection_lost(exc)

        def _watch(self) -> None:
            """A new deadline whenever a request begins or ends; more of the same head or body gives no new time."""
            in_request = self.cycle is not None and not self.cycle.response_complete
            if in_request != self._in_request:
                self._in_request = in_request
                self._set_deadline(limits.request_seconds if in_request else self._seconds_between_requests())

        def _seconds_between_requests(self) -> float:
            """Time for the next head, or for the answer to leave if the client has not taken all of it."""
            return limits.send_seconds if self.transport.get_write_buffer_size() else limits.head_seconds

        def _set_deadline(self, seconds: float | None) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
            self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

    return DeadlineProtocol


def _busy_answer() -> bytes:
    refusal = busy()
    headers = {**refusal.headers, "content-length": str(len(refusal.body)), "connection": "close"}
    lines = ["HTTP/1.1 503 Service Unavailable", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + refusal.body
