"""Generators of candidate parses."""

from ppi.parse_ranking.generators.base import Generator
from ppi.parse_ranking.generators.link_grammar import LinkGrammar

__all__ = ["Generator", "LinkGrammar"]
