"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.source import file_stem
from ppi.annotation.settings import MIN_PROBABILITY, AnnotatorSettings
from ppi.errors import UsageError
from ppi.pipeline import FOR_INTERACTIONS

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


def add_annotator_arguments(verb: argparse.ArgumentParser) -> None:
    """What annotates: model, parser, lexicon."""
    verb.add_argument("--model", metavar="FILE", help="another extraction model, of `ppi train` or scripts/train_model")
    verb.add_argument(
        "--parser",
        default=FOR_INTERACTIONS,
        metavar="NAME",
        help="what parses and finds names, as in `ppi parse --parser` (default: %(default)s)",
    )
    verb.add_argument("--lexicon", metavar="FILE", help="NCBI gene_info file: names get Entrez identifiers")
    verb.add_argument("--families", metavar="FILE", help="FamPlex grounding map, beside --lexicon")


def annotator_settings(args: argparse.Namespace, *, min_probability: float = MIN_PROBABILITY) -> AnnotatorSettings:
    """The annotator's settings from parsed arguments."""
    if args.families and not args.lexicon:
        raise UsageError("expected --lexicon beside --families, got --families alone")
    return AnnotatorSettings(args.model, args.parser, min_probability, args.lexicon, args.families)


def add_output_argument(verb: argparse.ArgumentParser) -> None:
    """Where the result goes."""
    verb.add_argument("--output", "-o", default="-", metavar="OUT", help="file to write (default: standard output)")


def check_output(output: str, *inputs: str | Path | None) -> None:
    """Refuse an output that is one of the files to be read, also under another name, before anything is touched."""
    if output == "-" or not os.path.exists(output):
        return
    for each in inputs:
        if each is not None and str(each) != "-" and os.path.exists(each) and os.path.samefile(each, output):
            raise UsageError(
                f"expected an output beside the inputs, got {output!r}, which is the input {str(each)!r}; "
                "name another file"
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
