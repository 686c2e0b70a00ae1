"""``ppi curate``: look at, merge, compare, export and learn from judgements of what a run found."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ppi.cli.output import add_output_argument, check_output, print_json
from ppi.core import CurationError, UsageError

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers

RUN_HELP = "a run, a file of interactions (their judgements are beside them), or a file of judgements"
#: As :data:`ppi.server.curation.judgement_export.FORMATS`, which would be slow to import here.
FORMATS = ("jsonl", "bioc-json", "bioc-xml", "brat", "indra")


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb and its actions to the command line."""
    verb = verbs.add_parser("curate")
    actions = verb.add_subparsers(dest="action", metavar="ACTION", required=True)

    status = actions.add_parser("status", parents=[common], help="what was judged, by whom, and whether all is whole")
    status.add_argument("run_path", metavar="RUN", help=RUN_HELP)
    status.add_argument("--json", action="store_true", help="print a JSON object")
    status.set_defaults(run=run_status)

    merge = actions.add_parser("merge", parents=[common], help="several files of judgements as one")
    merge.add_argument("files", nargs="+", metavar="RUN", help=RUN_HELP)
    add_output_argument(merge)
    merge.set_defaults(run=run_merge)

    agreement = actions.add_parser("agreement", parents=[common], help="how far curators agree (Cohen's kappa)")
    agreement.add_argument("files", nargs="+", metavar="RUN", help=RUN_HELP)
    agreement.add_argument(
        "--by", choices=("curator", "file"), default="curator", help="who is compared (default: %(default)s)"
    )
    agreement.add_argument("--json", action="store_true", help="print a JSON list, one object per two curators")
    agreement.set_defaults(run=run_agreement)

    export = actions.add_parser("export", parents=[common], help="judgements as a corpus, or as INDRA's curations")
    export.add_argument("run_path", metavar="RUN", help=RUN_HELP)
    export.add_argument("--to", dest="target_format", choices=FORMATS, default="jsonl", help="(default: %(default)s)")
    export.add_argument("--curator", metavar="NAME", help="judgements of this curator only (default: what most say)")
    add_output_argument(export)
    export.set_defaults(run=run_export)

    update = actions.add_parser("update", parents=[common], help="a model that has learned from the judgements")
    update.add_argument("run_paths", nargs="+", metavar="RUN", help=RUN_HELP)
    update.add_argument(
        "--output", "-o", required=True, metavar="MODEL", help="file to write, for `ppi annotate --model`"
    )
    update.add_argument("--model", metavar="MODEL", help="what to begin with (default: the model that ships)")
    update.add_argument(
        "--parser", metavar="NAME", help="what parses the judged sentences (default: the one that ships)"
    )
    update.add_argument("--regparam", type=float, help="(default: 1, or chosen by leaving documents out)")
    update.add_argument("--json", action="store_true", help="print what was learned as JSON")
    update.set_defaults(run=run_update)


def run_status(args: argparse.Namespace) -> int:
    """Print who judged what."""
    from ppi.server import Curation, find_curation, status_json, status_text

    curation = Curation(find_curation(args.run_path))
    if args.json:
        print_json(status_json(curation))
    else:
        print(status_text(curation))
    return 0


def run_merge(args: argparse.Namespace) -> int:
    """Write one file of all judgements."""
    from ppi.server import find_curation, merge_judgement_files

    files = [find_curation(file) for file in args.files]
    check_output(args.output, *files)
    count = merge_judgement_files(files, args.output)
    print(f"{len(files)} files, {count} judgements and undos", file=sys.stderr)
    return 0


def run_agreement(args: argparse.Namespace) -> int:
    """Print kappa for every two curators, or every two files."""
    from ppi.server import agreement_text, agreements, agreements_of_files, find_curation, state_of_files

    files = [find_curation(file) for file in args.files]
    if args.by == "file":
        results = agreements_of_files({str(file): state_of_files(file) for file in files})
    else:
        results = agreements(state_of_files(*files))
    if not results:
        raise UsageError("expected judgements of two curators, got those of one; name more files, or --by file")
    if args.json:
        print_json([result.to_json() for result in results])
    else:
        print("\n\n".join(map(agreement_text, results)))
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Write the judgements that are settled."""
    from ppi.server import find_curation, state_of_files, write_judgements

    path = find_curation(args.run_path)
    check_output(args.output, path)
    judgements, divided = state_of_files(path).resolve(args.curator)
    if args.curator is not None and not judgements:
        raise UsageError(f"expected a curator who judged something in {path}, got {args.curator!r}")
    write_judgements(judgements, args.output, args.target_format)
    divided_note = f"; {divided} are left out, about which curators are divided" if divided else ""
    print(f"{len(judgements)} rows{divided_note}", file=sys.stderr)
    return 0


def run_update(args: argparse.Namespace) -> int:
    """Write a model with feedback, and print whether the feedback helps."""
    from ppi.server import feedback_text, find_curation, state_of_files, train_with_feedback

    files = [find_curation(path) for path in args.run_paths]
    check_output(args.output, *files, args.model)
    judgements = [entry.judgement for entry in state_of_files(*files)]
    if not judgements:
        raise CurationError("expected judgements to learn from, got none that hold; judge some first")
    update = train_with_feedback(judgements, model=args.model, parser=args.parser, regparam=args.regparam)
    update.extractor.save(args.output)
    if args.json:
        print_json({**update.extractor.feedback_.to_dict(), "left_out": update.left_out})
    else:
        print(feedback_text(update.extractor.feedback_, update.left_out))
    return 0
