"""Train, measure and package the language pipeline.

The folder of corpora holds text/, treebanks/, ner/ and lexicon/ (scripts/lab/training/pipeline/run.py names the files).
Word vectors are made first, then tagger and parser, then the name finder.  Finished parts in --work are used again;
delete them to train anew.  --parser-from takes tagger and parser from an existing pipeline, such as ppi/pipeline/model,
and does not train them.  The settings are in vectors.toml, parser.cfg and names.toml of scripts/lab/training/pipeline,
and --set parser:vars.steps=500 or --set names:training.epochs=3 overrides one.  Training needs gensim and PyTorch:
pip install 'ppi-miner[train]'.  On one core the whole job takes about two hours.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lab.frame.program import ROOT, corpora_folder, run_program
from ppi.errors import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Train what is not trained yet, put it together, and print the scores."""
    parser = argparse.ArgumentParser(
        prog="scripts/train_pipeline", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--corpora", type=Path, metavar="FOLDER", help="(default: the variable PPI_CORPORA)")
    add("--output", type=Path, required=True, metavar="FOLDER", help="the pipeline")
    add("--work", type=Path, default=ROOT / "build" / "pipeline", metavar="FOLDER", help="(default: build/pipeline)")
    add("--parser-from", type=Path, metavar="PIPELINE", help="tagger and parser are taken from here")
    add("--set", action="append", default=[], metavar="PART:KEY=VALUE", help="override a setting; the value is JSON")
    args = parser.parse_args(arguments)
    return run_program("scripts/train_pipeline", lambda: _train(args))


def _train(args: argparse.Namespace) -> int:
    sources_folder, overrides = corpora_folder(args.corpora), parsed_overrides(args.set)
    vectors = args.work / "vectors"
    parser = args.parser_from or args.work / "parser" / "model-best"
    names = args.work / "names" / "model-last"
    if args.parser_from and not (args.parser_from / "config.cfg").is_file():
        raise UsageError(f"expected a trained pipeline (with a config.cfg) in {str(args.parser_from)!r}, got none")
    for part, trained in (("vectors", vectors), ("parser", parser), ("names", names)):
        if overrides[part] and trained.exists():
            raise UsageError(f"expected no --set {part}:..., as {str(trained)!r} is trained already; delete it first")

    from lab.training.pipeline.name_training import name_settings, require_torch
    from lab.training.pipeline.run import Sources, build, report, train_names, train_parser
    from lab.training.pipeline.vectors import require_gensim, train_vectors, vector_settings

    if not names.exists():  # what is wrong with the second part is better said before the first is trained
        require_torch()
        name_settings(overrides["names"])
    sources = Sources(sources_folder)
    if not vectors.exists() and not (parser.exists() and names.exists()):
        require_gensim()
        vector_settings(overrides["vectors"])
        trained_whole(vectors, lambda folder: train_vectors(sources.text, folder, **overrides["vectors"]))
    if not parser.exists():
        trained_whole(args.work / "parser", partial(train_parser, sources, vectors, **overrides["parser"]))
    if not names.exists():
        trained_whole(args.work / "names", partial(train_names, sources, vectors, **overrides["names"]))
    print(report(build(sources, parser, names, args.output)))
    return 0


def trained_whole(folder: Path, train: Callable[[Path], object]) -> None:
    """Train into ``folder``, which has that name only when training has ended: checkpoints are no trained model."""
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    train(unfinished)
    unfinished.rename(folder)


def parsed_overrides(given: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Settings of word vectors, parser and name finder, from ``PART:KEY=VALUE``.

    >>> parsed_overrides(["names:training.epochs=3"])
    {'vectors': {}, 'parser': {}, 'names': {'training.epochs': 3}}
    """
    overrides: dict[str, dict[str, Any]] = {"vectors": {}, "parser": {}, "names": {}}
    for item in given:
        part, _, setting = item.partition(":")
        key, _, value = setting.partition("=")
        if part not in overrides or not value:
            raise UsageError(f"expected vectors:KEY=VALUE, parser:KEY=VALUE or names:KEY=VALUE, got {item!r}")
        try:
            overrides[part][key] = json.loads(value)
        except ValueError:
            raise UsageError(
                f'expected a value in JSON, such as 3, 0.5, true or "text", got {value!r} in {item!r}'
            ) from None
    return overrides


if __name__ == "__main__":
    sys.exit(main())
