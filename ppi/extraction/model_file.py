"""Model files of extractors: a zip of ``model.json`` and plain NumPy arrays."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from kernels import AllPathsFeatures, CombinedFeatures, KernelError
from ppi.archive import model_errors, read_archive, write_archive
from ppi.errors import ModelFileError
from ppi.extraction.calibration import Calibration
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.settings import Settings
from ppi.model_header import check_fields, check_texts, field_kinds, shown

if TYPE_CHECKING:
    from ppi.extraction.extractor import Extractor

FORMAT = "ppi-extractor"
FORMAT_VERSION = 4  # 4: the learner ridge and min_documents

T = TypeVar("T", bound="Extractor")

_OPTIONAL = type(None)
_FIELDS = {
    "parameters": (dict,),
    "intercept": (float,),
    "threshold": (float,),
    "regparam": (float,),
    "calibration": (dict, _OPTIONAL),
    "facts": (dict,),
    "vocabularies": (dict,),
}
_CALIBRATION = {"kind": (str,), "scores": (list,), "values": (list,)}


def save(extractor: Extractor, path: str | Path) -> None:
    """Write the extractor; the file appears only when it is complete."""
    header: dict[str, Any] = {
        "parameters": asdict(extractor.settings),
        "intercept": extractor.intercept_,
        "threshold": extractor.threshold_,
        "regparam": extractor.regparam_,
        "calibration": None if extractor.calibration_ is None else extractor.calibration_.to_dict(),
        "facts": extractor.facts_,
        "vocabularies": {},
    }
    arrays = {"weights": extractor.weights_}
    if extractor.settings.n_features is None:
        for name, part in _parts(extractor._map):
            state = part.state()
            arrays.update({f"{name}.{key}": each for key, each in state.items() if isinstance(each, np.ndarray)})
            header["vocabularies"][name] = {
                key: each for key, each in state.items() if not isinstance(each, np.ndarray)
            }
    write_archive(path, header, arrays, format=FORMAT, version_number=FORMAT_VERSION)


def load(cls: type[T], path: str | Path) -> T:
    """Read an extractor.

    Raises
    ------
    ModelFileError
        Saying what is wrong with the file.
    """
    header, arrays = read_archive(path, format=FORMAT, versions=[FORMAT_VERSION])
    with model_errors(path):
        return _assemble(cls, header, arrays, path)


def _assemble(cls: type[T], header: dict[str, Any], arrays: dict[str, np.ndarray], path: str | Path) -> T:
    check_fields(header, _FIELDS, where="header")
    extractor = cls(**check_fields(header["parameters"], field_kinds(Settings), where="parameters"))
    settings = extractor.settings
    transformer = feature_map(settings.kernel, variant=settings.variant, n_features=settings.n_features)
    try:
        _restore(transformer, header["vocabularies"], arrays, hashed=settings.n_features is not None)
    except KernelError as error:
        raise ModelFileError(f"{path}: {error}") from None
    width = _width(transformer, settings.n_features)
    weights = arrays["weights"]
    if weights.dtype.kind != "f":
        raise ModelFileError(f"{path}: expected weights with fractions, got {weights.dtype}")
    if len(weights) != width:
        raise ModelFileError(f"{path}: expected {width} weights for its features, got {len(weights)}")
    extractor._map = transformer
    extractor.weights_ = weights
    extractor.intercept_, extractor.threshold_ = float(header["intercept"]), float(header["threshold"])
    extractor.regparam_, extractor.facts_ = float(header["regparam"]), dict(header["facts"])
    given = header["calibration"]
    if given is not None:
        given = Calibration.from_dict(check_fields(given, _CALIBRATION, where="calibration"))
    extractor.calibration_ = given
    return extractor


def _parts(transformer: Any) -> list[tuple[str, Any]]:
    """The fitted maps by name: those of a combination, or the map itself."""
    return transformer.maps_ if isinstance(transformer, CombinedFeatures) else [("features", transformer)]


def _restore(transformer: Any, vocabularies: dict[str, Any], arrays: dict[str, np.ndarray], *, hashed: bool) -> None:
    if isinstance(transformer, CombinedFeatures):
        transformer.maps_ = list(transformer.parts)
    for name, part in _parts(transformer):
        if hashed:
            part.fit([])
            continue
        part.restore(_state(part, name, vocabularies[name], arrays))
    if isinstance(transformer, CombinedFeatures):
        transformer.widths_ = [_part_width(part) for _, part in transformer.maps_]


def _state(part: Any, name: str, vocabulary: Any, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """What the map called ``name`` needs to know its features again, of the right types."""
    check_fields(vocabulary, {}, where=f"vocabularies.{name}")
    if not isinstance(part, AllPathsFeatures):
        return {"names": check_texts(vocabulary["names"], where=f"{name}.names")}
    bases, keys = vocabulary["bases"], arrays[f"{name}.keys"]
    if not isinstance(bases, list) or not all(isinstance(base, list) and len(base) == 2 for base in bases):
        raise ValueError(f"expected {name}.bases to be a list of pairs, got {shown(bases)}")
    check_texts([text for base in bases for text in base], where=f"{name}.bases")
    if len(set(map(tuple, bases))) < len(bases):
        raise ValueError(f"expected each of {name}.bases once, got repeated ones")
    if keys.dtype != np.uint64:
        raise ValueError(f"expected the keys of {name} as 64-bit whole numbers, got {keys.dtype}")
    return {"bases": bases, "keys": keys}


def _width(transformer: Any, n_features: int | None) -> int:
    return sum(_part_width(part) for _, part in _parts(transformer))


def _part_width(part: Any) -> int:
    if part.n_features is not None:
        return part.n_features
    return part.n_features_ if hasattr(part, "n_features_") else len(part.vocabulary_)
