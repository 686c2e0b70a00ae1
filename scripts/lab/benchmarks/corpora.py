"""Reading a corpus with its parses, against lxml alone walking the same file."""

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

import corpora
from corpora import Source
from lab.benchmarks.figure import Figure, relative_cost
from lab.frame.clock import wall_seconds


def run(scale: float = 1.0) -> Iterator[Figure]:
    """One row; ``scale`` below 1 reads the smallest corpus instead of AImed."""
    path = corpora.find("AImed" if scale >= 1 else "LLL")
    reference_seconds, tokens_walked = wall_seconds(lambda: _walk(path), repeats=3)
    seconds, documents = wall_seconds(lambda: corpora.load(path), repeats=3)
    # two parses of a tokenization share it: count each tokenization once
    tokens_read = sum(
        len(tokens)
        for document in documents
        for sentence in document.sentences
        for tokens in {id(graph.tokens): graph.tokens for graph in sentence.parses}.values()
    )
    yield relative_cost(
        f"reading {path.name} with its parses, against lxml walking it",
        seconds=seconds,
        reference_seconds=reference_seconds,
        bar=6,
        aim=3,
        same_answer=tokens_read == tokens_walked,
    )


def _walk(path: Path) -> int:
    with Source(path).open() as stream:
        return sum(element.tag == "token" for _, element in etree.iterparse(stream))
