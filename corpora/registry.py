"""The formats by name, and the three functions that everybody calls: read, write, load."""

from __future__ import annotations

import codecs
import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from corpora.errors import CorpusError, CorpusNotFoundError, Problem, UnknownFormatError, ValidationError
from corpora.formats import (
    bioc_json,
    bioc_xml,
    bionlp,
    brat,
    conll,
    conll_writer,
    jsonl,
    plain,
    pubmed,
    pubtator,
    turku,
    turku_writer,
)
from corpora.formats.standoff_files import is_bionlp
from corpora.loss import Losses
from corpora.source import Source, atomic_folder, atomic_output, file_stem
from corpora.tar import ENDINGS as TAR_ENDINGS
from corpora.tar import is_tar, write_tar
from corpora.types import Document

Reader = Callable[[Source, Losses], Iterator[Document]]
Writer = Callable[[Iterable[Document], IO[bytes], Losses], None]
FolderWriter = Callable[[Iterable[Document], Path, Losses], None]

#: Names the folder in which :func:`load` looks for corpora.
CORPORA_VARIABLE = "PPI_CORPORA"
#: Files that ship with this package: an annotated sample corpus, and abstracts without annotation.
BUNDLED = {"sample": "sample.xml", "abstracts": "abstracts.pubtator"}


@dataclass(frozen=True)
class Format:
    """A file format: its name, the file endings that suggest it, and what it can do."""

    name: str
    endings: tuple[str, ...]
    read: Reader
    write: Writer | None = None
    write_folder: FolderWriter | None = None


FORMATS = {
    format.name: format
    for format in (
        Format("turku", (".xml",), turku.read, turku_writer.write),
        Format("bioc-xml", (".bioc.xml", ".xml"), bioc_xml.read, bioc_xml.write),
        Format("pubmed", (".xml",), pubmed.read),
        Format("bioc-json", (".bioc.json", ".json"), bioc_json.read, bioc_json.write),
        Format("jsonl", (".jsonl", ".ndjson"), jsonl.read, jsonl.write),
        Format("pubtator", (".pubtator",), pubtator.read, pubtator.write),
        Format("brat", (".ann", *TAR_ENDINGS), brat.read, write_folder=brat.write_folder),
        Format("bionlp", (".a1", ".a2", *TAR_ENDINGS), bionlp.read, write_folder=bionlp.write_folder),
        Format("conllu", (".conllu",), conll.read_conllu, conll_writer.write_conllu),
        Format("conllx", (".conllx", ".conll"), conll.read_conllx, conll_writer.write_conllx),
        Format("text", (".txt", ".text"), plain.read),
        Format("text-lines", (), plain.read_lines),
    )
}

# what a file's first element says, where its ending does not
_ROOTS = {b"corpus": "turku", b"collection": "bioc-xml", b"PubmedArticleSet": "pubmed"}
_FIRST_ELEMENT = re.compile(rb"<([A-Za-z][\w.-]*)[\s>/]")
_XML_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
# and what the first bytes of other files say; JSON strings escape their quotes, so that no text can look like a name
_SIGNATURES = (
    (re.compile(rb'\A\s*[\[{].*"(passages|documents|PubTator3)"\s*:', re.DOTALL), "bioc-json"),
    (re.compile(rb'\A\s*\{\s*"id"\s*:\s*"'), "jsonl"),
    (re.compile(rb"\A\s*[^\s|]+\|[ta]\|"), "pubtator"),
)
#: Formats whose endings do not tell them apart in practice: BioC, too, is distributed as a document a line.
_TOLD_BY_CONTENT = {"jsonl", "bioc-json"}
_SIGNATURE_BYTES = 65536


def read(
    path: str | Path,
    format: str | None = None,
    *,
    parsers: Collection[str] | None = None,
    strict: bool = False,
    problems: list[Problem] | None = None,
    unique: bool = True,
) -> Iterator[Document]:
    """Documents of a file, one after another.

    Parameters
    ----------
    path
        A file (gzip or not), a folder or tar archive for brat and bionlp, or ``-`` for standard input.
    format
        A name of :data:`FORMATS`; by default told by the file's ending and first bytes.
    parsers
        Keep only the parses of these names; one that no sentence has is an error.
    strict
        Raise where something the types cannot hold would be dropped, instead of warning.
    problems
        A list that receives the problems of records that contradict themselves; these are then left out instead
        of stopping the reading.
    unique
        Refuse a second document of the same id; False saves the memory of all ids in endless streams.

    Raises
    ------
    CorpusError
        With file, line and id: if the file cannot be read, or (without ``problems``) contradicts itself.
    """
    source = Source(path, problems=problems)
    chosen = format_named(format) if format is not None else detect_format(source)
    losses = Losses(f"documents read from {chosen.name}", strict=strict, path=source.name)
    documents = chosen.read(source, losses)
    if unique:
        documents = _without_repeats(documents, source)
    yield from documents if parsers is None else _with_parses(documents, parsers, source)
    losses.report()


def write(documents: Iterable[Document], path: str | Path, format: str | None = None, *, strict: bool = False) -> None:
    """Write documents; the file appears only when all of them are written.

    Parameters
    ----------
    path
        The file (packed if it ends in .gz), or ``-`` for standard output; a new folder or a tar archive
        (.tar, .tar.gz) for brat and bionlp.
    format
        A name of :data:`FORMATS`; by default told by the ending.
    strict
        Raise a :class:`~corpora.errors.LossError`, writing nothing, where the format cannot hold something.
    """
    chosen = format_named(format) if format is not None else _format_of_ending(Path(path))
    losses = Losses(chosen.name, strict=strict, path=path)
    if chosen.write_folder is not None and _is_archive_name(path):
        with atomic_output(path) as output, tempfile.TemporaryDirectory() as unpacked:
            chosen.write_folder(documents, Path(unpacked), losses)
            losses.report()
            write_tar(Path(unpacked), output)
    elif chosen.write_folder is not None:
        with atomic_folder(path) as folder:
            chosen.write_folder(documents, folder, losses)
            losses.report()
    elif chosen.write is not None:
        with atomic_output(path) as output:
            chosen.write(documents, output, losses)
            losses.report()
    else:
        able = [name for name, each in FORMATS.items() if each.write or each.write_folder]
        raise UnknownFormatError(f"expected a format that can be written, one of {able}, got {chosen.name!r}")


def load(path_or_name: str | Path, format: str | None = None, **options) -> list[Document]:
    """All documents of a file, or of a corpus known by name.

    A name is looked up in the folder that the environment variable ``PPI_CORPORA`` names; ``sample`` is the small
    annotated corpus that ships with this package, ``abstracts`` ten plain abstracts.  Options are those of
    :func:`read`.

    >>> len(load("sample"))
    20
    """
    return list(read(find(path_or_name), format, **options))


def find(path_or_name: str | Path) -> Path:
    """The file behind a path or a corpus name.

    Raises
    ------
    CorpusNotFoundError
        If there is neither such a file nor such a corpus.
    """
    path = Path(path_or_name)
    # os.path.exists, unlike Path.exists, takes names that the system refuses for missing; "" would be this folder
    if str(path) == "-" or (str(path_or_name) and os.path.exists(path)):
        return path
    if str(path_or_name) in BUNDLED:
        return Path(__file__).parent / "data" / BUNDLED[str(path_or_name)]
    folder = os.environ.get(CORPORA_VARIABLE)
    if folder and path.name and path.name == str(path_or_name):
        found = sorted(
            candidate
            for candidate in Path(folder).rglob("*")
            if file_stem(candidate).lower() == path.name.lower()
            and any(_unpacked_name(candidate).endswith(ending) for ending in _ALL_ENDINGS)
        )
        if len(found) == 1:
            return found[0]
        if found:
            raise CorpusNotFoundError(f"expected one corpus named {path.name!r}, got {[each.name for each in found]}")
    where = (
        f"nor a corpus in {CORPORA_VARIABLE}={folder}"
        if folder
        else f"nor a known corpus; set {CORPORA_VARIABLE} to the folder that holds the corpora"
    )
    raise CorpusNotFoundError(
        f"expected a file or the name of a corpus, got {str(path_or_name)!r}, which is no file {where}"
    )


def format_named(name: str) -> Format:
    """The format of that name.

    Raises
    ------
    UnknownFormatError
        If there is none.
    """
    if name not in FORMATS:
        raise UnknownFormatError(f"expected a format, one of {list(FORMATS)}, got {name!r}")
    return FORMATS[name]


def detect_format(source: Source) -> Format:
    """The format that the file's ending says, or where several share it, its first bytes."""
    if source.path.is_dir():
        return _standoff_format(source)
    possible = _formats_of_ending(source.path)
    if len(possible) == 1 and possible[0].name not in _TOLD_BY_CONTENT:
        return possible[0]
    with source.open() as stream:
        head = stream.read(_SIGNATURE_BYTES)
    if is_tar(head):
        return _standoff_format(source)
    told = _format_of_beginning(_as_utf8(head))
    if told is not None or len(possible) == 1:
        return told or possible[0]
    raise UnknownFormatError(
        f"expected a file whose ending or beginning tells its format, got {head[:40]!r}; name one of {list(FORMATS)}",
        path=source.name,
    )


def _standoff_format(source: Source) -> Format:
    return FORMATS["bionlp" if is_bionlp(source) else "brat"]


def _format_of_beginning(head: bytes) -> Format | None:
    if head.lstrip().startswith(b"<"):
        found = _FIRST_ELEMENT.search(_XML_COMMENT.sub(b"", head))
        name = _ROOTS.get(found[1]) if found else None
    else:
        name = next((name for signature, name in _SIGNATURES if signature.search(head)), None)
    return None if name is None else FORMATS[name]


def _as_utf8(head: bytes) -> bytes:
    """The bytes without a byte order mark; UTF-16, which XML files may have, as UTF-8."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", errors="ignore").encode(errors="ignore")
    return head.removeprefix(codecs.BOM_UTF8)


_ALL_ENDINGS = tuple(ending for format in FORMATS.values() for ending in format.endings)


def _unpacked_name(path: Path) -> str:
    return path.name.removesuffix(".gz").lower()


def _formats_of_ending(path: Path) -> list[Format]:
    name = _unpacked_name(path)
    matches = [
        (len(ending), format) for format in FORMATS.values() for ending in format.endings if name.endswith(ending)
    ]
    longest = max((length for length, _ in matches), default=0)
    return [format for length, format in matches if length == longest]


def _is_archive_name(path: str | Path) -> bool:
    return _unpacked_name(Path(path)).endswith(TAR_ENDINGS)


def _format_of_ending(path: Path) -> Format:
    able = [each for each in _formats_of_ending(path) if each.write or each.write_folder]
    if len(able) == 1:
        return able[0]
    tried = f"which could be {[each.name for each in able]}" if able else "which tells none"
    raise UnknownFormatError(f"expected an ending that tells the format, got {path.name!r}, {tried}; name the format")


def _without_repeats(documents: Iterable[Document], source: Source) -> Iterator[Document]:
    seen = set()
    for document in documents:
        if document.id in seen:
            error = ValidationError("expected unique document ids, got this one again", id=document.id)
            source.reject(error, source.record_line)
        else:
            seen.add(document.id)
            yield document


def _with_parses(documents: Iterable[Document], parsers: Collection[str], source: Source) -> Iterator[Document]:
    """The documents with only the parses of these names."""
    found: dict[str, None] = {}
    for document in documents:
        found.update(dict.fromkeys(name for sentence in document.sentences for name in sentence.parsers))
        yield document.with_parses(parsers)
    if missing := [name for name in parsers if name not in found]:
        raise CorpusError(
            f"expected a parse named {missing[0]!r}, got only {list(found)}; name one of these", path=source.name
        )
