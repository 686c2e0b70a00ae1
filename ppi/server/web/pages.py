"""The page, its parts, and the API's description as a page; all made or read when the server starts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response

from ppi.server.web.schemas import ProblemAnswer

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
EXAMPLE = 'curl --json \'{"text": "Profilin binds actin.", "min_probability": 0.5}\' http://127.0.0.1:8000/api/annotate'
_SCHEMAS = "#/components/schemas/"


#: The start page's links to others, without and with a database.
_NAVIGATION = b'<nav aria-label="Pages"><a href="/docs">'
_WITH_DATABASE = b'<nav aria-label="Pages"><a href="/database">Search</a> <a href="/docs">'
#: Addresses of the pages of a database, which are one file.
DATABASE_PAGES = ("/database", "/database/protein", "/database/pair", "/database/curate")


def add_pages(app: FastAPI, *, database: bool = False) -> None:
    """Serve ``/``, ``/static/...``, ``/openapi.json`` and ``/docs``; call it when the other routes are there.

    With a ``database``, also its pages.
    """
    for name, content in _static_files():
        media_type = MEDIA_TYPES["." + name.rpartition(".")[2]]
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


def _static_files() -> Iterator[tuple[str, bytes]]:
    """The page's own files, and those of the explorer of networks, which the report shares; notices stay at home."""
    for package, folder in (("ppi.server.web", "static"), ("ppi.network", "explorer")):
        for file in files(package).joinpath(folder).iterdir():
            if "." + file.name.rpartition(".")[2] in MEDIA_TYPES:
                yield file.name, file.read_bytes()


def docs_page(description: dict[str, Any]) -> str:
    """The OpenAPI description as a page to read, without scripts and without anything from elsewhere."""
    info = description["info"]
    operations = [
        _operation(method, path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = [_schema(name, schema) for name, schema in sorted(description["components"]["schemas"].items())]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(info['title'])} API</title>",
            '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/style.css"></head><body>',
            '<header class="top"><p class="brand"><a href="/">ppi-miner</a></p><p class="tagline">JSON API</p>'
            '<nav aria-label="Pages"><a href="/">Annotate</a> <a href="/openapi.json">openapi.json</a></nav></header>',
            f'<main class="docs"><h1>{escape(info["title"])} API {escape(info["version"])}</h1>',
            f"<p>{_text(info['description'])}</p>",
            '<section class="card"><h2>In one line</h2>'
            f'<pre tabindex="0"><code>{escape(EXAMPLE)}</code></pre></section>',
            *operations,
            "<h2>Objects</h2>",
            *schemas,
            "</main></body></html>",
        ]
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    lines = [
        '<section class="card">',
        f'<h2><span class="method">{escape(method.upper())}</span> <code>{escape(path)}</code></h2>',
        f"<p>{_text(operation.get('summary', ''))}</p>",
    ]
    if parameters := operation.get("parameters"):
        rows = [
            (
                parameter["name"],
                _type(parameter["schema"]),
                "yes" if parameter.get("required") else "",
                parameter.get("description", ""),
            )
            for parameter in parameters
        ]
        lines.append(_table("In the address", ("name", "type", "required", ""), rows))
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        lines.append(f"<p>Body: <code>{escape(media)}</code>, {_type(content['schema'])}</p>")
    answers = [
        (status, ", ".join(_answer_types(answer)), answer["description"])
        for status, answer in operation["responses"].items()
    ]
    lines.append(_table("Answers", ("status", "content", ""), answers))
    return "\n".join([*lines, "</section>"])


def _answer_types(answer: dict[str, Any]) -> Iterator[str]:
    for media, content in answer.get("content", {}).items():
        yield _type(content["schema"]) if "schema" in content else f"<code>{escape(media)}</code>"


def _schema(name: str, schema: dict[str, Any]) -> str:
    required = set(schema.get("required", ()))
    rows = [
        (field, _type(property_schema), "yes" if field in required else "", property_schema.get("description", ""))
        for field, property_schema in schema.get("properties", {}).items()
    ]
    table = _table(None, ("field", "type", "required", ""), rows)
    about = _text(schema.get("description", ""))
    return f'<section class="card" id="{escape(name)}"><h3>{escape(name)}</h3><p>{about}</p>{table}</section>'


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few words, as HTML."""
    if "$ref" in schema:
        name = escape(schema["$ref"].removeprefix(_SCHEMAS))
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " or ".join(_type(option) for option in schema[key])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}" if "items" in schema else "list"
    return escape(str(schema.get("type", "anything")))


def _table(caption: str | None, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """The second column is HTML already; the others are text."""
    top = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' if heading else "<td></td>" for heading in heads)
    body = "".join(
        f'<tr><th scope="row"><code>{escape(first)}</code></th><td>{second}</td>'
        + "".join(f"<td>{_text(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, second, *rest in rows
    )
    return f'<div class="scroll"><table>{top}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _text(text: str) -> str:
    """Text with its `code` marked."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def _add_page(app: FastAPI, path: str, content: bytes, media_type: str) -> None:
    async def page() -> Response:
        return Response(content, media_type=media_type, headers={"cache-control": "no-cache"})

    app.add_api_route(path, page, methods=["GET"], include_in_schema=False)
    app.add_api_route(path, page, methods=["HEAD"], include_in_schema=False)
