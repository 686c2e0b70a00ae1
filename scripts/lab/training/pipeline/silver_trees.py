"""Trees of unlabelled text by the teacher: what the shipped parser learns from before it sees a treebank."""

from __future__ import annotations

import gzip
import lzma
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import spacy
from spacy.tokens import Doc, Span

from lab.training.pipeline.teacher import Teacher
from lab.training.pipeline.tokenization import build_tokenizer
from lab.training.pipeline.treebank import Tree, is_fragment
from ppi.language import NameFinder  # noqa: F401 - registers the components

#: The name of the text in the file of trees.
DOCUMENT = "unlabelled"
_REPORT_EVERY = 50_000


def write_silver(teacher: Teacher, text: Path, output: Path, report: Callable[[str], None]) -> Path:
    """Parse sentences of ``text`` (.xz, a paragraph per line) drawn at random; returns the CoNLL-U file, gzip.

    How many words there are to be is in the settings of the teacher.
    """
    settings = teacher.settings["silver"]
    sentences = unlabelled_sentences(text, seed=settings["seed"])
    chosen = limited(sentences, words=settings["words"], longest=settings["longest_sentence"])
    with gzip.open(output, "wt", encoding="utf-8", newline="\n", compresslevel=3) as lines:
        lines.write(f"# newdoc id = {DOCUMENT}\n")
        for number, tree in enumerate(teacher.parsed(chosen), start=1):
            lines.writelines(conllu(tree))
            if number % _REPORT_EVERY == 0:
                report(f"{number} sentences")
    return output


def unlabelled_sentences(text: Path, *, seed: int) -> Iterator[Tree]:
    """The sentences of a text in bare trees, paragraphs in an order drawn from the seed."""
    with lzma.open(text, "rt", encoding="utf-8") as lines:
        paragraphs = [line.strip() for line in lines]
    random.Random(seed).shuffle(paragraphs)
    nlp = spacy.blank("en")
    nlp.tokenizer = build_tokenizer(nlp.vocab)
    nlp.add_pipe("sentence_rules")
    for doc in nlp.pipe(paragraphs, batch_size=64):
        yield from (bare_tree(sentence) for sentence in sure_sentences(doc))


def sure_sentences(doc: Doc) -> Iterator[Span]:
    """The sentences whose ends the rules are sure of."""
    starts = [token.i for token in doc if token.is_sent_start]
    for start, end in zip(starts, [*starts[1:], len(doc)]):
        span = doc[start:end]
        if not any(token.is_sent_start is None or token.is_space for token in span):
            yield span


def bare_tree(sentence: Span) -> Tree:
    """The words of a sentence, without a tree."""
    n = len(sentence)
    return Tree(
        words=tuple(token.text for token in sentence),
        spaces=tuple(bool(token.whitespace_) for token in sentence),
        tags=("",) * n,
        lemmas=(None,) * n,
        heads=(-1,) * n,
        labels=("",) * n,
        document=DOCUMENT,
    )


def limited(trees: Iterable[Tree], *, words: int, longest: int) -> Iterator[Tree]:
    """Trees of at most ``longest`` tokens, no fragments, until there are so many words."""
    seen = 0
    for tree in trees:
        if len(tree.words) <= longest and not is_fragment(tree):
            yield tree
            seen += len(tree.words)
            if seen >= words:
                return


def conllu(tree: Tree) -> Iterator[str]:
    """The tree in lines of CoNLL-U, and an empty one."""
    for place, word in enumerate(tree.words):
        root = tree.heads[place] < 0
        space = "_" if tree.spaces[place] else "SpaceAfter=No"
        label = "root" if root else tree.labels[place]
        yield f"{place + 1}\t{word}\t_\t_\t{tree.tags[place]}\t_\t{tree.heads[place] + 1}\t{label}\t_\t{space}\n"
    yield "\n"
