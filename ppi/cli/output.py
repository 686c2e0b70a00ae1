"""Where the results of a verb go, and the messages of the packages beside them."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, cast

from ppi.core import UsageError

Item = TypeVar("Item")


def add_output_argument(verb: argparse.ArgumentParser) -> None:
    """Add ``--output``."""
    verb.add_argument("--output", "-o", default="-", metavar="OUT", help="file to write (default: standard output)")


def print_json(value: Any) -> None:
    """Print figures as JSON."""
    print(json.dumps(value, indent=2))


def check_output(output: str, *inputs: str | Path | None) -> None:
    """Refuse an output that is one of the files to be read, also under another name, before anything is touched."""
    if output == "-" or not os.path.exists(output):
        return
    for path in inputs:
        if path is not None and str(path) != "-" and os.path.exists(path) and os.path.samefile(path, output):
            raise UsageError(
                f"expected an output beside the inputs, got {output!r}, which is the input {str(path)!r}; "
                "name another file"
            )


class Push(Generic[Item]):
    """Hands items one by one to a function that consumes an iterable.

    A writer pulls documents out of an iterable.  If that iterable read and parsed them, the writer would call the
    parser: every traceback would lead through the writer.  Here the writer waits in a thread of its own, and each item
    is handed over in step: only one of the two threads runs at any time.

    Examples
    --------
    >>> lines = []
    >>> with Push(lines.extend) as push:
    ...     for number in range(3):
    ...         push(number)
    >>> lines
    [0, 1, 2]
    """

    def __init__(self, consume: Callable[[Iterator[Item]], object]) -> None:
        self._consume = consume
        self._item_is_ready, self._item_is_wanted = threading.Semaphore(0), threading.Semaphore(0)
        self._item: Item | None = None
        self._state = "open"  # then "ended", or "aborted"
        self._error: BaseException | None = None
        self._has_returned = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._item_is_wanted.acquire()
        return self

    def __call__(self, item: Item) -> None:
        """Hand over an item, and wait until the consumer is done with it; what the consumer raises is raised here."""
        if not self._has_returned:
            self._item = item
            self._item_is_ready.release()
            self._item_is_wanted.acquire()
        if self._error is not None:
            raise self._error

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        self._state = "ended" if kind is None else "aborted"
        self._item_is_ready.release()
        self._thread.join()
        if kind is None and self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._consume(self._pull())
        except _AbortedError:
            pass  # the consumer has cleaned up; the reason is raised in the other thread
        except BaseException as error:
            self._error = error
        self._has_returned = True
        self._item_is_wanted.release()

    def _pull(self) -> Iterator[Item]:
        while True:
            self._item_is_wanted.release()
            self._item_is_ready.acquire()
            if self._state == "aborted":
                raise _AbortedError
            if self._state == "ended":
                return
            yield cast(Item, self._item)


class _AbortedError(BaseException):
    """Ends a consumer whose input will not come."""


class _StderrHandler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print(f"ppi: {record.getMessage()}", file=sys.stderr)


_HANDLER = _StderrHandler()


def show_messages() -> None:
    """One line for each warning and each message of the packages."""
    warnings.showwarning = _show_warning
    logging.getLogger("kernels").addHandler(_HANDLER)  # which adds it once, however often


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"ppi: warning: {message}", file=sys.stderr)
