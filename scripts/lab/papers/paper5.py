"""Tables 1 to 5 of the all-paths graph kernel article, ours beside theirs.

A. Airola, S. Pyysalo, J. Bjorne, T. Pahikkala, F. Ginter, T. Salakoski. All-paths graph kernel for protein-protein
interaction extraction with evaluation of cross-corpus learning. BMC Bioinformatics 9(Suppl 11):S2, 2008.

Run ``scripts/reproduce_paper5``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import corpora
from corpora.folds import document_folds, make_folds, read_folds
from corpora.source import atomic_folder
from lab.frame.program import run_program
from ppi.cli.arguments import add_worker_arguments
from ppi.evaluation.cross_corpus import CrossCorpusCell, corpus_names, cross_corpus, ranks
from ppi.evaluation.cross_validation import Evaluation, Settings, evaluate_repeatedly
from ppi.parallel.mapping import in_parallel

CORPORA = ("AImed", "BioInfer", "HPRD50", "IEPA", "LLL")

#: Table 1: P, R, F, sd of F, AUC, sd of AUC; precision and F of co-occurrence.
PUBLISHED_CROSS_VALIDATION = {
    "AImed": (52.9, 61.8, 56.4, 5.0, 84.8, 2.3, 17.8, 30.1),
    "BioInfer": (56.7, 67.2, 61.3, 5.2, 81.9, 4.9, 26.6, 41.7),
    "HPRD50": (64.3, 65.8, 63.4, 11.4, 79.7, 6.3, 38.9, 55.4),
    "IEPA": (69.6, 82.7, 75.1, 7.0, 85.1, 5.1, 40.8, 57.6),
    "LLL": (72.5, 87.2, 76.8, 17.8, 83.4, 12.2, 55.9, 70.3),
}

#: Tables 2 to 5, rows and columns in the order of CORPORA.
PUBLISHED_CROSS_CORPUS = {
    "auc": (
        (None, 67.7, 82.4, 76.1, 77.8),
        (77.8, None, 75.2, 79.3, 83.3),
        (72.5, 61.8, None, 74.9, 64.0),
        (70.2, 72.2, 80.0, None, 82.5),
        (61.8, 61.0, 69.4, 74.8, None),
    ),
    "f_training_threshold": (
        (None, 24.9, 64.6, 22.9, 17.7),
        (44.2, None, 63.6, 64.5, 76.4),
        (40.9, 27.2, None, 56.3, 45.5),
        (38.4, 47.0, 65.6, None, 77.0),
        (32.6, 42.2, 58.3, 63.9, None),
    ),
    "f_best_threshold": (
        (None, 47.1, 69.0, 67.4, 74.5),
        (47.2, None, 63.9, 68.0, 78.0),
        (42.2, 42.5, None, 65.1, 67.9),
        (39.1, 51.7, 67.5, None, 77.6),
        (33.3, 42.5, 59.8, 64.9, None),
    ),
    "f_class_share": (
        (None, 44.7, 65.6, 63.9, 70.1),
        (42.6, None, 62.0, 66.9, 75.6),
        (39.1, 40.0, None, 63.3, 58.5),
        (33.5, 48.4, 66.3, None, 77.4),
        (26.5, 38.7, 54.0, 63.0, None),
    ),
}
TITLES = {
    "auc": "Table 2: cross-corpus AUC (rank)",
    "f_training_threshold": "Table 3: cross-corpus F, threshold from the training corpus",
    "f_best_threshold": "Table 4: cross-corpus F, best threshold",
    "f_class_share": "Table 5: cross-corpus F, threshold from the test corpus's class share",
}


def cross_validate(
    names: Sequence[str],
    settings: Settings,
    seeds: Sequence[int],
    *,
    workers: int | None = None,
    scheduler: str | None = None,
) -> dict[str, list[Evaluation]]:
    """Each corpus with each seed; corpora side by side, as in :func:`~ppi.parallel.mapping.in_parallel`."""
    evaluate = partial(cross_validate_corpus, settings=settings, seeds=seeds)
    return dict(zip(names, in_parallel(evaluate, names, workers=workers, scheduler=scheduler), strict=True))


def cross_validate_corpus(name: str, *, settings: Settings, seeds: Sequence[int]) -> list[Evaluation]:
    """A result for each seed; AImed on its published folds, where that file is beside the corpus."""
    path = corpora.find(name)
    documents = corpora.load(path)
    published = path.parent / f"{name}-10fold.tsv"
    if published.exists():
        folds = [document_folds(documents, read_folds(published), path=published)]
    else:
        folds = [make_folds(documents, 10, seed=seed) for seed in seeds]
    return evaluate_repeatedly(name, documents, settings, folds=folds)


def table_1(results: dict[str, list[Evaluation]]) -> str:
    """Cross-validation, two lines a corpus."""
    lines = [
        "| corpus | | P | R | F | sd F | AUC | sd AUC | co-occ P | co-occ F |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, runs in results.items():
        lines.append(_line(name, "ours", _cross_validation_figures(runs)))
        if name in PUBLISHED_CROSS_VALIDATION:
            lines.append(_line("", "published", PUBLISHED_CROSS_VALIDATION[name]))
    return "\n".join(lines)


def cross_corpus_table(cells: Sequence[CrossCorpusCell], measure: str) -> str:
    """One of Tables 2 to 5: ours, then the published figure in brackets."""
    names = corpus_names(cells)
    values = {(cell.train, cell.test): 100 * getattr(cell, measure) for cell in cells}
    place = ranks(cells)
    lines = ["| trained on | " + " | ".join(names) + " |", "|" + "---|" * (len(names) + 1)]
    for train in dict.fromkeys(cell.train for cell in cells):
        row = []
        for test in names:
            if (train, test) not in values:
                row.append("-")
                continue
            text = f"{values[train, test]:.1f}"
            if measure == "auc" and (train, test) in place:
                text += f" ({place[train, test]:g})"
            published = _published(measure, train, test)
            row.append(text if published is None else f"{text} [{published:.1f}]")
        lines.append(f"| {train} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def page(results: dict[str, list[Evaluation]], cells: Sequence[CrossCorpusCell], settings: Settings) -> str:
    """All five tables."""
    first = next(iter(results.values()))[0]
    parts = [
        "# All-paths graph kernel: the published tables, ours beside theirs",
        f"Kernel `{settings.kernel}` (`{settings.variant}`), learner `{settings.learner}`, parse `{first.parser}`, "
        f"{first.written_by}. Percentages. AImed on the published folds, the others on folds made from the seeds (mean "
        "of seeds). Published figures in lines of their own or in square brackets.",
        "## Table 1: cross-validation",
        table_1(results),
    ]
    for measure, title in TITLES.items():
        parts += [f"## {title}", cross_corpus_table(cells, measure)]
    close = [
        cell for cell in cells if (wanted := _published("auc", cell.train, cell.test)) and 100 * cell.auc >= wanted - 3
    ]
    rated = [cell for cell in cells if _published("auc", cell.train, cell.test)]
    parts.append(f"{len(close)} of {len(rated)} AUC cells are within 3 points of Table 2 or above it.")
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute the tables and print them."""
    parser = argparse.ArgumentParser(prog="scripts/reproduce_paper5", description=__doc__)
    parser.add_argument("--corpora", nargs="+", default=list(CORPORA), metavar="CORPUS", help="files or names")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2], help="seeds of the folds (default: 0 1 2)")
    parser.add_argument("--variant", choices=("max", "sum"), default="max", help="(default: max)")
    parser.add_argument("--learner", default="sparse-rls", help="(default: sparse-rls)")
    parser.add_argument("--output", metavar="DIR", help="also write the page and all figures to this new folder")
    add_worker_arguments(parser)
    args = parser.parse_args(arguments)
    return run_program("scripts/reproduce_paper5", lambda: _reproduce(args))


def _reproduce(args: argparse.Namespace) -> int:
    settings = Settings(kernel="all-paths", variant=args.variant, learner=args.learner)
    who = {"workers": args.workers, "scheduler": args.scheduler}
    results = cross_validate(args.corpora, settings, args.seeds, **who)
    cells = cross_corpus({name: corpora.load(name) for name in args.corpora}, settings, **who)
    text = page(results, cells, settings)
    sys.stdout.write(text)
    if args.output:
        _write(Path(args.output), text, results, cells)
    return 0


def _write(folder: Path, text: str, results: dict[str, list[Evaluation]], cells: Sequence[CrossCorpusCell]) -> None:
    figures: dict[str, Any] = {
        "cross_validation": {name: [run.summary() for run in runs] for name, runs in results.items()},
        "cross_corpus": [cell.to_dict() for cell in cells],
    }
    with atomic_folder(folder) as made:
        (made / "paper5.md").write_text(text, encoding="utf-8")
        (made / "paper5.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")


def _cross_validation_figures(runs: Sequence[Evaluation]) -> tuple[float, ...]:
    summaries = [run.summary() for run in runs]

    def average(part: str, measure: str) -> float:
        return 100 * fmean(summary[part][measure] for summary in summaries)

    return (
        *(average("mean", measure) for measure in ("precision", "recall", "f")),
        average("std", "f"),
        average("mean", "auc"),
        average("std", "auc"),
        average("baseline", "precision"),
        average("baseline", "f"),
    )


def _line(name: str, whose: str, figures: Sequence[float]) -> str:
    return f"| {name} | {whose} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |"


def _published(measure: str, train: str, test: str) -> float | None:
    if train not in CORPORA or test not in CORPORA:
        return None
    return PUBLISHED_CROSS_CORPUS[measure][CORPORA.index(train)][CORPORA.index(test)]


if __name__ == "__main__":
    sys.exit(main())
