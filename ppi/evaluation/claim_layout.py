"""Where the sentences of a document stand, so that two files count places in the same way.

Places are characters of the document.  In some corpora (the five interaction corpora, for example) the sentences of a
document all begin at 0; those are laid out one after another, a character apart, which is what our writers of BioC,
brat and PubTator do with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from corpora.formats.standoff import flatten_whitespace
from ppi.evaluation.claim_files import SentenceText
from ppi.evaluation.claims import Claim


class Layout:
    """The sentences of a document in their places; ``moved`` if they overlapped and were laid out."""

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
