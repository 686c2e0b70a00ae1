"""What a query finds: sentences, the pairs that they are of, and files and networks of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.database.connection import Reader
from ppi.database.pairs import fetch_pairs
from ppi.database.query import ProteinIds, Query, edge_conditions, require_papers, sentence_conditions
from ppi.database.sentences import fetch_sentences
from ppi.database.types import FoundPair, FoundSentence
from ppi.errors import UsageError
from ppi.longrun.reading import group_by_document

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

#: Interactions that are read at a time, where all of them are.
_BATCH_ROWS = 2000
#: How pairs can be ordered, and the SQL of it.
PAIR_ORDERS = {
    "probability": "probability DESC, papers DESC, sentences DESC, id",
    "papers": "papers DESC, probability DESC, sentences DESC, id",
}
#: The same of sentences.
SENTENCE_ORDERS = {"probability": "probability DESC", "uncertain": "abs(probability - 0.5)"}


class SearchResult:
    """What a query finds; nothing is read before it is asked for.

    Iterating gives the interactions in the order of the run, a few at a time.
    """

    def __init__(self, reader: Reader, query: Query, proteins: ProteinIds) -> None:
        self._reader = reader
        self.query = query
        self._sentences = require_papers(query, sentence_conditions(query, proteins))
        self._edges = edge_conditions(query, proteins)

    def __repr__(self) -> str:
        return f"<Found: {len(self):,} interactions>"

    def __len__(self) -> int:
        """Interactions, one for each sentence and pair."""
        return self._reader.rows(
            f"SELECT count(*) FROM interaction WHERE {self._sentences.sql}", self._sentences.values
        )[0][0]

    def __iter__(self) -> Iterator[Interaction]:
        return (sentence.interaction for sentence in self.all_sentences())

    def n_pairs(self) -> int:
        """Pairs of proteins, apart by type and direction."""
        return self._reader.rows(f"SELECT count(*) FROM edge WHERE {self._edges.sql}", self._edges.values)[0][0]

    def pairs(self, *, limit: int = 50, offset: int = 0, order: str = "probability") -> list[FoundPair]:
        """Some of :meth:`page_of_pairs`, without counting all of them."""
        return self.page_of_pairs(limit=limit, offset=offset, order=order)[1]

    def page_of_pairs(
        self, *, limit: int = 50, offset: int = 0, order: str = "probability"
    ) -> tuple[int, list[FoundPair]]:
        """How many pairs there are, and some of them.

        Pairs of which a sentence is found, the best supported first; the numbers are those of all their sentences.

        Parameters
        ----------
        order
            ``probability`` or ``papers``.
        """
        if order not in PAIR_ORDERS:
            raise UsageError(f"expected an order of pairs, one of {list(PAIR_ORDERS)}, got {order!r}")
        count, numbers = self._count_and_page(
            f"SELECT rowid AS number, probability, papers, sentences, id FROM edge WHERE {self._edges.sql}",
            PAIR_ORDERS[order],
            {**self._edges.values, "limit": limit, "offset": offset},
        )
        return count, fetch_pairs(self._reader, numbers)

    def sentences(self, *, limit: int = 50, offset: int = 0) -> list[FoundSentence]:
        """Some of the sentences, the most probable first."""
        return self.page_of_sentences(limit=limit, offset=offset)[1]

    def page_of_sentences(self, *, limit: int = 50, offset: int = 0) -> tuple[int, list[FoundSentence]]:
        """How many sentences there are, and some of them, the most probable first."""
        count, numbers = self._count_and_page(
            f"SELECT rowid AS number, probability FROM interaction WHERE {self._sentences.sql}",
            "probability DESC, number",
            {**self._sentences.values, "limit": limit, "offset": offset},
        )
        return count, fetch_sentences(self._reader, numbers)

    def sentences_without(
        self, exclude: Sequence[tuple[str, str]], *, order: str = "probability", limit: int = 50
    ) -> list[FoundSentence]:
        """Sentences of other documents and pairs than these, which are known already.

        Parameters
        ----------
        order
            ``probability``, highest first, or ``uncertain``: closest to one half first.
        """
        if order not in SENTENCE_ORDERS:
            raise UsageError(f"expected an order of sentences, one of {list(SENTENCE_ORDERS)}, got {order!r}")
        rows = self._reader.rows(
            f"""
            SELECT rowid FROM interaction WHERE {self._sentences.sql} AND NOT EXISTS (
                SELECT 1 FROM (SELECT unnest($known::VARCHAR[]) AS d, unnest($known_pairs::VARCHAR[]) AS p) AS k
                WHERE k.d = document AND k.p = pair)
            ORDER BY {SENTENCE_ORDERS[order]}, rowid LIMIT $limit
            """,
            {
                **self._sentences.values,
                "known": [document for document, _ in exclude],
                "known_pairs": [pair for _, pair in exclude],
                "limit": limit,
            },
        )
        return fetch_sentences(self._reader, [row[0] for row in rows])

    def _count_and_page(self, select: str, order: str, values: dict[str, Any]) -> tuple[int, list[int]]:
        """How many rows a query has, and the numbers of some of them; what fits is looked for once."""
        rows = self._reader.rows(
            f"""
            WITH hit AS MATERIALIZED ({select}), total AS (SELECT count(*) AS total FROM hit),
                listed AS (SELECT * FROM hit ORDER BY {order} LIMIT $limit OFFSET $offset)
            SELECT total, number FROM total LEFT JOIN listed ON true ORDER BY {order}
            """,
            values,
        )
        return rows[0][0], [number for _, number in rows if number is not None]

    def all_sentences(self) -> Iterator[FoundSentence]:
        """All sentences in the order of the run, a few thousand at a time in memory."""
        rows = self._reader.rows(
            f"SELECT rowid FROM interaction WHERE {self._sentences.sql} ORDER BY rowid", self._sentences.values
        )
        for start in range(0, len(rows), _BATCH_ROWS):
            yield from fetch_sentences(self._reader, [row[0] for row in rows[start : start + _BATCH_ROWS]])

    def documents(self, *, texts: bool = False) -> Iterator[AnnotatedDocument]:
        """The interactions as documents; with ``texts``, these hold the sentences that were found, and no others."""
        return group_by_document(
            ((sentence.interaction, sentence.pubmed, sentence.year) for sentence in self.all_sentences()), texts=texts
        )

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

        interactions = ((sentence.interaction, sentence.pubmed) for sentence in self.all_sentences())
        query = self.query
        return build_network(interactions, min_probability=0.0, include_hedged=query.include_hedged).to_networkx()
