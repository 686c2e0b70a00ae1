"""GENIA's older Stanford scheme rewritten as CRAFT's.

Three things differ: names (``nn`` for ``compound`` ...); the copula, which GENIA hangs under the predicate and
CRAFT puts at its head; and lists, which GENIA hangs under the first conjunct and CRAFT chains.  What remains
(attachment inside names, ``dep``) is a matter of annotation, not of scheme, and is left alone.
"""

from __future__ import annotations

from dataclasses import replace

from lab.training.pipeline.treebank import Tree

_LABELS = {
    "nn": "compound",
    "num": "nummod",
    "number": "quantmod",
    "rcmod": "relcl",
    "vmod": "acl",
    "partmod": "acl",
    "infmod": "acl",
    "possessive": "case",
    "tmod": "npadvmod",
    "iobj": "dative",
}
#: Dependents of a predicate that belong to the clause, so to the copula.
_CLAUSAL = frozenset(
    ["nsubj", "csubj", "expl", "aux", "neg", "mark", "advcl", "ccomp", "parataxis", "nsubjpass", "csubjpass"]
)
#: Adverbs that, between copula and predicate, modify the clause; others (highly, very) modify the adjective.
_CLAUSE_ADVERBS = """
    also not thus therefore however still likely probably then hence indeed perhaps now often always usually
    generally only already instead again never apparently consequently moreover both either
"""
_FINITE = frozenset(["VBZ", "VBP", "VBD", "MD"])


def to_craft_scheme(tree: Tree) -> Tree:
    """The tree in CRAFT's scheme: names, multiword expressions, copula heads, chained conjuncts.  O(tokens^2).

    Parameters
    ----------
    tree : Tree
        A projective tree in GENIA's scheme.
    """
    tree = replace(tree, labels=tuple(_LABELS.get(label, label) for label in tree.labels))
    tree = _tag_prepositions(tree)
    tree = _regroup_fixed_expressions(tree)
    for copula, label in enumerate(tree.labels):
        if label == "cop":
            tree = _raise_copula(tree, copula)
    return _label_agents(_chain_conjuncts(tree))


def _tag_prepositions(tree: Tree) -> Tree:
    """CRAFT tags the preposition ``to`` IN and keeps TO for the infinitive."""
    tags = tuple("IN" if tag == "TO" and label != "aux" else tag for tag, label in zip(tree.tags, tree.labels))
    return replace(tree, tags=tags)


def _regroup_fixed_expressions(tree: Tree) -> Tree:
    """``as well as``: headed by the last word, a cc; ``such as``: such is an amod; other mwe are advmod."""
    heads, labels = list(tree.heads), list(tree.labels)
    for token, label in enumerate(tree.labels):
        if label != "mwe":
            continue
        head = tree.heads[token]
        lowered = (tree.words[head].lower(), tree.words[token].lower())
        if lowered == ("well", "as") and head == token - 1 and head > 0:
            heads[token], labels[token] = tree.heads[head], "cc"
            heads[head], labels[head] = token, "advmod"
            heads[head - 1], labels[head - 1] = token, "advmod"
        else:
            labels[token] = "amod" if lowered == ("as", "such") else "advmod"
    return replace(tree, heads=tuple(heads), labels=tuple(labels))


def _raise_copula(tree: Tree, copula: int) -> Tree:
    """Make the copula the head of its clause and the old head its complement."""
    predicate = tree.heads[copula]
    heads, labels = list(tree.heads), list(tree.labels)
    children = tree.children()
    heads[copula], labels[copula] = heads[predicate], labels[predicate]
    heads[predicate], labels[predicate] = copula, _complement_label(tree.tags[predicate])
    moving = False
    for child in children[predicate]:
        if child == copula:
            continue
        if child > predicate:
            # Once one dependent has gone to the copula the later ones must follow, or arcs would cross.
            moving = moving or _leaves_predicate(tree, child, children)
            goes = moving
        elif child > copula:
            goes = labels[child] in _CLAUSAL or tree.words[child].lower() in _CLAUSE_ADVERBS.split()
        else:
            goes = True
        if goes:
            heads[child] = copula
    return replace(tree, heads=tuple(heads), labels=tuple(labels))


def _complement_label(tag: str) -> str:
    if tag.startswith("JJ") or tag in ("VBN", "VBG"):
        return "acomp"
    if tag in ("IN", "TO"):
        return "prep"
    if tag.startswith("RB"):
        return "advmod"
    if tag.startswith("VB"):
        return "ccomp"
    return "attr"


def _leaves_predicate(tree: Tree, child: int, children: list[list[int]]) -> bool:
    label = tree.labels[child]
    if label in _CLAUSAL:
        return True
    if label == "punct":
        return not any(tree.heads[later] == tree.heads[child] for later in range(child + 1, len(tree.words)))
    if label == "cc":
        following = [c for c in children[tree.heads[child]] if c > child and tree.labels[c] == "conj"]
        return bool(following) and _is_clause(tree, following[0], children)
    return label == "conj" and _is_clause(tree, child, children)


def _is_clause(tree: Tree, token: int, children: list[list[int]]) -> bool:
    if tree.tags[token] in _FINITE:
        return True
    return any(tree.labels[child] in ("nsubj", "nsubjpass", "cop", "aux", "auxpass") for child in children[token])


def _chain_conjuncts(tree: Tree) -> Tree:
    """Hang each conjunct, and the commas and conjunctions before it, under the conjunct before it."""
    heads = list(tree.heads)
    for head, children in enumerate(tree.children()):
        previous = head
        for child in (c for c in children if c > head):
            if previous != head and tree.labels[child] in ("conj", "cc", "punct") and child > previous:
                more = any(c >= child and tree.labels[c] == "conj" for c in children)
                if more:
                    heads[child] = previous
            if tree.labels[child] == "conj":
                previous = child
    return replace(tree, heads=tuple(heads))


def _label_agents(tree: Tree) -> Tree:
    """``by`` under a passive is an agent."""
    passive = {tree.heads[token] for token, label in enumerate(tree.labels) if label == "auxpass"}
    labels = tuple(
        "agent"
        if label == "prep"
        and tree.words[token].lower() == "by"
        and tree.tags[tree.heads[token]] == "VBN"
        and (tree.heads[token] in passive or tree.labels[tree.heads[token]] == "acl")
        else label
        for token, label in enumerate(tree.labels)
    )
    return replace(tree, labels=labels)
