"""What a report's pages are made of, whatever they are written in: headings, paragraphs, tables, pictures, mistakes.

Texts may hold ``code`` between backticks; everything else in them is text, and each writer escapes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ppi.evaluation.mistakes import Mistake


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the page's."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; ``warning`` if nobody should miss it."""

    text: str
    warning: bool = False


@dataclass(frozen=True)
class Glossary:
    """What the words of tables mean."""

    title: str
    definitions: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Table:
    """A table; ``caption`` says what its rows are."""

    head: Sequence[Any]
    rows: Sequence[Sequence[Any]]
    caption: str = ""


@dataclass(frozen=True)
class Pictures:
    """Files of the report's folder, each with what it is and what it shows."""

    files: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Link:
    """A way to another page of the report, in the same language, by the name of its file without ending."""

    page: str
    text: str


@dataclass(frozen=True)
class MistakeList:
    """Pairs that were judged wrongly, with their sentences."""

    mistakes: Sequence[Mistake]


Block = Heading | Paragraph | Glossary | Table | Pictures | Link | MistakeList
