"""The name finder's network as PyTorch trains it; :mod:`ppi.language.names` runs the trained weights without PyTorch.

Objective: the mean negative log likelihood of the gold labels under each sentence's own guideline, as a linear-chain
conditional random field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lab.training.pipeline.mentions import TYPES
from lab.training.pipeline.name_labels import illegal_steps, labels_of
from lab.training.pipeline.network_layers import dropped_by_sentence, spellings, without_some
from ppi.language import LISTS, PADDING, WHOLE, Vocabulary


@dataclass(frozen=True)
class Batch:
    """Sentences of one guideline, padded: (sentences, tokens) but for characters, (sentences, tokens, characters)."""

    guideline: str
    words: Tensor
    shapes: Tensor
    characters: Tensor
    places: Tensor
    labels: Tensor
    present: Tensor


class RandomField(nn.Module):
    """A linear-chain conditional random field over one guideline's labels."""

    legal: Tensor

    def __init__(self, width: int, types: tuple[str, ...]) -> None:
        super().__init__()
        labels = labels_of(types)
        self.scores = nn.Linear(width, len(labels))
        self.steps = nn.Parameter(torch.zeros(len(labels) + 1, len(labels) + 1))
        self.register_buffer("legal", torch.from_numpy(illegal_steps(labels)))

    def all_steps(self) -> Tensor:
        """Transition scores, impossible ones included; start and end are the last row and column."""
        return self.steps + self.legal

    def loss(self, vectors: Tensor, labels: Tensor, present: Tensor) -> Tensor:
        """Sum over the sentences of log Z - score(gold), Z by the forward recursion."""
        scores, steps = self.scores(vectors), self.all_steps()
        between, first, last = steps[:-1, :-1], steps[-1, :-1], steps[:-1, -1]
        forward = first + scores[:, 0]
        for index in range(1, labels.shape[1]):
            following = torch.logsumexp(forward.unsqueeze(2) + between, dim=1) + scores[:, index]
            forward = torch.where(present[:, index : index + 1], following, forward)
        log_z = torch.logsumexp(forward + last, dim=1)
        emitted = (scores.gather(2, labels.unsqueeze(2)).squeeze(2) * present).sum(1)
        stepped = (between[labels[:, :-1], labels[:, 1:]] * present[:, 1:]).sum(1)
        final = labels.gather(1, present.sum(1, keepdim=True) - 1).squeeze(1)
        return (log_z - emitted - stepped - first[labels[:, 0]] - last[final]).sum()


class NameNetwork(nn.Module):
    """Encoder and a random field for each guideline; dropout as in ``settings["training"]``."""

    def __init__(self, vocabulary: Vocabulary, word_width: int, settings: dict[str, dict[str, Any]]) -> None:
        super().__init__()
        size = settings["network"]
        self.dropout = settings["training"]
        self.vector_length = size["vector_length"]
        self.words = nn.Embedding(len(vocabulary.words) + 2, word_width, padding_idx=PADDING)
        nn.init.normal_(self.words.weight, std=0.1)
        self.shapes = nn.Embedding(len(vocabulary.shapes) + 2, size["shape_width"], padding_idx=PADDING)
        self.characters = nn.Embedding(len(vocabulary.characters) + 2, size["character_width"], padding_idx=PADDING)
        self.places = nn.Embedding(1 + WHOLE * len(LISTS), size["place_width"])
        width = size["filter_width"]
        self.filters = nn.Conv1d(size["character_width"], size["filters"], width, padding=width // 2)
        inputs = word_width + size["shape_width"] + size["filters"] + size["place_width"]
        self.context = nn.LSTM(inputs, size["units"], batch_first=True, bidirectional=True)
        self.mix = nn.Linear(2 * size["units"], size["units"])
        self.fields = nn.ModuleDict({name: RandomField(size["units"], types) for name, types in TYPES.items()})

    def start_from(self, vectors: dict[int, NDArray[Any]]) -> None:
        """Set rows of the word embeddings."""
        with torch.no_grad():
            for row, vector in vectors.items():
                self.words.weight[row] = torch.from_numpy(np.asarray(vector, dtype=np.float32)) * self.vector_length

    def loss(self, batch: Batch) -> Tensor:
        """The objective on one batch."""
        field = cast(RandomField, self.fields[batch.guideline])
        return field.loss(self(batch), batch.labels, batch.present) / len(batch.words)

    def forward(self, batch: Batch) -> Tensor:
        """Tokens in context."""
        options, training = self.dropout, self.training
        words = without_some(batch.words, options["word_dropout"]) if training else batch.words
        spelling = spellings(
            batch.characters,
            self.characters,
            self.filters,
            dropout=options["character_dropout"],
            training=training,
        )
        x = torch.cat(
            [
                self.words(words),
                self.shapes(batch.shapes),
                spelling,
                self.places(batch.places),
            ],
            dim=2,
        )
        x = self._dropped(x, "input_dropout")
        lengths = batch.present.sum(1)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        hidden, _ = pad_packed_sequence(self.context(packed)[0], batch_first=True)
        hidden = self._dropped(hidden, "context_dropout")
        mixed = torch.tanh(self.mix(hidden))
        return F.dropout(mixed, self.dropout["mixed_dropout"], self.training)

    def _dropped(self, x: Tensor, share: str) -> Tensor:
        return dropped_by_sentence(x, self.dropout[share], self.training)
