"""Train, measure and package the language pipeline.

The folder of corpora holds text/, treebanks/, ner/ and lexicon/ (scripts/lab/training/pipeline/run.py names the files).
Word vectors are made first, then tagger and parser in two stages (between them a teacher, which parses unlabelled
text), then the name finder.  Finished parts in --work are used again; delete them to train anew.  --parser-from takes
tagger and parser from an existing pipeline, such as ppi/language/model, --names-from the name finder, and these are not
trained.  The settings are in vectors.toml, stages.toml, parser.cfg, teacher.toml and names.toml of
scripts/lab/training/pipeline, and --set parser:treebanks.steps=500 or --set names:training.epochs=3 overrides one.
Training needs gensim and PyTorch: pip install 'ppi-miner[train]'.  On one core the whole job takes about three hours.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lab.frame.program import ROOT, corpora_folder, run_program
from ppi.core import UsageError


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
    add("--names-from", type=Path, metavar="PIPELINE", help="the name finder is taken from here")
    add("--set", action="append", default=[], metavar="PART:KEY=VALUE", help="override a setting; the value is JSON")
    args = parser.parse_args(arguments)
    return run_program("scripts/train_pipeline", lambda: _train(args))


def _train(args: argparse.Namespace) -> int:
    sources_folder, overrides = corpora_folder(args.corpora), parsed_overrides(args.set)
    vectors = args.work / "vectors"
    parser = args.parser_from or args.work / "parser" / "model-best"
    names = args.names_from or args.work / "names" / "model-last"
    for given in (args.parser_from, args.names_from):
        if given and not (given / "config.cfg").is_file():
            raise UsageError(f"expected a trained pipeline (with a config.cfg) in {str(given)!r}, got none")
    trained = {"vectors": vectors, "parser": parser, "names": names}
    for part, path in trained.items():
        if overrides[part] and path.exists():
            raise UsageError(f"expected no --set {part}:..., as {str(path)!r} is trained already; delete it first")

    from lab.training.pipeline.gradient_training import require_torch
    from lab.training.pipeline.name_training import name_settings
    from lab.training.pipeline.parser_training import stage_settings
    from lab.training.pipeline.run import Sources, build, finished, report, train_names, train_parser
    from lab.training.pipeline.vectors import require_gensim, train_vectors, vector_settings

    if not (names.exists() and parser.exists()):
        # what is wrong with a later part is better said before the first is trained
        require_torch()
        name_settings(overrides["names"])
        stage_settings(overrides["parser"])
    sources = Sources(sources_folder)
    if not vectors.exists() and not (parser.exists() and names.exists()):
        require_gensim()
        vector_settings(overrides["vectors"])
        finished(vectors, lambda folder: train_vectors(sources.text, folder, **overrides["vectors"]))
    if not parser.exists():
        finished(args.work / "parser", partial(train_parser, sources, vectors, args.work, **overrides["parser"]))
    if not names.exists():
        finished(args.work / "names", partial(train_names, sources, vectors, **overrides["names"]))
    print(report(build(sources, parser, names, args.output)))
    return 0


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
            parts = ", ".join(f"{name}:KEY=VALUE" for name in overrides)
            raise UsageError(f"expected one of {parts}, got {item!r}")
        try:
            overrides[part][key] = json.loads(value)
        except ValueError:
            raise UsageError(
                f'expected a value in JSON, such as 3, 0.5, true or "text", got {value!r} in {item!r}'
            ) from None
    return overrides


if __name__ == "__main__":
    sys.exit(main())
