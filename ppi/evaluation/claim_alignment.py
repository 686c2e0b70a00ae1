"""Gold documents beside what is predicted in them, and what that leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpora.formats.standoff import flat
from ppi.evaluation.claim_files import ClaimFile, SentenceText
from ppi.evaluation.claim_matching import place_of
from ppi.evaluation.claims import Claim


@dataclass
class Told:
    """What was counted and what was left out, so that nothing is left out silently."""

    gold_documents: int = 0
    predicted_documents: int = 0
    #: gold documents of which the predictions say nothing: their pairs are missed
    documents_only_in_gold: list[str] = field(default_factory=list)
    #: not judged
    documents_only_predicted: list[str] = field(default_factory=list)
    #: documents that were matched by their PubMed id, their own ids being different
    matched_by_pubmed: int = 0
    #: sentences of gold of which the predicted documents have no character
    sentences_only_in_gold: int = 0
    #: predicted claims outside the text that gold has: not judged
    claims_outside_gold: int = 0
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
    """A gold document and what is predicted in it."""

    id: str
    gold: list[Claim]
    predicted: list[Claim] = field(default_factory=list)
    #: whether its sentences overlap, so that places are told by them
    by_sentence: bool = False


def align(gold: ClaimFile, predicted: ClaimFile, told: Told) -> list[Judged]:
    """Every gold document with the predictions that can be judged; ``told`` counts the others."""
    both = {id: Judged(id, gold.claims.get(id, []), [], _overlaps(texts)) for id, texts in gold.texts.items()}
    by_pubmed: dict[str, list[str]] = {}
    for id, pubmed in gold.pubmed.items():
        by_pubmed.setdefault(pubmed, []).append(id)
    seen = set()
    for id, texts in predicted.texts.items():
        home = id if id in both else None
        if home is None and len(found := by_pubmed.get(predicted.pubmed.get(id, ""), [])) == 1:
            home = found[0]
            told.matched_by_pubmed += 1
        if home is None:
            told.documents_only_predicted.append(id)
            continue
        seen.add(home)
        document = both[home]
        for claim in predicted.claims.get(id, []):
            if gold.whole and not _is_inside(claim, gold.texts[home], document.by_sentence):
                told.claims_outside_gold += 1
            else:
                document.predicted.append(claim)
        told.mentions_with_other_text += _contradicted(document, gold.texts[home])
        if predicted.whole and not document.by_sentence:
            told.sentences_only_in_gold += _uncovered(gold.texts[home], texts)
    told.documents_only_in_gold = [id for id in both if id not in seen]
    return list(both.values())


def _overlaps(texts: Sequence[SentenceText]) -> bool:
    end = -1
    for _, offset, text in sorted(texts, key=lambda each: each[1]):
        if offset < end and text:
            return True
        end = max(end, offset + len(text))
    return False


def _is_inside(claim: Claim, texts: Sequence[SentenceText], by_sentence: bool) -> bool:
    """Whether gold has the text of both mentions; a claim that knows none is about the whole document."""
    if by_sentence:
        return claim.sentence is None or any(id == claim.sentence for id, _, _ in texts)
    return all(
        any(offset <= start and end <= offset + len(text) for _, offset, text in texts)
        for each in claim.ends
        for start, end in each.spans
    )


def _contradicted(document: Judged, texts: Sequence[SentenceText]) -> int:
    """Predicted mentions that are another text in gold."""
    if document.by_sentence:
        return 0
    mentions = {(end.spans, end.text) for claim in document.predicted for end in claim.ends if end.spans and end.text}
    wrong = 0
    for spans, text in mentions:
        found = [
            flat(whole[start - offset : end - offset])
            for start, end in spans
            for _, offset, whole in texts
            if offset <= start and end <= offset + len(whole)
        ]
        wrong += bool(found) and " ".join(found) != flat(str(text))
    return wrong


def _uncovered(gold: Sequence[SentenceText], predicted: Sequence[SentenceText]) -> int:
    return sum(
        bool(text.strip())
        and not any(start < offset + len(text) and offset < start + len(other) for _, start, other in predicted)
        for _, offset, text in gold
    )


def tell_claims(documents: Iterable[Judged], told: Told) -> None:
    """Count the claims that are counted on one level only, or not at all."""
    for document in documents:
        predicted = [claim for claim in document.predicted if claim.label]
        distinct = {
            (tuple(ends if claim.directed else sorted(ends)), claim.type, claim.directed)
            for claim in predicted
            for ends in [_ends(claim, document.by_sentence)]
        }
        told.claims_repeated += len(predicted) - len(distinct)
        told.claims_without_identifiers += sum(not _has_identifiers(claim) for claim in predicted)
        told.claims_without_mentions += sum(not _has_mentions(claim) for claim in predicted)
        gold = [claim for claim in document.gold if claim.label]
        told.gold_without_identifiers += sum(not _has_identifiers(claim) for claim in gold)
        told.gold_without_mentions += sum(not _has_mentions(claim) for claim in gold)
        known, unknown = (
            {
                tuple(sorted(_ends(claim, document.by_sentence)))
                for claim in document.gold
                if (claim.label is None) == none
            }
            for none in (False, True)
        )
        told.claims_not_annotated += sum(
            tuple(sorted(_ends(claim, document.by_sentence))) in unknown - known for claim in predicted
        )


def _ends(claim: Claim, by_sentence: bool) -> list[Any]:
    """By place or, where there is none, by identifiers."""
    return [(place_of(claim, end, by_sentence), end.identifiers if not end.spans else ()) for end in claim.ends]


def _has_identifiers(claim: Claim) -> bool:
    return claim.projected or all(end.identifiers for end in claim.ends)


def _has_mentions(claim: Claim) -> bool:
    return all(end.spans for end in claim.ends)
