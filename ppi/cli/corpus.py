"""``ppi corpus``: look at, check, convert and split corpora."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

import corpora
from corpora import (
    Audit,
    CorpusStats,
    Problem,
    Source,
    audit,
    corpus_stats,
    find_problems,
    folds_to_tsv,
    make_folds,
    read_folds,
)
from ppi.cli.inputs import add_reading_arguments, find_inputs, read_documents
from ppi.cli.output import check_output, print_json

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers

FILE_HELP = "a file or folder, '-' for standard input, 'sample', or a corpus name looked up in PPI_CORPORA"


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb and its actions to the command line."""
    verb = verbs.add_parser("corpus")
    actions = verb.add_subparsers(dest="action", metavar="ACTION", required=True)

    stats = actions.add_parser("stats", parents=[common], help="count what each file holds")
    stats.add_argument("files", nargs="+", metavar="FILE", help=FILE_HELP)
    add_reading_arguments(stats)
    stats.add_argument("--json", action="store_true", help="print a JSON list, one object per file")
    stats.set_defaults(run=run_stats)

    validate = actions.add_parser("validate", parents=[common], help="list every problem; exit 1 if there is any")
    validate.add_argument("files", nargs="+", metavar="FILE", help=FILE_HELP)
    add_reading_arguments(validate)
    validate.set_defaults(run=run_validate)

    convert = actions.add_parser("convert", parents=[common], help="turn one format into another")
    convert.add_argument("input", metavar="IN", help=FILE_HELP)
    convert.add_argument("output", metavar="OUT", help="file to write (packed if it ends in .gz), or '-'")
    add_reading_arguments(convert)
    convert.add_argument("--to", dest="target_format", metavar="FORMAT", help="format to write")
    convert.add_argument("--parser", action="append", metavar="NAME", help="keep only this parse (repeatable)")
    convert.add_argument("--strict", action="store_true", help="fail instead of dropping what the format cannot hold")
    convert.set_defaults(run=run_convert)

    folds = actions.add_parser("folds", parents=[common], help="make document-level folds, or audit given ones")
    folds.add_argument("file", metavar="FILE", help=FILE_HELP)
    add_reading_arguments(folds)
    folds.add_argument("--n", type=int, default=10, help="number of folds (default: 10)")
    folds.add_argument("--seed", type=int, default=0, help="seed of the shuffle (default: 0)")
    folds.add_argument("--audit", metavar="FOLDS", help="report how much the folds of this TSV file leak")
    folds.add_argument("--json", action="store_true", help="print the audit as JSON")
    folds.set_defaults(run=run_folds)


def run_stats(args: argparse.Namespace) -> int:
    """Print a table, or JSON, of counts."""
    rows = []
    for file in args.files:
        documents = read_documents(args, file, "corpus stats")
        rows.append(corpus_stats(Source(corpora.find(file)).stem, documents))
    if args.json:
        print_json([row.to_dict() for row in rows])
    else:
        print(_table(rows))
    return 0


def run_validate(args: argparse.Namespace) -> int:
    """Print every problem on a line of its own."""
    count = 0
    for file in args.files:
        for problem in _problems(file, args):
            count += 1
            print(problem)
    print(f"{len(args.files)} files checked, {count} problems", file=sys.stderr)
    return 1 if count else 0


def _problems(file: str, args: argparse.Namespace) -> Iterator[Problem]:
    try:
        [path] = find_inputs([file], "corpus validate")
    except corpora.CorpusError as error:  # a missing file is a problem too, and no reason to skip the others
        yield from error.problems
    else:
        yield from find_problems(path, args.source_format, columns=args.columns)


def run_convert(args: argparse.Namespace) -> int:
    """Read one format, write another."""
    check_output(args.output, *find_inputs([args.input], "corpus convert"))
    documents = read_documents(args, args.input, "corpus convert", parsers=args.parser, strict=args.strict)
    corpora.write(documents, args.output, args.target_format, strict=args.strict)
    return 0


def run_folds(args: argparse.Namespace) -> int:
    """Print folds as TSV, or the audit of given ones."""
    documents = list(read_documents(args, args.file, "corpus folds"))
    if args.audit is None:
        print(folds_to_tsv(make_folds(documents, args.n, seed=args.seed)), end="")
        return 0
    report = audit(documents, read_folds(args.audit), path=args.audit)
    if args.json:
        print_json(report.to_dict())
    else:
        print(_audit_text(report))
    return 0


def _table(rows: list[CorpusStats]) -> str:
    # columns that only some files have come last but one, before the list of parsers
    present_columns = {name for row in rows for name in row.to_dict()} - {"parsers"}
    header = [*(field.name for field in fields(CorpusStats) if field.name in present_columns), "parsers"]
    cells = [header]
    for row in rows:
        values = [row.to_dict().get(name, 0) for name in header]
        cells.append([", ".join(value) if isinstance(value, list) else str(value) for value in values])
    widths = [max(len(line[column]) for line in cells) for column in range(len(header))]
    lines = []
    for line in cells:
        # names and lists to the left, numbers to the right
        lines.append(
            "  ".join(
                value.ljust(width) if column in (0, len(header) - 1) else value.rjust(width)
                for column, (value, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
        )
    return "\n".join(lines)


def _audit_text(report: Audit) -> str:
    sizes = ", ".join(f"{fold}: {count}" for fold, count in report.pairs_per_fold.items())
    lines = [
        f"{report.test_pairs} test pairs in {report.folds} folds ({sizes})",
        f"{report.document_in_training} have their document also in training",
        f"{report.identical_sentence_in_training} have an identical sentence in training",
        f"{report.uncovered_pairs} pairs are in no fold",
    ]
    return "\n".join(lines)
