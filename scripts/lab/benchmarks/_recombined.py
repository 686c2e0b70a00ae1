"""Many interactions made of few real ones: sentences keep what they say, and say it of other proteins.

A made interaction has the sentence, type, direction and probability of one real interaction; in the places of its two
mentions stand those of two others, or genes of the lexicon that ships, chosen as unevenly as literature names them.
Every one has a sentence of its own, so that nothing is found once and counted twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from lab.benchmarks.lexicon import entries_of
from lab.training import shipped
from ppi.export import arrow_schema
from ppi.grounding import LexiconEntry, read_table

#: Columns of one of the two mentions that go with it.
_OF_MENTION = ("name", "identifiers", "grounding", "type", "symbol", "taxid", "entity_kind", "uniprot", "remarks")
#: How many genes of the lexicon take part, and how many interactions a made document has.
GENES, PER_DOCUMENT = 30_000, 3
PART_ROWS = 50_000


def recombined(real: Any, count: int, *, random_state: int = 0) -> Iterator[Any]:
    """Tables of Arrow, :data:`PART_ROWS` rows each, with ``count`` interactions made of a table of real ones."""
    chooser = np.random.default_rng(random_state)
    rows = [row for row in real.to_pylist() if not row["homo"] and len(row["spans_1"]) == len(row["spans_2"]) == 1]
    mentions = _mentions(rows) + [_gene(entry) for entry in entries_of(read_table(shipped.LEXICON), GENES)]
    weights = 1 / (10 + np.arange(len(mentions)))  # Zipf's law, without a few that name everything
    order = chooser.permutation(len(mentions))
    weights /= weights.sum()
    for start in range(0, count, PART_ROWS):
        size = min(PART_ROWS, count - start)
        bases = chooser.integers(len(rows), size=size)
        chosen = order[chooser.choice(len(mentions), size=(size, 2), p=weights)]
        made = (
            _made(rows[base], mentions[one], mentions[other], start + number)
            for number, (base, (one, other)) in enumerate(zip(bases, chosen))
        )
        yield pa.Table.from_pylist(list(islice(made, size)), arrow_schema())


def _mentions(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each different mention once."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        for which in (1, 2):
            found.setdefault(row[f"name_{which}"], {name: row[f"{name}_{which}"] for name in _OF_MENTION})
    return list(found.values())


def _gene(entry: LexiconEntry) -> dict[str, Any]:
    remarks = [("grounding", "exact symbol"), ("symbol", entry.symbol), ("taxid", entry.taxid)]
    return {
        "name": entry.symbol,
        "identifiers": [entry.identifier],
        "grounding": "exact symbol",
        "type": "PROTEIN",
        "symbol": entry.symbol,
        "taxid": entry.taxid,
        "entity_kind": entry.kind,
        "uniprot": entry.uniprot,
        "remarks": [{"key": key, "value": value} for key, value in remarks if value],
    }


def _made(base: dict[str, Any], one: dict[str, Any], other: dict[str, Any], number: int) -> dict[str, Any]:
    """The base's sentence with other mentions in the places of its own, which may overlap: then it stays as it is."""
    document, at = divmod(number, PER_DOCUMENT)
    row = {**base, "document": f"{30_000_000 + document}", "pubmed": f"{30_000_000 + document}"}
    row |= {"sentence_id": f"{document}.s{at}", "pair": f"{document}.s{at}.i0", "offset": 0, "aliases": None}
    row |= {"aliases_1": [], "aliases_2": [], "year": 1990 + document % 35}
    (first,), (second,) = base["spans_1"], base["spans_2"]
    starts = [span["start"] - base["offset"] for span in (first, second)]
    ends = [span["end"] - base["offset"] for span in (first, second)]
    if ends[0] > starts[1]:
        return {**row, **_places(starts, ends)}
    text = base["sentence"]
    before, between, after = text[: starts[0]], text[ends[0] : starts[1]], text[ends[1] :]
    row["sentence"] = f"{before}{one['name']}{between}{other['name']}{after}"
    starts[1] = len(before) + len(one["name"]) + len(between)
    ends = [starts[0] + len(one["name"]), starts[1] + len(other["name"])]
    for which, mention in ((1, one), (2, other)):
        row |= {f"{name}_{which}": value for name, value in mention.items()}
    return {**row, **_places(starts, ends)}


def _places(starts: Sequence[int], ends: Sequence[int]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for which, start, end in zip((1, 2), starts, ends):
        found |= {f"start_{which}": start, f"end_{which}": end, f"spans_{which}": [{"start": start, "end": end}]}
    return found
