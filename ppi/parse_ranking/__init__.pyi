from .beam_generator import Beam
from .candidate_parses import (
    GENERATORS,
    PUNCTUATION,
    CandidateParse,
    CandidateSet,
    Generator,
    get_generator,
    with_goodness,
)
from .link_grammar import LinkGrammar
from .parse_features import ParseFeatures, TreeFeatures, to_beam_trees
from .rank_learning import LearnerOptions, TrainingResult, draw_per_sentence, sentence_folds, train, train_on_kernel
from .ranker import (
    MODEL_DIRECTORY,
    ParseRanker,
    RankedParse,
    build_ranked_documents,
    find_shipped_model,
    goodness_and_queries,
    rank_sentences,
)

__all__ = [
    "GENERATORS",
    "MODEL_DIRECTORY",
    "PUNCTUATION",
    "Beam",
    "CandidateParse",
    "CandidateSet",
    "Generator",
    "LearnerOptions",
    "LinkGrammar",
    "ParseFeatures",
    "ParseRanker",
    "RankedParse",
    "TrainingResult",
    "TreeFeatures",
    "build_ranked_documents",
    "draw_per_sentence",
    "find_shipped_model",
    "get_generator",
    "goodness_and_queries",
    "rank_sentences",
    "sentence_folds",
    "to_beam_trees",
    "train",
    "train_on_kernel",
    "with_goodness",
]
