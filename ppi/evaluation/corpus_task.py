"""The evaluation of one corpus as a task that any process can do: names in, results out."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from corpora.errors import Problem
from corpora.folds import document_folds, make_folds, read_folds
from corpora.source import file_stem
from ppi.evaluation.cross_validation import Evaluation, evaluate_repeatedly
from ppi.evaluation.model_evaluation import ModelEvaluation, evaluate_model, resolve_parser
from ppi.evaluation.parsed import load_gold, load_parsed
from ppi.evaluation.seen import find_training_overlap
from ppi.extraction import Extractor
from ppi.extraction.settings import Settings


@dataclass(frozen=True)
class CorpusTask:
    """One corpus to evaluate: its folds share a decomposition, so they are done together, by one process.

    Parameters
    ----------
    name
        File, or name looked up in PPI_CORPORA; so are ``extra``, the corpora whose models every fold may start from.
    parser
        As in :func:`~ppi.evaluation.parsed.load_gold`.
    folds
        TSV of fold and document id; None makes ``n_folds`` for each of ``seeds``.
    negatives, relations
        As in :func:`~ppi.extraction.gold.gold`.
    """

    name: str
    settings: Settings
    parser: str | None = None
    folds: str | None = None
    n_folds: int = 10
    seeds: tuple[int, ...] = (0,)
    extra: tuple[str, ...] = ()
    negatives: str = "auto"
    relations: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ModelTask:
    """One corpus on which a trained model is judged.

    Parameters
    ----------
    name, parser, negatives, relations
        As in :class:`CorpusTask`; without a parser it is that of the model's training.
    model
        The model's file.
    called
        What the model is called in figures.
    """

    name: str
    model: str
    model_name: str
    parser: str | None = None
    negatives: str = "auto"
    relations: tuple[str, ...] | None = None


def evaluate_corpus(task: CorpusTask) -> list[Evaluation]:
    """A result for each seed."""
    start = time.perf_counter()
    problems: list[Problem] = []
    gold = load_gold(task.name, task.parser, negatives=task.negatives, relations=task.relations, problems=problems)
    read_seconds = time.perf_counter() - start
    seeds: tuple[int | None, ...] = task.seeds
    if task.folds:
        folds, seeds = [document_folds(gold.documents, read_folds(task.folds), path=task.folds)], (None,)
    else:
        folds = [make_folds(gold.documents, task.n_folds, seed=seed) for seed in task.seeds]
    extra = {file_stem(name): load_parsed(name, task.parser) for name in task.extra}
    evaluations = evaluate_repeatedly(
        file_stem(task.name),
        gold.documents,
        task.settings,
        folds=folds,
        extra=extra,
        read_seconds=read_seconds,
        concepts=gold.concepts,
    )
    problem_texts = tuple(map(str, problems))
    return [
        replace(result, seed=seed, counts=gold.counts, notes=gold.notes, problems=problem_texts)
        for result, seed in zip(evaluations, seeds, strict=True)
    ]


def evaluate_trained_model(task: ModelTask) -> ModelEvaluation:
    """What a model is worth on a corpus."""
    start = time.perf_counter()
    extractor = Extractor.load(task.model)
    parser = resolve_parser(extractor, task.parser)
    problems: list[Problem] = []
    gold = load_gold(task.name, parser, negatives=task.negatives, relations=task.relations, problems=problems)
    loaded_at = time.perf_counter()
    corpus = file_stem(task.name)
    training_overlap = find_training_overlap(extractor.facts_, corpus, gold.documents)
    result = evaluate_model(
        corpus,
        gold,
        extractor,
        model=task.model_name,
        parser=parser,
        training_overlap=training_overlap,
        seconds={"read": loaded_at - start, "seen": time.perf_counter() - loaded_at},
    )
    return replace(result, problems=tuple(map(str, problems)))
