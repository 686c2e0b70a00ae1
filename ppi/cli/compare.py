"""``ppi compare``: two evaluation reports, or two predictions against one gold, paired."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ppi.cli.output import print_json
from ppi.cli.score import add_score_arguments, read_gold, score_file
from ppi.core import UsageError

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers
    from ppi.evaluation import ClaimComparison, Comparison


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("compare", parents=[common])
    file_help = (
        "folder written by ppi evaluate --report, what ppi score --json printed, or with --gold a file of predictions"
    )
    verb.add_argument("first", metavar="FIRST", help=file_help)
    verb.add_argument(
        "second", metavar="SECOND", help="another, of the same corpora and folds or against the same gold"
    )
    verb.add_argument("--json", action="store_true", help="print a JSON list, one object per figure that is compared")
    scoring = verb.add_argument_group("predictions", "with --gold FILE; the options are those of ppi score")
    scoring.add_argument("--gold", metavar="GOLD", help="score both files of predictions against it, and compare")
    scoring.add_argument("--gold-from", metavar="FORMAT", help="format of gold (default: told by content and ending)")
    add_score_arguments(scoring)
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare whatever the two are."""
    from ppi.evaluation import read_scored

    if args.gold is not None:
        gold = read_gold(args)
        first, second = (score_file(args, gold, path).to_dict() for path in (args.first, args.second))
        return _print_scores(args, first, second)
    first_scores, second_scores = read_scored(args.first), read_scored(args.second)
    if first_scores is not None and second_scores is not None:
        return _print_scores(args, first_scores, second_scores)
    if first_scores is not None or second_scores is not None:
        raise UsageError(
            "expected two reports or two results of ppi score --json, got one of each; compare like with like"
        )
    return _print_reports(args)


def _print_reports(args: argparse.Namespace) -> int:
    from ppi.evaluation import compare_reports, match_reports, read_report

    rows = []
    for first, second in match_reports(read_report(args.first), read_report(args.second)):
        rows += compare_reports(first, second)
    return _print(args, rows, _line)


def _line(row: Comparison) -> str:
    p_value = "-" if row.p_wilcoxon is None else f"{row.p_wilcoxon:.4f}"
    name = row.corpus if row.corpus == row.second_corpus else f"{row.corpus} and {row.second_corpus}"
    return (
        f"{name} {row.measure}: {100 * row.first:.1f} - {100 * row.second:.1f} = {100 * row.difference:+.1f} "
        f"(Wilcoxon p {p_value}); pooled {100 * row.pooled_difference:+.1f}, "
        f"95 % {100 * row.low:+.1f} to {100 * row.high:+.1f}"
    )


def _print_scores(args: argparse.Namespace, first: dict[str, Any], second: dict[str, Any]) -> int:
    from ppi.evaluation import compare_scores

    rows = compare_scores(first, second, n_resamples=args.resamples, random_state=args.seed)
    if not args.json:
        print(
            f"ppi: {first.get('predicted')} less {second.get('predicted')}, against {first.get('gold')}; "
            f"{rows[0].documents} documents",
            file=sys.stderr,
        )
    return _print(args, rows, _score_line)


def _score_line(row: ClaimComparison) -> str:
    from ppi.evaluation import line_name

    return (
        f"{line_name(row.level, row.types, row.direction)} {row.measure}: {100 * row.first:.1f} - "
        f"{100 * row.second:.1f} = {100 * row.difference:+.1f}, 95 % {100 * row.low:+.1f} to {100 * row.high:+.1f} "
        f"(permutation p {row.p_permutation:.4f})"
    )


def _print(args: argparse.Namespace, rows: Sequence[Any], format_line: Callable[[Any], str]) -> int:
    if args.json:
        print_json([row.to_dict() for row in rows])
    else:
        for row in rows:
            print(format_line(row))
    return 0
