"""``ppi search``: what a run says of a protein, or of two."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ppi.cli.annotation_arguments import add_probability_argument, add_selection_arguments
from ppi.cli.output import add_output_argument, check_output
from ppi.export import FORMATS

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers
    from ppi.server import SearchResult

#: Pairs that a table for reading has.
_MAX_PAIRS = 50


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("search", parents=[common])
    verb.add_argument(
        "run_path",
        metavar="RUN",
        help="the folder of `ppi annotate --run`, a .parquet or .jsonl file, or a folder of them",
    )
    verb.add_argument(
        "protein",
        nargs="?",
        metavar="PROTEIN",
        help="a name in any spelling, a symbol or an identifier; without it, any",
    )
    verb.add_argument("partner", nargs="?", metavar="PARTNER", help="the same of the other protein")
    verb.add_argument(
        "--to",
        choices=FORMATS,
        help="format to write (default: by the output's ending; a table for reading on standard output); documents "
        "(html, bioc-xml, bioc-json, pubtator, brat) hold the sentences that are found and no others",
    )
    add_output_argument(verb)
    add_probability_argument(verb, default=0.0)
    verb.add_argument(
        "--min-papers", type=int, default=0, metavar="N", help="leave out pairs that fewer papers state (default: 0)"
    )
    verb.add_argument("--text", metavar="WORDS", help='words that the sentence holds; "in quotes" as they are')
    verb.add_argument("--from-year", type=int, metavar="YEAR", help="leave out earlier papers, and those of no year")
    verb.add_argument("--to-year", type=int, metavar="YEAR", help="leave out later papers, and those of no year")
    add_selection_arguments(verb)
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Open, look, and write."""
    from ppi.server import open_run

    if args.output != "-":
        check_output(args.output, args.run_path)
    with open_run(args.run_path) as database:
        matches = database.search(
            args.protein,
            args.partner,
            type=args.types,
            min_probability=args.min_probability,
            min_papers=args.min_papers,
            first_year=args.from_year,
            last_year=args.to_year,
            text=args.text,
            include_negated=args.include_negated,
            include_hedged=args.include_hedged,
        )
        if args.to is None and args.output == "-":
            _print_pairs(matches)
        else:
            matches.write(args.output, args.to)
    return 0


def _print_pairs(matches: SearchResult) -> None:
    """The pairs as a table for reading, the best supported first."""
    from ppi.server import format_pairs

    count, pairs = matches.page_of_pairs(limit=_MAX_PAIRS)
    for line in format_pairs(pairs):
        print(line)
    more = f"; the first {_MAX_PAIRS} are listed, --to FORMAT writes the sentences of all" if count > _MAX_PAIRS else ""
    print(f"ppi: {count:,} pairs{more}", file=sys.stderr)
