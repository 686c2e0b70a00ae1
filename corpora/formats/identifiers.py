"""Database identifiers as one string: how PubTator and BioC files list several of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

#: What files write where a mention is grounded to nothing.
UNGROUNDED = frozenset({"", "-", "-1", "None", "null"})

# Variants as tmVar names them, tmVar:p|SUB|V|600|E;HGVS:p.V600E;RS#:113488022: full of separators, and one thing.
_VARIANT = re.compile(r"(?:tmVar:)?[a-z]?\|")
# PubTator 3 puts the kind before an identifier that a relation names: Gene|5216
_KIND = re.compile(r"[A-Z][A-Za-z]+\|")


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


def concepts_named(written: str, known: Collection[str]) -> tuple[str, ...]:
    """The identifiers that one end of a relation names: those of mentions (``known``) where it can be read so.

    >>> concepts_named("Gene|5216", {"5216"}), concepts_named("60;71", {"60", "71"}), concepts_named("a;b", {"a;b"})
    (('5216',), ('60', '71'), ('a;b',))
    >>> concepts_named("Gene|999", ()), concepts_named("-", ())
    (('999',), ())
    """
    bare = _KIND.sub("", written, count=1) if _KIND.match(written) else written
    for candidate in (written, bare):
        if candidate in known:
            return (candidate,)
        parts = split_identifiers(candidate)
        if parts and all(part in known for part in parts):
            return parts
    return split_identifiers(bare)
