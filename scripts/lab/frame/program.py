"""Programs behind scripts/: what is wrong with the user's input is one line, not a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from corpora import CorpusError
from learners import LearnerError
from ppi.core import PpiError, UsageError

#: The folder of the checkout: programs may be started from anywhere.
ROOT = Path(__file__).resolve().parents[3]


def run_program(name: str, work: Callable[[], int]) -> int:
    """The exit code of ``work``; 1, after one line on standard error, if it raises an error of ours."""
    try:
        return work()
    except (PpiError, CorpusError, LearnerError) as error:
        sys.stderr.write(f"{name}: {error}\n")
        return 1


def corpora_folder(given: Path | None = None, *, option: str = "--corpora") -> Path:
    """The folder of the corpora: ``given``, which then also counts for names of corpora, or that of PPI_CORPORA.

    ``option`` is what the program calls ``given``, for the error if there is neither.
    """
    if given is not None:
        os.environ["PPI_CORPORA"] = str(given)
    if not os.environ.get("PPI_CORPORA"):
        raise UsageError(f"expected {option} or the environment variable PPI_CORPORA, got neither; set one")
    return Path(os.environ["PPI_CORPORA"])
