"""Names to identifiers: genes, families and complexes, from the lexicon that ships or the user's own."""

from ppi.grounding.candidate import Candidate, Entry
from ppi.grounding.lexicon import Lexicon
from ppi.grounding.normalization import normalized

__all__ = ["Candidate", "Entry", "Lexicon", "normalized"]
