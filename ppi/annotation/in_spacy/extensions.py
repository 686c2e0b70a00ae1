"""``doc._.interactions`` and ``span._.interactions``.

A Doc holds its interactions as the text of a JSON list, which travels with it between processes and into files (spaCy
turns lists into tuples on some of these ways); the objects are made of it whenever they are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from spacy.tokens import Doc, Span

from ppi.annotation.json_values import from_json, to_json
from ppi.annotation.types import Interaction
from ppi.errors import UsageError

#: The name of the extension.
ATTRIBUTE = "interactions"
#: The key of ``Doc.user_data`` under which the text is.
USER_DATA_KEY = "ppi_interactions"


def store_interactions(doc: Doc, interactions: Iterable[Interaction]) -> None:
    """Give a Doc its interactions, whose offsets are those of the Doc's text."""
    doc.user_data[USER_DATA_KEY] = json.dumps(
        [to_json(interaction, explain=True) for interaction in interactions], allow_nan=False
    )


def interactions_of(doc: Doc) -> list[Interaction]:
    """The interactions of a Doc, in text order; none if nobody looked for them."""
    return [from_json(value)[0] for value in json.loads(doc.user_data.get(USER_DATA_KEY, "[]"))]


def interactions_within(span: Span) -> list[Interaction]:
    """The interactions of a sentence, or of any other stretch of a Doc that has both mentions."""
    first, last = span.start_char, span.end_char
    return [
        interaction
        for interaction in interactions_of(span.doc)
        if all(
            first <= interaction.offset + entity.start and interaction.offset + entity.end <= last
            for entity in interaction.proteins
        )
    ]


def register_extensions() -> None:
    """Announce the extensions to spaCy; again does no harm.

    Raises
    ------
    UsageError
        If somebody else has announced some of this name.
    """
    getters: tuple[tuple[Any, Any], ...] = ((Doc, interactions_of), (Span, interactions_within))
    for cls, getter in getters:
        if not cls.has_extension(ATTRIBUTE):
            cls.set_extension(ATTRIBUTE, getter=getter)
        elif cls.get_extension(ATTRIBUTE)[2] is not getter:
            raise UsageError(
                f"expected the extension {cls.__name__}._.{ATTRIBUTE} to be free, got one of somebody else's; "
                f"remove it with {cls.__name__}.remove_extension({ATTRIBUTE!r})"
            )
