"""A batch together or, if that fails, its documents one by one: the error is then known to be that document's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def map_isolating_errors(
    function: Callable[[Sequence[T]], Sequence[R]],
    items: Sequence[T],
    *,
    errors: type[Exception] | tuple[type[Exception], ...],
    on_error: Callable[[T, Exception], None],
) -> list[tuple[T, R]]:
    """Each item with its result, in order, without those that fail alone.

    Parameters
    ----------
    function
        Gives one result per item, of all that it is given.
    errors
        What may be the fault of an item; every other error is raised at once.
    failed
        Called with the item that fails alone, and its error; may raise.

    Examples
    --------
    >>> bad = []
    >>> map_isolating_errors(
    ...     lambda texts: [int(text) for text in texts], ["1", "x", "3"],
    ...     errors=ValueError, failed=lambda text, error: bad.append(text),
    ... ), bad
    ([('1', 1), ('3', 3)], ['x'])
    """
    if not items:
        return []
    try:
        return list(zip(items, function(items), strict=True))
    except errors as error:
        if len(items) == 1:
            on_error(items[0], error)
            return []
    return [
        outcome
        for item in items
        for outcome in map_isolating_errors(function, [item], errors=errors, on_error=on_error)
    ]
