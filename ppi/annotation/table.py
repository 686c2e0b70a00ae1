"""Interactions as lines for people to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from corpora.types import Entity
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.pipeline.kinds import FAMILY

_NAME, _ARROW, _TYPE, _DOCUMENT, _SENTENCE = 18, 2, 19, 16, 100
#: After the name of a family or a complex.
FAMILY_MARK = "*"
HEADING = f"{'prob.':>5}  {'protein':<{_NAME}}  {'protein':<{_NAME}}  {'document':<{_DOCUMENT}}  sentence"
TYPED_HEADING = (
    f"{'prob.':>5}  {'protein':<{_NAME}}  {'':<{_ARROW}}  {'protein':<{_NAME}}  {'type':<{_TYPE}}  "
    f"{'document':<{_DOCUMENT}}  sentence"
)


def table_lines(annotated: Iterable[AnnotatedDocument], *, explain: bool = False) -> Iterator[str]:
    """A heading, then one line per interaction as they come; long values are shortened.

    Where interactions have types there is a column for them, and an arrow from the protein that acts: ``->``,
    ``-|`` for a negative regulation, ``--`` for a binding.  What the sentence denies or only supposes is marked, and a
    star follows the name of a family or complex.
    ``explain`` adds, below each, what joins the two and the features that pushed most.
    """
    found = (interaction for document in annotated for interaction in document.interactions)
    # what cannot be read at all gets a message, not a table; and the first one tells whether there are types
    first = list(islice(found, 1))
    typed = any(interaction.type is not None for interaction in first)
    yield TYPED_HEADING if typed else HEADING
    for interaction in chain(first, found):
        yield _line(interaction, typed=typed)
        if explain and interaction.evidence is not None:
            yield from _reasons(interaction)


def _line(interaction: Interaction, *, typed: bool) -> str:
    first, second = (f"{_short(_named(entity), _NAME):<{_NAME}}" for entity in interaction.participants)
    relationship = interaction.relationship
    names = [first, second]
    if typed:
        names = [
            first,
            f"{relationship.arrow(interaction.directed):<{_ARROW}}",
            second,
            f"{_short(relationship.label, _TYPE):<{_TYPE}}",
        ]
    doubts = f"[{', '.join(interaction.doubts)}] " if interaction.doubts else ""
    cells = [
        f"{interaction.probability:5.3f}",
        *names,
        f"{_short(interaction.document, _DOCUMENT):<{_DOCUMENT}}",
        doubts + _short(interaction.sentence, _SENTENCE),
    ]
    return "  ".join(cells).rstrip()


def _named(entity: Entity) -> str:
    """The mention; a family or a complex is marked."""
    return f"{entity.text}{FAMILY_MARK}" if entity.type == FAMILY else entity.text


def _reasons(interaction: Interaction) -> Iterator[str]:
    evidence = interaction.evidence
    if evidence is None:
        return
    for reason in evidence.reasons():
        yield f"       {_short(reason, 2 * _SENTENCE)}"
    for title, pushes in zip(("  up", "down"), evidence.pushes(most=3)):
        listed = "; ".join(f"{push.name} {push.value:+.3f} ({100 * push.share:.0f} %)" for push in pushes)
        yield f"       {title}: {_short(listed, 2 * _SENTENCE)}"


def _short(text: str, most: int) -> str:
    """On one line, without characters that a terminal would obey."""
    line = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return line if len(line) <= most else line[: most - 1] + "…"
