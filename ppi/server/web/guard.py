"""What every request passes first: whose it is, how large, how slow; and what every answer carries.

A plain ASGI wrapper, outside of everything else.  It takes the whole body in (the limit is small) before the
application sees the request, so that a slow client never holds a worker, nor a place in the queue before it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from ppi.server.web.limits import ClientQuotas, Hold, Limits
from ppi.server.web.problems import HTTPProblem, error_location, too_large

log = logging.getLogger("ppi.web")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
#: How long the rest of a body that is too large is still taken in, so that the client reads the answer.
_LINGER_SECONDS = 2.0


class _ClientDisconnected(Exception):
    """The client left before it had sent its request."""


class Guard:
    """Wraps an ASGI application.

    Parameters
    ----------
    hosts
        Names the server may be asked by, against pages that make their own name point to this machine (DNS
        rebinding); None takes any.
    """

    def __init__(self, app: Application, *, limits: Limits, hosts: Collection[str] | None) -> None:
        self.app, self._limits = app, limits
        self._quotas = ClientQuotas(limits)
        self._hosts = None if hosts is None else {host.lower().strip("[]") for host in hosts}

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Handle a request; other kinds of connections go through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _GuardedSender(send)
        try:
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            self._check_origin(scope["method"], headers)
            client = scope.get("client")  # all that come through a socket without addresses are one client
            with self._quotas.open(str(client[0]) if client else "") as hold:
                body = await self._receive_body(headers, receive, hold)
                if scope["method"] not in ("GET", "HEAD"):  # the page itself can always be asked for
                    hold("requests", 1)
                await _run_while_connected(self.app, scope, receive, answer.send, body)
        except _ClientDisconnected:
            return
        except HTTPProblem as problem:
            await answer.send_problem(problem)
        except Exception as error:  # the last stop: no trace reaches the client, no text the log
            log.error("%s %s failed: %s", scope["method"], scope["path"], error_location(error))
            await answer.send_problem(
                HTTPProblem(500, "failed", "the server failed on this request; its log says where")
            )

    def _check_origin(self, method: str, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if self._hosts is not None and _host_name(f"//{host}") not in self._hosts:
            raise HTTPProblem(
                421,
                "wrong-host",
                f"expected a request to one of {sorted(self._hosts)}, got another name; "
                "start the server with --allow-host to add one",
            )
        if method in ("GET", "HEAD"):
            return
        # A browser names the page that asks; programs send neither header.
        foreign = "origin" in headers and headers["origin"].partition("://")[2] != host
        if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise HTTPProblem(403, "cross-site", "expected a request of this server's own page or of a program")

    async def _receive_body(self, headers: dict[str, str], receive: Receive, hold: Hold) -> bytes:
        limit, length = self._limits.body_bytes, headers.get("content-length", "0")
        declared = int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0
        body = bytearray()  # not a list of parts: a million of one byte each would weigh more than they hold
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                more = declared <= limit
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _ClientDisconnected
                    part = message.get("body", b"")
                    hold("held_bytes", len(part))
                    body += part
                    more = message.get("more_body", False) and len(body) <= limit
        except HTTPProblem:
            body.clear()
            await _discard(receive)
            raise
        except TimeoutError:
            raise HTTPProblem(
                408, "too-slow", f"expected the whole request within {self._limits.body_seconds:g} seconds"
            ) from None
        if declared > limit or len(body) > limit:
            body.clear()
            if "expect" not in headers:
                await _discard(receive)
            raise too_large("bytes", limit)
        return bytes(body)


class _GuardedSender:
    """Sends with the security headers, and knows whether an answer was started."""

    def __init__(self, send: Send) -> None:
        self._send, self._started = send, False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            own = {name.lower() for name, _ in message.get("headers", [])}
            extra = [
                (name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items() if name.encode() not in own
            ]
            message = {**message, "headers": [*message.get("headers", []), *extra]}
        await self._send(message)

    async def send_problem(self, problem: HTTPProblem) -> None:
        if self._started:  # too late for another answer
            return
        headers = {**problem.headers, "content-length": str(len(problem.body))}
        if problem.status in (408, 413, 503):  # the rest of the body may still be on its way
            headers["connection"] = "close"
        header_list = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": problem.status, "headers": header_list})
        await self.send({"type": "http.response.body", "body": problem.body})


async def _run_while_connected(
    app: Application, scope: MutableMapping[str, Any], receive: Receive, send: Send, body: bytes
) -> None:
    """Run the application on a complete body; when the client leaves, its request leaves the queue."""
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    disconnected = asyncio.Event()

    async def replay_body() -> Message:
        if unread:
            return unread.pop()
        await disconnected.wait()
        return {"type": "http.disconnect"}

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        disconnected.set()

    running = asyncio.ensure_future(app(scope, replay_body, send))
    watching = asyncio.ensure_future(watch())
    try:
        await asyncio.wait((running, watching), return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
    finally:
        for task in (running, watching):
            task.cancel()


async def _discard(receive: Receive) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER_SECONDS):
            while (message := await receive())["type"] == "http.request" and message.get("more_body", False):
                pass


def _host_name(address: str) -> str | None:
    """The host's name in an address, in small letters; None if there is none."""
    try:
        return urlsplit(address).hostname
    except ValueError:  # half a bracket, or characters that turn into separators
        return None
