"""Names to identifiers: Entrez genes from an NCBI gene_info file, families and complexes from a FamPlex map."""

from ppi.grounding.lexicon import Grounding, Lexicon
from ppi.grounding.normalization import normalized

__all__ = ["Grounding", "Lexicon", "normalized"]
