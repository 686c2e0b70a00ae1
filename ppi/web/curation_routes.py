"""Routes of curation: judge, take back, look at what was judged, and files of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Query
from fastapi.responses import Response

from ppi.curation.exporting import FORMATS
from ppi.export.jsonl import encoded
from ppi.web import curation_schemas as schemas
from ppi.web.content_types import JsonRoute
from ppi.web.curation_desk import Desk
from ppi.web.database_answers import row_json
from ppi.web.problems import Refusal

Problems = Callable[..., dict]
CuratorQuery = Annotated[str | None, Query(max_length=100, description="only of this one")]


def add_curation(app: FastAPI, desk: Desk, problems: Problems) -> None:
    """Add the routes; ``problems`` describes the errors of some statuses."""

    @app.get(
        "/api/curation",
        response_model=schemas.CurationAnswer,
        summary="What was judged until now, and whether a token is needed",
        responses=problems(421, 500, 503),
        tags=["curation"],
    )
    async def status() -> Response:
        return _json(await desk.ask(desk.status))

    async def token(x_curation_token: Annotated[str | None, Header(max_length=200)] = None) -> None:
        desk.check_token(x_curation_token)

    guarded = APIRouter(dependencies=[Depends(token)], tags=["curation"])
    json = APIRouter(route_class=JsonRoute, dependencies=[Depends(token)], tags=["curation"])
    _add_writing(json, desk, problems)
    _add_reading(guarded, desk, problems)
    app.include_router(guarded)
    app.include_router(json)


def _add_writing(router: APIRouter, desk: Desk, problems: Problems) -> None:
    options: dict[str, Any] = {"responses": problems(400, 403, 404, 408, 409, 413, 415, 421, 422, 500, 503)}

    @router.post(
        "/api/curation/judge",
        response_model=schemas.JudgedAnswer,
        summary="Keep a judgement; when this answers, it is on the disk",
        **options,
    )
    async def judge(body: schemas.JudgeRequest) -> Response:
        return _json(await desk.ask(lambda: desk.judge(body.model_dump())))

    @router.post(
        "/api/curation/undo",
        response_model=schemas.JudgedAnswer,
        summary="Take back a judgement: what the curator said before holds again",
        **options,
    )
    async def undo(body: schemas.UndoRequest) -> Response:
        return _json(await desk.ask(lambda: desk.undo(body.model_dump())))

    @router.post(
        "/api/curation/states",
        response_model=list[schemas.RowStateAnswer],
        summary="What holds of the rows that a page shows",
        **options,
    )
    async def states(body: schemas.RowsRequest) -> Response:
        return _json(await desk.ask(lambda: desk.states(body.model_dump()["rows"])))

    @router.post(
        "/api/curation/rank",
        response_model=schemas.RankAnswer,
        summary="Rows in the order of the model with all judgements, and whether these help",
        **options,
    )
    async def rank(body: schemas.RowsRequest) -> Response:
        return _json(await desk.rank(body.model_dump()["rows"]))


def _add_reading(router: APIRouter, desk: Desk, problems: Problems) -> None:
    @router.get(
        "/api/curation/judgements",
        response_model=schemas.JudgementsAnswer,
        summary="What was judged, the latest first",
        responses=problems(403, 421, 422, 500, 503),
    )
    async def judgements(curator: CuratorQuery = None, page: Annotated[int, Query(ge=1, le=100_000)] = 1) -> Response:
        return _json(await desk.ask(lambda: desk.judgements(curator, page)))

    @router.get(
        "/api/curation/next",
        response_model=schemas.NextAnswer,
        summary="What to judge next: the top of the list, what is uncertain, or what would change the list most",
        responses=problems(403, 404, 421, 422, 500, 503),
    )
    async def next_rows(
        way: schemas.Way = "top",
        count: Annotated[int, Query(ge=1, le=50)] = 10,
        protein: Annotated[str | None, Query(max_length=300, description="only what is said of this one")] = None,
    ) -> Response:
        found = await desk.next_rows(way, count, protein)
        return _json({"way": way, "sentences": [row_json(each) for each in found]})

    @router.get(
        "/api/curation/export",
        response_class=Response,
        summary="What is settled, as a corpus or as INDRA's curations",
        responses={
            200: {"description": "The file", "content": {each.media_type: {} for each in FORMATS.values()}},
            **problems(403, 421, 422, 500, 503),
        },
    )
    async def export(
        format: Annotated[str, Query(json_schema_extra={"enum": list(FORMATS)}, max_length=40)],
        curator: CuratorQuery = None,
    ) -> Response:
        if format not in FORMATS:
            raise Refusal(422, "unknown-format", f"expected one of {list(FORMATS)}, got {format!r}")
        content = await desk.ask(lambda: desk.export(format, curator))
        chosen = FORMATS[format]
        headers = {"content-disposition": f'attachment; filename="judgements{chosen.suffix}"'}
        return Response(content, media_type=chosen.media_type, headers=headers)


def _json(content: Any) -> Response:
    return Response(encoded(content), media_type="application/json")
