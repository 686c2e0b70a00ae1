"""Which of the interactions found are reported: types, and what a sentence denies or only supposes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ppi.annotation.relationship import TYPES
from ppi.errors import UsageError

if TYPE_CHECKING:
    from ppi.annotation.types import Interaction


@dataclass(frozen=True)
class Selection:
    """What is reported as found.

    Parameters
    ----------
    types
        Only interactions of these types, of ``binding``, ``modification`` and ``regulation``; None takes any, also
        those without a type.
    include_negated, include_hedged
        Whether what a sentence denies, or only supposes, is reported, too; it is marked so.
    """

    types: tuple[str, ...] | None = None
    include_negated: bool = False
    include_hedged: bool = False

    @classmethod
    def of(cls, types: Collection[str] | None, *, include_negated: bool = False, include_hedged: bool = False) -> Self:
        """The selection of these types, each once and in the usual order; none at all is any, as None.

        Raises
        ------
        UsageError
            If a type is not known.
        """
        if not isinstance(types, Collection | None) or isinstance(types, str) or set(types or ()) - set(TYPES):
            got = f"the text {types!r}; give a list" if isinstance(types, str) else repr(types)
            raise UsageError(f"expected types of interaction among {TYPES}, got {got}")
        chosen = tuple(type for type in TYPES if type in types) if types else None
        return cls(chosen, bool(include_negated), bool(include_hedged))

    def keeps(self, interaction: Interaction) -> bool:
        """Whether the interaction is reported."""
        return (
            (self.types is None or interaction.type in self.types)
            and (self.include_negated or not interaction.negated)
            and (self.include_hedged or not interaction.hedged)
        )
