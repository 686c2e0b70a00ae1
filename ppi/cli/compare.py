"""``ppi compare``: two evaluation reports, paired."""

from __future__ import annotations

import argparse
import json

from ppi.errors import ReportError


def register(verbs, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("compare", parents=[common])
    verb.add_argument("first", metavar="REPORT", help="folder written by ppi evaluate --report")
    verb.add_argument("second", metavar="REPORT", help="another, on the same corpora and folds")
    verb.add_argument("--json", action="store_true", help="print a JSON list, one object a corpus and measure")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare the corpora that both reports have."""
    from ppi.evaluation.comparison import compare
    from ppi.evaluation.report import read_report

    first = {(each["corpus"], each["seed"]): each for each in read_report(args.first)}
    second = {(each["corpus"], each["seed"]): each for each in read_report(args.second)}
    common = [name for name in first if name in second]
    if not common:
        raise ReportError(f"expected a corpus (and seed) in both reports, got {list(first)} and {list(second)}")
    rows = [row for name in common for row in compare(first[name], second[name])]
    if args.json:
        print(json.dumps([row.to_dict() for row in rows], indent=2))
        return 0
    for row in rows:
        chance = "-" if row.p_wilcoxon is None else f"{row.p_wilcoxon:.4f}"
        print(
            f"{row.corpus} {row.measure}: {100 * row.first:.1f} - {100 * row.second:.1f} = {100 * row.difference:+.1f} "
            f"(Wilcoxon p {chance}); pooled {100 * row.pooled_difference:+.1f}, "
            f"95 % {100 * row.low:+.1f} to {100 * row.high:+.1f}"
        )
    return 0
