"""Candidate sets as JSON lines: one sentence per line, with its parses and their goodness.

A line is ``{"id", "text", "tokens": [...], "candidates": [...], "goodness": [...]}``.  ``tokens`` are the different
tokens of all candidates; a candidate is ``{"parser", "place", "cost", "tokens": [places in that list], "links":
[[governor, dependent, type], ...], "roots": [...]}``, governor and so on being token ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from corpora import CorpusError, Dependency, DependencyGraph, FormatError, Source, Token, atomic_output, decode, encode
from ppi.parse_ranking import CandidateParse, CandidateSet


def write_candidates(sets: Iterable[CandidateSet], path: str | Path) -> None:
    """Write the sets; gzip if the name ends in .gz."""
    with atomic_output(path) as output:
        for each in sets:
            output.write(json.dumps(_encode(each), ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")


def read_candidates(path: str | Path) -> Iterator[CandidateSet]:
    """The sets of a file that :func:`write_candidates` wrote.

    Raises
    ------
    FormatError
        If a line is something else; it says which.
    """
    source = Source(path)
    for number, line in source.lines():
        try:
            yield _decode(json.loads(line))
        except (KeyError, TypeError, ValueError, IndexError, CorpusError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise source.format_error(f"expected a sentence with candidate parses, got: {reason}", number) from None


def _encode(each: CandidateSet) -> dict[str, Any]:
    table = {token: place for place, token in enumerate(_different_tokens(each))}
    value: dict[str, Any] = {
        "id": each.id,
        "text": each.text,
        "tokens": [encode(token) for token in table],
        "candidates": [_encode_candidate(candidate, table) for candidate in each.candidates],
    }
    if each.goodness is not None:
        value["goodness"] = list(each.goodness)
    return value


def _different_tokens(each: CandidateSet) -> dict[Token, None]:
    return dict.fromkeys(token for candidate in each.candidates for token in candidate.graph.tokens)


def _encode_candidate(candidate: CandidateParse, table: dict[Token, int]) -> dict[str, Any]:
    graph = candidate.graph
    value: dict[str, Any] = {"parser": graph.parser, "place": candidate.place}
    if candidate.cost is not None:
        value["cost"] = candidate.cost
    return {
        **value,
        "tokens": [table[token] for token in graph.tokens],
        "links": [[arc.governor, arc.dependent, arc.type] for arc in graph.dependencies],
        "roots": list(graph.roots),
    }


def _decode(value: Any) -> CandidateSet:
    if not isinstance(value, dict):
        raise FormatError(f"a JSON value that is no object: {str(value)[:40]!r}")
    tokens = [decode(Token, token) for token in value["tokens"]]
    candidates = tuple(_decode_candidate(candidate, tokens) for candidate in value["candidates"])
    goodness = value.get("goodness")
    if goodness is not None:
        goodness = tuple(float(score) for score in goodness)
        if len(goodness) != len(candidates):
            raise FormatError(f"{len(goodness)} goodness values for {len(candidates)} candidates")
    if not isinstance(value["id"], str) or not isinstance(value["text"], str):
        raise FormatError(f"an id or text that is no text: {value['id']!r}")
    return CandidateSet(value["id"], value["text"], candidates, goodness)


def _decode_candidate(value: dict[str, Any], tokens: list[Token]) -> CandidateParse:
    parser = value["parser"]
    graph = DependencyGraph(
        parser,
        parser,
        tuple(tokens[place] for place in value["tokens"]),
        tuple(Dependency(*map(str, link)) for link in value["links"]),
        roots=tuple(value["roots"]),
    )
    cost = value.get("cost")
    return CandidateParse(graph, int(value["place"]), None if cost is None else float(cost))
