"""How many of the genes are people's: of a document as a set, from raw text; of each mention, where these are given.

Both speak of Entrez numbers, in which the annotators wrote.  The lexicon has rat, yeasts and *E. coli* under numbers of
other databases; an answer in those can be neither right nor wrong here, and is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpora import Document, Entity
from lab.grounding.gold import HUMAN, GoldDocument
from learners import precision_recall_f

ENTREZ = "ncbigene:"
MEMBERS = "members"


class SetScores(NamedTuple):
    """Micro-averaged over documents, as fractions."""

    precision: float
    recall: float
    f: float
    #: F if identifiers that are no Entrez numbers count as wrong
    strict_f: float
    #: the same measure if ambiguous mentions give all their candidates
    ambiguous_f: float


def set_scores(golds: Sequence[GoldDocument], documents: Sequence[Document], *, human: bool) -> SetScores:
    """Genes of documents as sets; a mention that stays ambiguous gives none."""
    counts: Counter[str] = Counter()
    for gold, document in zip(golds, documents, strict=True):
        wanted = gold.genes(human=human)
        found = identifiers_of(document, human=human)
        numbers = {each.removeprefix(ENTREZ) for each in found if each.startswith(ENTREZ)}
        listed = identifiers_of(document, human=human, ambiguous=True)
        every = {each.removeprefix(ENTREZ) for each in listed if each.startswith(ENTREZ)}
        counts.update(
            right=len(numbers & wanted),
            found=len(numbers),
            wanted=len(wanted),
            strict=len(found),
            every=len(every),
            every_right=len(every & wanted),
        )
    right, wanted_total = counts["right"], counts["wanted"]
    precision, recall, f = precision_recall_f(right, counts["found"], wanted_total)
    strict = precision_recall_f(right, counts["strict"], wanted_total)[2]
    ambiguous = precision_recall_f(counts["every_right"], counts["every"], wanted_total)[2]
    return SetScores(precision, recall, f, strict, ambiguous)


def identifiers_of(document: Document, *, human: bool, ambiguous: bool = False) -> set[str]:
    """The genes that mentions were found to be; those of ambiguous ones if asked for."""
    return {
        identifier
        for sentence in document.sentences
        for entity in sentence.entities
        for identifier in genes_of(entity, ambiguous=ambiguous)
        if not human or dict(entity.infons).get("species") in (None, HUMAN)
    }


def genes_of(entity: Entity, *, ambiguous: bool) -> Iterator[str]:
    """The genes of a mention; none if it is a family, or ambiguous."""
    remarks = dict(entity.infons)
    if "entity_kind" in remarks or ("ambiguous" in remarks and not ambiguous):
        return iter(())
    return iter(entity.identifiers)


class MentionScores(NamedTuple):
    """Of mentions with an identifier: how many have the right one, as fractions."""

    accuracy: float
    #: of those whose gene the lexicon has under its Entrez number
    reachable_accuracy: float
    #: the share of those
    reachable: float
    mentions: int


def mention_scores(golds: Iterable[GoldDocument], documents: Iterable[Document], known: set[str]) -> MentionScores:
    """Given mentions; right is an answer that is not empty and has no gene that people did not write.

    Parameters
    ----------
    known
        The Entrez numbers of the lexicon.
    """
    right = total = reachable = 0
    for gold, document in zip(golds, documents):
        answers = {
            (sentence.offset + entity.start, sentence.offset + entity.end): entity
            for sentence in document.sentences
            for entity in sentence.entities
        }
        for mention in gold.mentions:
            total += 1
            reachable += not known.isdisjoint(mention.numbers)
            entity = answers.get(mention.span)
            found = set() if entity is None else set(genes_of(entity, ambiguous=True))
            right += bool(found) and found <= {ENTREZ + number for number in mention.numbers}
    return MentionScores(right / max(total, 1), right / max(reachable, 1), reachable / max(total, 1), total)
