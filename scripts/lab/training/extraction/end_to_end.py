"""End to end: raw text of an annotated corpus in, interactions out, against what the annotators wrote.

The proteins are those that the name finder finds.  A predicted pair is right if its two mentions overlap the two of a
pair annotated as interacting, in the same sentence; one predicted pair matches at most one annotated pair and the
other way round, the more probable first.  Everything else that is predicted is wrong, also a second prediction of a
pair that is already matched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from corpora import Document, Span
from learners import precision_recall_f
from ppi.annotation import Annotator

#: Characters of the corpus's sentence that a mention covers.
_Mention = tuple[Span, ...]
_GoldPair = tuple[_Mention, _Mention]


@dataclass(frozen=True)
class EndToEnd:
    """Figures of one corpus.

    ``recall_of_all`` is the recall if every pair of found mentions were predicted: what the name finder allows.
    ``curve`` has (probability, precision, recall) at each step down the ranking.
    """

    documents: int
    annotated_pairs: int
    threshold: float
    predicted: int
    right: int
    precision: float
    recall: float
    f: float
    recall_of_all: float
    average_precision: float
    mentions: int
    mentions_found: int
    curve: tuple[tuple[float, float, float], ...]

    def at(self, least: float) -> dict[str, float] | None:
        """Precision and recall of the predictions that are at least so probable; None if there are none."""
        above = [point for point in self.curve if point[0] >= least]
        return {"precision": above[-1][1], "recall": above[-1][2]} if above else None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**asdict(self), "curve": [list(point) for point in self.curve]}


def evaluate_end_to_end(documents: Sequence[Document], annotator: Annotator, *, threshold: float = 0.5) -> EndToEnd:
    """Annotate the bare text of ``documents`` and compare with their annotation."""
    gold, mentions = _gold(documents)
    ranked: list[tuple[float, str, _GoldPair]] = []
    found_mentions: dict[str, list[_Mention]] = defaultdict(list)
    offsets = {sentence.id: sentence.offset for document in documents for sentence in document.sentences}
    bare = [_bare(document) for document in documents]
    for annotated in annotator.annotate_documents(bare, min_probability=0.0):
        home = {each.id: _home(each.id, offsets) for each in annotated.document.sentences}
        for sentence in annotated.document.sentences:
            start = sentence.offset - offsets[home[sentence.id]]
            found_mentions[home[sentence.id]].extend(_moved(entity.spans, start) for entity in sentence.entities)
        for one in annotated.interactions:
            start = one.offset - offsets[home[one.sentence_id]]
            # corpora annotate pairs of mentions: other names of a statement are pairs, and homodimers are none
            said = [(one.proteins, one.probability), *((alias.proteins, alias.probability) for alias in one.aliases)]
            for (first, second), probability in said if not one.homo else ():
                pair = _moved(first.spans, start), _moved(second.spans, start)
                ranked.append((probability, home[one.sentence_id], pair))
    ranked.sort(key=lambda each: (-each[0], each[1:]))
    right = _matches(ranked, gold)
    n_gold = sum(map(len, gold.values()))
    found = sum(
        any(_overlap(mention, other) for other in found_mentions[id])
        for id, some in mentions.items()
        for mention in some
    )
    n_mentions = sum(map(len, mentions.values()))
    return _figures([each[0] for each in ranked], right, n_gold, len(documents), n_mentions, found, threshold)


def _gold(documents: Sequence[Document]) -> tuple[dict[str, list[_GoldPair]], dict[str, list[_Mention]]]:
    """The pairs that interact, each once, and all mentions, by sentence."""
    pairs: dict[str, list[_GoldPair]] = {}
    mentions: dict[str, list[_Mention]] = {}
    for document in documents:
        for sentence in document.sentences:
            spans = {entity.id: entity.spans for entity in sentence.entities}
            joined = {frozenset((pair.e1, pair.e2)) for pair in sentence.pairs if pair.label and not pair.is_self}
            ordered = sorted(tuple(sorted(each)) for each in joined)
            pairs[sentence.id] = [(spans[first], spans[second]) for first, second in ordered]
            mentions[sentence.id] = list(spans.values())
    return pairs, mentions


def _bare(document: Document) -> Document:
    sentences = tuple(replace(each, entities=(), pairs=(), parses=()) for each in document.sentences)
    return replace(document, sentences=sentences, relations=())


def _home(id: str, known: dict[str, int]) -> str:
    """The corpus's sentence that a sentence is, or is a part of."""
    return id if id in known else id.rpartition(".")[0]


def _moved(spans: _Mention, by: int) -> _Mention:
    return tuple((start + by, end + by) for start, end in spans)


def _overlap(first: _Mention, second: _Mention) -> int:
    """Characters in common."""
    return sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in first for b in second)


def _matches(ranked: Sequence[tuple[float, str, _GoldPair]], gold: dict[str, list[_GoldPair]]) -> np.ndarray:
    """Which predictions are right: each takes, of the pairs still free, the one it overlaps most."""
    free = {id: list(pairs) for id, pairs in gold.items()}
    right = np.zeros(len(ranked), dtype=np.bool_)
    for at, (_, id, pair) in enumerate(ranked):
        fits = [(_fit(pair, other), number) for number, other in enumerate(free[id])]
        best = max(fits, default=(0, -1))
        if best[0]:
            right[at] = True
            del free[id][best[1]]
    return right


def _fit(pair: _GoldPair, other: _GoldPair) -> int:
    """Characters in common, if both mentions overlap, in either order."""
    ways = [
        (_overlap(pair[0], other[0]), _overlap(pair[1], other[1])),
        (_overlap(pair[0], other[1]), _overlap(pair[1], other[0])),
    ]
    return max((sum(way) for way in ways if all(way)), default=0)


def _figures(
    probabilities: Sequence[float],
    right: np.ndarray,
    n_gold: int,
    n_documents: int,
    n_mentions: int,
    n_found: int,
    threshold: float,
) -> EndToEnd:
    p = np.asarray(probabilities)
    hits, places = np.cumsum(right), np.arange(1, len(right) + 1)
    last_of_ties = np.flatnonzero(np.append(np.diff(p) != 0, True)) if len(p) else np.zeros(0, dtype=int)
    precision, recall = hits[last_of_ties] / places[last_of_ties], hits[last_of_ties] / max(n_gold, 1)
    steps = np.diff(recall, prepend=0.0)
    n_predicted = int(np.sum(p >= threshold))
    n_right = int(np.sum(right[:n_predicted]))
    precision_there, recall_there, f_there = precision_recall_f(n_right, n_predicted, n_gold)
    return EndToEnd(
        documents=n_documents,
        annotated_pairs=n_gold,
        threshold=threshold,
        predicted=n_predicted,
        right=n_right,
        precision=precision_there,
        recall=recall_there,
        f=f_there,
        recall_of_all=float(recall[-1]) if len(recall) else 0.0,
        average_precision=float(precision @ steps),
        mentions=n_mentions,
        mentions_found=n_found,
        curve=tuple(zip(p[last_of_ties].tolist(), precision.tolist(), recall.tolist())),
    )
