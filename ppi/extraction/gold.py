"""Labelled pairs of corpora that say which mentions, or which identifiers, are related, and nothing of the others.

=============  =======================================================================================================
negatives      what is done
=============  =======================================================================================================
auto           A corpus that labels negative pairs itself is taken as it is.  Any other lists only what is related: it
               is taken to be annotated exhaustively, and every other pair of names in a sentence does not interact.
cooccurring    The same for corpora that label some negatives: what is neither listed nor joined is negative.
none           Only pairs that the file calls negative are negative; corpora of events, which call none so, are
               refused.
=============  =======================================================================================================

A pair that a file lists without a label stays without one.  Candidates are pairs of two different gene or protein
names (:func:`~ppi.pipeline.kinds.is_protein_type`) in one sentence.  Where relations join identifiers, every two
mentions of them in one sentence are a positive pair (:mod:`corpora.concepts`), whether or not that sentence states it;
two mentions of one identifier, and mentions without any, are no candidates there.  Events are mapped by
:mod:`corpora.interactions`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from corpora.concepts import with_concept_pairs
from corpora.short import counted
from corpora.types import Document, Entity, Pair, Sentence
from ppi.errors import TrainingError, UsageError
from ppi.extraction.examples import ALSO, MOST_TOKENS, relation_types
from ppi.extraction.related import Related, Two, are_different, identifier_pairs, related
from ppi.extraction.settings import NEGATIVES


@dataclass(frozen=True)
class Gold:
    """Documents whose pairs are labelled.

    Parameters
    ----------
    documents
        Ready for :func:`~ppi.extraction.examples.labelled_examples`.
    concepts
        Of each document whose relations join identifiers: those pairs of identifiers.
    counts
        How many relations, positives and negatives there are, and what was left out.
    notes
        What was decided, in words.
    """

    documents: list[Document]
    concepts: Mapping[str, frozenset[Two]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def gold(
    documents: Sequence[Document],
    *,
    negatives: str = "auto",
    relations: Collection[str] | None = None,
    name: str = "the documents",
) -> Gold:
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
        return _of_events(documents, negatives, relations, name)
    _check_types(documents, relations, name)
    stated = any(pair.label is False for document in documents for s in document.sentences for pair in s.pairs)
    if stated and negatives != "cooccurring" and relations is None:
        return Gold(list(documents))
    complete = negatives == "cooccurring" or (negatives == "auto" and not stated)
    labelling = _Labelling(complete=complete, other_types=negatives != "none", types=relations)
    told = [related(document, relations) for document in documents]
    labelling.by_identifiers = any(each.concepts for each in told) and not (
        any(each.mentions for each in told) or any(s.pairs for document in documents for s in document.sentences)
    )
    labelled = [labelling.document(document, each) for document, each in zip(documents, told)]
    return Gold(labelled, labelling.concepts, dict(labelling.counts), tuple(_notes(labelling.counts, complete)))


class _Labelling:
    """Goes through the documents and counts.

    ``complete``: pairs that nothing is said of are negatives; ``other_types``: so are those that only relations of
    other types than the ones asked for join; ``by_identifiers``: the corpus relates identifiers alone, and so says
    nothing of mentions without any, nor of one gene twice.
    """

    def __init__(self, *, complete: bool, other_types: bool, types: Collection[str] | None) -> None:
        self.complete, self.other_types, self.types = complete, other_types, types
        self.by_identifiers = False
        self.counts: Counter[str] = Counter()
        self.concepts: dict[str, frozenset[Two]] = {}

    def document(self, document: Document, told: Related) -> Document:
        """The document with labelled pairs between its names, without other entities and relations."""
        if told.concepts:
            self.concepts[document.id] = told.identifiers
        listed = with_concept_pairs(replace(document, concept_relations=told.concepts))
        taken = {pair.id for sentence in listed.sentences for pair in sentence.pairs}
        sentences = [self._sentence(sentence, told, taken) for sentence in listed.sentences]
        homes = {entity.id: number for number, each in enumerate(sentences) for entity in each.entities}
        self.counts["across sentences"] += sum(len({homes[id] for id in two}) > 1 for two in told.mentions)
        self.counts["relations of identifiers"] += len(told.identifiers)
        self.counts["relations of identifiers in a sentence"] += len(told.identifiers & _met(sentences))
        self.counts["other relations"] += told.other
        return replace(listed, sentences=tuple(sentences), relations=(), concept_relations=())

    def _sentence(self, sentence: Sentence, told: Related, taken: set[str]) -> Sentence:
        names = tuple(entity for entity in sentence.entities if entity.id in told.names)
        if _n_tokens(sentence) > MOST_TOKENS:
            self.counts["long sentences"] += 1
            return replace(sentence, entities=names, pairs=())
        pairs = tuple(self._pairs(sentence, names, told, taken))
        for pair in pairs:
            self.counts[_LABELS[pair.label]] += 1
        listed = {_two(pair) for pair in sentence.pairs if pair.label and self._wanted(pair)}
        told.other += len(listed - set(map(_two, pairs)))
        return replace(sentence, entities=names, pairs=pairs)

    def _pairs(self, sentence: Sentence, names: Sequence[Entity], told: Related, taken: set[str]) -> Iterator[Pair]:
        """What is listed or joined of every two names, and negatives where those are to be made up."""
        listed = _merged(pair for pair in sentence.pairs if not pair.label or self._wanted(pair))
        unwanted = {_two(pair) for pair in sentence.pairs if pair.label and not self._wanted(pair)}
        number = 0
        for first, second in combinations(sorted(names, key=lambda name: (name.start, name.end)), 2):
            two = frozenset((first.id, second.id))
            if first.spans == second.spans or two in told.equivalent:
                continue
            given, types = listed.get(two), told.mentions.get(two, [])
            if given is not None and (given.label is not None or not types):
                yield given
                continue
            negative = self.complete and (not self.by_identifiers or are_different(first, second))
            if types or negative or (two in unwanted and self.other_types):
                number = _free(sentence.id, number, taken)
                yield _pair(f"{sentence.id}.i{number}", first, second, types)

    def _wanted(self, pair: Pair) -> bool:
        return self.types is None or bool(set(relation_types(pair)) & set(self.types))


_LABELS = {True: "positive", False: "negative", None: "unlabelled"}


def _two(pair: Pair) -> Two:
    return frozenset((pair.e1, pair.e2))


def _met(sentences: Sequence[Sentence]) -> set[Two]:
    """The identifiers that the pairs of sentences join."""
    found: set[Two] = set()
    for sentence in sentences:
        entities = {entity.id: entity for entity in sentence.entities}
        for pair in sentence.pairs:
            found.update(identifier_pairs(entities[pair.e1], entities[pair.e2]))
    return found


def _n_tokens(sentence: Sentence) -> int:
    return max((len(graph.tokens) for graph in sentence.parses), default=len(sentence.text.split()))


def _merged(pairs: Iterable[Pair]) -> dict[Two, Pair]:
    """One pair for every two mentions: positive if one of those listed is, with the types of all that are."""
    merged: dict[Two, Pair] = {}
    for pair in pairs:
        two = _two(pair)
        before = merged.get(two)
        if before is None or (pair.label and not before.label):
            merged[two] = pair
        elif pair.label and before.label and pair.type and pair.type not in relation_types(before):
            merged[two] = replace(before, infons=(*before.infons, (ALSO, pair.type)))
    return merged


def _pair(id: str, first: Entity, second: Entity, types: Sequence[str]) -> Pair:
    if not types:
        return Pair(id, first.id, second.id, False)
    main, *others = dict.fromkeys(types)
    return Pair(id, first.id, second.id, True, main or None, tuple((ALSO, type) for type in others if type))


def _free(sentence_id: str, number: int, taken: set[str]) -> int:
    """The next number of a pair's id that nobody has; from now on it is taken."""
    while f"{sentence_id}.i{number}" in taken:
        number += 1
    taken.add(f"{sentence_id}.i{number}")
    return number


def _of_events(documents: Sequence[Document], negatives: str, relations: Collection[str] | None, name: str) -> Gold:
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
    return Gold(list(documents), notes=("pairs of proteins in a sentence that no event joins are negatives",))


def _check_types(documents: Sequence[Document], wanted: Collection[str] | None, name: str) -> None:
    if wanted is None:
        return
    known: set[str] = set()
    for document in documents:
        known.update(relation.type for relation in document.relations)
        known.update(relation.type for relation in document.concept_relations)
        pairs = (pair for sentence in document.sentences for pair in sentence.pairs)
        known.update(type for pair in pairs for type in relation_types(pair))
    if missing := sorted(set(wanted) - known):
        raise UsageError(f"expected types of relations of {name}, among {sorted(known)}, got {missing[0]!r}")


def _notes(counts: Counter[str], complete: bool) -> Iterator[str]:
    if complete:
        yield (
            f"negatives: {counted(counts['negative'], 'pair')} of names in a sentence that no relation joins, beside "
            f"{counted(counts['positive'], 'positive')}, as in a corpus annotated exhaustively; --negatives none does "
            "without them"
        )
    if counts["relations of identifiers"]:
        yield (
            f"positives: every two names in a sentence whose identifiers the document relates, "
            f"{counts['relations of identifiers in a sentence']} of {counts['relations of identifiers']} pairs of "
            "identifiers; the others are in no sentence together"
        )
    if counts["other relations"]:
        yield f"left out: {counted(counts['other relations'], 'relation')} of other things than two genes or proteins"
    if counts["across sentences"]:
        yield across_sentences(counts["across sentences"])
    if counts["long sentences"]:
        yield f"left out: {counted(counts['long sentences'], 'sentence')} of more than {MOST_TOKENS} tokens"


def across_sentences(count: int) -> str:
    """The note on relations that are no candidates because of where their mentions stand."""
    return f"left out: {counted(count, 'relation')} between mentions of different sentences"
