"""Learn from judged rows: make their candidates again from the sentences, change the model, score other rows anew.

A row of a run has a sentence and two mentions, and no parse: the sentence is parsed again, by the parser that the model
was trained with, and the other proteins in it are looked for again, since they are part of what the model sees.  Names
that only the whole document gives away are not found so, and a score can differ a little from the run's.

Everything that does not change with the judgements is kept for each row: features, the scores by the model without
feedback, and the products of judged rows with each other.  What is left for a click is the closed form.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora import Document, Entity, Pair, Sentence, Span, text_at
from kernels import CandidateGraph, SentenceGraph, sentence_candidates, sentence_graph
from ppi.annotation import MAX_SENTENCE_TOKENS, MODEL_FILE, Interaction, get_process_parser, is_protein
from ppi.core import CurationError, UsageError
from ppi.extraction import (
    INTERACTION,
    Extractor,
    Feedback,
    FeedbackRows,
    PairJudgement,
    PairPredictions,
    Prediction,
    apply_update,
    build_targets,
    compute_update,
    linear_scores,
    merge_judgements,
)
from ppi.language import DEFAULT_PARSER
from ppi.server.curation.active_learning import CandidatePool, LabelledPool, select_candidates
from ppi.server.curation.judgement import Judgement

#: Rows whose features are kept; some 30 kilobytes each.
MAX_CACHED_ROWS = 20_000
#: Sentences parsed at a time.
_BATCH_SENTENCES = 200


class PairInSentence(NamedTuple):
    """A pair in its sentence, by ids and words: what is judged, and what is ranked.

    ``first`` and ``second`` are the spans of the two mentions in the sentence, in text order, ``mentions`` their ids.
    """

    document: str
    pair: str
    sentence_id: str
    sentence: str
    first: tuple[Span, ...]
    second: tuple[Span, ...]
    mentions: tuple[str, str] = ("1", "2")

    @classmethod
    def of(cls, interaction: Interaction) -> Self:
        """The row of an interaction that was found."""
        first, second = interaction.proteins
        ids = (interaction.document, interaction.pair, interaction.sentence_id)
        return cls(*ids, interaction.sentence, first.spans, second.spans, (first.id, second.id))


@dataclass(frozen=True)
class CachedRow:
    """What is kept of a row: its candidate, features, and its scores by the model without feedback."""

    row: PairInSentence
    graph: CandidateGraph
    features: sp.csr_matrix
    prior: NDArray[np.float64]

    def restore_ids(self, prediction: Prediction) -> Prediction:
        """A prediction for the candidate with the row's own ids of the two mentions."""
        ids = dict(zip((self.graph.prot1, self.graph.prot2), self.row.mentions))
        return prediction._replace(agent=ids.get(prediction.agent or ""), target=ids.get(prediction.target or ""))


Cache = dict[PairInSentence, CachedRow]


@dataclass(frozen=True)
class FeedbackUpdate:
    """A model with feedback, and what it predicts for the rows that were asked for.

    Parameters
    ----------
    extractor
        The model; :meth:`~ppi.Extractor.save` writes it.
    predictions
        Of each row asked for, in their order; None for rows without a candidate (a protein with itself, a sentence of
        too many words).
    before
        The same without feedback.
    feedback
        What was judged, with the estimates by leaving judgements out; None if nothing was.
    left_out
        Judgements of rows without a candidate: they teach nothing.
    """

    extractor: Extractor
    predictions: tuple[Prediction | None, ...]
    before: tuple[Prediction | None, ...]
    feedback: Feedback | None
    left_out: int


class FeedbackModel:
    """A model that is changed by judgements again and again, from the same start.

    Parameters
    ----------
    model
        The start; None for the model that ships.
    parser
        What parses the sentences of rows.
    max_rows
        How many rows' features are kept.

    Notes
    -----
    Several threads may use one; they take turns.
    """

    def __init__(
        self, model: Extractor | None = None, *, parser: str = DEFAULT_PARSER, max_rows: int = MAX_CACHED_ROWS
    ) -> None:
        self.model = Extractor.load(MODEL_FILE) if model is None else model
        self.parser = parser
        self.max_rows = max_rows
        self._cache: dict[PairInSentence, CachedRow | None] = {}
        self._gram_cache = _GramCache()
        self._lock = threading.RLock()

    def learn(
        self,
        judged: Sequence[tuple[PairInSentence, PairJudgement]],
        rows: Sequence[PairInSentence] = (),
        *,
        regparam: float | None = None,
        conflicts: str = "majority",
        prevalence: float | None = None,
    ) -> FeedbackUpdate:
        """The model with these judgements and no others, and what it predicts for ``rows``.

        Parameters
        ----------
        judged
            All judgements that hold, of all curators; those of one document are left out together when it is
            estimated whether they help.
        rows
            What is to be scored anew.
        regparam, conflicts
            As for :meth:`ppi.Extractor.update`.
        prevalence
            As for :class:`ppi.Annotator`.
        """
        with self._lock:
            cached = self._lookup([*(row for row, _ in judged), *rows])
            usable = [(row, judgement) for row, judgement in judged if row in cached]
            extractor = self._update_model(usable, cached, regparam, conflicts) if usable else self.model
            return FeedbackUpdate(
                extractor,
                self._predict_rows(extractor, rows, cached, prevalence),
                self._predict_rows(self.model, rows, cached, prevalence),
                extractor.feedback_ if usable else None,
                len(judged) - len(usable),
            )

    def next_to_judge(
        self,
        strategy: str,
        judged: Sequence[tuple[PairInSentence, PairJudgement]],
        rows: Sequence[PairInSentence],
        count: int,
    ) -> list[PairInSentence]:
        """The most useful rows to judge next of those that are not judged yet, by a strategy of :data:`STRATEGIES`."""
        with self._lock:
            done = {row for row, _ in judged}
            update = self.learn(judged, rows)
            cached = self._lookup([*done, *rows])
            predicted = zip(rows, update.predictions)
            pool = [(row, prediction) for row, prediction in predicted if row not in done and prediction is not None]
            if not pool:
                return []
            X = _stack_features(cached[row] for row, _ in pool)
            scores = linear_scores(update.extractor, X)[:, 0]
            probabilities = np.array([prediction.probability for _, prediction in pool])
            chosen = select_candidates(
                strategy,
                CandidatePool(X, scores, probabilities),
                count,
                labelled=self._label_pool(update, [row for row in done if row in cached], cached),
                groups=[(row.document, row.sentence_id) for row, _ in pool],
            )
            return [pool[at][0] for at in chosen]

    def _label_pool(self, update: FeedbackUpdate, done: Sequence[PairInSentence], cached: Cache) -> LabelledPool | None:
        if not done or update.feedback is None:
            return None
        gram = self._gram_cache.of(done, cached)
        chosen = [estimate.regparam for estimate in update.feedback.estimates if estimate.output == INTERACTION]
        unit = float(np.mean(np.diagonal(gram))) or 1.0
        return LabelledPool(_stack_features(cached[row] for row in done), gram + unit, (chosen or [1.0])[0] * unit)

    def _update_model(
        self,
        usable: Sequence[tuple[PairInSentence, PairJudgement]],
        cached: Cache,
        regparam: float | None,
        conflicts: str,
    ) -> Extractor:
        judgements = [judgement for _, judgement in usable]
        targets = build_targets(judgements, self.model.outputs_)
        combination = merge_judgements([row for row, _ in usable], targets, conflicts=conflicts)
        once = [usable[at][0] for at in combination.first_rows]
        rows = FeedbackRows(
            _stack_features(cached[row] for row in once),
            self._gram_cache.of(once, cached),
            np.array([cached[row].prior for row in once]),
            combination.targets,
            np.array([row.document for row in once]),
        )
        change = compute_update(rows, self.model.outputs_, regparam=regparam)
        return apply_update(self.model, rows, change, judgements, disagreeing=combination.disagreeing)

    def _predict_rows(
        self, extractor: Extractor, rows: Sequence[PairInSentence], cached: Cache, prevalence: float | None
    ) -> tuple[Prediction | None, ...]:
        usable = [cached[row] for row in rows if row in cached]
        if not usable:
            return (None,) * len(rows)
        scores = np.array([entry.prior for entry in usable])
        if extractor is not self.model:
            scores = linear_scores(extractor, _stack_features(usable))
        graphs = [entry.graph for entry in usable]
        predictions = PairPredictions(extractor, graphs, prevalence=prevalence, scores=scores)
        by_row = {entry.row: entry.restore_ids(predictions[at]) for at, entry in enumerate(usable)}
        return tuple(by_row.get(row) for row in rows)

    def _lookup(self, rows: Iterable[PairInSentence]) -> Cache:
        """What is kept of those of these rows that have a candidate; made for those that are new."""
        unique_rows = dict.fromkeys(rows)
        new = [row for row in unique_rows if row not in self._cache]
        for start in range(0, len(new), _BATCH_SENTENCES):
            self._build_rows(new[start : start + _BATCH_SENTENCES])
        entries = {row: self._cache.pop(row) for row in unique_rows}
        self._cache.update(entries)  # last used, last dropped
        for row in list(self._cache)[: max(len(self._cache) - max(self.max_rows, len(unique_rows)), 0)]:
            del self._cache[row]
        return {row: entry for row, entry in entries.items() if entry is not None}

    def _build_rows(self, rows: Sequence[PairInSentence]) -> None:
        candidates = zip(rows, rebuild_candidates(rows, parser=self.parser))
        usable = [(row, graph) for row, graph in candidates if graph is not None]
        self._cache.update(dict.fromkeys(rows))
        if usable:
            X = self.model.feature_matrix([graph for _, graph in usable])
            prior = linear_scores(self.model, X)
            self._cache.update((row, CachedRow(row, graph, X[at], prior[at])) for at, (row, graph) in enumerate(usable))


class _GramCache:
    """Products of the features of judged rows with each other: each is computed once."""

    def __init__(self) -> None:
        self._places: dict[PairInSentence, int] = {}
        self._gram = np.zeros((0, 0))

    def of(self, rows: Sequence[PairInSentence], cached: Cache) -> NDArray[np.float64]:
        """X X^T of these rows."""
        new = [row for row in rows if row not in self._places]
        if new and len(self._places) > 2 * len(rows):  # most of what is kept was taken back since
            self._places, self._gram, new = {}, np.zeros((0, 0)), list(rows)
        before = len(self._gram)
        self._places.update((row, before + number) for number, row in enumerate(new))
        places = [self._places[row] for row in rows]
        if new:
            self._gram = np.pad(self._gram, (0, len(new)))
            X_new, X = _stack_features(cached[row] for row in new), _stack_features(cached[row] for row in rows)
            for place, products in enumerate((X_new @ X.T).toarray(), start=before):
                self._gram[place, places] = products
                self._gram[places, place] = products
        return self._gram[np.ix_(places, places)]


def _stack_features(entries: Iterable[CachedRow]) -> sp.csr_matrix:
    return sp.vstack([entry.features for entry in entries], format="csr")


def rebuild_candidates(rows: Sequence[PairInSentence], *, parser: str = DEFAULT_PARSER) -> list[CandidateGraph | None]:
    """The candidate of each row, from its sentence; None for one mention twice and for sentences of too many words.

    UsageError if a mention is not in its sentence.
    """
    for row in rows:
        for spans in (row.first, row.second):
            if not spans or not all(0 <= start < end <= len(row.sentence) for start, end in spans):
                raise UsageError(
                    f"expected mentions within the {len(row.sentence)} characters of the sentence, got {spans!r} in "
                    f"pair {row.pair!r} of document {row.document!r}"
                )
    texts = list(dict.fromkeys(row.sentence for row in rows if row.first != row.second))
    sentence_parser = get_process_parser(parser)
    # names only: no sentence has a pair that is to be parsed
    named = sentence_parser.parse(
        [Document(str(number), (Sentence(str(number), text),)) for number, text in enumerate(texts)],
        names=True,
        pairs_of=lambda entity: False,
    )
    names = {text: _proteins(document) for text, document in zip(texts, named)}
    mentions = [_mentions(row, names.get(row.sentence, ())) for row in rows]
    # rows of one sentence that have the same mentions, as most have, share its parse
    shared = dict.fromkeys((row.sentence, spans) for row, spans in zip(rows, mentions) if row.first != row.second)
    documents = []
    for text, spans_of_mentions in shared:
        entities = tuple(Entity(_id(spans), text_at(text, spans), spans) for spans in spans_of_mentions)
        # called by its words, so that two sentences of a document are two
        id = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        documents.append(Document("d", (Sentence(id, text, entities),)))
    parsed = sentence_parser.parse(documents, names=False, split=False)
    bases = {key: sentence_graph(document.sentences[0]) for key, document in zip(shared, parsed)}
    return [_graph(row, bases.get((row.sentence, spans))) for row, spans in zip(rows, mentions)]


def _proteins(document: Document) -> list[tuple[Span, ...]]:
    """Spans of the proteins that were found, relative to the text."""
    return [
        tuple((start + sentence.offset, end + sentence.offset) for start, end in entity.spans)
        for sentence in document.sentences
        for entity in sentence.entities
        if is_protein(entity)
    ]


def _mentions(row: PairInSentence, names: Iterable[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """The two mentions and whatever else is called a protein beside them, in text order."""
    pair_spans = {row.first, row.second}
    taken = [span for spans in pair_spans for span in spans]
    others = {
        spans
        for spans in names
        if not any(start < until and begin < end for start, end in spans for begin, until in taken)
    }
    return tuple(sorted(pair_spans | others))


def _id(spans: tuple[Span, ...]) -> str:
    """A mention is called by its place."""
    return " ".join(f"{start}-{end}" for start, end in spans)


def _graph(row: PairInSentence, base: SentenceGraph | None) -> CandidateGraph | None:
    if base is None or row.first == row.second or base.n_tokens > MAX_SENTENCE_TOKENS:
        return None
    pair = Pair(row.pair, _id(row.first), _id(row.second))
    (graph,) = sentence_candidates(base, [pair], document_id=row.document)
    return graph


def training_labels(judgements: Iterable[Judgement]) -> list[tuple[PairInSentence, PairJudgement]]:
    """What each judgement is about, and what a model can learn from it."""
    return [(PairInSentence.of(judgement.interaction), judgement.training_label) for judgement in judgements]


def train_with_feedback(
    judgements: Iterable[Judgement],
    *,
    model: str | Path | None = None,
    parser: str | None = None,
    regparam: float | None = None,
) -> FeedbackUpdate:
    """A model with feedback, to be saved as any other (:meth:`ppi.Extractor.save`).

    Parameters
    ----------
    judgements
        All that hold, of all curators; of those who disagree the majority is heard.
    model
        What to begin with; None is the model that ships.
    parser
        What parses the judged sentences; None is the one that the shipped model was trained with.
    regparam
        As for :meth:`ppi.Extractor.update`.

    Raises
    ------
    CurationError
        If there is nothing that a model could learn from.
    """
    start_model = None if model is None else Extractor.load(model)
    feedback_model = FeedbackModel(start_model, parser=parser or DEFAULT_PARSER)
    update = feedback_model.learn(training_labels(judgements), regparam=regparam)
    if update.feedback is None:
        raise CurationError("expected judgements of two proteins in a sentence, got none; judge some first")
    return update
