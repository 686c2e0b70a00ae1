"""The parse ranker: learns from parses of known goodness, orders the parses of new sentences, and is kept in a file.

The file is a zip of ``model.json`` and plain arrays.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora import Document, Sentence, encode
from ppi.core import (
    MissingModelError,
    ModelFileError,
    TrainingError,
    UsageError,
    check_fields,
    json_field_types,
    raise_as_model_file_error,
    read_archive,
    write_archive,
)
from ppi.language import RERANKER_FILE, BeamFeatures, Reranker
from ppi.parse_ranking.candidate_parses import CandidateParse, CandidateSet, Generator
from ppi.parse_ranking.parse_features import TREE_FEATURES_KIND, ParseFeatures, TreeFeatures
from ppi.parse_ranking.rank_learning import Array, Indices, LearnerOptions, draw_per_sentence, train

FORMAT = "ppi-parse-ranker"
FORMAT_VERSION = 1
#: Where the rankers that come with the package live, one file per generator; that of the beam is the parser's own.
MODEL_DIRECTORY = Path(__file__).parent / "model"

_HEADER_FIELDS = {
    "learning": (dict,),
    "features": (dict,),
    "parses_per_sentence": (int, type(None)),
    "regparam": (float,),
    "facts": (dict,),
}
#: What kind of numbers each array holds: with fractions, or whole and not negative.
_ARRAY_KINDS = {"weights": "f", "values": "f", "coefficients": "f", "indptr": "u", "columns": "u"}
_BATCH_SENTENCES = 32  # sentences whose candidates are held at a time


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
        How parses become features: a :class:`~ppi.parse_ranking.parse_features.ParseFeatures`, a
        :class:`~ppi.parse_ranking.parse_features.TreeFeatures` for trees, or None for the defaults of the first.
    parses_per_sentence
        Random parses of each sentence to learn from; None takes all.
    options
        Everything else of :class:`~ppi.parse_ranking.LearnerOptions`: ``cost``, ``pairs``, ``regparam``,
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
            raise UsageError(f"expected options of ppi.parse_ranking.LearnerOptions, got: {error}") from None
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
        """Learn from candidate sets with goodness (:func:`~ppi.parse_ranking.candidate_parses.with_goodness` adds it).

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
        if groups is None:
            result = train(X, y, qid, self.learning)
        else:
            numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
            result = train(X, y, qid, self.learning, groups=np.array([numbers[group] for group in groups])[qid])
        # scoring needs weights of features if the kernel is linear, otherwise rows and coefficients
        self.weights_: Array | None = None
        if result.basis is None:
            self.weights_ = result.coefficients
        elif self.learning.kernel == "linear":
            self.weights_ = np.asarray(X[result.basis].T @ result.coefficients).ravel()
        else:
            self.basis_rows_, self.coefficients_ = X[result.basis], result.coefficients
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

    def score(self, sets: Sequence[CandidateSet]) -> list[Array]:
        """The scores of each sentence's candidates, in their order."""
        self._check_fitted()
        X = self.features.transform(sets)
        if self.weights_ is not None:
            scores = np.asarray(X @ self.weights_).ravel()
        else:
            scores = self.learning.kernel_object()(X, self.basis_rows_) @ self.coefficients_
        ends = np.cumsum([len(candidate_set.candidates) for candidate_set in sets])
        return np.split(scores, ends[:-1]) if len(sets) else []

    def rank(self, candidates: CandidateSet) -> list[RankedParse]:
        """The candidates, best first; equal scores keep the generator's order."""
        return self.rank_all([candidates])[0]

    def rank_all(self, sets: Sequence[CandidateSet]) -> list[list[RankedParse]]:
        """:meth:`rank` of many sentences, at less cost per sentence."""
        ranked = []
        for candidate_set, scores in zip(sets, self.score(sets), strict=True):
            candidates = candidate_set.candidates
            order = np.lexsort((np.array([candidate.place for candidate in candidates]), -scores))
            ranked.append([RankedParse(place, float(scores[n]), candidates[n]) for place, n in enumerate(order)])
        return ranked

    def save(self, path: str | Path) -> None:
        """Write the model as a zip of JSON and plain arrays, with weights as 32-bit numbers."""
        self._check_fitted()
        header: dict[str, Any] = {
            "learning": self.learning.parameters(),
            "features": self.features.parameters(),
            "parses_per_sentence": self.parses_per_sentence,
            "regparam": self.regparam_,
            "facts": self.facts_,
        }
        arrays: dict[str, NDArray[Any]]
        if self.weights_ is not None:
            arrays = {"weights": self.weights_.astype(np.float32)}
        else:
            rows = self.basis_rows_
            arrays = {
                "indptr": rows.indptr.astype(np.uint64),
                "columns": rows.indices.astype(np.uint32),
                "values": rows.data.astype(np.float32),
                "coefficients": self.coefficients_,
            }
        write_archive(path, header, arrays, format=FORMAT, version_number=FORMAT_VERSION)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what :meth:`save` wrote; nothing in the file can run code.

        Raises
        ------
        ModelFileError
            If the file is damaged, of another version, or no parse ranker.
        """
        header, arrays = read_archive(path, format=FORMAT, versions=[FORMAT_VERSION])
        with raise_as_model_file_error(path):
            check_fields(header, _HEADER_FIELDS, where="header")
            ranker = cls(
                features=_make_features(header["features"]),
                parses_per_sentence=header["parses_per_sentence"],
                **check_fields(header["learning"], json_field_types(LearnerOptions), where="learning"),
            )
            ranker.regparam_, ranker.facts_ = float(header["regparam"]), dict(header["facts"])
            ranker._restore_weights(arrays, path)
        return ranker

    @classmethod
    def shipped(cls, generator: str) -> Self:
        """The trained ranker that comes with the package for this generator.

        Raises
        ------
        MissingModelError
            If there is none.
        """
        if generator != "beam":
            return cls.load(find_shipped_model(generator))
        reranker = Reranker.load_shipped()  # the parser's own
        ranker = cls("cg-rank-rls", features=TreeFeatures(reranker.features))
        ranker.weights_, ranker.facts_ = reranker.weights.astype(np.float64), dict(reranker.facts)
        ranker.regparam_ = float(reranker.facts.get("regparam", 1.0))
        return ranker

    def _restore_weights(self, arrays: dict[str, NDArray[Any]], path: str | Path) -> None:
        for name, array in arrays.items():
            if array.dtype.kind != _ARRAY_KINDS[name]:
                raise ModelFileError(f"{path}: expected {name!r} of kind {_ARRAY_KINDS[name]!r}, got {array.dtype}")
        width = self.features.width
        if self.learning.kernel == "linear":
            if len(arrays["weights"]) != width:
                raise ModelFileError(f"{path}: expected {width} weights, got {len(arrays['weights'])}")
            self.weights_ = arrays["weights"].astype(np.float64)
            return
        if not self.learning.gamma > 0:
            raise ModelFileError(f"{path}: expected a gamma above 0, got {self.learning.gamma!r}")
        columns, indptr, coefficients = arrays["columns"], arrays["indptr"].astype(np.int64), arrays["coefficients"]
        if len(columns) and columns.max() >= width:
            raise ModelFileError(f"{path}: expected columns below {width}, got {columns.max()}")
        shape = (len(coefficients), width)
        rows = sp.csr_matrix((arrays["values"].astype(np.float64), columns.astype(np.int64), indptr), shape=shape)
        rows.check_format(full_check=True)
        self.weights_, self.basis_rows_, self.coefficients_ = None, rows, coefficients.astype(np.float64)

    def _check_fitted(self) -> None:
        if not hasattr(self, "regparam_"):
            raise TrainingError("expected a trained ranker, got one without weights; call fit or load first")


def goodness_and_queries(sets: Sequence[CandidateSet]) -> tuple[Array, Indices]:
    """The goodness of all candidates in a row, and the number of the sentence of each."""
    ids = set()
    for candidate_set in sets:
        if candidate_set.goodness is None or len(candidate_set.goodness) != len(candidate_set.candidates):
            n_goodness = None if candidate_set.goodness is None else len(candidate_set.goodness)
            raise TrainingError(
                f"expected a goodness for each of the {len(candidate_set.candidates)} candidates of "
                f"{candidate_set.id!r}, got {n_goodness}; "
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


def check_learnable(y: Array, qid: Indices) -> None:
    """Refuse data in which fewer than two sentences have parses of different goodness."""
    n_informative = sum(len(np.unique(y[qid == number])) > 1 for number in np.unique(qid))
    if n_informative < 2:
        raise TrainingError(
            f"expected at least 2 sentences with parses of different goodness, got {n_informative} "
            f"among {len(np.unique(qid))}; there is nothing to learn an order from"
        )


def _make_features(parameters: dict[str, Any]) -> ParseFeatures | TreeFeatures:
    """What the header describes; those of trees have a kind, the others are older."""
    if parameters.get("kind") == TREE_FEATURES_KIND:
        options = {name: value for name, value in parameters.items() if name != "kind"}
        return TreeFeatures(BeamFeatures(**check_fields(options, json_field_types(BeamFeatures), where="features")))
    return ParseFeatures(**check_fields(parameters, json_field_types(ParseFeatures), where="features"))


def find_shipped_model(generator: str) -> Path:
    """The file of the shipped ranker of a generator."""
    paths = {**{path.stem: path for path in MODEL_DIRECTORY.glob("*.zip")}, "beam": RERANKER_FILE}
    path = paths.get(generator)
    if path is None or not path.is_file():
        available = sorted(name for name, path in paths.items() if path.is_file())
        raise MissingModelError(
            f"expected a generator with a shipped ranker, one of {available}, got {generator!r}; "
            "give a model file, or train one with scripts/train_parse_ranker"
        )
    return path


@dataclass(frozen=True)
class RankedSentence:
    """A sentence of a document and its best parses, best first; none if the generator found none."""

    document: str
    sentence: Sentence
    parses: tuple[RankedParse, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "document": self.document,
            "sentence": self.sentence.id,
            "text": self.sentence.text,
            "parses": [
                {
                    "place": parse.place,
                    "score": parse.score,
                    "generator_place": parse.candidate.place,
                    "generator_cost": parse.candidate.cost,
                    "parse": encode(parse.candidate.graph),
                }
                for parse in self.parses
            ],
        }


def rank_sentences(
    documents: Iterable[Document],
    generator: Generator,
    ranker: ParseRanker,
    *,
    max_candidates: int = 100,
    top: int | None = None,
) -> Iterator[RankedSentence]:
    """Every sentence with its ranked parses, in order; a few dozen are held at a time.

    Parameters
    ----------
    documents
        Their sentences are taken as they are.
    max_candidates
        Candidates of a sentence, at most.
    top
        Parses that are kept; None: all.
    """
    n_unparsed = 0
    stream = ((document.id, sentence) for document in documents for sentence in document.sentences)
    while batch := list(islice(stream, _BATCH_SENTENCES)):
        sets = list(generator.candidates([sentence for _, sentence in batch], max_candidates=max_candidates))
        for (document, sentence), ranked in zip(batch, ranker.rank_all(sets), strict=True):
            n_unparsed += not ranked
            yield RankedSentence(document, sentence, tuple(ranked[:top]))
    if n_unparsed:
        warnings.warn(f"{n_unparsed} sentences have no parse by {generator.name}", stacklevel=2)


def build_ranked_documents(sentences: Iterable[RankedSentence]) -> Iterator[Document]:
    """Documents in which every ranked parse is a sentence of its own, as CoNLL-U wants it.

    The id gets ``/1``, ``/2`` ... for the place; infons give place, score and the generator's own place.  Entities and
    pairs stay behind: they belong to the sentence, not to each of its parses.
    """
    for id, group in groupby(sentences, key=lambda ranked_sentence: ranked_sentence.document):
        parts = tuple(
            Sentence(
                id=f"{ranked_sentence.sentence.id}/{parse.place + 1}",
                text=ranked_sentence.sentence.text,
                parses=(parse.candidate.graph,),
                infons=(
                    ("place", str(parse.place + 1)),
                    ("score", f"{parse.score:.6g}"),
                    ("generator_place", str(parse.candidate.place + 1)),
                ),
            )
            for ranked_sentence in group
            for parse in ranked_sentence.parses
        )
        if parts:
            yield Document(id, parts)
