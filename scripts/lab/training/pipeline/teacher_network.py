"""The parser's teacher as PyTorch trains and runs it: a graph-based parser with a deep biaffine scorer [Dozat2017].

A bidirectional LSTM reads the sentence; every token d scores every head h,

    s(h, d) = a_d^T U b_h + u^T b_h,    a_d = arc MLP of d as a dependent, b_h = arc MLP of h as a head,

and every label of an arc likewise; tags are read off the same LSTM.  Objective: the mean negative log likelihood of
gold heads, labels of the gold arcs, and tags.  It sees the whole sentence, where the shipped parser's convolutions see
six words to either side, and is several times slower: it is not shipped, the shipped parser learns from it.

.. [Dozat2017] T. Dozat, C. Manning. Deep biaffine attention for neural dependency parsing. ICLR 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lab.training.pipeline.network_layers import dropped_by_sentence, spellings, without_some
from ppi.language import PADDING, Vocabulary

_IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class TreeBatch:
    """Sentences, padded: (sentences, tokens) but for characters, (sentences, tokens, characters).

    ``words`` are rows of the learned embeddings, ``vectors`` of the fixed ones.  Heads count from 1; 0 is the root.
    """

    words: Tensor
    vectors: Tensor
    shapes: Tensor
    characters: Tensor
    present: Tensor
    heads: Tensor
    labels: Tensor
    tags: Tensor


class Biaffine(nn.Module):
    """x^T U y + linear terms, for ``outputs`` labels at once."""

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, width + 1, width + 1))

    def every_pair(self, dependents: Tensor, heads: Tensor) -> Tensor:
        """(sentences, dependents, heads), of the first label."""
        return _with_one(dependents) @ self.weight[0] @ _with_one(heads).transpose(1, 2)

    def of_arcs(self, dependents: Tensor, heads: Tensor) -> Tensor:
        """(arcs, labels), of as many dependents as heads."""
        return torch.einsum("ni,oij,nj->no", _with_one(dependents), self.weight, _with_one(heads))


class TeacherNetwork(nn.Module):
    """Encoder, arcs, labels and tags; sizes and dropout as in teacher.toml."""

    fixed: Tensor

    def __init__(
        self, vocabulary: Vocabulary, fixed: NDArray[Any], n_labels: int, n_tags: int, settings: dict[str, Any]
    ) -> None:
        super().__init__()
        size, self.dropout = settings["network"], settings["training"]
        self.register_buffer("fixed", torch.from_numpy(fixed))
        self.words = nn.Embedding(len(vocabulary.words) + 2, fixed.shape[1], padding_idx=PADDING)
        nn.init.zeros_(self.words.weight)
        self.shapes = nn.Embedding(len(vocabulary.shapes) + 2, size["shape_width"], padding_idx=PADDING)
        self.characters = nn.Embedding(len(vocabulary.characters) + 2, size["character_width"], padding_idx=PADDING)
        width = size["filter_width"]
        self.filters = nn.Conv1d(size["character_width"], size["filters"], width, padding=width // 2)
        inputs, units = fixed.shape[1] + size["shape_width"] + size["filters"], size["units"]
        self.layers = nn.ModuleList(
            nn.LSTM(inputs if not layer else 2 * units, units, batch_first=True, bidirectional=True)
            for layer in range(size["layers"])
        )
        self.root = nn.Parameter(torch.zeros(2 * units))
        self.arc_dependent, self.arc_head = (nn.Linear(2 * units, size["arc_width"]) for _ in range(2))
        self.label_dependent, self.label_head = (nn.Linear(2 * units, size["label_width"]) for _ in range(2))
        self.tag_hidden, self.tag_scores = nn.Linear(2 * units, size["tag_width"]), nn.Linear(size["tag_width"], n_tags)
        self.arcs, self.labels = Biaffine(size["arc_width"], 1), Biaffine(size["label_width"], n_labels)

    def loss(self, batch: TreeBatch) -> Tensor:
        """Mean over tokens of -log p(head) - log p(label | gold head) - log p(tag)."""
        context = self(batch)
        some, token = batch.present.nonzero(as_tuple=True)
        heads = batch.heads[some, token]
        arcs = F.cross_entropy(self.arc_scores(context, batch.present)[some, token], heads)
        labels = F.cross_entropy(self.label_scores(context, some, token, heads), batch.labels[some, token])
        return arcs + labels + F.cross_entropy(self.tag_logits(context[some, token]), batch.tags[some, token])

    def arc_scores(self, context: Tensor, present: Tensor) -> Tensor:
        """(sentences, dependents, 1 + heads); the root is the first head, padding is impossible."""
        scores = self.arcs.every_pair(
            self._wide(self.arc_dependent, context), self._wide(self.arc_head, self._with_root(context))
        )
        possible = torch.cat([torch.ones(len(present), 1, dtype=torch.bool), present], dim=1)
        return scores.masked_fill(~possible.unsqueeze(1), _IMPOSSIBLE)

    def label_scores(self, context: Tensor, some: Tensor, token: Tensor, heads: Tensor) -> Tensor:
        """(arcs, labels), of the arcs from ``heads`` (0: root) to ``token`` in the sentences ``some``."""
        dependents = self._wide(self.label_dependent, context)[some, token]
        return self.labels.of_arcs(dependents, self._wide(self.label_head, self._with_root(context))[some, heads])

    def tag_logits(self, tokens: Tensor) -> Tensor:
        """(tokens, tags)."""
        return self.tag_scores(self._wide(self.tag_hidden, tokens))

    def forward(self, batch: TreeBatch) -> Tensor:
        """Tokens in context, (sentences, tokens, 2 units)."""
        options, training = self.dropout, self.training
        words = without_some(batch.words, options["word_dropout"]) if training else batch.words
        spelling = spellings(
            batch.characters,
            self.characters,
            self.filters,
            dropout=options["character_dropout"],
            training=training,
        )
        known = self.fixed[batch.vectors] + self.words(words)
        x = torch.cat([known, self.shapes(batch.shapes), spelling], dim=2)
        x = self._dropped(x, "input_dropout")
        lengths = batch.present.sum(1)
        for layer in self.layers:
            packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            x, _ = pad_packed_sequence(layer(packed)[0], batch_first=True)
            x = self._dropped(x, "context_dropout")
        return x

    def _with_root(self, context: Tensor) -> Tensor:
        return torch.cat([self.root.expand(len(context), 1, -1), context], dim=1)

    def _wide(self, layer: nn.Module, x: Tensor) -> Tensor:
        return F.dropout(F.leaky_relu(layer(x), 0.1), self.dropout["width_dropout"], self.training)

    def _dropped(self, x: Tensor, share: str) -> Tensor:
        return dropped_by_sentence(x, self.dropout[share], self.training)


def _with_one(x: Tensor) -> Tensor:
    return torch.cat([x, torch.ones(*x.shape[:-1], 1)], dim=-1)


def as_tensor(array: NDArray[Any]) -> Tensor:
    """The array as a tensor of int64, or of truth values."""
    return torch.from_numpy(array if array.dtype == np.bool_ else array.astype(np.int64))
