"""Dependency treebanks in CoNLL-U or CoNLL-X as plain trees."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lab.training.pipeline.detokenize import spaces_between

#: Penn Treebank's escapes; the parser sees brackets.
_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}


@dataclass(frozen=True)
class Tree:
    """One sentence; ``heads`` are token indices, -1 for the root.  ``document`` groups sentences, if known."""

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str | None, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    upos: tuple[str, ...] = ()
    feats: tuple[str, ...] = ()
    document: str | None = None

    def children(self) -> list[list[int]]:
        """For each token its dependents, in text order."""
        children: list[list[int]] = [[] for _ in self.words]
        for token, head in enumerate(self.heads):
            if head >= 0:
                children[head].append(token)
        return children


def read_trees(path: Path) -> Iterator[Tree]:
    """The trees of a gzipped treebank, brackets unescaped; spaces come from ``SpaceAfter=No`` or are guessed."""
    document: str | None = None
    rows: list[list[str]] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("# newdoc id = "):
                document = line.removeprefix("# newdoc id = ")
            elif line and not line.startswith("#"):
                rows.append(line.split("\t"))
            elif not line and rows:
                yield _tree(rows, document)
                rows = []
    if rows:
        yield _tree(rows, document)


def _tree(rows: list[list[str]], document: str | None) -> Tree:
    rows = [row for row in rows if row[0].isdigit()]  # neither multiword ranges nor empty nodes
    words = tuple(_BRACKETS.get(row[1], row[1]) for row in rows)
    if any(row[9] != "_" for row in rows) or document is not None:
        spaces = tuple("SpaceAfter=No" not in row[9] for row in rows)
    else:
        spaces = spaces_between(words)
    return Tree(
        words=words,
        spaces=spaces,
        tags=tuple(row[4] for row in rows),
        lemmas=tuple(None if row[2] == "_" else row[2] for row in rows),
        heads=tuple(int(row[6]) - 1 for row in rows),
        labels=tuple("ROOT" if row[6] == "0" else row[7] for row in rows),
        upos=tuple(row[3] for row in rows),
        feats=tuple("" if row[5] == "_" else row[5] for row in rows),
        document=document,
    )


def is_fragment(tree: Tree) -> bool:
    """Whether a sentence is a heading or a scrap that teaches the parser nothing: one or two tokens."""
    return len(tree.words) < 3


def with_escaped_brackets(tree: Tree) -> Tree:
    """The tree with ``-LRB-`` for ``(`` and so on, as some tools and corpora write them."""
    escapes = {bracket: escape for escape, bracket in _BRACKETS.items()}
    return replace(tree, words=tuple(escapes.get(word, word) for word in tree.words))
