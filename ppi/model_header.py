"""Checks of what a model file's header says, before anything is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from reprlib import Repr
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

_MAX_ERROR_CHARACTERS = 300
_short_repr = Repr()
_short_repr.maxstring = _short_repr.maxother = 60
#: Characters of a value in a message: values in values are cut one by one, which leaves a lot of a whole header.
_MAX_VALUE_CHARACTERS = 200
_JSON_TYPE_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a finite number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}


def check_fields(values: Any, kinds: Mapping[str, tuple[type, ...]], *, where: str) -> dict[str, Any]:
    """``values``, if it is an object whose fields of these names have one of the kinds given for each.

    A whole number also does for float, a float never for int, and true and false for neither.

    Raises
    ------
    ValueError
        Naming the field that is something else.

    >>> check_fields({"gamma": 1}, {"gamma": (float,)}, where="learning")
    {'gamma': 1}
    >>> check_fields({"gamma": "1"}, {"gamma": (float, type(None))}, where="learning")
    Traceback (most recent call last):
    ValueError: expected learning.gamma to be a finite number or null, got '1'
    """
    if not isinstance(values, dict):
        raise ValueError(f"expected {where} to be an object, got {truncate_repr(values)}")
    for name, allowed in kinds.items():
        if name in values and not any(_is_json_type(values[name], kind) for kind in allowed):
            expected = " or ".join(_JSON_TYPE_NAMES[kind] for kind in allowed)
            raise ValueError(f"expected {where}.{name} to be {expected}, got {truncate_repr(values[name])}")
    return values


def json_field_types(dataclass: type) -> dict[str, tuple[type, ...]]:
    """The kinds of JSON value that each field of a dataclass takes, from its annotations; a tuple is a list there.

    >>> from ppi.extraction.settings import Settings
    >>> json_field_types(Settings)["regparam"]
    (<class 'float'>, <class 'NoneType'>)
    """
    kinds = {}
    for name, hint in get_type_hints(dataclass).items():
        options = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        kinds[name] = tuple(list if get_origin(option) is tuple else option for option in options)
    return kinds


def check_numbers(values: Any, count: int, *, where: str) -> list[float]:
    """``values``, if it is a list of so many finite numbers."""
    if not isinstance(values, list) or len(values) != count or not all(_is_json_type(value, float) for value in values):
        raise ValueError(f"expected {where} to be a list of {count} finite numbers, got {truncate_repr(values)}")
    return [float(value) for value in values]


def truncate_repr(value: Any) -> str:
    """A value in an error message, cut; the whole of it is never written out."""
    text = _short_repr.repr(value)
    return text if len(text) <= _MAX_VALUE_CHARACTERS else f"{text[: _MAX_VALUE_CHARACTERS - 3]}..."


def truncate_error(error: Exception) -> str:
    """The text of an error about the file, cut."""
    text = str(error)
    return text if len(text) <= _MAX_ERROR_CHARACTERS else text[: _MAX_ERROR_CHARACTERS - 3] + "..."


def _is_json_type(value: Any, kind: type) -> bool:
    if kind is float:
        return type(value) in (int, float) and abs(value) < 1e300 and isfinite(value)
    return type(value) is kind
