"""Turns documents into labelled candidate graphs, and finds documents that corpora share.

Corpora overlap: nothing is tested on documents that it was trained on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from corpora import PROTEIN_TYPES, TYPES, Document, Pair, labelled_pairs, truncate_repr
from kernels import CandidateGraph, candidate_graphs, sentence_candidates, sentence_graph
from ppi.core import TrainingError, UsageError
from ppi.extraction.outputs import OUTPUTS, drop_unannotated_types, make_event_targets, make_pair_targets

#: The parse that is taken where a corpus has several and none is named.
PREFERRED_PARSER = "split_parse"
#: Longer ones are not sentences, and their features take memory with the square of the length.
MAX_TRAINING_SENTENCE_TOKENS = 300
#: A second type of the relations that join a pair is kept as a remark of this name.
EXTRA_TYPE_KEY = "type"
#: Each with its label, and what to do where there is none.
_LABEL_KINDS = {
    "positive": (1.0, "learning and judging need relations between two genes or proteins of one sentence"),
    "negative": (
        -1.0,
        "learning and judging need both kinds; if every relation is annotated, --negatives cooccurring takes the "
        "other pairs for negatives",
    ),
}
#: Shorter sentences are headings ("Materials and methods"), which any two articles have in common.
MIN_SHARED_WORDS = 8
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Examples:
    """Candidate graphs with their labels (+1, -1) and the documents they come from.

    ``targets`` has one column per output of a typed model (:mod:`ppi.extraction.outputs`); ``typed``: whether the
    corpus annotates types.  ``types`` are those of the events or relations that join each pair, by their names there.
    """

    graphs: list[CandidateGraph]
    labels: np.ndarray
    documents: np.ndarray
    targets: np.ndarray
    typed: bool = False
    types: tuple[tuple[str, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.graphs)

    @property
    def n_positive(self) -> int:
        """How many examples interact."""
        return int(np.sum(self.labels > 0))


def build_candidate_graphs(documents: Sequence[Document], *, parser: str | None = None) -> list[CandidateGraph]:
    """The candidate graph of every pair of two different mentions, in document order."""
    parser_name = parser or choose_parser(documents)
    return [graph for graph in candidate_graphs(documents, parser=parser_name) if not graph.pair.is_self]


def collect_examples(
    documents: Sequence[Document], *, parser: str | None = None, name: str = "the documents"
) -> Examples:
    """The annotated pairs of two different mentions; of documents with events, every pair of proteins.

    Raises
    ------
    TrainingError
        If there is no positive, or no negative, pair.
    """
    typed = any(document.events for document in documents)
    if typed:
        graphs, targets = _build_event_candidates(documents, parser or choose_parser(documents))
        labels = targets[:, 0]
        types = [tuple(kind for kind in TYPES if row[OUTPUTS.index(kind)] > 0) for row in targets]
    else:
        graphs = [graph for graph in build_candidate_graphs(documents, parser=parser) if graph.label is not None]
        labels = np.array([1.0 if graph.label else -1.0 for graph in graphs])
        types = [tuple(relation_types(graph.pair)) if graph.label else () for graph in graphs]
    for kind, (sign, hint) in _LABEL_KINDS.items():
        if not np.any(labels == sign):
            raise TrainingError(
                f"expected {kind} pairs in {name}, got none among {len(graphs)} annotated pairs; {hint}"
            )
    targets = drop_unannotated_types(targets) if typed else make_pair_targets(labels, name)
    return Examples(graphs, labels, np.array([graph.document_id for graph in graphs]), targets, typed, tuple(types))


def relation_types(pair: Pair) -> list[str]:
    """The types of the relations that join a pair.

    >>> relation_types(Pair("p", "a", "b", True, "Bind", (("type", "Association"),)))
    ['Bind', 'Association']
    """
    return [type for type in (pair.type, *(value for key, value in pair.infons if key == EXTRA_TYPE_KEY)) if type]


def _build_event_candidates(
    documents: Sequence[Document], parser: str | None
) -> tuple[list[CandidateGraph], np.ndarray]:
    """All pairs of proteins, and their targets; two names of one thing ("p53 (TP53)") do not interact."""
    graphs: list[CandidateGraph] = []
    targets: list[list[float]] = []
    for document in documents:
        for sentence, labels in labelled_pairs(document):
            if not labels:
                continue
            proteins = tuple(entity for entity in sentence.entities if entity.type in PROTEIN_TYPES)
            by_id = {entity.id: entity for entity in proteins}
            pairs, pair_labels = [], []
            for number, label in enumerate(labels):
                mentions = by_id[label.e1], by_id[label.e2]
                first, second = sorted(mentions, key=lambda entity: (entity.start, entity.end))
                if first.spans != second.spans:
                    pairs.append(Pair(f"{sentence.id}.i{number}", first.id, second.id))
                    pair_labels.append(label)
            base = sentence_graph(replace(sentence, entities=proteins, pairs=()), parser=parser)
            if pairs and base.n_tokens <= MAX_TRAINING_SENTENCE_TOKENS:
                graphs.extend(sentence_candidates(base, pairs, document_id=document.id))
                targets.extend(make_event_targets(label, pair.e1) for label, pair in zip(pair_labels, pairs))
    return graphs, np.array(targets).reshape(len(graphs), len(OUTPUTS))


def choose_parser(documents: Sequence[Document]) -> str | None:
    """The only parser's name, or the preferred one; None where nothing is parsed.

    Raises
    ------
    UsageError
        If there are several and the preferred one is not among them.
    """
    counts = Counter(parser for document in documents for sentence in document.sentences for parser in sentence.parsers)
    if PREFERRED_PARSER in counts:
        return PREFERRED_PARSER
    if len(counts) > 1:
        raise UsageError(f"expected one parse a sentence, got {sorted(counts)}; name one as the parser")
    return next(iter(counts), None)


def list_documents(documents: Iterable[Document]) -> list[Document]:
    """The documents, listed; UsageError if they are something else, such as the name of a corpus."""
    if isinstance(documents, str | Path):
        name = str(documents)
        raise UsageError(f"expected documents, got {name!r}; read them first, with corpora.load({name!r})")
    if isinstance(documents, Document) or not isinstance(documents, Iterable):
        raise UsageError(f"expected a list of documents, got {truncate_repr(documents)}")
    document_list = list(documents)
    if non_documents := [item for item in document_list if not isinstance(item, Document)]:
        raise UsageError(f"expected documents, got {truncate_repr(non_documents[0])} among them")
    return document_list


def drop_shared_documents(extra: Iterable[Document], documents: Sequence[Document]) -> list[Document]:
    """The extra documents that have neither an id nor text in common with ``documents``.

    Text in common is a sentence of at least :data:`MIN_SHARED_WORDS` words, or all sentences of the extra document,
    however short.  The interaction corpora overlap: AImed shares documents with BioInfer and with HPRD50.
    """
    ids = set().union(*map(_pubmed_ids, documents))
    texts = {_normalize_text(sentence.text) for document in documents for sentence in document.sentences}
    return [document for document in extra if not (_pubmed_ids(document) & ids or _shares_text(document, texts))]


def find_shared_documents(documents: Sequence[Document], others: Iterable[Document]) -> set[str]:
    """Ids of the documents that have an id, or a sentence, in common with others, however those are split.

    A sentence of at least :data:`MIN_SHARED_WORDS` words is in common if each n-gram of so many of its words (letters
    and digits; tokenizers disagree on the rest) is somewhere in the others.  Memory grows only with ``documents``.
    """
    sentences = [
        (document.id, set(_word_ngrams(sentence.text))) for document in documents for sentence in document.sentences
    ]
    own_ngrams = set().union(*(ngrams for _, ngrams in sentences))
    other_ids: set[str] = set()
    matched_ngrams: set[tuple[str, ...]] = set()
    for other in others:
        other_ids |= _pubmed_ids(other)
        for sentence in other.sentences:
            matched_ngrams.update(ngram for ngram in _word_ngrams(sentence.text) if ngram in own_ngrams)
    by_text = {id for id, ngrams in sentences if ngrams and ngrams <= matched_ngrams}
    return by_text | {document.id for document in documents if _pubmed_ids(document) & other_ids}


def _word_ngrams(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return (tuple(words[start : start + MIN_SHARED_WORDS]) for start in range(len(words) - MIN_SHARED_WORDS + 1))


def _shares_text(document: Document, texts: Container[str]) -> bool:
    sentence_texts = [_normalize_text(sentence.text) for sentence in document.sentences]
    common = [text for text in sentence_texts if text in texts]
    return any(text.count(" ") + 1 >= MIN_SHARED_WORDS for text in common) or (len(common) == len(sentence_texts) > 0)


def _pubmed_ids(document: Document) -> set[str]:
    """Whatever may be the document's PubMed id: some corpora put it in origId, some in an attribute."""
    possible_ids = [document.orig_id, *(value for key, value in document.infons if key.lower() == "pmid")]
    return {value for value in possible_ids if value}


def _normalize_text(text: str) -> str:
    return " ".join(text.lower().split())
