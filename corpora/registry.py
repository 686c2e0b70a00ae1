"""The formats by name, and the three functions that everybody calls: read, write, load."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from corpora.errors import CorpusNotFoundError, Problem, UnknownFormatError, ValidationError
from corpora.formats import (
    bioc_json,
    bioc_xml,
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
from corpora.loss import Losses
from corpora.source import Source, atomic_folder, atomic_output
from corpora.types import Document

Reader = Callable[[Source, Losses], Iterator[Document]]
Writer = Callable[[Iterable[Document], IO[bytes], Losses], None]
FolderWriter = Callable[[Iterable[Document], Path, Losses], None]

#: Names the folder in which :func:`load` looks for corpora.
CORPORA_VARIABLE = "PPI_CORPORA"


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
        Format("brat", (".ann",), brat.read, write_folder=brat.write_folder),
        Format("conllu", (".conllu",), conll.read_conllu, conll_writer.write_conllu),
        Format("conllx", (".conllx", ".conll"), conll.read_conllx, conll_writer.write_conllx),
        Format("text", (".txt", ".text"), plain.read),
        Format("text-lines", (), plain.read_lines),
    )
}

# what the first bytes of an XML or JSON file say, where its ending does not
_SIGNATURES = (
    (re.compile(rb"<corpus[\s>/]"), "turku"),
    (re.compile(rb"<collection[\s>/]"), "bioc-xml"),
    (re.compile(rb"<PubmedArticleSet[\s>/]"), "pubmed"),
    (
        re.compile(
            rb'\A\s*\{\s*"id"\s*:\s*"[^"]*"\s*(,\s*"(sentences|relations|corpus|orig_id)"|,\s*"infons"\s*:\s*\[|\})'
        ),
        "jsonl",
    ),
    (re.compile(rb'"(passages|documents|PubTator3)"\s*:'), "bioc-json"),
    (re.compile(rb"\A\s*[^\s|]+\|[ta]\|"), "pubtator"),
)
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
        A file (gzip or not), a folder for brat, or ``-`` for standard input.
    format
        A name of :data:`FORMATS`; by default told by the file's ending and first bytes.
    parsers
        Keep only the parses of these names.
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
    losses = Losses(f"reading {chosen.name}", strict=strict)
    documents = chosen.read(source, losses)
    for document in _without_repeats(documents, source) if unique else documents:
        yield document if parsers is None else _keep_parses(document, parsers)
    losses.report()


def write(documents: Iterable[Document], path: str | Path, format: str | None = None, *, strict: bool = False) -> None:
    """Write documents; the file appears only when all of them are written.

    Parameters
    ----------
    path
        The file (packed if it ends in .gz), or ``-`` for standard output; a new folder for brat.
    format
        A name of :data:`FORMATS`; by default told by the ending.
    strict
        Raise a :class:`~corpora.errors.LossError`, writing nothing, where the format cannot hold something.
    """
    chosen = format_named(format) if format is not None else _format_of_ending(Path(path))
    losses = Losses(chosen.name, strict=strict)
    if chosen.write_folder is not None:
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
    corpus that ships with this package.  Options are those of :func:`read`.

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
    if str(path) == "-" or path.exists():
        return path
    if str(path_or_name) == "sample":
        return Path(__file__).parent / "data" / "sample.xml"
    folder = os.environ.get(CORPORA_VARIABLE)
    if folder and path.name == str(path_or_name):
        found = sorted(
            candidate
            for candidate in Path(folder).rglob("*")
            if candidate.name.split(".")[0].lower() == path.name.lower()
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
        return FORMATS["brat"]
    possible = _formats_of_ending(source.path)
    if len(possible) == 1:
        return possible[0]
    with source.open() as stream:
        head = stream.read(_SIGNATURE_BYTES)
    for signature, name in _SIGNATURES:
        if signature.search(head):
            return FORMATS[name]
    raise UnknownFormatError(
        f"expected a file whose ending or beginning tells its format, got {head[:40]!r}; name one of {list(FORMATS)}",
        path=source.name,
    )


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
            source.reject(ValidationError("expected unique document ids, got this one again", id=document.id))
        else:
            seen.add(document.id)
            yield document


def _keep_parses(document: Document, parsers: Collection[str]) -> Document:
    sentences = tuple(
        replace(sentence, parses=tuple(graph for graph in sentence.parses if graph.parser in parsers))
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)
