"""Converts basic dependencies to the collapsed, conjunct-propagated graph of Paper V.

Prepositions become arcs: ``prep(binding, of), pobj(of, actin)`` is ``prep_of(binding, actin)``.  Coordination, relative
clauses, shared and controlled subjects follow the propagation of conjunct dependencies and the referent rules of the
Stanford dependencies manual (de Marneffe and Manning 2008, section 4), whose output Paper V uses.  Label names differ
between the Stanford and the universal scheme; :class:`SchemeLabels` holds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from corpora import Dependency, DependencyGraph, Token
from ppi.core import ParseError

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
_PREPOSITION_LABELS = ("prep", "agent", "dative")
_OBJECT_LABELS = ("pobj", "pcomp")


@dataclass(frozen=True)
class SchemeLabels:
    """What a scheme calls things; ``separator`` goes between a label and its word (``conj_and``, ``conj:and``)."""

    separator: str
    relative: tuple[str, ...]
    active_subjects: tuple[str, ...]
    passive_subjects: tuple[str, ...]
    passive_auxiliary: tuple[str, ...]
    objects: tuple[str, ...]
    controlled_subject: str


STANFORD = SchemeLabels(
    "_", ("relcl", "rcmod"), ("nsubj", "csubj"), ("nsubjpass", "csubjpass"), ("auxpass",), ("dobj",), "xsubj"
)
UNIVERSAL = SchemeLabels(
    ":", ("acl:relcl",), ("nsubj", "csubj"), ("nsubj:pass", "csubj:pass"), ("aux:pass",), ("obj",), "nsubj:xsubj"
)

_RELATIVE_TAGS = frozenset(["WDT", "WP", "WP$"])
_RELATIVIZERS = frozenset(["which", "that", "who", "whom", "whose"])
#: Governing arcs that show where a phrase stands, not what it does; they are not shared by conjuncts.
_NOT_SHARED = frozenset(["punct", "dep", "parataxis", "discourse", "ref", "meta", "list"])


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
    for arc in [] if punctuation else arcs:  # punctuation that governs something stays, or that would fall off
        if arc.type == "punct" and not arcs.below(arc.dependent):
            arcs.remove(arc)
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


class Arc(NamedTuple):
    """Governor and dependent are positions of tokens."""

    governor: int
    dependent: int
    type: str


class Arcs:
    """The arcs of a graph, by token position.  Each look-up is O(arcs at the token), each change O(1)."""

    def __init__(self, graph: DependencyGraph) -> None:
        self.tokens: tuple[Token, ...] = graph.tokens
        position_by_id = {token.id: position for position, token in enumerate(graph.tokens)}
        self._by_governor: list[dict[Arc, None]] = [{} for _ in graph.tokens]
        self._by_dependent: list[dict[Arc, None]] = [{} for _ in graph.tokens]
        for arc in graph.dependencies:
            self.add(position_by_id[arc.governor], position_by_id[arc.dependent], arc.type)

    def __iter__(self) -> Iterator[Arc]:
        return (arc for below in list(self._by_governor) for arc in list(below))

    def add(self, governor: int, dependent: int, type: str) -> None:
        """Add an arc; one that is there already stays where it is."""
        arc = Arc(governor, dependent, type)
        self._by_governor[governor][arc] = None
        self._by_dependent[dependent][arc] = None

    def remove(self, arc: Arc) -> None:
        """Take an arc out, if it is there."""
        self._by_governor[arc.governor].pop(arc, None)
        self._by_dependent[arc.dependent].pop(arc, None)

    def replace(self, arc: Arc, governor: int, dependent: int, type: str) -> None:
        """Take an arc out and put another in."""
        self.remove(arc)
        self.add(governor, dependent, type)

    def below(self, position: int, *types: str) -> list[Arc]:
        """Arcs from a token to its dependents, of some types or of all."""
        return [arc for arc in self._by_governor[position] if not types or arc.type in types]

    def above(self, position: int, *types: str) -> list[Arc]:
        """Arcs from its governors to a token, of some types or of all."""
        return [arc for arc in self._by_dependent[position] if not types or arc.type in types]

    def word(self, position: int) -> str:
        """The token in lower case, white space inside it as underscores."""
        return "_".join(self.tokens[position].text.lower().split())

    def tag(self, position: int) -> str:
        """The Penn tag, or nothing."""
        return self.tokens[position].pos or ""

    def dependencies(self) -> tuple[Dependency, ...]:
        """The arcs by token id, ordered by dependent and then governor."""
        ids = [token.id for token in self.tokens]
        ordered = sorted(self, key=lambda arc: (arc.dependent, arc.governor, arc.type))
        return tuple(Dependency(ids[arc.governor], ids[arc.dependent], arc.type) for arc in ordered)


def collapse_prepositions(arcs: Arcs) -> None:
    """Replace each preposition that has an object by an arc named after it (Stanford scheme).

    ``agent`` keeps its name, a clause as object gives ``prepc_by``, and a preposition whose only complement is
    another one gives a name of two words (``prep_due_to``).  Other dependents of the preposition move to its
    object; a preposition without object, or without governor, stays as it is.
    """
    _unfold_coordinated(arcs)
    for preposition in range(len(arcs.tokens)):
        for arc in arcs.above(preposition, *_PREPOSITION_LABELS):
            _collapse_preposition(arcs, arc)


def _unfold_coordinated(arcs: Arcs) -> None:
    """``in A and in B``: both prepositions get the same governor, and their objects become conjuncts."""
    for arc in sorted(arcs, key=lambda arc: (arc.governor, arc.dependent)):
        if arc.type != "conj":
            continue
        governing_arcs = arcs.above(arc.governor, *_PREPOSITION_LABELS)
        own, other = arcs.below(arc.governor, *_OBJECT_LABELS), arcs.below(arc.dependent, *_OBJECT_LABELS)
        if len(governing_arcs) != 1 or not own or not other or own[0].dependent == other[0].dependent:
            continue
        arcs.replace(arc, governing_arcs[0].governor, arc.dependent, governing_arcs[0].type)
        arcs.add(own[0].dependent, other[0].dependent, "conj")
        for cc in arcs.below(arc.governor, "cc"):
            if cc.dependent != own[0].dependent:
                arcs.replace(cc, own[0].dependent, cc.dependent, "cc")


def _collapse_preposition(arcs: Arcs, arc: Arc) -> None:
    governor, preposition = arc.governor, arc.dependent
    words, inner = [arcs.word(preposition)], preposition
    visited = {governor, preposition}
    while (following := _only_complement(arcs, inner)) is not None and following not in visited:
        visited.add(following)
        words.append(arcs.word(following))
        inner = following
    objects = [object_arc for object_arc in arcs.below(inner, *_OBJECT_LABELS) if object_arc.dependent not in visited]
    if not objects or len(arcs.above(preposition)) != 1:
        return
    arcs.remove(arc)
    for object_arc in objects:
        label = f"{'prepc' if object_arc.type == 'pcomp' else 'prep'}_{'_'.join(words)}"
        if arc.type == "agent" and object_arc.type == "pobj":
            label = "agent"
        arcs.replace(object_arc, governor, object_arc.dependent, label)
    target = objects[0].dependent
    for position in visited - {governor}:
        for remaining_arc in arcs.below(position):
            arcs.remove(remaining_arc)
            if remaining_arc.dependent not in visited and remaining_arc.dependent != target:
                arcs.add(target, remaining_arc.dependent, remaining_arc.type)


def _only_complement(arcs: Arcs, preposition: int) -> int | None:
    """The preposition that is the whole complement of this one, as ``to`` in ``due to``."""
    if arcs.below(preposition, "pobj"):
        return None
    complements = [
        arc.dependent
        for arc in arcs.below(preposition, "prep", "pcomp")
        if arcs.below(arc.dependent, "pobj") and len(arcs.above(arc.dependent)) == 1
    ]
    others = [arc for arc in arcs.below(preposition, "pcomp") if arc.dependent not in complements]
    if len(complements) == 1 and not others and not arcs.tag(complements[0]).startswith("V"):
        return complements[0]
    return None


def name_conjunctions(arcs: Arcs, labels: SchemeLabels, *, keep_words: bool) -> list[tuple[int, int]]:
    """Rename ``conj`` to ``conj_and`` and the like, from the first conjunct to each other one, and return these pairs.

    ``keep_words`` is whether the conjunction's own ``cc`` arc stays (as in Universal Dependencies) or goes.
    """
    conjunct_arcs = [arc for arc in arcs if arc.type == "conj"]
    members: dict[int, list[int]] = {}
    for arc in conjunct_arcs:
        members.setdefault(_first_conjunct(arcs, arc), []).append(arc.dependent)
    conjunctions: list[tuple[int, int, str]] = []
    used_arcs: list[Arc] = []
    for first, others in members.items():
        words = sorted({arc.dependent: arc for member in (first, *others) for arc in arcs.below(member, "cc")}.items())
        previous = first
        for other in sorted(others):
            between = [arc for position, arc in words if previous < position < other]
            after = [arc for position, arc in words if position >= other]
            conjunction_arc = between[-1] if between else after[0] if after else None
            conjunctions.append((first, other, _conjunction(arcs, conjunction_arc, other)))
            used_arcs.extend(between or after[:1])
            previous = other
    for arc in conjunct_arcs:
        arcs.remove(arc)
    if not keep_words:
        _remove_words(arcs, used_arcs, members)
    for first, other, word in conjunctions:
        arcs.add(first, other, f"conj{labels.separator}{word}" if word else "conj")
    return [(first, other) for first, other, _ in conjunctions]


def _first_conjunct(arcs: Arcs, arc: Arc) -> int:
    visited = {arc.dependent}
    first = arc.governor
    while first not in visited and (above := arcs.above(first, "conj")):
        visited.add(first)
        first = above[0].governor
    return first


def _conjunction(arcs: Arcs, arc: Arc | None, other: int) -> str:
    if arc is None:
        return ""
    word = arcs.word(arc.dependent)
    if word == "as" and any(arcs.word(below.dependent) == "well" for below in arcs.below(arc.dependent)):
        return "and"
    follows = arc.dependent + 1
    if word in ("but", "not") and (word == "not" or (follows < other and arcs.word(follows) == "not")):
        return "negcc"
    return word


def _remove_words(arcs: Arcs, used_arcs: list[Arc], members: dict[int, list[int]]) -> None:
    """Take conjunctions out of the graph; what hung under them moves to their governor."""
    conjuncts = {*members, *(other for others in members.values() for other in others)}
    for arc in used_arcs:
        if arc.dependent in conjuncts:  # an odd tree, in which something is coordinated with the word itself
            continue
        arcs.remove(arc)
        for below in arcs.below(arc.dependent):
            if arcs.word(arc.dependent) == "as" and arcs.word(below.dependent) in ("as", "well"):
                arcs.remove(below)
            elif below.dependent != arc.governor:
                arcs.replace(below, arc.governor, below.dependent, below.type)


def share_governors(arcs: Arcs, conjunct_pairs: list[tuple[int, int]]) -> None:
    """Give every conjunct the governors of the first one, unless it has that governor already."""
    for first, other in conjunct_pairs:
        for arc in arcs.above(first):
            base = arc.type.split("_")[0].split(":")[0]
            if base == "conj" or arc.type in _NOT_SHARED or arc.governor == other:
                continue
            if not any(above.governor == arc.governor for above in arcs.above(other)):
                arcs.add(arc.governor, other, arc.type)


def share_subjects(arcs: Arcs, conjunct_pairs: list[tuple[int, int]], labels: SchemeLabels) -> None:
    """Give a verb without a subject the subject of the first conjunct, active or passive as its own voice."""
    subjects = (*labels.active_subjects, *labels.passive_subjects)
    for first, other in conjunct_pairs:
        if not arcs.tag(other).startswith("V") or arcs.below(other, *subjects):
            continue
        passive = bool(arcs.below(other, *labels.passive_auxiliary))
        for arc in arcs.below(first, *subjects):
            if arc.dependent < other:
                voices = next(pair for pair in zip(labels.active_subjects, labels.passive_subjects) if arc.type in pair)
                arcs.add(other, arc.dependent, voices[passive])


def resolve_relatives(arcs: Arcs, labels: SchemeLabels) -> None:
    """Put the noun in the place of its relative pronoun, which is kept as the noun's ``ref``."""
    for arc in [arc for arc in arcs if arc.type in labels.relative]:
        pronoun = _relative_pronoun(arcs, arc.dependent, labels)
        if pronoun is None or pronoun == arc.governor:
            continue
        for above in arcs.above(pronoun):
            if above.governor != arc.governor:
                arcs.replace(above, above.governor, arc.governor, above.type)
        arcs.add(arc.governor, pronoun, "ref")


def _relative_pronoun(arcs: Arcs, verb: int, labels: SchemeLabels) -> int | None:
    """The first relative pronoun inside the clause, not looking into further relative clauses."""
    pronouns: list[int] = []
    queue, visited = [verb], {verb}
    while queue:
        position = queue.pop()
        for arc in arcs.below(position):
            if arc.type in labels.relative or arc.type == "ref" or arc.dependent in visited:
                continue
            visited.add(arc.dependent)
            queue.append(arc.dependent)
            if arcs.word(arc.dependent) in _RELATIVIZERS and (
                arcs.tag(arc.dependent) in _RELATIVE_TAGS or arc.type in labels.active_subjects + labels.objects
            ):
                pronouns.append(arc.dependent)
    return min(pronouns, default=None)


def add_controlled_subjects(arcs: Arcs, labels: SchemeLabels) -> None:
    """``A wants to bind B``: A is also the subject of ``bind`` (the object, if there is one, controls)."""
    subjects = (*labels.active_subjects, *labels.passive_subjects)
    for arc in [arc for arc in arcs if arc.type == "xcomp"]:
        has_to = any(arcs.word(below.dependent) == "to" for below in arcs.below(arc.dependent, "aux", "mark"))
        if not has_to or arcs.below(arc.dependent, *subjects):
            continue
        controllers = arcs.below(arc.governor, *labels.objects) or arcs.below(arc.governor, *subjects)
        for controller in controllers:
            if controller.dependent != arc.dependent:
                arcs.add(arc.dependent, controller.dependent, labels.controlled_subject)
