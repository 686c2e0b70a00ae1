"""The experiment on reranking: what is drawn, and its tables and page from small lists."""

import numpy as np
import pytest
from lab.frame.experiment import RunSettings, perform
from lab.papers import reranking
from lab.papers.reranking import EXPERIMENT, Options, first_trees, some_articles
from lab.training.parse_rankers.beam_lists import BeamList
from lab.training.parse_rankers.beam_training import BeamData

from ppi.parse_ranking import get_generator, to_beam_trees

TEXTS = [
    "Profilin binds actin monomers and inhibits their polymerization in human cells.",
    "The receptor of the kinase in the membrane is phosphorylated by Src and Fyn.",
    "Cells with the mutation in the receptor of the kinase do not respond to insulin.",
]


@pytest.fixture(scope="module")
def lists():
    rng = np.random.default_rng(0)
    found = []
    for number, candidates in enumerate(get_generator("beam").candidates(TEXTS, max_candidates=6)):
        right = rng.permutation(len(candidates.candidates)).astype(np.int16)
        found.append(BeamList(to_beam_trees(candidates), right, 12, f"d{number % 2}"))
    return found


def test_articles_are_taken_whole_but_for_the_last(lists):
    taken = some_articles(lists, 2, seed=0)
    assert len(taken) == 2
    first = taken[0].document
    whole = sum(each.document == first for each in lists)
    assert [each.document == first for each in taken] == [place < whole for place in range(2)]
    assert some_articles(lists, 3, seed=0) == lists
    assert {each.document for each in some_articles(lists, 3, seed=1)} == {"d0", "d1"}
    abstracts = [each._replace(document="genia") for each in lists]
    half = some_articles([*lists, *abstracts], 2, seed=0)
    assert sorted(each.document == "genia" for each in half) == [False, True]


def test_the_first_trees_of_a_list(lists):
    fewer = first_trees(lists[0], 2)
    assert len(fewer.right) == len(fewer.trees.costs) == len(fewer.trees.heads) == 2
    np.testing.assert_array_equal(fewer.right, lists[0].right[:2])


def test_a_small_run_fills_the_page(lists, tmp_path, monkeypatch):
    data = BeamData(lists, lists, {"craft-dev": lists, "genia-dev": lists})
    (tmp_path / "manifest.json").write_text("{}")
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    monkeypatch.setattr(reranking, "ROOT", tmp_path)
    monkeypatch.setattr(reranking, "beam_data", lambda *given: data)
    result = perform(EXPERIMENT, RunSettings(tiny=True, options=Options(lists=".")))
    assert [table.title.split(",")[0] for table in result.tables] == [
        "Labelled attachment of test articles",
        "Learners",
        "RankRLS by the number of training sentences",
        "Features",
        "Extraction",
    ]
    full = result.points["curve"][-1]
    assert full["sentences"] == 3
    assert full["tests"]["craft-dev"]["reranked"] >= full["tests"]["craft-dev"]["first"]
    page = "\n".join(EXPERIMENT.page.paragraphs(result))
    assert "| craft-dev, rank-rls |" in page
    assert "figures/reranking-curve.svg" in page
    (picture,) = EXPERIMENT.pictures(result)
    from matplotlib.figure import Figure

    picture.draw(Figure(figsize=picture.size))
