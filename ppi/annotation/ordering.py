"""In which order interactions are shown: that of the documents, or the most probable first.

The best can be first only when all are known.  So many are held as a person may want to read; if more come, the order
is that of the documents, and memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from ppi.annotation.types import AnnotatedDocument

#: Interactions that are held to show the best first, where nobody asked for an order.
MAX_SORTED_INTERACTIONS = 1000


def sort_by_probability(annotated: Iterable[AnnotatedDocument]) -> list[AnnotatedDocument]:
    """Each interaction as a document of its own, the most probable first; of equals, in the order of the documents.

    Documents without an interaction are left out: only formats with one row per interaction are written so.
    """
    single = [
        replace(document, interactions=(interaction,))
        for document in annotated
        for interaction in document.interactions
    ]
    return sorted(single, key=lambda document: -document.interactions[0].probability)


def sort_by_probability_if_few(
    annotated: Iterable[AnnotatedDocument], limit: int = MAX_SORTED_INTERACTIONS
) -> Iterator[AnnotatedDocument]:
    """The best first if there are at most so many interactions; otherwise as the documents come."""
    remaining = iter(annotated)
    buffered: list[AnnotatedDocument] = []
    count = 0
    for document in remaining:
        buffered.append(document)
        count += len(document.interactions)
        if count > limit:
            return chain(buffered, remaining)
    return iter(sort_by_probability(buffered))
