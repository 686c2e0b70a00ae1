"""What stands around a protein: its pairs by type, and the network one or two steps away."""

from __future__ import annotations

from dataclasses import dataclass

from ppi.database.connection import Reader
from ppi.database.pairs import fetch_pairs
from ppi.database.types import FoundPair

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
