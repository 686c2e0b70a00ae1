"""The ranker: learns from sentences whose candidate parses have a known goodness, and orders the parses of new ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ppi.errors import TrainingError, UsageError
from ppi.parse_ranking.features import ParseFeatures
from ppi.parse_ranking.learning import LearnerOptions, TrainingResult, draw_per_sentence, train
from ppi.parse_ranking.model_file import find_shipped_model, read_ranker, write_ranker
from ppi.parse_ranking.tree_features import TreeFeatures
from ppi.parse_ranking.types import CandidateParse, CandidateSet
from ppi.parsing.reranking.reranker import Reranker


@dataclass(frozen=True)
class RankedParse:
    """A candidate at its place in the learned order (0 is the best); only differences of scores mean anything."""

    place: int
    score: float
    candidate: CandidateParse


class ParseRanker:
    """Orders the candidate parses of a sentence by how close to the truth they look.

    With the linear kernel it is, once trained, one weight for each hashed feature; with the Gaussian one, the rows of
    its basis vectors and their coefficients.

    Parameters
    ----------
    learner
        ``"rank-rls"``, ``"rls"``, ``"sparse-rls"``, ``"sparse-rank-rls"``, ``"rank-svm"`` or ``"cg-rank-rls"``.
    features
        How parses become features: a :class:`~ppi.parse_ranking.features.ParseFeatures`, a
        :class:`~ppi.parse_ranking.tree_features.TreeFeatures` for trees, or None for the defaults of the first.
    parses_per_sentence
        Random parses of each sentence to learn from; None takes all.
    options
        Everything else of :class:`~ppi.parse_ranking.learning.LearnerOptions`: ``cost``, ``pairs``, ``regparam``,
        ``criterion``, ``kernel``, ``gamma``, ``basis_per_sentence``, ``folds``, ``random_state``.

    Attributes
    ----------
    regparam_ : float
    facts_ : dict
        What it was trained on, for the record.
    """

    def __init__(
        self,
        learner: str = "rank-rls",
        *,
        features: ParseFeatures | TreeFeatures | None = None,
        parses_per_sentence: int | None = None,
        **options: Any,
    ) -> None:
        try:
            self.learning = LearnerOptions(learner=learner, **options)
        except TypeError as error:
            raise UsageError(f"expected options of ppi.parse_ranking.learning.Learning, got: {error}") from None
        self.features = ParseFeatures() if features is None else features
        if parses_per_sentence is not None and (type(parses_per_sentence) is not int or parses_per_sentence < 2):
            raise UsageError(f"expected parses_per_sentence to be None or 2 or more, got {parses_per_sentence!r}")
        self.parses_per_sentence = parses_per_sentence

    def __repr__(self) -> str:
        defaults = vars(LearnerOptions())
        options = {**vars(self.learning), "parses_per_sentence": self.parses_per_sentence}
        changed_options = [f"{name}={value!r}" for name, value in options.items() if value != defaults.get(name)]
        return f"ParseRanker({', '.join(changed_options)})"

    def fit(self, sets: Sequence[CandidateSet], *, groups: Sequence[Hashable] | None = None) -> Self:
        """Learn from candidate sets with goodness (:func:`~ppi.parse_ranking.goodness.with_goodness` adds it).

        All parses of a sentence are held out together.

        Parameters
        ----------
        groups
            The document of each set: folds then keep documents together (``cg-rank-rls`` only).

        Raises
        ------
        TrainingError
            If goodness is missing, ids repeat, or no sentence has two parses of different goodness.
        """
        y, qid = goodness_and_queries(sets)
        X = self.features.transform(sets)
        if self.parses_per_sentence is not None:
            sampled = draw_per_sentence(qid, self.parses_per_sentence, random_state=self.learning.random_state)
            X, y, qid = X[sampled], y[sampled], qid[sampled]
            check_learnable(y, qid)
        result = train(X, y, qid, self.learning, groups=None if groups is None else _encode_groups(groups)[qid])
        self._set_coefficients(X, result)
        self.regparam_ = result.regparam
        self.facts_: dict[str, Any] = {
            "sentences": len(np.unique(qid)),
            "parses": len(y),
            "basis": None if result.basis is None else len(result.basis),
            "generators": sorted(
                {str(candidate.graph.parser) for candidate_set in sets for candidate in candidate_set.candidates}
            ),
            "cross_validation_loss": result.training_error,
        }
        return self

    def score(self, sets: Sequence[CandidateSet]) -> list[NDArray[np.float64]]:
        """The scores of each sentence's candidates, in their order."""
        self._check_fitted()
        X = self.features.transform(sets)
        if self.weights_ is not None:
            scores = np.asarray(X @ self.weights_).ravel()
        else:
            scores = self.learning.kernel_object()(X, self.basis_rows_) @ self.coefficients_
        return (
            np.split(scores, np.cumsum([len(candidate_set.candidates) for candidate_set in sets])[:-1])
            if len(sets)
            else []
        )

    def rank(self, candidates: CandidateSet) -> list[RankedParse]:
        """The candidates, best first; equal scores keep the generator's order."""
        return self.rank_all([candidates])[0]

    def rank_all(self, sets: Sequence[CandidateSet]) -> list[list[RankedParse]]:
        """:meth:`rank` of many sentences, at less cost per sentence."""
        return [
            _order_candidates(candidate_set, scores)
            for candidate_set, scores in zip(sets, self.score(sets), strict=True)
        ]

    def save(self, path: str | Path) -> None:
        """Write the model as a zip of JSON and plain arrays."""
        self._check_fitted()
        write_ranker(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what :meth:`save` wrote; nothing in the file can run code.

        Raises
        ------
        ModelFileError
            If the file is damaged, of another version, or no parse ranker.
        """
        return read_ranker(cls, path)

    @classmethod
    def shipped(cls, generator: str) -> Self:
        """The trained ranker that comes with the package for this generator.

        Raises
        ------
        MissingModelError
            If there is none.
        """
        if generator == "beam":
            return cls._from_reranker(Reranker.shipped())
        return cls.load(find_shipped_model(generator))

    @classmethod
    def _from_reranker(cls, reranker: Reranker) -> Self:
        """The parser's own ranker, for candidate sets."""
        ranker = cls("cg-rank-rls", features=TreeFeatures(reranker.features))
        ranker.weights_, ranker.facts_ = reranker.weights.astype(np.float64), dict(reranker.facts)
        ranker.regparam_ = float(reranker.facts.get("regparam", 1.0))
        return ranker

    def _set_coefficients(self, X: sp.csr_matrix, result: TrainingResult) -> None:
        """Keep what scoring needs: weights of features if the kernel is linear, otherwise rows and coefficients."""
        self.weights_: NDArray[np.float64] | None = None
        if result.basis is None:
            self.weights_ = result.coefficients
        elif self.learning.kernel == "linear":
            self.weights_ = np.asarray(X[result.basis].T @ result.coefficients).ravel()
        else:
            self.basis_rows_, self.coefficients_ = X[result.basis], result.coefficients

    def _check_fitted(self) -> None:
        if not hasattr(self, "regparam_"):
            raise TrainingError("expected a trained ranker, got one without weights; call fit or load first")


def goodness_and_queries(sets: Sequence[CandidateSet]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The goodness of all candidates in a row, and the number of the sentence of each."""
    ids = set()
    for candidate_set in sets:
        if candidate_set.goodness is None or len(candidate_set.goodness) != len(candidate_set.candidates):
            n_goodness = None if candidate_set.goodness is None else len(candidate_set.goodness)
            raise TrainingError(
                f"expected a goodness for each of the {len(candidate_set.candidates)} candidates of {candidate_set.id!r}, got {n_goodness}; "
                "ppi.parse_ranking.with_goodness computes it from a treebank's parse"
            )
        if candidate_set.id in ids:
            raise TrainingError(
                f"expected each sentence once, got {candidate_set.id!r} twice; its parses belong together"
            )
        ids.add(candidate_set.id)
    y = np.array([value for candidate_set in sets for value in candidate_set.goodness or ()], dtype=np.float64)
    qid = np.repeat(np.arange(len(sets)), [len(candidate_set.candidates) for candidate_set in sets])
    if not np.isfinite(y).all():
        raise TrainingError(f"expected finite goodness, got {y[~np.isfinite(y)][0]!r}")
    check_learnable(y, qid)
    # F of equal counts may differ in the last bit: those are ties, not preferences of magnitude 1e-16
    return np.round(y, 9), qid


def check_learnable(y: NDArray[np.float64], qid: NDArray[np.int64]) -> None:
    """Refuse data in which fewer than two sentences have parses of different goodness."""
    n_informative = sum(len(np.unique(y[qid == number])) > 1 for number in np.unique(qid))
    if n_informative < 2:
        raise TrainingError(
            f"expected at least 2 sentences with parses of different goodness, got {n_informative} "
            f"among {len(np.unique(qid))}; there is nothing to learn an order from"
        )


def _encode_groups(groups: Sequence[Hashable]) -> NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64)


def _order_candidates(candidate_set: CandidateSet, scores: NDArray[np.float64]) -> list[RankedParse]:
    generator_places = np.array([candidate.place for candidate in candidate_set.candidates])
    order = np.lexsort((generator_places, -scores))
    return [RankedParse(place, float(scores[n]), candidate_set.candidates[n]) for place, n in enumerate(order)]
