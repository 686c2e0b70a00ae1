"""The extractor: learns from annotated documents which pairs interact, scores new ones, and explains the scores.

What only training needs is imported there: it takes a second, and scoring does without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from corpora import Document, Pair, Sentence, pluralize
from kernels import CandidateGraph, Scorer, candidate_graph
from ppi.core import TrainingError, UsageError
from ppi.extraction import model_file
from ppi.extraction.calibration import DEFAULT_CALIBRATION_METHOD, Calibration, fit_by_method
from ppi.extraction.examples import build_candidate_graphs, choose_parser, list_documents
from ppi.extraction.explanation import Explanation, explain_graph
from ppi.extraction.outputs import INTERACTION, OUTPUTS, REGPARAMS
from ppi.extraction.settings import Settings
from ppi.extraction.trained_model import TrainedModel

if TYPE_CHECKING:
    import scipy.sparse as sp

    from ppi.extraction.feedback import Feedback
    from ppi.extraction.judgements import PairJudgement
    from ppi.extraction.ridge import TypedModel
    from ppi.extraction.trained_model import QuadraticModel
    from ppi.extraction.training_rows import PreparedCorpora, TrainingRows

#: The name of a corpus that comes without one.
DEFAULT_CORPUS_NAME = "the documents"


@dataclass(frozen=True)
class ScoredPair:
    """A pair with its score and whether it interacts by that score; ``label`` is the annotation, if any."""

    document: str
    sentence: str
    pair: str
    score: float
    interacts: bool
    label: bool | None


class Extractor:
    """Scores pairs of mentions by how much their sentence looks like one that states an interaction.

    Trained, it is one weight for each feature and an intercept: no training example is kept, but by a squared kernel.

    Parameters
    ----------
    settings
        The fields of :class:`~ppi.extraction.settings.Settings`, by name: ``kernel``, ``learner``, ``regparam``, ...

    Attributes
    ----------
    settings : Settings
    outputs_ : tuple of str
        What the model predicts, ``("interaction",)`` or all of :data:`~ppi.extraction.outputs.OUTPUTS`.
    weights_ : ndarray, one for each feature; with several outputs one column for each
    intercepts_ : ndarray, one for each output
    support_ : QuadraticModel or None
        What ``degree=2`` keeps of the training pairs (:mod:`ppi.extraction.trained_model`); scores have its part added.
    threshold_ : float
        Scores of at least this are interactions: the best F on scores held out.
    regparam_ : float
    facts_ : dict
        What it was trained on, for the record.
    calibrations_ : dict
        From scores to probabilities, for the outputs that have them; fitted to scores held out: of documents, or of
        whole corpora (``ridge``).
    feedback_ : Feedback
        After :meth:`update`: what was judged, and how the model does on it when it is left out.

    Examples
    --------
    >>> import corpora
    >>> extractor = Extractor(kernel="path", learner="rls").fit(corpora.load("sample"))
    >>> best = max(extractor.score(corpora.load("sample")), key=lambda pair: pair.score)
    >>> best.interacts, best.label
    (True, True)
    """

    intercepts_: NDArray[np.float64]
    feedback_: Feedback
    #: only of a squared kernel
    support_: QuadraticModel | None = None
    #: what help and editors show: the settings, which are listed in one place
    __signature__ = signature(Settings)

    def __init__(self, **settings: Any) -> None:
        self.settings = Settings.from_dict(settings)
        self._clear_caches()

    def __repr__(self) -> str:
        defaults = vars(Settings())
        arguments = ", ".join(
            f"{name}={value!r}" for name, value in vars(self.settings).items() if value != defaults[name]
        )
        training_note = f"<trained on {pluralize(len(self.weights_), 'feature')}>" if hasattr(self, "weights_") else ""
        return f"Extractor({arguments}){training_note}"

    def _clear_caches(self) -> None:
        """What is made when first needed, from the map and the weights."""
        self._scorer: Scorer | None = None
        self._coefficients: dict[str, NDArray[np.float64]] = {}
        self._learned_outputs: dict[str, bool] = {}

    def __getstate__(self) -> dict[str, Any]:
        # the scorer's hashes belong to this process, and the rest can be made again
        return {**self.__dict__, "_scorer": None, "_coefficients": {}, "_learned_outputs": {}}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name, as scikit-learn's ``clone`` asks for them."""
        return dict(vars(self.settings))

    def set_params(self, **params: Any) -> Self:
        """Change settings; what was learned with others stays until the next :meth:`fit`."""
        self.settings = Settings.from_dict({**self.get_params(), **params})
        return self

    def fit(
        self,
        documents: Sequence[Document] | Mapping[str, Sequence[Document]],
        *,
        extra: Mapping[str, Sequence[Document]] | None = None,
    ) -> Self:
        """Train on the annotated pairs of ``documents``.

        Parameters
        ----------
        documents
            One corpus, or several by name.
        extra
            Other corpora by name: a model of each is a starting point.  Documents that they share with
            ``documents`` are left out.

        Raises
        ------
        TrainingError
            If there is nothing to learn from.
        """
        from ppi.extraction.ridge import train_typed
        from ppi.extraction.training import check_document_count, make_learner
        from ppi.extraction.training_rows import add_extra_corpora, prepare_corpora

        named = documents if isinstance(documents, Mapping) else {DEFAULT_CORPUS_NAME: documents}
        corpora = {name: list_documents(corpus) for name, corpus in named.items()}
        extra = {name: list_documents(corpus) for name, corpus in (extra or {}).items()}
        if self.settings.learner == "ridge" and extra:
            raise TrainingError("expected no extra corpora with the learner 'ridge', got some; train on them as well")
        prepared = prepare_corpora(add_extra_corpora(corpora, extra), self.settings)
        check_document_count(np.concatenate([prepared.examples[name].documents for name in corpora]))
        rows = prepared.rows(list(corpora), starting_from=list(extra))
        if self.settings.learner == "ridge" and rows.targets is not None:
            typed = train_typed(rows, min_documents=self.settings.min_documents, regparam=self.settings.regparam)
            return self.adopt_typed(typed, prepared, rows, names=list(corpora))
        model = make_learner(self.settings).train(rows)
        return self.adopt(model, prepared, rows, names=list(corpora), starting_from=list(extra))

    def adopt(
        self,
        model: TrainedModel,
        prepared: PreparedCorpora,
        rows: TrainingRows,
        *,
        names: Sequence[str],
        starting_from: Sequence[str] = (),
    ) -> Self:
        """Become the extractor of a model that was trained on rows of the corpora ``names``."""
        from ppi.extraction.training import describe_training

        self._map = prepared.map
        self._clear_caches()
        self.outputs_: tuple[str, ...] = (INTERACTION,)
        self.weights_, self.intercepts_ = model.weights, np.array([model.intercept])
        self.support_ = model.quadratic
        self.threshold_, self.regparam_ = model.threshold, model.regparam
        method = DEFAULT_CALIBRATION_METHOD if self.settings.learner == "ridge" else "platt by pairs"
        self.calibrations_ = {INTERACTION: fit_by_method(method, model.held_out, rows.labels, rows.corpora)}
        self.facts_ = describe_training(model, prepared, rows, self.settings, names=names, starting_from=starting_from)
        if self.settings.min_documents > 1:
            feature_mask = model.weights != 0.0
            self._restrict(feature_mask, model.weights.astype(np.float32))
            self.facts_["features"] = int(feature_mask.sum())
        return self

    def adopt_typed(
        self, model: TypedModel, prepared: PreparedCorpora, rows: TrainingRows, *, names: Sequence[str]
    ) -> Self:
        """Become the extractor of a model with types that was trained on rows of the corpora ``names``."""
        from ppi.extraction.ridge import choose_typed_threshold
        from ppi.extraction.training import describe_typed_training

        self._map = prepared.map
        self._clear_caches()
        self.support_ = None
        self.outputs_ = OUTPUTS
        weights = np.zeros((len(model.feature_mask), len(OUTPUTS)), dtype=np.float32)
        # half precision: three digits of a weight are more than the data determine
        weights[model.feature_mask] = model.outputs.weights.astype(np.float16)
        self._restrict(model.feature_mask, weights)
        self.intercepts_ = np.nan_to_num(model.outputs.intercepts)
        self.calibrations_ = model.calibrations
        self.regparam_ = REGPARAMS[INTERACTION] if self.settings.regparam is None else self.settings.regparam
        self.threshold_ = choose_typed_threshold(model, rows)
        self.facts_ = describe_typed_training(model, prepared, rows, self.settings, names=names)
        return self

    def update(
        self,
        pairs: Sequence[CandidateGraph],
        labels: Sequence[PairJudgement | str | bool],
        *,
        groups: Sequence[Any] | None = None,
        regparam: float | None = None,
        conflicts: str = "majority",
    ) -> Self:
        """Another extractor, changed by judgements of pairs in closed form; this one stays as it is.

        For each output that they teach, w = w0 + X^T (X X^T + c^2 + regparam I)^-1 (y - X w0 - b0) with the weights of
        this extractor as w0 (:mod:`ppi.extraction.feedback`).  Features that the model does not have teach nothing.

        Parameters
        ----------
        pairs
            Candidate graphs, such as :func:`kernels.candidate_graphs` makes.
        labels
            For each a :class:`~ppi.extraction.judgements.PairJudgement` of what was claimed, or, of what this extractor
            claims: ``True``, ``False``, ``"right"``, ``"wrong"``, ``"wrong type: binding"``, ``"wrong direction"``,
            ``"not a protein"``.  :mod:`ppi.extraction.judgements` lists what each teaches.
        groups
            What is left out together when it is estimated whether the feedback helps; the documents unless given.
        regparam
            In units of the features' mean squared norm; None takes 8, and with enough judgements chooses by leaving
            documents out.
        conflicts
            Where several have judged a pair: ``"majority"``, or ``"refuse"`` for an error.

        Returns
        -------
        Extractor
            With ``feedback_``: what was judged, and for each output the errors without feedback, with that on other
            pairs, and with that on other documents.  From 100 judgements of an output on (20 of each kind) its
            probabilities are moved to their prevalence; until then the calibration stays.

        Raises
        ------
        UsageError
            If the labels are none, or two disagree with ``conflicts="refuse"``.

        Notes
        -----
        Give all judgements at once, to the model without feedback: two updates in a row are not the update by both.

        Examples
        --------
        >>> import corpora
        >>> from kernels import candidate_graphs
        >>> extractor = Extractor(kernel="path", learner="rls").fit(corpora.load("sample"))
        >>> pairs = list(candidate_graphs(corpora.load("sample")))[:2]
        >>> better = extractor.update(pairs, ["wrong", "wrong"])
        >>> bool((better.score_graphs(pairs) < extractor.score_graphs(pairs)).all())
        True
        >>> better.feedback_.verdicts
        {'wrong': 2}
        """
        from ppi.extraction.feedback import update_extractor

        self._check_fitted()
        return update_extractor(self, pairs, labels, groups, regparam, conflicts)

    def _restrict(self, feature_mask: NDArray[np.bool_], weights: NDArray[np.float32]) -> None:
        """Keep only these features, with the weights in the order that the smaller map has; hashed ones all stay."""
        self.weights_ = weights
        if self.settings.n_features is None:
            self._map, columns = self._map.restrict(feature_mask)
            self.weights_ = weights[columns]

    @property
    def intercept_(self) -> float:
        """The intercept of the output ``interaction``."""
        return float(self.intercepts_[0])

    @property
    def calibration_(self) -> Calibration | None:
        """From scores to probabilities of the output ``interaction``; None for a model that only scores."""
        return self.calibrations_.get(INTERACTION)

    def score(self, documents: Sequence[Document]) -> list[ScoredPair]:
        """Every pair of two different mentions, in document order."""
        documents = list_documents(documents)
        graphs = build_candidate_graphs(documents, parser=self.settings.parser)
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
        interacting_pairs = [pair for pair in self.score(documents) if pair.interacts]
        return sorted(interacting_pairs, key=lambda pair: -pair.score)

    def score_graphs(self, graphs: Sequence[CandidateGraph]) -> np.ndarray:
        """How much each candidate looks like an interaction: one sparse dot product (:mod:`kernels.scoring`)."""
        return self.score_outputs(graphs)[:, 0]

    def score_outputs(self, graphs: Sequence[CandidateGraph]) -> np.ndarray:
        """One row per candidate graph, one column per output; one pass over the features for all of them."""
        self._check_fitted()
        if not graphs:
            return np.zeros((0, len(self.outputs_)))
        if self.support_ is not None:
            X = self.feature_matrix(graphs)
            products = np.asarray(X @ self.weights_) + self.support_.scores(X)
        elif self.settings.n_features is not None:
            products = np.asarray(self.feature_matrix(graphs) @ self.weights_)
        else:
            if self._scorer is None:
                self._scorer = self._map.scorer(self.weights_)
            products = self._scorer(graphs)
        return products.reshape(len(graphs), -1) + self.intercepts_

    def has_learned(self, output: str) -> bool:
        """Whether the model was taught an output; one that no training corpus teaches is 0 everywhere."""
        self._check_fitted()
        if output not in self._learned_outputs:
            column = self.outputs_.index(output) if output in self.outputs_ else None
            self._learned_outputs[output] = column is not None and bool(
                self.intercepts_[column] != 0.0 or np.any(self.weights_.reshape(-1, len(self.outputs_))[:, column])
            )
        return self._learned_outputs[output]

    def feature_matrix(self, graphs: Sequence[CandidateGraph]) -> sp.csr_matrix:
        """The features of candidate graphs, a row each, in the order of the weights."""
        self._check_fitted()
        return self._map.transform(graphs)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """How probably pairs of these scores interact."""
        return self.check_calibrated()(scores)

    def check_calibrated(self) -> Calibration:
        """The calibration of ``interaction``; refuses a model that has scores and no probabilities."""
        self._check_fitted()
        if self.calibration_ is None:
            raise TrainingError("expected a calibrated extractor, got one that only scores; train it again")
        return self.calibration_

    def explain(self, sentence: Sentence, pair: Pair | str) -> Explanation:
        """The exact split of a pair's score; ``pair`` is one of the sentence's, or its id."""
        self._check_fitted()
        if isinstance(pair, str):
            pairs_by_id = {candidate.id: candidate for candidate in sentence.pairs}
            if pair not in pairs_by_id:
                raise TrainingError(
                    f"expected a pair of sentence {sentence.id!r}, one of {list(pairs_by_id)}, got {pair!r}"
                )
            pair = pairs_by_id[pair]
        parser = self.settings.parser or choose_parser([Document("d", (sentence,))])
        return self.explain_graph(candidate_graph(sentence, pair, parser=parser))

    def explain_graph(self, graph: CandidateGraph, output: str = INTERACTION) -> Explanation:
        """The exact split of an output's score of a candidate."""
        self._check_fitted()
        if output not in self.outputs_:
            raise UsageError(f"expected an output of the model, one of {list(self.outputs_)}, got {output!r}")
        column = self.outputs_.index(output)
        if output not in self._coefficients:
            weights = self.weights_ if self.weights_.ndim == 1 else self.weights_[:, column]
            self._coefficients[output] = np.ascontiguousarray(weights, dtype=np.float64)
        coefficients = self._coefficients[output]
        if self.support_ is not None:  # the square's part of the score splits over the features, too
            coefficients = coefficients + self.support_.weights(self.feature_matrix([graph]))
        features = self._map.attribute(graph, coefficients)
        threshold = self.threshold_ if output == INTERACTION else 0.0
        explanation = explain_graph(graph, features, intercept=float(self.intercepts_[column]), threshold=threshold)
        return explanation if len(self.outputs_) == 1 else replace(explanation, output=output)

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
