"""The shipped model: ridge regression on all corpora, probabilities from corpora it did not see.

Corpora differ in how many of their pairs interact, for reasons that no text shows (what was annotated, and why); each
has its own intercept in training, so that no feature has to stand for the corpus.  BioInfer annotates relations that a
sentence denies like others; where a sentence denies something, it is not learned from (:data:`DENIED_ANNOTATED`).

Everything that is reported, and the calibration, rests on leaving corpora out: a model never saw the corpus it is
judged on, nor any document that another corpus shares with it.  With S_c(-A) the scores of corpus c by a model trained
without the corpora A:

* the model's figures are those of S_c(-{c});
* its calibration is fitted to S_c(-{c}) of all corpora c;
* to judge calibration on c, another one is fitted to S_d(-{c, d}) of the corpora d other than c.

A trained model has a weight for every feature of its documents, millions; those of features that fewer than
``min_documents`` of its documents have are dropped.  Figures are of models after that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora.types import Document
from kernels import denials, linear_gram
from learners import masked_ridge
from learners.metrics import auc, best_threshold
from ppi.errors import TrainingError
from ppi.extraction import Extractor
from ppi.extraction.calibration import KINDS, Calibration, fit_calibration
from ppi.extraction.examples import Examples, labelled_examples
from ppi.extraction.extractor import joint_features
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.prior import PRIOR_REGPARAM, without_shared

#: Features of fewer documents are dropped from the shipped model.
MIN_DOCUMENTS = 3
#: Corpora whose guidelines count denied relations as relations; others teach what a denial means.
DENIED_ANNOTATED = frozenset(["BioInfer"])
#: Ways to calibrate: by a curve or by steps, each pair or each corpus counting the same.
METHODS = tuple(f"{kind} by {unit}" for kind in KINDS for unit in ("pairs", "corpora"))


@dataclass(frozen=True)
class Trained:
    """A linear model, and in how many of its training documents each feature occurs."""

    weights: NDArray[np.float64]
    intercept: float
    frequencies: NDArray[np.int64]

    def pruned(self, min_documents: int) -> NDArray[np.float64]:
        """The weights of features that occur in at least so many documents, 0 for the others."""
        return np.where(self.frequencies >= min_documents, self.weights, 0.0)


@dataclass(frozen=True)
class TrainingSet:
    """Annotated corpora as one feature matrix, and models of all parts of them that the figures need."""

    kernel: str
    regparam: float
    min_documents: int
    transformer: Any
    X: sp.csr_matrix
    examples: dict[str, Examples]
    models: dict[frozenset[str], Trained] = field(default_factory=dict)

    @classmethod
    def build(
        cls,
        documents: Mapping[str, Sequence[Document]],
        *,
        kernel: str = "composite",
        regparam: float = PRIOR_REGPARAM,
        min_documents: int = MIN_DOCUMENTS,
    ) -> TrainingSet:
        """Train on parsed corpora: all of them, all but one, all but two.

        With m pairs and c corpora: the kernel matrix, and O(m^2 c^2) an iteration for all models together.

        Raises
        ------
        TrainingError
            If there are fewer than three corpora: one is tested on, one calibrated on, one learned from.
        """
        if len(documents) < 3:
            raise TrainingError(f"expected at least 3 corpora, so that two can be left out, got {list(documents)}")
        examples = {name: labelled_examples(each, name=name) for name, each in documents.items()}
        transformer = feature_map(kernel)
        X = sp.vstack(joint_features(transformer, list(examples.values())), format="csr")
        found = cls(kernel, regparam, min_documents, transformer, X, examples)
        found._train(_shared(documents))
        return found

    @property
    def names(self) -> list[str]:
        """The corpora."""
        return list(self.examples)

    @property
    def labels(self) -> NDArray[np.float64]:
        """+1 or -1 for each row."""
        return np.concatenate([each.labels for each in self.examples.values()])

    def rows(self, name: str) -> slice:
        """The rows of one corpus."""
        ends = np.cumsum([len(each) for each in self.examples.values()])
        end = int(ends[self.names.index(name)])
        return slice(end - len(self.examples[name]), end)

    def scores(self, name: str, *, without: Collection[str], min_documents: int | None = None) -> NDArray[np.float64]:
        """The scores of a corpus by the model that has not seen these corpora."""
        model = self.models[frozenset(without)]
        weights = model.pruned(self.min_documents if min_documents is None else min_documents)
        return np.asarray(self.X[self.rows(name)] @ weights).ravel() + model.intercept

    def held_out(self, *, without: str | None = None) -> dict[str, NDArray[np.float64]]:
        """Scores of each corpus by a model without it (and without ``without``, whose scores are not given)."""
        left = [name for name in self.names if name != without]
        return {name: self.scores(name, without={name, *([without] if without else [])}) for name in left}

    def calibration(self, method: str, *, without: str | None = None) -> Calibration:
        """A calibration that has not seen ``without``, as none of the models it rests on has.

        ``method`` is one of :data:`METHODS`: a kind, with every pair counting the same, or every corpus.
        """
        kind, _, unit = method.partition(" by ")
        balanced = unit == "corpora"
        scores = self.held_out(without=without)
        weights = None
        if balanced:
            weights = np.concatenate([np.full(len(each), 1 / len(each)) for each in scores.values()])
        return fit_calibration(kind, np.concatenate(list(scores.values())), self._labels_of(scores), weights=weights)

    def aucs(self, *, min_documents: int | None = None) -> dict[str, float]:
        """AUC on each corpus of the model without it; ``min_documents=1`` for the models before pruning."""
        return {
            name: auc(self.examples[name].labels > 0, self.scores(name, without=[name], min_documents=min_documents))
            for name in self.names
        }

    def extractor(
        self, method: str, *, without: str | None = None, facts: Mapping[str, Any] | None = None
    ) -> Extractor:
        """The model of all corpora (but ``without``), calibrated, with 32-bit weights of the features it keeps."""
        model = self.models[frozenset([without] if without else [])]
        weights = model.pruned(self.min_documents)
        transformer, columns = self.transformer.restrict(weights != 0.0)
        scores = self.held_out(without=without)
        labels = self._labels_of(scores)
        return Extractor.from_weights(
            transformer,
            weights[columns].astype(np.float32),
            model.intercept,
            kernel=self.kernel,
            learner="rls",
            regparam=self.regparam,
            threshold=best_threshold(labels, np.concatenate(list(scores.values()))).threshold,
            calibration=self.calibration(method, without=without),
            facts={
                "corpora": {
                    name: {"pairs": len(self.examples[name]), "positive": self.examples[name].positive}
                    for name in scores
                },
                "features": len(columns),
                "features_before_pruning": int(np.count_nonzero(model.weights)),
                "denied_left_out": {name: int(self._left_out[name].sum()) for name in scores},
                "min_documents": self.min_documents,
                "calibrated": method,
                **(facts or {}),
            },
        )

    def _train(self, shared: Mapping[tuple[str, str], set[str]]) -> None:
        parts = [frozenset(some) for size in range(3) for some in combinations(self.names, size)]
        masks = np.column_stack(
            [np.concatenate([self._kept(name, without, shared) for name in self.names]) for without in parts]
        )
        # single precision: half the memory, and the answer is needed to four digits
        K = linear_gram(self.X).astype(np.float32)
        corpus_of = np.repeat(np.arange(len(self.names)), [len(each) for each in self.examples.values()])
        duals = masked_ridge(K, self.labels, masks, self.regparam, groups=corpus_of)
        presence, document_of = self._presence()
        for without, mask, dual in zip(parts, masks.T, duals.T):
            weights = np.asarray(self.X.T @ dual).ravel()
            residuals = self.labels - self.X @ weights
            # the corpora's intercepts, each counting the same; calibration has the last word on it
            intercept = float(np.mean([residuals[mask & (corpus_of == c)].mean() for c in np.unique(corpus_of[mask])]))
            seen = presence[np.unique(document_of[mask])]
            frequencies = np.bincount(seen.indices, minlength=self.X.shape[1])
            self.models[without] = Trained(weights, intercept, frequencies)

    @cached_property
    def _left_out(self) -> dict[str, NDArray[np.bool_]]:
        """Of each corpus the pairs that nothing is learned from."""
        return {
            name: np.array([name in DENIED_ANNOTATED and bool(denials(graph)) for graph in examples.graphs], dtype=bool)
            for name, examples in self.examples.items()
        }

    def _kept(
        self, name: str, without: Collection[str], shared: Mapping[tuple[str, str], set[str]]
    ) -> NDArray[np.bool_]:
        documents = self.examples[name].documents
        if name in without:
            return np.zeros(len(documents), dtype=np.bool_)
        leaking = set().union(*(shared[name, other] for other in without))
        return ~np.isin(documents, list(leaking)) & ~self._left_out[name]

    def _presence(self) -> tuple[sp.csr_matrix, NDArray[np.intp]]:
        """Which feature occurs in which document, and the document of each row."""
        names = [f"{name}|{id}" for name, each in self.examples.items() for id in each.documents]
        _, document_of = np.unique(names, return_inverse=True)
        members = sp.csr_matrix((np.ones(len(names)), (document_of, np.arange(len(names)))))
        occurs = sp.csr_matrix((np.ones_like(self.X.data), self.X.indices, self.X.indptr), shape=self.X.shape)
        return sp.csr_matrix(members @ occurs), document_of

    def _labels_of(self, names: Collection[str]) -> NDArray[np.float64]:
        return np.concatenate([self.examples[name].labels for name in names])


def _shared(documents: Mapping[str, Sequence[Document]]) -> dict[tuple[str, str], set[str]]:
    """For each two corpora the documents of the first that the second has too."""
    return {
        (first, second): {each.id for each in documents[first]}
        - {each.id for each in without_shared(documents[first], documents[second])[0]}
        for first in documents
        for second in documents
        if first != second
    }
