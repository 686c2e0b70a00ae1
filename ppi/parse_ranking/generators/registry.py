"""Generators by name."""

from __future__ import annotations

from typing import Any

from ppi.errors import UsageError
from ppi.parse_ranking.generators.base import Generator

#: The names of all generators.
GENERATORS = ("beam", "link-grammar")


def get_generator(name: str, **options: Any) -> Generator:
    """The generator called ``name``, with its own options; the program or model behind it is needed only at work.

    Raises
    ------
    UsageError
        If there is none of that name, or it has no such option.
    """
    if name == "beam":
        from ppi.parse_ranking.generators.beam import Beam as kind
    elif name == "link-grammar":
        from ppi.parse_ranking.generators.link_grammar import LinkGrammar as kind  # type: ignore[assignment]
    else:
        raise UsageError(f"expected a generator of {', '.join(GENERATORS)}, got {name!r}")
    try:
        return kind(**options)
    except TypeError as error:
        raise UsageError(f"expected options of the generator {name!r}, got: {error}") from None
