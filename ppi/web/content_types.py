"""Routes that take one content type, and answer another with 415 before anything is read as what it is not."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar

from fastapi import Request, Response
from fastapi.routing import APIRoute

from ppi.web.problems import HTTPProblem

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
