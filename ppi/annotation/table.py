"""Interactions as lines for people to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from ppi.annotation.types import AnnotatedDocument, Interaction

_NAME, _DOCUMENT, _SENTENCE = 18, 16, 100
HEADING = f"{'prob.':>5}  {'protein':<{_NAME}}  {'protein':<{_NAME}}  {'document':<{_DOCUMENT}}  sentence"


def table_lines(annotated: Iterable[AnnotatedDocument], *, explain: bool = False) -> Iterator[str]:
    """A heading, then one line per interaction as they come; long values are shortened.

    ``explain`` adds, below each, the shortest path and the features that pushed most.
    """
    documents = iter(annotated)
    first = list(islice(documents, 1))  # what cannot be read at all gets a message, not a table
    yield HEADING
    for document in chain(first, documents):
        for interaction in document.interactions:
            yield _line(interaction)
            if explain and interaction.evidence is not None:
                yield from _reasons(interaction)


def _line(interaction: Interaction) -> str:
    first, second = interaction.names
    cells = [
        f"{interaction.probability:5.3f}",
        f"{_short(first, _NAME):<{_NAME}}",
        f"{_short(second, _NAME):<{_NAME}}",
        f"{_short(interaction.document, _DOCUMENT):<{_DOCUMENT}}",
        _short(interaction.sentence, _SENTENCE),
    ]
    return "  ".join(cells).rstrip()


def _reasons(interaction: Interaction) -> Iterator[str]:
    evidence = interaction.evidence
    if evidence is None:
        return
    yield f"       path: {_short(evidence.path or 'none', _SENTENCE)}"
    for title, pushes in zip(("  up", "down"), evidence.pushes(most=3)):
        listed = "; ".join(f"{push.name} {push.value:+.3f} ({100 * push.share:.0f} %)" for push in pushes)
        yield f"       {title}: {_short(listed, 2 * _SENTENCE)}"


def _short(text: str, most: int) -> str:
    """On one line, without characters that a terminal would obey."""
    line = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return line if len(line) <= most else line[: most - 1] + "…"
