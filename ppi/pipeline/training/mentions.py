"""Protein-name corpora as text with character spans: BioCreative II gene mention (IOB) and JNLPBA (standoff)."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ppi.pipeline.training.detokenize import spaces_between

Span = tuple[int, int]


@dataclass(frozen=True)
class AnnotatedText:
    """A text and the spans of the protein names in it, in text order and not overlapping."""

    text: str
    spans: tuple[Span, ...]
    document: str


def read_iob(path: Path) -> Iterator[AnnotatedText]:
    """The sentences of a gzipped two-column IOB file, with guessed spaces; every mention counts."""
    rows: list[tuple[str, str]] = []
    number = 0
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                word, _, tag = line.rstrip("\n").partition("\t")
                rows.append((word, tag))
            elif rows:
                yield _from_iob(rows, f"{path.name}:{number}")
                rows, number = [], number + 1
    if rows:
        yield _from_iob(rows, f"{path.name}:{number}")


def _from_iob(rows: list[tuple[str, str]], document: str) -> AnnotatedText:
    words = [word for word, _ in rows]
    pieces: list[str] = []
    spans: list[list[int]] = []
    position = 0
    for (word, tag), space in zip(rows, spaces_between(words)):
        end = position + len(word)
        if tag.startswith("B"):
            spans.append([position, end])
        elif tag.startswith("I") and spans:
            spans[-1][1] = end
        pieces.append(word + " " * space)
        position = end + space
    return AnnotatedText("".join(pieces), tuple((start, end) for start, end in spans), document)


def read_standoff(path: Path, *, types: frozenset[str] = frozenset(["protein"])) -> Iterator[AnnotatedText]:
    """The abstracts of a tar of brat ``.txt``/``.ann`` pairs, in order of name.

    Of nested mentions the outermost stays, as in the shared task's own IOB.
    """
    with tarfile.open(path) as archive:
        contents = {
            member.name: archive.extractfile(member).read().decode("utf-8")  # type: ignore[union-attr]
            for member in archive
            if member.isfile()
        }
    for name in sorted(contents):
        if name.endswith(".txt"):
            stem = name.removesuffix(".txt")
            spans = _outermost(_standoff_spans(contents.get(f"{stem}.ann", ""), types))
            yield AnnotatedText(contents[name], spans, Path(stem).name)


def _standoff_spans(annotation: str, types: frozenset[str]) -> Iterator[Span]:
    for line in annotation.splitlines():
        if not line.startswith("T"):
            continue
        kind, *offsets = line.split("\t")[1].replace(";", " ").split()
        if kind in types:
            yield int(offsets[0]), int(offsets[-1])


def _outermost(spans: Iterator[Span]) -> tuple[Span, ...]:
    kept: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)
