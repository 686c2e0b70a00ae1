"""The formats by name, and the functions that everybody calls: find, read, load, write."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from corpora.containers import ENDINGS as TAR_ENDINGS
from corpora.containers import file_names, is_container, read_files, write_tar
from corpora.errors import CorpusError, CorpusNotFoundError, FormatError, Problem, UnknownFormatError, ValidationError
from corpora.formats import (
    bioc_json,
    bioc_xml,
    bionlp,
    brat,
    conll,
    conll_writer,
    jats,
    jsonl,
    medline,
    plain,
    pubmed,
    pubtator,
    tables,
    turku,
    turku_writer,
    workbook,
)
from corpora.formats.standoff_files import standoff_kind
from corpora.loss import ConversionLosses
from corpora.sniffing import GET_TEXTS, is_pubmed_id, sniff_format
from corpora.source import Source, atomic_folder, atomic_output, file_stem
from corpora.types import Document

#: Names the folder in which :func:`find` looks for corpora.
CORPORA_VARIABLE = "PPI_CORPORA"
#: Files that ship with this package: an annotated sample corpus, and abstracts without annotation.
BUNDLED = {"sample": "sample.xml", "abstracts": "abstracts.pubtator"}
#: Endings of corpora.
_ENDINGS = (".xml", ".json", ".jsonl", ".ndjson", ".pubtator", ".conllu", ".conllx", ".conll", ".tar", ".tgz", ".txt")
#: Entries of a folder among which a similar name is looked for.
_MAX_SCANNED_ENTRIES = 10_000
_SET_VARIABLE = f"; check the path (for corpora by name, set {CORPORA_VARIABLE} to the folder that holds them)"
#: The name for folders and archives of files, each in its own format.
FILES = "files"

Reader = Callable[[Source, ConversionLosses], Iterator[Document]]
Writer = Callable[[Iterable[Document], IO[bytes], ConversionLosses], None]
FolderWriter = Callable[[Iterable[Document], Path, ConversionLosses], None]


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
    corpora = _corpora(Path(folder)) if folder and path.name and path.name == str(path_or_name) else []
    matches = [candidate for candidate in corpora if file_stem(candidate).lower() == path.name.lower()]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise CorpusNotFoundError(f"expected one corpus named {path.name!r}, got {[match.name for match in matches]}")
    where = f"nor a corpus in {CORPORA_VARIABLE}={folder}" if folder else "nor a known corpus"
    suggestion = suggest_name(path_or_name, [file_stem(candidate) for candidate in corpora])
    advice = f"; did you mean {suggestion!r}?" if suggestion else "" if folder else _SET_VARIABLE
    if not suggestion and is_pubmed_id(str(path_or_name)):
        advice = f"; if it is the id of a paper, {GET_TEXTS}"
    raise CorpusNotFoundError(
        f"expected a file or the name of a corpus, got {str(path_or_name)!r}, which is no file {where}{advice}"
    )


def suggest_name(path: str | Path, corpora: list[str]) -> str | None:
    """A file, or corpus, of nearly that name: beside where it was looked for, or the same name with another ending."""
    target = Path(path)
    try:
        with os.scandir(target.parent) as entries:
            names = [
                entry.name for entry, _ in zip(entries, range(_MAX_SCANNED_ENTRIES)) if not entry.name.startswith(".")
            ]
    except (OSError, ValueError):
        names = []
    stems = {file_stem(name): name for name in sorted(names, reverse=True)}
    if target.name in stems:
        return str(target.with_name(stems[target.name]))
    close = difflib.get_close_matches(target.name, names, n=1, cutoff=0.75)
    if close:
        return str(target.with_name(close[0]))
    corpus_matches = difflib.get_close_matches(str(path), [*BUNDLED, *corpora], n=1, cutoff=0.75)
    return corpus_matches[0] if corpus_matches else None


def _corpora(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.name.removesuffix(".gz").lower().endswith(_ENDINGS))


@dataclass(frozen=True)
class Format:
    """A file format: its name, the file endings that suggest it, and what it can do."""

    name: str
    endings: tuple[str, ...]
    read: Reader
    write: Writer | None = None
    write_folder: FolderWriter | None = None

    @property
    def is_folder(self) -> bool:
        """Whether a document takes several files, so that its reader looks into folders and archives itself."""
        return self.write_folder is not None or self.name == FILES


def _read_files(source: Source, losses: ConversionLosses, format: str | None = None) -> Iterator[Document]:
    """Documents of a folder or archive, each file in the format given or its own."""

    def read_file(file: Source) -> Iterator[Document]:
        return (detect_format(file) if format is None else FORMATS[format]).read(file, losses)

    return read_files(source, read_file, _holds_text if format is None else lambda name, head: True)


FORMATS = {
    format.name: format
    for format in (
        Format("turku", (".xml",), turku.read, turku_writer.write),
        Format("bioc-xml", (".bioc.xml", ".xml"), bioc_xml.read, bioc_xml.write),
        Format("pubmed", (".xml",), pubmed.read),
        Format("jats", (".nxml", ".jats", ".xml"), jats.read),
        Format("medline", (".nbib", ".medline"), medline.read),
        Format("bioc-json", (".bioc.json", ".json"), bioc_json.read, bioc_json.write),
        Format("jsonl", (".jsonl", ".ndjson"), jsonl.read, jsonl.write),
        Format("json-records", (), tables.read_json),
        Format("csv", (".csv",), tables.read_csv),
        Format("tsv", (".tsv", ".tab"), tables.read_tsv),
        Format("xlsx", (".xlsx",), workbook.read),
        Format("pubtator", (".pubtator",), pubtator.read, pubtator.write),
        Format("brat", (".ann", *TAR_ENDINGS), brat.read, write_folder=brat.write_folder),
        Format("bionlp", (".a1", ".a2", *TAR_ENDINGS), bionlp.read, write_folder=bionlp.write_folder),
        Format("conllu", (".conllu",), conll.read_conllu, conll_writer.write_conllu),
        Format("conllx", (".conllx", ".conll"), conll.read_conllx, conll_writer.write_conllx),
        Format("text", (".txt", ".text"), plain.read),
        Format("text-lines", (), plain.read_lines),
        Format(FILES, (), _read_files),
    )
}


def read(
    path: str | Path | Source,
    format: str | None = None,
    *,
    parsers: Collection[str] | None = None,
    strict: bool = False,
    problems: list[Problem] | None = None,
    notes: list[str] | None = None,
    columns: Mapping[str, str] | None = None,
    unique: bool = True,
) -> Iterator[Document]:
    """Documents of a file, one after another.

    Parameters
    ----------
    path
        A file (gzip or not), a folder or tar archive of files, or ``-`` for standard input; or a
        :class:`~corpora.Source` of one, whose own problems, notes and columns then count instead of those given here,
        and whose format is not detected again.
    format
        A name of :data:`FORMATS`, of each file if the path is a folder or archive; by default detected by the file's
        first bytes and ending.  Whatever shows no other format is text.
    parsers
        Keep only the parses of these names; one that no sentence has is an error.
    strict
        Raise where something the types cannot hold would be dropped, instead of warning.
    problems
        A list that receives the problems of records that contradict themselves; these are then left out instead
        of stopping the reading.
    notes
        A list that receives what was decided on the way: which files of a folder were read, which columns of a table.
    columns
        Of a table: the names (or, where it has no headings, numbers) of the columns that are the ``id``, the
        ``title`` and the ``text``; by default known by common names.
    unique
        Refuse a second document of the same id; False saves the memory of all ids in endless streams.

    Raises
    ------
    CorpusError
        With file, line and id: if the file cannot be read, or (without ``problems``) contradicts itself.
    """
    source = path if isinstance(path, Source) else Source(path, problems=problems, notes=notes, columns=columns)
    file_format = get_format(format) if format is not None else detect_format(source)
    losses = ConversionLosses(f"documents read from {file_format.name}", strict=strict, path=source.name)
    documents = _read_documents(source, file_format, losses, is_detected=format is None)
    if unique:
        documents = _skip_duplicates(documents, source)
    yield from documents if parsers is None else _filter_parses(documents, parsers, source)
    losses.report()


def _read_documents(
    source: Source, format: Format, losses: ConversionLosses, *, is_detected: bool
) -> Iterator[Document]:
    """The documents; where the format is only guessed, a note says so, and any error before the first of them."""
    # the format detected of a folder or archive is one that looks into it itself
    if not is_detected and not format.is_folder and is_container(source):
        yield from _read_files(source, losses, format.name)
        return
    suggested = _formats_of_ending(source.path)
    guessed = is_detected and format not in suggested and format.name not in (FILES, "text")
    if guessed and suggested and format.name != "json-records":  # which notes its fields
        source.note(f"read as {format.name}, by its content")
    has_begun = False
    try:
        for document in format.read(source, losses):
            has_begun = True
            yield document
    except FormatError as error:
        if has_begun or not guessed:
            raise
        hint = f"(taken for {format.name}; --from text reads it as text)"
        raise FormatError(
            [replace(problem, message=f"{problem.message} {hint}") for problem in error.problems]
        ) from None


def write(documents: Iterable[Document], path: str | Path, format: str | None = None, *, strict: bool = False) -> None:
    """Write documents; the file appears only when all of them are written.

    Parameters
    ----------
    path
        The file (packed if it ends in .gz), or ``-`` for standard output; a new folder or a tar archive
        (.tar, .tar.gz) for brat and bionlp.
    format
        A name of :data:`FORMATS`; by default that of the ending.
    strict
        Raise a :class:`~corpora.errors.LossError`, writing nothing, where the format cannot hold something.
    """
    file_format = get_format(format) if format is not None else _format_of_ending(Path(path))
    losses = ConversionLosses(file_format.name, strict=strict, path=path)
    if file_format.write_folder is not None and _is_archive_name(path):
        with atomic_output(path) as output, tempfile.TemporaryDirectory() as unpacked:
            file_format.write_folder(documents, Path(unpacked), losses)
            losses.report()
            write_tar(Path(unpacked), output)
    elif file_format.write_folder is not None:
        with atomic_folder(path) as folder:
            file_format.write_folder(documents, folder, losses)
            losses.report()
    elif file_format.write is not None:
        with atomic_output(path) as output:
            file_format.write(documents, output, losses)
            losses.report()
    else:
        writable = [name for name, candidate in FORMATS.items() if candidate.write or candidate.write_folder]
        raise UnknownFormatError(f"expected a format that can be written, one of {writable}, got {file_format.name!r}")


def load(path_or_name: str | Path, format: str | None = None, **options: Any) -> list[Document]:
    """All documents of a file, or of a corpus known by name.

    A name is looked up in the folder that the environment variable ``PPI_CORPORA`` names; ``sample`` is the small
    annotated corpus that ships with this package, ``abstracts`` ten plain abstracts.  Options are those of
    :func:`read`.

    >>> len(load("sample"))
    20
    """
    return list(read(find(path_or_name), format, **options))


def get_format(name: str) -> Format:
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
    """The format that a file's first bytes say, or else its ending; text, if nothing does.

    Raises
    ------
    UnknownFormatError
        If it is something that is not read, such as a PDF: with what to do.
    """
    if source.detected_format is None:
        if is_container(source):
            source.detected_format = standoff_kind(file_names(source)) or FILES
        else:
            suggested = [format.name for format in _formats_of_ending(source.path)]
            source.detected_format = sniff_format(source.head(), suggested, source.name)
        source.drop_head()
    return FORMATS[source.detected_format]


def _holds_text(name: str, head: bytes) -> bool:
    """Whether a file of a folder holds texts: its ending or its content must say so, unless it has no ending."""
    suggested = [format.name for format in _formats_of_ending(Path(name))]
    if suggested or not Path(name).suffix:
        return True
    return sniff_format(head, suggested, name) != "text"


def _strip_gz(path: Path) -> str:
    return path.name.removesuffix(".gz").lower()


def _formats_of_ending(path: Path) -> list[Format]:
    name = _strip_gz(path)
    matches = [
        (len(ending), format) for format in FORMATS.values() for ending in format.endings if name.endswith(ending)
    ]
    longest = max((length for length, _ in matches), default=0)
    return [format for length, format in matches if length == longest]


def _is_archive_name(path: str | Path) -> bool:
    return _strip_gz(Path(path)).endswith(TAR_ENDINGS)


def _format_of_ending(path: Path) -> Format:
    writable = [candidate for candidate in _formats_of_ending(path) if candidate.write or candidate.write_folder]
    if len(writable) == 1:
        return writable[0]
    alternatives = f"which could be {[candidate.name for candidate in writable]}" if writable else "which tells none"
    raise UnknownFormatError(
        f"expected an ending that tells the format, got {path.name!r}, {alternatives}; name the format"
    )


def _skip_duplicates(documents: Iterable[Document], source: Source) -> Iterator[Document]:
    seen = set()
    for document in documents:
        if document.id in seen:
            error = ValidationError("expected unique document ids, got this one again", id=document.id)
            source.reject(error, source.record_line)
        else:
            seen.add(document.id)
            yield document


def _filter_parses(documents: Iterable[Document], parsers: Collection[str], source: Source) -> Iterator[Document]:
    """The documents with only the parses of these names."""
    parser_names: dict[str, None] = {}
    for document in documents:
        parser_names.update(dict.fromkeys(name for sentence in document.sentences for name in sentence.parsers))
        yield document.with_parses(parsers)
    if missing := [name for name in parsers if name not in parser_names]:
        raise CorpusError(
            f"expected a parse named {missing[0]!r}, got only {list(parser_names)}; name one of these", path=source.name
        )
