"""Documents as JSON values and back, by the dataclasses' own fields; JSON from strangers is parsed with our errors.

A field that holds its default is left out, a tuple becomes a list, and reading turns everything back, so that
``decode(encode(document)) == document``.
"""

from __future__ import annotations

import json
import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar

import corpora.types as model
from corpora.errors import FormatError, truncate_repr
from corpora.source import Source

T = TypeVar("T")
_field_cache: dict[Any, tuple[tuple[str, Any, Any], ...]] = {}


def parse_json(text: str, source: Source, line: int) -> Any:
    """The JSON value of ``text``, which begins on that line; whatever is wrong with it becomes a FormatError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise source.format_error(
            f"expected JSON, got: {error.msg} at column {error.colno}", line + error.lineno - 1
        ) from None
    except RecursionError:
        raise source.format_error("expected JSON of ordinary depth, got values nested too deep to read", line) from None
    except ValueError as error:  # a number with thousands of digits
        raise source.format_error(f"expected JSON that can be read, got: {error}", line) from None


def encode(value: Any) -> Any:
    """Plain JSON values for a dataclass of :mod:`corpora.types`, or for what its fields hold."""
    if is_dataclass(value):
        return {
            name: encode(item)
            for name, _, default in _fields(type(value))
            if (item := getattr(value, name)) != default or default is MISSING
        }
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    return value


def decode(cls: type[T], value: Any) -> T:
    """The object of class ``cls`` that :func:`encode` wrote.

    Raises
    ------
    FormatError
        If the value has a missing, unknown or wrongly typed field.
    """
    if not isinstance(value, dict):
        raise FormatError(f"expected a JSON object for a {cls.__name__}, got {truncate_repr(value)}")
    arguments = {}
    field_specs = _fields(cls)
    names = [name for name, _, _ in field_specs]
    if unknown := value.keys() - set(names):
        raise FormatError(f"expected the fields {names} of a {cls.__name__}, got {sorted(unknown)[0]!r}")
    for name, kind, default in field_specs:
        if name in value:
            arguments[name] = _decode_field(kind, value[name], f"{cls.__name__}.{name}")
        elif default is MISSING:
            raise FormatError(f"expected the field {name!r} in a {cls.__name__}, got {truncate_repr(value)}")
    return cls(**arguments)


def _decode_field(kind: Any, value: Any, where: str) -> Any:
    origin = typing.get_origin(kind)
    if origin is types.UnionType:
        options = typing.get_args(kind)
        if value is None and type(None) in options:
            return None
        return _decode_field(options[0], value, where)
    if origin is tuple:
        kinds = typing.get_args(kind)
        if not isinstance(value, list):
            raise FormatError(f"expected a list for {where}, got {truncate_repr(value)}")
        if kinds[-1] is Ellipsis:
            return tuple(_decode_field(kinds[0], item, where) for item in value)
        if len(value) != len(kinds):
            raise FormatError(f"expected {len(kinds)} items for {where}, got {truncate_repr(value)}")
        return tuple(_decode_field(item_kind, item, where) for item_kind, item in zip(kinds, value, strict=True))
    if is_dataclass(kind):
        return decode(kind, value)  # type: ignore[arg-type]
    # bool is an int to Python, not to JSON
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise FormatError(f"expected {kind.__name__} for {where}, got {truncate_repr(value)}")
    return value


def _fields(cls: Any) -> tuple[tuple[str, Any, Any], ...]:
    """Name, type and default of each field."""
    if cls not in _field_cache:
        hints = typing.get_type_hints(cls, vars(model))
        _field_cache[cls] = tuple((field.name, hints[field.name], field.default) for field in fields(cls))
    return _field_cache[cls]
