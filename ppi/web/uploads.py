"""Uploaded files as documents, without touching the file system."""

from __future__ import annotations

import contextlib
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO

from corpora.errors import FormatError, Problem
from corpora.loss import ConversionLosses
from corpora.registry import FORMATS, detect_format
from corpora.source import GZIP_MAGIC, Source
from corpora.types import Document
from ppi.web.problems import HTTPProblem, too_large

#: Formats that one file holds completely; brat, which looks for a second file beside the first, is not among them.
UPLOAD_FORMATS = {
    "text": "plain text, one document per file",
    "text-lines": "plain text, one document per line",
    "pubtator": "PubTator",
    "bioc-xml": "BioC XML",
    "bioc-json": "BioC JSON",
    "pubmed": "PubMed XML",
    "medline": "MEDLINE, as PubMed saves it (.nbib, .txt)",
    "jats": "articles of PubMed Central (JATS XML)",
    "csv": "a table (CSV) with columns such as id, title, abstract",
    "tsv": "the same, separated by tabs",
    "json-records": "JSON with one object per text, with fields such as id, title, abstract",
    "jsonl": "JSON lines, one document per line",
    "turku": "interaction corpora (Turku XML)",
}
_MAX_LISTED_PROBLEMS = 20


class _UploadName(PurePosixPath):
    """A file's name that is never looked up: what came over the network is no path."""

    def is_dir(self) -> bool:
        return False


class UploadSource(Source):
    """Bytes that readers take for a file; ``name`` serves only to tell the format and to name documents."""

    def __init__(self, content: bytes, name: str, *, problems: list[Problem] | None = None) -> None:
        super().__init__(name, problems=problems)
        self.path = _UploadName(name)  # type: ignore[assignment]
        self.name = name
        self._content = content

    @contextlib.contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, unpacked already."""
        yield io.BytesIO(self._content)


def read_upload(
    content: bytes, name: str, format: str | None = None, *, max_bytes: int
) -> tuple[list[Document], list[str]]:
    """The documents of an uploaded file, without their parses, and remarks on what was left out.

    Raises
    ------
    CorpusError
        If the file is not what its format says.
    Refusal
        If it has no document, or unpacks to more than ``max_bytes``.
    """
    if format is not None and format not in UPLOAD_FORMATS:
        raise HTTPProblem(422, "unknown-format", f"expected one of {list(UPLOAD_FORMATS)}, got {format!r}")
    problems: list[Problem] = []
    source = UploadSource(decompress(content, max_bytes), safe_name(name), problems=problems)
    format_name = format or _detect_upload_format(source)
    losses = ConversionLosses(format_name)
    documents: dict[str, Document] = {}
    for document in FORMATS[format_name].read(source, losses):
        if document.id in documents:
            problems.append(Problem("expected unique document ids, got this one again; left out", document.id))
        else:
            documents[document.id] = document.with_parses(())
    messages = [str(problem) for problem in problems[:_MAX_LISTED_PROBLEMS]]
    if len(problems) > _MAX_LISTED_PROBLEMS:
        messages.append(f"and {len(problems) - _MAX_LISTED_PROBLEMS} more such problems")
    messages.extend(f"left out: {count} {what}" for what, count in sorted(losses.counts.items()))
    if not documents:
        reason = messages[0] if messages else "got none"
        raise HTTPProblem(422, "no-documents", f"expected documents in {source.name!r} as {format_name}: {reason}")
    return list(documents.values()), messages


def decompress(content: bytes, max_bytes: int) -> bytes:
    """The bytes, or what gzip data unpack to, never more than the limit: a few bytes can unpack to gigabytes.

    Gzip data may have several members, one after the other (``cat a.gz b.gz``), and zeros at their end.
    """
    if not content.startswith(GZIP_MAGIC):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            plain = packed.read(max_bytes + 1)
    except EOFError:
        raise FormatError("expected complete gzip data, got the beginning of it; upload the file again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FormatError(f"expected gzip data, got: {error}; upload the file unpacked") from None
    if len(plain) > max_bytes:
        raise too_large("bytes after unpacking", max_bytes)
    return plain


def safe_name(name: str) -> str:
    """The last part of a client's file name, shortened, and without what terminals or readers could stumble over.

    >>> safe_name("../../etc/passwd"), safe_name(""), safe_name("C:\\\\papers\\\\a\\x00b.txt")
    ('passwd', 'upload', 'a_b.txt')
    """
    last = re.split(r"[/\\]", name)[-1]
    printable = "".join(character if character.isprintable() else "_" for character in last)[-100:]
    return printable if printable.strip(". -") else "upload"


def _detect_upload_format(source: UploadSource) -> str:
    """The format told by content and ending; what tells none is read as plain text."""
    format = detect_format(source).name
    if format not in UPLOAD_FORMATS:
        raise HTTPProblem(422, "unknown-format", f"expected a file in one of {list(UPLOAD_FORMATS)}, got {format!r}")
    return format
