"""Arguments of the verbs that leave out some interactions."""

from __future__ import annotations

import argparse

from corpora import TYPES
from ppi.annotation import MIN_PROBABILITY, Selection


def add_probability_argument(
    verb: argparse.ArgumentParser, *, default: float = MIN_PROBABILITY, what: str = "what is"
) -> None:
    """How probable interactions must be."""
    verb.add_argument(
        "--min-probability",
        type=float,
        default=default,
        metavar="P",
        help=f"leave out {what} less probable (default: {default:g})",
    )


def add_type_argument(verb: argparse.ArgumentParser) -> None:
    """Which types of interaction."""
    verb.add_argument(
        "--type",
        dest="types",
        action="append",
        choices=TYPES,
        help="only interactions of this type; can be repeated (default: any, also those without a type)",
    )


def add_hedged_argument(verb: argparse.ArgumentParser) -> None:
    """Whether what a sentence only supposes counts."""
    verb.add_argument("--include-hedged", action="store_true", help="also what a sentence only supposes")


def add_selection_arguments(verb: argparse.ArgumentParser) -> None:
    """Types, and what a sentence denies or only supposes."""
    add_type_argument(verb)
    verb.add_argument("--include-negated", action="store_true", help="also what a sentence denies, marked as negated")
    add_hedged_argument(verb)


def selection_of(args: argparse.Namespace) -> Selection:
    """What the arguments choose."""
    return Selection.of(args.types, include_negated=args.include_negated, include_hedged=args.include_hedged)
