"""Files of trained parse rankers: a zip of ``model.json`` and plain arrays, and where the shipped ones are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import scipy.sparse as sp

from ppi.archive import raise_as_model_file_error, read_archive, write_archive
from ppi.errors import MissingModelError, ModelFileError
from ppi.model_header import check_fields, json_field_types
from ppi.parse_ranking.features import ParseFeatures
from ppi.parse_ranking.learning import LearnerOptions
from ppi.parse_ranking.tree_features import TREE_FEATURES_KIND, TreeFeatures
from ppi.parsing.options import RERANKER_FILE
from ppi.parsing.reranking.features import BeamFeatures

if TYPE_CHECKING:
    from ppi.parse_ranking.ranker import ParseRanker

FORMAT = "ppi-parse-ranker"
FORMAT_VERSION = 1
#: Where the rankers that come with the package live, one file per generator; that of the beam is the parser's own.
MODEL_DIRECTORY = Path(__file__).parent / "model"

RankerT = TypeVar("RankerT", bound="ParseRanker")

_NONE_TYPE = type(None)
_HEADER_FIELDS = {
    "learning": (dict,),
    "features": (dict,),
    "parses_per_sentence": (int, _NONE_TYPE),
    "regparam": (float,),
    "facts": (dict,),
}
#: What kind of numbers each array holds: with fractions, or whole and not negative.
_ARRAY_KINDS = {"weights": "f", "values": "f", "coefficients": "f", "indptr": "u", "columns": "u"}


def write_ranker(ranker: ParseRanker, path: str | Path) -> None:
    """Write the ranker, with weights as 32-bit numbers."""
    header: dict[str, Any] = {
        "learning": ranker.learning.parameters(),
        "features": ranker.features.parameters(),
        "parses_per_sentence": ranker.parses_per_sentence,
        "regparam": ranker.regparam_,
        "facts": ranker.facts_,
    }
    arrays: dict[str, np.ndarray]
    if ranker.weights_ is not None:
        arrays = {"weights": ranker.weights_.astype(np.float32)}
    else:
        rows = ranker.basis_rows_
        arrays = {
            "indptr": rows.indptr.astype(np.uint64),
            "columns": rows.indices.astype(np.uint32),
            "values": rows.data.astype(np.float32),
            "coefficients": ranker.coefficients_,
        }
    write_archive(path, header, arrays, format=FORMAT, version_number=FORMAT_VERSION)


def read_ranker(cls: type[RankerT], path: str | Path) -> RankerT:
    """Read a ranker.

    Raises
    ------
    ModelFileError
        Saying what is wrong with the file.
    """
    header, arrays = read_archive(path, format=FORMAT, versions=[FORMAT_VERSION])
    with raise_as_model_file_error(path):
        check_fields(header, _HEADER_FIELDS, where="header")
        ranker = cls(
            features=_read_features(header["features"]),
            parses_per_sentence=header["parses_per_sentence"],
            **check_fields(header["learning"], json_field_types(LearnerOptions), where="learning"),
        )
        ranker.regparam_, ranker.facts_ = float(header["regparam"]), dict(header["facts"])
        _restore_weights(ranker, arrays, path)
    return ranker


def _read_features(parameters: dict[str, Any]) -> ParseFeatures | TreeFeatures:
    """What the header describes; those of trees say so, the others are older than the difference."""
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


def _restore_weights(ranker: ParseRanker, arrays: dict[str, np.ndarray], path: str | Path) -> None:
    for name, array in arrays.items():
        if array.dtype.kind != _ARRAY_KINDS[name]:
            raise ModelFileError(f"{path}: expected {name!r} of kind {_ARRAY_KINDS[name]!r}, got {array.dtype}")
    width = ranker.features.width
    if ranker.learning.kernel == "linear":
        if len(arrays["weights"]) != width:
            raise ModelFileError(f"{path}: expected {width} weights, got {len(arrays['weights'])}")
        ranker.weights_ = arrays["weights"].astype(np.float64)
        return
    if not ranker.learning.gamma > 0:
        raise ModelFileError(f"{path}: expected a gamma above 0, got {ranker.learning.gamma!r}")
    columns, indptr, coefficients = arrays["columns"], arrays["indptr"].astype(np.int64), arrays["coefficients"]
    if len(columns) and columns.max() >= width:
        raise ModelFileError(f"{path}: expected columns below {width}, got {columns.max()}")
    shape = (len(coefficients), width)
    rows = sp.csr_matrix((arrays["values"].astype(np.float64), columns.astype(np.int64), indptr), shape=shape)
    rows.check_format(full_check=True)
    ranker.weights_, ranker.basis_rows_, ranker.coefficients_ = None, rows, coefficients.astype(np.float64)
