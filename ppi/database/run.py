"""An open run: what can be asked of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.errors import printable
from ppi.database.around import TypeCount, counts_by_type, fetch_neighbourhood
from ppi.database.connection import Reader, connect_for_reading
from ppi.database.found import SearchResult
from ppi.database.proteins import fetch_proteins, find_protein_ids, similar_names, suggest_proteins
from ppi.database.query import ProteinIds, Query
from ppi.database.sentences import fetch_same_sentence, fetch_sentence, fetch_sentences_by_key
from ppi.database.sources import PartFile, list_parts
from ppi.database.types import FoundPair, FoundSentence, KnownProtein, RunFacts
from ppi.errors import NotInRunError, UsageError

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


class OpenRun:
    """The interactions of a run, searched; :func:`ppi.open_run` opens one.

    Threads may ask at the same time.
    """

    def __init__(
        self, path: Path, index: Path, parts: Sequence[PartFile], *, reopen: Callable[[Path, Sequence[PartFile]], Path]
    ) -> None:
        self.path = path
        self._parts = tuple(parts)
        self._reopen = reopen
        self._refreshing = threading.Lock()
        self._reader = Reader(connect_for_reading(index))

    def __repr__(self) -> str:
        facts = self.facts()
        return f"<OpenRun {str(self.path)!r}: {facts.interactions:,} interactions of {facts.proteins:,} proteins>"

    def __enter__(self) -> OpenRun:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index."""
        self._reader.close()

    @property
    def reader(self) -> Reader:
        """What answers queries now; another after :meth:`refresh`."""
        return self._reader

    def refresh(self) -> bool:
        """Take in what a run has finished in the meantime; whether there was anything.

        Others may go on asking; what they have asked is answered from what there was.
        """
        with self._refreshing:
            parts = list_parts(self.path)
            if parts == self._parts:
                return False
            self._reader = Reader(connect_for_reading(self._reopen(self.path, parts)))
            self._parts = parts
            return True

    def facts(self) -> RunFacts:
        """How much there is."""
        [row] = self._reader.rows(
            "SELECT (SELECT count(*) FROM interaction), (SELECT count(*) FROM sentence), (SELECT count(*) FROM paper), "
            "(SELECT count(*) FROM known), (SELECT count(*) FROM edge), (SELECT list(DISTINCT type ORDER BY type) "
            "FILTER (type IS NOT NULL) FROM relation), (SELECT min(first_year) FROM edge), "
            "(SELECT max(last_year) FROM edge), (SELECT count(*) FROM part)"
        )
        interactions, sentences, papers, proteins, pairs, types, first_year, last_year, parts = row
        type_names = tuple(types or ())
        return RunFacts(interactions, sentences, papers, proteins, pairs, type_names, first_year, last_year, parts)

    def suggest(self, text: str, *, limit: int = 10) -> list[tuple[str, KnownProtein]]:
        """Proteins with a name that begins so, the most common first, each with that name."""
        return suggest_proteins(self._reader, text, limit=limit)

    def find(self, name: str) -> list[KnownProtein]:
        """The proteins that are called so, in any spelling, or have it as their symbol or identifier."""
        return fetch_proteins(self._reader, find_protein_ids(self._reader, name))

    def protein(self, key: str) -> KnownProtein:
        """The protein of that key.

        Raises
        ------
        NotInRunError
            If there is none; with similar names.
        """
        return fetch_proteins(self._reader, [self._protein_id(self._reader, key)])[0]

    def types_of(self, key: str) -> list[TypeCount]:
        """How many pairs of each type the protein of that key has, with papers and sentences."""
        reader = self._reader
        return counts_by_type(reader, self._protein_id(reader, key))

    def neighbourhood(self, key: str, *, steps: int = 1) -> list[FoundPair]:
        """The pairs among the proteins around that of the key, one or two steps away; the best supported ones."""
        if steps not in (1, 2):
            raise UsageError(f"expected 1 or 2 steps, got {steps!r}")
        reader = self._reader
        return fetch_neighbourhood(reader, self._protein_id(reader, key), steps=steps)

    def search(self, protein: str | None = None, partner: str | None = None, **limits: Any) -> SearchResult:
        """What is said of a protein, of two proteins, or of any.

        Parameters
        ----------
        protein, partner
            Names, symbols or identifiers; all proteins that are called so are meant.
        **limits
            ``type`` (one or several), ``min_probability``, ``min_papers``, ``first_year``, ``last_year``, ``text``,
            ``include_negated``, ``include_hedged``: see :class:`~ppi.database.query.Query`.

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
        reader = self._reader
        proteins = ProteinIds(
            *(None if name is None else self._protein_ids(reader, name) for name in (query.protein, query.partner))
        )
        return SearchResult(reader, query, proteins)

    def sentence(self, document: str, pair: str) -> FoundSentence:
        """The interaction of a document with that id of its pair.

        Raises
        ------
        NotInRunError
            If there is none.
        """
        sentence = fetch_sentence(self._reader, document, pair)
        if sentence is None:
            raise NotInRunError(
                f"expected a document and pair of the run, got {printable(document)!r}, {printable(pair)!r}; they may "
                "have been made anew"
            )
        return sentence

    def same_sentence(self, document: str, pair: str) -> list[FoundSentence]:
        """All interactions of the sentence in which the pair of that document stands."""
        return fetch_same_sentence(self._reader, document, pair)

    def sentences(self, keys: Sequence[tuple[str, str]]) -> list[FoundSentence | None]:
        """The interactions of these documents and pairs, in their order; None for what the run does not have."""
        return fetch_sentences_by_key(self._reader, keys)

    def to_frame(self) -> pd.DataFrame:
        """Every interaction as a row of pandas; see :func:`ppi.to_frame`.  It is held in memory."""
        return self.search(include_negated=True, include_hedged=True).to_frame()

    def to_networkx(self, **limits: Any) -> nx.Graph:
        """The network of all proteins; ``limits`` are those of :meth:`search`."""
        return self.search(**limits).to_networkx()

    def _protein_id(self, reader: Reader, key: str) -> int:
        rows = reader.rows("SELECT id FROM known WHERE key = ?", [key])
        if not rows:
            raise self._no_protein_error(key)
        return rows[0][0]

    def _protein_ids(self, reader: Reader, name: str) -> list[int]:
        numbers = find_protein_ids(reader, name)
        if not numbers:
            raise self._no_protein_error(name)
        return numbers

    def _no_protein_error(self, name: str) -> NotInRunError:
        suggestions = similar_names(self._reader, name)
        hint = f"similar: {', '.join(map(printable, suggestions))}" if suggestions else "check its spelling"
        return NotInRunError(f"expected a protein of the run, got {printable(name)!r}; {hint}")
