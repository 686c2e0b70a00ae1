"""What the API answers beside results: errors as problem objects (RFC 9457), with a cure and without traces; files."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from typing import Any, ClassVar, Protocol, TypeVar

from fastapi import Request, Response
from fastapi.routing import APIRoute

MEDIA_TYPE = "application/problem+json"


class HTTPProblem(Exception):
    """A request that is answered with a problem object instead of a result.

    ``code`` is a short fixed word for programs, such as ``busy``; ``detail`` is for people.
    """

    def __init__(self, status: int, code: str, detail: str, retry_after: int | None = None) -> None:
        super().__init__(status, code, detail, retry_after)  # which is what it is made of again behind a process
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after = retry_after

    @property
    def headers(self) -> dict[str, str]:
        """Headers beside the usual ones."""
        headers = {"content-type": MEDIA_TYPE}
        if self.retry_after is not None:
            headers["retry-after"] = str(self.retry_after)
        return headers

    @property
    def body(self) -> bytes:
        """The problem object.

        >>> HTTPProblem(503, "busy", "try again").body
        b'{"type": "about:blank", "title": "Service Unavailable", "status": 503, "code": "busy", "detail": "try again"}'
        """
        title = HTTPStatus(self.status).phrase
        content = {"type": "about:blank", "title": title, "status": self.status, "code": self.code}
        return json.dumps({**content, "detail": self.detail}).encode()


def too_large(what: str, limit: int) -> HTTPProblem:
    """More than a limit allows."""
    return HTTPProblem(
        413,
        "too-large",
        f"expected at most {limit:,} {what}, got more; send it in parts, or use `ppi annotate`, which has no limits",
    )


def busy() -> HTTPProblem:
    """No worker is free and the queue is full."""
    return HTTPProblem(503, "busy", "all workers are busy and the queue is full; try again in a moment", 1)


def error_location(error: Exception) -> str:
    """Type and place of an error, without its text, which may quote the document."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return f"{type(error).__name__} at " + " < ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in reversed(frames)
    )


def json_response(content: Any) -> Response:
    """Plain values as JSON; bytes are JSON already."""
    from ppi.export import encode_json  # loads more than a server's limits need

    encoded = content if isinstance(content, bytes) else encode_json(content)
    return Response(encoded, media_type="application/json")


class FileFormat(Protocol):
    """What is needed of a format to offer files in it."""

    @property
    def media_type(self) -> str:
        """Of the file."""


F = TypeVar("F", bound=FileFormat)


def find_format(name: str, formats: Mapping[str, F]) -> F:
    """The format of that name, or a problem that names them all."""
    if name not in formats:
        raise HTTPProblem(422, "unknown-format", f"expected one of {list(formats)}, got {name!r}")
    return formats[name]


def file_response(content: bytes, name: str, format: FileFormat) -> Response:
    """A file to keep under that name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=format.media_type, headers=headers)


def describe_files(formats: Mapping[str, FileFormat]) -> dict[int | str, dict[str, Any]]:
    """For the API's description: a file in one of the formats."""
    return {200: {"description": "The file", "content": {format.media_type: {} for format in formats.values()}}}


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
