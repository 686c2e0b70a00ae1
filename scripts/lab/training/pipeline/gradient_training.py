"""Training of a PyTorch network batch by batch: AdamW with a rate that warms up and falls, and averaged weights."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from importlib.util import find_spec
from typing import Any, TypeVar

from ppi.core import MissingExtraError

_WARM_UP = 300
_LOWEST_RATE = 0.02
#: Batches are made of sentences of like length from this many at a time.
_POOL = 800

Item = TypeVar("Item", bound=Sized)


def require_torch() -> None:
    """Raise a MissingExtraError if PyTorch is not installed."""
    if find_spec("torch") is None:
        raise MissingExtraError("torch", "train")


def averaged_weights(
    network: Any,
    batches: Callable[[random.Random], list[list[Item]]],
    loss: Callable[[list[Item]], Any],
    options: dict[str, Any],
    report: Callable[[str], None],
    *,
    after_epoch: Callable[[dict[str, Any]], None] = lambda averaged: None,
) -> dict[str, Any]:
    """Train the network in place; returns its state as a running mean over batches.

    Parameters
    ----------
    batches
        One epoch in an order drawn from the given state; always as many batches.
    loss
        The mean loss of the sentences of a batch.
    options
        ``seed``, ``epochs``, ``learning_rate``, ``weight_decay``, ``clip`` and ``averaging`` of the settings.
    after_epoch
        Is given the averaged state.
    """
    import torch

    state = random.Random(options["seed"])
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.0, weight_decay=options["weight_decay"], betas=(0.9, 0.99))
    averaged = {name: value.detach().clone() for name, value in network.state_dict().items()}
    steps, step = len(batches(random.Random(0))) * options["epochs"], 0
    for epoch in range(options["epochs"]):
        network.train()
        total, seen = 0.0, 0
        for items in batches(state):
            for group in optimizer.param_groups:
                group["lr"] = _rate(options["learning_rate"], step, steps)
            value = loss(items)
            optimizer.zero_grad()
            value.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), options["clip"])
            optimizer.step()
            step += 1
            total, seen = total + value.item() * len(items), seen + len(items)
            # in the first steps a shorter memory, as the random start should be forgotten
            memory = min(options["averaging"], (1 + step) / (10 + step))
            for name, weights in network.state_dict().items():
                averaged[name].lerp_(weights, 1 - memory)
        report(f"epoch {epoch + 1}: loss {total / seen:.3f}")
        after_epoch(averaged)
    return averaged


def _rate(highest: float, step: int, steps: int) -> float:
    """A learning rate that warms up, then falls linearly."""
    return highest * min(1.0, (step + 1) / _WARM_UP) * max(_LOWEST_RATE, 1 - step / steps)


def batches_of_like_length(sentences: Sequence[Item], tokens: int, state: random.Random) -> list[list[Item]]:
    """Sentences of like length together, about so many tokens a batch once padded to the longest, which comes last."""
    shuffled = list(sentences)
    state.shuffle(shuffled)
    return [
        batch
        for start in range(0, len(shuffled), _POOL)
        for batch in filled(sorted(shuffled[start : start + _POOL], key=len), tokens)
    ]


def filled(sentences: Iterable[Item], tokens: int) -> Iterator[list[Item]]:
    """Batches that hold about so many tokens once padded to the longest, which comes last."""
    batch: list[Item] = []
    for sentence in sentences:
        batch.append(sentence)
        if len(batch) * len(sentence) >= tokens:
            yield batch
            batch = []
    if batch:
        yield batch
