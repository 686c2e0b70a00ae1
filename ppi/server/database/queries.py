"""Turn a query into SQL, made of fixed pieces with every value bound by name, and read what it finds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ppi.annotation import AnnotatedDocument, Interaction, Selection
from ppi.core import UsageError
from ppi.server.database.index import DOUBTS, HEDGED, NEGATED, Reader
from ppi.server.database.result_types import FoundPair, FoundSentence
from ppi.server.database.row_lookup import fetch_pairs, fetch_sentences
from ppi.server.runs.run_reader import group_by_document

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

#: Words of a text that are looked for; nobody needs more.
MAX_WORDS = 10
MAX_TEXT_CHARACTERS = 300
_WORD_OR_PHRASE = re.compile(r'"([^"]+)"|(\S+)')
#: Interactions that are read at a time, where all of them are.
_BATCH_ROWS = 2000
#: How pairs can be ordered, and the SQL of it.
PAIR_ORDERS = {
    "probability": "probability DESC, papers DESC, sentences DESC, id",
    "papers": "papers DESC, probability DESC, sentences DESC, id",
}
#: The same of sentences.
SENTENCE_ORDERS = {"probability": "probability DESC", "uncertain": "abs(probability - 0.5)"}


@dataclass(frozen=True)
class Query:
    """What sentences have to be like to be found; each that is left out asks for nothing.

    Parameters
    ----------
    protein, partner
        Names in any spelling, symbols or identifiers (``RAD51``, ``ncbigene:5888``, ``P06239``); both together, in
        either order.
    types
        Of ``binding``, ``modification`` and ``regulation``.
    min_probability
        Of the interaction in its sentence, from 0 to 1.
    min_papers
        That say the same of the two proteins.
    first_year, last_year
        Of the papers; those whose year is not known are then left out.
    text
        Words that the sentence holds, in any order and whatever their capitals; what stands in double quotes, as it is.
    include_negated, include_hedged
        Whether what a sentence denies, or only supposes, is found, too.
    """

    protein: str | None = None
    partner: str | None = None
    types: tuple[str, ...] | None = None
    min_probability: float = 0.0
    min_papers: int = 0
    first_year: int | None = None
    last_year: int | None = None
    text: str | None = None
    include_negated: bool = False
    include_hedged: bool = False

    @classmethod
    def of(cls, protein: str | None = None, partner: str | None = None, *, type: Any = None, **limits: Any) -> Query:
        """The query; ``type`` is one of the types, or several.  UsageError if one is not known, or a limit is none."""
        types = Selection.from_types((type,) if isinstance(type, str) else type).types
        query = cls(protein=_strip_name(protein), partner=_strip_name(partner), types=types, **limits)
        if not isinstance(query.min_probability, int | float) or not 0 <= query.min_probability <= 1:
            raise UsageError(f"expected a probability from 0 to 1, got {query.min_probability!r}")
        if not isinstance(query.min_papers, int) or query.min_papers < 0:
            raise UsageError(f"expected a number of papers of 0 or more, got {query.min_papers!r}")
        if len(query.text or "") > MAX_TEXT_CHARACTERS:
            raise UsageError(f"expected at most {MAX_TEXT_CHARACTERS} characters of text to look for, got more")
        if query.partner is not None and query.protein is None:
            raise UsageError("expected a protein beside the partner, got a partner alone; give the protein first")
        return query

    @property
    def words(self) -> tuple[str, ...]:
        """What the sentence has to hold, in small letters.

        >>> Query(text='Directly  "binds to" RAD51').words
        ('directly', 'binds to', 'rad51')
        """
        words = [quoted or word for quoted, word in _WORD_OR_PHRASE.findall((self.text or "").lower())]
        return tuple(dict.fromkeys(words))[:MAX_WORDS]

    @property
    def doubts(self) -> tuple[int, ...]:
        """The values of ``doubt`` that are wanted."""
        excluded = (0 if self.include_hedged else HEDGED) | (0 if self.include_negated else NEGATED)
        return tuple(doubt for doubt in DOUBTS if not doubt & excluded)


class ProteinIds(NamedTuple):
    """The numbers of the proteins that are asked for; None asks for none."""

    protein: Sequence[int] | None = None
    partner: Sequence[int] | None = None


class Conditions:
    """Conditions in SQL that all have to hold, and the values that are bound in them by name."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.values: dict[str, Any] = {}

    @property
    def sql(self) -> str:
        """The conditions as one."""
        return " AND ".join(self._parts) or "true"

    def add(self, sql: str, **values: Any) -> None:
        """One more condition, with its values."""
        self._parts.append(sql)
        self.values |= values

    def bind_list(self, name: str, items: Sequence[Any]) -> str:
        """The items, each bound to a name; these as a list in SQL."""
        values = {f"{name}_{number}": item for number, item in enumerate(items)}
        self.values |= values
        return f"({', '.join(f'${placeholder}' for placeholder in values)})"


def sentence_conditions(query: Query, proteins: ProteinIds) -> Conditions:
    """What rows of ``interaction`` have to be like, apart from the papers of their edges."""
    conditions = _pair_conditions(query, proteins, "first", "second")
    if query.min_probability > 0:
        conditions.add("probability >= $least", least=query.min_probability)
    if query.first_year is not None:
        conditions.add("year >= $first_year", first_year=query.first_year)
    if query.last_year is not None:
        conditions.add("year <= $last_year", last_year=query.last_year)
    if len(query.doubts) < len(DOUBTS):
        conditions.add(f"doubt IN ({', '.join(map(str, query.doubts))})")
    for number, word in enumerate(query.words):
        conditions.add(f"contains(words, $word_{number})", **{f"word_{number}": word})
    return conditions


def edge_conditions(query: Query, proteins: ProteinIds) -> Conditions:
    """What rows of ``edge`` have to be like: one of their sentences is found.

    What an edge knows itself is asked of it; sentences are looked at only for their words and years.
    """
    conditions = _pair_conditions(query, proteins, "source", "target")
    if query.min_papers > 0:
        conditions.add("papers >= $papers", papers=query.min_papers)
    if query.words or query.first_year is not None or query.last_year is not None:
        sentences = sentence_conditions(query, proteins)
        conditions.add(f"id IN (SELECT edge FROM interaction WHERE {sentences.sql})", **sentences.values)
    else:
        any_doubt = " OR ".join(f"best_{doubt} >= $least" for doubt in query.doubts)
        conditions.add(f"({any_doubt})", least=query.min_probability)
    return conditions


def _pair_conditions(query: Query, proteins: ProteinIds, first: str, second: str) -> Conditions:
    """What the two proteins, in the columns of these names, and the type have to be like."""
    conditions = Conditions()
    if proteins.protein is not None:
        protein = conditions.bind_list("protein", proteins.protein)
        if proteins.partner is None:
            conditions.add(f"({first} IN {protein} OR {second} IN {protein})")
        else:
            partner = conditions.bind_list("partner", proteins.partner)
            there = f"{first} IN {protein} AND {second} IN {partner}"
            back = f"{second} IN {protein} AND {first} IN {partner}"
            conditions.add(f"(({there}) OR ({back}))")
    if query.types is not None:
        conditions.add(f"type IN {conditions.bind_list('type', query.types)}")
    return conditions


def _strip_name(name: str | None) -> str | None:
    if name is not None and not isinstance(name, str):
        raise UsageError(f"expected the name of a protein as text, got {name!r}")
    return name.strip() or None if name is not None else None


class SearchResult:
    """What a query finds; nothing is read before it is asked for.

    Iterating gives the interactions in the order of the run, a few at a time.
    """

    def __init__(self, reader: Reader, query: Query, proteins: ProteinIds) -> None:
        self._reader = reader
        self.query = query
        self._sentences = sentence_conditions(query, proteins)
        if query.min_papers > 0:
            self._sentences.add("edge IN (SELECT id FROM edge WHERE papers >= $papers)", papers=query.min_papers)
        self._edges = edge_conditions(query, proteins)

    def __repr__(self) -> str:
        return f"<Found: {len(self):,} interactions>"

    def __len__(self) -> int:
        """Interactions, one for each sentence and pair."""
        return self._count("interaction", self._sentences)

    def __iter__(self) -> Iterator[Interaction]:
        return (sentence.interaction for sentence in self.all_sentences())

    def n_pairs(self) -> int:
        """Pairs of proteins, apart by type and direction."""
        return self._count("edge", self._edges)

    def _count(self, table: str, conditions: Conditions) -> int:
        [count] = self._reader.column(f"SELECT count(*) FROM {table} WHERE {conditions.sql}", conditions.values)
        return int(count)

    def pairs(self, *, limit: int = 50, offset: int = 0, order: str = "probability") -> list[FoundPair]:
        """Some of :meth:`page_of_pairs`, without counting all of them."""
        return self.page_of_pairs(limit=limit, offset=offset, order=order)[1]

    def page_of_pairs(
        self, *, limit: int = 50, offset: int = 0, order: str = "probability"
    ) -> tuple[int, list[FoundPair]]:
        """How many pairs there are, and some of them.

        Pairs of which a sentence is found, the best supported first by ``order``, ``probability`` or ``papers``; the
        numbers are those of all their sentences.
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

        ``order`` is ``probability``, highest first, or ``uncertain``: closest to one half first.
        """
        if order not in SENTENCE_ORDERS:
            raise UsageError(f"expected an order of sentences, one of {list(SENTENCE_ORDERS)}, got {order!r}")
        numbers = self._reader.column(
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
        return fetch_sentences(self._reader, numbers)

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
        sql = f"SELECT rowid FROM interaction WHERE {self._sentences.sql} ORDER BY rowid"
        numbers = self._reader.column(sql, self._sentences.values)
        for start in range(0, len(numbers), _BATCH_ROWS):
            yield from fetch_sentences(self._reader, numbers[start : start + _BATCH_ROWS])

    def documents(self, *, texts: bool = False) -> Iterator[AnnotatedDocument]:
        """The interactions as documents; with ``texts``, these hold the sentences that were found, and no others."""
        return group_by_document(
            ((sentence.interaction, sentence.pubmed, sentence.year) for sentence in self.all_sentences()), texts=texts
        )

    def write(self, path: str | Path, format: str | None = None) -> None:
        """Write the interactions in a format of :func:`ppi.write`."""
        from ppi.export import format_of, write

        chosen = format_of(path, format)
        write(self.documents(texts=chosen.needs_texts), path, chosen.name)

    def to_frame(self) -> pd.DataFrame:
        """One row per interaction; see :func:`ppi.to_frame`."""
        from ppi.annotation import to_frame

        return to_frame(self.documents())

    def to_networkx(self) -> nx.Graph:
        """The interactions merged into a network; see :func:`ppi.build_network`."""
        from ppi.network import build_network

        interactions = ((sentence.interaction, sentence.pubmed) for sentence in self.all_sentences())
        query = self.query
        return build_network(interactions, min_probability=0.0, include_hedged=query.include_hedged).to_networkx()
