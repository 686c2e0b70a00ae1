"""Reuters-21578: the newswire stories of 1987 with their topics, read from the SGML archive as it is distributed.

D. D. Lewis. Reuters-21578 text categorization test collection, distribution 1.0, 1997. The files are not XML:
they name a DTD that nobody has, refer to control characters (``&#5;``), and are latin-1. Nothing in them needs an
SGML parser, though: elements that matter are not nested in themselves and every tag is closed.
"""

from __future__ import annotations

import html
import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from corpora import CorpusNotFoundError, FormatError

Split = Literal["train", "test"]

_STORY = re.compile(r"<REUTERS\b([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_OPENING = re.compile(r"<REUTERS\b")
_ATTRIBUTE = re.compile(r'([A-Z]+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_LISTED = re.compile(r"<D>(.*?)</D>", re.DOTALL)
_TEXT = re.compile(r"<TEXT\b([^>]*)>(.*?)</TEXT>", re.DOTALL)
_PART = {name: re.compile(rf"<{name}>(.*?)</{name}>", re.DOTALL) for name in ("TITLE", "BODY")}
_TAG = re.compile(r"</?[A-Z]+>")
#: Referred to by number or standing there themselves: nothing that a reader of the story would see.
_CONTROL = re.compile(r"&#(?:[0-9]|[12][0-9]|3[01]|12[7-9]|1[34][0-9]|15[0-9]);|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Story:
    """A story: its number in the collection (NEWID), its part of the ModApte split, topics and text."""

    id: int
    split: Split | None
    topics: tuple[str, ...]
    title: str
    body: str

    @property
    def text(self) -> str:
        """Title and body; a story without either is the empty string."""
        return f"{self.title}\n{self.body}".strip()


def read_stories(path: str | Path) -> list[Story]:
    """Every story of the archive (``.tar`` or ``.tar.gz``), in the order of the collection.

    Raises
    ------
    CorpusNotFoundError
        If the file cannot be opened.
    FormatError
        If it is no tar archive, is damaged, holds no ``reut2-*.sgm``, or one of these is not what it should be.
    """
    try:
        with tarfile.open(path) as archive:
            members = [member for member in archive.getmembers() if _is_story_file(member)]
            if not members:
                raise FormatError(
                    "expected members named reut2-000.sgm .. reut2-021.sgm, got none; is this Reuters-21578?",
                    path=str(path),
                )
            members.sort(key=lambda member: Path(member.name).name)
            stories: list[Story] = []
            for member in members:
                stream = archive.extractfile(member)
                if stream is not None:  # it is a file: _is_story_file looked
                    stories.extend(parse_sgml(stream.read().decode("latin-1"), path=f"{path}:{member.name}"))
            return stories
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise FormatError(
            f"expected a complete tar archive, got: {error}; copy or download the file again", path=str(path)
        ) from None
    except OSError as error:
        raise CorpusNotFoundError(
            f"expected a readable archive of Reuters-21578, got: {error.strerror or error}; check the path",
            path=str(path),
        ) from None


def parse_sgml(text: str, *, path: str = "<text>") -> Iterator[Story]:
    """The stories of one file.

    >>> [story] = parse_sgml('<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="1"><TOPICS><D>cocoa</D></TOPICS><TEXT>'
    ...                      '&#2;<TITLE>BAHIA &amp; CO</TITLE><BODY>Showers &lt;now>.&#3;</BODY></TEXT></REUTERS>')
    >>> story.split, story.topics, story.text
    ('train', ('cocoa',), 'BAHIA & CO\\nShowers <now>.')
    """
    found = 0
    for match in _STORY.finditer(text):
        found += 1
        attributes = dict(_ATTRIBUTE.findall(match[1]))
        if not attributes.get("NEWID", "").isdigit():
            line = text.count("\n", 0, match.start()) + 1
            raise FormatError(
                f"expected a story with a number as NEWID, got <REUTERS{match[1]}>; the file is damaged",
                line=line,
                path=path,
            )
        yield _story(attributes, match[2])
    opened = len(_OPENING.findall(text))
    if opened != found:
        raise FormatError(
            f"expected every <REUTERS> to be closed, got {opened} opened and {found} closed; the file is cut short",
            path=path,
        )


def mod_apte(stories: Iterable[Story], split: Split | None = None) -> list[Story]:
    """The stories of the ModApte split: its 9,603 training and 3,299 test stories, or one of the two parts."""
    return [story for story in stories if story.split is not None and split in (None, story.split)]


def most_numerous_topics(stories: Iterable[Story], n_topics: int) -> list[str]:
    """The topics with most stories, in alphabetical order; equally numerous ones by name."""
    counts = Counter(topic for story in stories for topic in story.topics)
    ranked = sorted(counts, key=lambda topic: (-counts[topic], topic))
    return sorted(ranked[:n_topics])


def topic_matrix(stories: Sequence[Story], topics: Sequence[str]) -> np.ndarray:
    """1.0 where the story (row) has the topic (column), 0.0 elsewhere."""
    return np.array([[float(topic in story.topics) for topic in topics] for story in stories]).reshape(
        len(stories), len(topics)
    )


def _is_story_file(member: tarfile.TarInfo) -> bool:
    return member.isfile() and re.fullmatch(r"reut2-\d+\.sgm", Path(member.name).name) is not None


def _story(attributes: dict[str, str], content: str) -> Story:
    topics = _TOPICS.search(content)
    title, body = _title_and_body(content)
    return Story(
        id=int(attributes["NEWID"]),
        split=_mod_apte_split(attributes),
        topics=tuple(_plain(topic) for topic in _LISTED.findall(topics[1])) if topics else (),
        title=title,
        body=body,
    )


def _mod_apte_split(attributes: dict[str, str]) -> Split | None:
    """The collection's README, VIII.B: TOPICS="YES" and LEWISSPLIT; everything else is not used."""
    if attributes.get("TOPICS") != "YES":
        return None
    return {"TRAIN": "train", "TEST": "test"}.get(attributes.get("LEWISSPLIT", ""))  # type: ignore[return-value]


def _title_and_body(content: str) -> tuple[str, str]:
    """A story of TYPE="UNPROC" has no TITLE or BODY: its text stands in TEXT itself; "BRIEF" has a title only."""
    text = _TEXT.search(content)
    if text is None:
        return "", ""
    if 'TYPE="UNPROC"' in text[1]:
        return "", _plain(_TAG.sub(" ", text[2]))
    parts = (_PART[name].search(text[2]) for name in ("TITLE", "BODY"))
    title, body = (_plain(part[1]) if part else "" for part in parts)
    return title, body


def _plain(text: str) -> str:
    return _SPACE.sub(" ", html.unescape(_CONTROL.sub(" ", text))).strip()
