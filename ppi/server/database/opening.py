"""Open a run as a database, and answer what is asked of it: proteins, pairs, sentences, and the network."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from corpora import printable
from ppi.core import NotInRunError, UsageError
from ppi.export import require_pyarrow
from ppi.grounding import normalize_name
from ppi.server.database.index import Reader, connect_for_reading, require_duckdb
from ppi.server.database.index_file import ensure_index
from ppi.server.database.queries import PAIR_ORDERS, ProteinIds, Query, SearchResult
from ppi.server.database.result_types import FoundPair, FoundSentence, KnownProtein, RunFacts, TypeCount
from ppi.server.database.row_lookup import fetch_pairs, fetch_proteins, fetch_sentences
from ppi.server.database.sources import list_parts

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

#: Of a protein's neighbourhood: pairs by which each step goes on, and pairs of the whole.
MAX_STEP_PAIRS, MAX_NETWORK_PAIRS = (60, 120), 300
#: More than these are not looked at: a name that begins so many others is no help.
_MAX_FORMS = 2000
#: How alike a name is that is offered for another (Jaro and Winkler's similarity).
_MIN_SIMILARITY = 0.85


class OpenRun:
    """The interactions of a run, searched; :func:`ppi.open_run` opens one.

    Threads may ask at the same time.  ``reader`` answers queries in SQL; there is another after :meth:`refresh`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parts = list_parts(path)
        self._refreshing = threading.Lock()
        self.reader = Reader(connect_for_reading(ensure_index(path, self._parts)))

    def __repr__(self) -> str:
        facts = self.facts()
        return f"<OpenRun {str(self.path)!r}: {facts.interactions:,} interactions of {facts.proteins:,} proteins>"

    def __enter__(self) -> OpenRun:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index."""
        self.reader.close()

    def refresh(self) -> bool:
        """Take in what a run has finished in the meantime; whether there was anything.

        Others may go on asking; what they have asked is answered from what there was.
        """
        with self._refreshing:
            parts = list_parts(self.path)
            if parts == self._parts:
                return False
            self.reader = Reader(connect_for_reading(ensure_index(self.path, parts)))
            self._parts = parts
            return True

    def facts(self) -> RunFacts:
        """How much there is."""
        [row] = self.reader.rows(
            "SELECT (SELECT count(*) FROM interaction), (SELECT count(*) FROM sentence), (SELECT count(*) FROM paper), "
            "(SELECT count(*) FROM known), (SELECT count(*) FROM edge), (SELECT list(DISTINCT type ORDER BY type) "
            "FILTER (type IS NOT NULL) FROM relation), (SELECT min(first_year) FROM edge), "
            "(SELECT max(last_year) FROM edge), (SELECT count(*) FROM part)"
        )
        facts = RunFacts(*row)
        return replace(facts, types=tuple(facts.types or ()))

    def suggest(self, text: str, *, limit: int = 10) -> list[tuple[str, KnownProtein]]:
        """Proteins with a name that begins so, the most common first, each once with the commonest such name."""
        starts = sorted({normalize_name(text), text.strip().lower()} - {""})
        if not starts:
            return []
        reader = self.reader
        begins = " OR ".join(f"starts_with(form, $start_{number})" for number in range(len(starts)))
        rows = reader.rows(
            f"""
            WITH hit AS (SELECT protein, shown, mentions, form = $start_0 AS whole FROM name WHERE {begins}
                         ORDER BY whole DESC, mentions DESC, form, protein LIMIT $forms)
            SELECT protein, arg_max(shown, (whole, mentions)) FROM hit
            GROUP BY protein ORDER BY max((whole, mentions)) DESC, protein LIMIT $most
            """,
            {"most": limit, "forms": _MAX_FORMS, **{f"start_{n}": start for n, start in enumerate(starts)}},
        )
        proteins = fetch_proteins(reader, [number for number, _ in rows])
        return [(name, protein) for (_, name), protein in zip(rows, proteins, strict=True)]

    def find(self, name: str) -> list[KnownProtein]:
        """The proteins that are called so, in any spelling, or have it as their symbol or identifier."""
        return fetch_proteins(self.reader, _find_protein_ids(self.reader, name))

    def protein(self, key: str) -> KnownProtein:
        """The protein of that key; NotInRunError, with similar names, if there is none."""
        return fetch_proteins(self.reader, [_protein_id(self.reader, key)])[0]

    def types_of(self, key: str) -> list[TypeCount]:
        """How many pairs of each type the protein of that key has, with papers and sentences; commonest first."""
        reader = self.reader
        rows = reader.rows(
            """
            SELECT type, count(DISTINCT edge), count(DISTINCT paper), count(DISTINCT place) FROM interaction
            WHERE (first = $number OR second = $number) AND stands AND doubt = 0
            GROUP BY type ORDER BY 2 DESC, type
            """,
            {"number": _protein_id(reader, key)},
        )
        return [TypeCount(*row) for row in rows]

    def neighbourhood(self, key: str, *, steps: int = 1) -> list[FoundPair]:
        """The pairs among the proteins that are one or two steps away, its own first, then the best supported.

        Each step goes to the partners of the best supported pairs only, so that a hub does not bring everything.
        """
        if steps not in (1, 2):
            raise UsageError(f"expected 1 or 2 steps, got {steps!r}")
        reader = self.reader
        number = _protein_id(reader, key)
        best_first = PAIR_ORDERS["probability"]
        protein_ids = [number]
        for max_pairs in MAX_STEP_PAIRS[:steps]:
            rows = reader.rows(
                "SELECT source, target FROM edge WHERE papers > 0 AND "
                "(source IN (SELECT unnest($reached)) OR target IN (SELECT unnest($reached))) "
                f"ORDER BY {best_first} LIMIT $most",
                {"reached": protein_ids, "most": max_pairs},
            )
            protein_ids = list(dict.fromkeys([*protein_ids, *(end for row in rows for end in row)]))
        numbers = reader.column(
            "SELECT rowid FROM edge WHERE papers > 0 AND source IN (SELECT unnest($reached)) "
            "AND target IN (SELECT unnest($reached)) "
            f"ORDER BY (source = $number OR target = $number) DESC, {best_first} LIMIT $most",
            {"reached": protein_ids, "number": number, "most": MAX_NETWORK_PAIRS},
        )
        return fetch_pairs(reader, numbers, sentences=False)

    def search(self, protein: str | None = None, partner: str | None = None, **limits: Any) -> SearchResult:
        """What is said of a protein, of two proteins, or of any.

        Parameters
        ----------
        protein, partner
            Names, symbols or identifiers; all proteins that are called so are meant.
        **limits
            ``type`` (one or several), ``min_probability``, ``min_papers``, ``first_year``, ``last_year``, ``text``,
            ``include_negated``, ``include_hedged``: see :class:`~ppi.server.database.queries.Query`.

        Raises
        ------
        NotInRunError
            If no protein is called so.
        UsageError
            If a limit cannot be one.
        """
        return self.answer(Query.of(protein, partner, **limits))

    def answer(self, query: Query) -> SearchResult:
        """What a query finds."""
        reader = self.reader

        def find_ids(name: str | None) -> list[int] | None:
            if name is None:
                return None
            return _find_protein_ids(reader, name) or _refuse_name(reader, name)

        return SearchResult(reader, query, ProteinIds(find_ids(query.protein), find_ids(query.partner)))

    def sentence(self, document: str, pair: str) -> FoundSentence:
        """The interaction of a document with that id of its pair; NotInRunError if there is none."""
        sql = "SELECT rowid FROM interaction WHERE document = ? AND pair = ? LIMIT 1"
        reader = self.reader
        numbers = reader.column(sql, [document, pair])
        if not numbers:
            raise NotInRunError(
                f"expected a document and pair of the run, got {printable(document)!r}, {printable(pair)!r}; they may "
                "have been made anew"
            )
        return fetch_sentences(reader, numbers)[0]

    def same_sentence(self, document: str, pair: str) -> list[FoundSentence]:
        """All interactions of the sentence in which the pair of that document stands, in the order of the run."""
        reader = self.reader
        numbers = reader.column(
            "SELECT rowid FROM interaction WHERE place IN "
            "(SELECT place FROM interaction WHERE document = ? AND pair = ?) ORDER BY rowid",
            [document, pair],
        )
        return fetch_sentences(reader, numbers)

    def sentences(self, keys: Sequence[tuple[str, str]]) -> list[FoundSentence | None]:
        """The interactions of these documents and pairs, in their order; None for what the run does not have."""
        if not keys:
            return []
        reader = self.reader
        documents, pairs = zip(*keys)
        rows = reader.rows(
            "SELECT min(i.rowid), i.document, i.pair FROM interaction AS i JOIN "
            "(SELECT DISTINCT unnest(?::VARCHAR[]) AS document, unnest(?::VARCHAR[]) AS pair) AS k "
            "ON i.document = k.document AND i.pair = k.pair GROUP BY i.document, i.pair",
            [documents, pairs],
        )
        sentences = fetch_sentences(reader, [row[0] for row in rows])
        by_key = {(document, pair): sentence for (_, document, pair), sentence in zip(rows, sentences)}
        return [by_key.get(key) for key in keys]

    def to_frame(self) -> pd.DataFrame:
        """Every interaction as a row of pandas; see :func:`ppi.to_frame`.  It is held in memory."""
        return self.search(include_negated=True, include_hedged=True).to_frame()

    def to_networkx(self, **limits: Any) -> nx.Graph:
        """The network of all proteins; ``limits`` are those of :meth:`search`."""
        return self.search(**limits).to_networkx()


def _protein_id(reader: Reader, key: str) -> int:
    """The number of the protein of that key."""
    numbers = reader.column("SELECT id FROM known WHERE key = ?", [key]) or _refuse_name(reader, key)
    return int(numbers[0])


def _find_protein_ids(reader: Reader, name: str) -> list[int]:
    """The numbers of the proteins that are called so, in any spelling, the commonest first; of a key, only that."""
    if numbers := reader.column("SELECT id FROM known WHERE key = ?", [name]):
        return numbers[:1]
    forms = list({normalize_name(name), name.strip().lower()} - {""})
    return reader.column(
        "SELECT protein FROM name WHERE list_contains(?, form) GROUP BY protein ORDER BY max(mentions) DESC, protein",
        [forms],
    )


def _refuse_name(reader: Reader, name: str) -> NoReturn:
    """Raise what a name gets that no protein has: names of the run that are spelled nearly so."""
    suggestions = reader.column(
        """
        SELECT shown FROM (
            SELECT shown, mentions, jaro_winkler_similarity(form, $form) AS alike FROM name
        ) WHERE alike >= $least GROUP BY shown ORDER BY max(alike) DESC, max(mentions) DESC, shown LIMIT 5
        """,
        {"form": normalize_name(name) or name.lower(), "least": _MIN_SIMILARITY},
    )
    hint = f"similar: {', '.join(map(printable, suggestions))}" if suggestions else "check its spelling"
    raise NotInRunError(f"expected a protein of the run, got {printable(name)!r}; {hint}")


def open_run(path: str | Path) -> OpenRun:
    """Open the folder of a long run, a Parquet file, JSON lines, or a folder of such files.

    The first time, an index is made beside them, which for a million interactions takes a minute or two; from then on
    opening takes a moment.  While the run goes on, what is finished can be searched: :meth:`OpenRun.refresh`.

    Raises
    ------
    MissingExtraError
        Without DuckDB or pyarrow (the extra ``database``).
    DatabaseError
        If there is nothing to open, it is of another version, or a part is damaged.

    Examples
    --------
    >>> import tempfile, ppi
    >>> file = f"{tempfile.mkdtemp()}/found.parquet"
    >>> ppi.write([ppi.Annotator().annotate_document("Profilin binds actin.")], file)
    >>> run = ppi.open_run(file)
    >>> [found.names for found in run.search("profilin", type="binding")]
    [('Profilin', 'actin')]
    """
    require_duckdb()
    require_pyarrow()
    return OpenRun(Path(path))
