"""Treebank sentences to take candidates of: text, gold parse, and the document they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from corpora import Dependency, DependencyGraph, Sentence, Token
from lab.training.pipeline.scheme import to_craft_scheme
from lab.training.pipeline.treebank import Tree

#: The name of a gold parse.
GOLD = "gold"


def gold_sentences(trees: Iterable[Tree], *, name: str) -> Iterator[Sentence]:
    """The trees of the treebank ``name`` as sentences, each with the parse ``gold`` in CRAFT's scheme.

    The id is ``name/DOCUMENT/NUMBER``, or ``name/NUMBER`` where the file does not say where documents begin; the
    number is the sentence's place in the file.
    """
    for number, tree in enumerate(trees):
        if tree.document is None:  # GENIA, in the older scheme
            yield gold_sentence(to_craft_scheme(tree), id=f"{name}/{number}")
        else:
            yield gold_sentence(tree, id=f"{name}/{tree.document}/{number}")


def document_of(id: str) -> str:
    """The document of a sentence, from its id.

    >>> document_of("craft-train/11532192/3"), document_of("genia-dev/3")
    ('craft-train/11532192', 'genia-dev')
    """
    return id.rpartition("/")[0]


def gold_sentence(tree: Tree, *, id: str) -> Sentence:
    """A tree as a sentence with offsets."""
    tokens: list[Token] = []
    text = ""
    for index, (word, space) in enumerate(zip(tree.words, tree.spaces, strict=True)):
        upos = tree.upos[index] if tree.upos else None
        tokens.append(Token(str(index + 1), len(text), len(text) + len(word), word, pos=tree.tags[index], upos=upos))
        text += word + " " * space
    graph = DependencyGraph(GOLD, GOLD, tuple(tokens), _arcs(tree), roots=_roots(tree.heads))
    return Sentence(id, text.rstrip(), parses=(graph,))


def _arcs(tree: Tree) -> tuple[Dependency, ...]:
    return tuple(
        Dependency(str(head + 1), str(token + 1), label)
        for token, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True))
        if head >= 0
    )


def _roots(heads: Sequence[int]) -> tuple[str, ...]:
    return tuple(str(token + 1) for token, head in enumerate(heads) if head < 0)
