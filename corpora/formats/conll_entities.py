"""Mentions in CoNLL-U's MISC column: ``Entity=ID:TYPE:SPANS[:IDENTIFIERS]`` on the first word that a mention covers.

``SPANS`` are characters of the sentence, ``0-8`` or, with gaps, ``0-5;15-20``; ``TYPE`` is ``_`` if there is none,
several identifiers are joined by ``,``, several mentions that begin at one word by ``+``.  Signs that would mean
something else are written as in addresses, ``%7C`` for ``|``.  ``Entity=`` of another shape (coreference) is left as it
is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, unquote

from corpora.errors import ValidationError
from corpora.loss import ConversionLosses
from corpora.types import Entity, Sentence, Token, text_at

KEY = "Entity="
#: No sentence has more characters than nine digits count.
_SPAN = r"[0-9]{1,9}-[0-9]{1,9}"
_MENTION = r"[^:+|\s()]+:[^:+|\s()]+:" + rf"{_SPAN}(?:;{_SPAN})*" + r"(?::[^+|\s]+)?"
_MARK = re.compile(rf"{KEY}{_MENTION}(?:\+{_MENTION})*")
#: Signs that may stand in an id, a type or an identifier as they are.
_PLAIN = "./-_#@*"


def marks_of(sentence: Sentence, tokens: Sequence[Token], losses: ConversionLosses) -> dict[str, str]:
    """What to write into the MISC column, by the id of the token."""
    marks: dict[str, list[str]] = {}
    for entity in sentence.entities:
        first = next((token for token in tokens if token.start < entity.end and entity.start < token.end), None)
        if first is None:
            losses.drop("entities that cover no token")
        else:
            marks.setdefault(first.id, []).append(_format_mention(entity))
        losses.drop("original ids of entities", int(entity.orig_id is not None))
        losses.drop("remarks of entities", len(entity.infons))
    return {id: KEY + "+".join(mentions) for id, mentions in marks.items()}


def is_mark(part: str) -> bool:
    """Whether a part of the MISC column is one of ours."""
    return _MARK.fullmatch(part) is not None


def entities_of(marks: Sequence[tuple[int, str]], text: str) -> tuple[Entity, ...]:
    """The mentions that these marks, each with its line, say about a sentence's text.

    Raises
    ------
    ValidationError
        If one lies outside of the text.
    """
    entities = []
    for line, mark in marks:
        for mention in mark.removeprefix(KEY).split("+"):
            id, type, spans, *identifiers = mention.split(":", 3)
            bounds = tuple(_span(span) for span in spans.split(";"))
            if any(not 0 <= start < end <= len(text) for start, end in bounds):
                raise ValidationError(
                    f"expected a mention inside the {len(text)} characters of the sentence, got {spans}", line=line
                )
            entity_identifiers = tuple(unquote(identifier) for part in identifiers for identifier in part.split(","))
            kind = None if type == "_" else unquote(type)
            entities.append(Entity(unquote(id), text_at(text, bounds), bounds, kind, entity_identifiers))
    return tuple(entities)


def _format_mention(entity: Entity) -> str:
    spans = ";".join(f"{start}-{end}" for start, end in entity.spans)
    type = "_" if entity.type is None else _quote(entity.type)
    identifiers = ",".join(_quote(identifier, also=":") for identifier in entity.identifiers)
    return ":".join([_quote(entity.id), type, spans, *([identifiers] if identifiers else [])])


def _span(written: str) -> tuple[int, int]:
    start, _, end = written.partition("-")
    return int(start), int(end)


def _quote(text: str, *, also: str = "") -> str:
    return "%5F" if text == "_" else quote(text, safe=_PLAIN + also, errors="replace") or "%"
