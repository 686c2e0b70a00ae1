"""What a squared kernel keeps, against its definition."""

import numpy as np
import pytest
import scipy.sparse as sp

import corpora
from kernels import candidate_graphs
from learners import RLS
from ppi.extraction.examples import collect_examples
from ppi.extraction.extractor import Extractor
from ppi.extraction.feature_maps import make_feature_map
from ppi.extraction.trained_model import CONSTANT_WEIGHT, QuadraticModel, square_kernel
from ppi.extraction.training_rows import Design


@pytest.fixture
def rows():
    return sp.random(7, 15, density=0.4, random_state=3, format="csr")


def test_by_hand():
    X = sp.csr_matrix([[1.0, 0.0], [0.6, 0.8]])
    support = QuadraticModel(X, np.array([2.0, -1.0]))
    # x = (0, 1): products 0 and 0.8
    np.testing.assert_allclose(support.scores(sp.csr_matrix([[0.0, 1.0]])), [-0.64])
    np.testing.assert_allclose(support.weights(sp.csr_matrix([[0.0, 1.0]])), [-0.48, -0.64])
    np.testing.assert_allclose(square_kernel(np.array([0.0, 1.0])), [CONSTANT_WEIGHT**2, 1.0])


def test_a_score_splits_exactly_over_the_features(rows):
    support = QuadraticModel(rows, np.random.default_rng(0).normal(size=7))
    X = sp.random(5, 15, density=0.5, random_state=4, format="csr")
    split = [float((X[i] @ support.weights(X[i]))[0]) for i in range(5)]
    np.testing.assert_allclose(split, support.scores(X))


def test_rows_without_a_coefficient_are_not_kept(rows):
    dual = np.array([0.0, 1.0, 0.0, -2.0, 0.0, 0.0, 3.0])
    support = QuadraticModel.from_dual(rows, dual)
    assert support.rows.shape == (3, 15)
    np.testing.assert_allclose(support.coefficients, (1 - CONSTANT_WEIGHT) ** 2 * dual[[1, 3, 6]])


def test_nothing_to_score(rows):
    assert QuadraticModel(rows, np.ones(7)).scores(sp.csr_matrix((0, 15))).shape == (0,)


def test_it_survives_a_file(rows):
    support = QuadraticModel(rows, np.arange(7.0))
    again = QuadraticModel.restore(support.state(), 15)
    assert (again.rows != rows).nnz == 0
    np.testing.assert_array_equal(again.coefficients, support.coefficients)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("indices", np.array([99], dtype=np.uint32)),
        ("indptr", np.zeros(8, dtype=np.uint64)),
        ("data", np.array([np.nan])),
        ("indices", np.array([0.5])),
    ],
)
def test_damaged_rows_are_refused(name, value):
    state = QuadraticModel(sp.csr_matrix([[1.0, 0.0]]), np.ones(1)).state()
    with pytest.raises(ValueError, match=r"expected .*support rows"):
        QuadraticModel.restore({**state, f"support.{name}": value}, 2)


@pytest.fixture(scope="module")
def extractor():
    return Extractor(kernel="composite-clusters", degree=2, learner="rls", regparam=0.5).fit(corpora.load("sample"))


def test_an_extractor_scores_through_its_rows(extractor):
    """Against the kernel's definition on the training pairs."""
    graphs = collect_examples(corpora.load("sample")).graphs
    X = make_feature_map("composite-clusters").fit_transform(graphs)
    design = Design.build(X, degree=2)
    labels = np.array([1.0 if graph.label else -1.0 for graph in graphs])
    model = RLS(0.5 * design.unit, kernel="precomputed", fit_intercept=False).fit(design.gram, labels)
    np.testing.assert_allclose(extractor.score_graphs(graphs), model.predict(design.gram), atol=1e-8)


def test_an_explanation_of_a_squared_kernel_adds_up(extractor):
    graph = next(graph for graph in candidate_graphs(corpora.load("sample")) if not graph.pair.is_self)
    explanation = extractor.explain_graph(graph)
    total = explanation.intercept + sum(feature.value for feature in explanation.features)
    assert total == pytest.approx(float(extractor.score_graphs([graph])[0]))


def test_a_saved_squared_model_says_the_same(extractor, tmp_path):
    extractor.save(tmp_path / "model.zip")
    again = Extractor.load(tmp_path / "model.zip")
    graphs = [graph for graph in candidate_graphs(corpora.load("sample")) if not graph.pair.is_self][:5]
    np.testing.assert_array_equal(again.score_graphs(graphs), extractor.score_graphs(graphs))
