"""Regularized least-squares learners for regression, classification and ranking, and their exact shortcuts.

Estimators follow scikit-learn's contract and know nothing of what their examples are: they take a feature
matrix (dense or sparse), a kernel object or a precomputed kernel matrix. Each decomposes its problem once;
the path over ``regparam`` and the cross-validation shortcuts are read off that decomposition and equal
training again.
"""

from learners.nested import NestedPredictions, NestedSelection, nested_leave_group_out
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier
from learners.sparse_rls import SparseRLS

__all__ = ["RLS", "NestedPredictions", "NestedSelection", "RLSClassifier", "SparseRLS", "nested_leave_group_out"]
