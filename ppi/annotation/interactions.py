"""Builds candidate graphs from parsed documents, and interactions from their predictions; merges aliases.

One statement is one interaction: "Fatty aldehyde dehydrogenase (FALDH; ALDH3A2) binds PEX19" makes three pairs of
mentions.  Of the pairs of mentions of the same two proteins in a sentence (:func:`ppi.grounding.is_same_protein`) the
most probable one is kept, with its type, direction and evidence, of equally probable ones the first; the others are its
aliases.  Where their types or directions differ, those of the kept one hold, and each alias has its own type.  What a
sentence denies, or only supposes, is a statement apart from what it states of the same two.  Pairs that are of one
protein, and were asked for, stay as they are.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from corpora import Document, Entity
from kernels import CandidateGraph, sentence_candidates, sentence_graph
from ppi.annotation.evidence import build_evidence
from ppi.annotation.pairs import DEFAULT_KINDS, candidate_pairs, is_apposition, is_protein
from ppi.annotation.results import Alias, Evidence, Interaction
from ppi.annotation.self_statements import find_self_statements
from ppi.extraction import INTERACTION, Explanation, Extractor, Prediction
from ppi.grounding import Identity, identify, is_same_protein

#: What a rule found has no features to draw.
_NO_DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="1" height="1"></svg>'


class CandidateGraphs(NamedTuple):
    """Of several documents: those of document ``n`` are ``graphs[bounds[n]:bounds[n + 1]]``.

    ``skipped`` holds, for each document, the ids of its sentences that are too long to be searched.
    """

    graphs: list[CandidateGraph]
    bounds: list[int]
    skipped: list[tuple[str, ...]]


def build_candidates(
    documents: Sequence[Document],
    *,
    max_tokens: int,
    max_pairs: int,
    kinds: Collection[str] = DEFAULT_KINDS,
    keep_same: bool = False,
) -> CandidateGraphs:
    """All candidates of the documents between names of ``kinds``; a warning counts the sentences not searched.

    ``keep_same`` takes pairs of one protein, too.
    """
    graphs: list[CandidateGraph] = []
    bounds, skipped = [0], []
    for document in documents:
        too_long = []
        for sentence in document.sentences:
            proteins = [entity for entity in sentence.entities if is_protein(entity, kinds)]
            if len(proteins) < 2:
                continue
            searched = sentence
            if len(proteins) < len(sentence.entities):  # other entities are words like any
                searched = replace(sentence, entities=tuple(proteins), pairs=())
            graph = sentence_graph(searched)
            if graph.n_tokens > max_tokens or len(proteins) * (len(proteins) - 1) // 2 > max_pairs:
                too_long.append(sentence.id)
            elif pairs := candidate_pairs(sentence, proteins, keep_same=keep_same):
                graphs.extend(sentence_candidates(graph, pairs, document_id=document.id))
        bounds.append(len(graphs))
        skipped.append(tuple(too_long))
    if any(skipped):
        warnings.warn(
            f"{sum(map(len, skipped))} sentences of more than {max_tokens} tokens or {max_pairs} pairs "
            f"were not searched for interactions (the first is {next(filter(None, skipped))[0]!r}); raise "
            "max_tokens or max_pairs, or split the text",
            stacklevel=4,
        )
    return CandidateGraphs(graphs, bounds, skipped)


def pair_interaction(
    graph: CandidateGraph, prediction: Prediction, proteins: tuple[Entity, Entity], *, keep_same: bool
) -> Interaction:
    """The interaction of a candidate; with ``keep_same`` it may be of one protein, and is marked so."""
    sentence, modality = graph.sentence, graph.modality
    return Interaction(
        document=graph.document_id or "",
        sentence_id=sentence.id,
        sentence=sentence.text,
        offset=sentence.offset,
        pair=graph.pair.id,
        proteins=proteins,
        score=prediction.score,
        probability=prediction.probability,
        types=prediction.types,
        type=prediction.type,
        agent=prediction.agent,
        target=prediction.target,
        sign=prediction.sign,
        kind=prediction.kind,
        negated=modality.negated,
        hedged=modality.hedged,
        same=keep_same and (is_same_protein(*proteins) or is_apposition(sentence.text, *proteins, sentence.entities)),
    )


def add_evidence(extractor: Extractor, graph: CandidateGraph, interaction: Interaction) -> Interaction:
    """The interaction with its evidence."""
    explanation = extractor.explain_graph(graph, interaction.type or INTERACTION)
    return replace(interaction, evidence=build_evidence(graph, explanation))


def self_interactions(
    document: Document,
    *,
    kinds: Collection[str],
    skipped: Collection[str],
    typed: bool,
    explain: bool | Collection[str],
) -> Iterator[Interaction]:
    """What the sentences of a document state that proteins do to themselves, apart from those that are ``skipped``.

    Each is of one mention twice, and its score is the logarithm of the odds.  ``typed``: whether the model knows
    types; otherwise these have none either.  ``explain``: whether they get their evidence, the words that state it, or
    the ids of the pairs that do.
    """
    for sentence in document.sentences:
        if sentence.id in skipped:
            continue
        proteins = [entity for entity in sentence.entities if is_protein(entity, kinds)]
        used_ids = {pair.id for pair in sentence.pairs}
        for number, statement in enumerate(find_self_statements(sentence.text, proteins)):
            entity, probability = statement.entity, statement.probability
            score = math.log(probability / (1 - probability))
            id = f"{sentence.id}.h{number}"
            while id in used_ids:
                id += "h"
            evidence = None
            if needs_evidence(id, explain):  # the words that state it; the score has no other parts
                explanation = Explanation(score, 0.0, score, [], [], [], 0.0, "", 0.0)
                evidence = Evidence(explanation, _NO_DRAWING, statement=statement.words)
            actor_id = entity.id if typed and statement.kind is not None else None
            yield Interaction(
                document=document.id,
                sentence_id=sentence.id,
                sentence=sentence.text,
                offset=sentence.offset,
                pair=id,
                proteins=(entity, entity),
                score=score,
                probability=probability,
                types={statement.type: probability} if typed else {},
                type=statement.type if typed else None,
                agent=actor_id,
                target=actor_id,
                kind=statement.kind if typed else None,
                negated=statement.negated,
                hedged=statement.hedged,
                evidence=evidence,
                homo=True,
            )


def needs_evidence(pair: str, explain: bool | Collection[str]) -> bool:
    """Whether a pair is to have its evidence: all of them, none, or those of these ids."""
    return explain if isinstance(explain, bool) else pair in explain


def sort_by_sentence(document: Document, interactions: Sequence[Interaction]) -> list[Interaction]:
    """Sentence by sentence; what is found in one stays in the order in which it came."""
    sentence_positions = {sentence.id: index for index, sentence in enumerate(document.sentences)}
    return sorted(interactions, key=lambda interaction: sentence_positions[interaction.sentence_id])


def merge_aliases(interactions: Sequence[Interaction]) -> list[Interaction]:
    """The interactions of a document, which come sentence by sentence, with one for each statement; order is kept."""
    groups: dict[tuple[object, ...], list[int]] = {}
    proteins = _ProteinNumbers()
    sides: list[tuple[int, int]] = []
    for index, interaction in enumerate(interactions):
        first, second = (proteins.number_of(entity, interaction.sentence_id) for entity in interaction.proteins)
        sides.append((first, second))
        unmergeable = (index,) if interaction.same or interaction.homo else ()
        key = (interaction.sentence_id, min(first, second), max(first, second), interaction.doubts, *unmergeable)
        groups.setdefault(key, []).append(index)
    merged: dict[int, Interaction] = {}
    for group in groups.values():
        best = max(group, key=lambda index: (interactions[index].probability, -index))
        aliases = []
        for index in group:
            if index != best:  # its mentions turned so that they stand as those of the best
                other = interactions[index]
                left, right = other.proteins
                mentions = other.proteins if sides[index] == sides[best] else (right, left)
                aliases.append(Alias(other.pair, mentions, other.probability, other.type))
        merged[best] = replace(interactions[best], aliases=tuple(aliases)) if aliases else interactions[best]
    return [merged[index] for index in sorted(merged)]


class _ProteinNumbers:
    """Numbers for the proteins of a sentence: mentions of one protein have the same."""

    def __init__(self) -> None:
        self._sentence: str | None = None
        self._number_by_entity: dict[str, int] = {}
        self._identities: list[Identity] = []

    def number_of(self, entity: Entity, sentence: str) -> int:
        """The number of a mention's protein: that of the first one before it that is the same."""
        if sentence != self._sentence:
            self._sentence, self._number_by_entity, self._identities = sentence, {}, []
        if entity.id not in self._number_by_entity:
            identity = identify(entity)
            matches = (index for index, other in enumerate(self._identities) if identity.matches(other))
            number = next(matches, len(self._identities))
            if number == len(self._identities):
                self._identities.append(identity)
            self._number_by_entity[entity.id] = number
        return self._number_by_entity[entity.id]
