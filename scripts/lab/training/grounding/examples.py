"""Candidates of names as they are found, each right or wrong by what people wrote down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import Document
from lab.grounding.gold import GoldDocument, overlapping
from ppi.grounding import (
    BUDDING_YEAST,
    E_COLI,
    FISSION_YEAST,
    RAT,
    DocumentSpecies,
    GroundingCandidate,
    GroupFeatures,
    Lexicon,
    compute_group_features,
    needs_grounding,
)

Array = NDArray[np.float32]

#: Entrez gave whole genomes numbers in a row: genes of these species are known by their numbers alone.
_RANGES = {
    BUDDING_YEAST: ((850_000, 857_000),),
    FISSION_YEAST: ((2_538_000, 2_544_000), (3_361_000, 3_362_000)),
    E_COLI: ((944_000, 950_000),),
}
#: Plants and yeasts; what else is below a million and no gene of a list is a rat's if the text speaks of rats.
_NO_RAT = (814_000, 857_000)
_LAST_RAT = 1_000_000


class Examples(NamedTuple):
    """One row per candidate: features, right (1) or wrong (-1), number of the document."""

    features: Array
    targets: Array
    documents: NDArray[np.int64]


def examples(
    golds: Sequence[GoldDocument], documents: Sequence[Document], lexicon: Lexicon, known: set[str]
) -> Examples:
    """The candidates of all names of the documents.

    Parameters
    ----------
    known
        The Entrez numbers of the lexicon.
    """
    rows, targets, numbers = [], [], []
    for gold, document in zip(golds, documents, strict=True):
        for row, target in _of_document(gold, document, lexicon, known):
            rows.append(row)
            targets.append(target)
            numbers.append(int(document.id))
    return Examples(np.array(rows, np.float32), np.array(targets, np.float32), np.array(numbers))


def _of_document(
    gold: GoldDocument, document: Document, lexicon: Lexicon, known: set[str]
) -> Iterator[tuple[list[float], float]]:
    species = DocumentSpecies(document)
    for rated in compute_group_features(document, species, lexicon.candidates, needs_grounding):
        right = overlapping(gold, _spans(rated, document))
        for gene in rated.genes:
            yield gene.row, 1.0 if _is_right(gene.match.candidate, right, known, species) else -1.0


def _spans(rated: GroupFeatures, document: Document) -> list[tuple[int, int]]:
    return [
        (offset + mention.entity.start, offset + mention.entity.end)
        for mention in rated.group.mentions
        for offset in (document.sentences[mention.sentence].offset,)
    ]


def _is_right(candidate: GroundingCandidate, right: set[str], known: set[str], species: DocumentSpecies) -> bool:
    prefix, _, number = candidate.identifier.partition(":")
    if prefix == "ncbigene":
        return number in right
    others = [int(each) for each in right if each.isdigit() and each not in known]
    if candidate.taxid == RAT:
        return RAT in species.counts and any(
            each < _LAST_RAT and not _NO_RAT[0] <= each < _NO_RAT[1] for each in others
        )
    return any(first <= each < last for each in others for first, last in _RANGES.get(candidate.taxid or "", ()))
