"""What flows through the house: immutable, validated documents.

Offsets are characters, zero-based, end-exclusive, and relative to the sentence; a sentence knows its own
``offset`` in the document.  An entity's spans are always a tuple, because names can be discontinuous.
``Pair.label`` is True, False or None (not annotated): missing is never read as negative.

Construction validates: ids are unique, references resolve, and the text at an entity's spans is the entity's
text.  A :class:`~corpora.errors.ValidationError` lists everything that is wrong with the object, not only the
first thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from corpora.errors import CorpusError, Problem, ValidationError, truncate_repr
from corpora.events import Equivalence, Event, Trigger, duplicate_ids, event_problems, trigger_problems
from corpora.text_format import pluralize, shorten

if TYPE_CHECKING:
    import networkx as nx

Span = tuple[int, int]
#: Free key-value remarks in file order (BioC infons, CoNLL-U comments); keys may repeat.
Infons = tuple[tuple[str, str], ...]
#: Of a sentence in its document: what every format and table can hold exactly, also as a fraction.
LARGEST_OFFSET = 2**53


@dataclass(frozen=True, slots=True)
class Token:
    """A word as some tokenizer cut it; ``text`` may differ from the sentence's (``-LRB-`` for a bracket).

    ``pos`` is the fine part-of-speech tag (Penn), ``upos`` the universal one.
    """

    id: str
    start: int
    end: int
    text: str
    pos: str | None = None
    lemma: str | None = None
    upos: str | None = None
    feats: str | None = None
    misc: str | None = None


@dataclass(frozen=True, slots=True)
class MultiwordToken:
    """A surface word that the tokenizer took apart into the tokens from ``first`` to ``last`` (ids)."""

    first: str
    last: str
    text: str
    misc: str | None = None


@dataclass(frozen=True, slots=True)
class Dependency:
    """An arc from ``governor`` to ``dependent`` (token ids), labelled ``type``."""

    governor: str
    dependent: str
    type: str


@dataclass(frozen=True, slots=True, repr=False)
class DependencyGraph:
    """A tokenization and, if ``parser`` is not None, the parse over it.

    The graph is general: several governors, parallel arcs, self-loops and cycles all occur in collapsed
    dependencies.  ``roots`` are ids of tokens that the parser attached to the artificial root.  Arcs and roots
    are brought into one order (by dependent, governor, type), so that equal graphs are equal objects.

    >>> graph = DependencyGraph("gold", "words",
    ...     (Token("1", 0, 8, "Profilin"), Token("2", 9, 14, "binds"), Token("3", 15, 20, "actin")),
    ...     (Dependency("2", "1", "nsubj"), Dependency("2", "3", "dobj")), roots=("2",))
    >>> sorted(graph.to_networkx().edges(data="type"))
    [('2', '1', 'nsubj'), ('2', '3', 'dobj')]
    """

    parser: str | None
    tokenizer: str
    tokens: tuple[Token, ...]
    dependencies: tuple[Dependency, ...] = ()
    roots: tuple[str, ...] = ()
    multiwords: tuple[MultiwordToken, ...] = ()

    def __post_init__(self) -> None:
        ids = {token.id for token in self.tokens}
        problems: list[Problem] = []
        if len(ids) < len(self.tokens):
            problems.extend(_duplicates("token", (token.id for token in self.tokens)))
        for token in self.tokens:
            if not 0 <= token.start < token.end:
                problems.append(
                    Problem(f"expected 0 <= start < end, got {(token.start, token.end)}", f"token {token.id!r}")
                )
        for arc in self.dependencies:
            if arc.governor not in ids or arc.dependent not in ids:
                missing = arc.governor if arc.governor not in ids else arc.dependent
                problems.append(
                    Problem(
                        f"dependency {arc.type!r} from {arc.governor!r} to {arc.dependent!r} names a token "
                        f"that is not in tokenization {self.tokenizer!r}",
                        f"token {missing!r}",
                    )
                )
        named = [*self.roots, *(id for multi in self.multiwords for id in (multi.first, multi.last))]
        problems.extend(
            Problem("root or multiword token names a token that is missing", id) for id in named if id not in ids
        )
        if self.parser is None and (self.dependencies or self.roots):
            problems.append(Problem("dependencies without a parser's name; give the parser a name"))
        if problems:
            raise ValidationError(problems)
        # one order for the same arcs, so that equal graphs compare equal
        place = {token.id: index for index, token in enumerate(self.tokens)}
        ordered = sorted(self.dependencies, key=lambda arc: (place[arc.dependent], place[arc.governor], arc.type))
        object.__setattr__(self, "dependencies", tuple(ordered))
        object.__setattr__(self, "roots", tuple(sorted(self.roots, key=place.__getitem__)))

    def __repr__(self) -> str:
        sizes = f"{pluralize(len(self.tokens), 'token')}, {len(self.dependencies):,} dependencies"
        return f"<DependencyGraph {shorten(str(self.parser))!r}: {sizes}>"

    def to_networkx(self) -> nx.MultiDiGraph:
        """Tokens as nodes (by id, with their fields as attributes), arcs with ``type``."""
        import networkx as nx

        graph = nx.MultiDiGraph(parser=self.parser, tokenizer=self.tokenizer)
        for token in self.tokens:
            graph.add_node(
                token.id, text=token.text, pos=token.pos, lemma=token.lemma, start=token.start, end=token.end
            )
        for arc in self.dependencies:
            graph.add_edge(arc.governor, arc.dependent, type=arc.type)
        return graph


@dataclass(frozen=True, slots=True)
class Entity:
    """A mention of a protein (or another thing), ``identifiers`` being what it was grounded to.

    The text of a discontinuous mention is its pieces joined by one space.
    """

    id: str
    text: str
    spans: tuple[Span, ...]
    type: str | None = None
    identifiers: tuple[str, ...] = ()
    orig_id: str | None = None
    infons: Infons = ()

    @property
    def start(self) -> int:
        """First character of the mention."""
        return min(start for start, _ in self.spans)

    @property
    def end(self) -> int:
        """One past the last character of the mention."""
        return max(end for _, end in self.spans)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two mentions of one sentence and whether it says that they interact (None: nobody said).

    ``e1`` and ``e2`` keep the file's order; they are the same entity in a self-pair.
    """

    id: str
    e1: str
    e2: str
    label: bool | None = None
    type: str | None = None
    infons: Infons = ()

    @property
    def is_self(self) -> bool:
        """Whether the pair joins a mention with itself."""
        return self.e1 == self.e2


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that is neither a pair of mentions in one sentence nor one of two identifiers.

    ``arguments`` are (role, reference); a reference is an entity's id or, where a file mixes them or relates more
    than two, one of the identifiers of the document's entities.
    """

    id: str
    type: str
    arguments: tuple[tuple[str, str], ...]
    infons: Infons = ()


@dataclass(frozen=True, slots=True)
class ConceptRelation:
    """A relation between two identifiers, said of the document and of no sentence (PubTator, BioRED, BC6PM).

    ``first`` and ``second`` keep the file's order, which is the direction where the type has one; they are equal
    where something is related to itself.  An identifier need not be that of a mention: databases and people know
    things that nobody tagged.  :func:`corpora.with_concept_pairs` turns such relations into pairs of mentions.
    """

    id: str
    type: str
    first: str
    second: str
    infons: Infons = ()


@dataclass(frozen=True, slots=True, repr=False)
class Sentence:
    """A stretch of text with its mentions, pairs and parses; ``offset`` is its place in the document.

    In a source that is not split into sentences this is a whole passage (title, abstract, paragraph).
    """

    id: str
    text: str
    entities: tuple[Entity, ...] = ()
    pairs: tuple[Pair, ...] = ()
    parses: tuple[DependencyGraph, ...] = ()
    offset: int = 0
    orig_id: str | None = None
    infons: Infons = ()

    def __post_init__(self) -> None:
        problems = [*self._entity_problems(), *self._pair_problems(), *self._parse_problems()]
        if not 0 <= self.offset <= LARGEST_OFFSET:
            problems.append(
                Problem(f"expected an offset from 0 to {LARGEST_OFFSET}, got {truncate_repr(self.offset)}", self.id)
            )
        if problems:
            raise ValidationError(problems)

    def __repr__(self) -> str:
        names = f"{len(self.entities):,} {'entity' if len(self.entities) == 1 else 'entities'}"
        pairs = pluralize(len(self.pairs), "pair")
        return f"<Sentence {shorten(self.id, 24)!r}: {shorten(self.text)!r}, {names}, {pairs}>"

    def entity(self, id: str) -> Entity:
        """The entity of that id; KeyError if there is none."""
        for entity in self.entities:
            if entity.id == id:
                return entity
        raise KeyError(id)

    @property
    def parsers(self) -> tuple[str, ...]:
        """Names of the parses, in file order."""
        return tuple(graph.parser for graph in self.parses if graph.parser is not None)

    def parse(self, parser: str | None = None) -> DependencyGraph:
        """The parse made by ``parser``, or the only one there is.

        Raises
        ------
        CorpusError
            If there is no such parse, or several and none was named.
        """
        found = [graph for graph in self.parses if graph.parser is not None and parser in (None, graph.parser)]
        if len(found) == 1:
            return found[0]
        wanted = "exactly one parse" if parser is None else f"a parse named {parser!r}"
        raise CorpusError(f"expected {wanted}, got {list(self.parsers)}; name one of these", id=self.id)

    def token_problems(self) -> Iterator[Problem]:
        """Tokens whose text is not the sentence's at that place.

        Tools rewrite tokens (brackets, quotes), so this is worth a remark but no reason to refuse the sentence.
        """
        for graph in self.parses:
            inside = {id for multi in graph.multiwords for id in (multi.first, multi.last)}
            for token in graph.tokens:
                found = self.text[token.start : token.end]
                if found != token.text and token.id not in inside:
                    yield Problem(
                        f"expected {token.text!r} at {(token.start, token.end)} of sentence {self.id!r}, got {found!r}",
                        token.id,
                    )

    def _entity_problems(self) -> Iterator[Problem]:
        yield from _duplicates("entity", (entity.id for entity in self.entities))
        for entity in self.entities:
            if not entity.spans:
                yield Problem(f"entity {entity.text!r} has no span", entity.id)
                continue
            outside = [span for span in entity.spans if not 0 <= span[0] < span[1] <= len(self.text)]
            if outside:
                yield Problem(
                    f"expected spans inside the {len(self.text)} characters of sentence {self.id!r}, got {outside[0]}",
                    entity.id,
                )
            elif (found := text_at(self.text, entity.spans)) != entity.text:
                message = (
                    f"expected the text {truncate_repr(entity.text)} at {entity.spans}, got {truncate_repr(found)}"
                )
                yield Problem(message, entity.id)

    def _pair_problems(self) -> Iterator[Problem]:
        yield from _duplicates("pair", (pair.id for pair in self.pairs))
        known = {entity.id for entity in self.entities}
        for pair in self.pairs:
            for reference in (pair.e1, pair.e2):
                if reference not in known:
                    yield Problem(
                        f"expected an entity of sentence {self.id!r}, got {reference!r}, which is not there",
                        pair.id,
                    )

    def _parse_problems(self) -> Iterator[Problem]:
        yield from _duplicates("parse", (graph.parser for graph in self.parses if graph.parser is not None))
        length, checked = len(self.text), set()
        for graph in self.parses:
            if id(graph.tokens) in checked:  # two parses of one tokenization share it
                continue
            checked.add(id(graph.tokens))
            for token in graph.tokens:
                if token.end > length:
                    yield Problem(
                        f"expected tokens inside the {length} characters of sentence {self.id!r}, "
                        f"got {token.text!r} at {(token.start, token.end)}",
                        token.id,
                    )


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """An abstract, article or other text.

    ``corpus`` names the collection it came from, ``orig_id`` is its PubMed id or the like.  ``events``, the
    ``triggers`` that say them and ``equivalences`` of mentions may cross sentences (:mod:`corpora.events`).
    ``relations`` join mentions, ``concept_relations`` identifiers; their ids differ.
    """

    id: str
    sentences: tuple[Sentence, ...] = ()
    relations: tuple[Relation, ...] = ()
    corpus: str | None = None
    orig_id: str | None = None
    infons: Infons = ()
    triggers: tuple[Trigger, ...] = ()
    events: tuple[Event, ...] = ()
    equivalences: tuple[Equivalence, ...] = ()
    concept_relations: tuple[ConceptRelation, ...] = ()

    def __post_init__(self) -> None:
        problems = list(_duplicates("sentence", (sentence.id for sentence in self.sentences)))
        entities = [entity for sentence in self.sentences for entity in sentence.entities]
        problems.extend(_duplicates("entity", (entity.id for entity in entities)))
        problems.extend(_duplicates("pair", (pair.id for sentence in self.sentences for pair in sentence.pairs)))
        related = [relation.id for relation in self.relations] + [each.id for each in self.concept_relations]
        problems.extend(_duplicates("relation", related))
        problems.extend(
            Problem(f"expected two identifiers, got {relation.first!r} and {relation.second!r}", relation.id)
            for relation in self.concept_relations
            if not (relation.first.strip() and relation.second.strip())
        )
        if self.relations:
            known = {entity.id for entity in entities}
            known.update(identifier for entity in entities for identifier in entity.identifiers)
            problems.extend(
                Problem(
                    f"expected an entity or identifier of document {self.id!r}, got {reference!r}",
                    relation.id,
                )
                for relation in self.relations
                for _, reference in relation.arguments
                if reference not in known
            )
        if self.triggers or self.events or self.equivalences:
            ids = {entity.id for entity in entities}
            problems.extend(duplicate_ids(ids, self.triggers, self.events))
            triggers = {trigger.id for trigger in self.triggers}
            problems.extend(event_problems(ids, triggers, self.events, self.equivalences))
            problems.extend(trigger_problems(self.triggers, self.sentences))
        if problems:
            raise ValidationError(problems)

    def __repr__(self) -> str:
        entities = sum(len(sentence.entities) for sentence in self.sentences)
        names = f"{entities:,} {'entity' if entities == 1 else 'entities'}"
        return f"<Document {shorten(self.id)!r}: {pluralize(len(self.sentences), 'sentence')}, {names}>"

    def with_parses(self, parsers: Collection[str]) -> Document:
        """The document with only the parses of these names."""
        sentences = tuple(
            replace(sentence, parses=tuple(graph for graph in sentence.parses if graph.parser in parsers))
            for sentence in self.sentences
        )
        return replace(self, sentences=sentences)

    def to_json(self) -> dict[str, Any]:
        """The document as plain JSON values; empty fields are left out."""
        from corpora.json_codec import encode

        fields: dict[str, Any] = encode(self)
        return fields

    @classmethod
    def from_json(cls, value: Any) -> Document:
        """The document that :meth:`to_json` wrote; anything else is a FormatError."""
        from corpora.json_codec import decode

        return decode(cls, value)


def text_at(text: str, spans: Iterable[Span]) -> str:
    """The text at the spans, pieces joined by one space.

    >>> text_at("alpha and beta actin", ((0, 5), (15, 20)))
    'alpha actin'
    """
    return " ".join(text[start:end] for start, end in spans)


def _duplicates(kind: str, ids: Iterable[str]) -> Iterator[Problem]:
    counts = Counter(ids)
    if len(counts) < counts.total():
        for id, count in counts.items():
            if count > 1:
                yield Problem(f"expected unique {kind} ids, got this one {count} times", id)
