"""The verbs of the command line, what each is for, and what somebody probably meant who wrote another word.

The modules are imported when their verb is used: a list of the verbs waits for none of them.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

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
    "ppi annotate": (
        "find",
        "extract",
        "run",
        "mine",
        "predict",
        "detect",
        "read",
        "explain",
        "interactions",
    ),
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
