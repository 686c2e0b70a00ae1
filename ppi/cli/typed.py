"""``--types`` of ``ppi evaluate`` and ``ppi cross-corpus``: the typed protocol."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppi.cli.arguments import RIDGE_MIN_DOCUMENTS, corpus_name, settings_of
from ppi.cli.gold import load_said
from ppi.errors import UsageError
from ppi.extraction.settings import Settings

_HEAD = ("corpus", "output", "pairs", "positive", "AP", "ECE", "right")


def print_left_out(args: argparse.Namespace, groups: Sequence[Sequence[str]]) -> int:
    """Train on each group of corpora with parts left out, and print the figures as a table or as JSON."""
    from ppi.evaluation.left_out import train_left_out

    settings = _settings(args)
    rows: list[dict[str, Any]] = []
    for names in groups:
        documents = {corpus_name(name): load_said(args, name) for name in names}
        rows += train_left_out(documents, settings)[1].rows()
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    lines = [_HEAD, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEAD))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    """Those of the command line, with what types need where nothing else was asked for."""
    plain, given = Settings(), settings_of(args)
    if given.learner not in (plain.learner, "ridge"):
        raise UsageError(f"expected the learner ridge with --types, got {given.learner!r}")
    kernel = "composite" if given.kernel == plain.kernel else given.kernel
    return replace(given, kernel=kernel, learner="ridge", min_documents=args.min_documents or RIDGE_MIN_DOCUMENTS)


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
