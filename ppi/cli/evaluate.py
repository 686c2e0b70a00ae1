"""``ppi evaluate``: document-level cross-validation of an extractor."""

from __future__ import annotations

import argparse
import json
import sys

import corpora
from corpora.errors import CorpusNotFoundError
from ppi.cli.arguments import add_extractor_arguments, add_worker_arguments, corpus_name, settings_of
from ppi.cli.typed import print_left_out
from ppi.errors import UsageError

#: The corpora whose models are starting points for one another.
INTERACTION_CORPORA = ("AImed", "BioInfer", "HPRD50", "IEPA", "LLL")
#: The kernels that start from them unless told otherwise.
COMPOSITES = ("composite", "composite-clusters")


def register(verbs, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("evaluate", parents=[common])
    verb.add_argument("corpora", nargs="+", metavar="CORPUS", help="file, or name looked up in PPI_CORPORA")
    add_extractor_arguments(verb)
    verb.add_argument("--folds", metavar="FILE", help="TSV of fold and document id (one corpus only)")
    verb.add_argument("--n", type=int, default=10, help="number of folds to make (default: 10)")
    verb.add_argument(
        "--seed",
        type=int,
        nargs="+",
        default=[0],
        metavar="S",
        help="seed of the folds (default: 0); with several, a result for each, for little more than the cost of one",
    )
    verb.add_argument(
        "--extra",
        nargs="+",
        metavar="CORPUS",
        help="corpora whose models every fold may start from; 'none', or 'auto' for the other interaction corpora "
        "found in PPI_CORPORA (default: auto for the composite kernels, otherwise none)",
    )
    add_worker_arguments(verb)
    verb.add_argument(
        "--types",
        action="store_true",
        help="the typed protocol: parts of whole documents left out of a model with types (needs corpora with events; "
        "kernel composite and learner ridge unless named)",
    )
    verb.add_argument("--json", action="store_true", help="print a JSON list, one object a corpus (and seed)")
    verb.add_argument("--report", metavar="DIR", help="write every score, a page and plots to this new folder")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Evaluate each corpus and print a table, or JSON."""
    from ppi.evaluation.corpus_task import CorpusTask, evaluate_corpus
    from ppi.evaluation.report import figures_table, write_report
    from ppi.parallel.mapping import in_parallel

    if args.folds and len(args.corpora) > 1:
        raise UsageError(f"expected one corpus with --folds, got {len(args.corpora)}; run them one by one")
    if args.types:
        return print_left_out(args, [[name] for name in args.corpora])
    settings = settings_of(args)
    tasks = [
        CorpusTask(
            name,
            settings,
            parser=args.parser,
            folds=args.folds,
            n_folds=args.n,
            seeds=tuple(args.seed),
            extra=_extra_corpora(args.extra, settings.kernel, corpus_name(name)),
        )
        for name in args.corpora
    ]
    found = in_parallel(evaluate_corpus, tasks, workers=args.workers, scheduler=args.scheduler)
    results = [result for each in found for result in each]
    if args.report:
        write_report(results, args.report)
    if args.json:
        print(json.dumps([result.summary() for result in results], indent=2))
    else:
        print(figures_table(results))
    return 0


def _extra_corpora(wanted: list[str] | None, kernel: str, corpus: str) -> tuple[str, ...]:
    """The extra corpora that the command line asks for; what it takes by itself it says on standard error."""
    if wanted != ["auto"] and (wanted is not None or kernel not in COMPOSITES):
        return tuple(name for name in wanted or () if name not in (corpus, "none"))
    names = tuple(name for name in INTERACTION_CORPORA if name != corpus and _is_there(name))
    if names:
        print(
            f"ppi: {corpus}: starting from models of {', '.join(names)} (documents shared with {corpus} left out); "
            "--extra none for this corpus alone",
            file=sys.stderr,
        )
    return names


def _is_there(name: str) -> bool:
    try:
        corpora.find(name)
    except CorpusNotFoundError:
        return False
    return True
