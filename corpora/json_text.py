"""JSON from strangers, parsed with our errors."""

from __future__ import annotations

import json
from typing import Any

from corpora.source import Source


def parse_json(text: str, source: Source, line: int) -> Any:
    """The JSON value of ``text``, which begins on that line; whatever is wrong with it becomes a FormatError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise source.format_error(
            f"expected JSON, got: {error.msg} at column {error.colno}", line + error.lineno - 1
        ) from None
    except RecursionError:
        raise source.format_error("expected JSON of ordinary depth, got values nested too deep to read", line) from None
    except ValueError as error:  # a number with thousands of digits
        raise source.format_error(f"expected JSON that can be read, got: {error}", line) from None
