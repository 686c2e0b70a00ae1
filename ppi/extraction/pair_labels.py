"""Labels the pairs of corpora whose relations join mentions, or identifiers, and leave other pairs open.

=============  =======================================================================================================
negatives      what is done
=============  =======================================================================================================
auto           A corpus that labels negative pairs itself is taken as it is.  Any other lists only what is related: it
               is taken to be annotated exhaustively, and every other pair of names in a sentence does not interact.
cooccurring    The same for corpora that label some negatives: what is neither listed nor joined is negative.
none           Only pairs that the file calls negative are negative; corpora of events, which call none so, are
               refused.
=============  =======================================================================================================

* A relation joins every two of its arguments that have different roles; if all have one role, every two.
* A trigger takes no part.  Relations of equivalence (``Equiv``) join two mentions that name one thing: these are no
  pair at all.
* Identifiers count that a name of the document carries; one that is related to itself is not paired.

A pair that a file lists without a label stays without one.  Candidates are pairs of two different gene or protein
names (:func:`~ppi.language.entity_kinds.is_protein_type`) in one sentence.  Where relations join identifiers, every
two mentions of them in one sentence are a positive pair (:mod:`corpora.distant_supervision`), whether or not that
sentence states it; two mentions of one identifier, and mentions without any, are not candidates there.  Events are
mapped by :mod:`corpora.interactions`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, count, product

from corpora import TRIGGER, ConceptRelation, Document, Entity, Pair, Sentence, pluralize, with_concept_pairs
from ppi.core import TrainingError, UsageError
from ppi.extraction.examples import EXTRA_TYPE_KEY, MAX_TRAINING_SENTENCE_TOKENS, relation_types
from ppi.extraction.settings import NEGATIVES
from ppi.language import is_protein_type

#: Two mentions, or two identifiers, in no order.
IdPair = frozenset[str]
_EQUIVALENCE = "equiv"
_LABEL_NAMES = {True: "positive", False: "negative", None: "unlabelled"}


@dataclass
class RelationPairs:
    """The relations of one document between genes or proteins.

    ``mentions`` are the types of the relations between two mentions, ``concepts`` the relations between two
    identifiers, ``equivalent`` mentions that name one thing, and ``n_other`` counts the relations that join something
    else than two different genes or proteins.
    """

    protein_ids: set[str]
    mentions: dict[IdPair, list[str]] = field(default_factory=lambda: defaultdict(list))
    concepts: tuple[ConceptRelation, ...] = ()
    equivalent: set[IdPair] = field(default_factory=set)
    n_other: int = 0

    @property
    def identifiers(self) -> frozenset[IdPair]:
        """The pairs of identifiers that are related."""
        return frozenset(frozenset((relation.first, relation.second)) for relation in self.concepts)


def relation_pairs(document: Document, types: Collection[str] | None = None) -> RelationPairs:
    """What the document's relations of these types (None: of any) join; pairs of sentences are not among them."""
    entities = {entity.id: entity for sentence in document.sentences for entity in sentence.entities}
    triggers = {id for relation in document.relations for role, id in relation.arguments if role == TRIGGER}
    pairs = RelationPairs({id for id, entity in entities.items() if is_protein_type(entity.type)} - triggers)
    for relation in document.relations:
        arguments = [argument for argument in relation.arguments if argument[0] != TRIGGER]
        has_one_role = len({role for role, _ in arguments}) == 1
        joined_ids = [
            frozenset((first, second))
            for (role1, first), (role2, second) in combinations(arguments, 2)
            if has_one_role or role1 != role2
        ]
        if relation.type.lower().startswith(_EQUIVALENCE):
            pairs.equivalent.update(joined_ids)
        elif types is None or relation.type in types:
            protein_pairs = [id_pair for id_pair in joined_ids if len(id_pair) == 2 and id_pair <= pairs.protein_ids]
            for id_pair in protein_pairs:
                pairs.mentions[id_pair].append(relation.type)
            pairs.n_other += not protein_pairs
    identifiers = {identifier for id in pairs.protein_ids for identifier in entities[id].identifiers}
    requested = [concept for concept in document.concept_relations if types is None or concept.type in types]
    pairs.concepts = tuple(
        concept
        for concept in requested
        if concept.first != concept.second and {concept.first, concept.second} <= identifiers
    )
    pairs.n_other += len(requested) - len(pairs.concepts)
    return pairs


def identifier_pairs(first: Entity, second: Entity) -> Iterator[IdPair]:
    """Every identifier of one mention with every one of the other."""
    return (frozenset(id_pair) for id_pair in product(first.identifiers, second.identifiers))


@dataclass(frozen=True)
class LabelledDocuments:
    """Documents whose pairs are labelled, ready for :func:`~ppi.extraction.examples.collect_examples`.

    ``concepts`` are the pairs of identifiers of each document whose relations join identifiers; ``counts`` are of
    relations, positives, negatives and what was left out, and ``notes`` what was decided, in words.
    """

    documents: list[Document]
    concepts: Mapping[str, frozenset[IdPair]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def label_pairs(
    documents: Sequence[Document],
    *,
    negatives: str = "auto",
    relations: Collection[str] | None = None,
    name: str = "the documents",
) -> LabelledDocuments:
    """Label the pairs of documents that are split into sentences.

    Parameters
    ----------
    negatives
        See the table of the module.
    relations
        Only relations of these types are interactions; None: those of any type.

    Raises
    ------
    UsageError
        If there is no such way to label, or the corpus has no relation of these types.
    TrainingError
        If the corpus has events, which need negatives that it does not list, and ``negatives`` is ``"none"``.
    """
    if negatives not in NEGATIVES:
        raise UsageError(f"expected negatives, one of {list(NEGATIVES)}, got {negatives!r}")
    if any(document.events for document in documents):
        return _label_event_documents(documents, negatives, relations, name)
    _check_types(documents, relations, name)
    has_negatives = any(pair.label is False for document in documents for s in document.sentences for pair in s.pairs)
    if has_negatives and negatives != "cooccurring" and relations is None:
        return LabelledDocuments(list(documents))
    complete = negatives == "cooccurring" or (negatives == "auto" and not has_negatives)
    document_relations = [relation_pairs(document, relations) for document in documents]
    by_identifiers = any(pairs.concepts for pairs in document_relations) and not (
        any(pairs.mentions for pairs in document_relations)
        or any(s.pairs for document in documents for s in document.sentences)
    )
    labelling = _PairLabeller(complete, negatives != "none", by_identifiers, relations)
    labelled_documents = list(map(labelling.label_document, documents, document_relations))
    notes = tuple(_describe_counts(labelling.counts, complete))
    return LabelledDocuments(labelled_documents, labelling.concepts, dict(labelling.counts), notes)


@dataclass
class _PairLabeller:
    """Goes through the documents and counts.

    ``complete``: pairs that nothing lists or joins are negatives; ``other_types``: so are those that only relations of
    other types than the ones asked for join; ``by_identifiers``: the corpus relates only identifiers, and so leaves
    mentions without any open, and one gene twice.
    """

    complete: bool
    other_types: bool
    by_identifiers: bool
    types: Collection[str] | None
    counts: Counter[str] = field(default_factory=Counter)
    concepts: dict[str, frozenset[IdPair]] = field(default_factory=dict)

    def label_document(self, document: Document, relations: RelationPairs) -> Document:
        """The document with labelled pairs between its names, without other entities and relations."""
        if relations.concepts:
            self.concepts[document.id] = relations.identifiers
        expanded = with_concept_pairs(replace(document, concept_relations=relations.concepts))
        used_ids = {pair.id for sentence in expanded.sentences for pair in sentence.pairs}
        sentences = [self._label_sentence(sentence, relations, used_ids) for sentence in expanded.sentences]
        sentence_of = {entity.id: number for number, sentence in enumerate(sentences) for entity in sentence.entities}
        across = sum(len({sentence_of[id] for id in id_pair}) > 1 for id_pair in relations.mentions)
        in_a_sentence = relations.identifiers & _identifier_pairs_in(sentences)
        self.counts["across sentences"] += across
        self.counts["relations of identifiers"] += len(relations.identifiers)
        self.counts["relations of identifiers in a sentence"] += len(in_a_sentence)
        self.counts["other relations"] += relations.n_other
        return replace(expanded, sentences=tuple(sentences), relations=(), concept_relations=())

    def _label_sentence(self, sentence: Sentence, relations: RelationPairs, used_ids: set[str]) -> Sentence:
        proteins = tuple(entity for entity in sentence.entities if entity.id in relations.protein_ids)
        n_tokens = max((len(graph.tokens) for graph in sentence.parses), default=len(sentence.text.split()))
        if n_tokens > MAX_TRAINING_SENTENCE_TOKENS:
            self.counts["long sentences"] += 1
            return replace(sentence, entities=proteins, pairs=())
        pairs = tuple(self._make_pairs(sentence, proteins, relations, used_ids))
        for pair in pairs:
            self.counts[_LABEL_NAMES[pair.label]] += 1
        listed_ids = {_pair_ids(pair) for pair in sentence.pairs if pair.label and self._has_requested_type(pair)}
        relations.n_other += len(listed_ids - set(map(_pair_ids, pairs)))
        return replace(sentence, entities=proteins, pairs=pairs)

    def _make_pairs(
        self, sentence: Sentence, proteins: Sequence[Entity], relations: RelationPairs, used_ids: set[str]
    ) -> Iterator[Pair]:
        """The pairs of every two names that are listed or joined, and negatives where those are to be made up."""
        other_type_pairs = [pair for pair in sentence.pairs if pair.label and not self._has_requested_type(pair)]
        other_type_ids = set(map(_pair_ids, other_type_pairs))
        listed_pairs = _merge_pairs(pair for pair in sentence.pairs if not pair.label or self._has_requested_type(pair))
        free_ids = (id for number in count() if (id := f"{sentence.id}.i{number}") not in used_ids)
        for first, second in combinations(sorted(proteins, key=lambda name: (name.start, name.end)), 2):
            id_pair = frozenset((first.id, second.id))
            if first.spans == second.spans or id_pair in relations.equivalent:
                continue
            listed_pair, types = listed_pairs.get(id_pair), relations.mentions.get(id_pair, [])
            if listed_pair is not None and (listed_pair.label is not None or not types):
                yield listed_pair
                continue
            negative = self.complete
            if self.by_identifiers:  # negative only if both have identifiers, and none in common
                negative &= bool(first.identifiers) and bool(second.identifiers)
                negative &= set(first.identifiers).isdisjoint(second.identifiers)
            if types or negative or (id_pair in other_type_ids and self.other_types):
                id = next(free_ids)
                used_ids.add(id)
                yield _make_pair(id, first, second, types)

    def _has_requested_type(self, pair: Pair) -> bool:
        return self.types is None or bool(set(relation_types(pair)) & set(self.types))


def _pair_ids(pair: Pair) -> IdPair:
    return frozenset((pair.e1, pair.e2))


def _identifier_pairs_in(sentences: Sequence[Sentence]) -> set[IdPair]:
    """The identifiers that the pairs of sentences join."""
    id_pairs: set[IdPair] = set()
    for sentence in sentences:
        entities = {entity.id: entity for entity in sentence.entities}
        for pair in sentence.pairs:
            id_pairs.update(identifier_pairs(entities[pair.e1], entities[pair.e2]))
    return id_pairs


def _merge_pairs(pairs: Iterable[Pair]) -> dict[IdPair, Pair]:
    """One pair for every two mentions: positive if one of those listed is, with the types of all that are."""
    pair_by_ids: dict[IdPair, Pair] = {}
    for pair in pairs:
        id_pair = _pair_ids(pair)
        earlier_pair = pair_by_ids.get(id_pair)
        if earlier_pair is None or (pair.label and not earlier_pair.label):
            pair_by_ids[id_pair] = pair
        elif pair.label and earlier_pair.label and pair.type and pair.type not in relation_types(earlier_pair):
            pair_by_ids[id_pair] = replace(earlier_pair, infons=(*earlier_pair.infons, (EXTRA_TYPE_KEY, pair.type)))
    return pair_by_ids


def _make_pair(id: str, first: Entity, second: Entity, types: Sequence[str]) -> Pair:
    if not types:
        return Pair(id, first.id, second.id, False)
    main, *others = dict.fromkeys(types)
    return Pair(id, first.id, second.id, True, main or None, tuple((EXTRA_TYPE_KEY, type) for type in others if type))


def _label_event_documents(
    documents: Sequence[Document], negatives: str, relations: Collection[str] | None, name: str
) -> LabelledDocuments:
    if relations is not None:
        raise UsageError(
            f"expected no types of relations for {name}, whose interactions are events, got {sorted(relations)}; "
            "--types judges types of events"
        )
    if negatives == "none":
        raise TrainingError(
            f"expected negative pairs that {name} lists, got events, which list what is true; pairs that no event "
            "joins are negatives with --negatives cooccurring"
        )
    notes = ("pairs of proteins in a sentence that no event joins are negatives",)
    return LabelledDocuments(list(documents), notes=notes)


def _check_types(documents: Sequence[Document], requested: Collection[str] | None, name: str) -> None:
    if requested is None:
        return
    pairs = [pair for document in documents for sentence in document.sentences for pair in sentence.pairs]
    available = {type for pair in pairs for type in relation_types(pair)}
    for document in documents:
        available.update(relation.type for relation in document.relations)
        available.update(relation.type for relation in document.concept_relations)
    if missing := sorted(set(requested) - available):
        raise UsageError(f"expected types of relations of {name}, among {sorted(available)}, got {missing[0]!r}")


def _describe_counts(counts: Counter[str], complete: bool) -> Iterator[str]:
    if complete:
        yield (
            f"negatives: {pluralize(counts['negative'], 'pair')} of names in a sentence that no relation joins, beside "
            f"{pluralize(counts['positive'], 'positive')}, as in a corpus annotated exhaustively; --negatives none "
            "does without them"
        )
    if counts["relations of identifiers"]:
        yield (
            f"positives: every two names in a sentence whose identifiers the document relates, "
            f"{counts['relations of identifiers in a sentence']} of {counts['relations of identifiers']} pairs of "
            "identifiers; the others are in no sentence together"
        )
    if counts["other relations"]:
        yield f"left out: {pluralize(counts['other relations'], 'relation')} of other things than two genes or proteins"
    if counts["across sentences"]:
        yield describe_across_sentences(counts["across sentences"])
    if counts["long sentences"]:
        sentences = pluralize(counts["long sentences"], "sentence")
        yield f"left out: {sentences} of more than {MAX_TRAINING_SENTENCE_TOKENS} tokens"


def describe_across_sentences(count: int) -> str:
    """The note on relations that are not candidates because of where their mentions stand."""
    return f"left out: {pluralize(count, 'relation')} between mentions of different sentences"
