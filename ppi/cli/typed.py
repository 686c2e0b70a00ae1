"""``--types`` of ``ppi evaluate`` and ``ppi cross-corpus``: the typed protocol."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppi.cli.arguments import RIDGE_MIN_DOCUMENTS, corpus_name, settings_of
from ppi.cli.gold import load_gold_documents
from ppi.errors import UsageError
from ppi.extraction.settings import Settings

_HEADINGS = ("corpus", "output", "pairs", "positive", "AP", "ECE", "right")


def print_holdout(args: argparse.Namespace, groups: Sequence[Sequence[str]]) -> int:
    """Train on each group of corpora with parts left out, and print the figures as a table or as JSON."""
    from ppi.evaluation.left_out import train_with_holdout

    settings = _typed_settings(args)
    rows: list[dict[str, Any]] = []
    for names in groups:
        documents = {corpus_name(name): load_gold_documents(args, name) for name in names}
        rows += train_with_holdout(documents, settings)[1].rows()
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    lines = [_HEADINGS, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    return 0


def _typed_settings(args: argparse.Namespace) -> Settings:
    """Those of the command line, with what types need where nothing else was asked for."""
    defaults, settings = Settings(), settings_of(args)
    if settings.learner not in (defaults.learner, "ridge"):
        raise UsageError(f"expected the learner ridge with --types, got {settings.learner!r}")
    kernel = "composite" if settings.kernel == defaults.kernel else settings.kernel
    return replace(settings, kernel=kernel, learner="ridge", min_documents=args.min_documents or RIDGE_MIN_DOCUMENTS)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    figures = (
        _percent(row.get("average_precision")),
        _error(row.get("calibration_error")),
        _percent(row.get("accuracy")),
    )
    return (row["corpus"], row["output"], str(row["pairs"]), str(row["positive"]), *figures)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def _error(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
