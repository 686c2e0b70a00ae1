"""A network: proteins, the edges between them, and the columns that a table of edges has in CSV and in pandas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from corpora import pluralize, shorten
from ppi.annotation import CellValue, Interaction, Relationship, import_pandas
from ppi.grounding import latin_name

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


#: Cytoscape's name of a protein-protein interaction.
UNTYPED_RELATION = "pp"


@dataclass(frozen=True, repr=False)
class Protein:
    """A node: one identifier, or one normalized name.

    Parameters
    ----------
    key
        What it is called in the network: a CURIE such as ``ncbigene:5216``, or ``name:`` and the normalized name.
    label
        For people: the official symbol where it is known, else the commonest spelling.
    names
        Spellings, the commonest first.
    identifier
        The CURIE, or None if it is only a name.
    taxid
        Of its species, where the lexicon has it.
    type
        The commonest type of its mentions, ``PROTEIN`` or ``FAMILY`` of names that were found; None if they have none.
    entity_kind
        ``family`` or ``complex``, where the lexicon knows it as such.
    uniprot
        UniProt's accession, where the lexicon has it.
    """

    key: str
    label: str
    names: tuple[str, ...]
    identifier: str | None = None
    taxid: str | None = None
    type: str | None = None
    entity_kind: str | None = None
    uniprot: str | None = None

    def __repr__(self) -> str:
        return f"<Protein {shorten(self.key)!r}: {shorten(self.label)}>"


@dataclass(frozen=True, repr=False)
class Edge:
    """Two proteins whose interaction is stated.

    Parameters
    ----------
    source, target
        Keys of the proteins: from the one that acts to the one that is acted on where there is a direction, otherwise
        identifiers before names, in alphabetical order; equal for a protein that interacts with itself.
    probability
        Of this type, combined over papers; see the module.
    papers, sentences, mentions
        How many state it.
    evidence
        The most probable interactions, at most one per sentence.
    type, sign, kind
        As those of the interactions; None where these have no type.
    directed
        Whether the source acts on the target.
    """

    source: str
    target: str
    probability: float
    papers: int
    sentences: int
    mentions: int
    evidence: tuple[Interaction, ...] = ()
    type: str | None = None
    sign: str | None = None
    kind: str | None = None
    directed: bool = False

    def __repr__(self) -> str:
        between = self.relationship.arrow(self.directed) or "and"
        details = [self.relationship.label, f"{self.probability:.2f}", pluralize(self.papers, "paper")]
        source, target = shorten(self.source, 24), shorten(self.target, 24)
        return f"<Edge: {source} {between} {target}, {', '.join(filter(None, details))}>"

    @property
    def relationship(self) -> Relationship:
        """The type with its sign or kind."""
        return Relationship(self.type, self.sign, self.kind)

    @property
    def relation(self) -> str:
        """The name of the relation in Cytoscape's formats: ``binds``, ``phosphorylates``, ``pp`` without type."""
        return self.relationship.verb or UNTYPED_RELATION


@dataclass(frozen=True, repr=False)
class Network:
    """Proteins, and edges ranked by probability, then papers, then sentences."""

    proteins: dict[str, Protein]
    edges: tuple[Edge, ...]

    def __repr__(self) -> str:
        return f"<Network: {pluralize(len(self.proteins), 'protein')}, {pluralize(len(self.edges), 'edge')}>"

    def _repr_html_(self) -> str:
        from ppi.network.drawing import network_html

        return network_html(self)

    @property
    def has_types(self) -> bool:
        """Whether its edges have types, so that there may be several between two proteins."""
        return any(edge.type is not None for edge in self.edges)

    def to_networkx(self) -> nx.Graph:
        """Proteins by key with ``label``, ``names``, ``identifier``, ``taxid``, ``species`` (its Latin name), ``type``,
        ``entity_kind`` and ``uniprot``; edges with numbers and a sentence.

        A network with types is a directed multigraph, whose edges also have ``type``, ``sign``, ``kind`` and
        ``directed`` (false for a binding, which holds both ways); one without is an undirected graph.  Every
        attribute is a string, number or truth value, so that every format of networkx can write it.
        """
        import networkx as nx

        typed = self.has_types
        graph = nx.MultiDiGraph() if typed else nx.Graph()
        for protein in self.proteins.values():
            graph.add_node(
                protein.key,
                label=protein.label,
                names="|".join(protein.names),
                identifier=protein.identifier or "",
                taxid=protein.taxid or "",
                species=latin_name(protein.taxid) or "",
                type=protein.type or "",
                entity_kind=protein.entity_kind or "",
                uniprot=protein.uniprot or "",
            )
        for number, edge in enumerate(self.edges):
            cells = dict(zip(EDGE_COLUMNS, edge_values(self, edge)))
            names = _EDGE_ATTRIBUTES | (_TYPE_ATTRIBUTES if typed else {})
            attributes = {name: "" if cells[column] is None else cells[column] for name, column in names.items()}
            key = {"key": f"e{number}"} if typed else {}  # of a multigraph's edge
            graph.add_edge(edge.source, edge.target, **key, **attributes)
        return graph

    def to_frame(self) -> pd.DataFrame:
        """One row per edge, ranked, with the columns of a network's CSV; needs pandas (the extra ``frame``)."""
        rows = [edge_values(self, edge) for edge in self.edges]
        return import_pandas().DataFrame.from_records(rows, columns=list(EDGE_COLUMNS))

    def strongest(self, count: int) -> Network:
        """The network of the first edges and their proteins."""
        edges = self.edges[:count]
        keys = {key for edge in edges for key in (edge.source, edge.target)}
        return Network({key: protein for key, protein in self.proteins.items() if key in keys}, edges)


def edge_values(network: Network, edge: Edge) -> tuple[CellValue, ...]:
    """What stands in each of :data:`EDGE_COLUMNS`; None where there is nothing."""
    return tuple(value(network, edge) for value in _EDGE_COLUMN_VALUES.values())


def _edge_attribute(name: str, network: Network, edge: Edge) -> Any:  # noqa: ARG001 - called like the other columns
    return getattr(edge, name)


_EDGE_COLUMN_VALUES: dict[str, Callable[[Network, Edge], CellValue]] = {
    "protein_1": lambda network, edge: edge.source,
    "protein_2": lambda network, edge: edge.target,
    "label_1": lambda network, edge: network.proteins[edge.source].label,
    "label_2": lambda network, edge: network.proteins[edge.target].label,
    **{name: partial(_edge_attribute, name) for name in ("probability", "papers", "sentences", "mentions")},
    "best_document": lambda network, edge: edge.evidence[0].document if edge.evidence else None,
    "best_sentence": lambda network, edge: edge.evidence[0].sentence if edge.evidence else None,
    **{name: partial(_edge_attribute, name) for name in ("relation", "type", "sign", "kind", "directed")},
}
EDGE_COLUMNS = tuple(_EDGE_COLUMN_VALUES)
#: The attributes of an edge in networkx, by their columns; the second are those of an edge with a type.
_EDGE_ATTRIBUTES = {
    "interaction": "relation",
    **{name: name for name in ("probability", "papers", "sentences", "mentions")},
    "sentence": "best_sentence",
    "document": "best_document",
}
_TYPE_ATTRIBUTES = {name: name for name in ("type", "sign", "kind", "directed")}
