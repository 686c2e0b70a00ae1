"""``ppi train``: an extractor from annotated corpora, to a model file."""

from __future__ import annotations

import argparse
import json

from ppi.cli.arguments import add_extractor_arguments, settings_of


def register(verbs, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("train", parents=[common], help="train an extractor and write its model")
    verb.add_argument("corpora", nargs="+", metavar="CORPUS", help="files or names; their documents are put together")
    verb.add_argument("--output", "-o", required=True, metavar="MODEL", help="model file to write")
    add_extractor_arguments(verb)
    verb.add_argument(
        "--n-features", type=int, metavar="N", help="hash each kernel's features into N columns (a power of 2)"
    )
    verb.add_argument("--json", action="store_true", help="print the training facts as JSON")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train on all corpora together and save."""
    from dataclasses import asdict

    from ppi.evaluation.parsed import load_parsed
    from ppi.extraction import Extractor

    documents = [document for name in args.corpora for document in load_parsed(name, args.parser)]
    extractor = Extractor(**asdict(settings_of(args)), n_features=args.n_features).fit(documents)
    extractor.save(args.output)
    facts = extractor.facts_
    if args.json:
        print(json.dumps(facts, indent=2))
    else:
        print(
            f"{args.output}: {facts['pairs']} pairs ({facts['positive']} positive) of {facts['documents']} documents, "
            f"leave-document-out AUC {100 * facts['leave_document_out_auc']:.1f}"
        )
    return 0
