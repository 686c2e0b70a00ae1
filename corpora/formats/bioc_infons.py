"""Taking out of BioC's remarks what has a field of its own in our types."""

from __future__ import annotations

import json

from corpora.formats import bioc_model as bioc
from corpora.formats.identifiers import UNGROUNDED, split_identifiers


def take(infons: bioc.Remarks, name: str, default: str | None = None) -> str | None:
    """The first remark of that name, taken out of the list."""
    for index, (each, value) in enumerate(infons):
        if each == name:
            del infons[index]
            return value
    return default


def take_label(infons: bioc.Remarks) -> bool | None:
    """The label of a pair; without a remark about it the pair is positive."""
    for index, (name, value) in enumerate(infons):
        if name == bioc.INTERACTION and value in bioc.LABELS:
            del infons[index]
            return bioc.LABELS[value]
    return True


def take_identifiers(infons: bioc.Remarks) -> tuple[str, ...]:
    """The identifiers of an annotation; remarks of other producers stay, because they name the database too."""
    listed = take(infons, bioc.IDENTIFIERS)
    if listed is not None:
        try:
            values = json.loads(listed)
        except (ValueError, RecursionError):
            values = None
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            return tuple(values)
        infons.append((bioc.IDENTIFIERS, listed))
    own = take(infons, bioc.IDENTIFIER)
    if own is not None:
        return split_identifiers(own)
    named = dict(reversed(infons))
    foreign = (named[name] for name in bioc.FOREIGN_IDENTIFIERS if named.get(name, "") not in UNGROUNDED)
    return split_identifiers(next(foreign, ""))
