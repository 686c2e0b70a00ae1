"""The type, sign and kind of an interaction, and the words and arrows that every output uses for them."""

from __future__ import annotations

from typing import NamedTuple

from corpora import BINDING, MODIFICATION, REGULATION, TYPES

POSITIVE, NEGATIVE = SIGNS = ("positive", "negative")
#: What stands between two proteins whose interaction has no type.
DASH = "–"
#: What the target of a modification undergoes, as what the agent does: ``phosphorylation``, ``phosphorylates``.
_NOUN_ENDING, _VERB_ENDING = "ation", "ates"
_VERBS = {BINDING: "binds", MODIFICATION: "modifies", REGULATION: "regulates"}
_SIGNED_VERBS = {POSITIVE: "activates", NEGATIVE: "inhibits"}

__all__ = ["BINDING", "DASH", "MODIFICATION", "NEGATIVE", "POSITIVE", "REGULATION", "SIGNS", "TYPES", "Relationship"]


class Relationship(NamedTuple):
    """The type of an interaction with its sign or kind; all None where the model knows no types.

    >>> Relationship("modification", kind="phosphorylation").verb, Relationship("regulation", "negative").arrow(True)
    ('phosphorylates', '-|')
    """

    type: str | None = None
    sign: str | None = None
    kind: str | None = None

    def arrow(self, directed: bool) -> str:
        """In plain characters: ``->``, ``-|`` for a negative regulation, nothing without type.

        ``--`` where neither acts on the other, as in a binding, or it is not known which one does.
        """
        if self.type is None:
            return ""
        if self.type == BINDING or not directed:
            return "--"
        return "-|" if self.sign == NEGATIVE else "->"

    def arrow_symbol(self, directed: bool) -> str:
        """The same for a page: ``–`` without type, ``—``, ``⊣`` or ``→``."""
        return {"": DASH, "--": "—", "-|": "⊣", "->": "→"}[self.arrow(directed)]

    @property
    def label(self) -> str:
        """What it is called: ``binding``, ``phosphorylation``, ``negative regulation``; empty without type.

        >>> Relationship("regulation", "positive").label, Relationship("modification").label
        ('positive regulation', 'modification')
        """
        if self.type == MODIFICATION and self.kind:
            return self.kind
        if self.type == REGULATION and self.sign:
            return f"{self.sign} {self.type}"
        return self.type or ""

    @property
    def verb(self) -> str:
        """What the first does to the second: ``binds``, ``phosphorylates``, ``inhibits``; empty without type."""
        if self.type == MODIFICATION and self.kind and self.kind.endswith(_NOUN_ENDING):
            return self.kind.removesuffix(_NOUN_ENDING) + _VERB_ENDING
        if self.type == REGULATION and self.sign in _SIGNED_VERBS:
            return _SIGNED_VERBS[self.sign]
        return "" if self.type is None else _VERBS.get(self.type, self.type)
