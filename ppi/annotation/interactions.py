"""The candidate graphs of parsed documents with names: every pair of proteins of every sentence that is searched."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from corpora import Document, Entity, Sentence
from kernels import CandidateGraph, sentence_candidates, sentence_graph
from ppi.annotation.evidence import build_evidence
from ppi.annotation.pairs import DEFAULT_KINDS, candidate_pairs, is_apposition, is_protein
from ppi.annotation.results import Alias, Evidence, Interaction
from ppi.annotation.self_statements import SelfStatement, find_self_statements
from ppi.extraction import INTERACTION, Explanation, Extractor, Prediction
from ppi.grounding import Identity, identify, is_same_protein


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
            candidates = _build_sentence_candidates(sentence, document.id, max_tokens, max_pairs, kinds, keep_same)
            if candidates is None:
                too_long.append(sentence.id)
            else:
                graphs.extend(candidates)
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


def _build_sentence_candidates(
    sentence: Sentence, document_id: str, max_tokens: int, max_pairs: int, kinds: Collection[str], keep_same: bool
) -> list[CandidateGraph] | None:
    """The candidates of a sentence; None if it is too long."""
    proteins = [entity for entity in sentence.entities if is_protein(entity, kinds)]
    if len(proteins) < 2:
        return []
    base = sentence_graph(_keep_proteins(sentence, proteins))
    if base.n_tokens > max_tokens or len(proteins) * (len(proteins) - 1) // 2 > max_pairs:
        return None
    pairs = candidate_pairs(sentence, proteins, keep_same=keep_same)
    return sentence_candidates(base, pairs, document_id=document_id) if pairs else []


def _keep_proteins(sentence: Sentence, proteins: Sequence[Entity]) -> Sentence:
    """The sentence with its proteins alone: other entities are words like any."""
    if len(proteins) == len(sentence.entities):
        return sentence
    return replace(sentence, entities=tuple(proteins), pairs=())


# Interactions of what was found: of a candidate that was scored, and of what a rule says a protein does to itself.

#: What a rule found has no features to draw.
_NO_DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="1" height="1"></svg>'


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
    """What the sentences of a document say that proteins do to themselves, apart from those that are ``skipped``.

    ``typed``: whether the model knows types; otherwise these have none either.  ``explain``: whether they get their
    evidence, the words that say so, or the ids of the pairs that do.
    """
    for sentence in document.sentences:
        if sentence.id not in skipped:
            proteins = [entity for entity in sentence.entities if is_protein(entity, kinds)]
            statements = find_self_statements(sentence.text, proteins)
            for number, statement in enumerate(statements):
                interaction = _self_interaction(document.id, sentence, statement, number, typed)
                yield (
                    _add_statement_evidence(interaction, statement.words)
                    if needs_evidence(interaction.pair, explain)
                    else interaction
                )


def _self_interaction(
    document: str, sentence: Sentence, statement: SelfStatement, number: int, typed: bool
) -> Interaction:
    """One mention twice; its score is the logarithm of the odds."""
    entity, probability = statement.entity, statement.probability
    used_ids = {pair.id for pair in sentence.pairs}
    id = f"{sentence.id}.h{number}"
    while id in used_ids:
        id += "h"
    actor_id = entity.id if typed and statement.kind is not None else None
    return Interaction(
        document=document,
        sentence_id=sentence.id,
        sentence=sentence.text,
        offset=sentence.offset,
        pair=id,
        proteins=(entity, entity),
        score=math.log(probability / (1 - probability)),
        probability=probability,
        types={statement.type: probability} if typed else {},
        type=statement.type if typed else None,
        agent=actor_id,
        target=actor_id,
        kind=statement.kind if typed else None,
        negated=statement.negated,
        hedged=statement.hedged,
        homo=True,
    )


def _add_statement_evidence(interaction: Interaction, words: str) -> Interaction:
    """The interaction with its evidence: the words that say so; the score has no other parts."""
    explanation = Explanation(interaction.score, 0.0, interaction.score, [], [], [], 0.0, "", 0.0)
    return replace(interaction, evidence=Evidence(explanation, _NO_DRAWING, statement=words))


def needs_evidence(pair: str, explain: bool | Collection[str]) -> bool:
    """Whether a pair is to have its evidence: all of them, none, or those of these ids."""
    return explain if isinstance(explain, bool) else pair in explain


def sort_by_sentence(document: Document, interactions: Sequence[Interaction]) -> list[Interaction]:
    """Sentence by sentence; what is found in one stays in the order in which it came."""
    sentence_positions = {sentence.id: at for at, sentence in enumerate(document.sentences)}
    return sorted(interactions, key=lambda interaction: sentence_positions[interaction.sentence_id])


# One statement, one row: what a sentence says of two proteins, under whatever names.
#
# "Fatty aldehyde dehydrogenase (FALDH; ALDH3A2) binds PEX19" makes three pairs of mentions and is one statement.  Of the
# pairs of mentions of the same two proteins in a sentence (:func:`ppi.grounding.identity.is_same_protein`) the most
# probable one is kept, with its type, direction and evidence, of equally probable ones the first; the others are its
# aliases.  Where their types or directions differ, those of the kept one hold, and each alias says its own type.  What a
# sentence denies, or only supposes, is a statement apart from what it states of the same two.
#
# Pairs that are of one protein, and were asked for, stay as they are.


def merge_aliases(interactions: Sequence[Interaction]) -> list[Interaction]:
    """The interactions of a document, which come sentence by sentence, with one for each statement; order is kept."""
    groups: dict[tuple[object, ...], list[int]] = {}
    classes = _ProteinNumbers()
    sides: list[tuple[int, int]] = []
    for at, interaction in enumerate(interactions):
        first, second = (classes.of(entity, interaction.sentence_id) for entity in interaction.proteins)
        sides.append((first, second))
        unmergeable = (at,) if interaction.same or interaction.homo else ()
        key = (interaction.sentence_id, min(first, second), max(first, second), interaction.doubts, *unmergeable)
        groups.setdefault(key, []).append(at)
    group_by_best = {max(group, key=lambda at: (interactions[at].probability, -at)): group for group in groups.values()}
    return [_attach_aliases(interactions, best, group_by_best[best], sides) for best in sorted(group_by_best)]


def _attach_aliases(
    interactions: Sequence[Interaction], best: int, group: Sequence[int], sides: Sequence[tuple[int, int]]
) -> Interaction:
    """The interaction with the others of its group, their mentions turned so that they stand as its own."""
    aliases = []
    for at in group:
        if at != best:
            other = interactions[at]
            first, second = other.proteins
            proteins = (first, second) if sides[at] == sides[best] else (second, first)
            aliases.append(Alias(other.pair, proteins, other.probability, other.type))
    return replace(interactions[best], aliases=tuple(aliases)) if aliases else interactions[best]


class _ProteinNumbers:
    """Numbers for the proteins of a sentence: mentions of one protein have the same."""

    def __init__(self) -> None:
        self._sentence: str | None = None
        self._number_by_entity: dict[str, int] = {}
        self._identities: list[Identity] = []

    def of(self, entity: Entity, sentence: str) -> int:
        """The number of a mention's protein: that of the first one before it that is the same."""
        if sentence != self._sentence:
            self._sentence, self._number_by_entity, self._identities = sentence, {}, []
        if entity.id not in self._number_by_entity:
            own_identity = identify(entity)
            number = next(
                (at for at, other in enumerate(self._identities) if own_identity.matches(other)), len(self._identities)
            )
            if number == len(self._identities):
                self._identities.append(own_identity)
            self._number_by_entity[entity.id] = number
        return self._number_by_entity[entity.id]
