"""JSON lines: one interaction per line, so that a million abstracts can be written, split, filtered and joined as text.

A line is one object::

    {"schema": "ppi-interaction/1", "document": "10022882", "pubmed": "10022882", "sentence_id": "10022882.s1",
     "pair": "10022882.s1.p0", "sentence": "Profilin binds actin.", "offset": 50,
     "proteins": [{"id": "...", "text": "Profilin", "spans": [[0, 8]], "type": "protein",
                   "identifiers": ["NCBIGene:5216"], "infons": [["grounding", "exact name"]]}, {...}],
     "probability": 0.93, "score": 1.25, "evidence": {...}}

Where the model knows types, there are also ``type``, ``types`` (the probability of each), ``agent`` and ``target``
(ids of the two mentions, where there is a direction), ``sign`` and ``kind``; ``negated`` and ``hedged`` are there where
they are true.  ``offset`` is the sentence's place in the document, ``spans`` are relative to the sentence; both count
characters.  Fields that are empty are left out: those above, ``pubmed``, of a protein ``type``, ``identifiers`` and
``infons``, and ``evidence``, which is there only where it was asked for: ``path``, the words that are ``joining`` the
two, the weightiest ``features`` with what they add to the score, the sum of the others, ``words``, ``dependencies``,
and the drawing as ``svg``.  The number in ``schema`` changes if a field changes its meaning; new fields may come at any
time.

Documents without an interaction leave no line; BioC keeps them.  Networks as JSON and the web API give interactions in
the same shape.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from corpora.errors import CorpusError, shown
from corpora.json_codec import decode, encode
from corpora.json_text import parse_json
from corpora.source import Source
from corpora.types import LARGEST_OFFSET, Entity
from kernels import Contribution
from ppi.annotation.pubmed import pubmed_id
from ppi.annotation.relationship import SIGNS, TYPES
from ppi.annotation.types import AnnotatedDocument, Evidence, Interaction
from ppi.extraction.explanation import Explanation, Part

SCHEMA = "ppi-interaction/1"
#: How many features a line's evidence lists; the others are summed.
MOST_FEATURES = 20
#: The name under which the sum of the others is read back.
OTHER_FEATURES = "other features"
#: What says how the two interact; each is left out where it is empty.
HOW = ("type", "types", "agent", "target", "sign", "kind", "negated", "hedged")
_WORDS = ("joining", "negation_cues", "hedge_cues")
#: Whole numbers of JSON can be larger than any float; what is compared with these two is neither, nor NaN.
_LOWEST, _HIGHEST = -sys.float_info.max, sys.float_info.max


def write(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write one line per interaction."""
    for each in annotated:
        pubmed = pubmed_id(each.document)
        for interaction in each.interactions:
            output.write(encoded(to_json(interaction, pubmed=pubmed, explain=explain)) + b"\n")


def read(path: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of a file (gzip or not; ``-`` is standard input), each with its PubMed id if it is known.

    Of an explanation, the features beyond the weightiest come back as one.

    Raises
    ------
    CorpusError
        With file and line, if it cannot be read or a line is no interaction.
    """
    source = Source(path)
    for number, line in source.lines():
        if not line.strip():
            continue
        value = parse_json(line, source, number)
        try:
            yield from_json(value)
        except CorpusError as error:
            raise error.at(source.name, number) from None


def to_json(interaction: Interaction, *, pubmed: str | None = None, explain: bool = False) -> dict[str, Any]:
    """The interaction as plain JSON values."""
    value: dict[str, Any] = {"schema": SCHEMA, "document": interaction.document}
    if pubmed is not None:
        value["pubmed"] = pubmed
    value.update(
        sentence_id=interaction.sentence_id,
        pair=interaction.pair,
        sentence=interaction.sentence,
        offset=interaction.offset,
        proteins=[encode(entity) for entity in interaction.proteins],
        probability=interaction.probability,
        score=interaction.score,
    )
    value.update({name: found for name in HOW if (found := getattr(interaction, name))})
    if "types" in value:
        value["types"] = dict(value["types"])
    if explain and interaction.evidence is not None:
        value["evidence"] = evidence_to_json(interaction.evidence)
    return value


def evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    """The evidence as plain JSON values."""
    words = {name: list(found) for name in _WORDS if (found := getattr(evidence, name))}
    return {**evidence.explanation.to_dict(most=MOST_FEATURES), **words, "svg": evidence.svg}


def encoded(value: Any) -> bytes:
    """JSON on one line as UTF-8; what no encoding has (half a surrogate pair) as an escape."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def from_json(value: Any) -> tuple[Interaction, str | None]:
    """The interaction that :func:`to_json` was given, and its PubMed id if it has one.

    Raises
    ------
    CorpusError
        If the value is something else.
    """
    if not isinstance(value, dict) or not isinstance(value.get("schema"), str):
        raise CorpusError(
            f"expected an object with the schema {SCHEMA!r}, got {shown(value)}; "
            "give a file that `ppi annotate --to jsonl` wrote"
        )
    if value["schema"] != SCHEMA:
        raise CorpusError(f"expected the schema {SCHEMA!r}, got {value['schema']!r}; use the version that wrote it")
    proteins = _field(value, "proteins", list)
    if len(proteins) != 2:
        raise CorpusError(f"expected two proteins, got {len(proteins)}")
    first, second = (decode(Entity, each) for each in proteins)
    sentence = _field(value, "sentence", str)
    for entity in (first, second):
        if not entity.spans or any(not 0 <= start < end <= len(sentence) for start, end in entity.spans):
            raise CorpusError(f"expected spans inside the {len(sentence)} characters, got {shown(entity.spans)}")
    probability = _number(value, "probability")
    if not 0 <= probability <= 1:
        raise CorpusError(f"expected a probability from 0 to 1, got {probability!r}")
    evidence = value.get("evidence")
    interaction = Interaction(
        document=_field(value, "document", str),
        sentence_id=_field(value, "sentence_id", str),
        sentence=sentence,
        offset=_offset(value),
        pair=_field(value, "pair", str),
        proteins=(first, second),
        score=_number(value, "score"),
        probability=probability,
        **_how(value, (first, second)),
        evidence=None if evidence is None else _evidence(evidence),
    )
    pubmed = value.get("pubmed")
    return interaction, None if pubmed is None else _field(value, "pubmed", str)


def _offset(value: dict[str, Any]) -> int:
    offset = _field(value, "offset", int)
    if not 0 <= offset <= LARGEST_OFFSET:
        raise CorpusError(f"expected an offset from 0 to {LARGEST_OFFSET}, got {shown(offset)}")
    return offset


def _how(value: dict[str, Any], proteins: tuple[Entity, Entity]) -> dict[str, Any]:
    """What says how the two interact, checked."""
    found: dict[str, Any] = {
        "type": _one_of(value, "type", TYPES),
        "sign": _one_of(value, "sign", SIGNS),
        "kind": _field(value, "kind", str) if "kind" in value else None,
    }
    for mark in ("negated", "hedged"):
        found[mark] = _field(value, mark, bool) if mark in value else False
    types = _field(value, "types", dict) if "types" in value else {}
    if types.keys() - set(TYPES):
        raise CorpusError(f"expected 'types' among {TYPES}, got {shown(types)}")
    found["types"] = {type: _number(types, type) for type in types}
    if not all(0 <= probability <= 1 for probability in found["types"].values()):
        raise CorpusError(f"expected probabilities from 0 to 1 as 'types', got {shown(types)}")
    ends = [value.get("agent"), value.get("target")]
    ids = [entity.id for entity in proteins]
    if ends != [None, None] and ends not in (ids, ids[::-1]):
        raise CorpusError(f"expected the ids {ids} of the proteins as 'agent' and 'target', got {shown(ends)}")
    return {**found, "agent": ends[0], "target": ends[1]}


def _one_of(value: dict[str, Any], name: str, known: tuple[str, ...]) -> str | None:
    found = value.get(name)
    if found is not None and found not in known:
        raise CorpusError(f"expected one of {known} as {name!r}, got {shown(found)}")
    return found


def _evidence(value: Any) -> Evidence:
    if not isinstance(value, dict):
        raise CorpusError(f"expected an object as 'evidence', got {shown(value)}")
    features = [
        Contribution(_number(each, "value"), _field(each, "name", str), -1, ())
        for each in _field(value, "features", list)
    ]
    rest = _number(value, "other_features")
    if rest:
        features.append(Contribution(rest, OTHER_FEATURES, -1, ()))
    numbers = ("score", "threshold", "intercept", "unplaced", "path_value")
    explanation = Explanation(
        features=features,
        words=[_part(each) for each in _field(value, "words", list)],
        dependencies=[_part(each) for each in _field(value, "dependencies", list)],
        path=_field(value, "path", str),
        output=_field(value, "output", str) if "output" in value else None,
        **{name: _number(value, name) for name in numbers},
    )
    joining, denying, hedging = (tuple(_words(value, name)) if name in value else () for name in _WORDS)
    return Evidence(explanation, _field(value, "svg", str), joining, denying, hedging)


def _words(value: dict[str, Any], name: str) -> list[str]:
    found = _field(value, name, list)
    if not all(isinstance(word, str) for word in found):
        raise CorpusError(f"expected words as {name!r}, got {shown(found)}")
    return found


def _part(value: Any) -> Part:
    return Part(
        _field(value, "name", str),
        _field(value, "position", int),
        _number(value, "value"),
        _field(value, "on_path", bool),
    )


def _field(value: Any, name: str, kind: type) -> Any:
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
        raise CorpusError(f"expected {kind.__name__} as {name!r}, got {shown(found)}")
    return found


def _number(value: Any, name: str) -> float:
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, int | float) or isinstance(found, bool) or not _LOWEST <= found <= _HIGHEST:
        raise CorpusError(f"expected a number as {name!r}, got {shown(found)}")
    return float(found)
