"""Entry point: finds the verb, turns errors into one line and an exit code.

Results go to standard output, messages and progress to standard error; exit codes are 0, 1 (failed) and 2 (usage).
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from ppi.core import PpiError, UsageError

#: Roots of the packages' exception trees; looked up only once a package is in use, since some import slowly.
ERROR_BASES = {"corpora": "CorpusError", "kernels": "KernelError", "learners": "LearnerError"}
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
    from ppi.cli.output import show_messages

    show_messages()
    try:
        code: int = args.run(args)
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
    verbs = VerbParsers(parser.add_subparsers(dest="verb", metavar="VERB", required=True))
    for name in VERBS:
        if only in (None, name):
            module_of(name).register(verbs, common)
        else:
            verbs.add_parser(name)
    return parser


class VerbParsers:
    """Where a verb's module registers it; what the verb is for stands in the list of verbs."""

    def __init__(self, subparsers: Any) -> None:
        self._subparsers = subparsers

    def add_parser(self, name: str, **options: Any) -> argparse.ArgumentParser:
        """The parser of a verb."""
        purpose = VERBS[name]
        description = f"{purpose[0].upper()}{purpose[1:]}."
        parser: argparse.ArgumentParser = self._subparsers.add_parser(
            name, help=purpose, description=description, **options
        )
        return parser


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
        *(getattr(sys.modules[name], root) for name, root in ERROR_BASES.items() if name in sys.modules),
    )


# The verbs of the command line, what each is for, and what somebody probably meant who wrote another word.
#
# The modules are imported when their verb is used: a list of the verbs waits for none of them.

#: What each verb is for, in the order of ``ppi --help``; its module has the same name.
VERBS = {
    "corpus": "statistics, validation, conversion and folds of corpora",
    "parse": "parse texts and find the protein names in them",
    "annotate": "find the protein interactions that texts state",
    "train": "train an extractor and write its model",
    "evaluate": "cross-validate an extractor on corpora, never splitting a document",
    "cross-corpus": "train on each corpus, test on every other",
    "learning-curve": "AUC against the amount of training data",
    "score": "score anybody's predictions against gold: by mentions, by identifiers, with type and direction",
    "compare": "compare two evaluation reports, or two predictions against one gold, paired",
    "rank-parses": "candidate parses of sentences, best first",
    "network": "merge interactions into protein pairs: papers, combined probability, best sentences",
    "search": "what a run says of a protein, or of two: pairs with their papers, or files of any format",
    "export": "write interactions of `ppi annotate` in another format, one part at a time",
    "curate": "judgements of what a run found: look at, merge, compare, export, learn from them",
    "serve": "a web page to annotate text with or to search a run, and a JSON API",
}

#: What is no verb, though people look for it, and what to run instead.
SUGGESTIONS = {
    "ppi annotate": ("find", "extract", "run", "mine", "predict", "detect", "read", "explain", "interactions"),
    "ppi annotate --lexicon FILE": ("ground", "normalize", "link"),
    "ppi parse": ("ner", "tag", "names", "tokenize", "split"),
    "ppi serve": ("web", "server", "start", "gui", "ui", "app", "api"),
    "ppi search": ("query", "lookup", "database"),
    "ppi curate": ("judge", "curation", "agreement", "kappa", "feedback"),
    "ppi network": ("graph", "merge", "aggregate"),
    "ppi export": ("save", "write"),
    "ppi rank-parses": ("rank", "rerank"),
    "ppi train": ("fit", "learn"),
    "ppi evaluate": ("eval", "test", "cv", "cross-validate"),
    "ppi corpus convert": ("convert",),
    "ppi corpus stats": ("stats", "statistics", "count"),
    "ppi corpus validate": ("validate", "check"),
    "ppi corpus folds": ("folds",),
    "ppi --help": ("help", "?"),
    "ppi --version": ("version",),
    "scripts/bench NAME, in a checkout of the project": ("bench", "benchmark"),
    "scripts/demo, in a checkout of the project": ("demo",),
}
#: Words this alike are taken for a slip of the pen (a share of letters, as difflib has it).
_MIN_SIMILARITY = 0.6


def module_of(verb: str) -> ModuleType:
    """The module of a verb."""
    return import_module(f"ppi.cli.{verb.replace('-', '_')}")


def suggest_command(word: str, following: Sequence[str] = ()) -> str:
    """What to run for a word that is no verb: a command; the following words are part of it where they fit.

    >>> suggest_command("annote", ["abstracts.txt"]), suggest_command("web"), suggest_command("help", ["train"])
    ('ppi annotate abstracts.txt', 'ppi serve', 'ppi train --help')
    """
    from difflib import get_close_matches

    if word == "help" and following and following[0] in VERBS:
        return f"ppi {following[0]} --help"
    for command, words in SUGGESTIONS.items():
        if word.lower() in words:
            return command
    # a text or a file without a verb: to annotate is what most come for
    if " " in word:
        return f"echo {shlex.quote(word)} | ppi annotate -"
    if os.path.exists(word):
        return shlex.join(["ppi", "annotate", word, *following])
    close_verbs = get_close_matches(word.lower(), VERBS, n=1, cutoff=_MIN_SIMILARITY)
    return shlex.join(["ppi", close_verbs[0], *following]) if close_verbs else "ppi --help"
