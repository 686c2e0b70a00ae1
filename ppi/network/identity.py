"""When two mentions are the same protein.

A mention that is grounded to exactly one identifier is that identifier; every other one, ungrounded or ambiguous, is
its normalized name.  A name is never taken for an identifier that another mention of it has.
"""

from __future__ import annotations

from corpora.types import Entity
from ppi.grounding.normalization import normalized

#: Before the normalized name of a protein that has no identifier.
NAME_PREFIX = "name:"


def protein_key(entity: Entity) -> str:
    """What the protein of a mention is called in a network.

    >>> protein_key(Entity("e1", "Profilin", ((0, 8),), identifiers=("ncbigene:5216",)))
    'ncbigene:5216'
    >>> protein_key(Entity("e2", "IL-1β", ((0, 5),))), protein_key(Entity("e3", "IL-1 beta", ((0, 9),)))
    ('name:il1beta', 'name:il1beta')
    """
    if len(entity.identifiers) == 1:
        return entity.identifiers[0]
    return NAME_PREFIX + name_key(entity.text)


def name_key(name: str) -> str:
    """The normalized name; of a name that has neither letter nor digit, the code points of its characters.

    >>> name_key("Profilin-I"), name_key("+")
    ('profilin1', 'u2b')
    """
    return normalized(name) or "".join(f"u{ord(character):x}" for character in name)
