"""Kernels and learners of one's own: as objects, and by the names under which packages offer them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge

import corpora
from kernels import BaseFeatureMap, FeatureMapError, PathFeatures
from ppi.core import ModelFileError, TrainingError, UsageError
from ppi.evaluation import evaluate
from ppi.extraction import plugins
from ppi.extraction.extractor import Extractor
from ppi.extraction.settings import Settings
from ppi.extraction.training import EstimatorLearner
from ppi.extraction.training_rows import prepare_corpora

SAMPLE = list(corpora.load("sample"))
PACKAGE = """
import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import Ridge
from kernels import BaseFeatureMap

class PathLength(BaseFeatureMap):
    width = 2

    def fit_transform(self, graphs, y=None):
        return self.transform(graphs)

    def transform(self, graphs):
        return sp.csr_matrix([[1.0 / max(graph.path_length, 1.0), len(graph.sentence.entities)] for graph in graphs])

    def state(self):
        return {"width": self.width}

    def restore(self, state):
        return self

def ridge():
    return Ridge(alpha=0.5)

def broken():
    raise RuntimeError("no licence")

class NoMap:
    pass
"""
ENTRY_POINTS = """[ppi_miner.kernels]
path-length = my_kernels:PathLength
broken = my_kernels:broken
no-map = my_kernels:NoMap

[ppi_miner.learners]
my-ridge = my_kernels:ridge
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package that offers kernels and a learner."""
    install(tmp_path, "my-kernels", ENTRY_POINTS)
    (tmp_path / "my_kernels.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("my_kernels", None)


def install(folder, name, entry_points):
    facts = folder / f"{name.replace('-', '_')}-1.2.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (facts / "entry_points.txt").write_text(entry_points)


class WordsBetween(BaseFeatureMap):
    """Two columns: a constant and whether anything else is named."""

    width = 2

    def fit_transform(self, graphs, y=None):
        return self.transform(graphs)

    def transform(self, graphs):
        return sp.csr_matrix([[1.0, float(len(graph.sentence.entities) > 2)] for graph in graphs])


def test_a_kernel_is_an_object_that_is_copied_not_fitted():
    kernel = PathFeatures()
    extractor = Extractor(kernel=kernel, learner="rls").fit(SAMPLE)
    named = Extractor(kernel=PathFeatures(), learner="rls").fit(SAMPLE)
    assert [pair.score for pair in extractor.score(SAMPLE)] == [pair.score for pair in named.score(SAMPLE)]
    assert not hasattr(kernel, "vocabulary_")


def test_a_kernel_of_ones_own_is_evaluated_and_called_by_its_class():
    result = evaluate("sample", SAMPLE, Settings(kernel=WordsBetween(), learner="rls"), n=3)
    summary = result.summary()
    assert (summary["kernel"], summary["learner"]) == ("WordsBetween", "rls")
    json.dumps(summary)


def test_an_object_without_a_name_cannot_be_saved_and_the_error_says_what_to_do(tmp_path):
    extractor = Extractor(kernel=WordsBetween(), learner="rls").fit(SAMPLE)
    with pytest.raises(
        UsageError, match=r"expected a kernel with a name.*got an object, WordsBetween\(\).*ppi_miner.kern"
    ):
        extractor.save(tmp_path / "model.zip")
    assert not (tmp_path / "model.zip").exists()


@pytest.mark.parametrize(("kernel", "message"), [(WordsBetween, "call it"), (3, "fit_transform and transform")])
def test_what_is_no_kernel_is_refused_at_construction(kernel, message):
    with pytest.raises(UsageError, match=f"expected a kernel, one of .*{message}"):
        Extractor(kernel=kernel)


def test_what_lacks_members_of_a_feature_map_names_them():
    class Half:
        fit_transform = transform = get_params = None

    with pytest.raises(FeatureMapError, match=r"got Half without width, .*derive it from kernels.BaseFeatureMap"):
        Extractor(kernel=Half(), learner="rls").fit(SAMPLE)


@pytest.mark.parametrize("estimator", [Ridge(alpha=3.0), LogisticRegression(C=2.0)])
def test_a_linear_estimator_gives_the_scores_of_its_own_decision(estimator):
    extractor = Extractor(kernel="path", learner=estimator).fit(SAMPLE)
    rows = prepare_corpora({"sample": SAMPLE}, Settings(kernel="path")).rows(["sample"])
    model = estimator.fit(rows.design.matrix, rows.labels)
    decide = getattr(model, "decision_function", model.predict)
    scores = [pair.score for pair in extractor.score(SAMPLE) if pair.label is not None]
    np.testing.assert_allclose(scores, decide(rows.design.matrix), atol=1e-9)


def test_nested_folds_of_an_estimator_equal_training_on_each_part():
    rows = prepare_corpora({"sample": SAMPLE}, Settings(kernel="path")).rows(["sample"])
    _, document_of = np.unique(rows.documents, return_inverse=True)
    folds = document_of % 3
    learner = EstimatorLearner(lambda unit: [(a, Ridge(alpha=a * unit)) for a in (0.5, 4.0)])
    ((*outcomes,),) = learner.cross_validate_nested(rows, [folds])
    for fold, outcome in enumerate(outcomes):
        model = learner.train(rows.subset(folds != fold))
        np.testing.assert_allclose(outcome.scores, rows.X[folds == fold] @ model.weights + model.intercept)
        assert (outcome.threshold, outcome.regparam) == (model.threshold, model.regparam)


def test_what_is_not_linear_or_cannot_be_fitted_is_named():
    with pytest.raises(TrainingError, match=r"expected a linear learner.*got 0 of RandomForestClassifier"):
        Extractor(kernel="path", learner=RandomForestClassifier(n_estimators=2)).fit(SAMPLE)

    class Dense(Ridge):
        def fit(self, X, y):
            raise TypeError("dense data is required")

    with pytest.raises(TrainingError, match=r"expected the learner Dense to fit.*TypeError: dense data is required"):
        Extractor(kernel="path", learner=Dense()).fit(SAMPLE)


def test_a_model_of_an_own_learner_is_saved_and_scores_without_it(tmp_path):
    extractor = Extractor(kernel="path", learner=Ridge(alpha=3.0)).fit(SAMPLE)
    extractor.save(tmp_path / "model.zip")
    again = Extractor.load(tmp_path / "model.zip")
    assert again.score(SAMPLE) == extractor.score(SAMPLE)
    assert again.facts_["needs"] == {"learner": {"made": "Ridge(alpha=3.0)"}}
    assert again.settings.learner_name == "Ridge"
    with pytest.raises(UsageError, match="expected the learner 'Ridge' to train again"):
        again.fit(SAMPLE)


@pytest.mark.parametrize(("option", "value"), [("regparam", 1.0), ("n_features", 8)])
def test_options_that_only_this_packages_parts_have_are_refused(option, value):
    with pytest.raises(UsageError, match=f"expected no {option} with the"):
        Settings(kernel=WordsBetween(), learner=Ridge(), **{option: value})


def test_names_that_packages_offer_work_in_python_and_in_files(package, tmp_path, monkeypatch):
    assert plugins.list_names("kernel") == ("broken", "no-map", "path-length")
    extractor = Extractor(kernel="path-length", learner="my-ridge").fit(SAMPLE)
    path = tmp_path / "model.zip"
    extractor.save(path)
    again = Extractor.load(path)
    assert again.score(SAMPLE) == extractor.score(SAMPLE)
    origin = {"package": "my-kernels", "version": "1.2"}
    assert again.facts_["needs"] == {"kernel": origin, "learner": origin}
    monkeypatch.setattr(plugins, "list_names", lambda what: ())
    with pytest.raises(ModelFileError, match=r"expected the kernel 'path-length'.*package 'my-kernels', version '1.2'"):
        Extractor.load(path)


@pytest.mark.parametrize(
    ("kernel", "error", "message"),
    [
        ("broken", UsageError, r"from my-kernels \(my_kernels:broken\) to be made .*got RuntimeError: no licence"),
        ("no-map", FeatureMapError, "expected a feature map as 'no-map', got NoMap without"),
    ],
)
def test_a_package_that_does_not_keep_its_word_is_named(package, kernel, error, message):
    with pytest.raises(error, match=message):
        Extractor(kernel=kernel, learner="rls").fit(SAMPLE)


def test_a_name_that_two_packages_offer_is_refused(package, tmp_path):
    install(tmp_path, "other", "[ppi_miner.kernels]\npath-length = other:Other\n")
    with pytest.raises(UsageError, match=r"expected one package .*my-kernels .*and other .*uninstall one"):
        plugins.make("kernel", "path-length")


def test_the_command_line_takes_what_packages_offer(package):
    command = [sys.executable, "-c", "import sys; from ppi.cli import main; sys.exit(main())", "evaluate", "sample"]
    command += ["--kernel", "path-length", "--learner", "my-ridge", "--n", "3", "--json"]
    options = {"capture_output": True, "text": True, "env": _environment(package)}
    done = subprocess.run(command, **options)
    assert done.returncode == 0, done.stderr
    (summary,) = json.loads(done.stdout)
    assert (summary["kernel"], summary["learner"]) == ("path-length", "my-ridge")
    wrong = subprocess.run(
        [*command, "--kernel", "path-lenght"], capture_output=True, text=True, env=_environment(package)
    )
    assert wrong.returncode == 2
    assert "expected a kernel, one of ['all-paths'" in wrong.stderr
    assert "'path-length'" in wrong.stderr


def _environment(folder):
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")]), *(path for path in sys.path if path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
