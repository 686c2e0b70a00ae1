"""Where the result of a verb goes."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ppi.errors import UsageError


def add_output_argument(verb: argparse.ArgumentParser) -> None:
    """Add ``--output``."""
    verb.add_argument("--output", "-o", default="-", metavar="OUT", help="file to write (default: standard output)")


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
