"""Kernel objects against loops over pairs of rows."""

from math import exp, sqrt

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from kernels.errors import ParameterError
from kernels.vector import GaussianKernel, LinearKernel, PolynomialKernel, normalize_gram


def linear(x, z):
    return float(x @ z)


def polynomial(x, z):
    return (0.5 * float(x @ z) + 2.0) ** 3


def gaussian(x, z):
    return exp(-0.3 * float((x - z) @ (x - z)))


def cosine(x, z):
    lengths = sqrt(linear(x, x) * linear(z, z))
    return linear(x, z) / lengths if lengths else 0.0


CASES = [
    (LinearKernel(), linear),
    (PolynomialKernel(degree=3, scale=0.5, offset=2.0), polynomial),
    (GaussianKernel(gamma=0.3), gaussian),
    (LinearKernel() + GaussianKernel(gamma=0.3), lambda x, z: linear(x, z) + gaussian(x, z)),
    (
        LinearKernel() * PolynomialKernel(degree=3, scale=0.5, offset=2.0),
        lambda x, z: linear(x, z) * polynomial(x, z),
    ),
    (3 * LinearKernel(), lambda x, z: 3 * linear(x, z)),
    (LinearKernel().normalized(), cosine),
    (
        LinearKernel().normalized() + 0.5 * GaussianKernel(gamma=0.3),
        lambda x, z: cosine(x, z) + 0.5 * gaussian(x, z),
    ),
]


@pytest.mark.parametrize(("kernel", "function"), CASES, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_values_equal_the_formula(kernel, function, form):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(6, 4)), rng.normal(size=(3, 4))
    X[2] = 0.0
    expected = np.array([[function(x, z) for z in X] for x in X])
    np.testing.assert_allclose(kernel(form(X)), expected, atol=1e-12)
    np.testing.assert_allclose(kernel.diag(form(X)), np.diagonal(expected), atol=1e-12)
    across = np.array([[function(x, y) for y in Y] for x in X])
    np.testing.assert_allclose(kernel(form(X), form(Y)), across, atol=1e-12)
    assert np.linalg.eigvalsh(kernel(form(X))).min() > -1e-9
    assert repr(clone(kernel)) == repr(kernel)


def test_gaussian_of_a_row_with_itself_is_exactly_one():
    X = np.random.default_rng(0).normal(size=(20, 3)) * 1e6
    np.testing.assert_array_equal(np.diagonal(GaussianKernel(gamma=10.0)(X)), 1.0)


def test_inputs_are_not_modified():
    X = np.random.default_rng(0).normal(size=(4, 2))
    before = X.copy()
    for kernel, _ in CASES:
        kernel(X)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (PolynomialKernel(degree=0), "expected degree"),
        (PolynomialKernel(degree=1.5), "expected degree"),
        (PolynomialKernel(scale=0), "expected scale above 0"),
        (PolynomialKernel(offset=-1), "expected offset"),
        (GaussianKernel(gamma=0.0), "expected gamma above 0"),
        (GaussianKernel(gamma=float("nan")), "expected gamma to be a finite number"),
        (-1 * LinearKernel(), "expected factor"),
    ],
)
def test_bad_parameters_are_errors(kernel, message):
    with pytest.raises(ParameterError, match=message):
        kernel([[1.0]])
    with pytest.raises(ParameterError, match=message):
        kernel.diag([[1.0]])


def test_normalizing_a_matrix_that_is_not_square_needs_diagonals():
    with pytest.raises(ParameterError, match="expected diagonals of lengths"):
        normalize_gram(np.ones((2, 3)))
