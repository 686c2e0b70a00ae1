"""Interactions as lines for people to read, in the 80 columns of a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from corpora.types import Entity
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.pipeline.kinds import FAMILY

#: Columns of a terminal that does not say how many it has.
WIDTH = 80
_NAME, _ARROW, _INDENT = 23, 2, 7
#: A name, and the gene that it was found to be, share their column; the gene gives way first.
_SHORTEST_NAME = 12
_LONGEST_REASON = 400
#: After the name of a family or a complex.
FAMILY_MARK = "*"
HEADING = f"{'prob.':>5}  {'protein':<{_NAME}} {'':<{_ARROW}} {'protein':<{_NAME}}"
TYPED_HEADING = f"{HEADING}  type"


def table_lines(annotated: Iterable[AnnotatedDocument], *, explain: bool = False, width: int = WIDTH) -> Iterator[str]:
    """A heading, then two lines per interaction as they come: who and how, then where; long values are shortened.

    Where interactions have types there is a column for them, and an arrow from the protein that acts: ``->``,
    ``-|`` for a negative regulation, ``--`` for a binding.  A name is followed by the gene that it was grounded to, in
    brackets; a star follows the name of a family or complex.  The second line has the document and the part of its
    sentence that holds both names; what the sentence denies or only supposes is marked there.
    ``explain`` adds, below each, what joins the two and the features that pushed most.
    """
    found = (interaction for document in annotated for interaction in document.interactions)
    # what cannot be read at all gets a message, not a table; and the first one tells whether there are types
    first = list(islice(found, 1))
    yield TYPED_HEADING if any(interaction.type is not None for interaction in first) else HEADING.rstrip()
    for interaction in chain(first, found):
        yield _who(interaction)
        yield _where(interaction, width)
        if explain and interaction.evidence is not None:
            yield from _reasons(interaction, width)


def gene_of(entity: Entity) -> str | None:
    """The gene that a mention was grounded to: its symbol, or else its identifier; candidates are counted."""
    symbol = next((value for key, value in entity.infons if key == "symbol"), None)
    if symbol is not None:
        return symbol
    if len(entity.identifiers) > 1:
        return f"{len(entity.identifiers)} candidates"
    return entity.identifiers[0] if entity.identifiers else None


def _who(interaction: Interaction) -> str:
    first, second = (f"{_named(entity):<{_NAME}}" for entity in interaction.participants)
    relationship = interaction.relationship
    arrow = relationship.arrow(interaction.directed) if interaction.type is not None else ""
    label = relationship.label if interaction.type is not None else ""
    return f"{interaction.probability:5.3f}  {first} {arrow:<{_ARROW}} {second}  {label}".rstrip()


def _where(interaction: Interaction, width: int) -> str:
    marks = f"[{', '.join(interaction.marks)}] " if interaction.marks else ""
    lead = f"{_short(interaction.document, 24)}: {marks}"
    room = max(width - _INDENT - len(lead), 20)
    return f"{'':<{_INDENT}}{lead}{_excerpt(interaction, room)}".rstrip()


def _excerpt(interaction: Interaction, room: int) -> str:
    """The part of the sentence that holds both names, or as much as there is room for."""
    sentence = interaction.sentence
    start = min(entity.start for entity in interaction.proteins)
    end = max(entity.end for entity in interaction.proteins)
    if len(sentence) <= room:
        return _short(sentence, room)
    before = max(0, min(start - max(0, room - (end - start)) // 2, len(sentence) - room))
    cut = sentence[before:]
    return _short(f"…{cut[1:]}" if before else cut, room)


def _named(entity: Entity) -> str:
    """The mention, marked if it is a family or complex, with its gene if that says more."""
    name = f"{entity.text}{FAMILY_MARK}" if entity.type == FAMILY else entity.text
    gene = gene_of(entity)
    if gene is None or gene.casefold() == entity.text.casefold():
        return _short(name, _NAME)
    room = _NAME - min(len(name), _SHORTEST_NAME) - 3
    shown = f" ({_short(gene, max(room, 3))})"
    return _short(name, _NAME - len(shown)) + shown


def _reasons(interaction: Interaction, width: int) -> Iterator[str]:
    evidence = interaction.evidence
    if evidence is None:
        return
    for reason in evidence.reasons():
        yield from _wrapped(reason, "", width)
    for title, pushes in zip(("  up: ", "down: "), evidence.pushes(most=3)):
        listed = "; ".join(f"{push.name} {push.value:+.3f} ({100 * push.share:.0f} %)" for push in pushes)
        yield from _wrapped(listed, title, width)


def _wrapped(text: str, title: str, width: int) -> Iterator[str]:
    """The text on as many lines as it takes, under the column of names; without end, it is cut."""
    lines = textwrap.wrap(_short(text, _LONGEST_REASON), width - _INDENT - len(title)) or [""]
    for number, line in enumerate(lines):
        yield f"{'':<{_INDENT}}{title if not number else ' ' * len(title)}{line}".rstrip()


def _short(text: str, most: int) -> str:
    """On one line, without characters that a terminal would obey."""
    line = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return line if len(line) <= most else line[: most - 1] + "…"
