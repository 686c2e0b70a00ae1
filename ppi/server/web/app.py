"""The application: routes of the API and of the page.

The page's files are read once, when the application is made; no request ever leads to the file system.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, File, Form, Query, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from corpora import FORMATS as INPUT_FORMATS
from ppi.annotation import AnnotatorSettings
from ppi.export import FORMATS as OUTPUT_FORMATS
from ppi.server.database.opening import OpenRun
from ppi.server.web import schemas
from ppi.server.web.curation_api import add_curation
from ppi.server.web.curation_service import CurationService
from ppi.server.web.database_api import DatabaseThreads, add_database
from ppi.server.web.guard import LOOPBACK_NAMES, Guard
from ppi.server.web.jobs import UPLOAD_FORMATS
from ppi.server.web.limits import Limits
from ppi.server.web.pages import add_pages
from ppi.server.web.problems import (
    MEDIA_TYPE,
    FormRoute,
    HTTPProblem,
    JsonRoute,
    describe_files,
    file_response,
    find_format,
    json_response,
)
from ppi.server.web.worker_pool import Pool

DESCRIPTION = (
    "Which proteins a text says interact, how probably, and why. Send text or documents, get sentences, protein names "
    "and pairs. Errors are problem objects (RFC 9457) with a fixed `code`. Nothing that is sent is kept."
)
_PROBLEM_DESCRIPTIONS = {
    400: "The request is not JSON, or not a form",
    403: "The request comes from a page of another site, or lacks the token of curation",
    404: "No such page, pair or protein",
    408: "The request arrived too slowly",
    409: "What is to be judged or taken back is no longer what it was",
    413: "More than the limits allow",
    415: "Another content type was expected",
    421: "The server is not known by this name",
    422: "The request or the file is not as described, or takes too long to annotate",
    500: "The server failed, or could not keep a judgement",
    503: "`busy`: all workers have work and the queue is full; try again after `Retry-After` seconds",
}


def _problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    schema = {"$ref": "#/components/schemas/ProblemAnswer"}
    return {
        status: {"description": _PROBLEM_DESCRIPTIONS[status], "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in statuses
    }


_READ_PROBLEMS = _problem_responses(421)
#: Limits that clients can ask for.
_LIMIT_NAMES = ("body_bytes", "documents", "characters", "word_characters", "entities", "pairs", "explained", "seconds")
_WORK_PROBLEMS = _problem_responses(400, 403, 404, 408, 413, 415, 421, 422, 503)


def create_app(
    *,
    annotator: Callable[[], Any] | None = None,
    limits: Limits | None = None,
    hosts: Collection[str] | None = LOOPBACK_NAMES,
    database: OpenRun | None = None,
    curation_service: CurationService | None = None,
) -> FastAPI:
    """The ASGI application.

    Parameters
    ----------
    annotator
        Makes what annotates (see :class:`ppi.server.web.jobs.SupportsAnnotation`), once in each worker process, so it
        must be picklable; by default :class:`ppi.Annotator`.
    limits
        See :class:`Limits`.
    hosts
        Names by which the server may be asked; None takes any.
    database
        A run to be searched, if there is one: its pages are at ``/database``.
    curation_service
        Where that run is judged, if it is.

    Returns
    -------
    FastAPI
        ``app.state.pool`` is the :class:`~ppi.server.web.worker_pool.Pool`, which is started with the application, or
        before.
    """
    limits = limits or Limits()
    pool = Pool(annotator or AnnotatorSettings().build, limits)
    readers = None if database is None else DatabaseThreads(database, limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool.start()
        refresher = None if readers is None else asyncio.create_task(readers.keep_fresh())
        try:
            yield
        finally:
            pool.close()
            if readers is not None and refresher is not None:
                refresher.cancel()
                readers.close()
            if curation_service is not None:
                curation_service.close()

    app = FastAPI(
        title="ppi-miner",
        description=DESCRIPTION if curation_service is None else f"{DESCRIPTION} But judgements are.",
        version=version("ppi-miner"),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
    )
    app.state.pool = pool
    _add_information(app, pool, limits)
    _add_annotation(app, pool)
    if readers is not None:
        add_database(app, readers, pool, limits, _problem_responses)
    if curation_service is not None:
        add_curation(app, curation_service, _problem_responses)
    _describe_problems(app)
    add_pages(app, database=readers is not None)
    app.add_middleware(Guard, limits=limits, hosts=hosts)
    return app


def _add_information(app: FastAPI, pool: Pool, limits: Limits) -> None:
    @app.get("/api/health", responses=_READ_PROBLEMS, tags=["server"], summary="Whether the server can work")
    async def health() -> schemas.Health:
        return schemas.Health(
            status="ok", version=app.version, workers=limits.workers, idle=pool.idle, waiting=pool.waiting
        )

    @app.get("/api/formats", responses=_READ_PROBLEMS, tags=["server"], summary="Formats to upload and to download")
    async def formats() -> schemas.Formats:
        return schemas.Formats(
            input=[
                schemas.InputFormat(name=name, description=text, endings=list(INPUT_FORMATS[name].endings))
                for name, text in UPLOAD_FORMATS.items()
            ],
            output=[
                schemas.OutputFormat(
                    name=output_format.name, description=output_format.description, ending=output_format.download_suffix
                )
                for output_format in OUTPUT_FORMATS.values()
            ],
            limits={name: getattr(limits, name) for name in _LIMIT_NAMES},
        )


def _add_annotation(app: FastAPI, pool: Pool) -> None:
    options: dict[str, Any] = {"responses": _WORK_PROBLEMS, "tags": ["annotation"]}
    json, forms = APIRouter(route_class=JsonRoute, **options), APIRouter(route_class=FormRoute, **options)

    @json.post(
        "/api/annotate",
        response_model=schemas.AnnotateAnswer,
        summary="Interactions of a text, or of documents with or without known names",
    )
    async def annotate(body: schemas.AnnotateRequest) -> Response:
        return json_response(await pool.run("annotate", body.model_dump()))

    @forms.post("/api/annotate/file", response_model=schemas.AnnotateAnswer, summary="Interactions of an uploaded file")
    async def annotate_file(
        file: Annotated[
            UploadFile, File(description="text, PubTator, BioC, PubMed XML, JSON lines; also packed (.gz)")
        ],
        format: Annotated[str, Form(description="a name from /api/formats, or `auto`")] = "auto",
        min_probability: Annotated[schemas.Probability, Form()] = 0.0,
        explain: Annotated[bool, Form()] = False,
        types: Annotated[list[schemas.InteractionType] | None, Form(description="repeat the field for several")] = None,
        include_negated: Annotated[bool, Form()] = False,
        include_hedged: Annotated[bool, Form()] = False,
    ) -> Response:
        request = {
            "content": await file.read(),
            "name": file.filename or "",
            "format": None if format == "auto" else format,
            "min_probability": min_probability,
            "explain": explain,
            "types": types,
            "include_negated": include_negated,
            "include_hedged": include_hedged,
        }
        return json_response(await pool.run("annotate", request))

    @json.post(
        "/api/evidence",
        response_model=schemas.InteractionAnswer,
        summary="Why a pair of a document got its probability, with a drawing",
    )
    async def evidence(body: schemas.EvidenceRequest) -> Response:
        return json_response(await pool.run("evidence", body.model_dump()))

    @json.post(
        "/api/export",
        response_class=Response,
        summary="The annotated documents as a file",
        responses=describe_files(OUTPUT_FORMATS),
    )
    async def export(
        body: schemas.AnnotateRequest, format: Annotated[str, Query(json_schema_extra={"enum": list(OUTPUT_FORMATS)})]
    ) -> Response:
        output_format = find_format(format, OUTPUT_FORMATS)
        content = await pool.run("export", {**body.model_dump(), "format": format})
        return file_response(content, f"interactions{output_format.download_suffix}", output_format)

    app.include_router(json)
    app.include_router(forms)


def _describe_problems(app: FastAPI) -> None:
    """Every error as a problem object; FastAPI's own texts would quote the request."""

    @app.exception_handler(HTTPProblem)
    async def handle_problem(request: Request, problem: HTTPProblem) -> Response:
        return Response(problem.body, problem.status, headers=problem.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        details = error.errors()
        parts = [
            f"{'.'.join(str(part)[:60] for part in detail['loc'][:8])}: {detail['msg'][:200]}" for detail in details[:5]
        ]
        if any(detail["type"] == "json_invalid" for detail in details):
            problem = HTTPProblem(400, "not-json", f"expected JSON, got something else: {parts[0]}")
            return await handle_problem(request, problem)
        more = f" (and {len(details) - 5} more)" if len(details) > 5 else ""
        return await handle_problem(request, HTTPProblem(422, "invalid", "; ".join(parts) + more))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        # Texts of parsers may quote what they could not parse.
        detail = {404: "no such page; see /docs", 405: "no such method here; see /docs"}.get(
            error.status_code, "expected a request as described in /docs"
        )
        answer = await handle_problem(request, HTTPProblem(error.status_code, "invalid", detail))
        answer.headers.update(error.headers or {})
        return answer
