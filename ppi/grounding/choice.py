"""The score of a candidate: a quadratic form of its features, learned by regularized least squares.

    score(x) = sum over i <= j of W_ij x_i x_j,   W minimising   sum_c (y_c - score(x_c))^2 + regparam ||W||^2

over the candidates c of names in texts where people wrote down the genes, y being 1 for the right gene and -1 for
others: least squares with the polynomial kernel of degree 2, folded into one weight per pair of features.  What makes
the weights is ``scripts/train_grounding``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppi.archive import raise_as_model_file_error, read_archive, write_archive
from ppi.grounding.features import FEATURE_NAMES

SCORER_FORMAT = "ppi-miner gene choice"
SCORER_VERSION = 1
SCORER_FILE = "choice.zip"
_THRESHOLDS = ("accept", "accept_given", "margin")

Array = NDArray[np.float64]


class GeneScorer:
    """Learned weights and the two heights that decisions are made at.

    Parameters
    ----------
    weights
        Upper triangle of W, row by row.
    accept
        Names none of whose candidates scores this much stay without a gene.
    accept_given
        The same for mentions that come with the document: somebody has said that they are genes or proteins.
    margin
        Candidates whose score is less than this below the best one's are kept beside it: the name is ambiguous.
    """

    def __init__(self, weights: Sequence[float] | Array, *, accept: float, accept_given: float, margin: float) -> None:
        self.accept = accept
        self.accept_given = accept_given
        self.margin = margin
        self._quadratic_form = np.zeros((len(FEATURE_NAMES), len(FEATURE_NAMES)))
        self._quadratic_form[np.triu_indices(len(FEATURE_NAMES))] = weights

    def scores(self, rows: Sequence[Sequence[float]]) -> Array:
        """The scores of candidates, by their features."""
        features = np.array(rows, dtype=np.float64).reshape(-1, len(FEATURE_NAMES))
        return np.einsum("ij,ij->i", features @ self._quadratic_form, features)

    @classmethod
    def shipped(cls) -> GeneScorer:
        """The one that comes with the package; read once per process."""
        return _load_shipped_scorer()

    @classmethod
    def load(cls, path: str | Path) -> GeneScorer:
        """Read a file that :meth:`save` wrote.

        Raises
        ------
        ModelFileError
            If it is damaged, something else, or was made for other features.
        """
        header, arrays = read_archive(path, format=SCORER_FORMAT, versions=(SCORER_VERSION,))
        with raise_as_model_file_error(path):
            if header["features"] != list(FEATURE_NAMES):
                raise ValueError("expected the features of this version of the package; train it again")
            thresholds = {name: float(header[name]) for name in _THRESHOLDS}
            return cls(arrays["weights"], **thresholds)

    def save(self, path: str | Path, facts: dict[str, Any]) -> None:
        """Write header and weights; ``facts`` say what they were learned from."""
        header = {
            "features": list(FEATURE_NAMES),
            **{name: getattr(self, name) for name in _THRESHOLDS},
            "facts": facts,
        }
        weights = self._quadratic_form[np.triu_indices(len(FEATURE_NAMES))].astype(np.float32)
        write_archive(path, header, {"weights": weights}, format=SCORER_FORMAT, version_number=SCORER_VERSION)


@cache
def _load_shipped_scorer() -> GeneScorer:
    return GeneScorer.load(Path(str(files("ppi.grounding") / SCORER_FILE)))
