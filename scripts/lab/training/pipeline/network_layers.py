"""What the networks that PyTorch trains here share: words forgotten in training, spellings, dropout by sentence."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ppi.language import PADDING, UNKNOWN


def without_some(words: Tensor, share: float) -> Tensor:
    """A share of the words replaced by the unknown one, so that spelling and context learn to do without them."""
    forgotten = (torch.rand(words.shape) < share) & (words != PADDING)
    return torch.where(forgotten, UNKNOWN, words)


def spellings(
    characters: Tensor, embedding: nn.Embedding, filters: nn.Conv1d, *, dropout: float, training: bool
) -> Tensor:
    """The largest answer of each filter on the characters of each token, worked out once per different spelling."""
    sentences, tokens, length = characters.shape
    distinct, of_token = torch.unique(characters.reshape(-1, length), dim=0, return_inverse=True)
    embedded = F.dropout(embedding(distinct), dropout, training)
    largest = F.relu(filters(embedded.transpose(1, 2))).amax(dim=2)
    return largest[of_token].view(sentences, tokens, -1)


def dropped_by_sentence(x: Tensor, share: float, training: bool) -> Tensor:
    """Dropout with the same mask at all tokens of a sentence (Gal and Ghahramani, 2016)."""
    return x * F.dropout(torch.ones(len(x), 1, x.shape[2]), share, training)
