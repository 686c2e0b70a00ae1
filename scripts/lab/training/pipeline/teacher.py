"""A slower and better parser that teaches the shipped one: it parses unlabelled text for it.

Its network is in teacher_network.py.  What it learned is kept as plain arrays beside its settings.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.training.pipeline.gradient_training import averaged_weights, batches_of_like_length, filled, require_torch
from lab.training.pipeline.projective import best_projective_heads
from lab.training.pipeline.treebank import Tree
from lab.training.pipeline.vectors import WordVectors
from ppi.core import UsageError
from ppi.language import MAX_WORD_CHARACTERS, PADDING, Vocabulary

SETTINGS = Path(__file__).with_name("teacher.toml")
Settings = dict[str, dict[str, Any]]
#: Sentences that are parsed at a time, sorted by length.
_POOL = 2000
_TOKENS_PER_BATCH = 4000


def teacher_settings(overrides: dict[str, Any]) -> Settings:
    """The settings of ``teacher.toml``, some of them replaced: ``{"training.epochs": 3}``."""
    settings: Settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    for key, value in overrides.items():
        section, _, name = key.partition(".")
        if name not in settings.get(section, {}):
            known = ", ".join(f"{part}.{each}" for part in settings for each in settings[part])
            raise UsageError(f"expected a setting of the teacher ({known}), got {key!r}")
        settings[section][name] = value
    return settings


@dataclass(frozen=True)
class NumberedTree:
    """A sentence as the network reads it; ``heads`` count from 1, 0 is the root."""

    words: NDArray[np.int32]
    vectors: NDArray[np.int32]
    shapes: NDArray[np.int32]
    characters: NDArray[np.int32]
    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    tags: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.words)


class Teacher:
    """The network with what its numbers mean.

    Parameters
    ----------
    vocabulary
        Words with an embedding of their own, shapes, characters.
    vectors
        Fixed vectors of unlabelled text.
    labels, tags
        In the order of the network's outputs.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        vectors: WordVectors,
        labels: Sequence[str],
        tags: Sequence[str],
        settings: Settings,
    ) -> None:
        require_torch()
        import torch

        from lab.training.pipeline.teacher_network import TeacherNetwork

        torch.manual_seed(settings["training"]["seed"])
        self.vocabulary, self.settings = vocabulary, settings
        self.labels, self.tags = tuple(labels), tuple(tags)
        self._label_numbers = {label: number for number, label in enumerate(self.labels)}
        self._tag_numbers = {tag: number for number, tag in enumerate(self.tags)}
        self._rows = {word: row for row, word in enumerate(vectors.words, start=1)}
        fixed = np.vstack([np.zeros((1, vectors.table.shape[1])), vectors.table]).astype(np.float32)  # row 0: no vector
        self.network = TeacherNetwork(vocabulary, fixed, len(self.labels), len(self.tags), settings)

    @classmethod
    def untrained(cls, trees: Sequence[Tree], vectors: WordVectors, settings: Settings) -> Teacher:
        """With the words, labels and tags of some trees."""
        vocabulary = Vocabulary.from_texts(tree.words for tree in trees)
        labels = sorted({label for tree in trees for label in tree.labels})
        return cls(vocabulary, vectors, labels, sorted({tag for tree in trees for tag in tree.tags}), settings)

    def fit(self, trees: Sequence[Tree], tuning: Sequence[Tree], report: Callable[[str], None]) -> None:
        """Learn from trees; attachment on the tuning trees is reported after each epoch."""
        options = self.settings["training"]
        numbered = [self.numbered(tree) for tree in trees if len(tree.words) <= options["longest_sentence"]]

        def batches(state: random.Random) -> list[list[NumberedTree]]:
            made = batches_of_like_length(numbered, options["tokens_per_batch"], state)
            state.shuffle(made)
            return made

        def after_epoch(averaged: dict[str, Any]) -> None:
            raw = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
            self.network.load_state_dict(averaged)
            report("  tuning: " + ", ".join(f"{name} {100 * share:.2f}" for name, share in self.shares(tuning).items()))
            self.network.load_state_dict(raw)

        def loss(sentences: list[NumberedTree]) -> Any:
            return self.network.loss(padded(sentences))

        state = averaged_weights(self.network, batches, loss, options, report, after_epoch=after_epoch)
        self.network.load_state_dict(state)

    def parsed(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Each sentence with tags, heads and labels of the teacher, in order.

        Whatever tree the sentences have is not looked at.  Where the best heads form no tree the best projective one
        is taken.
        """
        stream = iter(trees)
        while pool := list(islice(stream, _POOL)):
            yield from self._parsed(pool)

    def _parsed(self, trees: Sequence[Tree]) -> list[Tree]:
        import torch

        self.network.eval()
        order = sorted(range(len(trees)), key=lambda place: len(trees[place].words))
        found = list(trees)
        places_left = iter(order)
        with torch.no_grad():
            for sentences in filled([self.numbered(_bare(trees[place])) for place in order], _TOKENS_PER_BATCH):
                places, batch = list(islice(places_left, len(sentences))), padded(sentences)
                context = self.network(batch)
                heads = _tree_heads(self.network.arc_scores(context, batch.present), [len(each) for each in sentences])
                some, token = batch.present.nonzero(as_tuple=True)
                labels = torch.zeros_like(heads)
                scores = self.network.label_scores(context, some, token, heads[some, token])
                labels[some, token] = scores.argmax(dim=1)
                tags = self.network.tag_logits(context).argmax(dim=2)
                for row, place in enumerate(places):
                    found[place] = self._tree(trees[place], heads[row].numpy(), labels[row].numpy(), tags[row].numpy())
        return found

    def _tree(self, sentence: Tree, heads: NDArray[Any], labels: NDArray[Any], tags: NDArray[Any]) -> Tree:
        above = [int(head) - 1 for head in heads[: len(sentence.words)]]
        return replace(
            sentence,
            heads=tuple(above),
            labels=tuple("ROOT" if head < 0 else self.labels[label] for head, label in zip(above, labels)),
            tags=tuple(self.tags[tag] for tag, _ in zip(tags, above)),
        )

    def shares(self, trees: Sequence[Tree]) -> dict[str, float]:
        """Heads, heads with labels (punctuation aside) and tags that are right."""
        uas = las = tags = words = tokens = 0
        for gold, found in zip(trees, self.parsed(trees), strict=True):
            tokens += len(gold.words)
            tags += sum(a == b for a, b in zip(gold.tags, found.tags))
            for place, label in enumerate(gold.labels):
                if label != "punct":
                    words += 1
                    same = gold.heads[place] == found.heads[place]
                    uas, las = uas + same, las + (same and label == found.labels[place])
        return {"uas": uas / words, "las": las / words, "tags": tags / tokens}

    def numbered(self, tree: Tree) -> NumberedTree:
        """The tree in numbers; labels and tags that are not known are 0."""
        rows = [self._rows.get(word.lower(), 0) for word in tree.words]
        return NumberedTree(
            self.vocabulary.word_ids(tree.words),
            np.array(rows, dtype=np.int32),
            self.vocabulary.shape_ids(tree.words),
            self.vocabulary.character_ids(tree.words),
            np.array(tree.heads, dtype=np.int32) + 1,
            np.array([self._label_numbers.get(label, 0) for label in tree.labels], dtype=np.int32),
            np.array([self._tag_numbers.get(tag, 0) for tag in tree.tags], dtype=np.int32),
        )

    def save(self, folder: Path) -> None:
        """Write ``weights.npz`` (without the fixed vectors) and ``teacher.json``."""
        folder.mkdir(parents=True, exist_ok=True)
        state = {name: value.numpy() for name, value in self.network.state_dict().items() if name != "fixed"}
        np.savez(folder / "weights.npz", **state)
        known = self.vocabulary
        facts: dict[str, Any] = {"words": known.words, "shapes": known.shapes, "characters": known.characters}
        facts |= {"labels": self.labels, "tags": self.tags, "settings": self.settings}
        (folder / "teacher.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, vectors: WordVectors) -> Teacher:
        """What ``save`` wrote, with the word vectors it was trained with."""
        import torch

        facts = json.loads((folder / "teacher.json").read_text(encoding="utf-8"))
        vocabulary = Vocabulary(facts["words"], facts["shapes"], facts["characters"])
        teacher = cls(vocabulary, vectors, facts["labels"], facts["tags"], facts["settings"])
        with np.load(folder / "weights.npz", allow_pickle=False) as arrays:
            state = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
        teacher.network.load_state_dict(state | {"fixed": teacher.network.fixed})
        return teacher


def _tree_heads(scores: Any, lengths: Sequence[int]) -> Any:
    """The best head of each token, or those of the best projective tree where they form none."""
    heads = scores.argmax(dim=2)
    for row, length in enumerate(lengths):
        if not is_tree([int(head) - 1 for head in heads[row, :length]]):
            own = scores[row, :length, : length + 1].log_softmax(dim=1)
            heads[row, :length] = heads.new_tensor(best_projective_heads(own.numpy()))
    return heads


def is_tree(heads: Sequence[int]) -> bool:
    """Whether heads (-1: root) form one tree: one root, and no cycle.  O(tokens).

    >>> is_tree([1, -1, 1]), is_tree([1, 0, -1]), is_tree([-1, -1])
    (True, False, False)
    """
    if sum(head < 0 for head in heads) != 1:
        return False
    walk_of = [-1] * len(heads)  # the walk towards the root that came through this token
    for start in range(len(heads)):
        token = start
        while token >= 0 and walk_of[token] < 0:
            walk_of[token] = start
            token = heads[token]
        if token >= 0 and walk_of[token] == start:
            return False
    return True


def padded(trees: Sequence[NumberedTree]) -> Any:
    """Sentences as one batch; padding is 0."""
    from lab.training.pipeline.teacher_network import TreeBatch, as_tensor

    shape = (len(trees), max(len(tree) for tree in trees))
    names = ("words", "vectors", "shapes", "heads", "labels", "tags")
    arrays = {name: np.full(shape, PADDING, dtype=np.int64) for name in names}
    arrays["characters"] = np.full((*shape, MAX_WORD_CHARACTERS), PADDING, dtype=np.int64)
    present = np.zeros(shape, dtype=bool)
    for row, tree in enumerate(trees):
        for name, array in arrays.items():
            array[row, : len(tree)] = getattr(tree, name)
        present[row, : len(tree)] = True
    return TreeBatch(present=as_tensor(present), **{name: as_tensor(array) for name, array in arrays.items()})


def _bare(tree: Tree) -> Tree:
    """Without its annotation."""
    n = len(tree.words)
    return replace(tree, heads=(-1,) * n, labels=("",) * n, tags=("",) * n)
