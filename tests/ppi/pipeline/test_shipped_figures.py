"""The shipped pipeline on data it was not trained on: what its own meta says, and never below these floors."""

import json

import pytest
from lab.training.pipeline.mentions import read_iob
from lab.training.pipeline.run import Sources, held_out_abstracts
from lab.training.pipeline.scheme import to_craft_scheme
from lab.training.pipeline.scores import name_scores, parse_scores
from lab.training.pipeline.treebank import read_trees

from ppi.pipeline import MODEL_DIRECTORY, load

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
    scores = parse_scores(load(), read_trees(sources.craft_held_out))
    check(scores, "craft-dev", {"uas": 87, "las": 85, "tag": 95})


def test_genia(sources):
    trees = [to_craft_scheme(tree) for tree in read_trees(sources.genia_held_out)]
    check(parse_scores(load(), trees), "genia-dev, mapped", {"uas": 85})


def test_names_of_biocreative(sources):
    check(name_scores(load(), list(read_iob(sources.bc2gm_held_out))), "bc2gm-devel", {"f": 78})


def test_names_of_held_out_abstracts(sources):
    check(name_scores(load(), held_out_abstracts(sources)), "jnlpba, held-out abstracts", {"f": 79})
