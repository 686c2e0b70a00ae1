"""The examples of one corpus for its kernels: several parses side by side, and the words between as vectors.

    k(x, x') = (1 - V) mean over parses of k_parse(x, x') + V cos(v, v') [denied(x) = denied(x')]

with v the mean of the word vectors of what stands between the two mentions, names left out.  The vectors are those of
the language pipeline that ships, of running text: no annotation has a say in them.  The parses are those that the
corpus brings, and that of the pipeline with its ranker, which learned from treebanks.

A kernel with ``+mentions`` behind its name sees more in the shape of the pair (:class:`MentionFeatures`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora.types import Document, Entity
from kernels import CandidateGraph, CombinedFeatures, FeatureMap, PairFeatures, normalize_features, stack_features
from kernels.labels import ROLES
from kernels.named import Occurrence
from lab.training.extraction.clusters import pipeline_vectors
from ppi.errors import UsageError
from ppi.extraction.examples import PREFERRED_PARSER
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.preparation import TrainingRows, prepare
from ppi.extraction.settings import Settings
from ppi.parsing import parse_documents

#: The parse that is added to those of the corpus.
ADDED_PARSER = "shipped:rerank"
#: Behind the name of a kernel: with :class:`MentionFeatures` as the shape of the pair.
MENTIONS = "+mentions"
#: V, the share of the vectors.
VECTOR_SHARE = 0.1
_FIRST, _SECOND, _OTHER = (1 << ROLES.index(role) for role in ("PROT1", "PROT2", "PROT"))
#: What stands between two mentions of one list, the others left out.
_LISTING = re.compile(r"(?:[\s,/;()-]|\b(?:and|or|nor|as well as)\b)*")
#: Greater counts are this one: further mentions of a name, mentions to one side, commas, brackets, words of a name.
_MOST_AGAIN, _MOST_ASIDE, _MOST_COMMAS, _MOST_BRACKETS, _MOST_WORDS = 3, 5, 4, 2, 4
_MOST_ON_PATH = 3


class CorpusRows(NamedTuple):
    """The rows of a corpus, and the ids of their pairs."""

    rows: TrainingRows
    pairs: list[str]


def with_added_parse(documents: Sequence[Document]) -> list[Document]:
    """The documents with one more parse of every sentence, which stays one."""
    return list(parse_documents(documents, ADDED_PARSER, split=False))


def corpus_rows(name: str, documents: Sequence[Document], kernel: str, *, degree: int = 1) -> CorpusRows:
    """The annotated pairs of a corpus with a kernel's features of every parse that its documents have."""
    settings = Settings(kernel=kernel_map(kernel), learner="rls")
    prepared = [prepare({name: documents}, replace(settings, parser=parser)) for parser in parser_names(documents)]
    graphs = prepared[0].examples[name].graphs
    share = (1 - VECTOR_SHARE) / len(prepared)
    X = stack_features(
        [*(each.features[name] for each in prepared), between_features(graphs)],
        weights=[share] * len(prepared) + [VECTOR_SHARE],
    )
    rows = replace(prepared[0].rows([name]), X=X, degree=degree)
    return CorpusRows(rows, [graph.pair.id for graph in graphs])


def parser_names(documents: Sequence[Document]) -> list[str]:
    """Whose parses the documents have: the preferred one first, which says what is denied, then by name."""
    found = {parser for document in documents for sentence in document.sentences for parser in sentence.parsers}
    return sorted(found, key=lambda parser: (parser != PREFERRED_PARSER, parser))


def kernel_map(kernel: str) -> FeatureMap[CandidateGraph]:
    """The feature map of this name; with :data:`MENTIONS` behind it, of a composite one, its shape sees more."""
    plain = feature_map(kernel.removesuffix(MENTIONS))
    if not kernel.endswith(MENTIONS):
        return plain
    if not isinstance(plain, CombinedFeatures) or "pair" not in dict(plain.parts):
        raise UsageError(f"expected a composite kernel before {MENTIONS!r}, got {kernel!r}")
    parts = [(name, MentionFeatures() if name == "pair" else part) for name, part in plain.parts]
    return CombinedFeatures(parts, weights=plain.weights, polarity=plain.polarity)


class MentionFeatures(PairFeatures):
    """The shape of the pair, and of its two mentions: where they stand among the others, and how they are written."""

    def occurrences(self, graph: CandidateGraph) -> Iterator[Occurrence]:
        """The indicators that hold."""
        yield from super().occurrences(graph)
        for name in mention_names(graph):
            yield Occurrence(name, ())

    def names(self, graph: CandidateGraph) -> Iterator[str]:
        """The indicators that hold."""
        yield from super().names(graph)
        yield from mention_names(graph)


def mention_names(graph: CandidateGraph) -> Iterator[str]:
    """What :class:`MentionFeatures` adds."""
    text = graph.sentence.text
    order = sorted(graph.sentence.entities, key=lambda entity: (entity.start, entity.end))
    pair = [entity for entity in order if entity.id in (graph.prot1, graph.prot2)]
    first, second = pair[0], pair[-1]  # of a protein with itself, one mention
    names = [entity.text.lower() for entity in order]
    for which, mention in (("first", first), ("second", second)):
        yield f"{which} again:{min(names.count(mention.text.lower()) - 1, _MOST_AGAIN)}"
    yield f"mentions before:{min(order.index(first), _MOST_ASIDE)}"
    yield f"mentions after:{min(len(order) - 1 - order.index(second), _MOST_ASIDE)}"
    if second.start < first.end:
        yield "nested"
        return
    yield from _stretch_names(text, order, first, second)
    yield f"others on path:{min(_others_on_path(graph), _MOST_ON_PATH)}"
    for which, mention in (("first", first), ("second", second)):
        yield from (f"{which} {form}" for form in _form_names(text, mention))


def _stretch_names(text: str, order: Sequence[Entity], first: Entity, second: Entity) -> Iterator[str]:
    """Of the characters between: a list, an addition in brackets, how many commas and open brackets."""
    between = text[first.end : second.start]
    if between.strip() == "(" and text[second.end :].lstrip().startswith(")"):
        yield "second in brackets"
    if _LISTING.fullmatch(_without_mentions(text, order)[first.end : second.start]):
        yield "list between"
    opened = between.count("(") - between.count(")")
    yield f"brackets opened:{max(-_MOST_BRACKETS, min(opened, _MOST_BRACKETS))}"
    yield f"commas:{min(between.count(','), _MOST_COMMAS)}"
    yield f"semicolon:{';' in between}"


def _without_mentions(text: str, order: Sequence[Entity]) -> str:
    """The text with white space instead of every mention."""
    for start, end in (span for entity in order for span in entity.spans):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _others_on_path(graph: CandidateGraph) -> int:
    """Tokens of other mentions on the shortest paths."""
    others = (graph.roles & _OTHER > 0) & (graph.roles & (_FIRST | _SECOND) == 0)
    return int(np.sum(others & (np.asarray(graph.token_on_path) > 0)))


def _form_names(text: str, mention: Entity) -> Iterator[str]:
    """How a mention is written, whatever its name is: what it is glued to, words, case, a plural."""
    before, after = (
        "w" if char.isalnum() else char for char in (text[: mention.start][-1:], text[mention.end : mention.end + 1])
    )
    yield f"between:{before}|{after}"
    yield f"words:{min(len(mention.text.split()), _MOST_WORDS)}"
    yield f"case:{'lower' if mention.text.islower() else 'upper' if mention.text.isupper() else 'mixed'}"
    yield f"plural:{mention.text.lower().endswith('s')}"


def between_features(graphs: Sequence[CandidateGraph]) -> sp.csr_matrix:
    """The mean vector of the words between as a row of length 1, in columns of their own where the pair is denied."""
    means = np.array([_mean_between(graph) for graph in graphs])
    denied = np.array([bool(graph.denials) for graph in graphs])[:, np.newaxis]
    return normalize_features(sp.csr_matrix(np.hstack([np.where(denied, 0, means), np.where(denied, means, 0)])))


def _mean_between(graph: CandidateGraph) -> NDArray[np.float64]:
    vectors = word_vectors()
    firsts, seconds = np.flatnonzero(graph.roles & _FIRST), np.flatnonzero(graph.roles & _SECOND)
    start = firsts[-1] + 1 if len(firsts) else 0
    end = seconds[0] if len(seconds) else graph.base.n_tokens
    words = [graph.tokens[t].text.lower() for t in range(start, end) if not graph.roles[t]]
    known = [vectors[word] for word in words if word in vectors]
    return np.mean(known, axis=0) if known else np.zeros(len(next(iter(vectors.values()))))


@lru_cache(maxsize=1)
def word_vectors() -> dict[str, NDArray[np.float64]]:
    """The pipeline's word vectors, each of length 1."""
    words, vectors = pipeline_vectors()
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return dict(zip(words, (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float64), strict=True))
