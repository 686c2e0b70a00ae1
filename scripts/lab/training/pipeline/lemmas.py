"""Lemmas by rule: tables for spaCy's rule lemmatizer, learned from a treebank, and the tag map it needs.

CRAFT writes lemmas with every digit as 0 (bmp0 for Bmp4), so only words of letters teach anything; at run time
words with digits keep them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from lab.training.pipeline.treebank import Tree

#: Regular English inflection: (ending, replacement), the first that gives a known lemma wins.
RULES: dict[str, list[list[str]]] = {
    "noun": [["ies", "y"], ["ses", "s"], ["xes", "x"], ["zes", "z"], ["ches", "ch"], ["shes", "sh"], ["s", ""]],
    "verb": [
        *(["ies", "y"], ["es", "e"], ["es", ""], ["s", ""], ["ied", "y"], ["ed", "e"], ["ed", ""]),
        *(["ing", "e"], ["ing", ""]),
    ],
    "adj": [["ier", "y"], ["iest", "y"], ["er", "e"], ["est", "e"], ["er", ""], ["est", ""]],
    "adv": [["er", "e"], ["est", "e"], ["er", ""], ["est", ""]],
}


def lemma_tables(trees: Iterable[Tree]) -> dict[str, dict[str, Any]]:
    """Tables ``lemma_rules``, ``lemma_index`` and ``lemma_exc`` of spaCy's rule lemmatizer.

    Parameters
    ----------
    trees
        Sentences with universal tags and lemmas.
    """
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word, upos, lemma in zip(tree.words, tree.upos, tree.lemmas):
            if lemma is not None and word.isalpha() and lemma.isalpha() and upos.lower() in RULES:
                seen[upos.lower(), word.lower()][lemma.lower()] += 1
    best = {key: counts.most_common(1)[0][0] for key, counts in seen.items()}
    index: dict[str, set[str]] = {pos: set() for pos in RULES}
    for (pos, _), lemma in best.items():
        index[pos].add(lemma)
    exceptions: dict[str, dict[str, list[str]]] = {pos: {} for pos in RULES}
    for (pos, word), lemma in best.items():
        if word != lemma and regular_lemma(word, pos, index[pos]) != lemma:
            exceptions[pos][word] = [lemma]
    return {
        "lemma_rules": RULES,
        "lemma_index": {pos: sorted(lemmas) for pos, lemmas in index.items()},
        "lemma_exc": exceptions,
    }


def regular_lemma(word: str, pos: str, known: set[str]) -> str:
    """What the rules alone make of an inflected word."""
    guesses = [word[: -len(end)] + new for end, new in RULES[pos] if word.endswith(end)]
    return next((guess for guess in guesses if guess in known), guesses[0] if guesses else word)


def tag_map(trees: Iterable[Tree]) -> dict[str, dict[str, str]]:
    """For each Penn tag its most frequent universal tag and features, in attribute-ruler form."""
    counts: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for tree in trees:
        for tag, upos, feats in zip(tree.tags, tree.upos, tree.feats):
            counts[tag][upos, feats] += 1
    return {
        tag: {"POS": upos, "MORPH": feats}
        for tag, found in sorted(counts.items())
        for (upos, feats), _ in found.most_common(1)
    }
