"""``ppi score``: anybody's predictions against gold, each in any format that is read."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ppi.cli.output import print_json
from ppi.core import UsageError

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers
    from ppi.evaluation import ClaimFile, ScoringResult

LEVELS = ("mentions", "identifiers")
_FILE_HELP = (
    "documents in any format (BioC, PubTator, brat, BioNLP events, Turku XML ...), interactions of `ppi annotate` "
    "(jsonl, parquet, csv, tsv, the folder of a run), or a table with some of its columns"
)


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("score", parents=[common])
    verb.add_argument("gold", metavar="GOLD", help=f"what is right: {_FILE_HELP}")
    verb.add_argument("predicted", metavar="PREDICTED", help="what was predicted: the same")
    verb.add_argument("--gold-from", metavar="FORMAT", help="format of gold (default: told by content and ending)")
    add_score_arguments(verb)
    verb.add_argument("--json", action="store_true", help="print everything as one JSON object, counts by document too")
    verb.set_defaults(run=run)


def add_score_arguments(verb: argparse._ActionsContainer) -> None:
    """How predictions are matched with gold; ``ppi compare --gold`` has the same."""
    add = verb.add_argument
    add(
        "--by",
        nargs="+",
        choices=LEVELS,
        help="mentions: pairs of places in the text; identifiers: pairs of identifiers of a document (default: what "
        "both files have). By mentions, relations between identifiers are projected to all mentions of a sentence",
    )
    add("--overlap", action="store_true", help="mentions that share a character are the same (default: exact spans)")
    add("--exact-types", action="store_true", help="compare types by name, not as binding, modification, regulation")
    add(
        "--min-probability",
        type=float,
        metavar="P",
        help="leave less probable predictions out of precision, recall and F (default: count all that are stated)",
    )
    add("--resamples", type=int, default=1000, metavar="N", help="of the bootstrap over documents (default: 1000)")
    add("--seed", type=int, default=0, help="of the bootstrap (default: 0)")
    add(
        "--lenient",
        action="store_true",
        help="leave out what is wrong in a file, and say so (exit 1), instead of failing",
    )
    add("--from", dest="source_format", metavar="FORMAT", help="format of predictions (default: told by content)")


def run(args: argparse.Namespace) -> int:
    """Score and print."""
    from ppi.evaluation import describe_coverage, scores_table

    scored = score_file(args, read_gold(args), args.predicted)
    if args.json:
        print_json(scored.to_dict())
    else:
        for line in describe_coverage(scored):
            print(f"ppi: {line}", file=sys.stderr)
        print(scores_table(scored))
    return 1 if scored.told.problems_of_gold or scored.told.problems_of_predictions else 0


def read_gold(args: argparse.Namespace) -> ClaimFile:
    """The gold that the arguments name."""
    if args.gold == "-" and "-" in (getattr(args, "predicted", None), getattr(args, "first", None)):
        raise UsageError("expected one file on standard input, got '-' for both; name the other")
    return read_file(args, args.gold, args.gold_from)


def score_file(args: argparse.Namespace, gold: ClaimFile, path: str) -> ScoringResult:
    """One file of predictions, scored as the arguments ask."""
    from ppi.evaluation import score_claims

    if args.resamples < 1:
        raise UsageError(f"expected --resamples of at least 1, got {args.resamples}")
    return score_claims(
        gold,
        read_file(args, path, args.source_format),
        levels=args.by,
        overlap=args.overlap,
        exact_types=args.exact_types,
        min_probability=args.min_probability,
        n_resamples=args.resamples,
        random_state=args.seed,
    )


def read_file(args: argparse.Namespace, path: str, format: str | None) -> ClaimFile:
    """The claims of a file, or of the parts of a run."""
    from ppi.evaluation import claims_of_interactions, read_claims
    from ppi.server import is_run, read_run

    if format is None and is_run(path):
        return claims_of_interactions(read_run(path), path)
    claims = read_claims(path, format, by_mentions="mentions" in (args.by or ()), lenient=args.lenient)
    for problem in claims.problems:
        print(f"ppi: left out: {problem}", file=sys.stderr)
    return claims
