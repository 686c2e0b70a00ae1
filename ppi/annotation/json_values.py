"""Converts interactions to plain JSON values and back: in files, over the web, and with spaCy's Docs between processes.

The fields are described in :mod:`ppi.export.jsonl`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from corpora import LARGEST_OFFSET, CorpusError, Entity, decode, encode, truncate_repr
from kernels import Contribution
from ppi.annotation.relationship import SIGNS, TYPES
from ppi.annotation.results import Alias, Evidence, Interaction
from ppi.extraction import Explanation, PartContribution

SCHEMA = "ppi-interaction/1"
#: How many features a line's evidence lists; the others are summed.
MAX_FEATURES = 20
#: The name under which the sum of the others is read back.
OTHER_FEATURES = "other features"
#: The fields that describe how the two interact; empty ones are omitted.
RELATION_FIELDS = ("type", "types", "agent", "target", "sign", "kind", "negated", "hedged", "same", "homo")
_CUE_FIELDS = ("joining", "negation_cues", "hedge_cues")
#: Whole numbers of JSON can be larger than any float; what is compared with these two is neither, nor NaN.
_MIN_FLOAT, _MAX_FLOAT = -sys.float_info.max, sys.float_info.max


def to_json(
    interaction: Interaction, *, pubmed: str | None = None, year: int | None = None, explain: bool = False
) -> dict[str, Any]:
    """The interaction as plain JSON values."""
    value: dict[str, Any] = {"schema": SCHEMA, "document": interaction.document}
    if pubmed is not None:
        value["pubmed"] = pubmed
    if year is not None:
        value["year"] = year
    value.update(
        sentence_id=interaction.sentence_id,
        pair=interaction.pair,
        sentence=interaction.sentence,
        offset=interaction.offset,
        proteins=[encode(entity) for entity in interaction.proteins],
        probability=interaction.probability,
        score=interaction.score,
    )
    value.update({name: content for name in RELATION_FIELDS if (content := getattr(interaction, name))})
    if "types" in value:
        value["types"] = dict(value["types"])
    if interaction.aliases:
        value["aliases"] = aliases_to_json(interaction.aliases)
    if explain and interaction.evidence is not None:
        value["evidence"] = evidence_to_json(interaction.evidence)
    return value


def aliases_to_json(aliases: Iterable[Alias]) -> list[dict[str, Any]]:
    """The other names of a statement as plain JSON values."""
    return [
        {
            "pair": alias.pair,
            "proteins": [encode(entity) for entity in alias.proteins],
            "probability": alias.probability,
            **({} if alias.type is None else {"type": alias.type}),
        }
        for alias in aliases
    ]


def evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    """The evidence as plain JSON values."""
    words: dict[str, Any] = {name: list(cue_words) for name in _CUE_FIELDS if (cue_words := getattr(evidence, name))}
    if evidence.statement is not None:
        words["statement"] = evidence.statement
    return {**evidence.explanation.to_dict(most=MAX_FEATURES), **words, "svg": evidence.svg}


def from_json(value: Any) -> tuple[Interaction, str | None]:
    """The interaction that :func:`to_json` was given, and its PubMed id if it has one.

    Raises
    ------
    CorpusError
        If the value is something else.
    """
    if not isinstance(value, dict) or not isinstance(value.get("schema"), str):
        raise CorpusError(
            f"expected an object with the schema {SCHEMA!r}, got {truncate_repr(value)}; "
            "give a file that `ppi annotate --to jsonl` wrote"
        )
    if value["schema"] != SCHEMA:
        raise CorpusError(f"expected the schema {SCHEMA!r}, got {value['schema']!r}; use the version that wrote it")
    sentence = _field(value, "sentence", str)
    proteins = _proteins(value, sentence)
    names = {name: _field(value, name, str) for name in ("document", "sentence_id")}
    offset = _field(value, "offset", int)
    if not 0 <= offset <= LARGEST_OFFSET:
        raise CorpusError(f"expected an offset from 0 to {LARGEST_OFFSET}, got {truncate_repr(offset)}")
    evidence = value.get("evidence")
    interaction = Interaction(
        **names,
        sentence=sentence,
        offset=offset,
        pair=_field(value, "pair", str),
        proteins=proteins,
        score=_number(value, "score"),
        probability=_probability(value),
        **_relation_fields(value, proteins),
        evidence=None if evidence is None else _evidence(evidence),
        aliases=tuple(
            Alias(
                proteins=_proteins(alias, sentence),
                pair=_field(alias, "pair", str),
                probability=_probability(alias),
                type=_one_of(alias, "type", TYPES),
            )
            for alias in (_field(value, "aliases", list) if "aliases" in value else ())
        ),
    )
    pubmed = value.get("pubmed")
    return interaction, None if pubmed is None else _field(value, "pubmed", str)


def _proteins(value: Any, sentence: str) -> tuple[Entity, Entity]:
    proteins = _field(value, "proteins", list)
    if len(proteins) != 2:
        raise CorpusError(f"expected two proteins, got {len(proteins)}")
    first, second = (decode(Entity, protein) for protein in proteins)
    for entity in (first, second):
        if not entity.spans or any(not 0 <= start < end <= len(sentence) for start, end in entity.spans):
            raise CorpusError(
                f"expected spans inside the {len(sentence)} characters, got {truncate_repr(entity.spans)}"
            )
    return first, second


def _probability(value: Any) -> float:
    probability = _number(value, "probability")
    if not 0 <= probability <= 1:
        raise CorpusError(f"expected a probability from 0 to 1, got {probability!r}")
    return probability


def _relation_fields(value: dict[str, Any], proteins: tuple[Entity, Entity]) -> dict[str, Any]:
    """The fields that describe how the two interact, checked."""
    fields: dict[str, Any] = {
        "type": _one_of(value, "type", TYPES),
        "sign": _one_of(value, "sign", SIGNS),
        "kind": _field(value, "kind", str) if "kind" in value else None,
    }
    for mark in ("negated", "hedged", "same", "homo"):
        fields[mark] = _field(value, mark, bool) if mark in value else False
    types = _field(value, "types", dict) if "types" in value else {}
    if types.keys() - set(TYPES):
        raise CorpusError(f"expected 'types' among {TYPES}, got {truncate_repr(types)}")
    fields["types"] = {type: _number(types, type) for type in types}
    if not all(0 <= probability <= 1 for probability in fields["types"].values()):
        raise CorpusError(f"expected probabilities from 0 to 1 as 'types', got {truncate_repr(types)}")
    roles = [value.get("agent"), value.get("target")]
    ids = [entity.id for entity in proteins]
    if roles != [None, None] and roles not in (ids, ids[::-1]):
        raise CorpusError(f"expected the ids {ids} of the proteins as 'agent' and 'target', got {truncate_repr(roles)}")
    return {**fields, "agent": roles[0], "target": roles[1]}


def _one_of(value: dict[str, Any], name: str, allowed: tuple[str, ...]) -> str | None:
    choice = value.get(name)
    if choice is not None and choice not in allowed:
        raise CorpusError(f"expected one of {allowed} as {name!r}, got {truncate_repr(choice)}")
    return choice


def _evidence(value: Any) -> Evidence:
    if not isinstance(value, dict):
        raise CorpusError(f"expected an object as 'evidence', got {truncate_repr(value)}")
    features = [
        Contribution(_number(feature, "value"), _field(feature, "name", str), -1, ())
        for feature in _field(value, "features", list)
    ]
    if rest := _number(value, "other_features"):
        features.append(Contribution(rest, OTHER_FEATURES, -1, ()))
    numbers = ("score", "threshold", "intercept", "unplaced", "path_value")
    explanation = Explanation(
        features=features,
        words=[_part(part) for part in _field(value, "words", list)],
        dependencies=[_part(part) for part in _field(value, "dependencies", list)],
        path=_field(value, "path", str),
        output=_field(value, "output", str) if "output" in value else None,
        **{name: _number(value, name) for name in numbers},
    )
    words: dict[str, Any] = {}
    for name in _CUE_FIELDS:
        if name in value:
            words[name] = tuple(_field(value, name, list))
            if not all(isinstance(word, str) for word in words[name]):
                raise CorpusError(f"expected words as {name!r}, got {truncate_repr(value[name])}")
    if "statement" in value:
        words["statement"] = _field(value, "statement", str)
    return Evidence(explanation, _field(value, "svg", str), **words)


def _part(value: Any) -> PartContribution:
    return PartContribution(
        _field(value, "name", str),
        _field(value, "position", int),
        _number(value, "value"),
        _field(value, "on_path", bool),
    )


def _field(value: Any, name: str, kind: type) -> Any:
    content = value.get(name) if isinstance(value, dict) else None
    if not isinstance(content, kind) or (kind is int and isinstance(content, bool)):
        raise CorpusError(f"expected {kind.__name__} as {name!r}, got {truncate_repr(content)}")
    return content


def _number(value: Any, name: str) -> float:
    number = value.get(name) if isinstance(value, dict) else None
    if not isinstance(number, int | float) or isinstance(number, bool) or not _MIN_FLOAT <= number <= _MAX_FLOAT:
        raise CorpusError(f"expected a number as {name!r}, got {truncate_repr(number)}")
    return float(number)
