"""Options of one experiment, as ``--set NAME=VALUE`` gives them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from ppi.core import UsageError


def changed_options(experiment: str, defaults: Any, given: Sequence[str]) -> Any:
    """The dataclass ``defaults`` with what ``given``, such as ``["train=50", 'seeds=[0, 1]']``, changes.

    A value is JSON, or a text as it stands; it has to be of the default's type.

    Raises
    ------
    UsageError
        Naming the option that does not exist, or is something else.
    """
    known = {field.name: getattr(defaults, field.name) for field in fields(defaults)} if defaults is not None else {}
    changes = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or name not in known:
            there = ", ".join(known) or "none"
            raise UsageError(f"expected NAME=VALUE with an option of {experiment} ({there}), got {text!r}")
        changes[name] = _value(name, value, type(known[name]))
    return replace(defaults, **changes) if changes else defaults


def _value(name: str, text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    value = tuple(value) if isinstance(value, list) else value
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        wanted = "a list in JSON" if kind is tuple else kind.__name__
        raise UsageError(f"expected {name} to be {wanted}, got {text!r}")
    return value
