"""Evaluation of extractors: cross-validation, across corpora, learning curves, reports, comparisons.

Predictions of anybody, read from files or held in memory, are scored by :func:`score_claims`.
"""

from ppi.evaluation.claim_comparison import ClaimComparison, compare_scores
from ppi.evaluation.claim_files import ClaimFile, claims_of_documents, claims_of_interactions, read_claims
from ppi.evaluation.claim_scores import ClaimScore, ScoringResult, score_claims
from ppi.evaluation.cross_validation import Evaluation, evaluate
from ppi.extraction.settings import Settings

__all__ = [
    "ClaimComparison",
    "ClaimFile",
    "ClaimScore",
    "Evaluation",
    "ScoringResult",
    "Settings",
    "claims_of_documents",
    "claims_of_interactions",
    "compare_scores",
    "evaluate",
    "read_claims",
    "score_claims",
]
