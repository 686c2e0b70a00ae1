"""Programs behind scripts/: what is wrong with the user's input is one line, not a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable

from corpora.errors import CorpusError
from ppi.errors import PpiError


def run_program(name: str, work: Callable[[], int]) -> int:
    """The exit code of ``work``; 1, after one line on standard error, if it raises an error of ours."""
    try:
        return work()
    except (PpiError, CorpusError) as error:
        sys.stderr.write(f"{name}: {error}\n")
        return 1
