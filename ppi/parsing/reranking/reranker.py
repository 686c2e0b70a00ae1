"""Choosing among the trees of the shipped parser's beam by a trained ranker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ppi.archive import raise_as_model_file_error, read_archive, write_archive
from ppi.errors import MissingModelError, ModelFileError
from ppi.model_header import check_fields, json_field_types
from ppi.parsing.options import RERANKER_FILE
from ppi.parsing.reranking.beam import BeamTrees, beam_trees
from ppi.parsing.reranking.features import BeamFeatures

FORMAT = "ppi-beam-reranker"
FORMAT_VERSION = 1
#: Sequences of moves that are kept while a sentence is parsed to be reranked, and the share of the best one's
#: probability that they need: on articles set aside the best tree is hardly worse for that, and a quarter of the time
#: is saved.
BEAM_WIDTH, BEAM_DENSITY = 8, 0.03
#: Sentences whose beams advance together; those of like length waste no steps.
_BATCH_SENTENCES = 128


@dataclass(frozen=True, eq=False)
class Reranker:
    """Weights of the features of trees.

    Parameters
    ----------
    features
        How trees become numbers.
    weights
        One for each column of the features.
    facts
        What it was trained on and how good it is, for the record.
    """

    features: BeamFeatures
    weights: NDArray[np.float32]
    facts: dict[str, Any] = field(default_factory=dict)

    def scores(self, sentence: BeamTrees) -> NDArray[np.float64]:
        """The score of each tree; only differences within the sentence mean something."""
        return self.features.scores(sentence, self.weights)

    def find_best_tree(self, sentence: BeamTrees) -> int:
        """The place of the tree with the highest score, of equals the parser's own first.

        A sentence has one root: trees with more of them than others have no chance.
        """
        if len(sentence.costs) == 1:
            return 0
        roots = (sentence.heads < 0).sum(axis=1)
        return int(np.argmax(np.where(roots == roots.min(), self.scores(sentence), -np.inf)))

    def rerank_docs(self, parser: Any, docs: Sequence[Any], *, width: int = BEAM_WIDTH) -> list[tuple[BeamTrees, int]]:
        """For each sentence (as for :func:`~ppi.parsing.reranking.beam.beam_trees`) its trees and which is best."""
        order = sorted(range(len(docs)), key=lambda place: len(docs[place]))
        choices: dict[int, tuple[BeamTrees, int]] = {}
        for start in range(0, len(order), _BATCH_SENTENCES):
            places = order[start : start + _BATCH_SENTENCES]
            beams = beam_trees(
                parser, [docs[place] for place in places], width=width, max_trees=width, density=BEAM_DENSITY
            )
            for place, trees in zip(places, beams, strict=True):
                choices[place] = (trees, self.find_best_tree(trees))
        return [choices[place] for place in range(len(docs))]

    def save(self, path: str | Path) -> None:
        """Write the model as a zip of JSON and plain arrays."""
        header = {"features": self.features.parameters(), "facts": self.facts}
        arrays = {"weights": self.weights.astype(np.float32)}
        write_archive(path, header, arrays, format=FORMAT, version_number=FORMAT_VERSION)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what :meth:`save` wrote; nothing in the file can run code.

        Raises
        ------
        ModelFileError
            If the file is damaged, of another version, or no reranker.
        """
        header, arrays = read_archive(path, format=FORMAT, versions=[FORMAT_VERSION])
        with raise_as_model_file_error(path):
            check_fields(header, {"features": (dict,), "facts": (dict,)}, where="header")
            fields = check_fields(header["features"], json_field_types(BeamFeatures), where="features")
            features, weights = BeamFeatures(**fields), arrays["weights"]
            if weights.dtype.kind != "f" or len(weights) != features.width:
                raise ModelFileError(
                    f"{path}: expected {features.width} weights with fractions, got {len(weights)} of {weights.dtype}"
                )
            return cls(features, weights.astype(np.float32), dict(header["facts"]))

    @classmethod
    def shipped(cls) -> Reranker:
        """The one that comes with the package, read once per process.

        Raises
        ------
        MissingModelError
            If it is not there.
        """
        if not RERANKER_FILE.is_file():
            raise MissingModelError(
                "expected a trained reranker in the package, got none; reinstall it, or train one with "
                "scripts/train_parse_ranker"
            )
        return _load_shipped()


@lru_cache(maxsize=1)
def _load_shipped() -> Reranker:
    return Reranker.load(RERANKER_FILE)
