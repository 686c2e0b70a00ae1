"""Interactions of what was found: of a candidate that was scored, and of what a rule says a protein does to itself."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from corpora.types import Document, Entity, Sentence
from kernels import CandidateGraph
from ppi.annotation.apposition import is_apposition
from ppi.annotation.evidence import build_evidence
from ppi.annotation.pairs import is_protein
from ppi.annotation.self_statements import SelfStatement, find_self_statements
from ppi.annotation.types import Evidence, Interaction
from ppi.extraction import Extractor
from ppi.extraction.explanation import Explanation
from ppi.extraction.outputs import INTERACTION
from ppi.extraction.readings import Prediction
from ppi.grounding.identity import is_same_protein

#: What a rule found has no features to draw.
_NO_DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="1" height="1"></svg>'


class SentenceMentions:
    """The two mentions of candidates, which come sentence by sentence: each sentence's mentions are listed once."""

    def __init__(self) -> None:
        self._sentence: Sentence | None = None
        self._by_id: dict[str, Entity] = {}

    def of(self, graph: CandidateGraph) -> tuple[Entity, Entity]:
        """In text order."""
        if graph.sentence is not self._sentence:
            self._sentence = graph.sentence
            self._by_id = {entity.id: entity for entity in graph.sentence.entities}
        return self._by_id[graph.prot1], self._by_id[graph.prot2]


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
