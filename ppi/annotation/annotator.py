"""The annotator finds interactions in text, with probability and evidence."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from corpora import CorpusError, Document, Entity, Problem, Span, shorten, truncate_repr
from kernels import CandidateGraph, KernelError
from ppi.annotation.input_documents import document_of_text
from ppi.annotation.interactions import (
    CandidateGraphs,
    add_evidence,
    build_candidates,
    merge_aliases,
    needs_evidence,
    pair_interaction,
    self_interactions,
    sort_by_sentence,
)
from ppi.annotation.pairs import check_kinds, is_protein
from ppi.annotation.process_resources import Grounder, file_version, get_process_parser, name_of_parses
from ppi.annotation.results import AnnotatedDocument, Interaction
from ppi.annotation.settings import MODEL_FILE, AnnotatorOptions, Selection
from ppi.annotation.text_output import describe_calibration
from ppi.core import AnnotationError, MissingModelError, ParseError, UnknownParserError, UsageError
from ppi.extraction import Extractor, PairPredictions
from ppi.grounding import expand_abbreviations
from ppi.language import MAX_BATCH_DOCUMENTS, batch_documents, check_parser


@dataclass(kw_only=True, repr=False, eq=False)
class Annotator(AnnotatorOptions):
    """Finds the protein pairs whose interaction a text states.

    The same annotator can be used by several threads (they take turns in the parser), and be sent to other processes:
    only its settings travel when it uses the shipped model.

    Parameters
    ----------
    model
        An :class:`~ppi.Extractor`, the path of one, or None for the model that ships with the package.
    parser
        As for :func:`ppi.parse`: ``"shipped:bc2gm"``, an installed spaCy pipeline, ``"stanza"``, or ``"given"``
        for documents that bring their parses.
    min_probability
        Interactions less probable than this are left out; 0 gives every pair.
    lexicon
        What names are looked up in: None for the lexicon that ships, the path of an NCBI gene_info file, or anything
        with a method ``candidates(name)``, such as a :class:`~ppi.grounding.Lexicon`.
    max_tokens, max_pairs
        Sentences with more tokens, or more pairs of proteins, are not searched for interactions:
        :attr:`AnnotatedDocument.skipped` names them and a warning counts them.
    include_negated, include_hedged
        Whether what a sentence denies, or only supposes, is given, too; it is marked so.
    types
        Only interactions of these types: ``binding``, ``modification``, ``regulation``.  None gives any, also those
        of a model without types, of which nothing else can be asked.
    kinds
        What is paired of the names that the shipped pipeline finds: ``protein`` (genes and proteins), ``family``
        (families and complexes).  Given entities are paired unless their type says that they are something else.
    prevalence
        The expected share of pairs that interact in the texts; the model's probabilities hold for texts like those it
        was calibrated on (its ``facts_["share"]``), and are moved to this prevalence.  None leaves them.
    grounding
        Whether names get identifiers.  Without, two names are one protein only by what they are called.
    keep_same
        Whether two mentions of one protein make a pair, too; it is marked ``same``.
    share
        The earlier name of ``prevalence``.

    Notes
    -----
    Entities of a document are used as they are; see :mod:`ppi.annotation.pairs` for what is paired, and
    :mod:`ppi.annotation.interactions` for what is one statement: an interaction is given once for each sentence and two
    proteins, with the other names under which it was found as its ``aliases``.  Homodimers and the like that a text
    states (:mod:`ppi.annotation.self_statements`) are interactions of one mention with itself, marked ``homo``.

    Examples
    --------
    >>> annotator = Annotator()
    >>> for interaction in annotator.annotate("Profilin binds actin and inhibits its polymerization."):
    ...     print(*interaction.names, interaction.probability > 0.5)
    Profilin actin True
    """

    def __post_init__(self, share: float | None) -> None:
        super().__post_init__(share)
        self.min_probability = _check_probability(self.min_probability)
        self._grounder = Grounder(self.lexicon, grounding=self.grounding)
        self.kinds = check_kinds(self.kinds)
        self.keep_same = bool(self.keep_same)
        self.prevalence = self.prevalence if self.prevalence is None else _check_probability(self.prevalence)
        self.selection = Selection.from_types(
            self.types, include_negated=self.include_negated, include_hedged=self.include_hedged
        )
        self.types = self.selection.types
        for name, limit in (("max_tokens", self.max_tokens), ("max_pairs", self.max_pairs)):
            if not isinstance(limit, int) or limit < 1:
                raise UsageError(f"expected {name} of 1 or more, got {limit!r}")
        self._warned_parsers: tuple[str, str] | None = None
        if not isinstance(self.model, Extractor | str | Path | None):
            raise UsageError(f"expected a model as an Extractor or the path of one, got {truncate_repr(self.model)}")
        check_parser(self.parser)
        self.extractor.check_calibrated()

    def __repr__(self) -> str:
        arguments = []
        for option in fields(self):
            value = getattr(self, option.name)
            if option.repr and (value != option.default or option.name == "min_probability"):
                arguments.append(f"{option.name}={shorten(str(value)) if option.name == 'model' else value!r}")
        return f"Annotator({', '.join(arguments)})"

    @property  # type: ignore[misc]  # the field of this name is only an argument
    def share(self) -> float | None:
        """The earlier name of :attr:`prevalence`."""
        warnings.warn("Annotator.share is now called prevalence", DeprecationWarning, stacklevel=2)
        return self.prevalence

    @property
    def meaning(self) -> tuple[str, ...]:
        """What its probabilities mean, as measured when the model was made, in sentences for a reader."""
        return describe_calibration(self.extractor.facts_, prevalence=self.prevalence)

    @property
    def extractor(self) -> Extractor:
        """The model in use; a file is read once per process, and again when it has changed.

        Work that belongs together takes it once: the next access may give another model.
        """
        if isinstance(self.model, Extractor):
            return self.model
        return _load_extractor(*file_version(self.model or MODEL_FILE))

    def annotate(
        self,
        text: str | Document,
        *,
        entities: Sequence[Span] | Sequence[Entity] | None = None,
        explain: bool = True,
        min_probability: float | None = None,
    ) -> list[Interaction]:
        """The interactions of one text, in text order.

        Parameters
        ----------
        text
            Any text, or a document.
        entities
            The proteins of the text, as (start, end) in characters or as entities with such spans; these and no
            others are used.  None looks for them (in a document: unless it has some).
        explain
            Whether each interaction gets its evidence, a few milliseconds each.
        min_probability
            Instead of the annotator's own.
        """
        if isinstance(text, Document):
            if entities is not None:
                raise UsageError("expected entities inside the document, got a document and entities= beside it")
            document, names = text, True
        elif isinstance(text, str):
            document, names = document_of_text(text, entities), entities is None
        else:
            raise UsageError(f"expected text or a Document, got {type(text).__name__}; decode bytes first")
        threshold = self._threshold(min_probability)
        (annotated,) = self._annotate([document], explain, threshold, self.selection, names=names)
        return list(annotated.interactions)

    def annotate_document(
        self, document: Document | str, *, explain: bool = False, min_probability: float | None = None
    ) -> AnnotatedDocument:
        """The document or text, split and with its protein names, and the interactions found in it.

        Sentences with less than two proteins have no pair to be judged and may come without a parse; for those
        of all sentences there is :func:`ppi.parse`.
        """
        if isinstance(document, str):
            document = document_of_text(document)
        if not isinstance(document, Document):
            raise UsageError(f"expected text or a Document, got {type(document).__name__}; decode bytes first")
        return next(iter(self.annotate_documents([document], explain=explain, min_probability=min_probability)))

    def annotate_documents(
        self,
        documents: Iterable[Document],
        *,
        explain: bool | Collection[str] = False,
        min_probability: float | None = None,
        selection: Selection | None = None,
        batch_size: int = MAX_BATCH_DOCUMENTS,
        problems: list[Problem] | None = None,
    ) -> Iterator[AnnotatedDocument]:
        """Documents as they come, annotated, in the same order.

        Lazy: reads at most ``batch_size`` documents ahead, and keeps none that has been given out.

        Parameters
        ----------
        explain
            Whether each interaction gets its evidence, a few milliseconds each; or the ids of the pairs that do.
        selection
            Types, and whether negated and hedged interactions are given; instead of the annotator's own.
        batch_size
            Documents parsed at a time; fewer if they are long.
        problems
            A list that receives what is wrong with documents that cannot be annotated; these are then left out
            instead of stopping the work.

        Raises
        ------
        AnnotationError
            Naming the document that cannot be annotated, unless ``problems`` is given.
        """
        if not isinstance(batch_size, int) or batch_size < 1:
            raise UsageError(f"expected batch_size of 1 or more, got {batch_size!r}")
        threshold = self._threshold(min_probability)
        batches = batch_documents(_check_documents(documents), batch_size)
        return self._annotate_batches(batches, explain, threshold, selection or self.selection, problems)

    def _annotate_batches(
        self,
        batches: Iterable[Sequence[Document]],
        explain: bool | Collection[str],
        threshold: float,
        selection: Selection,
        problems: list[Problem] | None,
    ) -> Iterator[AnnotatedDocument]:
        """The documents of a batch together or, if that fails, one by one: the error is then that document's."""
        for batch in batches:
            results: list[AnnotatedDocument] = []
            groups = [batch]
            while groups:
                group = groups.pop(0)
                try:
                    results += self._annotate(group, explain, threshold, selection)
                except (CorpusError, KernelError, ParseError) as error:
                    if len(group) > 1:
                        groups = [[document] for document in group]
                    elif isinstance(error, UnknownParserError | MissingModelError):
                        raise  # no document's fault
                    elif problems is None:
                        raise AnnotationError(f"document {group[0].id!r}: {error}") from error
                    else:
                        problems.append(Problem(str(error), group[0].id))
            yield from results

    def annotate_batch(
        self, documents: Sequence[Document], *, explain: bool = False, min_probability: float | None = None
    ) -> list[AnnotatedDocument]:
        """The documents at once, all of them by the same model; what one of them raises is raised for all."""
        checked = list(_check_documents(documents))
        return self._annotate(checked, explain, self._threshold(min_probability), self.selection)

    def _threshold(self, min_probability: float | None) -> float:
        return self.min_probability if min_probability is None else _check_probability(min_probability)

    def _annotate(
        self,
        documents: Sequence[Document],
        explain: bool | Collection[str],
        threshold: float,
        selection: Selection,
        *,
        names: bool = True,
    ) -> list[AnnotatedDocument]:
        extractor = self.extractor  # once: a model file that is replaced now has its effect on the next batch
        parsed = self._parse(documents, names)
        self._check_parses(extractor, get_process_parser(self.parser).parse_source(documents))
        parsed = [self._grounder.ground(document) for document in parsed]
        graphs, bounds, skipped = self._candidates(parsed)
        if selection.types is not None and len(extractor.outputs_) == 1:
            raise UsageError(
                f"expected a model that knows types, for {selection.types}, got one without; ask for no type "
                "(--type, types=), or train a model with types"
            )
        predictions = PairPredictions(extractor, graphs, prevalence=self.prevalence)
        annotated = []
        for document, start, end, too_long in zip(parsed, bounds, bounds[1:], skipped):
            likely = (start + np.flatnonzero(predictions.probabilities[start:end] >= threshold)).tolist()
            graph_by_pair = {graphs[index].pair.id: graphs[index] for index in likely}
            entities = {entity.id: entity for sentence in document.sentences for entity in sentence.entities}
            pair_interactions = []
            for index in likely:
                proteins = entities[graphs[index].prot1], entities[graphs[index].prot2]
                interaction = pair_interaction(graphs[index], predictions[index], proteins, keep_same=self.keep_same)
                pair_interactions.append(interaction)
            interactions = [
                add_evidence(extractor, graph_by_pair[interaction.pair], interaction)
                if needs_evidence(interaction.pair, explain)
                else interaction
                for interaction in merge_aliases(pair_interactions)
                if selection.keeps(interaction)
            ]
            for interaction in self_interactions(
                document, kinds=self.kinds, skipped=too_long, typed=len(extractor.outputs_) > 1, explain=explain
            ):
                if interaction.probability >= threshold and selection.keeps(interaction):
                    interactions.append(interaction)
            annotated.append(AnnotatedDocument(document, tuple(sort_by_sentence(document, interactions)), too_long))
        return annotated

    def _check_parses(self, extractor: Extractor, used: str | None) -> None:
        """Warn, once, of parses by another parser than that of the model's training, where both are known."""
        recorded = extractor.facts_.get("parser")
        if used is None or not isinstance(recorded, str) or name_of_parses(recorded) in (None, used):
            return
        if self._warned_parsers != (recorded, used):
            self._warned_parsers = recorded, used
            in_spacy = "; in spaCy ppi.load_pipeline()" if name_of_parses(recorded) == "shipped" else ""
            warnings.warn(
                f"expected parses of {recorded!r}, which the model was trained on, got those of {used!r}: "
                f"probabilities are not to be relied on; try --parser {recorded} (parser={recorded!r}{in_spacy}), or a "
                f"model of `ppi train --parser {used}`",
                stacklevel=3,
            )

    def _parse(self, documents: Sequence[Document], names: bool) -> list[Document]:
        """Parse the sentences that have a pair, and find out abbreviations.

        The name finder is run on documents that have no entity, if ``names``.
        """
        parsed = list(documents)
        for find_names in (False, True):
            positions = [
                index
                for index, document in enumerate(documents)
                if (names and not any(sentence.entities for sentence in document.sentences)) is find_names
            ]
            if positions:
                group = get_process_parser(self.parser).parse(
                    [documents[index] for index in positions],
                    names=find_names,
                    pairs_of=partial(is_protein, kinds=self.kinds),
                )
                for index, document in zip(positions, group, strict=True):
                    parsed[index] = expand_abbreviations(document, from_pipeline=find_names)
        return parsed

    def score_documents(self, documents: Sequence[Document]) -> tuple[list[CandidateGraph], np.ndarray]:
        """The work after parsing: all candidates of documents that have parses and names, with their scores."""
        graphs = self._candidates(documents).graphs
        return graphs, self.extractor.score_graphs(graphs)

    def _candidates(self, documents: Sequence[Document]) -> CandidateGraphs:
        return build_candidates(
            documents,
            max_tokens=self.max_tokens,
            max_pairs=self.max_pairs,
            kinds=self.kinds,
            keep_same=self.keep_same,
        )


def _check_documents(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents as they come; an error at the first that is none."""
    if isinstance(documents, str) or not isinstance(documents, Iterable):
        raise UsageError(
            f"expected documents, got {truncate_repr(documents)}; one text or document: annotate_document(it)"
        )
    return map(_check_document, documents)


def _check_document(document: Document) -> Document:
    if not isinstance(document, Document):
        raise UsageError(
            f"expected documents, got {truncate_repr(document)} among them; of texts: "
            "[annotator.annotate(text) for text in texts]"
        )
    return document


def _check_probability(value: float) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise UsageError(f"expected a probability from 0 to 1, got {value!r}")
    return float(value)


@lru_cache(maxsize=4)
def _load_extractor(path: Path, version: tuple[int, int] | None) -> Extractor:  # noqa: ARG001 - part of the cache's key
    return Extractor.load(path)
