"""Judgements as a corpus: the sentences that were judged, with the two mentions and what was said of them.

A pair has the label True or False, the type where the judgement says one, and as remarks the verdict, who gave it and
when, and the comment; where one acts on the other, their roles are ``Agent`` and ``Target``.  ``not a protein`` gives
False, and the mention that it is about has the remark ``not_protein``.  The sentences that nobody judged are not there,
and neither are other mentions of those that are.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from corpora.errors import LossWarning, Problem
from corpora.formats.standoff import roles_as_infons
from corpora.types import Document, Entity, Pair, Sentence
from ppi.curation.judgement import Judgement
from ppi.curation.verdicts import NOT_A_PROTEIN
from ppi.export.documents import AGENT, TARGET

#: The name of such a corpus.
CORPUS = "curation"
_NOT_PROTEIN = ("not_protein", "true")


@dataclass
class _JudgedSentence:
    """A sentence with what was judged in it, while it is put together."""

    id: str
    text: str
    offset: int
    entities: dict[str, Entity] = field(default_factory=dict)
    pairs: dict[str, Pair] = field(default_factory=dict)

    def add(self, judgement: Judgement) -> bool:
        """Take in a judgement; False if another run gave its ids to other words."""
        interaction = judgement.interaction
        fits = interaction.sentence == self.text and interaction.offset == self.offset
        mentions = dict(zip((entity.id for entity in interaction.proteins), _mentions(judgement)))
        for id, entity in mentions.items():
            fits = fits and (id not in self.entities or self.entities[id].spans == entity.spans)
        if not fits or interaction.pair in self.pairs:
            return False
        for id, entity in mentions.items():
            self.entities[id] = _merge_mention(self.entities.get(id), entity)
        self.pairs[interaction.pair] = _pair(judgement)
        return True

    def sentence(self) -> Sentence:
        return Sentence(self.id, self.text, tuple(self.entities.values()), tuple(self.pairs.values()), (), self.offset)


def build_corpus(judgements: Iterable[Judgement], *, warn: bool = True) -> Iterator[Document]:
    """The documents of the judgements, one judgement per row, in the order in which they come first.

    Where two judgements give the same id to different words, because they are of different runs, the first is kept;
    how many were left out is said in one warning, unless nobody wants to hear.
    """
    n_skipped = 0
    documents: dict[str, dict[str, _JudgedSentence]] = {}
    pubmed: dict[str, str] = {}
    for judgement in judgements:
        interaction = judgement.interaction
        sentences = documents.setdefault(interaction.document, {})
        sentence = sentences.setdefault(
            interaction.sentence_id, _JudgedSentence(interaction.sentence_id, interaction.sentence, interaction.offset)
        )
        used_ids = {
            id for other in sentences.values() if other is not sentence for id in (*other.entities, *other.pairs)
        }
        ids = {interaction.pair, *(entity.id for entity in interaction.proteins)}
        if used_ids & ids or not sentence.add(judgement):
            n_skipped += 1
        elif judgement.pubmed is not None:
            pubmed.setdefault(interaction.document, judgement.pubmed)
    if n_skipped and warn:
        message = f"{n_skipped} judgements are left out: another run gave their ids to other words"
        warnings.warn(LossWarning(Problem(message)), stacklevel=2)
    for id, sentences in documents.items():
        ordered = sorted((sentence for sentence in sentences.values() if sentence.pairs), key=lambda each: each.offset)
        orig_id = f"PMID:{pubmed[id]}" if id in pubmed else None
        yield Document(id, tuple(sentence.sentence() for sentence in ordered), corpus=CORPUS, orig_id=orig_id)


def clean_document(document: Document, clean: Callable[[str], str]) -> Document:
    """The document with each of its texts cleaned of what a file cannot hold; ``clean`` keeps their lengths."""
    return Document.from_json(_clean_value(document.to_json(), clean))


def _clean_value(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_clean_value(item, clean) for item in value]
    if isinstance(value, dict):
        return {name: _clean_value(item, clean) for name, item in value.items()}
    return value


def _mentions(judgement: Judgement) -> tuple[Entity, Entity]:
    first, second = judgement.interaction.proteins
    if judgement.verdict != NOT_A_PROTEIN:
        return first, second
    return (
        _mark_not_protein(first) if judgement.mention in (1, None) else first,
        _mark_not_protein(second) if judgement.mention in (2, None) else second,
    )


def _mark_not_protein(entity: Entity) -> Entity:
    return replace(entity, infons=(*entity.infons, _NOT_PROTEIN))


def _merge_mention(previous: Entity | None, entity: Entity) -> Entity:
    """The mention as two judgements have it: not a protein, if one of them says so."""
    return previous if previous is not None and _NOT_PROTEIN in previous.infons else entity


def _pair(judgement: Judgement) -> Pair:
    first, second = judgement.verdict_participants or judgement.interaction.proteins
    roles = () if judgement.verdict_participants is None else roles_as_infons((AGENT, TARGET))
    infons: list[tuple[str, str]] = [
        *roles,
        ("verdict", judgement.verdict),
        ("curator", judgement.curator),
        ("time", judgement.time),
        ("probability", f"{judgement.interaction.probability:.4f}"),
    ]
    if judgement.comment:
        infons.append(("comment", judgement.comment))
    pair = judgement.interaction.pair
    return Pair(pair, first.id, second.id, judgement.label, judgement.verdict_type, tuple(infons))
