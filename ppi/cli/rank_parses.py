"""``ppi rank-parses``: candidate parses of sentences, best first."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import corpora
from ppi.cli.inputs import INPUT_HELP, SPLIT, add_reading_arguments, add_split_argument, find_inputs, read_documents
from ppi.cli.output import add_output_argument, check_output
from ppi.core import UsageError

if TYPE_CHECKING:
    from corpora import Document
    from ppi.cli.program import VerbParsers

#: Named here too, so that ``--help`` need not import the numerical packages; a test holds them equal.
GENERATORS = ("beam", "link-grammar")
#: Candidates of a sentence.  The beam grows with them; linkages are cheap, and the parser's own order says little.
CANDIDATES = {"beam": 20, "link-grammar": 100}


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("rank-parses", parents=[common])
    verb.add_argument("input", metavar="INPUT", help=INPUT_HELP)
    add_reading_arguments(verb)
    verb.add_argument(
        "--generator",
        choices=GENERATORS,
        default="beam",
        help="where candidates come from: the shipped parser's beam (default), or the Link Grammar parser",
    )
    verb.add_argument("--model", metavar="FILE", help="a trained ranker (default: the one shipped for the generator)")
    verb.add_argument("--top", type=int, default=3, metavar="K", help="parses to write for each sentence (default: 3)")
    verb.add_argument(
        "--candidates", type=int, metavar="N", help="candidates to choose from (default: beam 20, link-grammar 100)"
    )
    add_split_argument(verb)
    add_output_argument(verb)
    verb.add_argument(
        "--to",
        choices=("conllu", "jsonl"),
        default="conllu",
        help="CoNLL-U, one block per parse with place and score as comments, or one JSON object per sentence "
        "(default: conllu)",
    )
    verb.add_argument("--json", action="store_true", help="print one JSON list, one object per sentence")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Rank and write."""
    for name in ("top", "candidates"):
        value = getattr(args, name)
        if value is not None and value < 1:
            raise UsageError(f"expected --{name} of 1 or more, got {value}")
    check_output(args.output, *find_inputs([args.input], "rank-parses"), args.model)
    input_documents = read_documents(args, args.input, "rank-parses")
    from corpora import atomic_output
    from ppi.parse_ranking import ParseRanker, build_ranked_documents, get_generator, rank_sentences

    ranker = ParseRanker.load(args.model) if args.model else ParseRanker.shipped(args.generator)
    generator = get_generator(args.generator)
    documents = _sentences(args, input_documents)
    n_candidates = args.candidates or CANDIDATES[args.generator]
    ranked = rank_sentences(documents, generator, ranker, max_candidates=n_candidates, top=args.top)
    if args.to == "conllu" and not args.json:
        corpora.write(build_ranked_documents(ranked), args.output, "conllu")
        return 0
    with atomic_output(args.output) as output:
        if args.json:
            output.write(
                (json.dumps([sentence.to_dict() for sentence in ranked], ensure_ascii=False, indent=1) + "\n").encode()
            )
        else:
            for sentence in ranked:
                output.write((json.dumps(sentence.to_dict(), ensure_ascii=False) + "\n").encode())
    return 0


def _sentences(args: argparse.Namespace, documents: Iterator[Document]) -> Iterator[Document]:
    """The input's documents, split into sentences where they are passages."""
    from ppi.language import parse_documents

    if args.split == "never":
        return documents
    return parse_documents(documents, "shipped", split=SPLIT[args.split], dependencies="basic", keep_parses=False)
