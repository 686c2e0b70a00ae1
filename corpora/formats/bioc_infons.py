"""Taking out of BioC's remarks what has a field of its own in our types."""

from __future__ import annotations

import json
from collections.abc import Collection

from corpora.formats import bioc_model as bioc
from corpora.formats.identifiers import UNGROUNDED, parse_concepts, split_identifiers


def pop_infon(infons: bioc.InfonList, name: str, default: str | None = None) -> str | None:
    """The first remark of that name, taken out of the list."""
    for index, (key, value) in enumerate(infons):
        if key == name:
            del infons[index]
            return value
    return default


def pop_label(infons: bioc.InfonList) -> bool | None:
    """The label of a pair; without a remark about it the pair is positive."""
    for index, (name, value) in enumerate(infons):
        if name == bioc.INTERACTION and value in bioc.LABELS:
            del infons[index]
            return bioc.LABELS[value]
    return True


def pop_identifiers(infons: bioc.InfonList) -> tuple[str, ...]:
    """The identifiers of an annotation; remarks of other producers stay, because they name the database too."""
    listed = pop_infon(infons, bioc.IDENTIFIERS)
    if listed is not None:
        values = _parse_json_or_none(listed)
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            return tuple(values)
        infons.append((bioc.IDENTIFIERS, listed))
    identifier = pop_infon(infons, bioc.IDENTIFIER)
    if identifier is not None:
        return split_identifiers(identifier)
    values_by_key = dict(reversed(infons))
    candidates = (
        values_by_key[name] for name in bioc.EXTERNAL_IDENTIFIER_KEYS if values_by_key.get(name, "") not in UNGROUNDED
    )
    return split_identifiers(next(candidates, ""))


def pop_concepts(
    infons: bioc.InfonList, known_identifiers: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The identifiers at the two ends of a relation; None if its remarks name no two.

    What says no more than the identifier is taken out; ``Gene|5599`` and objects with more in them stay.
    """
    listed = pop_infon(infons, bioc.CONCEPTS)
    if listed is not None:
        values = _parse_json_or_none(listed)
        if isinstance(values, list) and len(values) == 2 and all(isinstance(value, str) for value in values):
            return (values[0],), (values[1],)
        infons.append((bioc.CONCEPTS, listed))
    values_by_key = dict(reversed(infons))
    for names in bioc.CONCEPT_ENDS:
        if values_by_key.keys() >= set(names):
            first, second = (parse_concepts(_identifier(values_by_key[name]), known_identifiers) for name in names)
            if not (first and second):
                return None
            for name, identifiers in zip(names, (first, second), strict=True):
                if identifiers == (values_by_key[name],):
                    infons.remove((name, values_by_key[name]))
            return first, second
    return None


def _identifier(written: str) -> str:
    """That of an object as PubTator 3 has them, ``{"identifier": "5599", ...}``, or what is written."""
    value = _parse_json_or_none(written) if written.startswith("{") else None
    return str(value.get("identifier") or "") if isinstance(value, dict) else written


def _parse_json_or_none(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
