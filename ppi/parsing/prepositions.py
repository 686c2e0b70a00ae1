"""Prepositions become arcs: ``prep(binding, of), pobj(of, actin)`` is ``prep_of(binding, actin)``."""

from __future__ import annotations

from ppi.parsing.arcs import Arc, Arcs

_PREPOSITION_LABELS = ("prep", "agent", "dative")


def collapse_prepositions(arcs: Arcs) -> None:
    """Replace each preposition that has an object by an arc named after it (Stanford scheme).

    ``agent`` keeps its name, a clause as object gives ``prepc_by``, and a preposition whose only complement is
    another one gives a name of two words (``prep_due_to``).  Other dependents of the preposition move to its
    object; a preposition without object, or without governor, is left alone.
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
        own, other = _objects(arcs, arc.governor), _objects(arcs, arc.dependent)
        if len(governing_arcs) != 1 or not own or not other or own[0].dependent == other[0].dependent:
            continue
        arcs.replace(arc, governing_arcs[0].governor, arc.dependent, governing_arcs[0].type)
        arcs.add(own[0].dependent, other[0].dependent, "conj")
        for cc in arcs.below(arc.governor, "cc"):
            if cc.dependent != own[0].dependent:
                arcs.replace(cc, own[0].dependent, cc.dependent, "cc")


def _objects(arcs: Arcs, preposition: int) -> list[Arc]:
    return arcs.below(preposition, "pobj", "pcomp")


def _collapse_preposition(arcs: Arcs, arc: Arc) -> None:
    governor, preposition = arc.governor, arc.dependent
    words, inner = [arcs.word(preposition)], preposition
    visited = {governor, preposition}
    while (following := _only_complement(arcs, inner)) is not None and following not in visited:
        visited.add(following)
        words.append(arcs.word(following))
        inner = following
    objects = [object_arc for object_arc in _objects(arcs, inner) if object_arc.dependent not in visited]
    if not objects or len(arcs.above(preposition)) != 1:
        return
    arcs.remove(arc)
    for object_arc in objects:
        arcs.replace(object_arc, governor, object_arc.dependent, _collapsed_label(arc, words, object_arc))
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


def _collapsed_label(arc: Arc, words: list[str], object_arc: Arc) -> str:
    if arc.type == "agent" and object_arc.type == "pobj":
        return "agent"
    return f"{'prepc' if object_arc.type == 'pcomp' else 'prep'}_{'_'.join(words)}"
