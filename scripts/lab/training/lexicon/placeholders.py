"""Names that databases give to what has none, or to single clones and transcripts; no text says them.

They are left out.  Official symbols stay, whatever they look like.
"""

from __future__ import annotations

import re

from ppi.grounding.candidate import Entry

_PATTERNS = (
    # numbers of databases, clones and sequences, of several species, rat, mouse, zebrafish and fly
    r"(?:LOC|RGD|MGC:?|AABR|ENSRNOG|NEWGENE_|FLJ)[0-9].*|A[CL][0-9]{6}\.[0-9]+",
    r"[A-Z]{1,2}[0-9]{5,6}|[0-9A-Z]{10}Rik|GA_x.*",
    r"(?:wu|zgc|si|sb|xx|id|im|bA|dJ|DKFZp?|EG|BcDNA|clone|etID)[:0-9].*|f[a-z][0-9]{2}[a-h][0-9]{2}|DKEYP?-.*",
    r"Dmel[\\_ ].*|(?:.*\S)?-P[A-Z]{1,2}|.*_DROME|anon-.*|(?:GH|LD|RE|RH|SD|LP|GM|AT|BEST)[:0-9].*",
    # descriptions of the unknown
    r"(?:uncharacteri[sz]ed|hypothetical|predicted|novel|unknown|conserved hypothetical) (?:protein|gene).*",
    r"(?:putative uncharacteri[sz]ed|RIKEN cDNA|expressed sequence|cDNA sequence|putative protein product of) .*",
    r"(?:predicted gene|uncharacteri[sz]ed LOC|protein LOC|similar to|gene model|MGC|LOC)[ 0-9].*",
    r"(?:chromosome .* open reading frame|open reading frame) .*",
)
_PLACEHOLDER = re.compile("|".join(_PATTERNS))


def without_placeholders(entry: Entry) -> Entry:
    """The entry with names that somebody may write.

    >>> without_placeholders(Entry("ncbigene:1", "Actb", ("MGC:123", "beta-actin", "Actb-PA"), ("RIKEN cDNA 1",)))[2:4]
    (('beta-actin',), ())
    """
    return entry._replace(synonyms=_kept(entry.synonyms), names=_kept(entry.names))


def is_placeholder(name: str) -> bool:
    """Whether the name is a number of a database, or a description of the unknown."""
    return _PLACEHOLDER.fullmatch(name) is not None


def _kept(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if not is_placeholder(name))
