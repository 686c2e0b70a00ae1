"""Requests and answers of curation, as the API's description gives them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ppi.curation.judgement import MAX_COMMENT_CHARACTERS, MAX_NAME_CHARACTERS
from ppi.web.database_schemas import RowAnswer
from ppi.web.schemas import InteractionType

Verdict = Literal["right", "wrong", "wrong type", "wrong direction", "not a protein"]
Curator = Annotated[
    str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS, description="who judges: a name or initials")
]
Id = Annotated[str, Field(max_length=2000)]
Way = Literal["top", "uncertain", "change"]
#: Rows that one request may name.
MAX_REQUEST_ROWS = 200


class JudgedRow(BaseModel):
    """A sentence and pair of the run, as it was shown."""

    model_config = ConfigDict(extra="forbid")

    document: Id
    pair: Id
    words: str = Field(max_length=64, description="of the row's answer: what tells that it is still the same sentence")


class JudgeRequest(JudgedRow):
    """What somebody says of a row."""

    verdict: Verdict
    curator: Curator
    comment: str = Field("", max_length=MAX_COMMENT_CHARACTERS)
    type: InteractionType | None = Field(None, description="with `wrong type`: the right one, if known")
    mention: Literal[1, 2] | None = Field(None, description="with `not a protein`: which of the two")


class UndoRequest(BaseModel):
    """Which judgement is taken back."""

    model_config = ConfigDict(extra="forbid")

    curator: Curator
    judgement: str | None = Field(None, max_length=64, description="its id; without it the curator's last one")


class RowsRequest(BaseModel):
    """Rows that a page shows."""

    model_config = ConfigDict(extra="forbid")

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


class CurationFormatAnswer(BaseModel):
    """A format for judgements."""

    name: str
    description: str
    ending: str


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
