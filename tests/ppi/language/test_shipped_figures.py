"""The shipped pipeline on data it was not trained on: what its own meta says, and never below these floors."""

import json

import pytest
from lab.training.pipeline.mentions import read_iob
from lab.training.pipeline.run import Sources, held_out_abstracts
from lab.training.pipeline.scheme import to_craft_scheme
from lab.training.pipeline.scores import WANTED_KINDS, name_scores, parse_scores
from lab.training.pipeline.treebank import read_trees

from ppi.language.shipped_pipeline import MODEL_DIRECTORY, load_shipped_pipeline

CLAIMED = json.loads((MODEL_DIRECTORY / "meta.json").read_text(encoding="utf-8"))["performance"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sources(corpora_folder):
    return Sources(corpora_folder)


def check(scores, name, floors):
    for measure, floor in floors.items():
        assert scores[measure] >= floor
    assert scores == pytest.approx(CLAIMED[name], abs=0.1)


def test_craft(sources):
    scores = parse_scores(load_shipped_pipeline(), read_trees(sources.craft_held_out))
    check(scores, "craft-dev", {"uas": 89.5, "las": 87.5, "tag": 97.5})


def test_genia(sources):
    trees = [to_craft_scheme(tree) for tree in read_trees(sources.genia_held_out)]
    check(parse_scores(load_shipped_pipeline(), trees), "genia-dev, mapped", {"uas": 88.5, "las": 85.5})


def test_names_of_biocreative(sources):
    found = name_scores(load_shipped_pipeline(), list(read_iob(sources.bc2gm_held_out)), kinds=WANTED_KINDS["bc2gm"])
    check(found, "bc2gm-devel", {"f": 80})


def test_names_of_held_out_abstracts(sources):
    nlp = load_shipped_pipeline(guideline="jnlpba")
    found = name_scores(nlp, held_out_abstracts(sources), kinds=WANTED_KINDS["jnlpba"])
    check(found, "jnlpba, held-out abstracts, its guideline", {"f": 82})
