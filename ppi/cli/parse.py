"""``ppi parse``: dependency parses, and protein names, of any text."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import corpora
from ppi.cli.arguments import add_rerank_argument, resolve_parser
from ppi.cli.inputs import INPUT_HELP, SPLIT, add_reading_arguments, add_split_argument, find_inputs, read_documents
from ppi.cli.output import add_output_argument, check_output

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("parse", parents=[common])
    verb.add_argument("input", metavar="INPUT", help=INPUT_HELP)
    add_reading_arguments(verb)
    verb.add_argument(
        "--parser",
        default="shipped",
        metavar="NAME",
        help="shipped (default), shipped:bc2gm or shipped:jnlpba (whose idea of a protein name), given[:PARSE], "
        "stanza[:PACKAGE], conllu:PATH, or an installed spaCy pipeline",
    )
    add_rerank_argument(verb)
    writable = [name for name, corpus_format in corpora.FORMATS.items() if corpus_format.write is not None]
    verb.add_argument("--to", default="conllu", choices=writable, help="format of the output (default: conllu)")
    add_output_argument(verb)
    verb.add_argument(
        "--dependencies",
        default="both",
        choices=("basic", "collapsed", "both"),
        help="which graphs to write (default: both; CoNLL-U has a column for each)",
    )
    add_split_argument(verb)
    verb.add_argument(
        "--no-entities", action="store_true", help="do not look for protein names in documents without entities"
    )
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Parse and write."""
    check_output(args.output, *find_inputs([args.input], "parse"))
    documents = read_documents(args, args.input, "parse")
    from ppi.language import parse_documents

    parsed = parse_documents(
        documents,
        resolve_parser(args),
        split=SPLIT[args.split],
        entities=not args.no_entities,
        dependencies=args.dependencies,
        keep_parses=False,
    )
    corpora.write(parsed, args.output, args.to)
    return 0
