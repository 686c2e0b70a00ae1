"""The components of the shipped pipeline that are not spaCy's own, and a faster embedding layer for its encoder.

Importing the module registers the rules for sentences and the name finder with spaCy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import NORM, ORTH, SENT_START
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span

from ppi.language.entity_kinds import KINDS
from ppi.language.names.finder import NameModel
from ppi.language.names.rules import drop_implausible
from ppi.language.sentence_rules import INSIDE, find_sentence_starts
from ppi.language.shipped_pipeline import DEFAULT_GUIDELINE, NAME_FINDER_FACTORY, check_guideline
from ppi.language.tokenization import read_tokens

if TYPE_CHECKING:
    from thinc.api import Model

#: Odd, so that multiplying by it loses nothing of a hash.
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@Language.factory("sentence_rules", assigns=["token.is_sent_start"])
class SentenceRules(Pipe):
    """Sets ``token.is_sent_start`` where the rules are sure; what is set already stays.

    It stands before the parser, which keeps to what is set, needs no training and has no settings.
    """

    def __init__(self, nlp: Language, name: str = "sentence_rules") -> None:
        self.vocab = nlp.vocab
        self.name = name

    def __call__(self, doc: Doc) -> Doc:
        """Set the sentence starts of one document; O(tokens)."""
        if not len(doc):
            return doc
        text, token_indices = read_tokens(doc)
        starts = np.full(len(doc), INSIDE, dtype=np.int64)  # white space ends with the sentence before it
        starts[token_indices] = find_sentence_starts(text)
        preset_starts = doc.to_array(SENT_START).astype(np.int64)
        # all at once: setting one token asks whether the document is parsed, which looks at every token
        combined_starts = np.where(preset_starts == 0, starts, preset_starts).astype(np.uint64)
        doc.from_array([SENT_START], combined_starts)  # type: ignore[arg-type]  # one attribute, one column
        return doc


@Language.factory(NAME_FINDER_FACTORY, assigns=["doc.ents"], default_config={"guideline": DEFAULT_GUIDELINE})
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
        self.annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Find the names of many documents, some at a time."""
        iterator = iter(stream)
        while docs := list(islice(iterator, batch_size)):
            self.annotate(docs)
            yield from docs

    def annotate(self, docs: list[Doc]) -> None:
        """Find the names of some documents, all at once."""
        if self.model is None:
            raise ValueError("expected a name finder with a trained model, got an empty one; load a trained pipeline")
        tokenized_docs = [read_tokens(doc) for doc in docs]
        names_per_doc = self.model.find([text for text, _ in tokenized_docs], guideline=self.guideline)
        for doc, (text, token_indices), names in zip(docs, tokenized_docs, names_per_doc):
            spans = [
                Span(doc, token_indices[start], token_indices[end - 1] + 1, label=kind)
                for start, end, kind in drop_implausible(text, names)
            ]
            occupied = {token for ent in doc.ents for token in range(ent.start, ent.end)}
            doc.set_ents([*doc.ents, *(s for s in spans if occupied.isdisjoint(range(s.start, s.end)))])

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
        self.model = NameModel.from_bytes(data)
        return self

    def score(self, examples: Iterable[Any], **kwargs: Any) -> dict[str, Any]:
        """Exact names: precision, recall and F, as spaCy counts them."""
        from spacy.scorer import get_ner_prf

        return get_ner_prf(examples, **kwargs)


def share_word_embeddings(nlp: Language) -> None:
    """Let the encoder of a pipeline that is not trained any more embed each distinct word of a batch once.

    What spaCy knows of a word before it looks at its neighbours depends on the word only, but spaCy works it out anew
    for every token, which takes almost half of the encoder's time.  In a few pages three tokens of four are repeated.
    """
    from thinc.api import Model

    component: Any = nlp.get_pipe("tok2vec")
    encoder = component.model
    component.model = Model("distinct_words", _encode, layers=[encoder], dims={"nO": encoder.get_dim("nO")})


def _encode(
    model: Model[Any, Any], docs: Sequence[Doc], is_train: bool
) -> tuple[list[NDArray[np.float32]], Callable[..., Any]]:
    encoder = model.layers[0]
    lengths = [len(doc) for doc in docs]
    if is_train or not sum(lengths):
        return encoder(docs, is_train)
    distinct, of_token = find_distinct_tokens(docs)
    vocab = docs[0].vocab
    doc = Doc(vocab, words=[vocab.strings[word] for word in distinct[:, 0].tolist()])
    doc.from_array([NORM], distinct[:, 1:])  # type: ignore[arg-type]  # any integers will do
    (rows,) = encoder.get_ref("embed").predict([doc])
    return encoder.get_ref("encode")(np.split(rows[of_token], np.cumsum(lengths)[:-1]), is_train)


def find_distinct_tokens(docs: Sequence[Doc]) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Each distinct word of the docs, as the numbers of its form and normal form, and which of them each token is.

    All that is embedded belongs to the word itself, except the normal form, which the tokenizer sets ("n't": "not").
    O(n log n) in tokens.
    """
    tokens = np.concatenate([doc.to_array([ORTH, NORM]) for doc in docs])
    hashes = tokens[:, 0] ^ (tokens[:, 1] * _HASH_MULTIPLIER)
    _, first, of_token = np.unique(hashes, return_index=True, return_inverse=True)
    return tokens[first], of_token
