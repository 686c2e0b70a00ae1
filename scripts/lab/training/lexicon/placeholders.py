"""Names that databases give to what has none, or to single clones and transcripts; no text says them.

They are left out.  Official symbols stay, whatever they look like.
"""

from __future__ import annotations

import re

from ppi.grounding import LexiconEntry

_PATTERNS = (
    # numbers of databases, clones and sequences
    r"(?:LOC|RGD|MGC:?|FLJ|ENSRNOG|NEWGENE_)[0-9]{3,}.*|AABR[0-9].*|A[CL][0-9]{6}\.[0-9]+|[A-Z]{1,2}[0-9]{5,6}",
    r"[0-9A-Z]{10}Rik|GA_x.*|(?:wu|zgc|si|sb|xx|id|im|EG|BcDNA|clone):.*|etID[0-9].*|f[a-z][0-9]{2}[a-h][0-9]{2}",
    r"(?:bA|dJ)[0-9]+[A-Z][0-9]+.*|DKFZ[Pp].*|DKEYP?-.*|Dmel[\\_ ].*|[A-Z0-9]+_DROME|anon-.*",
    # descriptions of the unknown
    r"(?:uncharacteri[sz]ed|hypothetical|predicted|unknown|conserved hypothetical) (?:protein|gene)\b.*",
    r"(?:putative uncharacteri[sz]ed|RIKEN cDNA|expressed sequence|cDNA sequence|putative protein product of) .*",
    r"(?:uncharacteri[sz]ed LOC|protein LOC|similar to|gene model|MGC|LOC)[ 0-9].*|novel (?:protein|gene)",
    r"(?:chromosome .* open reading frame|open reading frame) .*",
)
_PLACEHOLDER = re.compile("|".join(_PATTERNS))
#: Fly's numbers of genes, which stand before those of their transcripts: CG4625-PA.
_FLY_NUMBER = re.compile(r"C[GR][0-9]+")
_FLY_PROTEIN = re.compile(r"(.+)-P[A-Z]{1,2}")


def without_placeholders(entry: LexiconEntry) -> LexiconEntry:
    """The entry with names that somebody may write.

    >>> entry = LexiconEntry("ncbigene:1", "Actb", ("MGC:123", "beta-actin"), ("RIKEN cDNA 1", "Actb-PA"))
    >>> without_placeholders(entry)[2:4]
    (('beta-actin',), ())
    """
    return entry._replace(synonyms=_kept(entry.synonyms, entry), names=_kept(entry.names, entry))


def is_placeholder(name: str) -> bool:
    """Whether the name is a number of a database, or a description of the unknown."""
    return _PLACEHOLDER.fullmatch(name) is not None


def _kept(names: tuple[str, ...], entry: LexiconEntry) -> tuple[str, ...]:
    return tuple(name for name in names if not is_placeholder(name) and not _is_transcript(name, entry))


def _is_transcript(name: str, entry: LexiconEntry) -> bool:
    """Whether the name is the number of a fly's protein; DNA-PK is none."""
    found = _FLY_PROTEIN.fullmatch(name)
    return found is not None and (found[1] == entry.symbol or _FLY_NUMBER.fullmatch(found[1]) is not None)
