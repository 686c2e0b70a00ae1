"""``ppi network``: interactions of many papers merged into a network of proteins."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ppi.annotation import Selection
from ppi.cli.annotation_arguments import add_hedged_argument, add_probability_argument, add_type_argument
from ppi.cli.inputs import peek_first
from ppi.cli.output import add_output_argument, check_output
from ppi.core import UsageError
from ppi.export import NETWORK_FORMATS, PageFacts, write_network

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("network", parents=[common])
    verb.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="what `ppi annotate --to jsonl` or parquet wrote, the folder of `ppi annotate --run`, or '-'",
    )
    verb.add_argument(
        "--to",
        choices=NETWORK_FORMATS,
        help="format to write (default: by the output's ending; csv on standard output)",
    )
    add_output_argument(verb)
    add_probability_argument(verb, what="mentions that are")
    verb.add_argument(
        "--min-papers", type=int, default=1, metavar="N", help="leave out pairs that fewer papers name (default: 1)"
    )
    verb.add_argument(
        "--evidence", type=int, default=3, metavar="N", help="sentences to keep for each pair (default: 3)"
    )
    add_type_argument(verb)
    add_hedged_argument(verb)
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Merge and write."""
    from ppi.network import build_network, check_limits
    from ppi.server import read_interactions

    format = args.to or _format_of_ending(args.output)
    check_output(args.output, *args.inputs)
    check_limits(args.min_probability, args.min_papers, args.evidence)
    selection = Selection.from_types(args.types, include_hedged=args.include_hedged)
    interactions = peek_first(read_interactions(args.inputs), ", ".join(args.inputs), expected="an interaction")
    network = build_network(
        (entry for entry in interactions if selection.keeps(entry[0])),
        min_probability=args.min_probability,
        min_papers=args.min_papers,
        most_evidence=args.evidence,
        include_hedged=args.include_hedged,
    )
    write_network(network, args.output, format, facts=PageFacts(args.min_probability))
    return 0


def _format_of_ending(output: str) -> str:
    if output == "-":
        return "csv"
    ending = Path(output.removesuffix(".gz")).suffix.removeprefix(".").lower()
    if ending not in NETWORK_FORMATS:
        formats = tuple(NETWORK_FORMATS)
        raise UsageError(f"expected an ending that tells the format, one of {formats}, got {output!r}; or give --to")
    return ending
