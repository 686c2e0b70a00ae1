"""``ppi evaluate``: document-level cross-validation of an extractor, or a trained model on corpora."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppi.cli.arguments import (
    add_extractor_arguments,
    add_gold_arguments,
    add_worker_arguments,
    corpus_name,
    gold_options,
    print_notes,
    settings_of,
)
from ppi.cli.cross_corpus import print_holdout
from ppi.cli.inputs import corpus_exists
from ppi.cli.output import print_json
from ppi.core import UsageError
from ppi.extraction import Settings

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers
    from ppi.evaluation import AnyEvaluation, Evaluation, ModelEvaluation

#: Folds that are made unless another number is asked for.
N_FOLDS = 10
#: The name of the model that ships.
SHIPPED = "shipped"
#: The corpora whose models are starting points for one another.
INTERACTION_CORPORA = ("AImed", "BioInfer", "HPRD50", "IEPA", "LLL")
#: The kernels that start from them unless told otherwise.
COMPOSITES = ("composite", "composite-clusters", "composite-layers")


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("evaluate", parents=[common])
    verb.add_argument("corpora", nargs="+", metavar="CORPUS", help="file, or name looked up in PPI_CORPORA")
    add_extractor_arguments(verb)
    verb.add_argument("--folds", metavar="FILE", help="TSV of fold and document id (one corpus only)")
    verb.add_argument("--n", type=int, default=N_FOLDS, help="number of folds to make (default: 10)")
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
    add_gold_arguments(verb)
    verb.add_argument(
        "--model",
        metavar="FILE",
        help="judge this trained model on the corpora instead of training on them; 'shipped' is the one that ships. "
        "Parses are by the parser of its training unless --parser names another",
    )
    add_worker_arguments(verb)
    verb.add_argument(
        "--types",
        action="store_true",
        help="the typed protocol: parts of whole documents left out of a model with types (needs corpora with events; "
        "kernel composite and learner ridge unless named)",
    )
    verb.add_argument("--json", action="store_true", help="print a JSON list, one object a corpus (and seed)")
    verb.add_argument(
        "--report", metavar="DIR", help="write every score, pages (Markdown, HTML) and plots to this new folder"
    )
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Evaluate each corpus and print a table, or JSON."""
    from ppi.evaluation import format_mistakes, metrics_table, write_report

    if args.folds and len(args.corpora) > 1:
        raise UsageError(f"expected one corpus with --folds, got {len(args.corpora)}; run them one by one")
    if len({corpus_name(name) for name in args.corpora}) < len(args.corpora):
        raise UsageError(f"expected corpora of different names, got {args.corpora}")
    if args.model is not None:
        _check_model_options(args)
    if args.types:
        return print_holdout(args, [[name] for name in args.corpora])
    results: Sequence[AnyEvaluation] = _evaluate_model(args) if args.model is not None else _cross_validate(args)
    _print_notes(results)
    if args.report:
        write_report(results, args.report)
    if args.json:
        print_json([result.summary() for result in results])
    else:
        print(metrics_table(results))
        if args.model is not None:
            print("\n".join(filter(None, map(format_mistakes, results))))
    return 1 if any(result.problems for result in results) else 0


def _cross_validate(args: argparse.Namespace) -> list[Evaluation]:
    from ppi.core import map_parallel
    from ppi.evaluation import CorpusTask, evaluate_corpus

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
            **gold_options(args),
        )
        for name in args.corpora
    ]
    results_by_corpus = map_parallel(evaluate_corpus, tasks, workers=args.workers, scheduler=args.scheduler)
    return [result for results in results_by_corpus for result in results]


def _evaluate_model(args: argparse.Namespace) -> list[ModelEvaluation]:
    from ppi.annotation import MODEL_FILE
    from ppi.core import map_parallel
    from ppi.evaluation import ModelTask, evaluate_trained_model

    file = str(MODEL_FILE) if args.model == SHIPPED else args.model
    tasks = [ModelTask(name, file, args.model, parser=args.parser, **gold_options(args)) for name in args.corpora]
    return list(map_parallel(evaluate_trained_model, tasks, workers=args.workers, scheduler=args.scheduler))


def _check_model_options(args: argparse.Namespace) -> None:
    """Refuse options of training beside a model that is trained."""
    defaults = Settings()
    changes = {
        f"--{name.replace('_', '-')}": getattr(args, name, None) != value for name, value in vars(defaults).items()
    }
    changes = {option: differs for option, differs in changes.items() if option not in ("--parser", "--random-state")}
    changes["--min-documents"] = args.min_documents is not None
    changes |= {"--types": args.types, "--folds": args.folds is not None, "--extra": args.extra is not None}
    changes |= {"--n": args.n != N_FOLDS, "--seed": args.seed != [0]}
    if changed_options := [option for option, differs in changes.items() if differs]:
        raise UsageError(
            "expected no options of training or folds with --model, which is trained, got "
            f"{', '.join(changed_options)}; leave them out"
        )


def _print_notes(results: Sequence[AnyEvaluation]) -> None:
    """What was taken for an example, and what to beware of, once for each corpus."""
    for corpus, result in {result.corpus: result for result in results}.items():
        print_notes(corpus, result.notes)
        print_notes(corpus, (f"warning: {warning}" for warning in getattr(result, "warnings", ())))


def _extra_corpora(extra: list[str] | None, kernel: str, corpus: str) -> tuple[str, ...]:
    """The extra corpora that the command line asks for; what it takes by itself it says on standard error."""
    if extra != ["auto"] and (extra is not None or kernel not in COMPOSITES):
        return tuple(name for name in extra or () if name not in (corpus, "none"))
    names = tuple(name for name in INTERACTION_CORPORA if name != corpus and corpus_exists(name))
    if names:
        print(
            f"ppi: {corpus}: starting from models of {', '.join(names)} (documents shared with {corpus} left out); "
            "--extra none for this corpus alone",
            file=sys.stderr,
        )
    return names
