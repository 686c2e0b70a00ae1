"""The API of the database of a run: requests, answers and routes, for its pages and for programs.

Queries run in a few threads beside the server's own, so that a slow one holds up nobody's page; evidence and files are
made by the worker processes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, FastAPI, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from corpora import CorpusError
from ppi.core import NotInRunError, PpiError
from ppi.export import FORMATS
from ppi.server.database.opening import OpenRun
from ppi.server.web import database_answers as answers
from ppi.server.web.limits import LimitedThreads, Limits
from ppi.server.web.problems import HTTPProblem, JsonRoute, describe_files, file_response, find_format, json_response
from ppi.server.web.schemas import InteractionAnswer, InteractionType, Probability, StrictModel
from ppi.server.web.worker_pool import Pool

log = logging.getLogger("ppi.web")
#: How often what a run has finished in the meantime is looked for.
REFRESH_SECONDS = 15.0
T = TypeVar("T")
ProblemResponses = Callable[..., dict[int | str, dict[str, Any]]]
Key = Annotated[str, Query(min_length=1, max_length=300, description="of a protein, as in other answers")]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Year = Annotated[int, Field(ge=0, le=3000)]
#: Pages of lists; who wants more than these asks for less, or downloads.
Page = Annotated[int, Field(ge=1, le=200)]


class SearchCriteria(StrictModel):
    """What sentences have to be like to be found."""

    protein: Name | None = Field(None, description="a name in any spelling, a symbol, an identifier, or a key")
    partner: Name | None = Field(None, description="the same of the other protein; needs `protein`")
    type: list[InteractionType] | None = Field(None, description="repeat for several; without it any")
    min_probability: Probability = Field(0.0, description="of the interaction in its sentence")
    min_papers: int = Field(0, ge=0, le=1_000_000, description="that state the same of the two proteins")
    first_year: Year | None = Field(None, description="of the paper, where its year is known")
    last_year: Year | None = None
    text: str | None = Field(None, max_length=300, description='words that the sentence holds; "in quotes" as they are')
    include_negated: bool = Field(False, description="also what a sentence denies")
    include_hedged: bool = Field(False, description="also what a sentence only supposes")


class SearchQuery(SearchCriteria):
    """What is looked for, and which part of the answer."""

    show: Literal["pairs", "sentences"] = Field("pairs", description="pairs of proteins, or single sentences")
    order: Literal["probability", "papers"] = Field("probability", description="of pairs")
    page: Page = 1


class ExportQuery(SearchCriteria):
    """What is looked for, and the format of the file."""

    format: str = Field(max_length=40, description="a name of `output` in /api/formats")


class PairQuery(StrictModel):
    """Two proteins by their keys."""

    first: Name
    second: Name
    type: list[InteractionType] | None = None
    page: Page = 1


class SentenceKey(StrictModel):
    """What a sentence and pair is known by."""

    document: str = Field(max_length=2000)
    pair: str = Field(max_length=2000)


class RunAnswer(BaseModel):
    """How much the run holds."""

    name: str = Field(description="of its folder or file")
    interactions: int
    sentences: int
    papers: int
    proteins: int
    pairs: int
    types: list[str]
    first_year: int | None = Field(None, description="of the papers whose year is known")
    last_year: int | None = None
    parts: int = Field(description="files that can be searched")
    problem: str | None = Field(None, description="why what was finished last cannot be searched, if so")


class KnownProteinAnswer(BaseModel):
    """A protein of the run."""

    key: str
    label: str
    names: list[str] = Field(description="spellings, the commonest first")
    identifiers: list[str]
    species: str
    kind: str
    papers: int
    sentences: int
    partners: int


class SuggestionAnswer(BaseModel):
    """A name that begins so, and whose it is."""

    name: str
    protein: KnownProteinAnswer


class RowAnswer(InteractionAnswer):
    """An interaction as a sentence states it; `document` and `pair` together are what it is known by."""

    year: int | None = None
    words: str = Field(description="tells, when the row is judged, that it is still the same sentence")


class PairAnswer(BaseModel):
    """Two proteins and one way in which they are said to interact."""

    source: KnownProteinAnswer
    target: KnownProteinAnswer
    type: InteractionType | None = None
    sign: Literal["positive", "negative"] | None = None
    kind: str | None = None
    directed: bool
    probability: float = Field(description="combined over papers")
    papers: int = Field(description="that state it")
    sentences: int = Field(description="that state it")
    hedged: int = Field(description="sentences that only suppose it")
    negated: int = Field(description="sentences that deny it")
    first_year: int | None = None
    last_year: int | None = None
    best: RowAnswer | None = Field(None, description="the most probable sentence")


class SearchAnswer(BaseModel):
    """A page of what was found."""

    proteins: list[KnownProteinAnswer] = Field(description="that are called as `protein`")
    partners: list[KnownProteinAnswer] = Field(description="that are called as `partner`")
    count: int = Field(description="of all pages")
    page: int
    pages: int
    pairs: list[PairAnswer] = Field(default_factory=list)
    sentences: list[RowAnswer] = Field(default_factory=list)


class TypeAnswer(BaseModel):
    """The pairs of a protein that are of one type, the best supported of them."""

    type: InteractionType | None
    count: int = Field(description="pairs of this type")
    papers: int
    sentences: int
    pairs: list[PairAnswer]


class ProteinPageAnswer(BaseModel):
    """A protein and what it does."""

    protein: KnownProteinAnswer
    types: list[TypeAnswer]


class NetworkAnswer(BaseModel):
    """Proteins around one, and the best supported pairs among them."""

    proteins: list[KnownProteinAnswer]
    pairs: list[PairAnswer]


class PairPageAnswer(BaseModel):
    """Two proteins, the ways in which they interact, and every sentence, most probable first."""

    first: KnownProteinAnswer
    second: KnownProteinAnswer
    pairs: list[PairAnswer]
    count: int = Field(description="sentences of all pages, denied and supposed ones included")
    page: int
    pages: int
    sentences: list[RowAnswer]


class DatabaseThreads(LimitedThreads):
    """Threads that ask the database, and a short queue before them."""

    def __init__(self, database: OpenRun, limits: Limits) -> None:
        # of short questions more may wait than of texts
        super().__init__(max(2, limits.workers), max_waiting=limits.requests, name="ppi-database")
        self.database = database
        self.problem: str | None = None

    async def submit(self, question: Callable[[OpenRun], Any]) -> Response:
        """The answer as JSON."""
        return json_response(await self.ask(question))

    async def ask(self, question: Callable[[OpenRun], T]) -> T:
        """The answer.

        Raises
        ------
        HTTPProblem
            ``busy`` when too many wait; what is wrong with the question.
        """
        try:
            return await self.run(question, self.database)
        except NotInRunError as error:
            raise HTTPProblem(404, "not-in-run", str(error)) from None
        except (PpiError, CorpusError) as error:
            raise HTTPProblem(422, "cannot-read", str(error)) from None

    async def keep_fresh(self) -> None:
        """Look for new parts, for as long as the server runs."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            try:
                await asyncio.to_thread(self.database.refresh)
                self.problem = None
            except (PpiError, CorpusError, OSError) as error:
                if str(error) != self.problem:
                    log.error("the run cannot be read again: %s", error)
                self.problem = str(error)


def add_database(
    app: FastAPI, readers: DatabaseThreads, pool: Pool, limits: Limits, problems: ProblemResponses
) -> None:
    """Add the routes; ``problems`` describes the errors of some statuses."""
    queries = APIRouter(prefix="/api/database", responses=problems(404, 421, 422, 503), tags=["database"])
    work = APIRouter(prefix="/api/database", route_class=JsonRoute, tags=["database"])

    @queries.get("", response_model=RunAnswer, summary="How much the run holds")
    async def run() -> Response:
        return await readers.submit(lambda run: answers.run_json(run, readers.problem))

    @queries.get("/suggest", response_model=list[SuggestionAnswer], summary="Proteins with a name that begins so")
    async def suggest(
        text: Annotated[str, Query(max_length=300)], most: Annotated[int, Query(ge=1, le=50)] = 10
    ) -> Response:
        return await readers.submit(lambda run: answers.suggestions_json(run, text, most))

    @queries.get("/search", response_model=SearchAnswer, summary="Pairs of proteins, or sentences, that fit")
    async def search(query: Annotated[SearchQuery, Query()]) -> Response:
        ask = partial(
            answers.search_json, criteria=_search_criteria(query), show=query.show, order=query.order, page=query.page
        )
        return await readers.submit(ask)

    @queries.get("/protein", response_model=ProteinPageAnswer, summary="A protein and its partners by type")
    async def protein(key: Key) -> Response:
        return await readers.submit(lambda run: answers.protein_page_json(run, key))

    @queries.get("/network", response_model=NetworkAnswer, summary="The network around a protein")
    async def network(key: Key, steps: Annotated[int, Query(ge=1, le=2)] = 1) -> Response:
        return await readers.submit(lambda run: answers.network_json(run, key, steps))

    @queries.get("/pair", response_model=PairPageAnswer, summary="Every sentence about two proteins")
    async def pair(query: Annotated[PairQuery, Query()]) -> Response:
        ask = partial(answers.pair_page_json, first=query.first, second=query.second, types=query.type, page=query.page)
        return await readers.submit(ask)

    app.include_router(queries)

    @work.post(
        "/evidence",
        response_model=InteractionAnswer,
        summary="Why a sentence of the run says that two proteins interact, with a drawing",
        responses=problems(400, 403, 404, 408, 413, 415, 421, 422, 503),
    )
    async def evidence(body: SentenceKey) -> Response:
        request = await readers.ask(lambda run: answers.evidence_request(run, body.document, body.pair))
        return json_response(await pool.run("evidence", request))

    @app.get(
        "/api/database/export",
        response_class=Response,
        summary="What is found, as a file",
        responses={**describe_files(FORMATS), **problems(404, 413, 421, 422, 503)},
        tags=["database"],
    )
    async def export(query: Annotated[ExportQuery, Query()]) -> Response:
        output_format = find_format(query.format, FORMATS)
        sentences = await readers.ask(lambda run: answers.fetch_for_export(run, _search_criteria(query), limits))
        content = await pool.run("write", {"found": sentences, "format": query.format, "least": query.min_probability})
        return file_response(content, f"interactions{output_format.download_suffix}", output_format)

    app.include_router(work)


def _search_criteria(query: SearchCriteria) -> dict[str, Any]:
    """As :meth:`OpenRun.search` takes it."""
    return {name: getattr(query, name) for name in SearchCriteria.model_fields}
