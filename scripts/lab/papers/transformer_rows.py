"""The examples of one corpus for its kernels: several parses side by side, and the words between as vectors.

    k(x, x') = (1 - V) mean over parses of k_parse(x, x') + V cos(v, v') [denied(x) = denied(x')]

with v the mean of the word vectors of what stands between the two mentions, names left out.  The vectors are those of
the language pipeline that ships, of running text: no annotation has a say in them.  The parses are those that the
corpus brings, and that of the pipeline with its ranker, which learned from treebanks.

A kernel with ``+mentions`` behind its name sees more in the shape of the pair (mention_features.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora import Document
from kernels import ROLES, CandidateGraph, CombinedFeatures, FeatureMap, normalize_features, stack_features
from lab.papers.mention_features import MentionFeatures
from lab.training.extraction.clusters import pipeline_vectors
from ppi.core import UsageError
from ppi.extraction import PREFERRED_PARSER, Settings, TrainingRows, make_feature_map, prepare_corpora
from ppi.language import parse_documents

#: The parse that is added to those of the corpus.
ADDED_PARSER = "shipped:rerank"
#: Behind the name of a kernel: with :class:`MentionFeatures` as the shape of the pair.
MENTIONS = "+mentions"
#: V, the share of the vectors.
VECTOR_SHARE = 0.1
_FIRST, _SECOND = (1 << ROLES.index(role) for role in ("PROT1", "PROT2"))


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
    prepared = [
        prepare_corpora({name: documents}, replace(settings, parser=parser)) for parser in parser_names(documents)
    ]
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
    plain = make_feature_map(kernel.removesuffix(MENTIONS))
    if not kernel.endswith(MENTIONS):
        return plain
    if not isinstance(plain, CombinedFeatures) or "pair" not in dict(plain.parts):
        raise UsageError(f"expected a composite kernel before {MENTIONS!r}, got {kernel!r}")
    parts = [(name, MentionFeatures() if name == "pair" else part) for name, part in plain.parts]
    return CombinedFeatures(parts, weights=plain.weights, polarity=plain.polarity)


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
