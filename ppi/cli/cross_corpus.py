"""``ppi cross-corpus``: train on each corpus, test on the others."""

from __future__ import annotations

import argparse
import json

from ppi.cli.arguments import add_extractor_arguments, add_worker_arguments, corpus_name, settings_of
from ppi.cli.gold import add_gold_arguments, load_gold_documents
from ppi.cli.typed import print_holdout
from ppi.errors import UsageError


def register(verbs, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("cross-corpus", parents=[common])
    verb.add_argument("corpora", nargs="+", metavar="CORPUS", help="two or more files or names")
    add_extractor_arguments(verb)
    add_gold_arguments(verb)
    add_worker_arguments(verb)
    verb.add_argument(
        "--types",
        action="store_true",
        help="the typed protocol: each corpus left out in turn of a model with types (needs corpora with events; "
        "kernel composite and learner ridge unless named)",
    )
    verb.add_argument("--json", action="store_true", help="print a JSON list, one object a cell")
    verb.add_argument("--report", metavar="DIR", help="write the cells, a page and heat maps to this new folder")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train, test, and print the tables."""
    from ppi.evaluation.cross_corpus import cross_corpus
    from ppi.evaluation.cross_corpus_report import render_markdown_tables, write_cross_corpus_report

    if len(args.corpora) < 2:
        raise UsageError(f"expected at least two corpora, got {args.corpora}")
    if args.types:
        return print_holdout(args, [args.corpora])
    documents = {corpus_name(name): load_gold_documents(args, name) for name in args.corpora}
    cells = cross_corpus(documents, settings_of(args), workers=args.workers, scheduler=args.scheduler)
    if args.report:
        write_cross_corpus_report(cells, args.report)
    print(json.dumps([cell.to_dict() for cell in cells], indent=2) if args.json else render_markdown_tables(cells))
    return 0
