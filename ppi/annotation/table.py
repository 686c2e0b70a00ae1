"""Interactions as lines for people to read, in the 80 columns of a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from corpora.types import Entity
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.pipeline.kinds import FAMILY

#: Columns of a terminal that does not say how many it has.
DEFAULT_WIDTH = 80
_NAME, _ARROW, _INDENT = 23, 2, 7
#: A name, and the gene that it was found to be, share their column; the gene gives way first.
_MIN_NAME_CHARS = 12
_MAX_REASON_CHARS = 400
#: After the name of a family or a complex.
FAMILY_MARK = "*"
HEADING = f"{'prob.':>5}  {'protein':<{_NAME}} {'':<{_ARROW}} {'protein':<{_NAME}}"
TYPED_HEADING = f"{HEADING}  type"


def table_lines(
    annotated: Iterable[AnnotatedDocument], *, explain: bool = False, width: int = DEFAULT_WIDTH
) -> Iterator[str]:
    """A heading, then two lines per interaction as they come: who and how, then where; long values are shortened.

    Where interactions have types there is a column for them, and an arrow from the protein that acts: ``->``,
    ``-|`` for a negative regulation, ``--`` for a binding.  A name is followed by the gene that it was grounded to, in
    brackets; a star follows the name of a family or complex.  The second line has the document and the part of its
    sentence that holds both names; what the sentence denies or only supposes is marked there.
    ``explain`` adds, below each, what joins the two and the features that pushed most.
    """
    interactions = (interaction for document in annotated for interaction in document.interactions)
    # what cannot be read at all gets a message, not a table; and the first one tells whether there are types
    first = list(islice(interactions, 1))
    yield TYPED_HEADING if any(interaction.type is not None for interaction in first) else HEADING.rstrip()
    for interaction in chain(first, interactions):
        yield _format_pair(interaction)
        yield _format_source(interaction, width)
        if explain and interaction.evidence is not None:
            yield from _format_evidence(interaction, width)


def gene_label(entity: Entity) -> str | None:
    """The gene that a mention was grounded to: its symbol, or else its identifier; candidates are counted."""
    symbol = next((value for key, value in entity.infons if key == "symbol"), None)
    if symbol is not None:
        return symbol
    if len(entity.identifiers) > 1:
        return f"{len(entity.identifiers)} candidates"
    return entity.identifiers[0] if entity.identifiers else None


def _format_pair(interaction: Interaction) -> str:
    first, second = (f"{_format_name(entity):<{_NAME}}" for entity in interaction.participants)
    relationship = interaction.relationship
    arrow = relationship.arrow(interaction.directed) if interaction.type is not None else ""
    label = relationship.label if interaction.type is not None else ""
    return f"{interaction.probability:5.3f}  {first} {arrow:<{_ARROW}} {second}  {label}".rstrip()


def _format_source(interaction: Interaction, width: int) -> str:
    marks = f"[{', '.join(interaction.marks)}] " if interaction.marks else ""
    prefix = f"{_shorten(interaction.document, 24)}: {marks}"
    max_chars = max(width - _INDENT - len(prefix), 20)
    return f"{'':<{_INDENT}}{prefix}{_excerpt(interaction, max_chars)}".rstrip()


def _excerpt(interaction: Interaction, max_chars: int) -> str:
    """The part of the sentence that holds both names, or as much as there is room for."""
    sentence = interaction.sentence
    start = min(entity.start for entity in interaction.proteins)
    end = max(entity.end for entity in interaction.proteins)
    if len(sentence) <= max_chars:
        return _shorten(sentence, max_chars)
    before = max(0, min(start - max(0, max_chars - (end - start)) // 2, len(sentence) - max_chars))
    tail = sentence[before:]
    return _shorten(f"…{tail[1:]}" if before else tail, max_chars)


def _format_name(entity: Entity) -> str:
    """The mention, marked if it is a family or complex, with its gene if that says more."""
    name = f"{entity.text}{FAMILY_MARK}" if entity.type == FAMILY else entity.text
    gene = gene_label(entity)
    if gene is None or gene.casefold() == entity.text.casefold():
        return _shorten(name, _NAME)
    gene_chars = _NAME - min(len(name), _MIN_NAME_CHARS) - 3
    gene_suffix = f" ({_shorten(gene, max(gene_chars, 3))})"
    return _shorten(name, _NAME - len(gene_suffix)) + gene_suffix


def _format_evidence(interaction: Interaction, width: int) -> Iterator[str]:
    evidence = interaction.evidence
    if evidence is None:
        return
    for reason in evidence.reasons():
        yield from _wrap(reason, "", width)
    for title, contributions in zip(("  up: ", "down: "), evidence.pushes(most=3)):
        summary = "; ".join(
            f"{contribution.name} {contribution.value:+.3f} ({100 * contribution.share:.0f} %)"
            for contribution in contributions
        )
        yield from _wrap(summary, title, width)


def _wrap(text: str, title: str, width: int) -> Iterator[str]:
    """The text on as many lines as it takes, under the column of names; without end, it is cut."""
    lines = textwrap.wrap(_shorten(text, _MAX_REASON_CHARS), width - _INDENT - len(title)) or [""]
    for number, line in enumerate(lines):
        yield f"{'':<{_INDENT}}{title if not number else ' ' * len(title)}{line}".rstrip()


def _shorten(text: str, max_chars: int) -> str:
    """On one line, without characters that a terminal would obey."""
    line = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"
