"""Hold what a database answers: proteins, pairs of them with what papers say, and both as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corpora import pluralize, shorten
from ppi.annotation import DEFAULT_WIDTH, Interaction, Relationship

HEADING = "prob.  papers  sentences  proteins"
_INDENT = HEADING.index("proteins")


@dataclass(frozen=True, repr=False)
class KnownProtein:
    """A protein of a run.

    Parameters
    ----------
    key
        Its identifier such as ``ncbigene:5888``, or ``name:`` and its normalized name.
    label
        For people: the official symbol where it is known, else the commonest spelling.
    names
        Spellings, the commonest first; not all, where there are many.
    identifier, taxid, species, kind, uniprot, type
        What is known of it; None where nothing is.
    mentions, sentences, papers, partners
        How often it takes part in an interaction, in how many sentences and papers, and with how many proteins.
    """

    key: str
    label: str
    names: tuple[str, ...]
    identifier: str | None
    taxid: str | None
    species: str | None
    kind: str | None
    uniprot: str | None
    type: str | None
    mentions: int
    papers: int
    sentences: int
    partners: int

    def __repr__(self) -> str:
        return f"<KnownProtein {shorten(self.key)!r}: {shorten(self.label)}, {pluralize(self.partners, 'partner')}>"


@dataclass(frozen=True, repr=False)
class FoundPair:
    """Two proteins and one way in which they are said to interact.

    Parameters
    ----------
    source, target
        The one that acts first where there is a direction.
    probability
        Combined over papers, as in a network.
    papers, sentences, mentions
        That state it.
    hedged, negated
        Sentences that only suppose it, and that deny it.
    first_year, last_year
        Of the papers, where known.
    best
        The most probable sentence.
    """

    source: KnownProtein
    target: KnownProtein
    type: str | None
    sign: str | None
    kind: str | None
    directed: bool
    probability: float
    papers: int
    sentences: int
    mentions: int
    hedged: int
    negated: int
    first_year: int | None
    last_year: int | None
    best: FoundSentence | None = None

    def __repr__(self) -> str:
        between = self.relationship.arrow(self.directed) or "and"
        details = [self.relationship.label, f"{self.probability:.2f}", pluralize(self.papers, "paper")]
        proteins = f"{shorten(self.source.label)} {between} {shorten(self.target.label)}"
        return f"<FoundPair: {proteins}, {', '.join(filter(None, details))}>"

    @property
    def relationship(self) -> Relationship:
        """The type with its sign or kind."""
        return Relationship(self.type, self.sign, self.kind)


@dataclass(frozen=True)
class FoundSentence:
    """An interaction as a sentence states it, with the PubMed id and year of its paper where these are known.

    ``keys`` are those of the two proteins, in text order.
    """

    interaction: Interaction
    pubmed: str | None
    year: int | None
    keys: tuple[str, str]


@dataclass(frozen=True)
class TypeCount:
    """How many pairs of a type a protein has, and how many papers and sentences state one of them."""

    type: str | None
    pairs: int
    papers: int
    sentences: int


@dataclass(frozen=True)
class RunFacts:
    """How much a run holds."""

    interactions: int
    sentences: int
    papers: int
    proteins: int
    pairs: int
    types: tuple[str, ...]
    first_year: int | None
    last_year: int | None
    parts: int


def format_pairs(pairs: Iterable[FoundPair], *, width: int = DEFAULT_WIDTH) -> Iterator[str]:
    """A heading, then two lines per pair: who, how, and how many say so; then the most probable sentence."""
    yield HEADING
    for pair in pairs:
        between = pair.relationship.arrow(pair.directed) or "--"
        second = "itself" if pair.source.key == pair.target.key else shorten(pair.target.label)
        how = f", {pair.relationship.label}" if pair.type else ""
        for count, word in ((pair.hedged, "hedged"), (pair.negated, "negated")):
            how += f" ({count} {word})" if count else ""
        numbers = f"{pair.probability:5.3f}  {pair.papers:6}  {pair.sentences:9}"
        yield f"{numbers}  {shorten(pair.source.label)} {between} {second}{how}"
        if pair.best is not None:
            yield f"{'':{_INDENT}}{shorten(' '.join(pair.best.interaction.sentence.split()), width - _INDENT)}"
