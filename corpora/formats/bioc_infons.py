"""Taking out of BioC's remarks what has a field of its own in our types."""

from __future__ import annotations

import json
from collections.abc import Collection

from corpora.formats import bioc_model as bioc
from corpora.formats.identifiers import UNGROUNDED, concepts_named, split_identifiers


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
        values = _loaded(listed)
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            return tuple(values)
        infons.append((bioc.IDENTIFIERS, listed))
    own = take(infons, bioc.IDENTIFIER)
    if own is not None:
        return split_identifiers(own)
    named = dict(reversed(infons))
    foreign = (named[name] for name in bioc.FOREIGN_IDENTIFIERS if named.get(name, "") not in UNGROUNDED)
    return split_identifiers(next(foreign, ""))


def take_concepts(infons: bioc.Remarks, known: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The identifiers at the two ends of a relation; None if its remarks name no two.

    What says no more than the identifier is taken out; ``Gene|5599`` and objects with more in them stay.
    """
    listed = take(infons, bioc.CONCEPTS)
    if listed is not None:
        values = _loaded(listed)
        if isinstance(values, list) and len(values) == 2 and all(isinstance(value, str) for value in values):
            return (values[0],), (values[1],)
        infons.append((bioc.CONCEPTS, listed))
    named = dict(reversed(infons))
    for names in bioc.CONCEPT_ENDS:
        if named.keys() >= set(names):
            first, second = (concepts_named(_identifier(named[name]), known) for name in names)
            if not (first and second):
                return None
            for name, found in zip(names, (first, second), strict=True):
                if found == (named[name],):
                    infons.remove((name, named[name]))
            return first, second
    return None


def _identifier(written: str) -> str:
    """That of an object as PubTator 3 has them, ``{"identifier": "5599", ...}``, or what is written."""
    value = _loaded(written) if written.startswith("{") else None
    return str(value.get("identifier") or "") if isinstance(value, dict) else written


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
