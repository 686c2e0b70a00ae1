"""Database identifiers as one string: how PubTator and BioC files list several of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

#: What files write where a mention is grounded to nothing.
UNGROUNDED = frozenset({"", "-", "-1", "None", "null"})

# Variants as tmVar names them, tmVar:p|SUB|V|600|E;HGVS:p.V600E;RS#:113488022: full of separators, and one thing.
_VARIANT = re.compile(r"(?:tmVar:)?[a-z]?\|")
# PubTator 3 puts the kind before an identifier that a relation names: Gene|5216
_KIND = re.compile(r"[A-Z][A-Za-z]+\|")

# The species behind the number of a gene, as GNormPlus writes it: 22059(Tax:10090).
_SPECIES = re.compile(r"(.+)\(Tax:([0-9]+)\)")
_MARK = re.compile(r"(?<=.)\(Tax:[0-9]+\)")
#: Remarks of a mention: the species of its identifier, and of several, ``22059=10090;7157=9606``.
TAXID, TAXIDS = "taxid", "taxids"


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


def split_species(written: str) -> tuple[str, str | None]:
    """An identifier and the number of the species that is written behind it, if there is one.

    >>> split_species("22059(Tax:10090)"), split_species("7157")
    (('22059', '10090'), ('7157', None))
    """
    match = _SPECIES.fullmatch(written)
    return (written, None) if match is None else (match[1], match[2])


def species_as_infons(written: Iterable[str]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The identifiers without species, and the remarks that hold these.

    >>> species_as_infons(["22059(Tax:10090)"])
    (('22059',), (('taxid', '10090'),))
    >>> species_as_infons(["22059(Tax:10090)", "7157"])
    (('22059', '7157'), (('taxids', '22059=10090'),))
    """
    parts = list(map(split_species, written))
    with_taxid = [(identifier, taxid) for identifier, taxid in parts if taxid is not None]
    identifiers = tuple(identifier for identifier, _ in parts)
    if not with_taxid:
        return identifiers, ()
    if len(parts) == 1:
        return identifiers, ((TAXID, with_taxid[0][1]),)
    return identifiers, ((TAXIDS, ";".join(f"{identifier}={taxid}" for identifier, taxid in with_taxid)),)


def species_of(identifiers: Sequence[str], infons: Mapping[str, str]) -> dict[str, str]:
    """The species of identifiers, where remarks of their mention tell it: what :func:`species_as_infons` made.

    >>> species_of(("22059", "7157"), {"taxids": "22059=10090"}), species_of(("7157",), {"taxid": "9606"})
    ({'22059': '10090'}, {'7157': '9606'})
    """
    if len(identifiers) == 1 and infons.get(TAXID, "").isdecimal():
        return {identifiers[0]: infons[TAXID]}
    listed = (part.rpartition("=") for part in infons.get(TAXIDS, "").split(";"))
    return {identifier: taxid for identifier, _, taxid in listed if identifier in identifiers and taxid.isdecimal()}


def parse_concepts(written: str, known_identifiers: Collection[str]) -> tuple[str, ...]:
    """The identifiers that one end of a relation names: those of mentions (``known``) where it can be read so.

    >>> parse_concepts("Gene|5216", {"5216"}), parse_concepts("60;71", {"60", "71"}), parse_concepts("a;b", {"a;b"})
    (('5216',), ('60', '71'), ('a;b',))
    >>> parse_concepts("Gene|999", ()), parse_concepts("-", ())
    (('999',), ())
    >>> parse_concepts("22059(Tax:10090);7157", {"22059", "7157"})
    ('22059', '7157')
    """
    bare = _KIND.sub("", written, count=1) if _KIND.match(written) else written
    plain = _MARK.sub("", bare)
    for candidate in (written, bare, plain):
        if candidate in known_identifiers:
            return (candidate,)
        parts = split_identifiers(candidate)
        if parts and all(part in known_identifiers for part in parts):
            return parts
    return split_identifiers(plain)
