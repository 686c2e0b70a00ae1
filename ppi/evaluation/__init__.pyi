from .corpus_evaluation import (
    CorpusTask,
    ModelTask,
    evaluate_corpus,
    evaluate_trained_model,
    load_gold,
    load_parsed,
    with_parse,
)
from .cross_validation.comparison import Comparison, compare_reports, match_reports
from .cross_validation.cross_corpus import (
    ALL_BUT,
    CrossCorpusCell,
    corpus_names,
    cross_corpus,
    ranks,
    render_markdown_tables,
    write_cross_corpus_report,
)
from .cross_validation.learning_curve import CurvePoint, learning_curve
from .cross_validation.nested_cross_validation import (
    Evaluation,
    evaluate,
    evaluate_repeatedly,
    mean_and_std,
    score_fold,
)
from .model_metrics import CalibrationMetrics
from .reports.markdown import format_table
from .reports.plots import plot_learning_curves, save_figure
from .reports.report import AnyEvaluation, format_mistakes, metrics_table, read_report, write_report
from .scoring.claim_files import ClaimFile, claims_of_documents, claims_of_interactions, read_claims
from .scoring.claim_scores import ClaimScore, ScoringResult, describe_coverage, line_name, score_claims, scores_table
from .scoring.claim_statistics import ClaimComparison, compare_scores, read_scored
from .trained_models.holdout import CAUSE, HeldOutScores, train_with_holdout
from .trained_models.model_evaluation import ModelEvaluation

__all__ = [
    "ALL_BUT",
    "CAUSE",
    "AnyEvaluation",
    "CalibrationMetrics",
    "ClaimComparison",
    "ClaimFile",
    "ClaimScore",
    "Comparison",
    "CorpusTask",
    "CrossCorpusCell",
    "CurvePoint",
    "Evaluation",
    "HeldOutScores",
    "ModelEvaluation",
    "ModelTask",
    "ScoringResult",
    "claims_of_documents",
    "claims_of_interactions",
    "compare_reports",
    "compare_scores",
    "corpus_names",
    "cross_corpus",
    "describe_coverage",
    "evaluate",
    "evaluate_corpus",
    "evaluate_repeatedly",
    "evaluate_trained_model",
    "format_mistakes",
    "format_table",
    "learning_curve",
    "line_name",
    "load_gold",
    "load_parsed",
    "match_reports",
    "mean_and_std",
    "metrics_table",
    "plot_learning_curves",
    "ranks",
    "read_claims",
    "read_report",
    "read_scored",
    "render_markdown_tables",
    "save_figure",
    "score_claims",
    "score_fold",
    "scores_table",
    "train_with_holdout",
    "with_parse",
    "write_cross_corpus_report",
    "write_report",
]
