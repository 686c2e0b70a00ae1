"""Two mentions that are one noun phrase, a class and who belongs to it; or a gene and what it encodes.

"The ATPase VPS4", "lipid phosphatase SHIP-1", "mTOR kinase" name one protein in two words; "the cytokines TNF, IL-2 and
IL-6", "CDKs, including CDK2" name a class and its members.  Neither says that the two interact.

* Two mentions with nothing but white space between them are one phrase, unless a noun for what they do together
  follows ("Bcl-2 Bax heterodimers"); behind a word that is only a class they always are ("the ATPase VPS4 complex").
* "α-adaptin is encoded by the apa-2 gene", "TP53 encodes the tumour suppressor p53": a gene and its product.
* A mention that is only a class, or a plural (``cytokines``, ``MAP kinases``, ``CDKs``), is the class of the mentions
  that are listed behind it: nothing but commas, brackets, ``and``, ``or``, ``including``, ``such as`` and other
  mentions stands between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpora.types import Entity
from ppi.grounding.names import is_class

#: Behind two names: what they do together.
_JOINT_NOUN = re.compile(
    r"[\s\-]*(?:protein[\s\-]+)?(?:hetero\w*|homo\w*|dimers?|dimeri[sz]ation|complex\w*|interact(?:ions?|ing|ome)|binding|"
    r"associations?|conjugat(?:es?|ions?)|chimer\w*|fusion\w*|axis|pathway|signal(?:l?ing|s?)|cascade|loop|interface|pair)\b",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"(?:[\s,;:()\[\]/]|\b(?:and|or|including|includes?|such as|namely|like|especially|notably|particularly|the|both"
    r"|termed|called|named)\b|\be\.g\.|\bi\.e\.)+"
)
#: A plural by its last word: CDKs, MAP kinases, receptors; not Ras or Fas.
_PLURAL = re.compile(r"(?:[a-z]{4,}[^s\W]s|[A-Z0-9]{2,}s)$")
#: Between a gene and its product, in either order.
_ENCODING = re.compile(
    r"(?:\s+genes?)?,?(?:\s+(?:which|that|is|are|was|were|also|and|the|a|an|gene|protein|product|likely))*\s+"
    r"(?:encod(?:es?|ed|ing)|codes? for|coding for)"
    r"(?:\s+(?:by|the|a|an|gene|genes|for|protein|\w+(?:al|ic|ed|ory|ing|ase|or|er)))*\s+"
)
#: A longer gap is no list.
_MAX_LIST_GAP_CHARS = 300


def is_apposition(text: str, first: Entity, second: Entity, proteins: Sequence[Entity]) -> bool:
    """Whether two mentions of a sentence, in text order, are a class and who belongs to it, or a gene and its product.

    >>> text = "The ATPase VPS4 and the cytokines TNF and IL-6 bind Bcl-2 Bax dimers."
    >>> words = ("ATPase", "VPS4", "cytokines", "TNF", "IL-6", "Bcl-2", "Bax")
    >>> names = [Entity(word, word, ((text.index(word), text.index(word) + len(word)),)) for word in words]
    >>> [is_apposition(text, names[a], names[b], names) for a, b in ((0, 1), (1, 3), (2, 3), (2, 4), (3, 4), (5, 6))]
    [True, False, True, True, False, False]
    """
    if second.start < first.end or second.start - first.end > _MAX_LIST_GAP_CHARS:
        return False
    gap = text[first.end : second.start]
    if _ENCODING.fullmatch(gap):
        return True
    if gap.isspace():
        return is_class(first.text) or _JOINT_NOUN.match(text[second.end : second.end + 40]) is None
    if not (is_class(first.text) or _PLURAL.search(first.text)):
        return False
    # mentions between the two are part of the list; each becomes one comma
    for other in sorted(proteins, key=lambda entity: -entity.start):
        if first.end <= other.start and other.end <= second.start:
            gap = gap[: other.start - first.end] + "," + gap[other.end - first.end :]
    return _LISTING.fullmatch(gap) is not None
