"""The API's requests and answers, as its OpenAPI description gives them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Probability = Annotated[float, Field(ge=0, le=1, description="between 0 and 1")]
Offset = Annotated[int, Field(ge=0, le=2**31, description="characters from the beginning of the text, from 0")]

InteractionType = Literal["binding", "modification", "regulation"]


class StrictModel(BaseModel):
    """A misspelt field is an error, never silently without effect."""

    model_config = ConfigDict(extra="forbid")


class GivenEntity(StrictModel):
    """A protein name that is known already."""

    start: Offset
    end: Offset = Field(description="one past the last character")
    type: str | None = None
    identifiers: list[str] = Field(default_factory=list, description="what it is grounded to")

    @model_validator(mode="after")
    def _in_order(self) -> GivenEntity:
        if not self.start < self.end:
            raise ValueError("expected start < end")
        return self


def _either(first: str, second: str, *, with_first: str) -> dict[str, Any]:
    """For the description: exactly one of two fields, and a third one beside the first only."""
    absent = {"type": "null"}
    return {
        "oneOf": [
            {"required": [first], "properties": {first: {"type": "string"}, second: absent}},
            {"required": [second], "properties": {first: absent, second: {"type": "array"}, with_first: absent}},
        ]
    }


class GivenDocument(StrictModel):
    """A text, with its names if they are known; or a document as it came back in `source`."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_either("text", "sentences", with_first="entities"))

    id: str = Field(min_length=1, max_length=500)
    text: str | None = Field(None, min_length=1)
    entities: list[GivenEntity] | None = Field(None, description="of `text`; without them names are looked for")
    sentences: list[dict[str, Any]] | None = Field(None, description="of a document that came back in `source`")
    relations: list[dict[str, Any]] | None = None
    concept_relations: list[dict[str, Any]] | None = Field(None, description="relations between identifiers")
    triggers: list[dict[str, Any]] | None = Field(None, description="of events, as are the next two")
    events: list[dict[str, Any]] | None = None
    equivalences: list[list[str]] | None = None
    corpus: str | None = None
    orig_id: str | None = None
    infons: list[list[str]] | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> GivenDocument:
        if (self.text is None) == (self.sentences is None):
            raise ValueError("expected either `text` or `sentences`")
        if self.text is None and self.entities is not None:
            raise ValueError("expected `entities` beside `text`; sentences hold their own")
        return self


class AnnotateRequest(StrictModel):
    """A text, or several documents."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_either("text", "documents", with_first="entities"))

    text: str | None = Field(None, min_length=1, description="plain text; blank lines separate paragraphs")
    entities: list[GivenEntity] | None = Field(None, description="of `text`; without them names are looked for")
    documents: list[GivenDocument] | None = Field(None, min_length=1)
    min_probability: Probability = Field(0.0, description="leave out pairs that are less probable")
    explain: bool = Field(False, description="add the evidence of every pair; slower, and a larger answer")
    types: list[InteractionType] | None = Field(None, description="only interactions of these types; null: any")
    include_negated: bool = Field(False, description="also what a sentence denies, marked `negated`")
    include_hedged: bool = Field(False, description="also what a sentence only supposes, marked `hedged`")

    @model_validator(mode="after")
    def _one_kind(self) -> AnnotateRequest:
        if (self.text is None) == (self.documents is None):
            raise ValueError("expected either `text` or `documents`")
        if self.text is None and self.entities is not None:
            raise ValueError("expected `entities` beside `text`; documents hold their own")
        if self.documents is not None and len({document.id for document in self.documents}) < len(self.documents):
            raise ValueError("expected documents of different ids")
        return self


class EvidenceRequest(StrictModel):
    """A pair of a document that was annotated before."""

    document: GivenDocument = Field(description="as it was sent, or as it came back in `source`")
    pair: str = Field(min_length=1, max_length=2000, description="the pair's id in the answer")
    min_probability: Probability = Field(
        0.0, description="the pair's probability, or less: pairs below are not looked through, which saves time"
    )


class ProteinAnswer(BaseModel):
    """A mention of a protein, as in JSON lines; spans are relative to its sentence."""

    id: str
    text: str
    spans: list[tuple[int, int]]
    type: str | None = None
    identifiers: list[str] = Field(default_factory=list)
    orig_id: str | None = None
    infons: list[tuple[str, str]] = Field(default_factory=list)


class EntityAnswer(ProteinAnswer):
    """A name that the text holds."""

    protein: str | None = Field(description="names of the same protein have the same; null: no protein, by its type")


class SentenceAnswer(BaseModel):
    """A sentence and the names in it."""

    id: str
    text: str
    offset: int
    entities: list[EntityAnswer]


class FeatureAnswer(BaseModel):
    """What one feature adds to the score."""

    name: str
    value: float


class PushAnswer(FeatureAnswer):
    """What one feature adds to the score wherever it occurs, and its share of all that is added and taken away."""

    share: float


class PartAnswer(BaseModel):
    """What one word or dependency adds to the score; `position` is its place among the tokens or dependencies."""

    name: str
    position: int
    value: float
    on_path: bool


class EvidenceAnswer(BaseModel):
    """The score taken apart, as in JSON lines: `intercept` + all of `features` + `other_features` is `score`."""

    output: str | None = Field(None, description="the output of the model that is explained, if it has several")
    score: float
    threshold: float
    intercept: float
    features: list[FeatureAnswer] = Field(description="the weightiest")
    other_features: float = Field(description="what all others add")
    words: list[PartAnswer]
    dependencies: list[PartAnswer]
    unplaced: float = Field(description="what features add that belong to no word or dependency")
    path: str
    path_value: float
    joining: list[str] = Field(default_factory=list, description="the words on the path between the two names")
    negation_cues: list[str] = Field(default_factory=list, description="the words by which the sentence denies it")
    hedge_cues: list[str] = Field(default_factory=list, description="the words by which it only supposes it")
    statement: str | None = Field(None, description="the words that say it of a protein and itself")
    svg: str
    path_svg: str = Field(description="for the page: the drawing of the words that join the two names alone")
    reasons: list[str] = Field(description="for the page: what joins the two names, in short sentences")
    up: list[PushAnswer] = Field(description="for the page: the features that pushed up most")
    down: list[PushAnswer] = Field(description="for the page: the features that pushed down most")


class AliasAnswer(BaseModel):
    """Another pair of mentions of the same two proteins under which the sentence says the same."""

    pair: str
    proteins: tuple[ProteinAnswer, ProteinAnswer] = Field(description="in the order of the interaction's own")
    probability: float
    type: InteractionType | None = None


class InteractionAnswer(BaseModel):
    """Two names of a sentence and how probably it says that they interact, as in JSON lines."""

    schema_: str = Field(alias="schema")
    document: str
    pubmed: str | None = None
    sentence_id: str
    pair: str
    sentence: str = Field(description="its text")
    offset: int = Field(description="of the sentence in the document")
    proteins: tuple[ProteinAnswer, ProteinAnswer]
    probability: float = Field(description="that they interact in any way")
    score: float
    type: InteractionType | None = Field(None, description="the most probable one, where the model knows types")
    types: dict[InteractionType, float] = Field(default_factory=dict, description="the probability of each type")
    agent: str | None = Field(None, description="id of the name that acts, where there is a direction")
    target: str | None = Field(None, description="id of the name that is acted on")
    sign: Literal["positive", "negative"] | None = Field(None, description="of a regulation")
    kind: str | None = Field(None, description="of a modification: `phosphorylation` and so on")
    negated: bool = Field(False, description="the sentence denies it")
    hedged: bool = Field(False, description="the sentence only supposes it")
    same: bool = Field(False, description="both names are those of one protein; only if the server keeps such pairs")
    homo: bool = Field(False, description="the text says that one protein interacts with itself")
    aliases: list[AliasAnswer] = Field(default_factory=list, description="other names for the same statement")
    evidence: EvidenceAnswer | None = None
    keys: tuple[str, str] = Field(description="for the page: names of the same protein have the same key")


class DocumentAnswer(BaseModel):
    """A document with what was found; `source` is the document itself, for later requests."""

    id: str
    sentences: list[SentenceAnswer]
    interactions: list[InteractionAnswer]
    source: dict[str, Any]


class AnnotateAnswer(BaseModel):
    """Annotated documents, and remarks on what could not be read."""

    documents: list[DocumentAnswer]
    warnings: list[str]
    systematic_error: float = Field(description="for the page: how papers are combined, see `ppi.network.combining`")
    meaning: list[str] = Field(description="what probabilities mean, as measured for this model, in sentences")


class Health(BaseModel):
    """Whether the server can work."""

    status: str
    version: str
    workers: int
    idle: int
    waiting: int


class InputFormat(BaseModel):
    """A format that can be uploaded."""

    name: str
    description: str
    endings: list[str]


class OutputFormat(BaseModel):
    """A format that can be downloaded."""

    name: str
    description: str
    ending: str


class Formats(BaseModel):
    """All formats, and the limits of a request."""

    input: list[InputFormat]
    output: list[OutputFormat]
    limits: dict[str, float]


class ProblemAnswer(BaseModel):
    """An error (RFC 9457): `code` is a fixed word for programs, `detail` is for people."""

    type: str
    title: str
    status: int
    code: str
    detail: str
