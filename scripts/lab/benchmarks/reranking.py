"""What reranking costs beside the shipped parser's own parse, and beside annotation as a whole.

The parser alone: the abstracts that ship with the package, every sentence parsed, names off.  Annotation as a whole
(text to interactions, names found and looked up, sentences without two of them not parsed): the same abstracts.
Processor seconds of this process, best of three, on one core; both sides give the same sentences and tokens.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import corpora
from corpora import Document
from lab.benchmarks.figure import Figure, relative_cost
from lab.frame.clock import cpu_seconds
from ppi.annotation import Annotator
from ppi.language import SHIPPED, ParsedSentence, Request, add_rerank_option, get_parser

PARSERS = (SHIPPED, add_rerank_option(SHIPPED))
_REPEATS = 3


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Both costs; ``scale`` shrinks the texts."""
    documents = [_bare(document) for document in corpora.load("abstracts")]
    documents = [replace(each, id=f"{each.id}-{n}") for n in range(max(1, round(8 * scale))) for each in documents]
    texts = [sentence.text for document in documents for sentence in document.sentences]
    (own, plain), (with_beam, other) = (_best(partial(_parsed, parser, texts)) for parser in PARSERS)
    same = [sentence.tokens for sentence in plain] == [sentence.tokens for sentence in other]
    changed = sum(a.dependencies != b.dependencies for a, b in zip(plain, other)) / len(plain)
    name = f"parsing with reranking, beside the parser alone ({100 * changed:.0f} % of the sentences changed)"
    yield relative_cost(name, seconds=with_beam, reference_seconds=own, bar=3.0, aim=1.5, same_answer=same)
    (own, _), (with_beam, _) = (_best(partial(_annotated, Annotator(parser=parser), documents)) for parser in PARSERS)
    name = "annotation with reranking, beside annotation without"
    yield relative_cost(name, seconds=with_beam, reference_seconds=own, bar=1.5, aim=1.2, same_answer=same)


def _bare(document: Document) -> Document:
    sentences = tuple(replace(each, entities=(), pairs=(), parses=()) for each in document.sentences)
    return replace(document, sentences=sentences, relations=())


def _parsed(parser: str, texts: Sequence[str]) -> list[ParsedSentence]:
    found = get_parser(parser, entities=False).parse([Request(text) for text in texts])
    return [sentence for sentences in found for sentence in sentences]


def _annotated(annotator: Annotator, documents: Sequence[Document]) -> int:
    return sum(len(each.interactions) for each in annotator.annotate_documents(documents))


def _best(work: Callable[[], Any]) -> tuple[float, Any]:
    work()  # loads and compiles
    return min((cpu_seconds(work) for _ in range(_REPEATS)), key=lambda timed: timed[0])
