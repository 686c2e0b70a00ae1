"""Reads and writes model files of extractors: a zip of ``model.json`` and plain NumPy arrays."""

from __future__ import annotations

from operator import lt
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from kernels import CandidateGraph, FeatureMap, KernelError
from ppi.core import (
    ModelFileError,
    UsageError,
    check_fields,
    check_numbers,
    json_field_types,
    raise_as_model_file_error,
    read_archive,
    truncate_repr,
    write_archive,
)
from ppi.extraction import plugins
from ppi.extraction.calibration import Calibration
from ppi.extraction.feature_maps import make_feature_map
from ppi.extraction.outputs import INTERACTION, OUTPUTS
from ppi.extraction.settings import KERNELS, LEARNERS, Settings
from ppi.extraction.trained_model import QuadraticModel

if TYPE_CHECKING:
    from ppi.extraction.extractor import Extractor

FORMAT = "ppi-extractor"
FORMAT_VERSION = 5  # 5: several outputs

T = TypeVar("T", bound="Extractor")

_FIELDS = {
    "parameters": (dict,),
    "outputs": (list,),
    "intercepts": (list,),
    "threshold": (float,),
    "regparam": (float,),
    "calibrations": (dict,),
    "facts": (dict,),
    "vocabularies": (dict,),
}
#: What stands for the part, where a map has none.
_SINGLE_PART = "features"
_CALIBRATION_FIELDS = {"kind": (str,), "scores": (list,), "values": (list,)}


def save(extractor: Extractor, path: str | Path) -> None:
    """Write the extractor; the file appears only when it is complete.

    UsageError if its feature map is not the one that :func:`load` would make: a file names the kernel, not the map.
    """
    _check_kernel(extractor)
    header: dict[str, Any] = {
        "parameters": extractor.settings.to_dict(),
        "outputs": list(extractor.outputs_),
        "intercepts": extractor.intercepts_.tolist(),
        "threshold": extractor.threshold_,
        "regparam": extractor.regparam_,
        "calibrations": {name: calibration.to_dict() for name, calibration in extractor.calibrations_.items()},
        "facts": {**extractor.facts_, **_describe_plugins(extractor.settings)},
        "vocabularies": {},
    }
    weights = extractor.weights_
    if weights.ndim > 1:  # in half precision, unless judgements changed them, each by little
        weights = weights.astype(np.float32 if "feedback" in extractor.facts_ else np.float16).ravel()
    arrays = {"weights": weights}
    if extractor.settings.n_features is None:
        header["vocabularies"], vocabulary_arrays = _pack_state(extractor._map.state())
        arrays.update(vocabulary_arrays)
    if extractor.support_ is not None:
        arrays.update(extractor.support_.state())
    write_archive(path, header, arrays, format=FORMAT, version_number=FORMAT_VERSION)


def load(cls: type[T], path: str | Path) -> T:
    """Read an extractor; ModelFileError names what is wrong with the file."""
    header, arrays = read_archive(path, format=FORMAT, versions=[FORMAT_VERSION])
    with raise_as_model_file_error(path):
        return _assemble(cls, header, arrays, path)


def _assemble(cls: type[T], header: dict[str, Any], arrays: dict[str, np.ndarray], path: str | Path) -> T:
    check_fields(header, _FIELDS, where="header")
    extractor = cls(**_read_parameters(header))
    outputs = tuple(header["outputs"])
    if outputs not in ((INTERACTION,), OUTPUTS):
        raise ValueError(f"expected outputs {[INTERACTION]} or {list(OUTPUTS)}, got {truncate_repr(header['outputs'])}")
    extractor.outputs_ = outputs
    transformer = _make_kernel_map(extractor)
    try:
        if extractor.settings.n_features is None:
            state = _unpack_state(header["vocabularies"], arrays)
            transformer.restore(state)
            if len(extractor.outputs_) > 1 or extractor.settings.min_documents > 1:
                _check_order(state)
        else:
            transformer.fit_transform([])  # hashed features only have their parameters checked
    except KernelError as error:
        raise ModelFileError(f"{path}: {error}") from None
    extractor._map = transformer
    extractor.support_ = QuadraticModel.restore(arrays, transformer.width) if extractor.settings.degree == 2 else None
    extractor.weights_ = _check_weights(arrays["weights"], transformer.width, len(extractor.outputs_))
    extractor.intercepts_ = np.array(check_numbers(header["intercepts"], len(extractor.outputs_), where="intercepts"))
    extractor.threshold_ = float(header["threshold"])
    extractor.regparam_, extractor.facts_ = float(header["regparam"]), dict(header["facts"])
    extractor.calibrations_ = {
        name: Calibration.from_dict(check_fields(calibration, _CALIBRATION_FIELDS, where=f"calibrations.{name}"))
        for name, calibration in header["calibrations"].items()
    }
    return extractor


def _describe_plugins(settings: Settings) -> dict[str, Any]:
    """The packages that took part in a model: the kernel's must be there to score."""
    needs: dict[str, Any] = {}
    if settings.has_custom_kernel:
        needs["kernel"] = plugins.origin("kernel", settings.kernel)
    if settings.has_custom_learner and isinstance(settings.learner, str):
        needs["learner"] = plugins.origin("learner", settings.learner)
    elif settings.has_custom_learner:
        needs["learner"] = {"made": repr(settings.learner)}
    return {"needs": needs} if needs else {}


def _read_parameters(header: dict[str, Any]) -> dict[str, Any]:
    """The settings that a file has; of a learner that is not at hand, the name: only training asks for it."""
    kinds = {**json_field_types(Settings), "kernel": (str,), "learner": (str,)}
    parameters = check_fields(header["parameters"], kinds, where="parameters")
    kernel, learner = parameters.get("kernel", Settings.kernel), parameters.get("learner", Settings.learner)
    needs = header["facts"].get("needs")
    kernel_origin = needs.get("kernel") if isinstance(needs, dict) else None
    if isinstance(kernel_origin, dict) and kernel not in KERNELS and kernel not in plugins.list_names("kernel"):
        package, version = truncate_repr(kernel_origin.get("package")), truncate_repr(kernel_origin.get("version"))
        raise ModelFileError(
            f"expected the kernel {truncate_repr(kernel)} that the model was trained with, got none; it came from the "
            f"package {package}, version {version}: install that"
        )
    if learner not in LEARNERS and learner not in plugins.list_names("learner"):
        return {**parameters, "learner": plugins.AbsentLearner(learner)}
    return parameters


def _check_weights(weights: np.ndarray, width: int, n_outputs: int) -> np.ndarray:
    if weights.dtype.kind != "f":
        raise ValueError(f"expected weights with fractions, got {weights.dtype}")
    if len(weights) != width * n_outputs:
        raise ValueError(f"expected {width * n_outputs} weights for its features, got {len(weights)}")
    return weights if n_outputs == 1 else weights.astype(np.float32).reshape(width, n_outputs)


def _make_kernel_map(extractor: Extractor) -> FeatureMap[CandidateGraph]:
    settings = extractor.settings
    return make_feature_map(settings.kernel, variant=settings.variant, n_features=settings.n_features)


def _check_kernel(extractor: Extractor) -> None:
    if not isinstance(extractor.settings.kernel, str):
        raise UsageError(
            "expected a kernel with a name in a model to be saved, got an object, "
            f"{truncate_repr(extractor.settings.kernel)}; offer it under a name (entry point "
            f"{plugins.ENTRY_POINT_GROUPS['kernel']}) and train with that, or keep the state() of the map, and the "
            "weights, yourself"
        )
    trained, named = extractor._map, _make_kernel_map(extractor)
    if type(trained) is not type(named) or repr(trained.get_params(deep=False)) != repr(named.get_params(deep=False)):
        raise UsageError(
            f"expected a model with the features of {extractor.settings.kernel!r} to be saved, got "
            f"{truncate_repr(trained)}; keep the state() of a map of your own, and the weights, yourself"
        )


def _pack_state(state: dict[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A map's state as JSON values by part, and arrays called ``part.field``."""
    vocabularies: dict[str, Any] = {}
    arrays = {}
    for part, fields in _split_by_part(state).items():
        arrays.update({f"{part}.{name}": value for name, value in fields.items() if isinstance(value, np.ndarray)})
        vocabularies[part] = {name: value for name, value in fields.items() if not isinstance(value, np.ndarray)}
    return vocabularies, arrays


def _unpack_state(vocabularies: dict[str, Any], arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """The state that :func:`_pack_state` was given; what its values are is the map's to check."""
    state = {}
    for part, fields in vocabularies.items():
        check_fields(fields, {}, where=f"vocabularies.{part}")
        start = f"{part}."
        part_arrays = {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
        state[part] = {**fields, **part_arrays}
    return state[_SINGLE_PART] if state.keys() == {_SINGLE_PART} else state


def _check_order(state: dict[str, Any]) -> None:
    """Refuse a vocabulary in another order than that which rare features were left out in: weights go by it.

    Such a model would score every text, and nothing would show that the scores are wrong.
    """
    for part, fields in _split_by_part(state).items():
        for name, values in fields.items():
            if name not in ("names", "keys"):
                continue
            if not (all(map(lt, values, values[1:])) if isinstance(values, list) else np.all(values[:-1] < values[1:])):
                raise ValueError(f"expected {part}.{name} in ascending order, each once, got them in another")


def _split_by_part(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The states of the parts of a combination, or the state of a map that has no parts, under one name."""
    return state if all(isinstance(value, dict) for value in state.values()) else {_SINGLE_PART: state}
