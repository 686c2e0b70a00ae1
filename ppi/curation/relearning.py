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
from typing import NamedTuple, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora.types import Document, Entity, Pair, Sentence, Span, text_at
from kernels import CandidateGraph, SentenceGraph, sentence_candidates, sentence_graph
from ppi.annotation.candidates import MOST_TOKENS
from ppi.annotation.own_parser import own_parser
from ppi.annotation.pairs import is_protein
from ppi.annotation.settings import MODEL_FILE
from ppi.annotation.types import Interaction
from ppi.curation.choosing import Candidates, Judged, choose
from ppi.errors import UsageError
from ppi.extraction import Extractor
from ppi.extraction.feedback import Feedback, FeedbackRows, learn
from ppi.extraction.judgements import Judgement, combined, judgement_targets
from ppi.extraction.outputs import INTERACTION
from ppi.extraction.readings import Reading, Readings
from ppi.extraction.updating import linear_scores, with_feedback
from ppi.pipeline import FOR_INTERACTIONS

#: Rows whose features are kept; some 30 kilobytes each.
MOST_ROWS = 20_000
#: Sentences parsed at a time.
_BATCH = 200


class Row(NamedTuple):
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
class Known:
    """What is kept of a row: its candidate, features, and what the model without feedback says of it."""

    row: Row
    graph: CandidateGraph
    features: sp.csr_matrix
    prior: NDArray[np.float64]

    def named(self, reading: Reading) -> Reading:
        """A reading of the candidate with the row's own ids of the two mentions."""
        ids = dict(zip((self.graph.prot1, self.graph.prot2), self.row.mentions))
        return reading._replace(agent=ids.get(reading.agent or ""), target=ids.get(reading.target or ""))


@dataclass(frozen=True)
class Relearned:
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
    readings: tuple[Reading | None, ...]
    before: tuple[Reading | None, ...]
    feedback: Feedback | None
    left_out: int


class Relearner:
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
        self, model: Extractor | None = None, *, parser: str = FOR_INTERACTIONS, most_rows: int = MOST_ROWS
    ) -> None:
        self.model = Extractor.load(MODEL_FILE) if model is None else model
        self.parser = parser
        self.most_rows = most_rows
        self._known: dict[Row, Known | None] = {}
        self._products = _Products()
        self._lock = threading.RLock()

    def learn(
        self,
        judged: Sequence[tuple[Row, Judgement]],
        rows: Sequence[Row] = (),
        *,
        regparam: float | None = None,
        conflicts: str = "majority",
        share: float | None = None,
    ) -> Relearned:
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
            known = self._of([*(row for row, _ in judged), *rows])
            usable = [(row, judgement) for row, judgement in judged if known[row] is not None]
            extractor = self.model
            if usable:
                extractor = self._changed(usable, known, regparam, conflicts)
            found = [known[row] for row in rows]
            return Relearned(
                extractor,
                tuple(self._readings(extractor, found, share)),
                tuple(self._readings(self.model, found, share)),
                extractor.feedback_ if usable else None,
                len(judged) - len(usable),
            )

    def next_to_judge(
        self, way: str, judged: Sequence[tuple[Row, Judgement]], rows: Sequence[Row], count: int
    ) -> list[Row]:
        """The most useful rows to judge next of those that are not judged yet (:mod:`ppi.curation.choosing`)."""
        with self._lock:
            done = {row for row, _ in judged}
            relearned = self.learn(judged, rows)
            known = self._of([*done, *rows])
            places = [at for at, row in enumerate(rows) if row not in done and known[row] is not None]
            if not places:
                return []
            X = _stacked([known[rows[at]] for at in places])
            scores = linear_scores(relearned.extractor, X)[:, 0]
            probabilities = np.array([reading.probability for at in places if (reading := relearned.readings[at])])
            chosen = choose(
                way,
                Candidates(X, scores, probabilities),
                count,
                judged=self._judged(relearned, [row for row in done if known[row] is not None], known),
                groups=[(rows[at].document, rows[at].sentence_id) for at in places],
            )
            return [rows[places[at]] for at in chosen]

    def _judged(self, relearned: Relearned, done: Sequence[Row], known: dict[Row, Known | None]) -> Judged | None:
        if not done or relearned.feedback is None:
            return None
        gram = self._products.of(done, known)
        chosen = [each.regparam for each in relearned.feedback.estimates if each.output == INTERACTION]
        unit = float(np.mean(np.diagonal(gram))) or 1.0
        return Judged(_stacked([known[row] for row in done]), gram + unit, (chosen or [1.0])[0] * unit)

    def _changed(
        self,
        usable: Sequence[tuple[Row, Judgement]],
        known: dict[Row, Known | None],
        regparam: float | None,
        conflicts: str,
    ) -> Extractor:
        judgements = [judgement for _, judgement in usable]
        targets = judgement_targets(judgements, self.model.outputs_)
        combination = combined([row for row, _ in usable], targets, conflicts=conflicts)
        once = [usable[at][0] for at in combination.first]
        rows = FeedbackRows(
            _stacked([known[row] for row in once]),
            self._products.of(once, known),
            np.array([each.prior for row in once if (each := known[row])]),
            combination.targets,
            np.array([row.document for row in once]),
        )
        change = learn(rows, self.model.outputs_, regparam=regparam)
        return with_feedback(self.model, rows, change, judgements, disagreeing=combination.disagreeing)

    def _readings(
        self, extractor: Extractor, found: Sequence[Known | None], share: float | None
    ) -> Iterable[Reading | None]:
        usable = [each for each in found if each is not None]
        if not usable:
            return [None] * len(found)
        scores = np.array([each.prior for each in usable])
        if extractor is not self.model:
            scores = linear_scores(extractor, _stacked(usable))
        readings = Readings(extractor, [each.graph for each in usable], share=share, scores=scores)
        given = iter(range(len(usable)))
        return [None if each is None else each.named(readings[next(given)]) for each in found]

    def _of(self, rows: Iterable[Row]) -> dict[Row, Known | None]:
        """What is kept of these rows; made for those that are new."""
        asked = dict.fromkeys(rows)
        new = [row for row in asked if row not in self._known]
        for start in range(0, len(new), _BATCH):
            part = new[start : start + _BATCH]
            self._known.update(zip(part, self._made(part)))
        found = {row: self._known.pop(row) for row in asked}
        self._known.update(found)  # last used, last dropped
        for row in list(self._known)[: max(len(self._known) - max(self.most_rows, len(asked)), 0)]:
            del self._known[row]
        return found

    def _made(self, rows: Sequence[Row]) -> list[Known | None]:
        graphs = rebuilt(rows, parser=self.parser)
        usable = [graph for graph in graphs if graph is not None]
        if not usable:
            return [None] * len(rows)
        X = self.model.feature_matrix(usable)
        prior = linear_scores(self.model, X)
        given = iter(range(len(usable)))
        return [
            None if graph is None else Known(row, graph, X[(at := next(given))], prior[at])
            for row, graph in zip(rows, graphs)
        ]


class _Products:
    """Products of the features of judged rows with each other: each is computed once."""

    def __init__(self) -> None:
        self._places: dict[Row, int] = {}
        self._gram = np.zeros((0, 0))

    def of(self, rows: Sequence[Row], known: dict[Row, Known | None]) -> NDArray[np.float64]:
        """X X^T of these rows."""
        new = [row for row in rows if row not in self._places]
        if new:
            if len(self._places) > 2 * len(rows):  # most of what is kept was taken back since
                self.__init__()  # type: ignore[misc]
                new = list(rows)
            self._add(new, rows, known)
        places = [self._places[row] for row in rows]
        return self._gram[np.ix_(places, places)]

    def _add(self, new: Sequence[Row], rows: Sequence[Row], known: dict[Row, Known | None]) -> None:
        before = len(self._gram)
        self._places.update((row, before + number) for number, row in enumerate(new))
        grown = np.zeros((before + len(new),) * 2)
        grown[:before, :before] = self._gram
        added = (_stacked([known[row] for row in new]) @ _stacked([known[row] for row in rows]).T).toarray()
        columns = [self._places[row] for row in rows]
        for number in range(len(new)):
            grown[before + number, columns] = added[number]
            grown[columns, before + number] = added[number]
        self._gram = grown


def _stacked(known: Sequence[Known | None]) -> sp.csr_matrix:
    return sp.vstack([each.features for each in known if each is not None], format="csr")


def rebuilt(rows: Sequence[Row], *, parser: str = FOR_INTERACTIONS) -> list[CandidateGraph | None]:
    """The candidate of each row, from its sentence; None for one mention twice and for sentences of too many words.

    Raises
    ------
    UsageError
        If a mention is not in its sentence.
    """
    for row in rows:
        _check_spans(row)
    texts = list(dict.fromkeys(row.sentence for row in rows if row.first != row.second))
    own = own_parser(parser)
    # names only: no sentence has a pair that is to be parsed
    named = own.parse(
        [Document(str(number), (Sentence(str(number), text),)) for number, text in enumerate(texts)],
        names=True,
        pairs_of=lambda entity: False,
    )
    names = {text: _proteins(document) for text, document in zip(texts, named)}
    mentions = [_mentions(row, names.get(row.sentence, ())) for row in rows]
    # rows of one sentence that have the same mentions, as most have, share its parse
    shared = dict.fromkeys((row.sentence, spans) for row, spans in zip(rows, mentions) if row.first != row.second)
    parsed = own.parse([_document(*each) for each in shared], names=False, split=False)
    bases = {each: sentence_graph(document.sentences[0]) for each, document in zip(shared, parsed)}
    return [_graph(row, bases.get((row.sentence, spans))) for row, spans in zip(rows, mentions)]


def _check_spans(row: Row) -> None:
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


def _mentions(row: Row, names: Iterable[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """The two mentions and whatever else is called a protein beside them, in text order."""
    given = {row.first, row.second}
    others = {spans for spans in names if not any(_overlap(spans, mention) for mention in given)}
    return tuple(sorted(given | others))


def _document(text: str, mentions: Sequence[tuple[Span, ...]]) -> Document:
    entities = tuple(Entity(_id(spans), text_at(text, spans), spans) for spans in mentions)
    # called by its words, so that two sentences of a document are two
    return Document("d", (Sentence(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), text, entities),))


def _id(spans: tuple[Span, ...]) -> str:
    """A mention is called by its place."""
    return " ".join(f"{start}-{end}" for start, end in spans)


def _overlap(one: Sequence[Span], other: Sequence[Span]) -> bool:
    return any(start < until and begin < end for start, end in one for begin, until in other)


def _graph(row: Row, base: SentenceGraph | None) -> CandidateGraph | None:
    if base is None or row.first == row.second or base.n_tokens > MOST_TOKENS:
        return None
    pair = Pair(row.pair, _id(row.first), _id(row.second))
    (graph,) = sentence_candidates(base, [pair], document_id=row.document)
    return graph
