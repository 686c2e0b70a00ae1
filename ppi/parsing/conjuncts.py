"""Steps that both schemes share: coordination, relative clauses, shared and controlled subjects.

They follow the propagation of conjunct dependencies and the referent rules of the Stanford dependencies manual
(de Marneffe and Manning 2008, section 4), whose output Paper V uses.  Label names differ between the schemes;
:class:`SchemeLabels` holds them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ppi.parsing.arcs import Arc, Arcs


@dataclass(frozen=True)
class SchemeLabels:
    """What a scheme calls things; ``joint`` goes between a label and its word (``conj_and``, ``conj:and``)."""

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
    ":",
    ("acl:relcl",),
    ("nsubj", "csubj"),
    ("nsubj:pass", "csubj:pass"),
    ("aux:pass",),
    ("obj",),
    "nsubj:xsubj",
)

_RELATIVE_TAGS = frozenset(["WDT", "WP", "WP$"])
_RELATIVIZERS = frozenset(["which", "that", "who", "whom", "whose"])
#: Governing arcs that say where a phrase stands, not what it does; they are not shared by conjuncts.
_NOT_SHARED = frozenset(["punct", "dep", "parataxis", "discourse", "ref", "meta", "list"])


def name_conjunctions(arcs: Arcs, labels: SchemeLabels, *, keep_words: bool) -> list[tuple[int, int]]:
    """Rename ``conj`` to ``conj_and`` and the like, from the first conjunct to each other one.

    Parameters
    ----------
    keep_words
        Whether the conjunction's own ``cc`` arc stays (as in Universal Dependencies) or goes.

    Returns
    -------
    list of (first, other)
        Positions of the conjuncts that belong together.
    """
    members: dict[int, list[int]] = {}
    for arc in [arc for arc in arcs if arc.type == "conj"]:
        first = _first_conjunct(arcs, arc)
        members.setdefault(first, []).append(arc.dependent)
    conjunctions: list[tuple[int, int, str]] = []
    used_arcs: list[Arc] = []
    for first, others in members.items():
        words = sorted({arc.dependent: arc for member in (first, *others) for arc in arcs.below(member, "cc")}.items())
        previous = first
        for other in sorted(others):
            between = [arc for place, arc in words if previous < place < other]
            after = [arc for place, arc in words if place >= other]
            conjunction_arc = between[-1] if between else after[0] if after else None
            conjunctions.append((first, other, _conjunction(arcs, conjunction_arc, other)))
            used_arcs.extend(between or after[:1])
            previous = other
    for arc in [arc for arc in arcs if arc.type == "conj"]:
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
            if arc.dependent < other and arc.dependent != other:
                arcs.add(other, arc.dependent, _match_voice(arc.type, passive, labels))


def _match_voice(type: str, passive: bool, labels: SchemeLabels) -> str:
    pairs = list(zip(labels.active_subjects, labels.passive_subjects))
    voice = 1 if passive else 0
    return next(pair[voice] for pair in pairs if type in pair)


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
