"""Proteins by what they are called."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corpora import CorpusError, printable
from ppi.core import DatabaseError
from ppi.export import interaction_of
from ppi.grounding import normalize_name
from ppi.server.database.index import LINE_COLUMNS, Reader
from ppi.server.database.result_types import FoundPair, FoundSentence, KnownProtein

_PROTEIN_COLUMNS = (
    "key, label, names, identifier, taxid, species, kind, uniprot, type, mentions, papers, sentences, partners"
)
#: More than these are not looked at: a name that begins so many others tells nothing.
_MAX_FORMS = 2000
#: How alike a name is that is offered for another (Jaro and Winkler's similarity).
_MIN_SIMILARITY = 0.85


def find_protein_ids(reader: Reader, name: str) -> list[int]:
    """The numbers of the proteins that are called so, in any spelling, the commonest first; of a key, that alone."""
    if key_rows := reader.rows("SELECT id FROM known WHERE key = ?", [name]):
        return [key_rows[0][0]]
    forms = list({normalize_name(name), name.strip().lower()} - {""})
    rows = reader.rows(
        "SELECT protein FROM name WHERE list_contains(?, form) GROUP BY protein ORDER BY max(mentions) DESC, protein",
        [forms],
    )
    return [row[0] for row in rows]


def suggest_proteins(reader: Reader, text: str, *, limit: int) -> list[tuple[str, KnownProtein]]:
    """Proteins with a name that begins so, each once with the commonest such name."""
    starts = {normalize_name(text), text.strip().lower()} - {""}
    if not starts:
        return []
    values = {"most": limit, "forms": _MAX_FORMS, **{f"start_{n}": start for n, start in enumerate(sorted(starts))}}
    begins = " OR ".join(f"starts_with(form, $start_{n})" for n in range(len(starts)))
    rows = reader.rows(
        f"""
        WITH hit AS (SELECT protein, shown, mentions, form = $start_0 AS whole FROM name WHERE {begins}
                     ORDER BY whole DESC, mentions DESC, form, protein LIMIT $forms)
        SELECT protein, arg_max(shown, (whole, mentions)) FROM hit
        GROUP BY protein ORDER BY max((whole, mentions)) DESC, protein LIMIT $most
        """,
        values,
    )
    proteins = {protein.key: protein for protein in fetch_proteins(reader, [number for number, _ in rows])}
    return [(name, protein) for (_, name), protein in zip(rows, proteins.values(), strict=True)]


def similar_names(reader: Reader, name: str, *, limit: int = 5) -> list[str]:
    """Names of the run that are spelled nearly so, the most similar first."""
    rows = reader.rows(
        """
        SELECT shown FROM (
            SELECT shown, mentions, jaro_winkler_similarity(form, $form) AS alike FROM name
        ) WHERE alike >= $least GROUP BY shown ORDER BY max(alike) DESC, max(mentions) DESC, shown LIMIT $most
        """,
        {"form": normalize_name(name) or name.lower(), "least": _MIN_SIMILARITY, "most": limit},
    )
    return [row[0] for row in rows]


def fetch_proteins(reader: Reader, numbers: Sequence[int]) -> list[KnownProtein]:
    """The proteins of these numbers, in their order."""
    rows = reader.rows(
        f"SELECT id, {_PROTEIN_COLUMNS} FROM known WHERE id IN (SELECT unnest(?::INTEGER[]))", [list(numbers)]
    )
    proteins = {number: _protein(*fields) for number, *fields in rows}
    return [proteins[number] for number in numbers]


def _protein(key, label, names, *rest) -> KnownProtein:
    return KnownProtein(key, label, tuple(names), *rest)


# Interactions read back from an index.

_SELECT_SENTENCES = """
    SELECT i.rowid AS number, i.line, i.year, a.key AS first, b.key AS second
    FROM interaction AS i JOIN known AS a ON a.id = i.first JOIN known AS b ON b.id = i.second
"""


def fetch_sentences(reader: Reader, numbers: Sequence[int]) -> list[FoundSentence]:
    """The interactions of these rows, in their order."""
    if not numbers:
        return []
    rows = reader.records(f"{_SELECT_SENTENCES} WHERE i.rowid IN (SELECT unnest(?::BIGINT[]))", [list(numbers)])
    by_number = {row["number"]: row for row in rows}
    return [_decode_sentence(by_number[number]) for number in numbers]


def fetch_sentence(reader: Reader, document: str, pair: str) -> FoundSentence | None:
    """The interaction of that pair of that document, if there is one."""
    rows = reader.rows("SELECT rowid FROM interaction WHERE document = ? AND pair = ? LIMIT 1", [document, pair])
    return fetch_sentences(reader, [rows[0][0]])[0] if rows else None


def fetch_same_sentence(reader: Reader, document: str, pair: str) -> list[FoundSentence]:
    """All interactions of the sentence that the pair stands in, in the order of the run."""
    rows = reader.rows(
        "SELECT rowid FROM interaction WHERE place IN "
        "(SELECT place FROM interaction WHERE document = ? AND pair = ?) ORDER BY rowid",
        [document, pair],
    )
    return fetch_sentences(reader, [row[0] for row in rows])


def fetch_sentences_by_key(reader: Reader, keys: Sequence[tuple[str, str]]) -> list[FoundSentence | None]:
    """The interactions of these documents and pairs, in their order; None for what there is not."""
    if not keys:
        return []
    documents, pairs = zip(*keys)
    rows = reader.rows(
        "SELECT min(i.rowid), i.document, i.pair FROM interaction AS i JOIN "
        "(SELECT DISTINCT unnest(?::VARCHAR[]) AS document, unnest(?::VARCHAR[]) AS pair) AS k "
        "ON i.document = k.document AND i.pair = k.pair GROUP BY i.document, i.pair",
        [list(documents), list(pairs)],
    )
    sentences = fetch_sentences(reader, [row[0] for row in rows])
    by_key = {(document, pair): sentence for (_, document, pair), sentence in zip(rows, sentences)}
    return [by_key.get(key) for key in keys]


def _decode_sentence(row: dict[str, Any]) -> FoundSentence:
    cells = dict(zip(LINE_COLUMNS, json.loads(row["line"]), strict=True))
    try:
        interaction, pubmed = interaction_of(cells)
    except CorpusError as error:
        raise DatabaseError(
            f"document {printable(cells['document'])!r}, pair {printable(cells['pair'])!r}: {error}"
        ) from None
    return FoundSentence(interaction, pubmed, row["year"], (row["first"], row["second"]))


# Pairs of proteins read from an index.

_PAIR_COLUMNS = (
    *("type", "sign", "kind", "directed", "probability", "papers", "sentences", "mentions", "hedged", "negated"),
    *("first_year", "last_year"),
)
_SELECT_PAIRS = f"SELECT rowid, source, target, best, {', '.join(_PAIR_COLUMNS)} FROM edge"


def fetch_pairs(reader: Reader, numbers: Sequence[int], *, sentences: bool = True) -> list[FoundPair]:
    """The edges of these rows, in their order, with their proteins and, if wanted, their best sentences."""
    numbered_rows = reader.rows(f"{_SELECT_PAIRS} WHERE rowid IN (SELECT unnest(?::BIGINT[]))", [list(numbers)])
    by_number = {number: row for number, *row in numbered_rows}
    rows = [by_number[number] for number in numbers]
    ends = list(dict.fromkeys(end for row in rows for end in row[:2]))
    proteins = dict(zip(ends, fetch_proteins(reader, ends)))
    best = fetch_sentences(reader, [row[2] for row in rows]) if sentences else [None] * len(rows)
    return [
        FoundPair(source=proteins[source], target=proteins[target], best=sentence, **dict(zip(_PAIR_COLUMNS, fields)))
        for (source, target, _, *fields), sentence in zip(rows, best)
    ]


# What stands around a protein: its pairs by type, and the network one or two steps away.

#: Pairs by which each step goes on, and pairs of the whole.
MAX_STEP_PAIRS, MAX_NETWORK_PAIRS = (60, 120), 300
_BEST_FIRST = "probability DESC, papers DESC, sentences DESC, id"


@dataclass(frozen=True)
class TypeCount:
    """How many pairs of a type a protein has, and how many papers and sentences state one of them."""

    type: str | None
    pairs: int
    papers: int
    sentences: int


def counts_by_type(reader: Reader, number: int) -> list[TypeCount]:
    """Of a protein, by the types of its pairs; the commonest type first."""
    rows = reader.rows(
        """
        SELECT type, count(DISTINCT edge), count(DISTINCT paper), count(DISTINCT place) FROM interaction
        WHERE (first = $number OR second = $number) AND stands AND doubt = 0
        GROUP BY type ORDER BY 2 DESC, type
        """,
        {"number": number},
    )
    return [TypeCount(*row) for row in rows]


def fetch_neighbourhood(reader: Reader, number: int, *, steps: int = 1) -> list[FoundPair]:
    """The pairs among the proteins that are one or two steps away, its own first, then the best supported.

    Each step goes to the partners of the best supported pairs only, so that a hub does not bring everything.
    """
    protein_ids = [number]
    for step in range(steps):
        rows = reader.rows(
            "SELECT source, target FROM edge WHERE papers > 0 AND "
            "(source IN (SELECT unnest($reached)) OR target IN (SELECT unnest($reached))) "
            f"ORDER BY {_BEST_FIRST} LIMIT $most",
            {"reached": protein_ids, "most": MAX_STEP_PAIRS[min(step, len(MAX_STEP_PAIRS) - 1)]},
        )
        protein_ids = list(dict.fromkeys([*protein_ids, *(end for row in rows for end in row)]))
    rows = reader.rows(
        "SELECT rowid FROM edge WHERE papers > 0 AND source IN (SELECT unnest($reached)) "
        "AND target IN (SELECT unnest($reached)) "
        f"ORDER BY (source = $number OR target = $number) DESC, {_BEST_FIRST} LIMIT $most",
        {"reached": protein_ids, "number": number, "most": MAX_NETWORK_PAIRS},
    )
    return fetch_pairs(reader, [row[0] for row in rows], sentences=False)
