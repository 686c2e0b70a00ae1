"""Documents as Docs of spaCy: with our names as entities, and our interactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from corpora.types import Document, Entity
from ppi.annotation.types import AnnotatedDocument
from ppi.errors import UsageError
from ppi.parsing.intervals import offsets_inside
from ppi.pipeline.loading import load

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

#: A wider gap between sentences is no white space that was left out.
_MAX_GAP_CHARS = 10_000


def to_doc(document: Document | AnnotatedDocument, nlp: Language | None = None) -> Doc:
    """A document as a Doc, with its names as ``doc.ents`` and, of an annotated one, ``doc._.interactions``.

    Tokens, tags and dependencies are those of a pipeline, which runs now: the graphs of a document need not be trees,
    as a Doc's must be.  Tokens are cut at the boundaries of names.  Sentences of an annotated document stay what they
    are.  Of names that overlap only the longest is an entity.

    Parameters
    ----------
    nlp
        The pipeline; by default the one that ships.  Its components that find entities are not run.

    Examples
    --------
    >>> from ppi import Annotator
    >>> doc = to_doc(Annotator().annotate_document("It was known before. Profilin binds actin."))
    >>> [(ent.text, ent.label_) for ent in doc.ents], [sent.root.text for sent in doc.sents]
    ([('Profilin', 'PROTEIN'), ('actin', 'PROTEIN')], ['known', 'binds'])
    >>> doc._.interactions
    [<Interaction: Profilin -- actin, binding, 1.00>]
    """
    from ppi.annotation.in_spacy.extensions import register_extensions, store_interactions

    annotated = document if isinstance(document, AnnotatedDocument) else None
    if annotated is not None:
        document = annotated.document
    if not isinstance(document, Document):
        raise UsageError(f"expected a Document or an AnnotatedDocument, got {type(document).__name__}")
    register_extensions()
    nlp = load() if nlp is None else nlp
    text = _join_sentences(document)
    doc = _cut_tokens(nlp, text)
    _set_sentences(doc, text, document, split=annotated is not None)
    doc = nlp(doc, disable=[name for name in nlp.pipe_names if "doc.ents" in nlp.get_pipe_meta(name).assigns])
    _set_entities(doc, text.entities)
    if annotated is not None:
        starts = dict(zip((sentence.id for sentence in document.sentences), text.starts))
        store_interactions(
            doc,
            [replace(interaction, offset=starts[interaction.sentence_id]) for interaction in annotated.interactions],
        )
    return doc


class _DocText(NamedTuple):
    """The text of a document, where its sentences begin in it, and its entities there."""

    text: str
    starts: list[int]
    entities: list[Entity]


def _join_sentences(document: Document) -> _DocText:
    """Gaps between sentences become spaces; sentences whose offsets do not fit are one space apart."""
    offsets = [(sentence.offset, sentence.offset + len(sentence.text)) for sentence in document.sentences]
    fit = all(0 <= start - end <= _MAX_GAP_CHARS for (_, end), (start, _) in pairwise([(0, 0), *offsets]))
    parts: list[str] = []
    starts: list[int] = []
    entities: list[Entity] = []
    length = 0
    for sentence in document.sentences:
        gap = sentence.offset - length if fit else int(length > 0)
        starts.append(length + gap)
        parts += [" " * gap, sentence.text]
        length += gap + len(sentence.text)
        for entity in sentence.entities:
            spans = tuple((starts[-1] + start, starts[-1] + end) for start, end in entity.spans)
            entities.append(replace(entity, spans=spans))
    return _DocText("".join(parts), starts, entities)


def _cut_tokens(nlp: Language, text: _DocText) -> Doc:
    """The tokens of the pipeline, cut where names and sentences begin and end."""
    from spacy.tokens import Doc

    cuts = sorted({*text.starts, *(bound for entity in text.entities for span in entity.spans for bound in span)})
    words: list[str] = []
    spaces: list[bool] = []
    for token in nlp.make_doc(text.text):
        end = token.idx + len(token)
        for first, last in pairwise([token.idx, *offsets_inside(cuts, token.idx, end), end]):
            words.append(text.text[first:last])
            spaces.append(last == end and bool(token.whitespace_))
    return Doc(nlp.vocab, words=words, spaces=spaces)


def _set_sentences(doc: Doc, text: _DocText, document: Document, *, split: bool) -> None:
    """A sentence begins where ours do; inside, none does if they are known to be sentences and no passages."""
    inside = [split or bool(sentence.parses) for sentence in document.sentences]
    starts = dict(zip(text.starts, inside))
    is_one_sentence = False
    for token in doc:
        if token.idx in starts:
            is_one_sentence = starts[token.idx]
            token.is_sent_start = True
        elif is_one_sentence:
            token.is_sent_start = False


def _set_entities(doc: Doc, entities: Sequence[Entity]) -> None:
    from spacy.util import filter_spans

    spans = [doc.char_span(entity.start, entity.end, label=entity.type or "PROTEIN") for entity in entities]
    doc.set_ents(filter_spans([span for span in spans if span is not None]))
