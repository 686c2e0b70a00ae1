"""Names of types, so that two files that call one thing differently can be compared.

Types are compared in lower case, white space and hyphens as ``_``.  Unless exact names are asked for, what the
event corpora, BioRED and our own outputs distinguish further is one of our three:

============  ==============================================================================================
binding       ``Bind``, ``Binding``, ``Complex_formation``, ``Physical_association``
modification  ``Phosphorylation`` and the other changes of a protein, ``Modification``, ``Protein_modification``,
              ``Catalysis``
regulation    ``Regulation``, ``Positive_regulation``, ``Negative_regulation``, ``Activation``, ``Inactivation``,
              ``Inhibition``
============  ==============================================================================================

Any other name stands for itself.
"""

from __future__ import annotations

import re

from corpora.interactions import BINDING, MODIFICATION, MODIFICATION_KINDS, REGULATION, SIGNS

_COARSE_TYPES = {
    **dict.fromkeys(("bind", "binding", "complex_formation", "physical_association"), BINDING),
    **dict.fromkeys((MODIFICATION, *(name.lower() for name in MODIFICATION_KINDS)), MODIFICATION),
    **dict.fromkeys((REGULATION, "inhibition", *(name.lower() for name in SIGNS)), REGULATION),
}
#: Types that say of neither that it acts on the other, beside the bindings.
SYMMETRIC_TYPES = frozenset({"", "interaction", "ppi", "ppim", "association", "cotreatment", "comparison"})


def normalize_type(raw_type: str | None, *, exact: bool = False) -> str:
    """The type as it is compared; empty where there is none.

    >>> normalize_type("Positive_regulation"), normalize_type("negative regulation"), normalize_type("Bind"), normalize_type("Cotreatment")
    ('regulation', 'regulation', 'binding', 'cotreatment')
    >>> normalize_type("Positive-Regulation", exact=True)
    'positive_regulation'
    """
    name = re.sub(r"[\s\-]+", "_", (raw_type or "").strip().lower())
    return name if exact else _COARSE_TYPES.get(name, name)


def is_symmetric(raw_type: str | None) -> bool:
    """Whether the order of the two says nothing.

    >>> is_symmetric("Binding"), is_symmetric(None), is_symmetric("Phosphorylation")
    (True, True, False)
    """
    name = normalize_type(raw_type)
    return name == BINDING or name in SYMMETRIC_TYPES
