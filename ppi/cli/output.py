"""Where the results of a verb go, and the messages of the packages beside them."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from ppi.core import UsageError


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
