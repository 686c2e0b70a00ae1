"""Generators of candidate parses."""

from ppi.parse_ranking.generators.base import Generator
from ppi.parse_ranking.generators.beam import Beam
from ppi.parse_ranking.generators.link_grammar import LinkGrammar
from ppi.parse_ranking.generators.registry import GENERATORS, get_generator

__all__ = ["GENERATORS", "Beam", "Generator", "LinkGrammar", "get_generator"]
