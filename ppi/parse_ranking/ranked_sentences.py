"""From documents to ranked parses: generate candidates and order them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from corpora import Document, Sentence, encode
from ppi.parse_ranking.candidate_parses import Generator
from ppi.parse_ranking.ranker import ParseRanker, RankedParse

_BATCH_SENTENCES = 32  # sentences whose candidates are held at a time


@dataclass(frozen=True)
class RankedSentence:
    """A sentence of a document and its best parses, best first; none if the generator found none."""

    document: str
    sentence: Sentence
    parses: tuple[RankedParse, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "document": self.document,
            "sentence": self.sentence.id,
            "text": self.sentence.text,
            "parses": [
                {
                    "place": parse.place,
                    "score": parse.score,
                    "generator_place": parse.candidate.place,
                    "generator_cost": parse.candidate.cost,
                    "parse": encode(parse.candidate.graph),
                }
                for parse in self.parses
            ],
        }


def rank_sentences(
    documents: Iterable[Document],
    generator: Generator,
    ranker: ParseRanker,
    *,
    max_candidates: int = 100,
    top: int | None = None,
) -> Iterator[RankedSentence]:
    """Every sentence with its ranked parses, in order; a few dozen are held at a time.

    Parameters
    ----------
    documents
        Their sentences are taken as they are.
    most
        Candidates that the generator is asked for.
    top
        Parses that are kept; None: all.
    """
    n_unparsed = 0
    stream = ((document.id, sentence) for document in documents for sentence in document.sentences)
    while batch := list(islice(stream, _BATCH_SENTENCES)):
        sets = list(generator.candidates([sentence for _, sentence in batch], max_candidates=max_candidates))
        for (document, sentence), ranked in zip(batch, ranker.rank_all(sets), strict=True):
            n_unparsed += not ranked
            yield RankedSentence(document, sentence, tuple(ranked[:top]))
    if n_unparsed:
        warnings.warn(f"{n_unparsed} sentences have no parse by {generator.name}", stacklevel=2)


def build_ranked_documents(sentences: Iterable[RankedSentence]) -> Iterator[Document]:
    """Documents in which every ranked parse is a sentence of its own, as CoNLL-U wants it.

    The id gets ``/1``, ``/2`` ... for the place; remarks give place, score and the generator's own place.  Entities and
    pairs stay behind: they belong to the sentence, not to each of its parses.
    """
    for id, group in groupby(sentences, key=lambda ranked_sentence: ranked_sentence.document):
        parts = tuple(
            _as_sentence(ranked_sentence.sentence, parse)
            for ranked_sentence in group
            for parse in ranked_sentence.parses
        )
        if parts:
            yield Document(id, parts)


def _as_sentence(sentence: Sentence, parse: RankedParse) -> Sentence:
    return Sentence(
        id=f"{sentence.id}/{parse.place + 1}",
        text=sentence.text,
        parses=(parse.candidate.graph,),
        infons=(
            ("place", str(parse.place + 1)),
            ("score", f"{parse.score:.6g}"),
            ("generator_place", str(parse.candidate.place + 1)),
        ),
    )
