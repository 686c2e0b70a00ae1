"""The paragraphs of a text, one per line, as articles in a BioC XML file: one record per document for long runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from corpora import atomic_output

#: The line that follows an eLife abstract, in the older articles; the abstract is the article's first paragraph.
_AFTER_ABSTRACT = re.compile(r"DOI: \S*10\.7554/(eLife\.\d+)\.001$")
_DOI = re.compile(r"DOI: \S+$")
#: Paragraphs of a document where nothing tells where an article begins.
BLOCK = 40
#: No article has more paragraphs: what follows is taken for others.
_LONGEST = 200


class Article(NamedTuple):
    """A document: an article by its DOI, or a block of paragraphs of one or two articles."""

    id: str
    paragraphs: list[str]


def articles(lines: Iterable[str]) -> Iterator[Article]:
    """Articles where the text tells them, otherwise blocks of :data:`BLOCK` paragraphs.

    >>> text = ["An abstract.", "DOI: http://dx.doi.org/10.7554/eLife.00003.001", "More."]
    >>> list(articles(text))
    [Article(id='eLife.00003', paragraphs=['An abstract.', 'More.'])]
    """
    paragraphs: list[str] = []
    id, number = "", 0
    for line in map(str.strip, lines):
        if told := _AFTER_ABSTRACT.match(line):
            *before, abstract = paragraphs or [""]
            if before:
                yield Article(id or f"block-{number}", before)
                number += 1
            id, paragraphs = told[1], [abstract] if abstract else []
        elif line and not _DOI.match(line):
            paragraphs.append(line)
            if not id and len(paragraphs) > BLOCK:  # one more: it may be the abstract of an article that begins
                yield Article(f"block-{number}", paragraphs[:BLOCK])
                number, paragraphs = number + 1, paragraphs[BLOCK:]
        if id and len(paragraphs) > _LONGEST:  # articles without a DOI have begun
            yield Article(id, paragraphs[:_LONGEST])
            id, paragraphs = "", paragraphs[_LONGEST:]
    if paragraphs:
        yield Article(id or f"block-{number}", paragraphs)


def write_bioc(documents: Iterable[Article], path: Path) -> tuple[int, int]:
    """Write BioC XML; returns how many documents and how many words, parted by white space, it has."""
    written = words = 0
    with atomic_output(path) as output:
        output.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<collection><source/><date/><key/>\n')
        for article in documents:
            output.write(f"<document><id>{escape(article.id)}</id>".encode())
            offset = 0
            for text in article.paragraphs:
                output.write(f"<passage><offset>{offset}</offset><text>{escape(text)}</text></passage>".encode())
                offset += len(text) + 1
                words += len(text.split())
            output.write(b"</document>\n")
            written += 1
        output.write(b"</collection>\n")
    return written, words
