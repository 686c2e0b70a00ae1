"""Wilcoxon's signed-rank test for two methods measured on the same folds, queries or corpora."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.stats import wilcoxon

from learners.errors import LabelError


@dataclass(frozen=True)
class SignedRankTest:
    """The test's statistic and p-value, and how many pairs were not equal."""

    statistic: float
    p_value: float
    n_different: int


def wilcoxon_signed_rank(
    first: Any, second: Any, *, alternative: Literal["two-sided", "greater", "less"] = "two-sided"
) -> SignedRankTest:
    """Whether paired measurements differ; "greater" asks whether ``first`` is. Equal pairs are left out.

    Examples
    --------
    >>> wilcoxon_signed_rank([0.8, 0.7, 0.9, 0.6, 0.85], [0.7, 0.65, 0.6, 0.4, 0.84]).p_value
    0.0625
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape or not np.all(np.isfinite(a - b)):
        raise LabelError(
            f"expected two vectors of finite paired measurements, got shapes {a.shape!r} and {b.shape!r}; drop the "
            "pairs of which one was not measured"
        )
    n_different = int(np.sum(a != b))
    if n_different == 0:
        raise LabelError(
            f"expected pairs that differ, but all {len(a)} pairs are equal, so there is no difference to rank; the two "
            "methods are the same here"
        )
    result = wilcoxon(a, b, alternative=alternative, zero_method="wilcox")
    return SignedRankTest(float(result.statistic), float(result.pvalue), n_different)
