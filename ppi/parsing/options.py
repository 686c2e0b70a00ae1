"""What stands behind the name of the shipped parser: ``shipped:jnlpba+rerank``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ppi.errors import UnknownParserError, UsageError
from ppi.pipeline import DEFAULT_GUIDELINE

SHIPPED = "shipped"
#: The option that chooses among the trees of a beam.
RERANK = "rerank"
#: Where the ranker that comes with the package lives.
RERANKER_FILE = Path(__file__).parent / "reranking" / "model.zip"


class ShippedOptions(NamedTuple):
    """Whose idea of a protein name, and whether trees are reranked."""

    guideline: str = DEFAULT_GUIDELINE
    rerank: bool = False


def parse_shipped_options(argument: str) -> ShippedOptions:
    """The options of what follows the colon; joined by ``+``, in any order.

    Raises
    ------
    UnknownParserError
        If there are too many of them.
    UsageError
        If one of them is none.

    >>> parse_shipped_options("rerank")
    ShippedOptions(guideline='bc2gm', rerank=True)
    >>> parse_shipped_options("")
    ShippedOptions(guideline='bc2gm', rerank=False)
    """
    from ppi.pipeline.names.finder import GUIDELINES

    options = argument.split("+") if argument else []
    guidelines = [option for option in options if option != RERANK]
    if len(guidelines) > 1 or len(options) - len(guidelines) > 1:
        raise UnknownParserError(
            f"expected at most one guideline and {RERANK!r} behind 'shipped:', joined by '+', got {argument!r}"
        )
    if guidelines and guidelines[0] not in GUIDELINES:
        raise UsageError(
            f"expected a guideline for names ({', '.join(GUIDELINES)}) or {RERANK!r} behind 'shipped:', "
            f"got {guidelines[0]!r}"
        )
    return ShippedOptions(guidelines[0] if guidelines else DEFAULT_GUIDELINE, RERANK in options)


def add_rerank_option(parser: str) -> str:
    """The name of the same parser with reranking.

    Raises
    ------
    UsageError
        If it is not the shipped one: no other has a ranker.

    >>> add_rerank_option("shipped"), add_rerank_option("shipped:jnlpba"), add_rerank_option("shipped:rerank")
    ('shipped:rerank', 'shipped:jnlpba+rerank', 'shipped:rerank')
    """
    kind, _, argument = parser.partition(":")
    if kind != SHIPPED:
        raise UsageError(f"expected the shipped parser with reranking, got {parser!r}; others have no ranker")
    if parse_shipped_options(argument).rerank:
        return parser
    return f"{SHIPPED}:{argument}+{RERANK}" if argument else f"{SHIPPED}:{RERANK}"
