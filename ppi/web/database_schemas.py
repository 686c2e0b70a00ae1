"""Requests and answers of the database of a run, as the API's description gives them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ppi.web.schemas import InteractionAnswer, InteractionType, Probability

Name = Annotated[str, Field(min_length=1, max_length=300)]
Year = Annotated[int, Field(ge=0, le=3000)]
#: Pages of lists; who wants more than these asks for less, or downloads.
Page = Annotated[int, Field(ge=1, le=200)]


class SearchCriteria(BaseModel):
    """What sentences have to be like to be found."""

    model_config = ConfigDict(extra="forbid")

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


class PairQuery(BaseModel):
    """Two proteins by their keys."""

    model_config = ConfigDict(extra="forbid")

    first: Name
    second: Name
    type: list[InteractionType] | None = None
    page: Page = 1


class SentenceKey(BaseModel):
    """What a sentence and pair is known by."""

    model_config = ConfigDict(extra="forbid")

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
