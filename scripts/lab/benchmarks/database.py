"""A run of a million interactions as a database: first pages of queries, memory, and making the index.

The interactions are made by recombining real ones (:mod:`lab.benchmarks._recombined`), which the shipped annotator
finds in ``literature-dev`` or, without it, in the abstracts that ship.  Every query is what a page of ``ppi serve RUN``
asks for, from names to JSON; numbers of what is found are those of a plain search of the Parquet files with pyarrow.
Index and queries run in processes of their own, whose memory is measured.  ``scale`` shrinks the number of
interactions.

Seconds are by the wall clock, best of three, with two threads: on a machine that does other work, look at a quiet time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import corpora
from corpora import Document
from lab.benchmarks._literature import texts
from lab.benchmarks._recombined import recombined
from lab.benchmarks.figure import Figure
from lab.frame.clock import wall_seconds
from ppi.annotation import Annotator, document_of_text
from ppi.export import make_arrow_tables

INTERACTIONS = 1_000_000
SECONDS, MEGABYTES = 0.3, 500
_INDEX = """
import json, sys, time
from lab.frame.memory import peak_megabytes
from ppi.server import open_run
start, processor = time.perf_counter(), time.process_time()
open_run(sys.argv[1])
print(json.dumps([time.perf_counter() - start, time.process_time() - processor, peak_megabytes()]))
"""


def run(scale: float = 1.0) -> Iterator[Figure]:
    """The index, the queries, their memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = max(1000, round(INTERACTIONS * scale))
        for number, table in enumerate(recombined(real_interactions(scale), count)):
            pq.write_table(table, folder / f"part-{number:05}.parquet", compression="zstd", row_group_size=10_000)
        seconds, processor, megabytes = _child(_INDEX, folder)
        yield Figure(
            f"seconds to make an index of {count:,}", seconds, "lower", 600 * scale + 10, 60, True, seconds, processor
        )
        yield Figure("megabytes at most, making the index", megabytes, "lower", 800, 500, True, seconds, processor)
        size = sum(file.stat().st_size for file in (folder / "index").glob("*.duckdb")) / 1e6
        parts = sum(file.stat().st_size for file in folder.glob("*.parquet")) / 1e6
        yield Figure(f"megabytes of the index (parts: {parts:.0f})", size, "lower", 2000, 1000, True, 0.0, 0.0)
        yield from _queries(folder, count)


def real_interactions(scale: float = 1.0) -> Any:
    """A table of what the shipped annotator finds in real text."""
    written = texts()
    if written:
        found = [document_of_text(text, id=f"d{n}") for n, text in enumerate(written[:: max(1, round(1 / scale))])]
    else:
        found = [Document(each.id, tuple(each.sentences)) for each in corpora.load("abstracts")]
    annotator = Annotator(include_negated=True, include_hedged=True)
    return pa.concat_tables(make_arrow_tables(annotator.annotate_documents(found)))


def _queries(folder: Path, count: int) -> Iterator[Figure]:
    told = _child("from lab.benchmarks.database import ask; ask()", folder)
    plain_seconds, plain = wall_seconds(lambda: _plain_counts(folder, told["hub"], told["words"]))
    same = told["counts"] == plain and told["facts"] == count
    for name, seconds in told["seconds"].items():
        yield Figure(
            f"seconds, first page: {name}", seconds, "lower", SECONDS, SECONDS / 3, same, seconds, plain_seconds
        )
    yield Figure("megabytes at most, asking", told["megabytes"], "lower", MEGABYTES, 400, same, 0.0, 0.0)


def _child(program: str, folder: Path) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], capture_output=True, encoding="utf8", check=True
    )
    return json.loads(done.stdout)


def _plain_counts(folder: Path, hub: str, words: str) -> list[int]:
    """How many stated interactions hold the hub, and how many the words, by looking at every row."""
    counts = [0, 0]
    columns = ["identifiers_1", "identifiers_2", "sentence", "negated", "hedged"]
    for path in folder.glob("*.parquet"):
        table = pq.read_table(path, columns=columns)
        table = table.filter(pc.invert(pc.or_(table["negated"], table["hedged"])))
        sides = [table[f"identifiers_{which}"].to_pylist() for which in (1, 2)]
        counts[0] += sum([hub] in (one, other) for one, other in zip(*sides))
        counts[1] += pc.sum(pc.match_substring(table["sentence"], words, ignore_case=True)).as_py() or 0
    return counts


def ask() -> None:
    """Every kind of query of a folder that ``sys.argv`` names, timed; as JSON on standard output."""
    from lab.frame.memory import peak_megabytes
    from ppi.server import open_run

    with open_run(sys.argv[1]) as opened:
        rows = opened.reader.rows("SELECT key FROM known WHERE identifier IS NOT NULL ORDER BY sentences DESC, key")
        hub, usual = rows[0][0], rows[len(rows) // 20][0]
        words = "interacts with"
        found = opened.search(hub), opened.search(text=f'"{words}"')
        seconds = {name: wall_seconds(query, repeats=3)[0] for name, query in questions(opened, hub, usual).items()}
        told = {
            "seconds": seconds,
            "megabytes": peak_megabytes(),
            "counts": [len(each) for each in found],
            "facts": opened.facts().interactions,
            "hub": hub,
            "words": words,
        }
    print(json.dumps(told))


def questions(opened: Any, hub: str, usual: str) -> dict[str, Any]:
    """What pages ask for, by name: of everything, of the protein with most sentences, of a usual one, of words."""
    from ppi.server import network_json, pair_page_json, protein_page_json, search_json, suggestions_json

    def search(show: str = "pairs", order: str = "probability", page: int = 1, **wanted: Any) -> Any:
        return lambda: search_json(opened, wanted, show=show, order=order, page=page)

    label = opened.protein(usual).label
    best = opened.search().pairs(limit=1)[0]
    many: dict[str, Any] = {
        "type": ["binding"],
        "min_probability": 0.6,
        "include_negated": True,
        "include_hedged": True,
    }
    return {
        "all pairs": search(),
        "all pairs, by papers": search(order="papers"),
        "all sentences": search("sentences"),
        "the last page that can be asked for": search(page=200),
        "pairs of two papers and more": search(min_papers=2),
        "a protein": search(protein=label),
        "a hub": search(protein=hub),
        "sentences of a hub": search("sentences", protein=hub),
        "two proteins": search(protein=hub, partner=label),
        "pairs with a rare word": search(text="abrogated"),
        "pairs with a common word": search(text="the"),
        "sentences with a common word": search("sentences", text="the"),
        "sentences with words and limits": search("sentences", text='binding "in the"', **many),
        "pairs of four years": search(first_year=2000, last_year=2003),
        "page of a protein": lambda: protein_page_json(opened, usual),
        "page of a hub": lambda: protein_page_json(opened, hub),
        "network one step around a hub": lambda: network_json(opened, hub, 1),
        "network two steps around a hub": lambda: network_json(opened, hub, 2),
        "page of a pair": lambda: pair_page_json(opened, best.source.key, best.target.key, types=None, page=1),
        "names that begin with r": lambda: suggestions_json(opened, "r", 10),
        "names that begin with rad5": lambda: suggestions_json(opened, "rad5", 10),
    }
