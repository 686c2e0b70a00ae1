"""What counts as an interaction in a corpus and what as none: the options, and what is said of their effect."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ppi.cli.arguments import corpus_name
from ppi.extraction.settings import NEGATIVES

if TYPE_CHECKING:
    from corpora.types import Document


def add_gold_arguments(verb: argparse.ArgumentParser) -> None:
    """What counts as an interaction in a corpus, and what as none."""
    verb.add_argument(
        "--negatives",
        choices=NEGATIVES,
        default=NEGATIVES[0],
        help="cooccurring: pairs of names in a sentence that nothing joins do not interact, as in corpora that are "
        "annotated exhaustively; none: only pairs that the file calls negative; auto: cooccurring where it calls "
        "none so (default: %(default)s)",
    )
    verb.add_argument(
        "--relations",
        nargs="+",
        metavar="TYPE",
        help="only relations of these types are interactions (default: all between two genes or proteins)",
    )


def gold_options(args: argparse.Namespace) -> dict[str, Any]:
    """What :func:`add_gold_arguments` asks for, as options of :func:`ppi.evaluation.parsed.load_gold`."""
    return {"negatives": args.negatives, "relations": None if args.relations is None else tuple(args.relations)}


def load_gold_documents(args: argparse.Namespace, name: str) -> list[Document]:
    """The documents of a corpus with labelled pairs; what was decided on the way is said on standard error."""
    from ppi.evaluation.parsed import load_gold

    gold = load_gold(name, args.parser, **gold_options(args))
    print_notes(corpus_name(name), gold.notes)
    return gold.documents


def print_notes(corpus: str, notes: Iterable[str]) -> None:
    """Print notes on a corpus."""
    for note in notes:
        print(f"ppi: {corpus}: {note}", file=sys.stderr)
