"""Database identifiers as one string: how PubTator and BioC files list several of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: What files write where a mention is grounded to nothing.
UNGROUNDED = frozenset({"", "-", "-1", "None", "null"})

# Variants as tmVar names them, tmVar:p|SUB|V|600|E;HGVS:p.V600E;RS#:113488022: full of separators, and one thing.
_VARIANT = re.compile(r"(?:tmVar:)?[a-z]?\|")


def split_identifiers(written: str) -> tuple[str, ...]:
    """The identifiers in a string that separates them by ``;``, ``,`` or ``|``; the name of a variant stays whole.

    >>> split_identifiers("5599;5601"), split_identifiers("MESH:D003920|MESH:D009369"), split_identifiers("-")
    (('5599', '5601'), ('MESH:D003920', 'MESH:D009369'), ())
    >>> split_identifiers("p|SUB|V|600|E;RS#:113488022")
    ('p|SUB|V|600|E;RS#:113488022',)
    """
    if written in UNGROUNDED:
        return ()
    if _VARIANT.match(written):
        return (written,)
    return tuple(part for piece in re.split(r"[;,|]", written) if (part := piece.strip()))


def join_identifiers(identifiers: Sequence[str]) -> str | None:
    """The string that :func:`split_identifiers` takes apart again, or None if there is no such string."""
    joined = ";".join(identifiers)
    return joined if split_identifiers(joined) == tuple(identifiers) else None
