"""The annotator: text in, interactions with probability and evidence out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from corpora.errors import CorpusError, Problem
from corpora.types import Document, Entity, Sentence, Span
from kernels import CandidateGraph, KernelError, sentence_candidates, sentence_graph
from ppi.annotation.drawing import evidence_svg
from ppi.annotation.own_parser import own_parser
from ppi.annotation.pairs import candidate_pairs, is_protein
from ppi.annotation.text import document_of_text
from ppi.annotation.types import AnnotatedDocument, Evidence, Interaction
from ppi.errors import AnnotationError, MissingModelError, ParseError, UnknownParserError, UsageError
from ppi.extraction import Extractor
from ppi.parsing.batches import BATCH_DOCUMENTS, batches
from ppi.pipeline import FOR_INTERACTIONS

#: The model that ships with the package.
MODEL_FILE = Path(__file__).parent / "model.zip"

#: Longer sentences are not searched: their features take memory and time with the square of the length.
MOST_TOKENS = 500
#: Nor are lists of more than a hundred proteins.
MOST_PAIRS = 5000


class Annotator:
    """Finds the protein pairs that a text says interact.

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
        Anything with a method ``ground(entity) -> entity``; every protein name goes through it.
    max_tokens, max_pairs
        Sentences with more tokens, or more pairs of proteins, are not searched for interactions:
        :attr:`AnnotatedDocument.skipped` names them and a warning counts them.

    Notes
    -----
    Entities of a document are used as they are; see :mod:`ppi.annotation.pairs` for what is paired.  A mention is
    never paired with itself, nor with another mention of exactly the same characters.

    Examples
    --------
    >>> annotator = Annotator()
    >>> for interaction in annotator.annotate("Profilin binds actin and inhibits its polymerization."):
    ...     print(*interaction.names, interaction.probability > 0.5)
    Profilin actin True
    """

    def __init__(
        self,
        *,
        model: Extractor | str | Path | None = None,
        parser: str = FOR_INTERACTIONS,
        min_probability: float = 0.5,
        lexicon: Any = None,
        max_tokens: int = MOST_TOKENS,
        max_pairs: int = MOST_PAIRS,
    ) -> None:
        self.model = model
        self.parser = parser
        self.min_probability = _checked_probability(min_probability)
        self.lexicon = lexicon
        self.max_tokens = max_tokens
        self.max_pairs = max_pairs
        if lexicon is not None and not hasattr(lexicon, "ground"):
            raise UsageError(f"expected a lexicon with a method ground(entity), got {lexicon!r}")
        for name, limit in (("max_tokens", max_tokens), ("max_pairs", max_pairs)):
            if not isinstance(limit, int) or limit < 1:
                raise UsageError(f"expected {name} of 1 or more, got {limit!r}")
        own_parser(parser)
        self.extractor.check_calibrated()

    @property
    def extractor(self) -> Extractor:
        """The model in use; a file is read once a process, and again when it has changed."""
        if isinstance(self.model, Extractor):
            return self.model
        path = Path(self.model or MODEL_FILE)
        state = path.stat() if path.exists() else None
        return _extractor(path, None if state is None else (state.st_mtime_ns, state.st_size))

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
        found = self._annotate_batch([document], explain, self._threshold(min_probability), names=names)
        return list(found[0].interactions)

    def annotate_document(
        self, document: Document, *, explain: bool = False, min_probability: float | None = None
    ) -> AnnotatedDocument:
        """The document, split, parsed and with its protein names, and the interactions found in it."""
        return next(iter(self.annotate_documents([document], explain=explain, min_probability=min_probability)))

    def annotate_documents(
        self,
        documents: Iterable[Document],
        *,
        explain: bool = False,
        min_probability: float | None = None,
        batch_size: int = BATCH_DOCUMENTS,
        problems: list[Problem] | None = None,
    ) -> Iterator[AnnotatedDocument]:
        """Documents as they come, annotated, in the same order.

        Lazy: reads at most ``batch_size`` documents ahead, and keeps none that has been given out.

        Parameters
        ----------
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
        return chain.from_iterable(
            self._annotate_checked(batch, explain, threshold, problems) for batch in batches(documents, batch_size)
        )

    def _threshold(self, min_probability: float | None) -> float:
        return self.min_probability if min_probability is None else _checked_probability(min_probability)

    def _annotate_checked(
        self, documents: Sequence[Document], explain: bool, threshold: float, problems: list[Problem] | None
    ) -> list[AnnotatedDocument]:
        """A batch; if it fails, one document at a time, to tell which it was."""
        try:
            return self._annotate_batch(documents, explain, threshold)
        except (UnknownParserError, MissingModelError):
            raise  # no document's fault
        except (CorpusError, KernelError, ParseError) as error:
            if len(documents) > 1:
                single = [self._annotate_checked([each], explain, threshold, problems) for each in documents]
                return list(chain.from_iterable(single))
            if problems is None:
                raise AnnotationError(f"document {documents[0].id!r}: {error}") from error
            problems.append(Problem(str(error), documents[0].id))
            return []

    def _annotate_batch(
        self, documents: Sequence[Document], explain: bool, threshold: float, *, names: bool = True
    ) -> list[AnnotatedDocument]:
        parsed = self._parse(documents, names)
        if self.lexicon is not None:
            parsed = [self._grounded(document) for document in parsed]
        graphs, bounds, skipped = self._all_candidates(parsed)
        scores = self.extractor.score_graphs(graphs)
        probabilities = self.extractor.probabilities(scores)
        answers = []
        for document, start, end, too_long in zip(parsed, bounds, bounds[1:], skipped):
            likely = (start + np.flatnonzero(probabilities[start:end] >= threshold)).tolist()
            interactions = [
                self._interaction(graphs[at], float(scores[at]), float(probabilities[at]), explain) for at in likely
            ]
            answers.append(AnnotatedDocument(document, tuple(interactions), too_long))
        return answers

    def _parse(self, documents: Sequence[Document], names: bool) -> list[Document]:
        """Parse; the name finder is run on those that have no entity, if ``names``."""
        parser = own_parser(self.parser)
        wanting = [names and not any(each.entities for each in document.sentences) for document in documents]
        answers = {
            find: iter(parser.parse([d for d, w in zip(documents, wanting) if w is find], names=find))
            for find in set(wanting)
        }
        return [next(answers[want]) for want in wanting]

    def _grounded(self, document: Document) -> Document:
        sentences = tuple(
            replace(
                sentence,
                entities=tuple(self.lexicon.ground(each) if is_protein(each) else each for each in sentence.entities),
            )
            for sentence in document.sentences
        )
        return replace(document, sentences=sentences)

    def score_documents(self, documents: Sequence[Document]) -> tuple[list[CandidateGraph], np.ndarray]:
        """The work after parsing: all candidates of documents that have parses and names, with their scores."""
        graphs, _, _ = self._all_candidates(documents)
        return graphs, self.extractor.score_graphs(graphs)

    def _all_candidates(
        self, documents: Sequence[Document]
    ) -> tuple[list[CandidateGraph], list[int], list[tuple[str, ...]]]:
        """The candidates of all documents, where each one's begin and end, and its sentences that are too long."""
        graphs: list[CandidateGraph] = []
        bounds, skipped = [0], []
        for document in documents:
            found, too_long = self._candidates(document)
            graphs.extend(found)
            bounds.append(len(graphs))
            skipped.append(too_long)
        if any(skipped):
            warnings.warn(
                f"{sum(map(len, skipped))} sentences of more than {self.max_tokens} tokens or {self.max_pairs} pairs "
                f"were not searched for interactions (the first is {next(filter(None, skipped))[0]!r}); raise "
                "max_tokens or max_pairs, or split the text",
                stacklevel=4,
            )
        return graphs, bounds, skipped

    def _candidates(self, document: Document) -> tuple[list[CandidateGraph], tuple[str, ...]]:
        """The candidate graphs of a parsed document, and the sentences that are too long."""
        found: list[CandidateGraph] = []
        too_long = []
        for sentence in document.sentences:
            proteins = [entity for entity in sentence.entities if is_protein(entity)]
            if len(proteins) < 2:
                continue
            base = sentence_graph(_with_proteins(sentence, proteins))
            if base.n_tokens > self.max_tokens or len(proteins) * (len(proteins) - 1) // 2 > self.max_pairs:
                too_long.append(sentence.id)
            elif pairs := candidate_pairs(sentence, proteins):
                found.extend(sentence_candidates(base, pairs, document_id=document.id))
        return found, tuple(too_long)

    def _interaction(self, graph: CandidateGraph, score: float, probability: float, explain: bool) -> Interaction:
        sentence = graph.sentence
        evidence = None
        if explain:
            explanation = self.extractor.explain_graph(graph)
            evidence = Evidence(explanation, evidence_svg(graph, explanation))
        return Interaction(
            document=graph.document_id or "",
            sentence_id=sentence.id,
            sentence=sentence.text,
            offset=sentence.offset,
            pair=graph.pair.id,
            proteins=(sentence.entity(graph.prot1), sentence.entity(graph.prot2)),
            score=score,
            probability=probability,
            evidence=evidence,
        )


def _with_proteins(sentence: Sentence, proteins: Sequence[Entity]) -> Sentence:
    """The sentence with its proteins alone: other entities are words like any."""
    if len(proteins) == len(sentence.entities):
        return sentence
    return replace(sentence, entities=tuple(proteins), pairs=())


def _checked_probability(value: float) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise UsageError(f"expected a probability from 0 to 1, got {value!r}")
    return float(value)


@lru_cache(maxsize=4)
def _extractor(path: Path, version: tuple[int, int] | None) -> Extractor:
    return Extractor.load(path)
