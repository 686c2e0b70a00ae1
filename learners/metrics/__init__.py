"""Measures of predictions.

Two classes: AUC with its interval and cross-validation estimates, F with its threshold. Rankings:
:mod:`learners.metrics.ranking`. Any of them: bootstrap intervals, permutation and signed-rank tests.
"""

from learners.metrics.auc import AucInterval, auc, auc_interval, averaged_auc, leave_pair_out_auc
from learners.metrics.f_score import ThresholdScores, best_threshold, precision_recall_f, scores_at
from learners.metrics.paired import SignedRankTest, wilcoxon_signed_rank
from learners.metrics.ranking import (
    disagreement_error,
    kendall_tau_b,
    mean_average_precision,
    mean_ndcg,
    ndcg_at,
    precision_at,
)
from learners.metrics.resampling import BootstrapInterval, PermutationTest, bootstrap_interval, permutation_test

__all__ = [
    "AucInterval",
    "BootstrapInterval",
    "PermutationTest",
    "SignedRankTest",
    "ThresholdScores",
    "auc",
    "auc_interval",
    "averaged_auc",
    "best_threshold",
    "bootstrap_interval",
    "disagreement_error",
    "kendall_tau_b",
    "leave_pair_out_auc",
    "mean_average_precision",
    "mean_ndcg",
    "ndcg_at",
    "permutation_test",
    "precision_at",
    "precision_recall_f",
    "scores_at",
    "wilcoxon_signed_rank",
]
