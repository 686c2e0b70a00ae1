import numpy as np
import pytest
import scipy.sparse as sp

from ppi.extraction.training_rows import PRIOR_NORM_RATIO, Design, regparam_unit


@pytest.fixture
def design():
    rng = np.random.default_rng(0)
    X = sp.random(12, 30, density=0.3, random_state=1, format="csr")
    return Design.build(X, priors=rng.normal(size=(30, 2)))


def test_gram_is_the_inner_product_of_the_matrix(design):
    phi = design.matrix.toarray()
    np.testing.assert_allclose(design.gram, phi @ phi.T, rtol=1e-10)


def test_constant_and_opinions_are_scaled_to_the_features(design):
    mean_square = np.mean(np.sum(design.X.toarray() ** 2, axis=1))
    extra = design.extra_columns()
    np.testing.assert_allclose(extra[:, 0] ** 2, mean_square)
    np.testing.assert_allclose(np.mean(extra[:, 1:] ** 2, axis=0), PRIOR_NORM_RATIO * mean_square)


def test_folding_gives_the_same_function(design):
    rng = np.random.default_rng(2)
    phi = design.matrix.toarray()
    weights = rng.normal(size=phi.shape[1])
    folded, intercept = design.collapse(weights)
    np.testing.assert_allclose(design.X @ folded + intercept, phi @ weights)
    dual = rng.normal(size=12)
    folded, intercept, support = design.collapse_dual(dual)
    assert support is None
    np.testing.assert_allclose(design.X @ folded + intercept, design.gram @ dual)


def test_an_opinion_that_is_zero_everywhere_stays_zero():
    design = Design.build(sp.csr_matrix(np.eye(3)), priors=np.zeros((3, 1)))
    np.testing.assert_array_equal(design.extra_columns()[:, 1], 0)


def test_the_scale_of_a_part_is_that_of_its_own_design(design):
    part = np.arange(12) < 7
    own = Design.build(design.X[part], priors=design.priors)
    scale = design.fold_scaling(part)
    assert scale.unit == own.unit
    extra = design.extra_columns()[part] * np.sqrt(scale.column_weights)
    np.testing.assert_allclose(extra, own.extra_columns(), rtol=1e-10)


def test_the_unit_of_regparam_is_the_nearest_power_of_two():
    assert [regparam_unit(value) for value in (1.0, 1.4, 1.5, 0.3, 100.0)] == [1.0, 1.0, 2.0, 0.25, 128.0]


def test_the_squared_kernel_is_scaled_like_any_other(design):
    squared = Design.build(design.X, priors=design.priors, degree=2)
    products = (0.3 + 0.7 * (design.X @ design.X.T).toarray()) ** 2
    extra = squared.extra_columns()
    np.testing.assert_allclose(squared.gram, products + extra @ extra.T)
    np.testing.assert_allclose(squared.mean_square, np.mean(np.diag(products)))
    part = np.arange(12) % 3 > 0
    own = Design.build(design.X[part], priors=design.priors, degree=2)
    scale = squared.fold_scaling(part)
    np.testing.assert_allclose(extra[part] * np.sqrt(scale.column_weights), own.extra_columns(), rtol=1e-10)


def test_folding_a_squared_kernel_keeps_rows(design):
    squared = Design.build(design.X, priors=design.priors, degree=2)
    dual = np.random.default_rng(4).normal(size=12)
    dual[:3] = 0.0
    weights, intercept, support = squared.collapse_dual(dual)
    assert support.rows.shape == (9, 30)
    np.testing.assert_allclose(design.X @ weights + intercept + support.scores(design.X), squared.gram @ dual)
