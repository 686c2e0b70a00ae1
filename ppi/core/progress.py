"""Progress bars on standard error, silent where that is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")


def track(items: Iterable[T], description: str, *, total: int | None = None) -> Iterator[T]:
    """Yield the items, showing how far along we are."""
    return iter(tqdm(items, desc=description, total=total, file=sys.stderr, disable=not is_interactive(), leave=False))


class Stages:
    """A bar over named stages whose number is known beforehand."""

    def __init__(self, description: str, total: int) -> None:
        self._description = description
        self._bar = tqdm(total=total, desc=description, file=sys.stderr, disable=not is_interactive(), leave=False)

    def begin(self, name: str) -> None:
        """Show what is being done now."""
        self._bar.set_description(f"{self._description}: {name}")

    def advance(self) -> None:
        """One stage further."""
        self._bar.update()

    def close(self) -> None:
        """Take the bar away."""
        self._bar.close()


def is_interactive() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr.isatty()
