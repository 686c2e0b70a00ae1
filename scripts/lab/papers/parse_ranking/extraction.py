"""What reranking does for extraction: the shipped parser's own parse against the best of its reranked beam."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import corpora
from corpora.folds import make_folds
from corpora.types import Dependency, Document, Sentence
from ppi.evaluation.cross_validation import Settings, evaluate_repeatedly
from ppi.parse_ranking.generators import Generator, get_generator
from ppi.parse_ranking.ranker import ParseRanker
from ppi.parse_ranking.reranking import rank_sentences
from ppi.parsing import parse_documents
from ppi.parsing.collapse import collapse

CORPORA = ("HPRD50", "IEPA", "LLL")


def extraction_figures(
    name: str,
    *,
    kernel: str = "all-paths",
    seeds: Sequence[int] = (0, 1, 2),
    most: int = 20,
    limit: int | None = None,
) -> dict[str, Any]:
    """Mean AUC and F of a corpus with either parse, on the same folds (one set per seed).

    Parameters
    ----------
    most
        Parses of the beam to choose from.
    limit
        Documents to use, for a quick look.
    """
    documents = [document for document in corpora.load(name) if document.sentences][:limit]
    folds = [make_folds(documents, 10, seed=seed) for seed in seeds]
    ranker = ParseRanker.shipped("beam")
    first = list(parse_documents(documents, "shipped", split=False, keep_parses=False))
    reranked = list(_collapsed(best_parses(documents, get_generator("beam"), ranker, most=most)))
    figures: dict[str, Any] = {"corpus": name, "seeds": list(seeds), "changed": _changed(first, reranked)}
    for parse, parsed in (("first", first), ("reranked", reranked)):
        runs = evaluate_repeatedly(name, parsed, Settings(kernel=kernel, learner="rls"), folds=folds)
        means = [run.summary()["mean"] for run in runs]
        figures[parse] = {measure: fmean(mean[measure] for mean in means) for measure in ("auc", "f")}
    return figures


def best_parses(
    documents: Iterable[Document], generator: Generator, ranker: ParseRanker, *, most: int = 20
) -> Iterator[Document]:
    """The documents with the best-ranked parse as the only parse of each sentence, everything else as it was."""
    kept = list(documents)
    ranked = rank_sentences(kept, generator, ranker, most=most, top=1)
    for document in kept:
        sentences = []
        for _ in document.sentences:
            one = next(ranked)
            sentences.append(replace(one.sentence, parses=tuple(parse.candidate.graph for parse in one.parses)))
        yield replace(document, sentences=tuple(sentences))
    next(ranked, None)  # lets the generator end, and count its failures


def _collapsed(documents: Iterable[Document]) -> Iterable[Document]:
    for document in documents:
        sentences = [
            replace(sentence, parses=tuple(collapse(graph) for graph in sentence.parses))
            for sentence in document.sentences
        ]
        yield replace(document, sentences=tuple(sentences))


def _changed(first: Sequence[Document], second: Sequence[Document]) -> float:
    """The share of sentences whose two parses differ."""
    pairs = [
        (one, two)
        for a, b in zip(first, second, strict=True)
        for one, two in zip(a.sentences, b.sentences, strict=True)
    ]
    return sum(_arcs(one) != _arcs(two) for one, two in pairs) / len(pairs)


def _arcs(sentence: Sentence) -> set[Dependency]:
    return {arc for graph in sentence.parses for arc in graph.dependencies}
