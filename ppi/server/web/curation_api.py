"""The API of curation: requests, answers and routes to judge, take back, look at what was judged, and save it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Header, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from ppi.server.curation.judgement import MAX_COMMENT_CHARACTERS, MAX_NAME_CHARACTERS
from ppi.server.curation.judgement_export import JUDGEMENT_FORMATS
from ppi.server.web.curation_service import CurationService
from ppi.server.web.database_answers import sentence_json
from ppi.server.web.database_api import ProblemResponses, RowAnswer, SentenceKey
from ppi.server.web.problems import JsonRoute, describe_files, file_response, find_format, json_response
from ppi.server.web.schemas import InteractionType, OutputFormat, StrictModel

Verdict = Literal["right", "wrong", "wrong type", "wrong direction", "not a protein"]
Curator = Annotated[
    str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS, description="who judges: a name or initials")
]
Way = Literal["top", "uncertain", "change"]
CuratorQuery = Annotated[str | None, Query(max_length=100, description="only of this one")]
#: Rows that one request may name.
MAX_REQUEST_ROWS = 200


class JudgedRow(SentenceKey):
    """A sentence and pair of the run, as it was shown."""

    words: str = Field(max_length=64, description="of the row's answer: what tells that it is still the same sentence")


class JudgeRequest(JudgedRow):
    """What somebody says of a row."""

    verdict: Verdict
    curator: Curator
    comment: str = Field("", max_length=MAX_COMMENT_CHARACTERS)
    type: InteractionType | None = Field(None, description="with `wrong type`: the right one, if known")
    mention: Literal[1, 2] | None = Field(None, description="with `not a protein`: which of the two")


class UndoRequest(StrictModel):
    """Which judgement is taken back."""

    curator: Curator
    judgement: str | None = Field(None, max_length=64, description="its id; without it the curator's last one")


class RowsRequest(StrictModel):
    """Rows that a page shows."""

    rows: list[JudgedRow] = Field(max_length=MAX_REQUEST_ROWS)


class JudgementAnswer(BaseModel):
    """A judgement that holds."""

    id: str
    document: str
    pair: str
    words: str
    verdict: Verdict
    curator: str
    time: str = Field(description="UTC")
    comment: str
    type: str | None
    mention: int | None
    names: list[str] = Field(description="of the two mentions")
    sentence: str


class JudgedAnswer(BaseModel):
    """What was kept or taken back, and what holds of that row now."""

    judgement: JudgementAnswer
    row: list[JudgementAnswer] = Field(description="one per curator")
    judged: int = Field(description="rows judged, of the whole run")


class RowStateAnswer(BaseModel):
    """What holds of a row."""

    document: str
    pair: str
    judgements: list[JudgementAnswer] = Field(description="one per curator")


class CurationFormatAnswer(OutputFormat):
    """A format for judgements."""


class CurationAnswer(BaseModel):
    """What was judged until now, and what can be asked for."""

    needs_token: bool = Field(description="whether everything else here wants the header `X-Curation-Token`")
    learns: bool = Field(description="whether the server has a model that can learn from judgements")
    rows: int = Field(description="judged by anybody")
    verdicts: dict[str, int]
    curators: dict[str, int] = Field(description="judgements of each")
    divided: int = Field(description="rows about which curators are divided")
    torn_lines: list[int] = Field(description="lines of the file that a crash cut short")
    formats: list[CurationFormatAnswer]


class JudgementsAnswer(BaseModel):
    """A page of judgements, the latest first."""

    count: int
    page: int
    pages: int
    judgements: list[JudgementAnswer]


class RankedReading(BaseModel):
    """What a model says of a row, and the place that it has by that."""

    probability: float
    type: str | None
    place: int


class RankedRow(BaseModel):
    """A row before and after the judgements."""

    document: str
    pair: str
    words: str
    before: RankedReading
    after: RankedReading
    read: bool = Field(description="whether the model could read it again; otherwise both are the run's")


class EstimateAnswer(BaseModel):
    """How well an output says what was judged: without feedback, and with that on other pairs or other documents."""

    output: str
    judged: int
    positive: int
    groups: int = Field(description="documents")
    regparam: float
    error_without: float = Field(description="mean squared error against 1 and -1")
    error_leave_one_out: float
    error_leave_group_out: float
    auc_without: float | None
    auc_leave_one_out: float | None
    auc_leave_group_out: float | None


class RankAnswer(BaseModel):
    """The rows in the order of the model with feedback."""

    judged: int = Field(description="judgements that hold, of all curators")
    left_out: int = Field(description="of these, in sentences that the model cannot read")
    rows: list[RankedRow]
    estimates: list[EstimateAnswer]


class NextAnswer(BaseModel):
    """What to judge next, the most useful first."""

    way: str
    sentences: list[RowAnswer]


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
        return json_response(await service.submit(service.status))

    async def token(x_curation_token: Annotated[str | None, Header(max_length=200)] = None) -> None:
        service.check_token(x_curation_token)

    options: dict[str, Any] = {"prefix": "/api/curation", "dependencies": [Depends(token)], "tags": ["curation"]}
    read = APIRouter(**options)
    json = APIRouter(
        route_class=JsonRoute, responses=problems(400, 403, 404, 408, 409, 413, 415, 421, 422, 500, 503), **options
    )

    @json.post("/judge", response_model=JudgedAnswer, summary="Keep a judgement; when this answers, it is on the disk")
    async def judge(body: JudgeRequest) -> Response:
        return json_response(await service.submit(lambda: service.judge(body.model_dump())))

    @json.post(
        "/undo", response_model=JudgedAnswer, summary="Take back a judgement: what the curator said before holds again"
    )
    async def undo(body: UndoRequest) -> Response:
        return json_response(await service.submit(lambda: service.undo(body.model_dump())))

    @json.post("/states", response_model=list[RowStateAnswer], summary="What holds of the rows that a page shows")
    async def states(body: RowsRequest) -> Response:
        return json_response(await service.submit(lambda: service.states(body.model_dump()["rows"])))

    @json.post(
        "/rank",
        response_model=RankAnswer,
        summary="Rows in the order of the model with all judgements, and whether these help",
    )
    async def rank(body: RowsRequest) -> Response:
        return json_response(await service.rank(body.model_dump()["rows"]))

    @read.get(
        "/judgements",
        response_model=JudgementsAnswer,
        summary="What was judged, the latest first",
        responses=problems(403, 421, 422, 500, 503),
    )
    async def judgements(curator: CuratorQuery = None, page: Annotated[int, Query(ge=1, le=100_000)] = 1) -> Response:
        return json_response(await service.submit(lambda: service.judgements(curator, page)))

    @read.get(
        "/next",
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
        return json_response({"way": way, "sentences": [sentence_json(sentence) for sentence in sentences]})

    @read.get(
        "/export",
        response_class=Response,
        summary="What is settled, as a corpus or as INDRA's curations",
        responses={**describe_files(JUDGEMENT_FORMATS), **problems(403, 421, 422, 500, 503)},
    )
    async def export(
        format: Annotated[str, Query(json_schema_extra={"enum": list(JUDGEMENT_FORMATS)}, max_length=40)],
        curator: CuratorQuery = None,
    ) -> Response:
        output_format = find_format(format, JUDGEMENT_FORMATS)
        content = await service.submit(lambda: service.export(format, curator))
        return file_response(content, f"judgements{output_format.suffix}", output_format)

    app.include_router(read)
    app.include_router(json)
