"""``ppi evaluate``: document-level cross-validation of an extractor."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import corpora
from corpora.errors import CorpusNotFoundError
from corpora.folds import document_folds, make_folds, read_folds
from corpora.types import Document
from ppi.cli.arguments import add_extractor_arguments, add_worker_arguments, corpus_name, settings_of
from ppi.errors import UsageError

if TYPE_CHECKING:
    from ppi.evaluation import Evaluation, Settings

#: The corpora whose models are starting points for one another.
INTERACTION_CORPORA = ("AImed", "BioInfer", "HPRD50", "IEPA", "LLL")


def register(verbs, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "evaluate", parents=[common], help="cross-validate an extractor on corpora, never splitting a document"
    )
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
        "found in PPI_CORPORA (default: auto for the composite kernel, otherwise none)",
    )
    add_worker_arguments(verb)
    verb.add_argument("--json", action="store_true", help="print a JSON list, one object a corpus (and seed)")
    verb.add_argument("--report", metavar="DIR", help="write every score, a page and plots to this new folder")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Evaluate each corpus and print a table, or JSON."""
    from ppi.evaluation.report import figures_table, write_report
    from ppi.longrun.mapping import in_parallel

    if args.folds and len(args.corpora) > 1:
        raise UsageError(f"expected one corpus with --folds, got {len(args.corpora)}; run them one by one")
    settings = settings_of(args)
    tasks = [
        EvaluationTask(name, settings, args.parser, args.folds, args.n, args.seed, args.extra) for name in args.corpora
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


@dataclass(frozen=True)
class EvaluationTask:
    """One corpus to evaluate: its folds share a decomposition, so they are done together, by one process."""

    name: str
    settings: Settings
    parser: str | None
    folds: str | None
    n: int
    seeds: list[int]
    extra: list[str] | None


def evaluate_corpus(task: EvaluationTask) -> list[Evaluation]:
    """A result for each seed."""
    from ppi.evaluation.cross_validation import evaluate_repeatedly
    from ppi.evaluation.parsed import load_parsed

    start = time.perf_counter()
    documents = load_parsed(task.name, task.parser)
    read_seconds = time.perf_counter() - start
    corpus = corpus_name(task.name)
    if task.folds:
        folds = [document_folds(documents, read_folds(task.folds), path=task.folds)]
    else:
        folds = [make_folds(documents, task.n, seed=seed) for seed in task.seeds]
    extra = load_extra(task.extra, task.settings.kernel, corpus, task.parser)
    found = evaluate_repeatedly(corpus, documents, task.settings, folds=folds, extra=extra, read_seconds=read_seconds)
    seeds = [None] if task.folds else task.seeds
    return [replace(result, seed=seed) for result, seed in zip(found, seeds, strict=True)]


def load_extra(wanted: list[str] | None, kernel: str, corpus: str, parser: str | None) -> dict[str, list[Document]]:
    """The extra corpora that the command line asks for, by name; says so on standard error."""
    from ppi.evaluation.parsed import load_parsed

    automatic = wanted == ["auto"] or (wanted is None and kernel == "composite")
    if automatic:
        names = [name for name in INTERACTION_CORPORA if name != corpus and _is_there(name)]
    else:
        names = [name for name in wanted or () if name not in (corpus, "none")]
    if automatic and names:
        print(
            f"ppi: {corpus}: starting from models of {', '.join(names)} (documents shared with {corpus} left out); "
            "--extra none for this corpus alone",
            file=sys.stderr,
        )
    return {corpus_name(name): load_parsed(name, parser) for name in names}


def _is_there(name: str) -> bool:
    try:
        corpora.find(name)
    except CorpusNotFoundError:
        return False
    return True
