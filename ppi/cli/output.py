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
    for each in inputs:
        if each is not None and str(each) != "-" and os.path.exists(each) and os.path.samefile(each, output):
            raise UsageError(
                f"expected an output beside the inputs, got {output!r}, which is the input {str(each)!r}; "
                "name another file"
            )
