"""Routes of curation: judge, take back, look at what was judged, and files of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Query
from fastapi.responses import Response

from ppi.curation.exporting import JUDGEMENT_FORMATS
from ppi.export.jsonl import encode_json
from ppi.web.content_types import JsonRoute
from ppi.web.curation_desk import CurationService
from ppi.web.curation_schemas import (
    CurationAnswer,
    JudgedAnswer,
    JudgementsAnswer,
    JudgeRequest,
    NextAnswer,
    RankAnswer,
    RowsRequest,
    RowStateAnswer,
    UndoRequest,
    Way,
)
from ppi.web.database_answers import sentence_json
from ppi.web.problems import HTTPProblem

ProblemResponses = Callable[..., dict]
CuratorQuery = Annotated[str | None, Query(max_length=100, description="only of this one")]


def add_curation(app: FastAPI, service: CurationService, problems: ProblemResponses) -> None:
    """Add the routes; ``problems`` describes the errors of some statuses."""

    @app.get(
        "/api/curation",
        response_model=CurationAnswer,
        summary="What was judged until now, and whether a token is needed",
        responses=problems(421, 500, 503),
        tags=["curation"],
    )
    async def status() -> Response:
        return _json(await service.submit(service.status))

    async def token(x_curation_token: Annotated[str | None, Header(max_length=200)] = None) -> None:
        service.check_token(x_curation_token)

    guarded = APIRouter(dependencies=[Depends(token)], tags=["curation"])
    json = APIRouter(route_class=JsonRoute, dependencies=[Depends(token)], tags=["curation"])
    _add_post_routes(json, service, problems)
    _add_get_routes(guarded, service, problems)
    app.include_router(guarded)
    app.include_router(json)


def _add_post_routes(router: APIRouter, service: CurationService, problems: ProblemResponses) -> None:
    options: dict[str, Any] = {"responses": problems(400, 403, 404, 408, 409, 413, 415, 421, 422, 500, 503)}

    @router.post(
        "/api/curation/judge",
        response_model=JudgedAnswer,
        summary="Keep a judgement; when this answers, it is on the disk",
        **options,
    )
    async def judge(body: JudgeRequest) -> Response:
        return _json(await service.submit(lambda: service.judge(body.model_dump())))

    @router.post(
        "/api/curation/undo",
        response_model=JudgedAnswer,
        summary="Take back a judgement: what the curator said before holds again",
        **options,
    )
    async def undo(body: UndoRequest) -> Response:
        return _json(await service.submit(lambda: service.undo(body.model_dump())))

    @router.post(
        "/api/curation/states",
        response_model=list[RowStateAnswer],
        summary="What holds of the rows that a page shows",
        **options,
    )
    async def states(body: RowsRequest) -> Response:
        return _json(await service.submit(lambda: service.states(body.model_dump()["rows"])))

    @router.post(
        "/api/curation/rank",
        response_model=RankAnswer,
        summary="Rows in the order of the model with all judgements, and whether these help",
        **options,
    )
    async def rank(body: RowsRequest) -> Response:
        return _json(await service.rank(body.model_dump()["rows"]))


def _add_get_routes(router: APIRouter, service: CurationService, problems: ProblemResponses) -> None:
    @router.get(
        "/api/curation/judgements",
        response_model=JudgementsAnswer,
        summary="What was judged, the latest first",
        responses=problems(403, 421, 422, 500, 503),
    )
    async def judgements(curator: CuratorQuery = None, page: Annotated[int, Query(ge=1, le=100_000)] = 1) -> Response:
        return _json(await service.submit(lambda: service.judgements(curator, page)))

    @router.get(
        "/api/curation/next",
        response_model=NextAnswer,
        summary="What to judge next: the top of the list, what is uncertain, or what would change the list most",
        responses=problems(403, 404, 421, 422, 500, 503),
    )
    async def next_rows(
        way: Way = "top",
        count: Annotated[int, Query(ge=1, le=50)] = 10,
        protein: Annotated[str | None, Query(max_length=300, description="only what is said of this one")] = None,
    ) -> Response:
        sentences = await service.next_rows(way, count, protein)
        return _json({"way": way, "sentences": [sentence_json(sentence) for sentence in sentences]})

    @router.get(
        "/api/curation/export",
        response_class=Response,
        summary="What is settled, as a corpus or as INDRA's curations",
        responses={
            200: {
                "description": "The file",
                "content": {output_format.media_type: {} for output_format in JUDGEMENT_FORMATS.values()},
            },
            **problems(403, 421, 422, 500, 503),
        },
    )
    async def export(
        format: Annotated[str, Query(json_schema_extra={"enum": list(JUDGEMENT_FORMATS)}, max_length=40)],
        curator: CuratorQuery = None,
    ) -> Response:
        if format not in JUDGEMENT_FORMATS:
            raise HTTPProblem(422, "unknown-format", f"expected one of {list(JUDGEMENT_FORMATS)}, got {format!r}")
        content = await service.submit(lambda: service.export(format, curator))
        output_format = JUDGEMENT_FORMATS[format]
        headers = {"content-disposition": f'attachment; filename="judgements{output_format.suffix}"'}
        return Response(content, media_type=output_format.media_type, headers=headers)


def _json(content: Any) -> Response:
    return Response(encode_json(content), media_type="application/json")
