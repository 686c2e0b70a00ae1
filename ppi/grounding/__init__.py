"""Names to identifiers: genes, families and complexes, from the lexicon that ships or the user's own."""

from ppi.grounding.candidate import Candidate, Entry
from ppi.grounding.lexicon import Lexicon
from ppi.grounding.normalization import normalized
from ppi.grounding.resolution import Resolver

__all__ = ["Candidate", "Entry", "Lexicon", "Resolver", "normalized"]
