"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from corpora import file_stem
from ppi.extraction import DEGREES, KERNELS, LEARNERS, NEGATIVES, VARIANTS, Settings

if TYPE_CHECKING:
    from corpora import Document


#: Features of fewer documents are dropped, to keep models small; it costs 0.1 AUC on corpora left out.
RIDGE_MIN_DOCUMENTS = 3


def add_extractor_arguments(verb: argparse.ArgumentParser, defaults: Settings = Settings()) -> None:  # noqa: B008
    """Kernel, variant, learner and so on: one option for each of the settings."""
    add = verb.add_argument
    add("--kernel", metavar="NAME", default=defaults.kernel, help=_help(KERNELS))
    add("--variant", choices=VARIANTS, default=defaults.variant, help="of the all-paths kernel (default: %(default)s)")
    add("--degree", type=int, choices=DEGREES, default=defaults.degree, help="2: the kernel's square (default: 1)")
    add("--learner", metavar="NAME", default=defaults.learner, help=_help(LEARNERS))
    add("--regparam", type=float, help="fixed regularization, in units of the features' mean square")
    add("--n-basis", type=int, default=defaults.n_basis, help="basis vectors of sparse-rls (default: %(default)s)")
    add("--n-features", type=int, metavar="N", help="hash each kernel's features into N columns (a power of 2)")
    add(
        "--min-documents",
        type=int,
        metavar="N",
        help=f"ridge drops features of fewer training documents (default: {RIDGE_MIN_DOCUMENTS} with ridge)",
    )
    verb.add_argument(
        "--parser",
        metavar="NAME",
        help="parse of the file to use, or a parser of `ppi parse` (such as shipped) to parse it with "
        "(default: the only parse of the file, or split_parse; shipped if it has none)",
    )


def _help(names: tuple[str, ...]) -> str:
    # which packages offer others is looked up when one is named: that takes longer than printing the help
    return f"{', '.join(names)}, or one that an installed package offers (default: %(default)s)"


def add_worker_arguments(verb: argparse._ActionsContainer) -> None:
    """Who does the work."""
    group = verb.add_mutually_exclusive_group()
    group.add_argument("--workers", type=int, metavar="N", help="processes on this machine (default: 1)")
    group.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster, such as tcp://HOST:8786")


def settings_of(args: argparse.Namespace) -> Settings:
    """The extractor's settings from parsed arguments; ``--parser`` has its effect when a corpus is loaded."""
    values = {field.name: getattr(args, field.name, None) for field in fields(Settings)}
    if args.learner == "ridge" and args.min_documents is None:
        values["min_documents"] = RIDGE_MIN_DOCUMENTS
    return Settings(**{name: value for name, value in values.items() if value is not None and name != "parser"})


def corpus_name(path_or_name: str) -> str:
    """How a corpus is called in figures: its file's name without endings."""
    return file_stem(path_or_name)


def add_rerank_argument(verb: argparse.ArgumentParser) -> None:
    """Whether the shipped parser chooses among the trees of a beam."""
    verb.add_argument(
        "--rerank",
        action="store_true",
        help="let a trained ranker choose among the trees of the shipped parser's beam; parsing takes longer, and more "
        "attachments are right",
    )


def resolve_parser(args: argparse.Namespace) -> str:
    """The name of the parser that ``--parser`` and ``--rerank`` ask for."""
    from ppi.language import add_rerank_option

    return add_rerank_option(args.parser) if args.rerank else str(args.parser)


def add_gold_arguments(verb: argparse.ArgumentParser) -> None:
    """What counts as an interaction in a corpus, and what as none."""
    verb.add_argument(
        "--negatives",
        choices=NEGATIVES,
        default=NEGATIVES[0],
        help="cooccurring: pairs of names in a sentence that nothing joins do not interact, as in corpora that are "
        "annotated exhaustively; none: only pairs that the file calls negative; auto: cooccurring where it calls "
        "none so (default: %(default)s)",
    )
    verb.add_argument(
        "--relations",
        nargs="+",
        metavar="TYPE",
        help="only relations of these types are interactions (default: all between two genes or proteins)",
    )


def gold_options(args: argparse.Namespace) -> dict[str, Any]:
    """What :func:`add_gold_arguments` asks for, as options of :func:`ppi.evaluation.corpus_evaluation.load_gold`."""
    return {"negatives": args.negatives, "relations": None if args.relations is None else tuple(args.relations)}


def load_gold_documents(args: argparse.Namespace, name: str) -> list[Document]:
    """The documents of a corpus with labelled pairs; what was decided on the way is said on standard error."""
    from ppi.evaluation import load_gold

    gold = load_gold(name, args.parser, **gold_options(args))
    print_notes(corpus_name(name), gold.notes)
    return gold.documents


def print_notes(corpus: str, notes: Iterable[str]) -> None:
    """Print notes on a corpus."""
    for note in notes:
        print(f"ppi: {corpus}: {note}", file=sys.stderr)
