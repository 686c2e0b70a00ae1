"""Corpora with the parse that somebody asks for, one from the file or a fresh one, and with labelled pairs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import corpora
from corpora.errors import FormatError, Problem
from corpora.formats.bioc_model import PASSAGE
from corpora.short import counted
from corpora.source import Source, file_stem
from corpora.types import Document, Pair, Sentence
from ppi.extraction.gold import Gold, across_sentences, gold

#: What parses corpora that bring no parse.
PARSER = "shipped"
#: Formats whose units are sentences, whether they are parsed or not.
_OF_SENTENCES = ("turku", "conllu", "conllx")


def load_gold(
    path_or_name: str,
    parser: str | None = None,
    *,
    negatives: str = "auto",
    relations: Collection[str] | None = None,
    problems: list[Problem] | None = None,
) -> Gold:
    """Load a corpus in any format, split and parsed where it is not, with a label for each pair.

    Parameters
    ----------
    parser
        As in :func:`load_parsed`; None leaves the parses of the file, and takes :data:`PARSER` where it has none.
    negatives, relations
        As in :func:`~ppi.extraction.gold.gold`.
    problems
        A list that receives what is wrong with records that contradict themselves; these are then left out instead of
        stopping the reading.
    """
    name = file_stem(path_or_name)
    path = corpora.find(path_or_name)
    documents = corpora.load(path, problems=problems)
    notes = []
    if problems:
        if not documents:
            raise FormatError(problems)
        notes.append(f"left out: {counted(len(problems), 'record')} with contradictions; the first: {problems[0]}")
    if parser is None and not any(sentence.parses for document in documents for sentence in document.sentences):
        parser = PARSER
        notes.append(f"the file has no parses: parsed by {PARSER!r}")
    # standard input can be read once
    format = None if str(path) == "-" else corpora.registry.detect_format(Source(path)).name
    documents, across = _parsed_apart(documents, parser, whole=format in _OF_SENTENCES)
    if across:
        notes.append(across_sentences(across))
    found = gold(documents, negatives=negatives, relations=relations, name=name)
    counts = {**found.counts, "across sentences": found.counts.get("across sentences", 0) + across}
    return replace(found, counts=counts, notes=(*notes, *found.notes))


def load_parsed(path_or_name: str, parser: str | None) -> list[Document]:
    """The documents of :func:`load_gold`, its usual way to label pairs.

    A fresh parse has collapsed dependencies; passages are split, and what has a parse stays one sentence.
    """
    return load_gold(path_or_name, parser).documents


def with_parse(
    documents: list[Document], parser: str | None, *, split: bool | None = None, only_pairs: bool = False
) -> list[Document]:
    """The documents with one parse: that of the name ``parser`` or, where they have none of that name, a fresh one.

    None leaves the documents as they are; ``split`` is that of :func:`~ppi.parsing.parse_documents`.  With
    ``only_pairs`` sentences without two names, which have no pair, may come without a fresh parse.
    """
    if parser is None:
        return documents
    if _has_parse(documents, parser):
        return [document.with_parses([parser]) for document in documents]
    from ppi.parsing import parse_documents

    pairs_of = (lambda entity: True) if only_pairs else None
    return list(
        parse_documents(documents, parser, split=split, dependencies="collapsed", keep_parses=False, pairs_of=pairs_of)
    )


def _has_parse(documents: list[Document], parser: str) -> bool:
    return any(parser in sentence.parsers for document in documents for sentence in document.sentences)


def _parsed_apart(documents: list[Document], parser: str | None, *, whole: bool) -> tuple[list[Document], int]:
    """:func:`with_parse`, the pairs of passages taking no part in where sentences end; and how many these cut.

    Otherwise a sentence that no splitter would make could only hold a pair that is related.
    """
    if whole or parser is None or _has_parse(documents, parser):
        return with_parse(documents, parser, split=False if whole else None, only_pairs=True), 0
    bare = [replace(document, sentences=tuple(map(_bare, document.sentences))) for document in documents]
    units = [any(_is_sentence(sentence) for sentence in document.sentences) for document in documents]
    parsed = [*documents]
    for whole_sentences in (True, False):
        places = [place for place, unit in enumerate(units) if unit is whole_sentences]
        split = False if whole_sentences else None
        answers = with_parse([bare[place] for place in places], parser, split=split, only_pairs=True)
        for place, answer in zip(places, answers, strict=True):
            parsed[place] = answer
    joined = [_with_pairs(before, after) for before, after in zip(documents, parsed, strict=True)]
    return [document for document, _ in joined], sum(cut for _, cut in joined)


def _is_sentence(sentence: Sentence) -> bool:
    """Whether BioC gave it as a sentence of a passage."""
    return any(name == PASSAGE for name, _ in sentence.infons)


def _bare(sentence: Sentence) -> Sentence:
    return sentence if sentence.parses else replace(sentence, pairs=())


def _with_pairs(before: Document, after: Document) -> tuple[Document, int]:
    """The document with its pairs again where both mentions are in one sentence; how many are not."""
    homes = {entity.id: number for number, each in enumerate(after.sentences) for entity in each.entities}
    added: list[list[Pair]] = [[] for _ in after.sentences]
    cut = 0
    for pair in (pair for sentence in before.sentences if not sentence.parses for pair in sentence.pairs):
        if homes[pair.e1] == homes[pair.e2]:
            added[homes[pair.e1]].append(pair)
        else:
            cut += pair.label is not False
    if not any(added):
        return after, cut
    sentences = (
        replace(sentence, pairs=(*sentence.pairs, *pairs)) if pairs else sentence
        for sentence, pairs in zip(after.sentences, added, strict=True)
    )
    return replace(after, sentences=tuple(sentences)), cut
