"""Each distinct word of a batch embedded once.

What spaCy knows of a word before it looks at its neighbours depends on the word alone, but spaCy works it out anew for
every token, which takes almost half of the encoder's time.  Three tokens of four in a few pages are repetitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import SENT_START
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span
from spacy.util import minibatch

from ppi.language.entity_kinds import KINDS
from ppi.language.names.finder import DEFAULT_GUIDELINE, NameModel, check_guideline, drop_overlapping
from ppi.language.names.neural_network import NameSpan
from ppi.language.names.rules import drop_implausible
from ppi.language.sentence_rules import INSIDE, find_sentence_starts
from ppi.language.tokenization import read_tokens

if TYPE_CHECKING:
    from thinc.api import Model


#: Odd, so that multiplying by it loses nothing of a hash.
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def embed_distinct_words(nlp: Language) -> None:
    """Let the encoder of a pipeline that is not trained any more embed each distinct word of a batch once."""
    from thinc.api import Model

    encoder = nlp.get_pipe("tok2vec").model  # type: ignore[attr-defined]
    embed = encoder.get_ref("embed")
    distinct_layer: Model = Model("distinct_words", _forward, layers=[embed], dims={"nO": encoder.get_dim("nO")})
    encoder.layers[encoder.layers.index(embed)] = distinct_layer
    encoder.set_ref("embed", distinct_layer)


def _forward(model: Model, docs: Sequence[Any], is_train: bool) -> tuple[list[NDArray[np.float32]], Callable[..., Any]]:
    embed = model.layers[0]
    lengths = [len(doc) for doc in docs]
    if is_train or not sum(lengths):
        return embed(docs, is_train)
    first, of_token = find_distinct_tokens(docs)
    (rows,), backprop = embed([_TokenSubset(docs, first)], is_train)
    return np.split(rows[of_token], np.cumsum(lengths)[:-1]), backprop


def find_distinct_tokens(docs: Sequence[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each distinct word stands first in the docs in a row, and for each token which of these words it is.

    All that is embedded belongs to the word itself, except the normal form, which the tokenizer sets ("n't": "not").
    O(n log n) in tokens.
    """
    from spacy.attrs import NORM, ORTH

    word, norm = np.concatenate([doc.to_array([ORTH, NORM]) for doc in docs]).T
    _, first, of_token = np.unique(word ^ (norm * _HASH_MULTIPLIER), return_index=True, return_inverse=True)
    return first, of_token


class _TokenSubset:
    """Some tokens of several docs, as far as embedding layers look at a Doc."""

    def __init__(self, docs: Sequence[Any], positions: NDArray[np.intp]) -> None:
        self.vocab = docs[0].vocab
        self._docs = docs
        self._positions = positions

    def __len__(self) -> int:
        return len(self._positions)

    def to_array(self, attributes: Any) -> NDArray[np.uint64]:
        """The attributes of each token."""
        return np.concatenate([doc.to_array(attributes) for doc in self._docs])[self._positions]


# The rules for sentences as a component of a spaCy pipeline, before the parser, which keeps to what is set.


@Language.factory("sentence_rules", assigns=["token.is_sent_start"])
class SentenceRules(Pipe):
    """Sets ``token.is_sent_start`` where the rules are sure; what is set already stays.

    It needs no training and has no settings.
    """

    def __init__(self, nlp: Language, name: str = "sentence_rules") -> None:
        self.vocab = nlp.vocab
        self.name = name

    def __call__(self, doc: Doc) -> Doc:
        """Set the sentence starts of one document; O(tokens)."""
        if not len(doc):
            return doc
        text, places = read_tokens(doc)
        starts = np.full(len(doc), INSIDE, dtype=np.int64)  # white space ends with the sentence before it
        starts[places] = find_sentence_starts(text)
        preset_starts = doc.to_array(SENT_START).astype(np.int64)
        # all at once: setting one token asks whether the document is parsed, which looks at every token
        combined_starts = np.where(preset_starts == 0, starts, preset_starts).astype(np.uint64)
        doc.from_array([SENT_START], combined_starts)  # type: ignore[arg-type]  # one attribute, one column
        return doc

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Nothing: the rules are code."""
        return b""

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> SentenceRules:
        """Nothing to take over."""
        return self

    def to_disk(self, path: object, *, exclude: Iterable[str] = ()) -> None:
        """Nothing is written."""

    def from_disk(self, path: object, *, exclude: Iterable[str] = ()) -> SentenceRules:
        """Nothing is read."""
        return self


# The name finder as a component of a spaCy pipeline.


@Language.factory("protein_names", assigns=["doc.ents"], default_config={"guideline": DEFAULT_GUIDELINE})
class NameFinder(Pipe):
    """Adds names to ``doc.ents``, with their kind as label; those that are there already stay.

    Parameters
    ----------
    guideline
        Whose idea of a name: "bc2gm" (genes and their products by name), or "jnlpba" (proteins, families included,
        genes not).
    """

    model: NameModel | None

    def __init__(self, nlp: Language, name: str = "ner", *, guideline: str = DEFAULT_GUIDELINE) -> None:
        check_guideline(guideline)
        self.vocab = nlp.vocab
        self.name = name
        self.guideline = guideline
        self.model = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that are given."""
        return KINDS

    def __call__(self, doc: Doc) -> Doc:
        """Find the names of one document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Find the names of many documents, some at a time."""
        for docs in minibatch(stream, size=batch_size):
            self._annotate(docs)
            yield from docs

    def _annotate(self, docs: list[Doc]) -> None:
        if self.model is None:
            raise ValueError("expected a name finder with a trained model, got an empty one; load a trained pipeline")
        tokenized_docs = [read_tokens(doc) for doc in docs]
        names_per_doc = self.model.find([text for text, _ in tokenized_docs], guideline=self.guideline)
        for doc, (text, places), spans in zip(docs, tokenized_docs, names_per_doc):
            existing_spans = [(ent.start, ent.end) for ent in doc.ents]
            names = [
                NameSpan(places[start], places[end - 1] + 1, kind) for start, end, kind in drop_implausible(text, spans)
            ]
            new_spans = [
                Span(doc, start, end, label=kind) for start, end, kind in drop_overlapping(names, existing_spans)
            ]
            doc.set_ents([*doc.ents, *new_spans])

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The trained model, if there is one."""
        return b"" if self.model is None else self.model.to_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> NameFinder:
        """Take over a trained model."""
        self.model = NameModel.from_bytes(data) if data else None
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the trained model to ``path/model``."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model").write_bytes(self.to_bytes())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> NameFinder:
        """Read what :meth:`to_disk` of a trained finder wrote."""
        data = (Path(path) / "model").read_bytes()
        if not data:
            raise ValueError("expected a trained name model, got an empty file")
        return self.from_bytes(data)

    def score(self, examples: Iterable[Any], **kwargs: Any) -> dict[str, Any]:
        """Exact names: precision, recall and F, as spaCy counts them."""
        from spacy.scorer import get_ner_prf

        return get_ner_prf(examples, **kwargs)
