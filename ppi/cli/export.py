"""``ppi export``: interactions that were written before, in another format."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ppi.cli.annotation_arguments import add_probability_argument, add_selection_arguments, selection_of
from ppi.cli.inputs import peek_first
from ppi.cli.output import add_output_argument, check_output
from ppi.core import UsageError
from ppi.export import FORMATS, write

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("export", parents=[common])
    verb.add_argument(
        "inputs", nargs="+", metavar="INPUT", help="folders of `ppi annotate --run`, .parquet or .jsonl files, or '-'"
    )
    verb.add_argument(
        "--to",
        choices=FORMATS,
        help="format to write (default: by the output's ending); documents (html, bioc-xml, bioc-json, pubtator, brat) "
        "hold the sentences of the interactions and no others",
    )
    add_output_argument(verb)
    add_probability_argument(verb, default=0.0)
    add_selection_arguments(verb)
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read and write."""
    from ppi.export import format_of
    from ppi.server import group_by_document, read_interactions

    if args.to is None and args.output == "-":
        raise UsageError(f"expected --to FORMAT or --output FILE, got neither; formats: {', '.join(FORMATS)}")
    check_output(args.output, *args.inputs)
    selection = selection_of(args)
    texts = format_of(args.output, args.to).needs_texts
    selected = (
        entry
        for entry in peek_first(read_interactions(args.inputs), ", ".join(args.inputs), expected="an interaction")
        if entry[0].probability >= args.min_probability and selection.keeps(entry[0])
    )
    write(group_by_document(selected, texts=texts), args.output, args.to)
    if texts:
        print(
            "ppi: the documents hold only sentences in which an interaction was found; for whole texts: "
            f"ppi annotate INPUT --to {format_of(args.output, args.to).name}",
            file=sys.stderr,
        )
    return 0
