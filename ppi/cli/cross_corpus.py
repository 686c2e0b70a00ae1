"""``ppi cross-corpus``: train on each corpus, test on the others."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ppi.cli.arguments import (
    RIDGE_MIN_DOCUMENTS,
    add_extractor_arguments,
    add_gold_arguments,
    add_worker_arguments,
    corpus_name,
    load_gold_documents,
    settings_of,
)
from ppi.cli.output import print_json
from ppi.core import UsageError
from ppi.extraction import Settings

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
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
    from ppi.evaluation import cross_corpus, render_markdown_tables, write_cross_corpus_report

    if len(args.corpora) < 2:
        raise UsageError(f"expected at least two corpora, got {args.corpora}")
    if args.types:
        return print_holdout(args, [args.corpora])
    documents = {corpus_name(name): load_gold_documents(args, name) for name in args.corpora}
    cells = cross_corpus(documents, settings_of(args), workers=args.workers, scheduler=args.scheduler)
    if args.report:
        write_cross_corpus_report(cells, args.report)
    if args.json:
        print_json([cell.to_dict() for cell in cells])
    else:
        print(render_markdown_tables(cells))
    return 0


# ``--types`` of ``ppi evaluate`` and ``ppi cross-corpus``: the typed protocol.

_HEADINGS = ("corpus", "output", "pairs", "positive", "AP", "ECE", "right")


def print_holdout(args: argparse.Namespace, groups: Sequence[Sequence[str]]) -> int:
    """Train on each group of corpora with parts left out, and print the figures as a table or as JSON."""
    from ppi.evaluation import train_with_holdout

    settings = _typed_settings(args)
    rows: list[dict[str, Any]] = []
    for names in groups:
        documents = {corpus_name(name): load_gold_documents(args, name) for name in names}
        rows += train_with_holdout(documents, settings)[1].rows()
    if args.json:
        print_json(rows)
        return 0
    lines = [_HEADINGS, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    return 0


def _typed_settings(args: argparse.Namespace) -> Settings:
    """Those of the command line, with what types need where nothing else was asked for."""
    defaults, settings = Settings(), settings_of(args)
    if settings.learner not in (defaults.learner, "ridge"):
        raise UsageError(f"expected the learner ridge with --types, got {settings.learner!r}")
    kernel = "composite" if settings.kernel == defaults.kernel else settings.kernel
    return replace(settings, kernel=kernel, learner="ridge", min_documents=args.min_documents or RIDGE_MIN_DOCUMENTS)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    formats = {"average_precision": "{:.1%}", "calibration_error": "{:.3f}", "accuracy": "{:.1%}"}
    metrics = ("" if row.get(key) is None else text.format(row[key]).rstrip("%") for key, text in formats.items())
    return (row["corpus"], row["output"], str(row["pairs"]), str(row["positive"]), *metrics)
