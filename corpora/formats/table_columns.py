"""Which column of a table is the id, the title, the text: named by the user, or known by common names.

A role is named by the column's heading (``text=Abstract``), or by its number where the table has no headings
(``id=1,text=2``).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from corpora.errors import FormatError, truncate_repr

#: Roles, and what their columns are usually called; letters and digits alone, in small letters.
ROLE_HEADINGS = {
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
        return self.id is not None and bool(self.names) and normalize_heading(self.names[self.id]) in PUBMED_COLUMNS

    def __str__(self) -> str:
        roles = [(role, getattr(self, role)) for role in ROLE_HEADINGS]
        return ", ".join(f"{role} = {self.names[index]}" for role, index in roles if index is not None)


def normalize_heading(name: str) -> str:
    """A heading as it is compared.

    >>> normalize_heading("PubMed_ID"), normalize_heading(" Abstract Note")
    ('pubmedid', 'abstractnote')
    """
    return _NOT_TELLING.sub("", name).casefold()


def has_text_column(names: Iterable[str], *, min_others: int = 0) -> bool:
    """Whether one of the columns is known to hold texts, and so many others are known, too."""
    roles = {role for name in names for role, headings in ROLE_HEADINGS.items() if normalize_heading(name) in headings}
    return "text" in roles and len(roles) > min_others


def split_header(line: str) -> tuple[list[str], str]:
    """The cells of a table's first line, and what parts them: whatever gives the most."""
    line = line.rstrip("\r\n")
    attempts = [(next(csv.reader([line], delimiter=delimiter), []), delimiter) for delimiter in _DELIMITERS]
    return max(attempts, key=lambda attempt: len(attempt[0]))


def is_numbered(spec: Mapping[str, str] | None) -> bool:
    """Whether columns are given by number, so that the table has no headings."""
    return spec is not None and bool(spec) and all(value.isdecimal() for value in spec.values())


def choose_columns(names: Sequence[str], spec: Mapping[str, str] | None) -> Columns:
    """The columns of a table with these headings.

    Raises
    ------
    FormatError
        If a column that was named is not there, or none holds texts: with the headings, and what to say.
    """
    if spec:
        indices: dict[str, int | None] = {role: _find_column(names, role, value) for role, value in spec.items()}
    else:
        indices = {role: _guess_column(names, headings) for role, headings in ROLE_HEADINGS.items()}
        if indices["text"] is None:
            titles = "; titles alone: --columns title=..." if indices["title"] is not None else ""
            raise FormatError(
                f"expected a column of texts, called {', '.join(ROLE_HEADINGS['text'][:2])} or the like, got "
                f"{_list_names(names)}; name it: --columns id=NAME,title=NAME,text=NAME{titles}"
                f"{_NO_ABSTRACTS if _is_pubmed_summary(names) else ''}"
            )
    return Columns(indices.get("id"), indices.get("title"), indices.get("text"), tuple(names))


def columns_by_number(spec: Mapping[str, str]) -> Columns:
    """The columns of a table without headings."""
    indices = {role: int(value) - 1 for role, value in spec.items()}
    if min(indices.values()) < 0:
        raise FormatError("expected columns counted from 1, got 0")
    return Columns(indices.get("id"), indices.get("title"), indices.get("text"))


_NO_ABSTRACTS = "; PubMed's CSV has no abstracts: save the search as 'PubMed' instead, and give that file"


def _is_pubmed_summary(names: Sequence[str]) -> bool:
    return {"pmid", "citation", "createdate"} <= {normalize_heading(name) for name in names}


def _find_column(names: Sequence[str], role: str, heading: str) -> int:
    for normalize in (str.strip, normalize_heading):
        matches = [index for index, name in enumerate(names) if normalize(name) == normalize(heading)]
        if matches:
            return matches[0]
    raise FormatError(f"expected a column {heading!r} for the {role}, got {_list_names(names)}")


def _guess_column(names: Sequence[str], headings: Sequence[str]) -> int | None:
    """The column of the first known name that there is: ``pmid`` goes before ``id``."""
    plain_names = [normalize_heading(name) for name in names]
    return next((plain_names.index(name) for name in headings if name in plain_names), None)


def _list_names(names: Sequence[str]) -> str:
    return ", ".join(truncate_repr(name) for name in names[:20]) + (" ..." if len(names) > 20 else "")
