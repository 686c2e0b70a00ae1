"""``ppi train``: an extractor from annotated corpora, to a model file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ppi.cli.arguments import add_extractor_arguments, add_gold_arguments, corpus_name, load_gold_documents, settings_of
from ppi.cli.output import print_json
from ppi.core import UsageError
from ppi.extraction import Settings

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers

#: The model that ships is made with these, ``--parser shipped --min-documents 6``, from event and interaction corpora.
DEFAULTS = Settings(kernel="composite", learner="ridge")


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("train", parents=[common])
    verb.add_argument(
        "corpora",
        nargs="+",
        metavar="CORPUS",
        help="files or names; with ridge each has an intercept of its own, other learners put their documents together",
    )
    verb.add_argument("--output", "-o", required=True, metavar="MODEL", help="model file to write")
    add_extractor_arguments(verb, DEFAULTS)
    add_gold_arguments(verb)
    verb.add_argument("--json", action="store_true", help="print the training facts as JSON")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train on all corpora and save."""
    from ppi.extraction import Extractor

    corpora = {corpus_name(name): load_gold_documents(args, name) for name in args.corpora}
    if len(corpora) < len(args.corpora):
        raise UsageError(f"expected corpora of different names, got {args.corpora}")
    extractor = Extractor(**vars(settings_of(args))).fit(corpora)
    extractor.save(args.output)
    facts = extractor.facts_
    if args.json:
        print_json(facts)
    else:
        print(
            f"{args.output}: {facts['pairs']} pairs ({facts['positive']} positive) of {facts['documents']} documents, "
            f"{_format_holdout_scores(facts)}"
        )
    return 0


def _format_holdout_scores(facts: dict[str, Any]) -> str:
    if "leave_corpus_out_average_precision" in facts:
        by_type = facts["leave_corpus_out_average_precision"]
        rows = [
            f"{output} " + ", ".join(f"{name} {100 * value:.1f}" for name, value in by_corpus.items())
            for output, by_corpus in by_type.items()
        ]
        return "average precision on corpora left out: " + "; ".join(rows)
    if "leave_corpus_out_auc" not in facts:
        return f"AUC on documents left out {100 * facts['leave_document_out_auc']:.1f}"
    scores_text = ", ".join(f"{name} {100 * value:.1f}" for name, value in facts["leave_corpus_out_auc"].items())
    return f"AUC on corpora left out: {scores_text}"
