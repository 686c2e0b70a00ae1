"""Sentence boundaries of text as it comes: whole articles, one paragraph or heading per line.

False splits and glued lines are counted on running literature by regular expressions (``_sentence_mistakes.py``), in
percent of the sentences and of the lines; against CRAFT's own sentences F is computed over whole articles, with line
breaks where the treebank has them.  Needs ``PPI_CORPORA``; ``scale`` shrinks the number of documents.
"""

from __future__ import annotations

import gzip
import os
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpora import Span
from lab.benchmarks._sentence_mistakes import false_splits, line_ends
from lab.benchmarks.figure import Figure
from lab.frame.clock import cpu_seconds
from learners import precision_recall_f
from ppi.annotation import document_of_text
from ppi.core import UsageError
from ppi.language import parse_documents


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Percent of false splits and of glued lines; F of boundaries."""
    texts = list(literature(_corpora()))
    texts = texts[: max(2, round(len(texts) * scale))]
    seconds, found = cpu_seconds(lambda: [sentences_of(text) for text in texts], repeats=1)
    total = sum(map(len, found))
    splits = Counter(kind for text, spans in zip(texts, found) for kind, _ in false_splits(text, spans))
    lines = sum((line_ends(text, spans)[0] for text, spans in zip(texts, found)), Counter())

    def percent(name: str, part: int, whole: int, bar: float, aim: float) -> Figure:
        return Figure(
            f"{name}, % ({part} of {whole})", 100 * part / max(whole, 1), "lower", bar, aim, True, seconds, seconds
        )

    yield percent("false splits, literature-dev", splits.total(), total, 0.5, 0.2)
    for kind, count in sorted(splits.items()):
        yield percent(f"false splits, {kind}", count, total, 0.5, 0.2)
    yield percent("glued lines without a stop", lines["open, glued"], lines["open"], 5, 2)
    yield percent("glued lines of lists", lines["list, glued"], lines["list"], 5, 2)
    articles = list(craft_articles(_corpora() / "treebanks" / "craft-dev.conllu.gz"))
    articles = articles[: max(1, round(len(articles) * scale))]
    seconds, (precision, recall, f) = cpu_seconds(lambda: boundary_scores(articles), repeats=1)
    for name, share in (("precision", precision), ("recall", recall), ("F", f)):
        yield Figure(f"craft-dev boundaries, {name}", 100 * share, "higher", 95, 98, True, seconds, seconds)


def _corpora() -> Path:
    folder = os.environ.get("PPI_CORPORA")
    if not folder:
        raise UsageError("expected PPI_CORPORA to name the folder of the corpora, got nothing; set it")
    return Path(folder)


def literature(folder: Path) -> Iterator[str]:
    """The raw texts of the running literature, in the order of their names."""
    with tarfile.open(folder / "literature" / "literature-dev.tar.gz") as archive:
        members = sorted((each for each in archive if each.name.endswith(".txt")), key=lambda each: each.name)
        for member in members:
            content = archive.extractfile(member)
            if content is not None:
                yield content.read().decode()


def sentences_of(text: str) -> list[Span]:
    """Extents of the sentences that the application makes of a text."""
    (document,) = parse_documents([document_of_text(text)], split=True, dependencies="basic")
    return [
        (sentence.offset, sentence.offset + len(sentence.text))
        for sentence in document.sentences
        if sentence.text.strip()
    ]


def craft_articles(path: Path) -> Iterator[tuple[str, list[int]]]:
    """Text and sentence starts of each article: a line per paragraph, and per heading inside one."""
    text, starts, paragraph = "", list[int](), False
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        for row in rows:
            if row.startswith("# newdoc") and starts:
                yield text, starts
                text, starts = "", []
            elif row.startswith("# newpar"):
                paragraph = True
            elif row.startswith("# text = "):
                # inside a paragraph of the treebank headings and cells are sentences without a stop
                line = paragraph or not text or text[-1] not in ".?!)]\"'\u201d\u2019"
                text += ("\n" if line else " ") if starts else ""
                starts.append(len(text))
                text += row.removeprefix("# text = ").rstrip("\n")
                paragraph = False
    yield text, starts


def boundary_scores(articles: Sequence[tuple[str, list[int]]]) -> tuple[float, float, float]:
    """Precision, recall and F of sentence starts, the first of each article aside."""
    right = found = wanted = 0
    for text, starts in articles:
        ours = {start for start, _ in sentences_of(text)[1:]}
        right += len(ours & set(starts))
        found += len(ours)
        wanted += len(starts) - 1
    return precision_recall_f(right, found, wanted)
