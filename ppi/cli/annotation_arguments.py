"""Arguments of the verbs that annotate, and of those that select interactions."""

from __future__ import annotations

import argparse

from corpora import TYPES
from ppi.annotation import DEFAULT_KINDS, MIN_PROBABILITY, AnnotatorSettings, Selection, check_kinds
from ppi.cli.arguments import add_rerank_argument, resolve_parser
from ppi.core import UsageError
from ppi.language import DEFAULT_PARSER


def add_annotator_arguments(verb: argparse.ArgumentParser) -> None:
    """What annotates: model, parser, lexicon."""
    verb.add_argument("--model", metavar="FILE", help="another extraction model, of `ppi train` or scripts/train_model")
    verb.add_argument(
        "--parser",
        default=DEFAULT_PARSER,
        metavar="NAME",
        help="what parses and finds names, as in `ppi parse --parser` (default: %(default)s)",
    )
    add_rerank_argument(verb)
    verb.add_argument(
        "--prevalence",
        type=float,
        metavar="P",
        help="expected proportion of protein pairs in your texts that interact: adapts the probabilities from the "
        "prevalence that the model was calibrated on (0.14, ordinary abstracts)",
    )
    verb.add_argument("--share", dest="prevalence", type=float, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    verb.add_argument(
        "--kinds",
        default=",".join(DEFAULT_KINDS),
        metavar="KIND,...",
        help="what is paired of the names found: protein (genes and proteins), family (families and complexes); "
        "given names are paired unless their type says that they are something else (default: %(default)s)",
    )
    verb.add_argument(
        "--lexicon",
        metavar="FILE",
        help="NCBI gene_info file: names get its identifiers, instead of those of the lexicon that ships (eight "
        "species, families and complexes)",
    )
    verb.add_argument("--families", metavar="FILE", help="FamPlex grounding map, beside --lexicon")
    verb.add_argument("--no-grounding", action="store_true", help="give names no identifiers")
    verb.add_argument(
        "--keep-same",
        action="store_true",
        help="pair two mentions of one protein, too (an abbreviation and what it stands for, say); marked as same",
    )


def annotator_settings(
    args: argparse.Namespace,
    *,
    min_probability: float = MIN_PROBABILITY,
    selection: Selection = Selection(),  # noqa: B008 - immutable
) -> AnnotatorSettings:
    """The annotator's settings from parsed arguments."""
    if args.families and not args.lexicon:
        raise UsageError("expected --lexicon beside --families, got --families alone")
    if args.lexicon and args.no_grounding:
        raise UsageError("expected --lexicon or --no-grounding, got both")
    return AnnotatorSettings(
        model=args.model,
        parser=resolve_parser(args),
        min_probability=min_probability,
        lexicon=args.lexicon,
        families=args.families,
        types=selection.types,
        include_negated=selection.include_negated,
        include_hedged=selection.include_hedged,
        prevalence=args.prevalence,
        kinds=check_kinds(args.kinds.split(",")),
        grounding=not args.no_grounding,
        keep_same=args.keep_same,
    )


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
    return Selection.from_types(args.types, include_negated=args.include_negated, include_hedged=args.include_hedged)
