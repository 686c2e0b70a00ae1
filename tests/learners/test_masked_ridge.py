"""Ridge regression on many parts at once equals ridge regression on each."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import Ridge

from learners._masked_ridge import FeatureGram, masked_ridge
from learners.errors import LabelError, NotConvergedError


def test_masked_ridge_is_ridge_on_each_part():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 8)) + 1, rng.normal(size=60)
    masks = rng.random((60, 3)) < 0.7
    duals = masked_ridge(X @ X.T, y, masks, 0.5, tol=1e-10)
    for mask, dual in zip(masks.T, duals.T):
        unit = np.mean(np.sum(X[mask] ** 2, axis=1))
        plain = Ridge(alpha=0.5 * unit, tol=1e-12).fit(X[mask], y[mask])
        assert X.T @ dual == pytest.approx(plain.coef_, abs=1e-7)
        assert not dual[~mask].any()
        assert np.mean(y[mask] - X[mask] @ (X.T @ dual)) == pytest.approx(plain.intercept_, abs=1e-7)


def test_masked_ridge_with_groups_is_ridge_on_what_is_left_of_their_means():
    rng = np.random.default_rng(1)
    groups = rng.integers(0, 3, size=60)
    X, y = rng.normal(size=(60, 8)) + groups[:, None], rng.normal(size=60) + 5 * groups
    mask = rng.random(60) < 0.7
    (dual,) = masked_ridge(X @ X.T, y, mask[:, None], 0.5, groups=groups, tol=1e-10).T
    unit = np.mean(np.sum(X[mask] ** 2, axis=1))
    centered, target = X[mask].copy(), y[mask].copy()
    for group in range(3):
        rows = groups[mask] == group
        centered[rows] -= centered[rows].mean(axis=0)
        target[rows] -= target[rows].mean()
    plain = Ridge(alpha=0.5 * unit, fit_intercept=False, tol=1e-12).fit(centered, target)
    assert X.T @ dual == pytest.approx(plain.coef_, abs=1e-7)


def test_masked_ridge_says_when_it_does_not_get_there(monkeypatch):
    monkeypatch.setattr("learners._masked_ridge._MAX_ITERATIONS", 2)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), rng.normal(size=40)
    with pytest.raises(NotConvergedError, match="expected conjugate gradients to reach 1e-08 within 2 iterations"):
        masked_ridge(X @ X.T, y, np.ones((40, 1), dtype=bool), 1e-6, tol=1e-8)


def test_targets_of_each_part_and_features_instead_of_a_kernel_matrix():
    rng = np.random.default_rng(2)
    X = sp.random(40, 60, density=0.3, random_state=3, format="csr")
    Y = rng.normal(size=(40, 3))
    masks = rng.random((40, 3)) < 0.7
    together = masked_ridge(FeatureGram(X), Y, masks, 0.5, tol=1e-10)
    for part in range(3):
        alone = masked_ridge((X @ X.T).toarray(), Y[:, part], masks[:, [part]], 0.5, tol=1e-10)
        assert together[:, [part]] == pytest.approx(alone, abs=1e-8)
    with pytest.raises(LabelError, match=r"expected y of shape \(40,\) or \(40, 3\), as masks has, got \(40, 2\)"):
        masked_ridge(FeatureGram(X), Y[:, :2], masks, 0.5)
