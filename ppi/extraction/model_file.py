"""Model files of extractors: a zip of ``model.json`` and plain NumPy arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from kernels import CombinedFeatures, KernelError
from ppi.archive import model_errors, read_archive, write_archive
from ppi.errors import ModelFileError
from ppi.extraction.calibration import Calibration
from ppi.extraction.feature_maps import feature_map

if TYPE_CHECKING:
    from ppi.extraction.extractor import Extractor

FORMAT = "ppi-extractor"
FORMAT_VERSION = 2

T = TypeVar("T", bound="Extractor")


def save(extractor: Extractor, path: str | Path) -> None:
    """Write the extractor; the file appears only when it is complete."""
    header: dict[str, Any] = {
        "parameters": extractor.parameters(),
        "intercept": extractor.intercept_,
        "threshold": extractor.threshold_,
        "regparam": extractor.regparam_,
        "calibration": None if extractor.calibration_ is None else extractor.calibration_.to_dict(),
        "facts": extractor.facts_,
        "vocabularies": {},
    }
    arrays = {"weights": extractor.weights_}
    if extractor.n_features is None:
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
    extractor = cls(**header["parameters"])
    transformer = feature_map(extractor.kernel, variant=extractor.variant, n_features=extractor.n_features)
    try:
        _restore(transformer, header["vocabularies"], arrays, hashed=extractor.n_features is not None)
    except KernelError as error:
        raise ModelFileError(f"{path}: {error}") from None
    width = _width(transformer, extractor.n_features)
    weights = arrays["weights"]
    if len(weights) != width:
        raise ModelFileError(f"{path}: expected {width} weights for its features, got {len(weights)}")
    extractor._map = transformer
    extractor.weights_ = weights
    extractor.intercept_, extractor.threshold_ = float(header["intercept"]), float(header["threshold"])
    extractor.regparam_, extractor.facts_ = float(header["regparam"]), dict(header["facts"])
    given = header["calibration"]
    extractor.calibration_ = None if given is None else Calibration.from_dict(given)
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
        found = {key.removeprefix(f"{name}."): each for key, each in arrays.items() if key.startswith(f"{name}.")}
        part.restore({**vocabularies[name], **found})
    if isinstance(transformer, CombinedFeatures):
        transformer.widths_ = [_part_width(part) for _, part in transformer.maps_]


def _width(transformer: Any, n_features: int | None) -> int:
    return sum(_part_width(part) for _, part in _parts(transformer))


def _part_width(part: Any) -> int:
    if part.n_features is not None:
        return part.n_features
    return part.n_features_ if hasattr(part, "n_features_") else len(part.vocabulary_)
