"""What reranking does for extraction: the shipped parser's own parse against the best of its reranked beam."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import corpora
from corpora import Dependency, Document, Sentence, make_folds
from ppi.evaluation import evaluate_repeatedly
from ppi.extraction import Settings
from ppi.language import SHIPPED, parse_documents

RERANKED = "shipped:rerank"
CORPORA = ("HPRD50", "IEPA", "LLL")


def extraction_figures(
    name: str,
    *,
    kernel: str = "all-paths",
    seeds: Sequence[int] = (0, 1, 2),
    limit: int | None = None,
) -> dict[str, Any]:
    """Mean AUC and F of a corpus with either parse, on the same folds (one set per seed).

    Parameters
    ----------
    limit
        Documents to use, for a quick look.
    """
    documents = [document for document in corpora.load(name) if document.sentences][:limit]
    folds = [make_folds(documents, 10, seed=seed) for seed in seeds]
    first, reranked = (
        list(parse_documents(documents, parser, split=False, keep_parses=False)) for parser in (SHIPPED, RERANKED)
    )
    figures: dict[str, Any] = {"corpus": name, "seeds": list(seeds), "changed": _changed(first, reranked)}
    for parse, parsed in (("first", first), ("reranked", reranked)):
        runs = evaluate_repeatedly(name, parsed, Settings(kernel=kernel, learner="rls"), folds=folds)
        means = [run.summary()["mean"] for run in runs]
        figures[parse] = {measure: fmean(mean[measure] for mean in means) for measure in ("auc", "f")}
    return figures


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
