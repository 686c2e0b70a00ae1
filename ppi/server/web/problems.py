"""Errors as the API answers them: problem objects (RFC 9457), with a cure and without traces."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, ClassVar

from fastapi import Request, Response
from fastapi.routing import APIRoute

MEDIA_TYPE = "application/problem+json"


class HTTPProblem(Exception):
    """A request that is answered with a problem object instead of a result.

    ``code`` is a short fixed word for programs, such as ``busy``; ``detail`` is for people.
    """

    def __init__(self, status: int, code: str, detail: str, *, retry_after: int | None = None) -> None:
        super().__init__(status, code, detail, retry_after)
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after = retry_after

    def __reduce__(self):  # keyword arguments survive the way from a worker process
        return _rebuild_problem, self.args

    @property
    def headers(self) -> dict[str, str]:
        """Headers beside the usual ones."""
        headers = {"content-type": MEDIA_TYPE}
        if self.retry_after is not None:
            headers["retry-after"] = str(self.retry_after)
        return headers

    @property
    def body(self) -> bytes:
        """The problem object."""
        return encode_problem(self.status, self.code, self.detail)


def encode_problem(status: int, code: str, detail: str) -> bytes:
    """A problem object as bytes.

    >>> encode_problem(503, "busy", "try again")
    b'{"type": "about:blank", "title": "Service Unavailable", "status": 503, "code": "busy", "detail": "try again"}'
    """
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
    }
    return json.dumps(content).encode()


def too_large(what: str, limit: int) -> HTTPProblem:
    """More than a limit allows."""
    return HTTPProblem(
        413,
        "too-large",
        f"expected at most {limit:,} {what}, got more; send it in parts, or use `ppi annotate`, which has no limits",
    )


def busy() -> HTTPProblem:
    """No worker is free and the queue is full."""
    return HTTPProblem(503, "busy", "all workers are busy and the queue is full; try again in a moment", retry_after=1)


def error_location(error: Exception) -> str:
    """Type and place of an error, without its text, which may quote the document."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return f"{type(error).__name__} at " + " < ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in reversed(frames)
    )


def _rebuild_problem(status: int, code: str, detail: str, retry_after: int | None) -> HTTPProblem:
    return HTTPProblem(status, code, detail, retry_after=retry_after)


# Routes that take one content type, and answer another with 415 before anything is read as what it is not.

JSON, FORM = "application/json", "multipart/form-data"


class JsonRoute(APIRoute):
    """A route whose requests are JSON; also under another name that ends in ``+json``."""

    expected: ClassVar[str] = JSON

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, behind the check."""
        handle = super().get_route_handler()

        async def check_content_type(request: Request) -> Response:
            name = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if name != self.expected and not (self.expected == JSON and name.endswith("+json")):
                raise HTTPProblem(
                    415, "content-type", f"expected the content type {self.expected}, got {name[:60] or 'none'!r}"
                )
            return await handle(request)

        return check_content_type


class FormRoute(JsonRoute):
    """A route whose requests are forms with a file."""

    expected: ClassVar[str] = FORM
