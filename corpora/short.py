"""Texts shortened for people: in what an object shows of itself."""

from __future__ import annotations


def short(text: str, most: int = 40) -> str:
    """The beginning of a text, on one line and without characters that a terminal would obey.

    >>> short("Profilin binds\\n actin", 12)
    'Profilin bi…'
    """
    begun = text[: 4 * most]  # white space takes room, and a text may be a book
    line = "".join(character if character.isprintable() else "\ufffd" for character in " ".join(begun.split()))
    return line if len(line) <= most and len(begun) == len(text) else line[: most - 1] + "…"


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "sentence"), counted(2000, "sentence")
    ('1 sentence', '2,000 sentences')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
