"""Texts shortened for people: in what an object shows of itself."""

from __future__ import annotations


def shorten(text: str, max_length: int = 40) -> str:
    """The beginning of a text, on one line and without characters that a terminal would obey.

    >>> shorten("Profilin binds\\n actin", 12)
    'Profilin bi…'
    """
    head = text[: 4 * max_length]  # white space goes away, and a text may be a book
    line = "".join(character if character.isprintable() else "\ufffd" for character in " ".join(head.split()))
    return line if len(line) <= max_length and len(head) == len(text) else line[: max_length - 1] + "…"


def pluralize(count: int, noun: str) -> str:
    """A number of things.

    >>> pluralize(1, "sentence"), pluralize(2000, "sentence")
    ('1 sentence', '2,000 sentences')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
