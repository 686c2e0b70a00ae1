"""An open run: what can be asked of it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora import printable
from ppi.core import DatabaseError, NotInRunError, UsageError
from ppi.export import require_pyarrow
from ppi.server.database.index import (
    INDEX_VERSION,
    Reader,
    connect_for_reading,
    connect_for_writing,
    create_tables,
    require_duckdb,
)
from ppi.server.database.ingest import add_parts, build_aggregates
from ppi.server.database.queries import ProteinIds, Query, SearchResult
from ppi.server.database.result_types import FoundPair, FoundSentence, KnownProtein, RunFacts
from ppi.server.database.row_lookup import (
    TypeCount,
    counts_by_type,
    fetch_neighbourhood,
    fetch_proteins,
    fetch_same_sentence,
    fetch_sentence,
    fetch_sentences_by_key,
    find_protein_ids,
    similar_names,
    suggest_proteins,
)
from ppi.server.database.sources import PartFile, list_parts, state_digest

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


# Opening a run: the index that belongs to its files, made or made longer where it is not there.
#
# The index is a file in a folder ``index`` beside the parts (``FILE.index`` beside a file); its name tells of which
# files, in which state, and by which version it was made.  So an index is either exactly that of the files or not looked
# at; a new one is complete before it has its name, and only one process at a time makes one.

_INDEX_SUFFIX, _LOCK_NAME = ".duckdb", "lock"


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
    source = Path(path)
    parts = list_parts(source)
    return OpenRun(source, ensure_index(source, parts), parts, reopen=ensure_index)


def index_folder(path: Path) -> Path:
    """Where the index of a path is kept."""
    return path / "index" if path.is_dir() else path.with_name(f"{path.name}.index")


def ensure_index(path: Path, parts: Sequence[PartFile]) -> Path:
    """The index of exactly these files, made now if it is not there.

    Where nothing can be written beside the files, it is made in a folder of its own for as long as this process lasts.
    """
    folder = index_folder(path)
    name = f"{state_digest(parts, INDEX_VERSION)}{_INDEX_SUFFIX}"
    if _is_valid_index(folder / name):
        return folder / name
    try:
        folder.mkdir(exist_ok=True)
        with _lock_folder(folder):
            return _build_index(folder, name, parts)
    except OSError as error:
        if not isinstance(error, PermissionError) and error.errno != 30:  # EROFS
            raise DatabaseError(
                f"{printable(str(folder))}: expected a folder that an index can be written to, got: {error.strerror}"
            ) from None
        return _build_index(Path(tempfile.mkdtemp(prefix="ppi-index-")), name, parts)


@contextlib.contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Hold the folder; another process that makes an index is waited for, and what it has made is then found."""
    with open(folder / _LOCK_NAME, "w", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _build_index(folder: Path, name: str, parts: Sequence[PartFile]) -> Path:
    target = folder / name
    if _is_valid_index(target):  # by another process, in the meantime
        return target
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)  # of a process that was killed
    work.mkdir()
    try:
        unfinished = work / name
        indexed_parts = _copy_earlier_index(folder, parts, unfinished)
        connection = connect_for_writing(unfinished, work)
        try:
            if not indexed_parts:
                create_tables(connection)
            add_parts(connection, [part for part in parts if part not in indexed_parts])
            build_aggregates(connection)
            connection.execute("CHECKPOINT")
        finally:
            connection.close()
        os.replace(unfinished, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for other in folder.glob(f"*{_INDEX_SUFFIX}"):
        if other != target:
            other.unlink(missing_ok=True)  # whoever has it open keeps it until then
    return target


def _copy_earlier_index(folder: Path, parts: Sequence[PartFile], copy: Path) -> set[PartFile]:
    """An index of some of these files, and of no others, is copied to be made longer; the files that it has."""
    best: tuple[int, Path, set[PartFile]] | None = None
    for path in folder.glob(f"*{_INDEX_SUFFIX}"):
        indexed_parts = _read_indexed_parts(path)
        if indexed_parts and indexed_parts <= set(parts) and (best is None or len(indexed_parts) > best[0]):
            best = len(indexed_parts), path, indexed_parts
    if best is None:
        return set()
    shutil.copyfile(best[1], copy)
    return best[2]


def _is_valid_index(path: Path) -> bool:
    return _read_indexed_parts(path) is not None


def _read_indexed_parts(path: Path) -> set[PartFile] | None:
    """The files of an index of our version; None for another, or a damaged one, which are made anew."""
    if not path.is_file():
        return None
    duckdb = require_duckdb()
    try:
        connection = connect_for_reading(path)
        try:
            [(version,)] = connection.execute("SELECT version FROM about").fetchall()
            if version != INDEX_VERSION:
                return None
            connection.execute("SELECT count(*) FROM edge, known, name WHERE false").fetchall()
            return {PartFile(*row) for row in connection.execute("SELECT name, size, changed FROM part").fetchall()}
        finally:
            connection.close()
    except (duckdb.Error, ValueError):
        return None
