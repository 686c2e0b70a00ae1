"""Document-level folds: made, written, read, and audited.

Pairs of one document resemble each other, so a fold never splits a document.  Published figures on the interaction
corpora have been inflated by folds that did; :func:`audit` says by how much somebody's folds leak.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpora.errors import FoldError
from corpora.source import Source
from corpora.types import Document, Pair, Sentence


def make_folds(documents: Sequence[Document], n: int, *, seed: int = 0) -> dict[str, int]:
    """A fold number for each document's id, with as equal numbers of pairs as whole documents allow.

    Documents are shuffled by the seed, taken from the largest to the smallest, and each goes to the fold that has
    the fewest pairs so far (then the fewest documents).
    """
    if not 2 <= n <= len(documents):
        raise FoldError(f"expected between 2 folds and one a document ({len(documents)}), got {n}")
    order = list(documents)
    random.Random(seed).shuffle(order)
    order.sort(key=count_pairs, reverse=True)  # stable: the shuffle decides among equals
    pairs, sizes = [0] * n, [0] * n
    folds: dict[str, int] = {}
    for document in order:
        fold = min(range(n), key=lambda candidate: (pairs[candidate], sizes[candidate]))
        folds[document.id] = fold
        pairs[fold] += count_pairs(document)
        sizes[fold] += 1
    return {document.id: folds[document.id] for document in documents}


def count_pairs(document: Document) -> int:
    """Number of pairs that can be examples: annotated and not of a mention with itself."""
    return sum(1 for _ in example_pairs([document]))


def example_pairs(documents: Iterable[Document]) -> Iterator[tuple[Document, Sentence, Pair]]:
    """Every annotated pair of two different mentions, with where it stands."""
    for document in documents:
        for sentence in document.sentences:
            for pair in sentence.pairs:
                if pair.label is not None and not pair.is_self:
                    yield document, sentence, pair


def folds_to_tsv(folds: Mapping[str, int]) -> str:
    """``fold<TAB>document`` lines, ordered by fold.

    Raises
    ------
    FoldError
        If an id holds a tab or a line break, which would be read back as something else.
    """
    for id in folds:
        if len(id.splitlines()) != 1 or "\t" in id:
            raise FoldError("expected document ids without tabs and line breaks, got one with them; rename it", id=id)
    return "".join(f"{fold}\t{id}\n" for id, fold in sorted(folds.items(), key=lambda item: item[1]))


def read_folds(path: str | Path) -> list[tuple[str, str]]:
    """(fold, id) of each line of a TSV file; ids may name documents, sentences or pairs."""
    source = Source(path)
    rows = []
    for number, line in source.lines():
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) != 2 or not all(columns):
            raise source.format_error(f"expected fold<TAB>id, got {line[:60]!r}", number)
        rows.append((columns[0], columns[1]))
    if not rows:
        raise FoldError("expected at least one fold<TAB>id line, got none", path=source.name)
    return rows


def document_folds(
    documents: Sequence[Document], rows: Sequence[tuple[str, str]], *, path: str | Path | None = None
) -> dict[str, int]:
    """Folds of whole documents from somebody's file, numbered in order of appearance.

    Documents without annotated pairs (those of event corpora) have the fold of their own id, if the file names it.

    Raises
    ------
    FoldError
        If the folds split a document (with the audit's numbers), or leave out a document that has pairs.
    """
    report = audit(documents, rows, path=path)
    if report.document_in_training:
        raise FoldError(
            f"expected folds that keep documents whole, got {report.document_in_training} of {report.test_pairs} "
            f"test pairs whose document is also in training; make folds with `ppi corpus folds`",
            path=path,
        )
    if report.uncovered_pairs:
        raise FoldError(
            f"expected a fold for every document that has pairs, got {report.uncovered_pairs} pairs in none",
            path=path,
        )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(fold for fold, _ in rows))}
    fold_by_pair, fold_of = _fold_of_pair(documents, rows, path), {id: fold for fold, id in rows}
    by_id = {
        document.id: numbers[fold_of[id]]
        for document in documents
        for id in (document.orig_id, document.id)
        if id is not None and id in fold_of
    }
    by_pair = {
        document.id: numbers[fold_by_pair[document.id, pair.id]] for document, _, pair in example_pairs(documents)
    }
    return {**by_id, **by_pair}


@dataclass(frozen=True)
class Audit:
    """How much of the test data of each fold the training data already contain."""

    folds: int
    test_pairs: int
    document_in_training: int
    identical_sentence_in_training: int
    uncovered_pairs: int
    pairs_per_fold: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def audit(documents: Sequence[Document], rows: Sequence[tuple[str, str]], *, path: str | Path | None = None) -> Audit:
    """Count test pairs whose document, or whose sentence word for word, is also in that fold's training part.

    Parameters
    ----------
    rows
        (fold, id), where an id names a document (also by its original id), a sentence or a pair.
    """
    fold_by_pair = _fold_of_pair(documents, rows, path)
    folds_of_document = defaultdict(set)
    folds_of_text = defaultdict(set)
    examples = list(example_pairs(documents))
    covered = [
        (document.id, _words(sentence), fold_by_pair[document.id, pair.id])
        for document, sentence, pair in examples
        if (document.id, pair.id) in fold_by_pair
    ]
    for id, text, fold in covered:
        folds_of_document[id].add(fold)
        folds_of_text[text].add(fold)
    # whatever is in another fold is in training when this fold is tested
    split = sum(len(folds_of_document[id]) > 1 for id, _, _ in covered)
    same_text = sum(len(folds_of_text[text]) > 1 for _, text, _ in covered)
    per_fold = Counter(fold for _, _, fold in covered)
    uncovered = len(examples) - len(covered)
    return Audit(len({fold for fold, _ in rows}), len(covered), split, same_text, uncovered, dict(per_fold))


def _words(sentence: Sentence) -> str:
    return " ".join(sentence.text.split())


def _fold_of_pair(
    documents: Sequence[Document], rows: Sequence[tuple[str, str]], path: str | Path | None
) -> dict[tuple[str, str], str]:
    """The fold of each example pair (document and pair id), by its own id, its sentence's or its document's."""
    fold_of: dict[str, str] = {}
    for fold, id in rows:
        if fold_of.setdefault(id, fold) != fold:
            raise FoldError(f"expected one fold an id, got folds {fold_of[id]!r} and {fold!r}", id=id, path=path)
    # pair ids need be unique only in their document: one that several pairs have names none of them
    counts = Counter(pair.id for document in documents for sentence in document.sentences for pair in sentence.pairs)
    used: set[str | None] = set()
    fold_by_pair: dict[tuple[str, str], str] = {}
    for document in documents:
        used.update({document.id, document.orig_id} & fold_of.keys())
        for sentence in document.sentences:
            names = (sentence.id, sentence.orig_id, document.id, document.orig_id)
            for pair in sentence.pairs:
                own = pair.id if counts[pair.id] == 1 else None
                fold_id = next((name for name in (own, *names) if name is not None and name in fold_of), None)
                if fold_id is not None:
                    used.add(fold_id)
                    if pair.label is not None and not pair.is_self:
                        fold_by_pair[document.id, pair.id] = fold_of[fold_id]
    if unknown := fold_of.keys() - used:
        raise FoldError(
            f"expected ids that name one document, sentence or pair of this corpus, got {len(unknown)} others; "
            "use the ids of documents",
            id=min(unknown),
            path=path,
        )
    return fold_by_pair
