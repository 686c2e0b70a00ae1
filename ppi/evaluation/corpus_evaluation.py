"""Load corpora with parses and labelled pairs, and evaluate kernels or trained models on them.

The evaluation of one corpus is a task that any process can do: names in, results out.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, replace

import corpora
from corpora import (
    PASSAGE,
    Document,
    FormatError,
    Pair,
    Problem,
    Source,
    document_folds,
    file_stem,
    make_folds,
    pluralize,
    read_folds,
)
from ppi.evaluation.cross_validation.nested_cross_validation import Evaluation, evaluate_repeatedly
from ppi.evaluation.trained_models.model_evaluation import ModelEvaluation, evaluate_model, resolve_parser
from ppi.evaluation.trained_models.training_overlap import find_training_overlap
from ppi.extraction import Extractor, LabelledDocuments, Settings, describe_across_sentences, label_pairs

#: The parser of corpora that have no parses.
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
        As in :func:`with_parse`; None leaves the parses of the file, or takes :data:`DEFAULT_PARSER` if it has none.
    negatives, relations
        As in :func:`~ppi.extraction.label_pairs`.
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
    """The documents of :func:`load_gold`, pairs being labelled in its usual way.

    A fresh parse has collapsed dependencies; passages are split, and what has a parse stays one sentence.
    """
    return load_gold(path_or_name, parser).documents


def with_parse(
    documents: list[Document], parser: str | None, *, split: bool | None = None, only_pairs: bool = False
) -> list[Document]:
    """The documents with one parse: that of the name ``parser`` or, where they have none of that name, a fresh one.

    None leaves the documents as they are; ``split`` is that of :func:`~ppi.language.parse_documents`.  With
    ``only_pairs`` sentences without two names, which have no pair, may come without a fresh parse.
    """
    if parser is None:
        return documents
    if _has_parse(documents, parser):
        return [document.with_parses([parser]) for document in documents]
    from ppi.language import parse_documents

    pairs_of = (lambda entity: True) if only_pairs else None
    return list(
        parse_documents(documents, parser, split=split, dependencies="collapsed", keep_parses=False, pairs_of=pairs_of)
    )


def _has_parse(documents: list[Document], parser: str) -> bool:
    return any(parser in sentence.parsers for document in documents for sentence in document.sentences)


def _parse_without_pairs(documents: list[Document], parser: str | None, *, whole: bool) -> tuple[list[Document], int]:
    """:func:`with_parse`, but pairs do not influence where passages are split; and how many pairs are cut by that.

    Otherwise a sentence that no splitter would make could only hold a pair that is related.
    """
    if whole or parser is None or _has_parse(documents, parser):
        return with_parse(documents, parser, split=False if whole else None, only_pairs=True), 0
    bare_documents = [
        replace(
            document,
            sentences=tuple(
                sentence if sentence.parses else replace(sentence, pairs=()) for sentence in document.sentences
            ),
        )
        for document in documents
    ]
    # whether BioC gave the sentences of its passages
    has_sentences = [
        any(name == PASSAGE for sentence in document.sentences for name, _ in sentence.infons) for document in documents
    ]
    parsed_documents = [*documents]
    for keep_sentences in (True, False):
        indices = [index for index, is_split in enumerate(has_sentences) if is_split is keep_sentences]
        parsed_batch = with_parse(
            [bare_documents[index] for index in indices],
            parser,
            split=False if keep_sentences else None,
            only_pairs=True,
        )
        for index, parsed_document in zip(indices, parsed_batch, strict=True):
            parsed_documents[index] = parsed_document
    restored = [_restore_pairs(before, after) for before, after in zip(documents, parsed_documents, strict=True)]
    return [document for document, _ in restored], sum(cut for _, cut in restored)


def _restore_pairs(before: Document, after: Document) -> tuple[Document, int]:
    """The document with its pairs where both mentions are in one sentence, and the number of pairs cut apart."""
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


@dataclass(frozen=True)
class CorpusTask:
    """One corpus to evaluate: its folds share a decomposition, so they are done together, by one process.

    Parameters
    ----------
    name
        File, or name looked up in PPI_CORPORA; so are ``extra``, the corpora whose models every fold may start from.
    parser, negatives, relations
        As in :func:`load_gold`.
    folds
        TSV of fold and document id; None makes ``n_folds`` for each of ``seeds``.
    """

    name: str
    settings: Settings
    parser: str | None = None
    folds: str | None = None
    n_folds: int = 10
    seeds: tuple[int, ...] = (0,)
    extra: tuple[str, ...] = ()
    negatives: str = "auto"
    relations: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ModelTask:
    """One corpus on which a trained model is evaluated.

    Parameters
    ----------
    name, parser, negatives, relations
        As in :class:`CorpusTask`; without a parser it is that of the model's training.
    model, model_name
        The model's file, and its name in reports.
    """

    name: str
    model: str
    model_name: str
    parser: str | None = None
    negatives: str = "auto"
    relations: tuple[str, ...] | None = None


def evaluate_corpus(task: CorpusTask) -> list[Evaluation]:
    """A result for each seed."""
    start = time.perf_counter()
    problems: list[Problem] = []
    gold = load_gold(task.name, task.parser, negatives=task.negatives, relations=task.relations, problems=problems)
    read_seconds = time.perf_counter() - start
    seeds: tuple[int | None, ...] = task.seeds
    if task.folds:
        folds, seeds = [document_folds(gold.documents, read_folds(task.folds), path=task.folds)], (None,)
    else:
        folds = [make_folds(gold.documents, task.n_folds, seed=seed) for seed in task.seeds]
    extra = {file_stem(name): load_parsed(name, task.parser) for name in task.extra}
    evaluations = evaluate_repeatedly(
        file_stem(task.name),
        gold.documents,
        task.settings,
        folds=folds,
        extra=extra,
        read_seconds=read_seconds,
        concepts=gold.concepts,
    )
    problem_texts = tuple(map(str, problems))
    return [
        replace(result, seed=seed, counts=gold.counts, notes=gold.notes, problems=problem_texts)
        for result, seed in zip(evaluations, seeds, strict=True)
    ]


def evaluate_trained_model(task: ModelTask) -> ModelEvaluation:
    """The figures of a trained model on a corpus."""
    start = time.perf_counter()
    extractor = Extractor.load(task.model)
    parser = resolve_parser(extractor, task.parser)
    problems: list[Problem] = []
    gold = load_gold(task.name, parser, negatives=task.negatives, relations=task.relations, problems=problems)
    loaded_at = time.perf_counter()
    corpus = file_stem(task.name)
    training_overlap = find_training_overlap(extractor.facts_, corpus, gold.documents)
    result = evaluate_model(
        corpus,
        gold,
        extractor,
        model=task.model_name,
        parser=parser,
        training_overlap=training_overlap,
        seconds={"read": loaded_at - start, "seen": time.perf_counter() - loaded_at},
    )
    return replace(result, problems=tuple(map(str, problems)))
