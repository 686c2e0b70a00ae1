"""What spaCy's training loop reads: registered corpus readers named by the training configs.

Each reader is a function ``nlp -> Iterator[Example]`` over one epoch; the shuffle and the grouping into
documents change from epoch to epoch and depend only on the seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from spacy.vocab import Vocab

from lab.training.pipeline.scheme import to_craft_scheme
from lab.training.pipeline.tokenization import build_tokenizer
from lab.training.pipeline.treebank import Tree, is_fragment, read_trees, with_escaped_brackets
from lab.training.pipeline.vectors import WordVectors, add_vectors

Reader = Callable[[Language], Iterator[Example]]


def use_our_tokens(vectors: str, words: int) -> Callable[[Language], Language]:
    """Put the shipped tokenizer and the most frequent word vectors in place before training; both are saved as data."""

    def prepare(nlp: Language) -> Language:
        nlp.tokenizer = build_tokenizer(nlp.vocab)
        add_vectors(nlp, WordVectors.load(Path(vectors)), words=words)
        return nlp

    return prepare


def gold_doc(vocab: Vocab, trees: Sequence[Tree]) -> Doc:
    """Sentences in a row as one annotated document."""
    words = [word for tree in trees for word in tree.words]
    spaces = [space or (index == len(tree.words) - 1) for tree in trees for index, space in enumerate(tree.spaces)]
    heads: list[int] = []
    for tree in trees:
        offset = len(heads)
        heads.extend(offset + (token if head < 0 else head) for token, head in enumerate(tree.heads))
    return Doc(
        vocab,
        words=words,
        spaces=spaces,
        tags=[tag for tree in trees for tag in tree.tags],
        heads=heads,
        deps=[label for tree in trees for label in tree.labels],
    )


def tree_example(nlp: Language, trees: Sequence[Tree], *, gold_tokens: bool) -> Example:
    """An example whose prediction starts from the treebank's tokens or from our tokenizer's."""
    gold = gold_doc(nlp.vocab, trees)
    if gold_tokens:
        predicted = Doc(nlp.vocab, words=[t.text for t in gold], spaces=[bool(t.whitespace_) for t in gold])
    else:
        predicted = nlp.make_doc(gold.text)
    return Example(predicted, gold)


def held_out_articles(trees: Sequence[Tree], *, every: int = 15) -> set[str]:
    """Every fifteenth article of the training file, kept apart for tuning."""
    names = list(dict.fromkeys(tree.document for tree in trees if tree.document is not None))
    return set(names[::every])


#: The articles and the sentences of GENIA that are learned from are in so many groups, for jackknifed parsers.
GROUPS = 5


def treebank_part(craft: Path, genia: Path, part: str) -> tuple[list[list[Tree]], list[Tree]]:
    """The articles of CRAFT and the sentences of GENIA, in CRAFT's scheme, of ``part`` "train" or "tune"."""
    craft_trees, genia_trees = list(read_trees(craft)), list(read_trees(genia))
    apart, in_part = held_out_articles(craft_trees), part == "tune"
    chosen = (tree for tree in craft_trees if (tree.document in apart) == in_part)
    articles = [list(group) for _, group in groupby(chosen, key=lambda tree: tree.document)]
    genia_cut = len(genia_trees) * 9 // 10
    genia_part = genia_trees[genia_cut:] if in_part else genia_trees[:genia_cut]
    return articles, [to_craft_scheme(tree) for tree in genia_part]


def group_of_article(number: int) -> int:
    """The group of the so-manieth article that is learned from."""
    return number % GROUPS


def group_of_genia(number: int, total: int) -> int:
    """The group of the so-manieth of GENIA's sentences that are learned from: abstracts are not named, so in a row."""
    return number * GROUPS // total


def treebank_reader(*, craft: str, genia: str, part: str, genia_repeats: int, seed: int, without: int = -1) -> Reader:
    """CRAFT and GENIA for ``part`` "train" or "tune"; GENIA, ten times smaller, is seen several times per epoch.

    The tuning part stays apart when the settings are chosen: rankers of parses are chosen on it.

    Parameters
    ----------
    without
        The group of articles and of GENIA's sentences that is left out of training, as in a jackknife; -1: none.
    """
    articles, genia_part = treebank_part(Path(craft), Path(genia), part)
    if part == "train":
        articles = [article for number, article in enumerate(articles) if group_of_article(number) != without]
        total = len(genia_part)
        genia_part = [tree for number, tree in enumerate(genia_part) if group_of_genia(number, total) != without]

    def tuning(nlp: Language) -> Iterator[Example]:
        for tree in (tree for article in articles for tree in article):
            yield tree_example(nlp, [tree], gold_tokens=True)

    state = random.Random(seed)

    def training(nlp: Language) -> Iterator[Example]:
        groups = [(group, state.random() < 0.5) for article in articles for group in _groups(article, state)]
        for _ in range(genia_repeats):
            groups += [(group, True) for group in _groups(genia_part, state)]
        state.shuffle(groups)
        for group, gold_tokens in groups:
            if len(group) == 1 and is_fragment(group[0]):
                continue
            if gold_tokens and state.random() < 0.05:
                group = [with_escaped_brackets(tree) for tree in group]
            yield tree_example(nlp, group, gold_tokens=gold_tokens)

    return tuning if part == "tune" else training


def silver_reader(*, path: str) -> Reader:
    """Single sentences of unlabelled text with their trees, in the order of the file."""

    def training(nlp: Language) -> Iterator[Example]:
        for tree in read_trees(Path(path)):
            yield tree_example(nlp, [tree], gold_tokens=True)

    return training


def mixed_reader(*, silver: str, share: float, craft: str, genia: str, genia_repeats: int, seed: int) -> Reader:
    """The treebanks, epoch after epoch, and single sentences of unlabelled text between, in the order of their file.

    Parameters
    ----------
    share
        Of the words, those that are the treebanks'.
    """

    def training(nlp: Language) -> Iterator[Example]:
        treebanks = treebank_reader(craft=craft, genia=genia, part="train", genia_repeats=genia_repeats, seed=seed)
        known, parsed = _again_and_again(treebanks, nlp), _again_and_again(silver_reader(path=silver), nlp)
        words = treebank_words = 0
        while True:
            from_treebanks = treebank_words <= share * words
            example = next(known if from_treebanks else parsed)
            words += len(example.reference)
            treebank_words += len(example.reference) if from_treebanks else 0
            yield example

    return training


def _again_and_again(reader: Reader, nlp: Language) -> Iterator[Example]:
    while True:
        yield from reader(nlp)


def _groups(trees: Sequence[Tree], state: random.Random) -> Iterator[list[Tree]]:
    """Runs of consecutive sentences; most of them single, so that both a sentence and a page are familiar."""
    position = 0
    while position < len(trees):
        size = 1 if state.random() < 0.8 else state.randint(2, 4)
        yield list(trees[position : position + size])
        position += size


# the names by which the configurations of training know them
registry.callbacks("ppi.tokens_and_vectors.v1", func=use_our_tokens)
registry.readers("ppi.treebanks.v1", func=treebank_reader)
registry.readers("ppi.silver.v1", func=silver_reader)
registry.readers("ppi.treebanks_and_silver.v1", func=mixed_reader)
