"""The annotator as a component of a spaCy pipeline, after a parser: it uses the parse that is there.

spaCy imports this module whenever it makes any pipeline, whether that has the component or not: what takes time to
import is imported when a component is made.
"""

# no "from __future__ import annotations": spaCy checks settings by the types below, and reads them as they are

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.util import filter_spans

from ppi.annotation.pairs import DEFAULT_KINDS, is_protein
from ppi.annotation.settings import MIN_PROBABILITY, AnnotatorOptions
from ppi.core import ParseError, UsageError

if TYPE_CHECKING:
    from ppi.annotation.in_spacy.docs import NameSpan

#: What spaCy calls the component.
FACTORY = "ppi_interactions"
#: What becomes of the entities that are there: they are the names, or our names take their place.
KEEP, REPLACE = ENTITIES = ("keep", "replace")
#: Options of the annotator that the component does not have.
_OTHER_OPTIONS = ("parser", "lexicon", "max_tokens", "max_pairs")


@Language.factory(
    FACTORY,
    assigns=["doc.ents", "doc._.interactions", "span._.interactions"],
    requires=["token.dep", "token.head"],
    default_config={
        **{option.name: option.default for option in fields(AnnotatorOptions) if option.name not in _OTHER_OPTIONS},
        "kinds": list(DEFAULT_KINDS),
        "explain": False,
        "entities": KEEP,
        "labels": None,
    },
)
class InteractionFinder(Pipe):
    """Sets ``doc._.interactions``, and ``doc.ents`` where there are none.

    Works in any pipeline that has a parser before it, and parses nothing itself; probabilities hold for the parser of
    the shipped pipeline (:func:`ppi.load_pipeline`), and a warning is given if it is another.  ``sent._.interactions``
    are those of a sentence.

    Parameters
    ----------
    model, min_probability, types, kinds, include_negated, include_hedged, prevalence, grounding, keep_same
        As for :class:`ppi.Annotator`; the model by its path.
    share
        The earlier name of ``prevalence``.
    explain
        Whether interactions get their evidence, a few milliseconds each.
    entities
        ``"keep"``: the entities of a Doc are its names; where it has none, our name finder sets them.
        ``"replace"``: our names take their place.
    labels
        Labels of entities that are names.  None: all but those of general pipelines, such as ``ORG`` and ``PERSON``.

    Examples
    --------
    >>> import ppi
    >>> nlp = ppi.load_pipeline()
    >>> component = nlp.add_pipe("ppi_interactions")
    >>> doc = nlp("Profilin binds actin. STAT5 is phosphorylated by JAK2.")
    >>> doc._.interactions
    [<Interaction: Profilin -- actin, binding, 1.00>, <Interaction: JAK2 -> STAT5, phosphorylation, 1.00>]
    >>> [len(sent._.interactions) for sent in doc.sents]
    [1, 1]
    """

    def __init__(  # noqa: PLR0913 - spaCy validates a component's options by its signature
        self,
        nlp: Language,
        name: str = FACTORY,
        *,
        model: str | None = None,
        min_probability: float = MIN_PROBABILITY,
        types: list[str] | None = None,
        kinds: Sequence[str] = DEFAULT_KINDS,
        include_negated: bool = False,
        include_hedged: bool = False,
        prevalence: float | None = None,
        grounding: bool = True,
        keep_same: bool = False,
        explain: bool = False,
        entities: str = KEEP,
        labels: list[str] | None = None,
        share: float | None = None,
    ) -> None:
        if entities not in ENTITIES:
            raise UsageError(f"expected entities={KEEP!r} or {REPLACE!r}, got {entities!r}")
        from ppi.annotation.annotator import Annotator
        from ppi.annotation.in_spacy.docs import register_extensions

        register_extensions()
        self.name = name
        self.annotator = Annotator(
            model=model,
            parser="given",
            min_probability=min_probability,
            types=types,
            kinds=kinds,
            include_negated=include_negated,
            include_hedged=include_hedged,
            prevalence=prevalence,
            grounding=grounding,
            keep_same=keep_same,
            share=share,
        )
        self.explain = explain
        self.entities = entities
        self.name_labels = labels
        self._nlp = nlp
        self._parser: str | None = None
        self._warned_of_labels = False

    def __repr__(self) -> str:
        return f"<InteractionFinder {self.name!r}: {self.annotator!r}>"

    def __call__(self, doc: Doc) -> Doc:
        """Find the interactions of one Doc."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Find the interactions of many Docs, some at a time."""
        remaining = iter(stream)
        while docs := list(islice(remaining, batch_size)):
            try:
                self._annotate(docs)
            except Exception:
                for doc in docs:  # whether one that cannot be annotated stops the work is for the error handler
                    try:
                        self._annotate([doc])
                    except Exception as error:
                        self.get_error_handler()(self.name, self, [doc], error)
                    else:
                        yield doc
            else:
                yield from docs

    def _annotate(self, docs: Sequence[Doc]) -> None:
        from ppi.annotation.in_spacy.docs import build_documents, parse_source, store_interactions

        for doc in docs:
            if len(doc) and not doc.has_annotation("DEP"):
                raise ParseError(
                    f"expected a Doc with dependencies, got one of a pipeline with {self._nlp.pipe_names}; put a "
                    f"parser before {self.name!r}, or take the pipeline that ships, ppi.load_pipeline()"
                )
        if self._parser is None:
            self._parser = parse_source(self._nlp)
        searched: list[tuple[Doc, list[NameSpan]]] = []
        for doc, names in zip(docs, self._names(docs)):
            if len(names) < 2:
                store_interactions(doc, ())
            else:
                searched.append((doc, names))
        pairs_of = partial(is_protein, kinds=self.annotator.kinds)
        parsed = build_documents(searched, parser=self._parser, pairs_of=pairs_of)
        annotated = self.annotator.annotate_batch(list(parsed), explain=self.explain)
        for (doc, _), result in zip(searched, annotated, strict=True):
            store_interactions(doc, result.interactions)

    def _names(self, docs: Sequence[Doc]) -> list[list["NameSpan"]]:
        """The names of each Doc: its entities, or those that are found and become its entities."""
        from ppi.annotation.in_spacy.docs import entity_names, get_name_finder, has_name_finder

        keeps = self.entities == KEEP
        names = [entity_names(doc, self.name_labels) for doc in docs]
        if keeps:
            self._check_labels(docs, names)
        unnamed = [number for number, doc in enumerate(docs) if not (keeps and doc.ents)]
        if unnamed and not (keeps and has_name_finder(self._nlp)):  # a pipeline with our name finder has looked already
            for index, found_names in zip(unnamed, get_name_finder().find_names([docs[n].text for n in unnamed])):
                names[index] = found_names
                # where the tokens are longer than a name, the whole token is an entity
                spans: list[Any] = [
                    docs[index].char_span(start, end, label=label, alignment_mode="expand")
                    for start, end, label in found_names
                ]
                docs[index].set_ents(filter_spans([span for span in spans if span is not None]))
        return names

    def _check_labels(self, docs: Sequence[Doc], names: Sequence[Sequence["NameSpan"]]) -> None:
        """Warn, once, of Docs whose entities are all of other things."""
        other = sorted({ent.label_ for doc, doc_names in zip(docs, names) if not doc_names for ent in doc.ents})
        if other and not self._warned_of_labels:
            self._warned_of_labels = True
            expected = (
                "names of proteins" if self.name_labels is None else f"entities with the labels {self.name_labels}"
            )
            warnings.warn(
                f"expected {expected} in doc.ents, got only {other}: no interactions are found there; take that name "
                f"finder out of the pipeline, or set entities={REPLACE!r} of {self.name!r}",
                stacklevel=2,
            )
