"""From basic dependencies to the collapsed, conjunct-propagated graph of Paper V."""

from __future__ import annotations

from dataclasses import replace

from corpora.types import DependencyGraph
from ppi.errors import ParseError
from ppi.parsing.arcs import Arcs
from ppi.parsing.conjuncts import (
    STANFORD,
    UNIVERSAL,
    add_controlled_subjects,
    name_conjunctions,
    resolve_relatives,
    share_governors,
    share_subjects,
)
from ppi.parsing.prepositions import collapse_prepositions

#: Ends the names of collapsed parses; CoNLL-U keeps a parse of such a name in its DEPS column.
COLLAPSED_SUFFIX = "-enhanced"
SCHEMES = ("stanford", "universal", "collapsed")

_STANFORD_LABELS = frozenset(
    ["prep", "pobj", "pcomp", "dobj", "nsubjpass", "auxpass", "csubjpass", "rcmod", "relcl", "attr", "agent", "nn"]
)
_UNIVERSAL_LABELS = frozenset(
    ["obl", "obj", "iobj", "nsubj:pass", "aux:pass", "acl:relcl", "flat", "fixed", "csubj:pass", "compound:prt"]
)
_COLLAPSED_PREFIXES = ("prep_", "prepc_", "conj_", "conj:")
#: Universal labels that take the word of their preposition or conjunction along, and the arc to that word.
_MARKER_BY_LABEL = {"nmod": "case", "obl": "case", "acl": "mark", "advcl": "mark"}


def detect_scheme(graph: DependencyGraph) -> str:
    """The scheme of a graph, by its labels: "stanford", "universal", or "collapsed" if that is done already.

    A graph with labels of neither is called Stanford's; the two then treat it alike.
    """
    labels = [arc.type for arc in graph.dependencies]
    if any(label.startswith(_COLLAPSED_PREFIXES) for label in labels):
        return "collapsed"
    universal = sum(label in _UNIVERSAL_LABELS for label in labels)
    stanford = sum(label in _STANFORD_LABELS for label in labels)
    cases = sum(label == "case" for label in labels)
    return "universal" if universal > stanford or (cases and not stanford) else "stanford"


def collapse(graph: DependencyGraph, *, scheme: str | None = None, punctuation: bool = False) -> DependencyGraph:
    """The collapsed graph, with conjuncts propagated.

    Parameters
    ----------
    graph
        Basic dependencies; a graph that is collapsed already comes back as it is.
    scheme
        "stanford" (also spaCy's English labels: prep, pobj, dobj ...) or "universal"; by default detected.
    punctuation
        Whether arcs to punctuation stay.

    Returns
    -------
    DependencyGraph
        A general graph: tokens may have several governors, and relative clauses make cycles.  All tokens stay;
        prepositions and conjunctions that became part of a label have no arc any more (Stanford), or keep
        their ``case`` and ``cc`` arcs (Universal Dependencies, as in its enhanced representation).

    Raises
    ------
    ParseError
        If the scheme is unknown or the graph has no parse.

    Examples
    --------
    >>> from corpora.types import Dependency, Token
    >>> words = "binding of actin".split()
    >>> tokens = tuple(Token(str(i), 10 * i, 10 * i + len(w), w) for i, w in enumerate(words))
    >>> basic = DependencyGraph("p", "t", tokens, (Dependency("0", "1", "prep"), Dependency("1", "2", "pobj")))
    >>> [(arc.governor, arc.type, arc.dependent) for arc in collapse(basic).dependencies]
    [('0', 'prep_of', '2')]
    """
    if graph.parser is None:
        raise ParseError("expected a parse, got a tokenization without one; parse the sentence first")
    scheme = detect_scheme(graph) if scheme is None else scheme
    if scheme not in SCHEMES:
        raise ParseError(f"expected a scheme, one of {SCHEMES}, got {scheme!r}")
    if scheme == "collapsed":
        return graph
    arcs = Arcs(graph)
    if not punctuation:
        _drop_punctuation(arcs)
    if scheme == "stanford":
        collapse_prepositions(arcs)
    else:
        _add_case_words(arcs)
    labels = STANFORD if scheme == "stanford" else UNIVERSAL
    conjunct_pairs = name_conjunctions(arcs, labels, keep_words=scheme == "universal")
    share_governors(arcs, conjunct_pairs)
    share_subjects(arcs, conjunct_pairs, labels)
    resolve_relatives(arcs, labels)
    add_controlled_subjects(arcs, labels)
    return replace(graph, parser=f"{graph.parser}{COLLAPSED_SUFFIX}", dependencies=arcs.dependencies())


def _drop_punctuation(arcs: Arcs) -> None:
    """Punctuation that governs something is kept, or that something would fall off."""
    for arc in arcs:
        if arc.type == "punct" and not arcs.below(arc.dependent):
            arcs.remove(arc)


def _add_case_words(arcs: Arcs) -> None:
    """``nmod`` with a case word ``of`` becomes ``nmod:of`` (enhanced Universal Dependencies)."""
    for arc in arcs:
        marker = _MARKER_BY_LABEL.get(arc.type)
        if marker is None:
            continue
        words = [
            "_".join([arcs.word(case.dependent), *(arcs.word(rest.dependent) for rest in fixed)])
            for case in sorted(arcs.below(arc.dependent, marker), key=lambda below: below.dependent)
            for fixed in [sorted(arcs.below(case.dependent, "fixed"), key=lambda below: below.dependent)]
            if case.dependent < arc.dependent
        ]
        if words:
            arcs.replace(arc, arc.governor, arc.dependent, f"{arc.type}:{'_'.join(words)}")
