"""What a verb is given to read: found, told apart and begun before anything slow is loaded.

A wrong path, a wrong guess of the format and a file without texts are then known in a moment.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import corpora
from corpora import STANDARD_INPUT, CorpusError, CorpusNotFoundError, Source, detect_format, get_format
from ppi.core import UsageError

if TYPE_CHECKING:
    from corpora import Document

Item = TypeVar("Item")
#: What a verb reads that takes one input.
INPUT_HELP = "a file or folder of texts, '-' for standard input, or a corpus name"
#: What ``--split`` asks of the parser.
SPLIT = {"auto": None, "always": True, "never": False}
#: Roles that columns of a table can have.
COLUMN_ROLES = ("id", "title", "text")


def add_reading_arguments(verb: argparse.ArgumentParser) -> None:
    """Add ``--from`` and ``--columns``."""
    verb.add_argument(
        "--from",
        dest="source_format",
        metavar="FORMAT",
        help=f"format of the input (default: told by its content and ending; else text): {', '.join(corpora.FORMATS)}",
    )
    verb.add_argument(
        "--columns",
        type=_parse_columns,
        metavar="ROLE=NAME,...",
        help="of tables: which column is the id, title, text, as in id=PMID,text=Abstract; numbers, if there is no "
        "header (default: told by well-known names)",
    )


def add_split_argument(verb: argparse.ArgumentParser) -> None:
    """Add ``--split``."""
    verb.add_argument(
        "--split",
        choices=SPLIT,
        default="auto",
        help="split passages into sentences (auto: unless they come with a parse)",
    )


def find_inputs(words: Sequence[str], command: str) -> list[Path]:
    """The files behind what was typed.

    Raises
    ------
    CorpusNotFoundError
        If one is not there: with what was probably meant.
    """
    try:
        return [corpora.find(word) for word in words]
    except CorpusNotFoundError:
        if text := _find_typed_text(words):
            quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`")
            raise CorpusNotFoundError(
                f'expected a file, got a text; for a text: echo "{quoted}" | ppi {command} -'
            ) from None
        if pattern := next((word for word in words if set("*?") & set(word)), None):
            raise CorpusNotFoundError(f"expected files, got the pattern {pattern!r}, which no file matches") from None
        raise


def check_formats(sources: Iterable[Source], format: str | None) -> None:
    """Refuse what cannot be read by its first bytes; the format of standard input is detected when it is read."""
    if format is not None:
        get_format(format)
        return
    for source in sources:
        if not source.is_standard_input:
            detect_format(source)


def peek_first(
    items: Iterable[Item], name: str, notes: Sequence[str] = (), *, expected: str = "a document"
) -> Iterator[Item]:
    """The same, the first of them being read now.

    Raises
    ------
    CorpusError
        If there is none: what reads nothing must not end as if all were well.
    """
    iterator = iter(items)
    for first in iterator:
        return chain([first], iterator)
    raise no_input_error(name, notes, expected)


def no_input_error(name: str, notes: Sequence[str] = (), expected: str = "a document") -> CorpusError:
    """The error for an input that holds nothing; ``notes`` are what its reader said."""
    details = f" ({'; '.join(note.removeprefix(f'{name}: ') for note in notes)})" if notes else ""
    if name != "-" and Path(name).is_dir():
        message = f"expected files with texts in the folder, got none{details}; --from text reads every file as text"
    else:
        message = f"expected {expected}, got none{details}; the input is empty, or holds nothing of the kind"
    return CorpusError(message, path=STANDARD_INPUT if name == "-" else name)


def read_documents(args: argparse.Namespace, word: str, command: str, **options: Any) -> Iterator[Document]:
    """The documents of one input, begun, with what was decided about it said on standard error."""
    [path] = find_inputs([word], command)
    notes: list[str] = []
    documents = corpora.read(path, args.source_format, columns=args.columns, notes=notes, **options)
    return peek_first(echo_notes(documents, notes), word, notes)


def echo_notes(items: Iterable[Item], notes: list[str]) -> Iterator[Item]:
    """The same; notes are printed as they come, unless nothing else does."""
    has_items = False
    for item in items:
        has_items = True
        _print_notes(notes)
        yield item
    if has_items:
        _print_notes(notes)


def _print_notes(notes: list[str]) -> None:
    for note in notes:
        print(f"ppi: {note}", file=sys.stderr)
    notes.clear()


def _find_typed_text(words: Sequence[str]) -> str | None:
    """What was typed, if it is a text and no list of files: a word with spaces, or words of which none is a path."""
    text = " ".join(words)
    if any("/" in word or "\\" in word for word in words) or "\n" in text:
        return None
    is_one = len(words) == 1 and len(words[0].split()) > 2
    are_several = len(words) > 2 and not any(corpus_exists(word) or Path(word).suffix for word in words[:-1])
    return text if is_one or are_several else None


def corpus_exists(word: str) -> bool:
    """Whether there is a file or corpus of that name."""
    try:
        corpora.find(word)
    except CorpusNotFoundError:
        return False
    return True


def _parse_columns(text: str) -> dict[str, str]:
    """``id=PMID,text=Abstract`` as a mapping; a comma in a name needs no care, if no role comes after it."""
    columns: dict[str, str] = {}
    for part in text.split(","):
        role, equals, name = part.partition("=")
        if equals and role.strip() in COLUMN_ROLES:
            columns[role.strip()] = name.strip()
        elif columns:
            last = next(reversed(columns))
            columns[last] += f",{part}"
        else:
            raise argparse.ArgumentTypeError(
                f"expected ROLE=NAME,... with roles {', '.join(COLUMN_ROLES)}, got {text!r}"
            )
    if not {"title", "text"} & columns.keys() or not all(columns.values()):
        raise argparse.ArgumentTypeError(f"expected a column for the text (text=NAME) or title, got {text!r}")
    if len({name.isdecimal() for name in columns.values()}) > 1:
        raise argparse.ArgumentTypeError(f"expected names or numbers of columns, got both: {text!r}")
    return columns


def check_columns(args: argparse.Namespace, use: str) -> None:
    """Refuse ``--columns`` where they cannot be used."""
    if args.columns is not None:
        raise UsageError(
            f"expected no --columns with {use}, got them; make documents of the table first: "
            "ppi corpus convert TABLE documents.jsonl --columns ..."
        )
