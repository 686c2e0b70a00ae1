"""Align gold documents with the predictions for them, and count what cannot be compared.

Places are characters of the document.  In some corpora (the five interaction corpora, for example) the sentences of a
document all begin at 0; those are laid out one after another, a character apart, which is what our writers of BioC,
brat and PubTator do with them, so that two files count places in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from corpora import flatten_whitespace
from ppi.evaluation.scoring.claim_files import ClaimFile, SentenceText
from ppi.evaluation.scoring.claims import Claim


class Layout:
    """The sentences of a document in their places; ``is_shifted`` if they overlapped and were laid out."""

    def __init__(self, texts: Sequence[SentenceText]) -> None:
        self.is_shifted = _has_overlaps(texts)
        self.texts: list[SentenceText] = []
        end = -1
        for id, offset, text in texts:
            start = end + 1 if self.is_shifted else offset
            self.texts.append((id, start, text))
            end = start + len(text)
        self.starts = {id: start for id, start, _ in self.texts}

    def place_claim(self, claim: Claim) -> Claim:
        """The claim at its place in the layout; one that names none of its sentences stays where it is."""
        if not self.is_shifted or claim.sentence not in self.starts:
            return claim
        shift = self.starts[claim.sentence] - claim.offset
        first, second = (
            replace(participant, spans=tuple((start + shift, stop + shift) for start, stop in participant.spans))
            for participant in claim.participants
        )
        return replace(claim, participants=(first, second), offset=claim.offset + shift)

    def covers(self, claim: Claim) -> bool:
        """Whether there is some of the text of both mentions.

        A claim that knows no mention is about the whole document, and a document without any text has every place.
        """
        if not any(text for _, _, text in self.texts):
            return True
        return all(
            any(
                offset < stop and start < offset + len(text)
                for start, stop in participant.spans
                for _, offset, text in self.texts
            )
            for participant in claim.participants
            if participant.spans
        )

    def count_mismatched_mentions(self, claims: Iterable[Claim]) -> int:
        """How many different mentions of these claims are another text here; those not all here do not count."""
        mentions = {
            (participant.spans, participant.text)
            for claim in claims
            for participant in claim.participants
            if participant.spans and participant.text
        }
        wrong = 0
        for spans, text in mentions:
            fragments = [
                flatten_whitespace(sentence_text[start - offset : stop - offset])
                for start, stop in spans
                for _, offset, sentence_text in self.texts
                if offset <= start and stop <= offset + len(sentence_text)
            ]
            wrong += len(fragments) == len(spans) and " ".join(fragments) != flatten_whitespace(str(text))
        return wrong

    def count_missing_in(self, other: Layout) -> int:
        """How many sentences have no character in the other."""
        return sum(
            bool(text.strip())
            and not any(
                other_start < start + len(text) and start < other_start + len(other_text)
                for _, other_start, other_text in other.texts
            )
            for _, start, text in self.texts
        )


def _has_overlaps(texts: Sequence[SentenceText]) -> bool:
    end = -1
    for _, offset, text in sorted(texts, key=lambda sentence: sentence[1]):
        if offset < end and text:
            return True
        end = max(end, offset + len(text))
    return False


@dataclass
class Coverage:
    """Counts of what was scored and what was left out, so that nothing is left out silently."""

    gold_documents: int = 0
    predicted_documents: int = 0
    #: records that could not be read, and were left out because that was allowed
    problems_of_gold: int = 0
    problems_of_predictions: int = 0
    #: gold documents without predictions: their pairs are missed
    documents_only_in_gold: list[str] = field(default_factory=list)
    #: not scored
    documents_only_predicted: list[str] = field(default_factory=list)
    #: documents that were matched by their PubMed id, their own ids being different
    matched_by_pubmed: int = 0
    #: sentences of gold of which the predicted documents have no character, and the other way round
    sentences_only_in_gold: int = 0
    sentences_only_predicted: int = 0
    #: predicted claims outside the text that gold has: not scored
    claims_outside_gold: int = 0
    #: predicted claims that name no sentence where gold's sentences all begin at 0: not scored
    claims_without_sentence: int = 0
    #: predicted claims that gold holds as not annotated: not scored
    claims_not_annotated: int = 0
    #: predicted claims that repeat another one of the file
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
class AlignedDocument:
    """A gold document and the claims predicted in it, places being counted in the same way."""

    id: str
    gold: list[Claim]
    predicted: list[Claim] = field(default_factory=list)


def align(gold: ClaimFile, predicted: ClaimFile, coverage: Coverage) -> list[AlignedDocument]:
    """Every gold document with the predictions that can be scored; ``coverage`` counts the others."""
    predicted_ids = _match_documents(gold, predicted, coverage)
    documents = []
    for id, texts in gold.texts.items():
        layout = Layout(texts)
        document = AlignedDocument(id, [layout.place_claim(claim) for claim in gold.claims.get(id, [])])
        documents.append(document)
        for predicted_id in predicted_ids.get(id, ()):
            _add_predictions(document, layout, gold, predicted, predicted_id, coverage)
    coverage.documents_only_in_gold = [id for id in gold.texts if id not in predicted_ids]
    return documents


def _match_documents(gold: ClaimFile, predicted: ClaimFile, coverage: Coverage) -> dict[str, list[str]]:
    """The predicted documents of each gold one: by id, or by PubMed id where that names one."""
    by_pubmed: dict[str, list[str]] = {}
    for id, pubmed in gold.pubmed.items():
        by_pubmed.setdefault(pubmed, []).append(id)
    predicted_ids: dict[str, list[str]] = {}
    for id in predicted.texts:
        gold_ids = [id] if id in gold.texts else by_pubmed.get(predicted.pubmed.get(id, ""), [])
        if len(gold_ids) == 1:
            predicted_ids.setdefault(gold_ids[0], []).append(id)
            coverage.matched_by_pubmed += gold_ids[0] != id
        else:
            coverage.documents_only_predicted.append(id)
    return predicted_ids


def _add_predictions(
    document: AlignedDocument, layout: Layout, gold: ClaimFile, predicted: ClaimFile, id: str, coverage: Coverage
) -> None:
    predicted_layout = Layout(predicted.texts[id])
    for claim in predicted.claims.get(id, []):
        if layout.is_shifted and claim.sentence in layout.starts:
            placed_claim = layout.place_claim(claim)
        elif predicted.whole:
            placed_claim = predicted_layout.place_claim(claim)
        elif layout.is_shifted and claim.sentence is None and any(end.spans for end in claim.participants):
            coverage.claims_without_sentence += 1
            continue
        else:
            placed_claim = claim
        if gold.whole and not layout.covers(placed_claim):
            coverage.claims_outside_gold += 1
        else:
            document.predicted.append(placed_claim)
    coverage.mentions_with_other_text += layout.count_mismatched_mentions(document.predicted)
    if gold.whole and predicted.whole:
        coverage.sentences_only_in_gold += layout.count_missing_in(predicted_layout)
        coverage.sentences_only_predicted += predicted_layout.count_missing_in(layout)


def count_partial_claims(documents: Iterable[AlignedDocument], coverage: Coverage) -> None:
    """Count the claims that are counted on one level only, or not at all."""
    for document in documents:
        predicted = [claim for claim in document.predicted if claim.label]
        gold = [claim for claim in document.gold if claim.label]
        distinct = {
            (_participant_keys(claim, ordered=claim.directed), claim.type, claim.directed) for claim in predicted
        }
        coverage.claims_repeated += len(predicted) - len(distinct)
        coverage.claims_without_identifiers += sum(not _has_identifiers(claim) for claim in predicted)
        coverage.claims_without_mentions += sum(not _has_mentions(claim) for claim in predicted)
        coverage.gold_without_identifiers += sum(not _has_identifiers(claim) for claim in gold)
        coverage.gold_without_mentions += sum(not _has_mentions(claim) for claim in gold)
        annotated = {_participant_keys(claim) for claim in document.gold if claim.label is not None}
        unannotated = {_participant_keys(claim) for claim in document.gold if claim.label is None} - annotated
        coverage.claims_not_annotated += sum(_participant_keys(claim) in unannotated for claim in predicted)


def _participant_keys(claim: Claim, *, ordered: bool = False) -> tuple[Any, ...]:
    """The two by place or, where there is none, by identifiers; sorted, unless their order counts."""
    keys = ((end.spans, () if end.spans else end.identifiers) for end in claim.participants)
    return tuple(keys if ordered else sorted(keys))


def _has_identifiers(claim: Claim) -> bool:
    return claim.projected or all(participant.identifiers for participant in claim.participants)


def _has_mentions(claim: Claim) -> bool:
    return all(participant.spans for participant in claim.participants)
