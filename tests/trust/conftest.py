"""Small trained models to damage."""

import pytest
from event_documents import event_corpus
from parse_sets import made_sets

import corpora
from ppi.extraction import Extractor
from ppi.parse_ranking import ParseFeatures, ParseRanker


@pytest.fixture(scope="session")
def small_extractor(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "extractor.zip"
    Extractor(kernel="composite", learner="rls", regparam=1.0).fit(corpora.load("sample")[:6]).save(path)
    return path


@pytest.fixture(scope="session")
def typed_extractor(tmp_path_factory):
    """One with all outputs and parts."""
    path = tmp_path_factory.mktemp("model") / "typed.zip"
    taught = {"one": event_corpus("a", 8), "two": event_corpus("b", 8)}
    Extractor(kernel="composite", learner="ridge").fit(taught).save(path)
    return path


@pytest.fixture(scope="session")
def small_rankers(tmp_path_factory):
    """A linear one and one with a Gaussian kernel."""
    folder, features = tmp_path_factory.mktemp("model"), ParseFeatures(n_features=2**6)
    paths = {}
    for kernel in ("linear", "gaussian"):
        paths[kernel] = folder / f"{kernel}.zip"
        ParseRanker(features=features, kernel=kernel, regparam=1.0).fit(made_sets(6, seed=0)).save(paths[kernel])
    return paths
