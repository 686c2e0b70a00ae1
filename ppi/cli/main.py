"""Entry point: finds the verb, turns errors into one line and an exit code.

Results go to standard output, messages and progress to standard error; exit codes are 0, 1 (failed) and 2 (usage).
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from importlib.metadata import version

from ppi.cli import (
    annotate,
    compare,
    corpus,
    cross_corpus,
    evaluate,
    export,
    learning_curve,
    network,
    parse,
    rank_parses,
    serve,
    train,
)
from ppi.errors import PpiError, UsageError

VERBS = (
    corpus,
    parse,
    annotate,
    train,
    evaluate,
    cross_corpus,
    learning_curve,
    compare,
    rank_parses,
    network,
    export,
    serve,
)

#: Roots of the packages' exception trees; looked up only once a package is in use, since some import slowly.
ERROR_ROOTS = {"corpora.errors": "CorpusError", "kernels.errors": "KernelError", "learners.errors": "LearnerError"}
#: What is no verb, though some will look for it here, and what to run instead.
ELSEWHERE = {"bench": "scripts/bench NAME, in a checkout of the project"}
INTERRUPTED = 130  # what shells report for a process ended by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = build_parser()
    wanted = next((word for word in (sys.argv[1:] if arguments is None else arguments) if not word.startswith("-")), "")
    if wanted in ELSEWHERE:
        parser.error(f"expected a verb, got {wanted!r}, which is none; run {ELSEWHERE[wanted]}")
    args = parser.parse_args(arguments)
    warnings.showwarning = _show_warning
    try:
        code = args.run(args)
        sys.stdout.flush()  # here, where a reader that has gone is noticed in time
        return code
    except (PpiError, ValueError) as error:
        if args.debug:
            traceback.print_exc()
        elif not isinstance(error, our_errors()):
            raise
        print(f"ppi: error: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print("ppi: interrupted; nothing half-written is left", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as in `ppi ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="ppi", description="Find which proteins a text says interact, and measure how well."
    )
    parser.add_argument("--version", action="version", version=f"ppi {version('ppi-miner')}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--debug", action="store_true", help="show the trace of an error")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in VERBS:
        verb.register(verbs, common)
    return parser


def our_errors() -> tuple[type[Exception], ...]:
    """The exceptions that are about the user's input, and so are shown as one line."""
    return (
        PpiError,
        *(getattr(sys.modules[name], root) for name, root in ERROR_ROOTS.items() if name in sys.modules),
    )


def _show_warning(message, category, filename, lineno, file=None, line=None) -> None:
    print(f"ppi: warning: {message}", file=sys.stderr)
