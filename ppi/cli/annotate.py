"""``ppi annotate``: the interactions that texts state, in any format."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import corpora
from corpora import Source, pluralize
from ppi.annotation import MAX_SORTED_INTERACTIONS
from ppi.cli.annotate_run import add_run_arguments, run_long
from ppi.cli.annotation_arguments import (
    add_annotator_arguments,
    add_probability_argument,
    add_selection_arguments,
    annotator_settings,
    selection_of,
)
from ppi.cli.inputs import (
    add_reading_arguments,
    check_columns,
    check_formats,
    echo_notes,
    find_inputs,
    no_input_error,
    peek_first,
)
from ppi.cli.output import Push, add_output_argument, check_output
from ppi.core import UsageError
from ppi.export import FORMATS

if TYPE_CHECKING:
    from corpora import Document, Problem
    from ppi.annotation import AnnotatedDocument
    from ppi.cli.program import VerbParsers

TABLE = "table"
PROBABILITY, DOCUMENT = ORDERS = ("probability", "document")
_BINARY = ("parquet", "xlsx")
_MAX_ORIGINS = 4096  # documents on their way, to say which file a bad one is from


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("annotate", parents=[common])
    verb.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="files or folders of texts in any format (plain text, PubMed, PubMed Central, tables ...), '-' for "
        "standard input, or corpus names; proteins that a document names are used, otherwise they are looked for",
    )
    add_reading_arguments(verb)
    verb.add_argument(
        "--to",
        choices=(TABLE, *FORMATS),
        help="format to write (default: by the output's ending; a table to read on standard output)",
    )
    add_output_argument(verb)
    add_probability_argument(verb)
    verb.add_argument(
        "--sort",
        choices=ORDERS,
        help="probability: the best first, which needs all of them; document: as they come, however many (default: "
        f"document; of a table, probability up to {MAX_SORTED_INTERACTIONS} interactions)",
    )
    add_selection_arguments(verb)
    verb.add_argument("--explain", action="store_true", help="give the evidence too, where the format has room for it")
    add_annotator_arguments(verb)
    verb.add_argument("--quiet", action="store_true", help="no progress and no summary")
    add_run_arguments(verb)
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Annotate and write; exit 1 if a document had to be left out."""
    settings = annotator_settings(args, min_probability=args.min_probability, selection=selection_of(args))
    if args.run_folder is not None:
        check_columns(args, "--run")
        return run_long(args, settings)
    if args.workers is not None or args.scheduler is not None or args.retry_failed:
        raise UsageError("expected --run DIR with --workers, --scheduler or --retry-failed, got none")
    format = _format(args)
    _check_order(args, format)
    job = AnnotateJob(args)
    check_output(args.output, *job.paths, args.model, args.lexicon, args.families)
    documents = job.read_documents()
    annotator = settings.build()
    with Push(partial(_write, args=args, format=format, calibration_notes=annotator.meaning)) as write:
        for document in annotator.annotate_documents(documents, explain=args.explain, problems=job.annotation_problems):
            job.count(document)
            write(document)
        job.report_problems()
    return job.report()


class AnnotateJob:
    """The documents of all inputs on their way through, with what went wrong."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.annotation_problems: list[Problem] = []
        self.paths = find_inputs(args.inputs, "annotate")
        self._format, self._quiet = args.source_format, args.quiet
        self._notes: list[str] = []
        self._reading_problems: list[Problem] = []
        read = partial(Source, problems=self._reading_problems, notes=self._notes, columns=args.columns)
        self._inputs = [(word, read(path)) for word, path in zip(args.inputs, self.paths, strict=True)]
        self._origins: deque[tuple[str, str]] = deque(maxlen=_MAX_ORIGINS)
        self._n_documents = self._n_interactions = self._n_problems = 0

    def read_documents(self) -> Iterator[Document]:
        """All documents; what is wrong with the inputs at first sight is known before this returns.

        Raises
        ------
        CorpusError
            If an input is nothing that is read, or there is no document at all.
        """
        check_formats((source for _, source in self._inputs), self._format)
        return peek_first(self._documents(), ", ".join(path for path, _ in self._inputs), self._notes)

    def _documents(self) -> Iterator[Document]:
        """Of one input after another; records that contradict themselves are reported and left out."""
        from ppi.core import track

        for path, source in self._inputs:
            documents = corpora.read(source, self._format)
            n_documents = 0
            for document in documents if self._quiet else echo_notes(track(documents, path), self._notes):
                n_documents += 1
                self._origins.append((document.id, path))
                self.report_problems()
                yield document
            if not n_documents and len(self._inputs) > 1:
                self._reading_problems.extend(no_input_error(path, self._notes).problems)
            self.report_problems()

    def count(self, annotated: AnnotatedDocument) -> None:
        """Count a result."""
        self._n_documents += 1
        self._n_interactions += len(annotated.interactions)

    def report(self) -> int:
        """The summary, and the exit code."""
        if not self._quiet:
            problem_note = f"; {self._n_problems} left out" if self._n_problems else ""
            interaction_count, document_count = (
                pluralize(self._n_interactions, "interaction"),
                pluralize(self._n_documents, "document"),
            )
            print(f"ppi: {interaction_count} in {document_count}{problem_note}", file=sys.stderr)
        return 1 if self._n_problems else 0

    def report_problems(self) -> None:
        """Print what has gone wrong since the last call."""
        located = [replace(failure, path=self._file_of(failure.id)) for failure in self.annotation_problems]
        for problem in [*self._reading_problems, *located]:
            print(f"ppi: left out: {problem}", file=sys.stderr)
            self._n_problems += 1
        self._reading_problems.clear()
        self.annotation_problems.clear()

    def _file_of(self, id: str | None) -> str | None:
        return next((path for document_id, path in reversed(self._origins) if document_id == id), None)


def _format(args: argparse.Namespace) -> str | None:
    """The format asked for; None lets the output's ending tell."""
    if args.to is None:
        return TABLE if args.output == "-" else None
    if args.to in _BINARY and args.output == "-" and sys.stdout.isatty():
        raise UsageError(f"expected --output FILE for {args.to}, got a terminal, which cannot show it")
    return str(args.to)


def _check_order(args: argparse.Namespace, format: str | None) -> None:
    """Refuse to sort what is no table: a document with its text is one thing."""
    if args.sort != PROBABILITY or format == TABLE:
        return
    from ppi.export import format_of

    export_format = format_of(args.output, format)
    if export_format.needs_texts or not export_format.streams:
        raise UsageError(
            f"expected --sort {PROBABILITY} with a format that has one row per interaction, got {export_format.name!r}"
        )


def _write(
    annotated: Iterable[AnnotatedDocument],
    *,
    args: argparse.Namespace,
    format: str | None,
    calibration_notes: tuple[str, ...],
) -> None:
    """Write the documents as they come, in the order and format asked for."""
    from ppi.annotation import sort_by_probability, sort_by_probability_if_few

    if args.sort == PROBABILITY:
        annotated = sort_by_probability(annotated)
    elif format == TABLE and args.sort is None:
        annotated = sort_by_probability_if_few(annotated)
    if format == TABLE:
        _write_table(annotated, args)
    else:
        from ppi.export import PageFacts, write

        facts = PageFacts(args.min_probability, calibration_notes)
        write(annotated, args.output, format, explain=args.explain, facts=facts)


def _write_table(annotated: Iterable[AnnotatedDocument], args: argparse.Namespace) -> None:
    from corpora import atomic_output
    from ppi.annotation import DEFAULT_WIDTH, table_lines

    if args.output == "-":
        width = max(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, DEFAULT_WIDTH)
        for line in table_lines(annotated, explain=args.explain, width=width):
            print(line, flush=True)
        return
    with atomic_output(args.output) as output:
        for line in table_lines(annotated, explain=args.explain):
            output.write(f"{line}\n".encode())
