"""The page, its parts, and the API's description as a page; all made or read when the server starts."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import chain
from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response

from ppi.annotation import render_html
from ppi.server.web.schemas import ProblemAnswer

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
EXAMPLE = 'curl --json \'{"text": "Profilin binds actin.", "min_probability": 0.5}\' http://127.0.0.1:8000/api/annotate'
#: The start page's links to others, without and with a database.
_NAVIGATION = b'<nav aria-label="Pages"><a href="/docs">'
_WITH_DATABASE = b'<nav aria-label="Pages"><a href="/database">Search</a> <a href="/docs">'
#: Addresses of the pages of a database, which are one file.
DATABASE_PAGES = ("/database", "/database/protein", "/database/pair", "/database/curate")


def add_pages(app: FastAPI, *, database: bool = False) -> None:
    """Serve ``/``, ``/static/...``, ``/openapi.json`` and ``/docs``; call it when the other routes are there.

    With a ``database``, also its pages.
    """
    # the page's own files, and those of the explorer of networks, which the report shares; notices stay at home
    folders = (files("ppi.server.web").joinpath("static"), files("ppi.network").joinpath("explorer"))
    for file in chain.from_iterable(folder.iterdir() for folder in folders):
        name = file.name
        media_type = MEDIA_TYPES.get("." + name.rpartition(".")[2])
        if media_type is None:
            continue
        content = file.read_bytes()
        if name == "index.html":
            _add_page(app, "/", content.replace(_NAVIGATION, _WITH_DATABASE) if database else content, media_type)
        elif name == "database.html":
            for path in DATABASE_PAGES if database else ():
                _add_page(app, path, content, media_type)
        else:
            _add_page(app, f"/static/{name}", content, media_type)
    description = app.openapi()
    description["components"]["schemas"]["ProblemAnswer"] = ProblemAnswer.model_json_schema()
    for schema in ("HTTPValidationError", "ValidationError"):  # FastAPI's own shape of errors, which ours replaces
        description["components"]["schemas"].pop(schema, None)
    _add_page(app, "/openapi.json", json.dumps(description).encode(), "application/json")
    _add_page(app, "/docs", docs_page(description).encode(), MEDIA_TYPES[".html"])


def docs_page(description: dict[str, Any]) -> str:
    """The OpenAPI description as a page to read, without scripts and without anything from elsewhere."""
    return render_html("ppi.server.web/api.html", example=EXAMPLE, **description)


def _add_page(app: FastAPI, path: str, content: bytes, media_type: str) -> None:
    async def page() -> Response:
        return Response(content, media_type=media_type, headers={"cache-control": "no-cache"})

    app.add_api_route(path, page, methods=["GET"], include_in_schema=False)
    app.add_api_route(path, page, methods=["HEAD"], include_in_schema=False)
