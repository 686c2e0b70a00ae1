"""Regularized least-squares learners for regression, classification and ranking, and their exact shortcuts.

Estimators follow scikit-learn's contract and know nothing of what their examples are: they take a feature
matrix (dense or sparse), a kernel object or a precomputed kernel matrix. Each decomposes its problem once;
the path over ``regparam`` and the cross-validation shortcuts are read off that ``decomposition_``
(:mod:`learners.decomposition`, :mod:`learners.rank_decomposition`) and equal training again.
"""

from learners._kernel_products import KroneckerKernel
from learners._masked_ridge import FeatureGram, masked_ridge
from learners.cg_kernel_rank_rls import CGKernelRankRLS
from learners.cg_rank_rls import CGRankRLS
from learners.errors import LabelError, LearnerError
from learners.greedy_rank_rls import GreedyRankRLS
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
from learners.nested import NestedPredictions, NestedSelection, nested_leave_group_out, repeated_nested_leave_group_out
from learners.prior_rls import PriorRLS, PriorUpdate
from learners.rank_rls import RankRLS
from learners.rank_rls_cv import RankRLSCV, SparseRankRLSCV
from learners.rank_svm import PairwiseHinge, RankSVM
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier
from learners.rls_cv import RLSCV, SparseRLSCV
from learners.sparse_rank_rls import SparseRankRLS
from learners.sparse_rls import SparseRLS
from learners.svmlight import RankingData, read_svmlight, write_svmlight

__all__ = [
    "RLS",
    "RLSCV",
    "AucInterval",
    "BootstrapInterval",
    "CGKernelRankRLS",
    "CGRankRLS",
    "FeatureGram",
    "GreedyRankRLS",
    "KroneckerKernel",
    "LabelError",
    "LearnerError",
    "NestedPredictions",
    "NestedSelection",
    "PairwiseHinge",
    "PermutationTest",
    "PriorRLS",
    "PriorUpdate",
    "RLSClassifier",
    "RankRLS",
    "RankRLSCV",
    "RankSVM",
    "RankingData",
    "SignedRankTest",
    "SparseRLS",
    "SparseRLSCV",
    "SparseRankRLS",
    "SparseRankRLSCV",
    "ThresholdScores",
    "auc",
    "auc_interval",
    "averaged_auc",
    "best_threshold",
    "bootstrap_interval",
    "disagreement_error",
    "kendall_tau_b",
    "leave_pair_out_auc",
    "masked_ridge",
    "mean_average_precision",
    "mean_ndcg",
    "ndcg_at",
    "nested_leave_group_out",
    "permutation_test",
    "precision_at",
    "precision_recall_f",
    "read_svmlight",
    "repeated_nested_leave_group_out",
    "scores_at",
    "wilcoxon_signed_rank",
    "write_svmlight",
]
