"""Gold documents beside what is predicted in them, and what that leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ppi.evaluation.claim_files import ClaimFile
from ppi.evaluation.claim_layout import Layout
from ppi.evaluation.claims import Claim


@dataclass
class Told:
    """What was counted and what was left out, so that nothing is left out silently."""

    gold_documents: int = 0
    predicted_documents: int = 0
    #: what could not be read, and was left out because that was allowed
    problems_of_gold: int = 0
    problems_of_predictions: int = 0
    #: gold documents of which the predictions say nothing: their pairs are missed
    documents_only_in_gold: list[str] = field(default_factory=list)
    #: not judged
    documents_only_predicted: list[str] = field(default_factory=list)
    #: documents that were matched by their PubMed id, their own ids being different
    matched_by_pubmed: int = 0
    #: sentences of gold of which the predicted documents have no character, and the other way round
    sentences_only_in_gold: int = 0
    sentences_only_predicted: int = 0
    #: predicted claims outside the text that gold has: not judged
    claims_outside_gold: int = 0
    #: predicted claims that name no sentence where gold's sentences all begin at 0: not judged
    claims_without_sentence: int = 0
    #: predicted claims that gold holds as not annotated: not judged
    claims_not_annotated: int = 0
    #: predicted claims that say what another one of the file says
    claims_repeated: int = 0
    #: predicted claims whose mentions have no identifier, or that know no mention: counted on one level only
    claims_without_identifiers: int = 0
    claims_without_mentions: int = 0
    gold_without_identifiers: int = 0
    gold_without_mentions: int = 0
    #: types, where none is common to both and they are not compared
    types_of_gold: list[str] = field(default_factory=list)
    types_predicted: list[str] = field(default_factory=list)
    #: predicted mentions that gold's text contradicts: counted, but are these the same texts?
    mentions_with_other_text: int = 0


@dataclass
class Judged:
    """A gold document and what is predicted in it, places being counted in the same way."""

    id: str
    gold: list[Claim]
    predicted: list[Claim] = field(default_factory=list)


def align(gold: ClaimFile, predicted: ClaimFile, told: Told) -> list[Judged]:
    """Every gold document with the predictions that can be judged; ``told`` counts the others."""
    homes = _homes(gold, predicted, told)
    both = {}
    for id, texts in gold.texts.items():
        layout = Layout(texts)
        both[id] = document = Judged(id, [layout.placed(claim) for claim in gold.claims.get(id, [])])
        for own in homes.get(id, ()):
            _add_predicted(document, layout, gold, predicted, own, told)
    told.documents_only_in_gold = [id for id in both if id not in homes]
    return list(both.values())


def _homes(gold: ClaimFile, predicted: ClaimFile, told: Told) -> dict[str, list[str]]:
    """The predicted documents of each gold one: by id, or by PubMed id where that names one."""
    by_pubmed: dict[str, list[str]] = {}
    for id, pubmed in gold.pubmed.items():
        by_pubmed.setdefault(pubmed, []).append(id)
    homes: dict[str, list[str]] = {}
    for id in predicted.texts:
        found = [id] if id in gold.texts else by_pubmed.get(predicted.pubmed.get(id, ""), [])
        if len(found) == 1:
            homes.setdefault(found[0], []).append(id)
            told.matched_by_pubmed += found[0] != id
        else:
            told.documents_only_predicted.append(id)
    return homes


def _add_predicted(
    document: Judged, layout: Layout, gold: ClaimFile, predicted: ClaimFile, id: str, told: Told
) -> None:
    own = Layout(predicted.texts[id])
    for claim in predicted.claims.get(id, []):
        if layout.moved and claim.sentence in layout.starts:
            placed = layout.placed(claim)
        elif predicted.whole:
            placed = own.placed(claim)
        elif layout.moved and claim.sentence is None and any(end.spans for end in claim.ends):
            told.claims_without_sentence += 1
            continue
        else:
            placed = claim
        if gold.whole and not layout.has(placed):
            told.claims_outside_gold += 1
        else:
            document.predicted.append(placed)
    told.mentions_with_other_text += layout.contradicted(document.predicted)
    if gold.whole and predicted.whole:
        told.sentences_only_in_gold += layout.missing_in(own)
        told.sentences_only_predicted += own.missing_in(layout)


def tell_claims(documents: Iterable[Judged], told: Told) -> None:
    """Count the claims that are counted on one level only, or not at all."""
    for document in documents:
        predicted = [claim for claim in document.predicted if claim.label]
        distinct = {
            (tuple(ends if claim.directed else sorted(ends)), claim.type, claim.directed)
            for claim in predicted
            for ends in [_ends(claim)]
        }
        told.claims_repeated += len(predicted) - len(distinct)
        told.claims_without_identifiers += sum(not _has_identifiers(claim) for claim in predicted)
        told.claims_without_mentions += sum(not _has_mentions(claim) for claim in predicted)
        gold = [claim for claim in document.gold if claim.label]
        told.gold_without_identifiers += sum(not _has_identifiers(claim) for claim in gold)
        told.gold_without_mentions += sum(not _has_mentions(claim) for claim in gold)
        known, unknown = (
            {tuple(sorted(_ends(claim))) for claim in document.gold if (claim.label is None) == none}
            for none in (False, True)
        )
        told.claims_not_annotated += sum(tuple(sorted(_ends(claim))) in unknown - known for claim in predicted)


def _ends(claim: Claim) -> list[Any]:
    """By place or, where there is none, by identifiers."""
    return [(end.spans, () if end.spans else end.identifiers) for end in claim.ends]


def _has_identifiers(claim: Claim) -> bool:
    return claim.projected or all(end.identifiers for end in claim.ends)


def _has_mentions(claim: Claim) -> bool:
    return all(end.spans for end in claim.ends)
