"""What the formats share: names they make up, the name of a corpus, when two texts are one, and UTF-8."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count

from corpora.errors import CorpusError
from corpora.types import Document, Infons, Sentence

#: Roles of a pair's two ends; other roles are kept as the pair's remarks of the names below.
ROLES = ("Arg1", "Arg2")
ROLE_INFONS = ("e1_role", "e2_role")


def sentence_id(document_id: str, index: int) -> str:
    """The id of a document's sentence in formats that give sentences none.

    >>> sentence_id("12345", 0)
    '12345.s0'
    """
    return f"{document_id}.s{index}"


def make_passages(document_id: str, texts: Iterable[tuple[str, Infons]]) -> tuple[Sentence, ...]:
    """Passages one after another, a character apart; empty texts are left out.

    >>> [(passage.id, passage.offset) for passage in make_passages("d", [("A binds B.", ()), ("", ()), ("C too.", ())])]
    [('d.s0', 0), ('d.s1', 11)]
    """
    passages: list[Sentence] = []
    position = 0
    for text, infons in texts:
        if text:
            passages.append(Sentence(sentence_id(document_id, len(passages)), text, offset=position, infons=infons))
            position += len(text) + 1
    return tuple(passages)


def peek_corpus(documents: Iterable[Document]) -> tuple[str | None, Iterable[Document]]:
    """The first document's corpus, which becomes that of the file, and all documents."""
    remaining = iter(documents)
    first = next(remaining, None)
    return (None, ()) if first is None else (first.corpus, chain([first], remaining))


class FreeIds:
    """Makes up ids that nobody has; each costs constant time however many there are.

    >>> ids = FreeIds({"T1"})
    >>> ids.new("T"), ids.new("T"), ids.new("3-", start=2)
    ('T2', 'T3', '3-2')
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self._next: dict[str, int] = {}

    def new(self, stem: str, *, start: int = 1) -> str:
        """The first of ``stem1``, ``stem2``, ... that is free; from now on it is taken."""
        for number in count(self._next.get(stem, start)):
            if (id := f"{stem}{number}") not in self.taken:
                break
        self._next[stem] = number + 1
        self.taken.add(id)
        return id


def flatten_whitespace(text: str) -> str:
    """The text with each tab and line break as one space: columns cannot hold them, offsets stay.

    >>> flatten_whitespace("alpha\\nactin")
    'alpha actin'
    """
    return text.translate(_TO_SPACE)


_TO_SPACE = str.maketrans("\t\n\r", "   ")


def roles_as_infons(roles: Iterable[str]) -> Infons:
    """Remarks that keep the roles of a pair's ends where they are not the usual ones."""
    return tuple((name, role) for name, role, usual in zip(ROLE_INFONS, roles, ROLES, strict=True) if role != usual)


def roles_from_infons(infons: Infons) -> tuple[tuple[str, str], Infons]:
    """The roles of a pair's ends, and its other remarks."""
    values = dict(reversed(infons))
    roles = tuple(values.get(name, usual) for name, usual in zip(ROLE_INFONS, ROLES, strict=True))
    return (roles[0], roles[1]), tuple(infon for infon in infons if infon[0] not in ROLE_INFONS)


def encode_utf8(text: str, id: str) -> bytes:
    """The text as UTF-8.

    Raises
    ------
    CorpusError
        If it holds half a surrogate pair, which no encoding has.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        broken = text[error.start : error.end]
        raise CorpusError(f"expected text that UTF-8 can hold, got {broken!r}", id=id) from None
