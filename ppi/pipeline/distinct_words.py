"""Each distinct word of a batch embedded once.

What spaCy knows of a word before it looks at its neighbours depends on the word alone, but spaCy works it out anew for
every token, which takes almost half of the encoder's time.  Three tokens of four in a few pages are repetitions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from spacy.language import Language
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
