"""CoNLL-U and CoNLL-X: one token a line, ten columns, sentences apart by blank lines.

The HEAD column becomes one :class:`~corpora.types.DependencyGraph`, CoNLL-U's DEPS column another (named
with ``-enhanced``).  ``# newdoc id``, ``# sent_id``, ``# text``, ``# parser`` and ``# tokenizer`` have fields of
their own, ``# offset`` is the sentence's place in the document; other comments are kept as the sentence's infons.
Mentions stand in the MISC column (:mod:`corpora.formats.conll_entities`).  Without ``# text`` the sentence's text is
its forms, with a space wherever ``SpaceAfter=No`` does not forbid it.  Empty nodes (``8.1``), labels of roots other
than ``root``, and CoNLL-X's projective heads are dropped, with a count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from corpora.errors import CorpusError, FormatError, ValidationError, truncate_repr
from corpora.formats.common import sentence_id
from corpora.formats.conll_entities import KEY, entities_of, is_mark
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Dependency, DependencyGraph, Document, MultiwordToken, Sentence, Token

COLUMNS = 10
NO_SPACE = "SpaceAfter=No"
ENHANCED = "-enhanced"
#: A comment without ``=`` has no key.
BARE_NEWDOC = ("", "newdoc")
_ROOT_LABELS = {"root", "_"}
# no sentence has more tokens than nine digits count, and Python refuses to read thousands of digits
_ID = re.compile(r"[1-9][0-9]{0,8}")
_RANGE = re.compile(rf"({_ID.pattern})-({_ID.pattern})")
_OFFSET = re.compile(r"[0-9]{1,9}")
_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+")


@dataclass
class _Block:
    """The lines of one sentence."""

    line: int
    comments: list[tuple[str, str]] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    #: whether a row had to be rejected, so that the sentence cannot be made
    broken: bool = False

    def pop_comment(self, key: str) -> str | None:
        """Remove and return the first comment of that key."""
        for index, (name, value) in enumerate(self.comments):
            if name == key:
                del self.comments[index]
                return value
        return None


def read_conllu(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a CoNLL-U file; without ``# newdoc`` the file is one document."""
    return _read(source, losses, "conllu")


def read_conllx(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """The document of a CoNLL-X file: coarse tags in ``upos``, fine ones in ``pos``; PHEAD is not used."""
    return _read(source, losses, "conllx")


def _read(source: Source, losses: ConversionLosses, format: str) -> Iterator[Document]:
    sentences: list[Sentence] = []
    id, line = source.stem, 1
    for block in _blocks(source):
        document_id = _pop_document_id(block, source)
        if document_id is not None:
            if sentences:
                yield from _document(id, sentences, source, line)
            id, sentences, line = document_id, [], block.line
        try:
            if block.broken:
                continue
            if block.rows:
                sentences.append(_sentence(block, sentence_id(id, len(sentences)), format, losses))
            else:
                losses.drop("comments without a sentence", len(block.comments))
        except CorpusError as error:
            source.reject(error, block.line)
    if sentences:
        yield from _document(id, sentences, source, line)


def _pop_document_id(block: _Block, source: Source) -> str | None:
    """The id of the document that begins with this block, if one does."""
    document_id = block.pop_comment("newdoc id")
    if document_id is None and BARE_NEWDOC in block.comments:
        block.comments.remove(BARE_NEWDOC)
        document_id = f"{source.stem}-{block.line}"
    return document_id


def _document(id: str, sentences: list[Sentence], source: Source, line: int) -> Iterator[Document]:
    source.record_line = line
    try:
        yield Document(id, tuple(sentences))
    except CorpusError as error:
        source.reject(error, line)


def _blocks(source: Source) -> Iterator[_Block]:
    block = None
    for number, line in source.lines():
        if not line.strip():
            if block is not None:
                yield block
            block = None
            continue
        block = block or _Block(number)
        if line.startswith("#") and not block.rows:
            block.comments.append(_comment(line[1:]))
            continue
        columns = line.split("\t")
        if len(columns) != COLUMNS:
            source.reject(FormatError(f"expected {COLUMNS} columns separated by tabs, got {len(columns)}"), number)
            block.broken = True
        block.rows.append((number, columns))
    if block is not None:
        yield block


def _comment(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        return "", text.strip()
    # the sentence's own text may begin or end with white space, which its offsets count
    return key.strip(), value.removeprefix(" ") if key.strip() == "text" else value.strip()


def _sentence(block: _Block, default_id: str, format: str, losses: ConversionLosses) -> Sentence:
    id = block.pop_comment("sent_id") or default_id
    parser, tokenizer = block.pop_comment("parser"), block.pop_comment("tokenizer")
    enhanced_parser = block.pop_comment("enhanced_parser")
    offset = _offset(block) if format == "conllu" else 0
    words, multiwords, marks = [], {}, []
    for number, row in block.rows:
        if _ID.fullmatch(row[0]):
            if format == "conllu" and KEY in row[9]:
                marks += [(number, part) for part in row[9].split("|") if is_mark(part)]
                row[9] = "|".join(part for part in row[9].split("|") if not is_mark(part)) or "_"
            words.append((number, row))
        elif token_range := _RANGE.fullmatch(row[0]):
            multiwords[token_range[1]] = MultiwordToken(token_range[1], token_range[2], row[1], _misc(row[9]))
        elif _EMPTY_NODE.fullmatch(row[0]):
            losses.drop("empty nodes")
        else:
            raise ValidationError(f"expected a token id, got {truncate_repr(row[0])}", line=number)
    text, spans = _align_words(block, words, multiwords, block.pop_comment("text"), format)
    tokens = tuple(_token(row, span) for (_, row), span in zip(words, spans, strict=True))
    tokenization = (tokenizer or format, tokens)
    basic = _graph_of_heads(parser or format, tokenization, words, tuple(multiwords.values()), losses)
    parses = [] if basic is None else [basic]
    if format == "conllu":
        name = enhanced_parser or (parser or format) + ENHANCED
        enhanced = _graph_of_deps(name, tokenization, words, tuple(multiwords.values()), losses)
        parses.extend([] if enhanced is None else [enhanced])
    else:
        losses.drop("projective heads", sum(row[8] != "_" for _, row in words))
    if not parses:
        parses = [DependencyGraph(parser, *tokenization, multiwords=tuple(multiwords.values()))]
    entities = entities_of(marks, text)
    return Sentence(id, text, entities, parses=tuple(parses), offset=offset, infons=tuple(block.comments))


def _offset(block: _Block) -> int:
    """The place in the document that our writer notes; a comment of that name with anything else stays one."""
    offset_text = next((value for key, value in block.comments if key == "offset"), "")
    if not _OFFSET.fullmatch(offset_text):
        return 0
    block.pop_comment("offset")
    return int(offset_text)


def _align_words(
    block: _Block,
    words: list[tuple[int, list[str]]],
    multiwords: dict[str, MultiwordToken],
    text: str | None,
    format: str,
) -> tuple[str, list[tuple[int, int]]]:
    """The sentence's text and the span of each word in it; words of a multiword token share its span."""
    surface: list[tuple[int, str, bool]] = []  # line, form, whether a space follows
    owner: list[int] = []
    until = 0
    for number, row in words:
        multi = multiwords.get(row[0])
        if multi is not None:
            surface.append((number, multi.text, NO_SPACE not in _raw_misc(block, multi)))
            until = int(multi.last)
        elif int(row[0]) > until:
            surface.append((number, row[1], format == "conllx" or NO_SPACE not in row[9].split("|")))
        owner.append(len(surface) - 1)
    if text is None:
        text = "".join(form + " " * space for _, form, space in surface).rstrip(" ")
    spans, position = [], 0
    for number, form, _ in surface:
        while position < len(text) and text[position].isspace() and not text.startswith(form, position):
            position += 1
        if not form or not text.startswith(form, position):
            raise ValidationError(
                f"expected the form {truncate_repr(form)} next in the sentence's text, "
                f"got {text[position : position + 20]!r}",
                line=number,
            )
        spans.append((position, position + len(form)))
        position += len(form)
    return text, [spans[index] for index in owner]


def _raw_misc(block: _Block, multi: MultiwordToken) -> list[str]:
    range_id = f"{multi.first}-{multi.last}"
    return next(row[9].split("|") for _, row in block.rows if row[0] == range_id)


def _token(row: list[str], span: tuple[int, int]) -> Token:
    id, form, lemma, upos, xpos, feats = row[:6]
    # a lemma "_" of the form "_" is a lemma, elsewhere it is none
    lemma_or_none = None if lemma == "_" and form != "_" else lemma
    return Token(id, *span, form, _or_none(xpos), lemma_or_none, _or_none(upos), _or_none(feats), _misc(row[9]))


def _graph_of_heads(
    parser: str,
    tokenization: tuple[str, tuple[Token, ...]],
    words: list[tuple[int, list[str]]],
    multiwords: tuple[MultiwordToken, ...],
    losses: ConversionLosses,
) -> DependencyGraph | None:
    arcs, roots = [], []
    for number, row in words:
        head = row[6]
        if head == "_":
            continue
        if head == "0":
            roots.append(row[0])
            losses.drop("labels of roots", row[7].lower() not in _ROOT_LABELS)
        elif _ID.fullmatch(head):
            arcs.append(Dependency(head, row[0], row[7]))
        else:
            raise ValidationError(f"expected a token id, 0 or _ as HEAD, got {truncate_repr(head)}", line=number)
    if not arcs and not roots:
        return None
    return DependencyGraph(parser, *tokenization, tuple(arcs), tuple(roots), multiwords)


def _graph_of_deps(
    parser: str,
    tokenization: tuple[str, tuple[Token, ...]],
    words: list[tuple[int, list[str]]],
    multiwords: tuple[MultiwordToken, ...],
    losses: ConversionLosses,
) -> DependencyGraph | None:
    arcs, roots = [], []
    for number, row in words:
        if row[8] == "_":
            continue
        for part in row[8].split("|"):
            head, colon, type = part.partition(":")
            if not colon or not type:
                raise ValidationError(f"expected head:relation in DEPS, got {truncate_repr(part)}", line=number)
            if _EMPTY_NODE.fullmatch(head):
                losses.drop("arcs from empty nodes")
            elif head == "0":
                roots.append(row[0])
                losses.drop("labels of roots", type.lower() not in _ROOT_LABELS)
            else:
                arcs.append(Dependency(head, row[0], type))
    if not arcs and not roots:
        return None
    return DependencyGraph(parser, *tokenization, tuple(arcs), tuple(roots), multiwords)


def _misc(value: str) -> str | None:
    """MISC without SpaceAfter, which the spans already say."""
    kept = [part for part in value.split("|") if part != NO_SPACE]
    return _or_none("|".join(kept) or "_")


def _or_none(value: str) -> str | None:
    return None if value == "_" else value
