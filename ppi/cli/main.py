"""Entry point: finds the verb, turns errors into one line and an exit code.

Results go to standard output, messages and progress to standard error; exit codes are 0, 1 (failed) and 2 (usage).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from ppi.cli.verbs import VERBS, module_of, suggest_command
from ppi.errors import PpiError, UsageError

#: Roots of the packages' exception trees; looked up only once a package is in use, since some import slowly.
ERROR_ROOTS = {"corpora.errors": "CorpusError", "kernels.errors": "KernelError", "learners.errors": "LearnerError"}
INTERRUPTED = 130  # what shells report for a process ended by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    place = next((position for position, word in enumerate(words) if not word.startswith("-")), len(words))
    verb = "".join(words[place : place + 1])
    parser = build_parser(verb)
    if verb and verb not in VERBS:
        parser.error(f"expected a verb, got {verb!r}, which is none; try: {suggest_command(verb, words[place + 1 :])}")
    args = parser.parse_args(words)
    from ppi.cli.messages import show_messages

    show_messages()
    try:
        code = args.run(args)
        sys.stdout.flush()  # here, where a reader that has gone is noticed in time
        return code
    except (PpiError, ValueError) as error:
        if args.debug:
            import traceback

            traceback.print_exc()
        elif not isinstance(error, user_errors()):
            raise
        print(f"ppi: error: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print("ppi: interrupted; nothing half-written is left", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as in `ppi ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser of the whole command line; or of one verb, beside which the others are but listed."""
    parser = argparse.ArgumentParser(
        prog="ppi", description="Find which proteins a text says interact, and measure how well."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--debug", action="store_true", help="show the trace of an error")
    verbs = _VerbParsers(parser.add_subparsers(dest="verb", metavar="VERB", required=True))
    for name in VERBS:
        if only in (None, name):
            module_of(name).register(verbs, common)
        else:
            verbs.add_parser(name)
    return parser


class _VerbParsers:
    """Where a verb's module registers it; what the verb is for stands in the list of verbs."""

    def __init__(self, subparsers: Any) -> None:
        self._subparsers = subparsers

    def add_parser(self, name: str, **options: Any) -> argparse.ArgumentParser:
        """The parser of a verb."""
        purpose = VERBS[name]
        description = f"{purpose[0].upper()}{purpose[1:]}."
        return self._subparsers.add_parser(name, help=purpose, description=description, **options)


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"ppi {version('ppi-miner')}")
        parser.exit()


def user_errors() -> tuple[type[Exception], ...]:
    """The exceptions that are about the user's input, and so are shown as one line."""
    return (
        PpiError,
        *(getattr(sys.modules[name], root) for name, root in ERROR_ROOTS.items() if name in sys.modules),
    )
