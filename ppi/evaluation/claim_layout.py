"""Where the sentences of a document stand, so that two files count places in the same way.

Places are characters of the document.  In some corpora (the five interaction corpora, for example) the sentences of a
document all begin at 0; those are laid out one after another, a character apart, which is what our writers of BioC,
brat and PubTator do with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from corpora.formats.standoff import flat
from ppi.evaluation.claim_files import SentenceText
from ppi.evaluation.claims import Claim


class Layout:
    """The sentences of a document in their places; ``moved`` if they overlapped and were laid out."""

    def __init__(self, texts: Sequence[SentenceText]) -> None:
        self.moved = _overlap(texts)
        self.texts: list[SentenceText] = []
        end = -1
        for id, offset, text in texts:
            start = end + 1 if self.moved else offset
            self.texts.append((id, start, text))
            end = start + len(text)
        self.starts = {id: start for id, start, _ in self.texts}

    def placed(self, claim: Claim) -> Claim:
        """The claim at its place in the layout; one that names none of its sentences stays where it is."""
        if not self.moved or claim.sentence not in self.starts:
            return claim
        shift = self.starts[claim.sentence] - claim.offset
        first, second = (
            replace(end, spans=tuple((start + shift, stop + shift) for start, stop in end.spans)) for end in claim.ends
        )
        return replace(claim, ends=(first, second), offset=claim.offset + shift)

    def has(self, claim: Claim) -> bool:
        """Whether there is some of the text of both mentions.

        A claim that knows no mention is about the whole document, and a document without any text has every place.
        """
        if not any(text for _, _, text in self.texts):
            return True
        return all(
            any(
                offset < stop and start < offset + len(text)
                for start, stop in end.spans
                for _, offset, text in self.texts
            )
            for end in claim.ends
            if end.spans
        )

    def contradicted(self, claims: Iterable[Claim]) -> int:
        """How many different mentions of these claims are another text here; those not all here do not count."""
        mentions = {(end.spans, end.text) for claim in claims for end in claim.ends if end.spans and end.text}
        wrong = 0
        for spans, text in mentions:
            found = [
                flat(whole[start - offset : stop - offset])
                for start, stop in spans
                for _, offset, whole in self.texts
                if offset <= start and stop <= offset + len(whole)
            ]
            wrong += len(found) == len(spans) and " ".join(found) != flat(str(text))
        return wrong

    def missing_in(self, other: Layout) -> int:
        """How many sentences have no character in the other."""
        return sum(
            bool(text.strip())
            and not any(begin < start + len(text) and start < begin + len(own) for _, begin, own in other.texts)
            for _, start, text in self.texts
        )


def _overlap(texts: Sequence[SentenceText]) -> bool:
    end = -1
    for _, offset, text in sorted(texts, key=lambda each: each[1]):
        if offset < end and text:
            return True
        end = max(end, offset + len(text))
    return False
