"""Candidates from the beam of the shipped spaCy pipeline's parser.

The parser builds a tree by a sequence of moves and scores each move.  Trained greedily, it normally takes the best
move each time; with a beam it keeps the ``width`` best sequences.  Different sequences can build the same tree, so a
beam holds fewer trees than its width.

spaCy's own beam (``cfg["beam_width"]`` above 1) adds up the raw scores of the moves.  For a network trained move by
move these are comparable only among the moves of one state, and the sums prefer sequences through states whose scores
happen to be large.  Here a move counts by its log-probability, log softmax over all moves, which is what the network
was trained to give, and a sequence by their sum.  On CRAFT's development articles the first tree of the raw beam is
clearly worse than the greedy parser's, which in three sentences of ten is not in the beam at all; by log-probabilities
the first is as good as the greedy one, which is nearly always there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from scipy.special import log_softmax

from corpora.types import Dependency, DependencyGraph, Sentence, Span, Token
from ppi.errors import UsageError
from ppi.parse_ranking.generators.base import as_sentences, check_most
from ppi.parse_ranking.types import Candidate, CandidateSet
from ppi.parsing.parser import Request
from ppi.parsing.spacy_parser import SpacyParser

#: Sentences whose beams advance together.
_BATCH = 32
#: Marks the label of an arc that was lifted to make the tree projective (Nivre and Nilsson 2005).
_LIFTED = "||"
_ROOT = "ROOT"
#: Probabilities below this would have an infinite cost.
_SMALLEST = 1e-300

_Arc = tuple[int, int, str]  # head, child, label


class Beam:
    """The shipped parser with a beam.

    Parameters
    ----------
    width
        Sequences kept; None: four times the candidates wanted, since many of them build the same tree.

    Notes
    -----
    A given sentence stays one sentence, though a tree of the beam may have several roots.  Tokens are cut at the
    boundaries of given entities, as everywhere else in the application.  ``Candidate.cost`` is -log of the sequence's
    share of the probability of its beam, ``place`` that of the tree's best sequence among the different trees.

    The pipeline that the process shares is used as it is: no setting of it is touched.  A sentence of n words costs
    about 2 n steps of ``width`` states.
    """

    name = "beam"

    def __init__(self, *, width: int | None = None) -> None:
        if width is not None and width < 2:
            raise UsageError(f"expected a beam of width 2 or more, got {width!r}")
        self.width = width

    def candidates(self, sentences: Iterable[str | Sentence], *, most: int) -> Iterator[CandidateSet]:
        """For each sentence up to ``most`` different trees, best first."""
        from ppi.pipeline import load

        check_most(most)
        documents = _Documents(load(), name=self.name, entities=False)
        width = 4 * most if self.width is None else self.width
        stream = as_sentences(sentences)
        while batch := list(islice(stream, _BATCH)):
            docs = [documents.doc(_request(sentence)) for sentence in batch]
            beams = documents.beams([doc for doc, _ in docs], width=max(width, 2))
            for sentence, (doc, spans), parses in zip(batch, docs, beams, strict=True):
                found = _different(parses, doc, sentence.text, spans, most)
                yield CandidateSet(sentence.id, sentence.text, tuple(found))


class _Documents(SpacyParser):
    """The shipped pipeline, stopping short of the parse itself."""

    def doc(self, request: Request) -> tuple[Any, Sequence[Span]]:
        """The tokens of a sentence, ready to be parsed, and their offsets."""
        text = self._tokenized(request)
        return text.doc, text.spans

    def beams(self, docs: Sequence[Any], *, width: int) -> list[list[tuple[float, list[_Arc]]]]:
        """For each document (probability, arcs) of the sequences of its beam, best first; the docs get their tags."""
        without_parser = [name for name in self._nlp.pipe_names if name in ("parser", "ner")]
        tagged = [doc for doc in self._nlp.pipe(docs, batch_size=_BATCH, disable=without_parser) if len(doc) > 1]
        parser = self._nlp.get_pipe("parser")
        beams = iter(_search(parser, tagged, width) if tagged else ())
        # a single word needs no parser (and its tree, having no arc, would be left out of the beam's list)
        return [parser.moves.get_beam_parses(next(beams)) if len(doc) > 1 else [(1.0, [])] for doc in docs]


def _search(parser: Any, docs: Sequence[Any], width: int) -> Any:
    """The final beams of all documents; the parser is not changed."""
    from spacy.pipeline._parser_internals._beam_utils import BeamBatch

    batch = BeamBatch(parser.moves, parser.moves.init_batch(docs), None, width, density=0.0)
    model = parser.model.predict(docs)
    while not batch.is_done and (states := batch.get_unfinished_states()):
        batch.advance(np.ascontiguousarray(log_softmax(model.predict(states), axis=1), dtype=np.float32))
    model.clear_memory()
    return batch


def _request(sentence: Sentence) -> Request:
    bounds = frozenset(bound for entity in sentence.entities for span in entity.spans for bound in span)
    return Request(sentence.text, bounds, together=((0, len(sentence.text)),), id=sentence.id)


def _different(
    parses: Iterable[tuple[float, list[_Arc]]], doc: Any, text: str, spans: Sequence[Span], most: int
) -> list[Candidate]:
    """The different trees; the best sequence of each decides."""
    if not len(doc):
        return []
    tokens = _tokens(doc, text, spans)
    found: dict[DependencyGraph, Candidate] = {}
    for probability, arcs in parses:
        graph = _graph(tokens, _unlifted(arcs, doc))
        if graph not in found:
            found[graph] = Candidate(graph, len(found), 0.0 - math.log(max(probability, _SMALLEST)))
        if len(found) == most:
            break
    return list(found.values())


def _unlifted(arcs: list[_Arc], doc: Any) -> list[_Arc]:
    """The arcs with those that were lifted back where they belong."""
    if not any(_LIFTED in label for _, _, label in arcs):
        return arcs
    from spacy.pipeline._parser_internals.nonproj import deprojectivize
    from spacy.tokens import Doc

    heads, labels = list(range(len(doc))), [_ROOT] * len(doc)
    for head, child, label in arcs:
        heads[child], labels[child] = head, label
    tree = deprojectivize(Doc(doc.vocab, words=[token.text for token in doc], heads=heads, deps=labels))
    return [(token.head.i, token.i, token.dep_) for token in tree if token.head.i != token.i]


def _tokens(doc: Any, text: str, spans: Sequence[Span]) -> tuple[Token, ...]:
    return tuple(
        Token(
            id=str(token.i + 1),
            start=start,
            end=end,
            text=text[start:end],
            pos=token.tag_ or None,
            lemma=token.lemma_ or None,
            upos=token.pos_ or None,
            feats=str(token.morph) or None,
        )
        for token, (start, end) in zip(doc, spans, strict=True)
    )


def _graph(tokens: tuple[Token, ...], arcs: Sequence[_Arc]) -> DependencyGraph:
    attached = {child for _, child, _ in arcs}
    return DependencyGraph(
        Beam.name,
        Beam.name,
        tokens,
        tuple(Dependency(str(head + 1), str(child + 1), label) for head, child, label in arcs),
        roots=tuple(token.id for place, token in enumerate(tokens) if place not in attached),
    )
