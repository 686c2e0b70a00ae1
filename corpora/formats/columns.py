"""Which column of a table is the id, the title, the text: named by the user, or told by well-known names.

A role is named by the column's heading (``text=Abstract``), or by its number where the table has no headings
(``id=1,text=2``).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from corpora.errors import FormatError, shown

#: Roles, and what their columns are usually called; letters and digits alone, in small letters.
KNOWN = {
    "id": (
        *("pmid", "pubmedid", "pubmed", "pm", "pmcid", "pmc", "id", "documentid", "docid", "document", "doi", "uid"),
        *("articleid", "identifier", "ut", "eid", "key", "filename"),
    ),
    "title": ("title", "articletitle", "documenttitle", "ti"),
    "text": (
        *("abstract", "text", "abstracttext", "abstractnote", "abstracts", "ab", "fulltext", "body", "content"),
        *("passage", "sentence", "sentences", "paragraph"),
    ),
}
#: Columns whose numbers are PubMed ids.
PUBMED_COLUMNS = ("pmid", "pubmedid", "pubmed", "pm")
_DELIMITERS = ("\t", ";", ",")
_NOT_TELLING = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Columns:
    """Where the roles are: indices of columns; None for what there is not."""

    id: int | None
    title: int | None
    text: int | None
    #: headings, if the table has any
    names: tuple[str, ...] = ()

    @property
    def is_pubmed(self) -> bool:
        """Whether the ids are those of PubMed."""
        return self.id is not None and bool(self.names) and plain(self.names[self.id]) in PUBMED_COLUMNS

    def __str__(self) -> str:
        roles = [(role, getattr(self, role)) for role in KNOWN]
        return ", ".join(f"{role} = {self.names[place]}" for role, place in roles if place is not None)


def plain(name: str) -> str:
    """A heading as it is compared.

    >>> plain("PubMed_ID"), plain(" Abstract Note")
    ('pubmedid', 'abstractnote')
    """
    return _NOT_TELLING.sub("", name).casefold()


def has_text_column(names: Iterable[str], *, others: int = 0) -> bool:
    """Whether one of the columns is known to hold texts, and so many others are known, too."""
    found = {role for name in names for role, known in KNOWN.items() if plain(name) in known}
    return "text" in found and len(found) > others


def split_header(line: str) -> tuple[list[str], str]:
    """The cells of a table's first line, and what parts them: whatever gives the most."""
    line = line.rstrip("\r\n")
    tried = [(next(csv.reader([line], delimiter=delimiter), []), delimiter) for delimiter in _DELIMITERS]
    return max(tried, key=lambda each: len(each[0]))


def numbered(given: Mapping[str, str] | None) -> bool:
    """Whether columns are given by number, so that the table has no headings."""
    return given is not None and bool(given) and all(value.isdecimal() for value in given.values())


def choose(names: Sequence[str], given: Mapping[str, str] | None) -> Columns:
    """The columns of a table with these headings.

    Raises
    ------
    FormatError
        If a column that was named is not there, or none holds texts: with the headings, and what to say.
    """
    if given:
        places: dict[str, int | None] = {role: _place(names, role, value) for role, value in given.items()}
    else:
        places = {role: _guessed(names, known) for role, known in KNOWN.items()}
        if places["text"] is None:
            titles = "; titles alone: --columns title=..." if places["title"] is not None else ""
            raise FormatError(
                f"expected a column of texts, called {', '.join(KNOWN['text'][:2])} or the like, got "
                f"{_listed(names)}; name it: --columns id=NAME,title=NAME,text=NAME{titles}"
                f"{_NO_ABSTRACTS if _is_pubmed_summary(names) else ''}"
            )
    return Columns(places.get("id"), places.get("title"), places.get("text"), tuple(names))


def numbered_columns(given: Mapping[str, str]) -> Columns:
    """The columns of a table without headings."""
    places = {role: int(value) - 1 for role, value in given.items()}
    if min(places.values()) < 0:
        raise FormatError("expected columns counted from 1, got 0")
    return Columns(places.get("id"), places.get("title"), places.get("text"))


_NO_ABSTRACTS = "; PubMed's CSV has no abstracts: save the search as 'PubMed' instead, and give that file"


def _is_pubmed_summary(names: Sequence[str]) -> bool:
    return {"pmid", "citation", "createdate"} <= {plain(name) for name in names}


def _place(names: Sequence[str], role: str, wanted: str) -> int:
    for same in (str.strip, plain):
        found = [place for place, name in enumerate(names) if same(name) == same(wanted)]
        if found:
            return found[0]
    raise FormatError(f"expected a column {wanted!r} for the {role}, got {_listed(names)}")


def _guessed(names: Sequence[str], known: Sequence[str]) -> int | None:
    """The column of the first known name that there is: ``pmid`` goes before ``id``."""
    plain_names = [plain(name) for name in names]
    return next((plain_names.index(name) for name in known if name in plain_names), None)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shown(name) for name in names[:20]) + (" ..." if len(names) > 20 else "")
