"""Merges mentions into a network of proteins.

Mentions of one protein are one node: those that are grounded to the same identifier, and, of those that are grounded to
none or stay ambiguous, those of the same name (:func:`ppi.grounding.protein_key`; of an abbreviation, of the
same long form).  A name is never taken for the identifier that the same name has in another paper: there it may be
another species' gene, and where the lexicon and the paper leave no doubt it has the identifier itself.

Probabilities of papers are combined so that repeated mistakes do not become certain: :mod:`ppi.network.combining`.
Mentions below ``min_probability`` do not take part: forty chance mentions of 0.05 would otherwise make an edge.

Where interactions have types, each type, sign, kind and direction between two proteins is a separate edge, and
its probability is that of the type.  A protein has an edge to itself only where a text states one (``homo``).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from corpora import Entity
from ppi.annotation import MIN_PROBABILITY, AnnotatedDocument, Interaction, Relationship, Selection, pubmed_id
from ppi.core import UsageError
from ppi.grounding import NAME_PREFIX, protein_key
from ppi.network.combining import combine_papers
from ppi.network.graph import Edge, Network, Protein

#: How many evidence sentences an edge keeps.
MAX_EVIDENCE = 3


def build_network(
    annotated: AnnotatedDocument | Iterable[AnnotatedDocument | Interaction | tuple[Interaction, str | None]],
    *,
    min_probability: float = MIN_PROBABILITY,
    min_papers: int = 1,
    most_evidence: int = MAX_EVIDENCE,
    include_hedged: bool = False,
) -> Network:
    """Merge mentions into pairs of proteins, apart by type, sign, kind and direction where there are types.

    What a sentence denies supports no edge, and neither do two mentions of one protein, unless the text states that it
    interacts with itself.

    Parameters
    ----------
    annotated
        Annotated documents, interactions, or interactions with the PubMed id of their document, as
        :func:`ppi.export.jsonl.read` gives them; mixed as you like.  Interactions of a sentence must come together.
    min_probability
        Mentions whose type is less probable are left out.
    min_papers
        Edges with fewer papers are left out.
    most_evidence
        How many evidence sentences each edge keeps.
    include_hedged
        Whether what a sentence only supposes supports an edge.

    Notes
    -----
    Constant time per mention.  Memory grows with the proteins, their spellings and the different (pair, paper), not
    with the mentions.
    """
    check_limits(min_probability, min_papers, most_evidence)
    proteins: dict[str, _ProteinTally] = {}
    edges: dict[EdgeKey, _EdgeTally] = {}
    selection = Selection(include_hedged=include_hedged)
    papers: dict[str, int] = {}  # a number is smaller than an id, and each id is held once
    for interaction, paper in _interactions(annotated):
        if interaction.type_probability < min_probability or not selection.keeps(interaction):
            continue
        key = edge_key(interaction)
        if key.source == key.target and not interaction.homo:
            continue
        for entity in interaction.proteins:
            proteins.setdefault(protein_key(entity), _ProteinTally()).add(entity)
        edge = edges.setdefault(key, _EdgeTally())
        edge.add(interaction, papers.setdefault(paper, len(papers)), most_evidence)
    ranked_edges = [edge.edge(key) for key, edge in edges.items() if len(edge.papers) >= min_papers]
    ranked_edges.sort(key=lambda edge: (edge.source, edge.target, edge.relationship.label))  # of equals
    ranked_edges.sort(key=lambda edge: (-edge.probability, -edge.papers, -edge.sentences))
    used = {key for edge in ranked_edges for key in (edge.source, edge.target)}
    return Network({key: proteins[key].protein(key) for key in sorted(used, key=key_order)}, tuple(ranked_edges))


def check_limits(min_probability: float, min_papers: int, most_evidence: int) -> None:
    """Refuse limits of :func:`build_network` that no network can have."""
    if not 0 <= min_probability <= 1:
        raise UsageError(f"expected a probability from 0 to 1, got {min_probability!r}")
    if min_papers < 1 or most_evidence < 0:
        raise UsageError(f"expected min_papers >= 1 and most_evidence >= 0, got {min_papers!r}, {most_evidence!r}")


class EdgeKey(NamedTuple):
    """Interactions that have the same are one edge."""

    source: str
    target: str
    relationship: Relationship
    directed: bool


def edge_key(interaction: Interaction) -> EdgeKey:
    """The edge that an interaction supports: from agent to target, or in the order of :func:`key_order`."""
    source, target = (protein_key(entity) for entity in interaction.participants)
    if not interaction.directed and key_order(source) > key_order(target):
        source, target = target, source
    return EdgeKey(source, target, interaction.relationship, interaction.directed)


def key_order(key: str) -> tuple[bool, str]:
    """Proteins that have an identifier before those that are names, then in alphabetical order."""
    return key.startswith(NAME_PREFIX), key


def _interactions(
    annotated: AnnotatedDocument | Iterable[AnnotatedDocument | Interaction | tuple[Interaction, str | None]],
) -> Iterator[tuple[Interaction, str]]:
    """Interactions, each with what its paper is called."""
    if isinstance(annotated, AnnotatedDocument):
        annotated = [annotated]
    if isinstance(annotated, str) or not isinstance(annotated, Iterable):
        raise UsageError(f"expected interactions or annotated documents, got {type(annotated).__name__}")
    for item in annotated:
        if isinstance(item, AnnotatedDocument):
            paper = pubmed_id(item.document) or item.document.id
            for interaction in item.interactions:
                yield interaction, paper
        elif isinstance(item, Interaction):
            yield item, item.document
        elif isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], Interaction):
            interaction, pubmed = item
            yield interaction, pubmed or interaction.document
        else:
            raise UsageError(f"expected interactions or annotated documents, got {type(item).__name__} among them")


@dataclass(slots=True)
class _ProteinTally:
    names: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    #: the first mention that has one identifier
    grounded: Entity | None = None

    def add(self, entity: Entity) -> None:
        self.names[" ".join(entity.text.split())] += 1
        if entity.type is not None:
            self.types[entity.type] += 1
        if self.grounded is None and len(entity.identifiers) == 1:
            self.grounded = entity

    def protein(self, key: str) -> Protein:
        names = tuple(name for name, _ in self.names.most_common())  # of equally common ones, the first that came
        type = next((type for type, _ in self.types.most_common(1)), None)
        if self.grounded is None:
            return Protein(key, names[0], names, type=type)
        infons = dict(reversed(self.grounded.infons))
        known = {name: infons.get(name) for name in ("taxid", "entity_kind", "uniprot")}
        label, identifier = infons.get("symbol") or names[0], protein_key(self.grounded)
        return Protein(key, label, names, identifier, type=type, **known)


@dataclass(slots=True)
class _EdgeTally:
    #: the highest probability of each paper
    papers: dict[int, float] = field(default_factory=dict)
    sentences: int = 0
    mentions: int = 0
    last_sentence: tuple[str, str] | None = None
    #: a heap: (probability, minus the order of coming, interaction), the least at the top
    best: list[tuple[float, int, Interaction]] = field(default_factory=list)

    def add(self, interaction: Interaction, paper: int, limit: int) -> None:
        self.mentions += 1
        probability = interaction.type_probability
        self.papers[paper] = max(self.papers.get(paper, 0.0), probability)
        sentence = (interaction.document, interaction.sentence_id)
        entry = (probability, -self.mentions, interaction)
        if sentence != self.last_sentence:
            self.sentences += 1
        else:  # another mention of the sentence that came last takes its place if it is more probable
            for index, (other_probability, _, other) in enumerate(self.best):
                if (other.document, other.sentence_id) == sentence:
                    if probability > other_probability:
                        self.best[index] = entry
                        heapq.heapify(self.best)
                    return
        self.last_sentence = sentence
        heapq.heappush(self.best, entry)
        if len(self.best) > limit:
            heapq.heappop(self.best)

    def edge(self, key: EdgeKey) -> Edge:
        ranked = sorted(self.best, key=lambda entry: (-entry[0], -entry[1]))
        return Edge(
            key.source,
            key.target,
            combine_papers(self.papers.values()),
            len(self.papers),
            self.sentences,
            self.mentions,
            tuple(interaction for _, _, interaction in ranked),
            *key.relationship,
            directed=key.directed,
        )
