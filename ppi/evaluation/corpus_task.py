"""The evaluation of one corpus as a task that any process can do: names in, results out."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from corpora.folds import document_folds, make_folds, read_folds
from corpora.source import file_stem
from ppi.evaluation.cross_validation import Evaluation, evaluate_repeatedly
from ppi.evaluation.parsed import load_parsed
from ppi.extraction.settings import Settings


@dataclass(frozen=True)
class CorpusTask:
    """One corpus to evaluate: its folds share a decomposition, so they are done together, by one process.

    Parameters
    ----------
    name
        File, or name looked up in PPI_CORPORA; so are ``extra``, the corpora whose models every fold may start from.
    parser
        As in :func:`~ppi.evaluation.parsed.load_parsed`.
    folds
        TSV of fold and document id; None makes ``n_folds`` for each of ``seeds``.
    """

    name: str
    settings: Settings
    parser: str | None = None
    folds: str | None = None
    n_folds: int = 10
    seeds: tuple[int, ...] = (0,)
    extra: tuple[str, ...] = ()


def evaluate_corpus(task: CorpusTask) -> list[Evaluation]:
    """A result for each seed."""
    start = time.perf_counter()
    documents = load_parsed(task.name, task.parser)
    read_seconds = time.perf_counter() - start
    seeds: tuple[int | None, ...] = task.seeds
    if task.folds:
        folds, seeds = [document_folds(documents, read_folds(task.folds), path=task.folds)], (None,)
    else:
        folds = [make_folds(documents, task.n_folds, seed=seed) for seed in task.seeds]
    extra = {file_stem(name): load_parsed(name, task.parser) for name in task.extra}
    found = evaluate_repeatedly(
        file_stem(task.name), documents, task.settings, folds=folds, extra=extra, read_seconds=read_seconds
    )
    return [replace(result, seed=seed) for result, seed in zip(found, seeds, strict=True)]
