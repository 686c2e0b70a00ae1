"""Extraction after parsing, as a share of the parser's time on the same text; and speed end to end.

The parser's time is that of the shipped pipeline alone (tokens, tags, parser, names), without splitting, collapsing and
the other work of :func:`ppi.language.parse_documents`.  Extraction is everything after that: candidate graphs,
features, scoring, probabilities; evidence is off.  Processor seconds of this process, best of three, on one core.

The answer is checked against the plain definition: the feature matrix times the weights.  Text: the abstracts that ship
with the package and, where ``PPI_CORPORA`` has it, AImed without its annotation.

Then, where ``PPI_CORPORA`` has it, ordinary literature (:mod:`lab.benchmarks._literature`): the speed that users see.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

import corpora
from corpora import CorpusNotFoundError, Document
from lab.benchmarks._literature import figures, texts
from lab.benchmarks.figure import Figure
from lab.frame.clock import cpu_seconds
from ppi.annotation import Annotator, ProcessParser
from ppi.language import Request, SpacyParser, load_shipped_pipeline

T = TypeVar("T")

BAR_SHARE = 0.25
_REPEATS = 3


def run(scale: float = 1.0) -> Iterator[Figure]:
    """A share and a speed for each text; ``scale`` shrinks the texts."""
    annotator = Annotator()
    for name, documents in _texts(scale):
        parsed = ProcessParser("shipped").parse(documents, names=True)
        tokens = sum(len(sentence.parses[0].tokens) for document in parsed for sentence in document.sentences)
        parser_seconds = _best(partial(_parse, documents))[0]
        seconds, found = _best(partial(annotator.score_documents, parsed))
        yield Figure(
            f"extraction after parsing, share of the parser's time: {name}",
            seconds / parser_seconds,
            "lower",
            BAR_SHARE,
            0.15,
            _agrees(annotator, found),
            seconds,
            parser_seconds,
        )
        whole = _best(partial(_annotate, annotator, documents))[0]
        yield Figure(
            f"tokens a second, text to interactions: {name}", tokens / whole, "higher", 4000, 6000, True, whole, whole
        )
    if literature := texts():
        yield from figures(annotator, literature, scale)


def _texts(scale: float) -> Iterator[tuple[str, list[Document]]]:
    abstracts = [_bare(document) for document in corpora.load("abstracts")]
    copies = max(1, round(8 * scale))
    yield "abstracts", [replace(each, id=f"{each.id}-{n}") for n in range(copies) for each in abstracts]
    try:
        aimed = corpora.load("AImed")
    except CorpusNotFoundError:
        return
    yield "AImed", [_bare(document) for document in aimed[: max(5, round(100 * scale))]]


def _bare(document: Document) -> Document:
    sentences = tuple(replace(each, entities=(), pairs=(), parses=()) for each in document.sentences)
    return replace(document, sentences=sentences, relations=())


def _parse(documents: list[Document]) -> None:
    parser = SpacyParser(load_shipped_pipeline(), name="shipped")
    for _ in parser.parse(Request(sentence.text) for document in documents for sentence in document.sentences):
        pass


def _annotate(annotator: Annotator, documents: list[Document]) -> list[Any]:
    return list(annotator.annotate_documents(documents))


def _agrees(annotator: Annotator, found: tuple[list[Any], np.ndarray]) -> bool:
    """Some of the scores, from the feature matrix of the definition."""
    graphs, scores = found
    some = np.linspace(0, len(graphs) - 1, num=min(200, len(graphs)), dtype=int)
    extractor = annotator.extractor
    plain = extractor.feature_matrix([graphs[at] for at in some]) @ extractor.weights_ + extractor.intercepts_
    return bool(np.allclose(scores[some], np.asarray(plain)[:, 0], atol=1e-5))  # its weights are of single precision


def _best(function: Callable[[], T]) -> tuple[float, T]:
    """The shortest of a few processor times, after a run that warms caches, and the last result."""
    function()
    return cpu_seconds(function, repeats=_REPEATS)
