"""Model files: a zip of ``model.json`` and plain NumPy arrays.  Nothing in it can run code.

A file from a stranger is read with limits: only the members we write, no larger than announced, arrays without
objects, finite numbers.
"""

from __future__ import annotations

import json
import zipfile
from datetime import date
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from corpora.source import atomic_output
from kernels import CombinedFeatures, KernelError
from ppi.errors import ModelFileError, UsageError
from ppi.extraction.calibration import Calibration
from ppi.extraction.feature_maps import feature_map

if TYPE_CHECKING:
    from ppi.extraction.extractor import Extractor

FORMAT = "ppi-extractor"
FORMAT_VERSION = 2
_READABLE = (1, 2)  # version 1 had no calibration
_LARGEST_MEMBER = 2**31  # bytes, unpacked
_LARGEST_HEADER = 2**28

T = TypeVar("T", bound="Extractor")


def save(extractor: Extractor, path: str | Path) -> None:
    """Write the extractor; the file appears only when it is complete."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "written_by": f"ppi-miner {version('ppi-miner')}",
        "date": date.today().isoformat(),
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
    with atomic_output(path) as output, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", json.dumps(header, ensure_ascii=False))
        for name, array in arrays.items():
            buffer = BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            archive.writestr(f"{name}.npy", buffer.getvalue())


def load(cls: type[T], path: str | Path) -> T:
    """Read an extractor.

    Raises
    ------
    ModelFileError
        Saying what is wrong with the file.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            header = _read_header(archive, path)
            arrays = _read_arrays(archive, path)
        return _assemble(cls, header, arrays, path)
    except OSError as error:
        raise ModelFileError(f"{path}: expected a readable model file, got: {error.strerror or error}") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelFileError(
            f"{path}: expected a model file (a zip), got: {error}; train or download it again"
        ) from None
    except (KeyError, TypeError, ValueError, UsageError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{path}: expected the contents of a model, got: {error!r}") from None


def _read_header(archive: zipfile.ZipFile, path: str | Path) -> dict[str, Any]:
    header = json.loads(_read_member(archive, "model.json", path, limit=_LARGEST_HEADER))
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ModelFileError(f"{path}: expected a {FORMAT} model, got {_shown(header)}")
    if header.get("version") not in _READABLE:
        raise ModelFileError(
            f"{path}: expected model version {FORMAT_VERSION} or older, got {header.get('version')!r}; "
            f"it was written by {header.get('written_by')!r}: install that version, or train again"
        )
    return header


def _read_arrays(archive: zipfile.ZipFile, path: str | Path) -> dict[str, np.ndarray]:
    arrays = {}
    for member in archive.namelist():
        if not member.endswith(".npy"):
            continue
        data = _read_member(archive, member, path, limit=_LARGEST_MEMBER)
        array = np.lib.format.read_array(BytesIO(data), allow_pickle=False)
        if array.dtype.kind not in "fu" or array.ndim != 1:
            raise ModelFileError(f"{path}: expected flat arrays of numbers, got {member!r} of {array.dtype}")
        if not np.isfinite(array).all():
            raise ModelFileError(f"{path}: expected finite weights, got NaN or infinity in {member!r}")
        arrays[member.removesuffix(".npy")] = array
    return arrays


def _read_member(archive: zipfile.ZipFile, member: str, path: str | Path, *, limit: int) -> bytes:
    if archive.getinfo(member).file_size > limit:
        raise ModelFileError(f"{path}: expected {member!r} of at most {limit} bytes, got more; it is not a model")
    return archive.read(member)


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
    given = header.get("calibration")
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
    return part.n_features if part.n_features is not None else len(part.get_feature_names_out())


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
