"""From annotated corpora to what learners take: the one way to prepare examples, for fitting and for evaluating.

Features of all corpora are over one vocabulary.  A corpus is learned from together with others, or with models of
others as starting points (:mod:`ppi.extraction.design`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora.types import Document
from kernels import CandidateGraph, FeatureMap, denials
from ppi.errors import TrainingError
from ppi.extraction.design import Design
from ppi.extraction.examples import Examples, collect_examples
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.overlap import drop_shared_documents
from ppi.extraction.ridge import prior_weights
from ppi.extraction.settings import Settings

#: Corpora whose guidelines count denied relations as relations; others teach what a denial means.
DENIALS_AS_RELATIONS_CORPORA = frozenset(["BioInfer"])
#: Parts of a corpus that are left out one by one where it is the only one.
MAX_HOLD_OUT_PARTS = 10


@dataclass(frozen=True)
class HoldOut:
    """Rows that are left out together.

    ``tested`` are theirs; ``barred`` are those and all that must not be learned from meanwhile, because their
    documents are also in the part left out.
    """

    name: str
    test_mask: NDArray[np.bool_]
    excluded_mask: NDArray[np.bool_]


@dataclass(frozen=True)
class TrainingRows:
    """Examples as a learner sees them, one row per candidate.

    Parameters
    ----------
    X, labels, documents
        Features, +1 or -1, and the document of each row.
    corpora
        The corpus of each row, as a number.
    taught
        Rows that the learner ``ridge`` learns from: without the denied pairs of :data:`DENIED_ANNOTATED`.
    hold_outs
        The parts that are left out one by one.
    priors
        Weights of models that are starting points, as columns.
    targets
        Of a typed model: one column per output (:mod:`ppi.extraction.outputs`), NaN where a corpus says nothing.
    degree
        2 for the squared kernel.
    """

    X: sp.csr_matrix
    labels: NDArray[np.float64]
    documents: NDArray
    corpora: NDArray[np.intp]
    trainable: NDArray[np.bool_]
    hold_outs: tuple[HoldOut, ...] = ()
    priors: NDArray[np.float64] | None = None
    targets: NDArray[np.float64] | None = None
    degree: int = 1

    def __len__(self) -> int:
        return len(self.labels)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "design"}  # made again where needed

    def check_hold_outs(self) -> None:
        """Refuse corpora of which one leaves nothing to learn from when it is left out.

        Raises
        ------
        TrainingError
            Naming it.
        """
        for part in self.hold_outs:
            if (part.excluded_mask | ~self.trainable).all():
                raise TrainingError(
                    f"expected pairs to learn from when {part.name!r} is left out, got none: the other corpora share "
                    "all their documents with it; leave it out of the corpora, or add another one"
                )

    @cached_property
    def design(self) -> Design:
        """The rows with a constant and the opinions of the starting points."""
        return Design.build(self.X, priors=self.priors, degree=self.degree)

    def subset(self, rows: NDArray[np.bool_]) -> TrainingRows:
        """These rows alone."""
        hold_outs = tuple(HoldOut(part.name, part.test_mask[rows], part.excluded_mask[rows]) for part in self.hold_outs)
        return TrainingRows(
            self.X[rows],
            self.labels[rows],
            self.documents[rows],
            self.corpora[rows],
            self.trainable[rows],
            hold_outs,
            self.priors,
            None if self.targets is None else self.targets[rows],
            self.degree,
        )


@dataclass(frozen=True)
class PreparedCorpora:
    """Corpora by name: their documents, examples, and features over one vocabulary."""

    map: FeatureMap[CandidateGraph]
    documents: dict[str, Sequence[Document]]
    examples: dict[str, Examples]
    features: dict[str, sp.csr_matrix]
    degree: int = 1
    _shared: dict[tuple[str, str], set[str]] = field(default_factory=dict, repr=False)

    def rows(self, names: Sequence[str], *, starting_from: Sequence[str] = ()) -> TrainingRows:
        """The examples of some corpora together; models of others are the starting points."""
        sizes = [len(self.examples[name]) for name in names]
        priors = [prior_weights(self.features[name], self.examples[name].labels) for name in starting_from]
        rows = TrainingRows(
            X=sp.vstack([self.features[name] for name in names], format="csr"),
            labels=np.concatenate([self.examples[name].labels for name in names]),
            documents=np.concatenate([self.examples[name].documents for name in names]),
            corpora=np.repeat(np.arange(len(names)), sizes),
            trainable=np.concatenate([self._trainable_mask(name) for name in names]),
            priors=np.column_stack(priors) if priors else None,
            targets=np.concatenate([self.examples[name].targets for name in names]) if self.has_types(names) else None,
            degree=self.degree,
        )
        return replace(rows, hold_outs=self._make_hold_outs(names, rows))

    def has_types(self, names: Sequence[str]) -> bool:
        """Whether one of the corpora annotates types."""
        return any(self.examples[name].typed for name in names)

    def shared_document_ids(self, name: str, other: str) -> set[str]:
        """Ids of the documents of one corpus that another has too."""
        if (name, other) not in self._shared:
            kept, _ = drop_shared_documents(self.documents[name], self.documents[other])
            ids = {document.id for document in self.documents[name]}
            self._shared[name, other] = ids - {document.id for document in kept}
        return self._shared[name, other]

    def _trainable_mask(self, name: str) -> NDArray[np.bool_]:
        graphs = self.examples[name].graphs
        if name not in DENIALS_AS_RELATIONS_CORPORA:
            return np.ones(len(graphs), dtype=np.bool_)
        return np.array([not denials(graph) for graph in graphs], dtype=np.bool_)

    def _make_hold_outs(self, names: Sequence[str], rows: TrainingRows) -> tuple[HoldOut, ...]:
        """Each corpus; of a single one, parts of whole documents."""
        if len(names) == 1:
            ids = np.unique(rows.documents)
            part_of = np.searchsorted(ids, rows.documents) % min(MAX_HOLD_OUT_PARTS, len(ids))
            return tuple(HoldOut(f"part {part}", part_of == part, part_of == part) for part in np.unique(part_of))
        hold_outs = []
        for number, name in enumerate(names):
            leaking = [
                np.isin(
                    self.examples[other].documents, list(self.shared_document_ids(other, name)) if other != name else []
                )
                for other in names
            ]
            test_mask = rows.corpora == number
            hold_outs.append(HoldOut(name, test_mask, test_mask | np.concatenate(leaking)))
        return tuple(hold_outs)


def prepare(corpora: Mapping[str, Sequence[Document]], settings: Settings) -> PreparedCorpora:
    """Examples and features of annotated corpora; the first one's features come first in the vocabulary.

    Raises
    ------
    TrainingError
        If one of them has nothing to learn from.
    """
    examples = {
        name: collect_examples(documents, parser=settings.parser, name=name) for name, documents in corpora.items()
    }
    transformer = feature_map(settings.kernel, variant=settings.variant, n_features=settings.n_features)
    X = transformer.fit_transform([graph for corpus_examples in examples.values() for graph in corpus_examples.graphs])
    ends = np.cumsum([len(corpus_examples) for corpus_examples in examples.values()])
    features = {
        name: X[end - len(corpus_examples) : end] for (name, corpus_examples), end in zip(examples.items(), ends)
    }
    return PreparedCorpora(transformer, dict(corpora), examples, features, settings.degree)


def add_extra_corpora(
    corpora: Mapping[str, Sequence[Document]], extra: Mapping[str, Sequence[Document]]
) -> dict[str, Sequence[Document]]:
    """The corpora, and extra ones without the documents that they share with those.

    Raises
    ------
    TrainingError
        If a corpus is both.
    """
    both = sorted(corpora.keys() & extra.keys())
    if both:
        raise TrainingError(f"expected extra corpora other than those learned from, got {both} as both")
    everything = [document for documents in corpora.values() for document in documents]
    return {**corpora, **{name: drop_shared_documents(documents, everything)[0] for name, documents in extra.items()}}
