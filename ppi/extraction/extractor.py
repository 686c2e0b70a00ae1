"""The extractor: learns from annotated documents which pairs interact, scores new ones, and says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from corpora.types import Document, Pair, Sentence
from kernels import CandidateGraph, Scorer, candidate_graph
from ppi.errors import TrainingError
from ppi.extraction import model_file
from ppi.extraction.calibration import Calibration, fit_calibration
from ppi.extraction.design import Design
from ppi.extraction.examples import Examples, candidates, choose_parser, labelled_examples
from ppi.extraction.explanation import Explanation, explain_graph
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.learning import check_documents, make_learner
from ppi.extraction.prior import prior_weights, without_shared


@dataclass(frozen=True)
class ScoredPair:
    """A pair with its score and whether the score says that it interacts; ``label`` is the annotation, if any."""

    document: str
    sentence: str
    pair: str
    score: float
    interacts: bool
    label: bool | None


class Extractor:
    """Scores pairs of mentions by how much their sentence looks like one that states an interaction.

    Trained, it is one weight for each feature and an intercept: no training example is kept.

    Parameters
    ----------
    kernel
        ``"all-paths"`` (the published graph kernel), ``"context"``, ``"path"`` or ``"composite"``.
    variant
        ``"max"`` or ``"sum"``, of the all-paths kernel.
    learner
        ``"sparse-rls"``, ``"rls"``, ``"rank-rls"`` or ``"rank-svm"``.
    regparam
        In units of the features' mean squared norm; None chooses by the AUC of leave-document-out.
    n_basis
        Basis vectors of sparse RLS; with as many as examples it is RLS.
    parser
        Name of the parse to use; None takes the only one, or ``split_parse``.
    n_features
        None learns a vocabulary; a power of 2 hashes each kernel's features into that many columns.
    random_state
        For drawing the basis vectors.

    Attributes
    ----------
    weights_ : ndarray, one for each feature
    intercept_ : float
    threshold_ : float
        Scores of at least this are interactions: the best F of leave-document-out.
    regparam_ : float
    facts_ : dict
        What it was trained on, for the record.
    calibration_ : Calibration or None
        From scores to probabilities, fitted to the scores of leave-document-out.

    Examples
    --------
    >>> import corpora
    >>> extractor = Extractor(kernel="path", learner="rls").fit(corpora.load("sample"))
    >>> best = max(extractor.score(corpora.load("sample")), key=lambda pair: pair.score)
    >>> best.interacts, best.label
    (True, True)
    """

    def __init__(
        self,
        *,
        kernel: str = "all-paths",
        variant: str = "max",
        learner: str = "sparse-rls",
        regparam: float | None = None,
        n_basis: int = 4000,
        parser: str | None = None,
        n_features: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.kernel = kernel
        self.variant = variant
        self.learner = learner
        self.regparam = regparam
        self.n_basis = n_basis
        self.parser = parser
        self.n_features = n_features
        self.random_state = random_state
        self._scorer: Scorer | None = None  # made when first needed, from the map and the weights

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_scorer": None}  # its hashes belong to this process

    def parameters(self) -> dict[str, Any]:
        """The constructor's arguments."""
        names = ("kernel", "variant", "learner", "regparam", "n_basis", "parser", "n_features", "random_state")
        return {name: getattr(self, name) for name in names}

    def fit(self, documents: Sequence[Document], *, extra: Mapping[str, Sequence[Document]] | None = None) -> Self:
        """Train on the annotated pairs of ``documents``.

        Parameters
        ----------
        extra
            Other corpora by name: a model of each is a starting point.  Documents that they share with
            ``documents`` are left out.

        Raises
        ------
        TrainingError
            If there is nothing to learn from.
        """
        learner = make_learner(
            self.learner, regparam=self.regparam, n_basis=self.n_basis, random_state=self.random_state
        )
        examples = labelled_examples(documents, parser=self.parser)
        check_documents(examples.documents)
        extras = extra_examples(documents, extra or {}, parser=self.parser)
        self._map = feature_map(self.kernel, variant=self.variant, n_features=self.n_features)
        self._scorer = None
        X, *parts = joint_features(self._map, [examples, *extras.values()])
        priors = prior_matrix(parts, extras)
        model = learner.train(Design.build(X, priors=priors), examples.labels, examples.documents)
        self.weights_, self.intercept_ = model.weights, model.intercept
        self.threshold_, self.regparam_ = model.threshold, model.regparam
        self.calibration_: Calibration | None = fit_calibration("platt", model.held_out, examples.labels)
        self.facts_: dict[str, Any] = {
            "documents": len(np.unique(examples.documents)),
            "pairs": len(examples),
            "positive": examples.positive,
            "extra": {name: len(each) for name, each in extras.items()},
            "regparam": model.regparam,
            "leave_document_out_auc": model.training_auc,
        }
        return self

    @classmethod
    def from_weights(
        cls,
        transformer: Any,
        weights: np.ndarray,
        intercept: float,
        *,
        threshold: float,
        calibration: Calibration | None,
        facts: Mapping[str, Any],
        **parameters: Any,
    ) -> Self:
        """An extractor of weights found elsewhere, over the features of a fitted map; others as in the constructor."""
        extractor = cls(**parameters)
        extractor._map = transformer
        extractor.weights_, extractor.intercept_ = weights, float(intercept)
        extractor.threshold_, extractor.calibration_ = float(threshold), calibration
        extractor.regparam_, extractor.facts_ = float(extractor.regparam or 0.0), dict(facts)
        return extractor

    def score(self, documents: Sequence[Document]) -> list[ScoredPair]:
        """Every pair of two different mentions, in document order."""
        graphs = candidates(documents, parser=self.parser)
        return [
            ScoredPair(
                graph.document_id or "",
                graph.sentence.id,
                graph.pair.id,
                float(score),
                bool(score >= self.threshold_),
                graph.label,
            )
            for graph, score in zip(graphs, self.score_graphs(graphs), strict=True)
        ]

    def predict(self, documents: Sequence[Document]) -> list[ScoredPair]:
        """The pairs that are found to interact, best first."""
        found = [pair for pair in self.score(documents) if pair.interacts]
        return sorted(found, key=lambda pair: -pair.score)

    def score_graphs(self, graphs: Sequence[CandidateGraph]) -> np.ndarray:
        """Scores of candidate graphs: one sparse dot product each; see :mod:`kernels.scoring`."""
        self._check_fitted()
        if not graphs:
            return np.zeros(0)
        if self.n_features is not None:
            return np.asarray(self.feature_matrix(graphs) @ self.weights_).ravel() + self.intercept_
        if self._scorer is None:
            self._scorer = self._map.scorer(self.weights_)
        return self._scorer(graphs) + self.intercept_

    def feature_matrix(self, graphs: Sequence[CandidateGraph]) -> sp.csr_matrix:
        """The features of candidate graphs, a row each, in the order of the weights."""
        self._check_fitted()
        return self._map.transform(graphs)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """How probably pairs of these scores interact."""
        return self._calibration()(scores)

    def check_calibrated(self) -> None:
        """Refuse a model that can score but not tell probabilities."""
        self._calibration()

    def _calibration(self) -> Calibration:
        self._check_fitted()
        if self.calibration_ is None:
            raise TrainingError("expected a calibrated extractor, got one that only scores; train it again")
        return self.calibration_

    def explain(self, sentence: Sentence, pair: Pair | str) -> Explanation:
        """The exact split of a pair's score; ``pair`` is one of the sentence's, or its id."""
        self._check_fitted()
        if isinstance(pair, str):
            known = {each.id: each for each in sentence.pairs}
            if pair not in known:
                raise TrainingError(f"expected a pair of sentence {sentence.id!r}, one of {list(known)}, got {pair!r}")
            pair = known[pair]
        parser = self.parser or choose_parser([Document("d", (sentence,))])
        return self.explain_graph(candidate_graph(sentence, pair, parser=parser))

    def explain_graph(self, graph: CandidateGraph) -> Explanation:
        """The exact split of a candidate's score."""
        self._check_fitted()
        features = self._map.attribute(graph, self.weights_)
        return explain_graph(graph, features, intercept=self.intercept_, threshold=self.threshold_)

    def save(self, path: str | Path) -> None:
        """Write the model as a zip of JSON and plain arrays."""
        self._check_fitted()
        model_file.save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what :meth:`save` wrote; nothing in the file can run code.

        Raises
        ------
        ModelFileError
            If the file is damaged, of another version, or no extractor.
        """
        return model_file.load(cls, path)

    def _check_fitted(self) -> None:
        if not hasattr(self, "weights_"):
            raise TrainingError("expected a trained extractor, got one without weights; call fit or load first")


def extra_examples(
    documents: Sequence[Document], extra: Mapping[str, Sequence[Document]], *, parser: str | None
) -> dict[str, Examples]:
    """The examples of each extra corpus, without the documents it shares with ``documents``."""
    kept = {name: without_shared(each, documents)[0] for name, each in extra.items()}
    return {name: labelled_examples(each, parser=parser, name=name) for name, each in kept.items()}


def joint_features(transformer: Any, sets: Sequence[Examples]) -> list[sp.csr_matrix]:
    """Features of several sets of examples, over one vocabulary."""
    X = transformer.fit_transform([graph for each in sets for graph in each.graphs])
    ends = np.cumsum([len(each) for each in sets])
    return [X[end - len(each) : end] for each, end in zip(sets, ends, strict=True)]


def prior_matrix(parts: Sequence[sp.csr_matrix], extras: Mapping[str, Examples]) -> np.ndarray | None:
    """The weights of each extra corpus's model, as columns; None without extra corpora."""
    if not extras:
        return None
    return np.column_stack([prior_weights(X, each.labels) for X, each in zip(parts, extras.values(), strict=True)])
