"""How many of the interactions found join two mentions of one gene, by the numbers that people wrote down.

Documents of GNormPlus and NLM-Gene with an odd PubMed id, which nothing was chosen on: their bare text, and their text
with the mentions of genes given without numbers.  An interaction counts if both of its mentions overlap an annotated
one, and is of one gene if the two have a number in common; what a text says a protein does to itself is meant to be.
Beside each share stands, as a comparison, that with pairs of one protein kept.  Needs ``PPI_CORPORA``; ``scale``
shrinks the number of documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from corpora import Document
from lab.benchmarks.figure import Figure
from lab.frame.clock import cpu_seconds
from lab.frame.program import corpora_folder
from lab.grounding.gold import SETS, GeneMention, GoldDocument, with_mentions
from ppi.annotation import AnnotatedDocument, Annotator

_BAR, _AIM = 2.0, 0.5


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Percent of the interactions, from raw text and with mentions given, for each set."""
    folder = corpora_folder()
    usual, keeping = Annotator(), Annotator(keep_same=True)
    for gold_set in SETS:
        golds = [gold for gold in gold_set.read(folder) if not gold.is_for_choosing]
        golds = golds[: max(3, round(len(golds) * scale))]
        for what, documents in (
            ("raw text", [gold.document for gold in golds]),
            ("given mentions", [with_mentions(gold) for gold in golds]),
        ):
            seconds, found = cpu_seconds(partial(_annotated, usual, documents), repeats=1)
            reference_seconds, kept = cpu_seconds(partial(_annotated, keeping, documents), repeats=1)
            (same, known), (same_kept, known_kept) = of_one_gene(golds, found), of_one_gene(golds, kept)
            yield Figure(
                f"{gold_set.name}, {what}: percent of one gene, {same} of {known} (kept: {same_kept} of {known_kept})",
                100 * same / max(known, 1),
                "lower",
                _BAR,
                _AIM,
                True,
                seconds,
                reference_seconds,
            )


def _annotated(annotator: Annotator, documents: Sequence[Document]) -> list[AnnotatedDocument]:
    return list(annotator.annotate_documents(documents))


def of_one_gene(golds: Sequence[GoldDocument], found: Sequence[AnnotatedDocument]) -> tuple[int, int]:
    """How many interactions are of one gene, and how many have two mentions of annotated genes."""
    same = known = 0
    for gold, annotated in zip(golds, found, strict=True):
        for interaction in annotated.interactions:
            if interaction.homo:
                continue
            start = interaction.offset
            first, second = (
                _numbers(gold.mentions, start + entity.start, start + entity.end) for entity in interaction.proteins
            )
            if first and second:
                known += 1
                same += not first.isdisjoint(second)
    return same, known


def _numbers(mentions: Sequence[GeneMention], start: int, end: int) -> frozenset[str]:
    """The numbers of the annotated mention that shares most characters with a place."""
    shared = [(min(end, mention.span[1]) - max(start, mention.span[0]), mention) for mention in mentions]
    most, best = max(shared, key=lambda each: each[0], default=(0, None))
    return frozenset() if best is None or most <= 0 else frozenset(best.numbers)
