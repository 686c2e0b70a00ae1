"""What a query finds: sentences, the pairs that they are of, and files and networks of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.database.connection import Reader
from ppi.database.pairs import fetch_pairs
from ppi.database.query import Ends, Query, of_edges, of_sentences, with_papers
from ppi.database.sentences import fetch_sentences
from ppi.database.types import FoundPair, FoundSentence
from ppi.errors import UsageError
from ppi.longrun.reading import annotated_documents

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

#: Interactions that are read at a time, where all of them are.
_STEP = 2000
#: How pairs can be ordered, and the SQL of it.
ORDERS = {
    "probability": "probability DESC, papers DESC, sentences DESC, id",
    "papers": "papers DESC, probability DESC, sentences DESC, id",
}
#: The same of sentences.
SENTENCE_ORDERS = {"probability": "probability DESC", "uncertain": "abs(probability - 0.5)"}


class Found:
    """What a query finds; nothing is read before it is asked for.

    Iterating gives the interactions in the order of the run, a few at a time.
    """

    def __init__(self, reader: Reader, query: Query, ends: Ends) -> None:
        self._reader = reader
        self.query = query
        self._sentences = with_papers(query, of_sentences(query, ends))
        self._edges = of_edges(query, ends)

    def __repr__(self) -> str:
        return f"<Found: {len(self):,} interactions>"

    def __len__(self) -> int:
        """Interactions, one for each sentence and pair."""
        return self._reader.rows(
            f"SELECT count(*) FROM interaction WHERE {self._sentences.sql}", self._sentences.values
        )[0][0]

    def __iter__(self) -> Iterator[Interaction]:
        return (found.interaction for found in self.all_sentences())

    def n_pairs(self) -> int:
        """Pairs of proteins, apart by type and direction."""
        return self._reader.rows(f"SELECT count(*) FROM edge WHERE {self._edges.sql}", self._edges.values)[0][0]

    def pairs(self, *, limit: int = 50, offset: int = 0, order: str = "probability") -> list[FoundPair]:
        """Pairs of which a sentence is found, the best supported first; the numbers are those of all their sentences.

        Parameters
        ----------
        order
            ``probability`` or ``papers``.
        """
        if order not in ORDERS:
            raise UsageError(f"expected an order of pairs, one of {list(ORDERS)}, got {order!r}")
        where = f"{self._edges.sql} ORDER BY {ORDERS[order]} LIMIT $limit OFFSET $offset"
        return fetch_pairs(self._reader, where, {**self._edges.values, "limit": limit, "offset": offset})

    def sentences(
        self,
        *,
        limit: int = 50,
        offset: int = 0,
        order: str = "probability",
        without: Sequence[tuple[str, str]] = (),
    ) -> list[FoundSentence]:
        """Sentences, the most probable first.

        Parameters
        ----------
        order
            ``probability``, or ``uncertain`` for those whose probability is closest to one half.
        without
            Documents and pairs that are left out.
        """
        if order not in SENTENCE_ORDERS:
            raise UsageError(f"expected an order of sentences, one of {list(SENTENCE_ORDERS)}, got {order!r}")
        values = {**self._sentences.values, "limit": limit, "offset": offset}
        where = self._sentences.sql
        if without:
            where += " AND NOT EXISTS (SELECT 1 FROM (SELECT unnest($known::VARCHAR[]) AS d, "
            where += "unnest($known_pairs::VARCHAR[]) AS p) AS k WHERE k.d = document AND k.p = pair)"
            values |= {"known": [document for document, _ in without], "known_pairs": [pair for _, pair in without]}
        rows = self._reader.rows(
            f"SELECT rowid FROM interaction WHERE {where} ORDER BY {SENTENCE_ORDERS[order]}, rowid "
            "LIMIT $limit OFFSET $offset",
            values,
        )
        return fetch_sentences(self._reader, [row[0] for row in rows])

    def all_sentences(self) -> Iterator[FoundSentence]:
        """All sentences in the order of the run, a few thousand at a time in memory."""
        rows = self._reader.rows(
            f"SELECT rowid FROM interaction WHERE {self._sentences.sql} ORDER BY rowid", self._sentences.values
        )
        for start in range(0, len(rows), _STEP):
            yield from fetch_sentences(self._reader, [row[0] for row in rows[start : start + _STEP]])

    def documents(self, *, texts: bool = False) -> Iterator[AnnotatedDocument]:
        """The interactions as documents; with ``texts``, these hold the sentences that were found, and no others."""
        return annotated_documents(((found.interaction, found.pubmed) for found in self.all_sentences()), texts=texts)

    def write(self, path: str | Path, format: str | None = None) -> None:
        """Write the interactions in a format of :func:`ppi.write`."""
        from ppi.export.registry import format_of, write

        chosen = format_of(path, format)
        write(self.documents(texts=chosen.needs_texts), path, chosen.name)

    def to_frame(self) -> pd.DataFrame:
        """One row per interaction; see :func:`ppi.to_frame`."""
        from ppi.annotation.frame import to_frame

        return to_frame(self.documents())

    def to_networkx(self) -> nx.Graph:
        """The interactions merged into a network; see :func:`ppi.build_network`."""
        from ppi.network import build_network

        found = ((each.interaction, each.pubmed) for each in self.all_sentences())
        query = self.query
        return build_network(found, min_probability=0.0, include_hedged=query.include_hedged).to_networkx()
