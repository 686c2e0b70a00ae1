"""Hold a judgement: what a curator says of a sentence and two mentions in it, and when; and taking it back.

===================  ==============================================  ===========  ======================================
verdict              the sentence                                    interacts    type
===================  ==============================================  ===========  ======================================
``right``            says what the program found                     yes          the one found
``wrong``            does not say that the two interact              no           none
``wrong type``       says that they interact, in another way         yes          the one that the curator names, if any
``wrong direction``  says that the other one acts                    yes          the one found, agent and target turned
``not a protein``    has a name in it that is not that of a protein  no           none; it says nothing of the sentence
===================  ==============================================  ===========  ======================================

What each teaches a model is described in :mod:`ppi.extraction.judgements`.

A judgement stands alone: the interaction that was judged is in it as it was shown, with its sentence and the places of
the two mentions, so that it can be read, merged and learned from without the run it came from.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, NamedTuple

from corpora import TYPES, CorpusError, Entity, truncate_repr
from ppi.annotation import Interaction, from_json, to_json
from ppi.core import CurationError
from ppi.extraction import NOT_A_PROTEIN, RIGHT, VERDICTS, WRONG_DIRECTION, WRONG_TYPE, PairJudgement

#: Characters of a curator's name, and of a comment.
MAX_NAME_CHARACTERS, MAX_COMMENT_CHARACTERS = 100, 2000
_TIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"
_REQUIRED: Any = object()


class RowKey(NamedTuple):
    """What is judged: a pair of a document and, short, the words it was in when it was judged.

    The words are part of it because another run may give the same ids to another sentence.
    """

    document: str
    pair: str
    words: str


def row_key(interaction: Interaction) -> RowKey:
    """What a judgement of the interaction is about."""
    spans = [entity.spans for entity in interaction.proteins]
    words = json.dumps([interaction.sentence, spans])
    return RowKey(interaction.document, interaction.pair, hashlib.sha256(words.encode()).hexdigest()[:16])


@dataclass(frozen=True)
class Judgement:
    """What a curator says of an interaction.

    Parameters
    ----------
    verdict
        One of :data:`~ppi.extraction.VERDICTS`.
    interaction, pubmed
        What was judged, as it was shown.
    curator
        A name; what stands there is taken as it is.
    time
        UTC, as ISO 8601 with microseconds.
    comment
        What else there is to say.
    type
        With ``wrong type``: the right one, if the curator names it.
    mention
        With ``not a protein``: which of the two it is, 1 or 2; None for both, or if the curator names none.

    Raises
    ------
    CurationError
        If the verdict does not fit the interaction, or the name or comment is empty or too long.
    """

    verdict: str
    interaction: Interaction
    curator: str
    time: str
    pubmed: str | None = None
    comment: str = ""
    type: str | None = None
    mention: int | None = None

    def __post_init__(self) -> None:
        _check_curator_and_time(self.curator, self.time)
        if len(self.comment) > MAX_COMMENT_CHARACTERS:
            raise CurationError(
                f"expected a comment of at most {MAX_COMMENT_CHARACTERS:,} characters, "
                f"got {len(self.comment):,}; shorten it"
            )
        if self.verdict not in VERDICTS:
            raise CurationError(f"expected a verdict, one of {VERDICTS}, got {truncate_repr(self.verdict)}")
        if self.verdict == WRONG_TYPE and self.interaction.type is None:
            raise CurationError(
                "expected wrong type of an interaction that has one, got one without; say right or wrong"
            )
        if self.verdict == WRONG_DIRECTION and not self.interaction.directed:
            raise CurationError(
                "expected wrong direction of an interaction in which one acts on the other, got one without direction; "
                "say wrong type"
            )
        if self.type is not None and (
            self.verdict != WRONG_TYPE or self.type not in TYPES or self.type == self.interaction.type
        ):
            raise CurationError(
                f"expected a type only with wrong type, one of {TYPES} and not {self.interaction.type!r}, "
                f"got {truncate_repr(self.type)} with {self.verdict}"
            )
        if self.mention is not None and (self.verdict != NOT_A_PROTEIN or self.mention not in (1, 2)):
            raise CurationError(
                f"expected a mention only with not a protein, 1 or 2, got {truncate_repr(self.mention)} "
                f"with {self.verdict}"
            )

    @cached_property
    def row(self) -> RowKey:
        """What it is about."""
        return row_key(self.interaction)

    @property
    def label(self) -> bool:
        """Whether two proteins interact, by this judgement."""
        return self.verdict in (RIGHT, WRONG_TYPE, WRONG_DIRECTION)

    @property
    def verdict_type(self) -> str | None:
        """How they interact, by this judgement; None if they do not, or it does not say."""
        if not self.label:
            return None
        return self.type if self.verdict == WRONG_TYPE else self.interaction.type

    @property
    def verdict_participants(self) -> tuple[Entity, Entity] | None:
        """Agent and target, by this judgement; None without direction."""
        first, second = self.interaction.participants
        if not self.label or self.verdict == WRONG_TYPE or not self.interaction.directed:
            return None
        return (second, first) if self.verdict == WRONG_DIRECTION else (first, second)

    @property
    def training_label(self) -> PairJudgement:
        """What a model can learn from it."""
        interaction = self.interaction
        first_acts = interaction.agent == interaction.proteins[0].id if interaction.directed else None
        return PairJudgement(self.verdict, interaction.type, first_acts, self.type)

    def to_json(self) -> dict[str, Any]:
        """The judgement as plain JSON values; what is empty is left out."""
        value: dict[str, Any] = {"verdict": self.verdict, "curator": self.curator, "time": self.time}
        value.update({name: content for name in ("comment", "type", "mention") if (content := getattr(self, name))})
        return {**value, "interaction": to_json(self.interaction, pubmed=self.pubmed)}

    @classmethod
    def from_json(cls, value: Any) -> Judgement:
        """The judgement that :meth:`to_json` wrote; CurationError if the value is something else."""
        try:
            interaction, pubmed = from_json(_read_field(value, "interaction", dict))
        except CorpusError as error:
            raise CurationError(f"expected the interaction that is judged, got another thing: {error}") from None
        required = {name: _read_field(value, name, str) for name in ("verdict", "curator", "time")}
        kinds = {"comment": str, "type": str, "mention": int}
        optional = {name: _read_field(value, name, kind, getattr(cls, name)) for name, kind in kinds.items()}
        return cls(interaction=interaction, pubmed=pubmed, **required, **optional)


@dataclass(frozen=True)
class Undo:
    """A judgement is taken back, by the curator whose it was; ``judgement`` is its id."""

    judgement: str
    curator: str
    time: str

    def __post_init__(self) -> None:
        _check_curator_and_time(self.curator, self.time)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> Undo:
        """What :meth:`to_json` wrote; CurationError if it is something else."""
        return cls(*(_read_field(value, field.name, str) for field in fields(cls)))


def format_time(moment: datetime) -> str:
    """A moment as it is kept: UTC, microseconds, so that texts are in the order of time.

    >>> format_time(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05.000000Z'
    """
    return moment.astimezone(UTC).strftime(_TIME_FORMAT)


def parse_time(time: str) -> datetime:
    """The moment of a text that :func:`format_time` made; CurationError if it is another text."""
    try:
        moment = datetime.strptime(time, _TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        moment = None
    if moment is None or format_time(moment) != time:
        raise CurationError(f"expected a time such as '2026-01-02T03:04:05.000000Z', got {truncate_repr(time)}")
    return moment


def check_curator(name: str) -> str:
    """The name of a curator without white space around it.

    CurationError if nothing is left, it is too long, or cannot be shown on a line.
    """
    stripped = name.strip()
    if not stripped or len(stripped) > MAX_NAME_CHARACTERS or not stripped.isprintable():
        raise CurationError(
            f"expected a curator's name of 1 to {MAX_NAME_CHARACTERS} characters on one line, "
            f"got {truncate_repr(name)}; give a name, initials or an e-mail address"
        )
    return stripped


def _check_curator_and_time(curator: str, time: str) -> None:
    if check_curator(curator) != curator:
        raise CurationError(f"expected a name without white space around it, got {truncate_repr(curator)}")
    parse_time(time)


def _read_field(value: Any, name: str, kind: type, default: Any = _REQUIRED) -> Any:
    if not isinstance(value, dict):
        raise CurationError(f"expected an object, got {truncate_repr(value)}")
    item = value.get(name, default)
    if item is default and default is not _REQUIRED:
        return default
    if not isinstance(item, kind) or (kind is int and isinstance(item, bool)):
        got = "none" if item is _REQUIRED else truncate_repr(item)
        raise CurationError(f"expected {kind.__name__} as {name!r}, got {got}")
    return item
