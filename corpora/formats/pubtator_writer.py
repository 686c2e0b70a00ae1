"""Writing the PubTator format.

The first sentence is the title if a remark says so; otherwise the title is empty.  The other sentences are joined by
spaces into the abstract, and the offsets of mentions follow.  Positive pairs become relations of the concepts that
the two mentions are grounded to.  A species in the remark ``taxid`` (or ``taxids``) stands behind the identifier, as
GNormPlus writes it: ``ncbigene:22059(Tax:10090)``.  Tabs and line breaks, which would break the columns, become
spaces.  Ids of mentions and relations are not written: on reading they are numbered ``T1``, ``R1`` and so on.
Everything that is lost in this way is counted; but a corpus is called after its file, so its name is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from corpora.errors import CorpusError
from corpora.formats.common import ROLES, encode_utf8, flatten_whitespace, sentence_id
from corpora.formats.identifiers import TAXID, TAXIDS, join_identifiers, parse_concepts, species_of
from corpora.loss import ConversionLosses
from corpora.types import ConceptRelation, Document, Entity, Infons, Pair, Relation, Sentence

#: The type of a relation that is made from a pair without one.
PAIR_TYPE = "Interaction"

# PubTator's own, PubTator 3's, PubMed Central's; a passage that was split puts a prefix before the name
_TITLE_INFONS = {"type", "section", "section_type"}

_ROW = tuple[str, ...]


def write_document(document: Document, losses: ConversionLosses) -> bytes:
    """The lines of one document.

    Raises
    ------
    CorpusError
        If its id cannot stand before a ``|``.
    """
    if not document.id.strip() or set("|\t\n\r") & set(document.id):
        raise CorpusError(
            "expected a document id without '|', tabs and line breaks for PubTator, got another; rename it",
            id=repr(document.id),
        )
    return encode_utf8("".join(f"{line}\n" for line in _Writer(document, losses).lines()), document.id)


class _Writer:
    """Lays out one document and counts what does not fit."""

    def __init__(self, document: Document, losses: ConversionLosses) -> None:
        self.document = document
        self.losses = losses
        self.title, self.abstract = _title_and_rest(document)
        self.mentions: list[_ROW] = []
        #: in order and without repetition: two pairs of mentions can be one relation of concepts
        self.relations: dict[_ROW, None] = {}
        #: identifiers that a written mention has, by entity
        self.identifiers_by_entity: dict[str, tuple[str, ...]] = {}
        #: the species of identifiers
        self.species: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        """All lines, without their ends."""
        self._count_losses()
        title = "" if self.title is None else self.title.text
        yield f"{self.document.id}|t|{self._field(title)}"
        if self.abstract:
            yield f"{self.document.id}|a|{self._field(' '.join(part.text for part in self.abstract))}"
        if self.title is not None:
            self._add_mentions(self.title, 0)
        offset = len(title) + 1
        for part in self.abstract:
            self._add_mentions(part, offset)
            offset += len(part.text) + 1
        self._add_relations()
        for row in (*self.mentions, *self.relations):
            yield "\t".join((self.document.id, *(self._field(value) for value in row)))

    def _count_losses(self) -> None:
        document, drop = self.document, self.losses.drop
        drop("original ids", document.orig_id is not None)
        self.losses.drop_events(document)
        drop("remarks", len(document.infons))
        drop("sentence boundaries", max(len(self.abstract) - 1, 0))
        offset = 0 if self.title is not None else 1
        for index, sentence in enumerate(document.sentences, start=offset):
            usual = "title" if sentence is self.title else "abstract"
            drop("remarks", sum(infon != ("type", usual) for infon in sentence.infons))
            drop("parses", len(sentence.parses))
            drop("original ids", sentence.orig_id is not None)
            drop("ids", sentence.id != sentence_id(document.id, index))
            drop("sentence offsets", sentence.offset != offset)
            offset += len(sentence.text) + 1

    def _add_mentions(self, sentence: Sentence, offset: int) -> None:
        for entity in sentence.entities:
            if len(entity.spans) > 1:
                self.losses.drop("discontinuous entities")
                continue
            self._add_mention(entity, offset)

    def _add_mention(self, entity: Entity, offset: int) -> None:
        species = species_of(entity.identifiers, dict(entity.infons))
        joined = join_identifiers(
            [_append_species(flatten_whitespace(identifier), species) for identifier in entity.identifiers]
        )
        if joined is None:
            self.losses.drop("identifiers with separators in them", len(entity.identifiers))
            species = {}
        elif entity.identifiers:
            self.identifiers_by_entity[entity.id] = entity.identifiers
            self.species.update(species)
        names = [value for name, value in entity.infons if name == "mentions"][:1]
        has_species = any(name in (TAXID, TAXIDS) for name, _ in entity.infons) and bool(species)
        self.losses.drop("remarks", len(entity.infons) - len(names) - has_species)
        self.losses.drop("original ids", entity.orig_id is not None)
        self.losses.drop("ids", entity.id != f"T{len(self.mentions) + 1}")
        (start, end), *_ = entity.spans
        # an empty last column would be stripped by other readers
        row = (str(offset + start), str(offset + end), entity.text, entity.type or "", joined or "-", *names)
        self.mentions.append(row)

    def _add_relations(self) -> None:
        known_identifiers = {
            flatten_whitespace(identifier)
            for identifiers in self.identifiers_by_entity.values()
            for identifier in identifiers
        }
        for concepts in self.document.concept_relations:
            self._add_concepts(concepts, known_identifiers)
        for relation in self.document.relations:
            self._add_relation(relation)
        for sentence in self.document.sentences:
            for pair in sentence.pairs:
                self._add_pair(pair)

    def _add_concepts(self, relation: ConceptRelation, known_identifiers: set[str]) -> None:
        if any(
            parse_concepts(flatten_whitespace(identifier), known_identifiers) != (flatten_whitespace(identifier),)
            for identifier in (relation.first, relation.second)
        ):
            self.losses.drop("relations of identifiers with separators in them")
            return
        self._count_infons(relation)
        self._add_rows(relation.type, ((relation.first,), (relation.second,)), _novelty(relation.infons))

    def _add_relation(self, relation: Relation) -> None:
        ends = [self._concepts(reference) for _, reference in relation.arguments]
        if len(ends) != 2 or not all(ends):
            self.losses.drop("relations that do not join two concepts")
            return
        self._count_infons(relation)
        self.losses.drop("roles", tuple(role for role, _ in relation.arguments) != ROLES)
        self._add_rows(relation.type, ends, _novelty(relation.infons))

    def _count_infons(self, relation: Relation | ConceptRelation) -> None:
        self.losses.drop("remarks", len(relation.infons) - len(_novelty(relation.infons)))
        self.losses.drop("ids", relation.id != f"R{len(self.relations) + 1}")

    def _add_pair(self, pair: Pair) -> None:
        if pair.label is not True:
            self.losses.drop("unannotated pairs" if pair.label is None else "negative pairs")
            return
        ends = [self.identifiers_by_entity.get(pair.e1, ()), self.identifiers_by_entity.get(pair.e2, ())]
        if not all(ends):
            self.losses.drop("pairs of ungrounded entities")
            return
        self.losses.drop("remarks", len(pair.infons))
        self.losses.drop("mentions of positive pairs, which become relations of concepts")
        self._add_rows(pair.type or PAIR_TYPE, ends, ())

    def _add_rows(self, type: str, ends: Iterable[Iterable[str]], novelty: Iterable[str]) -> None:
        if type.isdigit():  # it would be read as the start of a mention
            self.losses.drop("relations whose type is a number")
            return
        for first, second in product(*ends):
            self.relations[
                (type, _append_species(first, self.species), _append_species(second, self.species), *novelty)
            ] = None

    def _concepts(self, reference: str) -> tuple[str, ...]:
        """The identifiers behind a relation's argument: an entity's, or the identifier that it is."""
        if reference in self.identifiers_by_entity:
            return self.identifiers_by_entity[reference]
        return (
            (reference,) if any(reference in identifiers for identifiers in self.identifiers_by_entity.values()) else ()
        )

    def _field(self, value: str) -> str:
        flat_value = flatten_whitespace(value)
        self.losses.drop("tabs and line breaks", sum(a != b for a, b in zip(value, flat_value, strict=True)))
        return flat_value


def _append_species(identifier: str, species: Mapping[str, str]) -> str:
    """The identifier with its species behind it, if that is known."""
    return f"{identifier}(Tax:{species[identifier]})" if identifier in species else identifier


def _novelty(infons: Infons) -> list[str]:
    """What stands in a relation's fifth column, if anything does."""
    return [value for name, value in infons if name == "novelty"][:1]


def _title_and_rest(document: Document) -> tuple[Sentence | None, tuple[Sentence, ...]]:
    sentences = document.sentences
    if sentences and _is_title(sentences[0].infons):
        return sentences[0], sentences[1:]
    return None, sentences


def _is_title(infons: Infons) -> bool:
    return any(name.split(":")[-1] in _TITLE_INFONS and value.lower() == "title" for name, value in infons)
