"""Candidates from the beam of the shipped spaCy pipeline's parser (:func:`ppi.language.beam_trees`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from corpora import Dependency, DependencyGraph, Sentence, Span, Token
from ppi.core import UsageError
from ppi.language import BeamTrees, Request, SpacyParser, beam_trees
from ppi.parse_ranking.candidate_parses import CandidateParse, CandidateSet, as_sentences, check_max_candidates

#: Sentences whose beams advance together.
_BATCH_SENTENCES = 32


class Beam:
    """The shipped parser with a beam.

    Parameters
    ----------
    width
        Sequences kept; None: four times the candidates wanted, since many of them build the same tree.

    Notes
    -----
    A given sentence stays one sentence, though a tree of the beam may have several roots.  Tokens are cut at the
    boundaries of given entities, as everywhere else in the application.  ``CandidateParse.cost`` is -log of the
    sequence's part of the probability of its beam.  The first is the parser's own tree, the others follow by cost.

    The pipeline that the process shares is used as it is: no setting of it is touched.  A sentence of n words costs
    about 2 n steps of ``width`` states.
    """

    name = "beam"

    def __init__(self, *, width: int | None = None) -> None:
        if width is not None and width < 2:
            raise UsageError(f"expected a beam of width 2 or more, got {width!r}")
        self.width = width

    def candidates(self, sentences: Iterable[str | Sentence], *, max_candidates: int) -> Iterator[CandidateSet]:
        """For each sentence up to ``max_candidates`` different trees, the parser's own first."""
        from ppi.language import load_shipped_pipeline

        check_max_candidates(max_candidates)
        parser = _BeamParser(load_shipped_pipeline(), name=self.name, entities=False)
        width = 4 * max_candidates if self.width is None else self.width
        stream = as_sentences(sentences)
        while batch := list(islice(stream, _BATCH_SENTENCES)):
            docs = [parser.tokenize(sentence) for sentence in batch]
            beams = parser.parse_beams([doc for doc, _ in docs], width=max(width, 2), max_candidates=max_candidates)
            for sentence, (doc, spans), trees in zip(batch, docs, beams, strict=True):
                candidates: list[CandidateParse] = []
                if trees is not None:
                    tokens = _make_tokens(doc, sentence.text, spans)
                    candidates = [
                        CandidateParse(_make_graph(tokens, list(trees.arcs(place))), place, float(cost))
                        for place, cost in enumerate(trees.costs)
                    ]
                yield CandidateSet(sentence.id, sentence.text, tuple(candidates))


class _BeamParser(SpacyParser):
    """The shipped pipeline, stopping short of the parse itself."""

    def tokenize(self, sentence: Sentence) -> tuple[Any, Sequence[Span]]:
        """The tokens of a sentence, ready to be parsed, and their offsets."""
        bounds = frozenset(bound for entity in sentence.entities for span in entity.spans for bound in span)
        tokenized = self._tokenize(
            Request(sentence.text, bounds, unbroken_spans=((0, len(sentence.text)),), id=sentence.id)
        )
        return tokenized.doc, tokenized.spans

    def parse_beams(self, docs: Sequence[Any], *, width: int, max_candidates: int) -> list[BeamTrees | None]:
        """The trees of each document, best first, None of an empty one; the docs get their tags."""
        disabled_pipes = [name for name in self._nlp.pipe_names if name in ("parser", "ner")]
        tagged = [doc for doc in self._nlp.pipe(docs, batch_size=_BATCH_SENTENCES, disable=disabled_pipes) if len(doc)]
        beams = beam_trees(self._nlp.get_pipe("parser"), tagged, width=width, max_trees=max_candidates)
        return [next(beams) if len(doc) else None for doc in docs]


def _make_tokens(doc: Any, text: str, spans: Sequence[Span]) -> tuple[Token, ...]:
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


def _make_graph(tokens: tuple[Token, ...], arcs: Sequence[tuple[int, int, str]]) -> DependencyGraph:
    attached = {child for _, child, _ in arcs}
    return DependencyGraph(
        Beam.name,
        Beam.name,
        tokens,
        tuple(Dependency(str(head + 1), str(child + 1), label) for head, child, label in arcs),
        roots=tuple(token.id for place, token in enumerate(tokens) if place not in attached),
    )
