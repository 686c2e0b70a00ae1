"""What ``link-parser`` prints for a sentence (options ``-links -postscript -walls``), read strictly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_HEADER = re.compile(
    r"^\t(?:Linkage \d+|Unique linkage), cost vector = "
    r"\(UNUSED= *(\d+) DIS= *(-?\d+\.\d+) LEN= *(\d+)\)$",
    re.MULTILINE,
)
_WORDS_AND_LINKS = re.compile(r"^\[\((.*)\)\]\n\[((?:\[[^\n\]]*\]\n?)*)\]\n\[0\]$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[(\d+) (\d+) \d+ \(([^()\s]+)\)\]")
#: Printed when the time for a sentence is over.
TIMEOUT_MESSAGE = "Timer is expired!"
LEFT_WALL, RIGHT_WALL = "LEFT-WALL", "RIGHT-WALL"


class UnreadableLinkage(ValueError):
    """The program printed something else than a linkage."""


@dataclass(frozen=True)
class Link:
    """A link between two words (indices, ``left < right``); ``head`` is one of them if the grammar says which."""

    left: int
    right: int
    type: str
    head: int | None = None


@dataclass(frozen=True)
class Linkage:
    """Words as printed (walls included) and their links; the cost is in three parts, smaller is better."""

    words: tuple[str, ...]
    links: tuple[Link, ...]
    unused: int
    disjunct_cost: float
    length: int


def split_linkages(answer: str) -> list[str]:
    """The text of each linkage of an answer, in the program's order."""
    starts = [header.start() for header in _HEADER.finditer(answer)]
    return [answer[start:end] for start, end in pairwise([*starts, len(answer)])]


def read_linkage(text: str) -> Linkage:
    """One linkage.

    Raises
    ------
    UnreadableLinkage
        If the text is cut short, or its parts contradict each other.
    """
    header = _HEADER.match(text)
    body = _WORDS_AND_LINKS.search(text)
    if header is None or body is None:
        raise UnreadableLinkage(f"expected a header, words and links, got {text[:80]!r}")
    # words are wrapped between ")" and "("; a word never holds ")(": the sentence was sent with a space there
    words = tuple(re.sub(r"\)\n\(", ")(", body[1]).split(")("))
    raw_links = [(int(left), int(right), type) for left, right, type in _LINK.findall(body[2])]
    if len(raw_links) != body[2].count("[") or any(not left < right < len(words) for left, right, _ in raw_links):
        raise UnreadableLinkage(f"expected links between {len(words)} words, got {body[2]!r}")
    if len(words) < 2 or (words[0], words[-1]) != (LEFT_WALL, RIGHT_WALL):
        raise UnreadableLinkage(f"expected words between two walls, got {body[1]!r}")
    table = [line for line in text[header.end() : body.start()].split("\n") if line]
    links = tuple(
        Link(left, right, type, head)
        for (left, right, type), head in zip(raw_links, _find_heads(table, raw_links), strict=True)
    )
    return Linkage(words, links, int(header[1]), float(header[2]), int(header[3]))


def _find_heads(table: Sequence[str], links: Sequence[tuple[int, int, str]]) -> list[int | None]:
    """Which word of each link is its head, from the arrows of the table: ``>---Wd-----``, ``<---Xdp----``."""
    if len(table) != len(links):
        raise UnreadableLinkage(f"expected a line for each of {len(links)} links, got {len(table)}")
    heads: list[int | None] = []
    for line, (left, right, type) in zip(table, links, strict=True):
        arrow = re.search(rf" ([-<>])-+{re.escape(type)}-*([-<>]) ", line)
        if arrow is None:
            raise UnreadableLinkage(f"expected a link of type {type!r}, got {line!r}")
        heads.append(left if ">" in arrow.groups() else right if "<" in arrow.groups() else None)
    return heads
