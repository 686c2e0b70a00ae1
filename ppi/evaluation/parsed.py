"""Corpora with the parse that somebody asks for, one from the file or a fresh one, and with labelled pairs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import corpora
from corpora.errors import FormatError, Problem
from corpora.formats.bioc_model import PASSAGE
from corpora.short import pluralize
from corpora.source import Source, file_stem
from corpora.types import Document, Pair, Sentence
from ppi.extraction.gold import LabelledDocuments, describe_across_sentences, label_pairs

#: What parses corpora that bring no parse.
DEFAULT_PARSER = "shipped"
#: Formats whose units are sentences, whether they are parsed or not.
_SENTENCE_FORMATS = ("turku", "conllu", "conllx")


def load_gold(
    path_or_name: str,
    parser: str | None = None,
    *,
    negatives: str = "auto",
    relations: Collection[str] | None = None,
    problems: list[Problem] | None = None,
) -> LabelledDocuments:
    """Load a corpus in any format, split and parsed where it is not, with a label for each pair.

    Parameters
    ----------
    parser
        As in :func:`load_parsed`; None leaves the parses of the file, and takes :data:`DEFAULT_PARSER` where it has none.
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
        notes.append(f"left out: {pluralize(len(problems), 'record')} with contradictions; the first: {problems[0]}")
    if parser is None and not any(sentence.parses for document in documents for sentence in document.sentences):
        parser = DEFAULT_PARSER
        notes.append(f"the file has no parses: parsed by {DEFAULT_PARSER!r}")
    # standard input can be read once
    format = None if str(path) == "-" else corpora.registry.detect_format(Source(path)).name
    documents, across = _parse_without_pairs(documents, parser, whole=format in _SENTENCE_FORMATS)
    if across:
        notes.append(describe_across_sentences(across))
    labelled_gold = label_pairs(documents, negatives=negatives, relations=relations, name=name)
    counts = {**labelled_gold.counts, "across sentences": labelled_gold.counts.get("across sentences", 0) + across}
    return replace(labelled_gold, counts=counts, notes=(*notes, *labelled_gold.notes))


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


def _parse_without_pairs(documents: list[Document], parser: str | None, *, whole: bool) -> tuple[list[Document], int]:
    """:func:`with_parse`, the pairs of passages taking no part in where sentences end; and how many these cut.

    Otherwise a sentence that no splitter would make could only hold a pair that is related.
    """
    if whole or parser is None or _has_parse(documents, parser):
        return with_parse(documents, parser, split=False if whole else None, only_pairs=True), 0
    bare_documents = [
        replace(document, sentences=tuple(map(_drop_pairs, document.sentences))) for document in documents
    ]
    has_sentences = [any(_is_sentence(sentence) for sentence in document.sentences) for document in documents]
    parsed_documents = [*documents]
    for whole_sentences in (True, False):
        indices = [place for place, unit in enumerate(has_sentences) if unit is whole_sentences]
        split = False if whole_sentences else None
        answers = with_parse([bare_documents[place] for place in indices], parser, split=split, only_pairs=True)
        for index, answer in zip(indices, answers, strict=True):
            parsed_documents[index] = answer
    restored = [_restore_pairs(before, after) for before, after in zip(documents, parsed_documents, strict=True)]
    return [document for document, _ in restored], sum(cut for _, cut in restored)


def _is_sentence(sentence: Sentence) -> bool:
    """Whether BioC gave it as a sentence of a passage."""
    return any(name == PASSAGE for name, _ in sentence.infons)


def _drop_pairs(sentence: Sentence) -> Sentence:
    return sentence if sentence.parses else replace(sentence, pairs=())


def _restore_pairs(before: Document, after: Document) -> tuple[Document, int]:
    """The document with its pairs again where both mentions are in one sentence; how many are not."""
    sentence_numbers = {
        entity.id: number for number, sentence in enumerate(after.sentences) for entity in sentence.entities
    }
    added: list[list[Pair]] = [[] for _ in after.sentences]
    cut = 0
    for pair in (pair for sentence in before.sentences if not sentence.parses for pair in sentence.pairs):
        if sentence_numbers[pair.e1] == sentence_numbers[pair.e2]:
            added[sentence_numbers[pair.e1]].append(pair)
        else:
            cut += pair.label is not False
    if not any(added):
        return after, cut
    sentences = (
        replace(sentence, pairs=(*sentence.pairs, *pairs)) if pairs else sentence
        for sentence, pairs in zip(after.sentences, added, strict=True)
    )
    return replace(after, sentences=tuple(sentences)), cut
