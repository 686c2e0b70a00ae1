"""What the packages have to say while a command runs, on standard error, beside the results."""

from __future__ import annotations

import logging
import sys
import warnings


class _StderrHandler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print(f"ppi: {record.getMessage()}", file=sys.stderr)


_HANDLER = _StderrHandler()


def show_messages() -> None:
    """One line for each warning and each message of the packages."""
    warnings.showwarning = _show_warning
    logging.getLogger("kernels").addHandler(_HANDLER)  # which adds it once, however often


def _show_warning(message, category, filename, lineno, file=None, line=None) -> None:
    print(f"ppi: warning: {message}", file=sys.stderr)
