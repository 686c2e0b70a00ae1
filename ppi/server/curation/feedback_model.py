"""Judged rows as feedback: their candidates made again from the sentences, the model changed, other rows scored anew.

A row of a run has a sentence and two mentions, and no parse: the sentence is parsed again, by the parser that the model
was trained with, and the other proteins in it are looked for again, since they are part of what the model sees.  Names
that only the whole document gives away are not found so, and a score can differ a little from the run's.

Everything that does not change with the judgements is kept for each row: features, what the model without feedback
says, and the products of judged rows with each other.  What is left for a click is the closed form.
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
    learn,
    linear_scores,
    merge_judgements,
)
from ppi.extraction import PairJudgement as Lesson
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
        return cls(
            interaction.document,
            interaction.pair,
            interaction.sentence_id,
            interaction.sentence,
            first.spans,
            second.spans,
            (first.id, second.id),
        )


@dataclass(frozen=True)
class CachedRow:
    """What is kept of a row: its candidate, features, and what the model without feedback says of it."""

    row: PairInSentence
    graph: CandidateGraph
    features: sp.csr_matrix
    prior: NDArray[np.float64]

    def restore_ids(self, reading: Prediction) -> Prediction:
        """A reading of the candidate with the row's own ids of the two mentions."""
        ids = dict(zip((self.graph.prot1, self.graph.prot2), self.row.mentions))
        return reading._replace(agent=ids.get(reading.agent or ""), target=ids.get(reading.target or ""))


@dataclass(frozen=True)
class FeedbackUpdate:
    """A model with feedback, and what it says of the rows that were asked for.

    Parameters
    ----------
    extractor
        The model; :meth:`~ppi.Extractor.save` writes it.
    readings
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
    most_rows
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
        """The model with these judgements and no others, and what it says of ``rows``.

        Parameters
        ----------
        judged
            All judgements that hold, of all curators; those of one document are left out together when it is
            estimated whether they help.
        rows
            What is to be scored anew.
        regparam, conflicts
            As for :meth:`ppi.Extractor.update`.
        share
            As for :class:`ppi.Annotator`.
        """
        with self._lock:
            cached = self._lookup([*(row for row, _ in judged), *rows])
            usable = [(row, judgement) for row, judgement in judged if cached[row] is not None]
            extractor = self.model
            if usable:
                extractor = self._update_model(usable, cached, regparam, conflicts)
            row_entries = [cached[row] for row in rows]
            return FeedbackUpdate(
                extractor,
                tuple(self._predict_rows(extractor, row_entries, prevalence)),
                tuple(self._predict_rows(self.model, row_entries, prevalence)),
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
        """The most useful rows to judge next of those that are not judged yet (:mod:`ppi.server.curation.active_learning`)."""
        with self._lock:
            done = {row for row, _ in judged}
            update = self.learn(judged, rows)
            cached = self._lookup([*done, *rows])
            places = [at for at, row in enumerate(rows) if row not in done and cached[row] is not None]
            if not places:
                return []
            X = _stack_features([cached[rows[at]] for at in places])
            scores = linear_scores(update.extractor, X)[:, 0]
            probabilities = np.array([reading.probability for at in places if (reading := update.predictions[at])])
            chosen = select_candidates(
                strategy,
                CandidatePool(X, scores, probabilities),
                count,
                labelled=self._label_pool(update, [row for row in done if cached[row] is not None], cached),
                groups=[(rows[at].document, rows[at].sentence_id) for at in places],
            )
            return [rows[places[at]] for at in chosen]

    def _label_pool(
        self, update: FeedbackUpdate, done: Sequence[PairInSentence], cached: dict[PairInSentence, CachedRow | None]
    ) -> LabelledPool | None:
        if not done or update.feedback is None:
            return None
        gram = self._gram_cache.of(done, cached)
        chosen = [estimate.regparam for estimate in update.feedback.estimates if estimate.output == INTERACTION]
        unit = float(np.mean(np.diagonal(gram))) or 1.0
        return LabelledPool(_stack_features([cached[row] for row in done]), gram + unit, (chosen or [1.0])[0] * unit)

    def _update_model(
        self,
        usable: Sequence[tuple[PairInSentence, PairJudgement]],
        cached: dict[PairInSentence, CachedRow | None],
        regparam: float | None,
        conflicts: str,
    ) -> Extractor:
        judgements = [judgement for _, judgement in usable]
        targets = build_targets(judgements, self.model.outputs_)
        combination = merge_judgements([row for row, _ in usable], targets, conflicts=conflicts)
        once = [usable[at][0] for at in combination.first_rows]
        rows = FeedbackRows(
            _stack_features([cached[row] for row in once]),
            self._gram_cache.of(once, cached),
            np.array([entry.prior for row in once if (entry := cached[row])]),
            combination.targets,
            np.array([row.document for row in once]),
        )
        change = learn(rows, self.model.outputs_, regparam=regparam)
        return apply_update(self.model, rows, change, judgements, disagreeing=combination.disagreeing)

    def _predict_rows(
        self, extractor: Extractor, row_entries: Sequence[CachedRow | None], prevalence: float | None
    ) -> Iterable[Prediction | None]:
        usable = [entry for entry in row_entries if entry is not None]
        if not usable:
            return [None] * len(row_entries)
        scores = np.array([entry.prior for entry in usable])
        if extractor is not self.model:
            scores = linear_scores(extractor, _stack_features(usable))
        predictions = PairPredictions(
            extractor, [entry.graph for entry in usable], prevalence=prevalence, scores=scores
        )
        positions = iter(range(len(usable)))
        return [None if entry is None else entry.restore_ids(predictions[next(positions)]) for entry in row_entries]

    def _lookup(self, rows: Iterable[PairInSentence]) -> dict[PairInSentence, CachedRow | None]:
        """What is kept of these rows; made for those that are new."""
        unique_rows = dict.fromkeys(rows)
        new = [row for row in unique_rows if row not in self._cache]
        for start in range(0, len(new), _BATCH_SENTENCES):
            part = new[start : start + _BATCH_SENTENCES]
            self._cache.update(zip(part, self._build_rows(part)))
        entries = {row: self._cache.pop(row) for row in unique_rows}
        self._cache.update(entries)  # last used, last dropped
        for row in list(self._cache)[: max(len(self._cache) - max(self.max_rows, len(unique_rows)), 0)]:
            del self._cache[row]
        return entries

    def _build_rows(self, rows: Sequence[PairInSentence]) -> list[CachedRow | None]:
        graphs = rebuild_candidates(rows, parser=self.parser)
        usable = [graph for graph in graphs if graph is not None]
        if not usable:
            return [None] * len(rows)
        X = self.model.feature_matrix(usable)
        prior = linear_scores(self.model, X)
        positions = iter(range(len(usable)))
        return [
            None if graph is None else CachedRow(row, graph, X[(at := next(positions))], prior[at])
            for row, graph in zip(rows, graphs)
        ]


class _GramCache:
    """Products of the features of judged rows with each other: each is computed once."""

    def __init__(self) -> None:
        self._places: dict[PairInSentence, int] = {}
        self._gram = np.zeros((0, 0))

    def of(self, rows: Sequence[PairInSentence], cached: dict[PairInSentence, CachedRow | None]) -> NDArray[np.float64]:
        """X X^T of these rows."""
        new = [row for row in rows if row not in self._places]
        if new:
            if len(self._places) > 2 * len(rows):  # most of what is kept was taken back since
                self.__init__()  # type: ignore[misc]
                new = list(rows)
            self._add(new, rows, cached)
        places = [self._places[row] for row in rows]
        return self._gram[np.ix_(places, places)]

    def _add(
        self,
        new: Sequence[PairInSentence],
        rows: Sequence[PairInSentence],
        cached: dict[PairInSentence, CachedRow | None],
    ) -> None:
        before = len(self._gram)
        self._places.update((row, before + number) for number, row in enumerate(new))
        grown = np.zeros((before + len(new),) * 2)
        grown[:before, :before] = self._gram
        added = (
            _stack_features([cached[row] for row in new]) @ _stack_features([cached[row] for row in rows]).T
        ).toarray()
        columns = [self._places[row] for row in rows]
        for number in range(len(new)):
            grown[before + number, columns] = added[number]
            grown[columns, before + number] = added[number]
        self._gram = grown


def _stack_features(entries: Sequence[CachedRow | None]) -> sp.csr_matrix:
    return sp.vstack([entry.features for entry in entries if entry is not None], format="csr")


def rebuild_candidates(rows: Sequence[PairInSentence], *, parser: str = DEFAULT_PARSER) -> list[CandidateGraph | None]:
    """The candidate of each row, from its sentence; None for one mention twice and for sentences of too many words.

    Raises
    ------
    UsageError
        If a mention is not in its sentence.
    """
    for row in rows:
        _check_spans(row)
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
    parsed = sentence_parser.parse([_document(*key) for key in shared], names=False, split=False)
    bases = {key: sentence_graph(document.sentences[0]) for key, document in zip(shared, parsed)}
    return [_graph(row, bases.get((row.sentence, spans))) for row, spans in zip(rows, mentions)]


def _check_spans(row: PairInSentence) -> None:
    for spans in (row.first, row.second):
        if not spans or not all(0 <= start < end <= len(row.sentence) for start, end in spans):
            raise UsageError(
                f"expected mentions within the {len(row.sentence)} characters of the sentence, got {spans!r} in pair "
                f"{row.pair!r} of document {row.document!r}"
            )


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
    others = {spans for spans in names if not any(_overlap(spans, mention) for mention in pair_spans)}
    return tuple(sorted(pair_spans | others))


def _document(text: str, mentions: Sequence[tuple[Span, ...]]) -> Document:
    entities = tuple(Entity(_id(spans), text_at(text, spans), spans) for spans in mentions)
    # called by its words, so that two sentences of a document are two
    return Document("d", (Sentence(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), text, entities),))


def _id(spans: tuple[Span, ...]) -> str:
    """A mention is called by its place."""
    return " ".join(f"{start}-{end}" for start, end in spans)


def _overlap(first: Sequence[Span], second: Sequence[Span]) -> bool:
    return any(start < until and begin < end for start, end in first for begin, until in second)


def _graph(row: PairInSentence, base: SentenceGraph | None) -> CandidateGraph | None:
    if base is None or row.first == row.second or base.n_tokens > MAX_SENTENCE_TOKENS:
        return None
    pair = Pair(row.pair, _id(row.first), _id(row.second))
    (graph,) = sentence_candidates(base, [pair], document_id=row.document)
    return graph


# From judgements that are kept to a model that has learned from them.


def training_labels(judgements: Iterable[Judgement]) -> list[tuple[PairInSentence, Lesson]]:
    """What each judgement is about and what it says, as a model is told."""
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
