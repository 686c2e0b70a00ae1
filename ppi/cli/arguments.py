"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corpora.source import file_stem

if TYPE_CHECKING:
    from ppi.evaluation import Settings

#: Named here too, so that ``--help`` need not import the numerical packages; a test holds them equal.
KERNELS = ("all-paths", "context", "path", "composite")
VARIANTS = ("max", "sum")
LEARNERS = ("sparse-rls", "rls", "rank-rls", "rank-svm")


def add_extractor_arguments(verb: argparse.ArgumentParser) -> None:
    """Kernel, variant, learner and so on."""
    verb.add_argument("--kernel", choices=KERNELS, default="all-paths", help="(default: %(default)s)")
    verb.add_argument("--variant", choices=VARIANTS, default="max", help="of the all-paths kernel (default: max)")
    verb.add_argument("--learner", choices=LEARNERS, default="sparse-rls", help="(default: %(default)s)")
    verb.add_argument("--regparam", type=float, help="fixed regularization, in units of the features' mean square")
    verb.add_argument("--n-basis", type=int, default=4000, help="basis vectors of sparse-rls (default: 4000)")
    verb.add_argument(
        "--parser",
        metavar="NAME",
        help="parse of the file to use, or a parser of `ppi parse` (such as shipped) to parse it with "
        "(default: the only parse of the file, or split_parse)",
    )


def add_worker_arguments(verb: argparse._ActionsContainer) -> None:
    """Who does the work."""
    who = verb.add_mutually_exclusive_group()
    who.add_argument("--workers", type=int, metavar="N", help="processes on this machine (default: 1)")
    who.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster, such as tcp://HOST:8786")


def settings_of(args: argparse.Namespace) -> Settings:
    """The extractor's settings from parsed arguments; ``--parser`` has its effect when a corpus is loaded."""
    from ppi.evaluation import Settings

    return Settings(
        kernel=args.kernel,
        variant=args.variant,
        learner=args.learner,
        regparam=args.regparam,
        n_basis=args.n_basis,
    )


def corpus_name(path_or_name: str) -> str:
    """How a corpus is called in figures: its file's name without endings."""
    return file_stem(path_or_name)
