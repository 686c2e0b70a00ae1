"""Trees of a beam that a teacher agrees to."""

import gzip
from dataclasses import replace

import numpy as np
import pytest
from lab.training.pipeline.agreed_trees import agreed, agreed_trees, agreement, write_agreed
from lab.training.pipeline.silver_trees import conllu
from lab.training.pipeline.treebank import Tree, read_trees

from ppi.language import BeamTrees, load_shipped_pipeline

NAMES = ("ROOT", "nsubj", "dobj", "prep")


def teacher_tree(words, heads, labels):
    n = len(words)
    return Tree(tuple(words), (True,) * n, ("",) * n, (None,) * n, tuple(heads), tuple(labels), document="d")


def beam(heads, labels, costs):
    numbers = [[NAMES.index(label) for label in tree] for tree in labels]
    tags = ("NN", "VBZ", "NN")
    return BeamTrees(
        ("Ras", "binds", "Raf"), tags, np.array(heads, np.int16), np.array(numbers, np.int16), np.array(costs), NAMES
    )


TEACHER = teacher_tree(["Ras", "binds", "Raf"], [1, -1, 1], ["nsubj", "root", "dobj"])
BEAM = beam(
    [[1, -1, 0], [1, -1, 1], [1, -1, 1], [-1, -1, 1]],
    [
        ["nsubj", "ROOT", "prep"],
        ["nsubj", "ROOT", "prep"],
        ["nsubj", "ROOT", "dobj"],
        ["ROOT", "ROOT", "dobj"],
    ],
    [0.1, 0.5, 0.9, 0.2],
)


def test_heads_and_labels_count_and_a_second_root_is_out_of_question():
    assert agreement(BEAM, TEACHER).tolist() == [2.0, 2.5, 3.0, -np.inf]


def test_the_tree_with_most_of_the_teachers_arcs_is_taken_with_the_parsers_tags():
    found = agreed(BEAM, TEACHER)
    assert found.heads == (1, -1, 1)
    assert found.labels == ("nsubj", "ROOT", "dobj")
    assert found.tags == ("NN", "VBZ", "NN")
    assert found.words == TEACHER.words


def test_what_the_parser_finds_much_less_likely_is_not_taken_for_one_label():
    assert agreed(BEAM._replace(costs=np.array([0.1, 0.5, 9.0, 0.2])), TEACHER).labels == ("nsubj", "ROOT", "prep")


def test_a_label_that_the_parser_does_not_know_counts_by_its_head():
    unknown = replace(TEACHER, labels=("nsubj", "root", "obj"))
    assert agreement(BEAM, unknown).tolist() == [2.0, 2.5, 2.5, -np.inf]


@pytest.mark.parametrize("words", [["Ras"], ["Ras", "binds", "Raf", "."]])
def test_the_parsers_own_tree_comes_back_where_the_teacher_says_the_same(words, tmp_path):
    nlp = load_shipped_pipeline()
    (own,) = agreed_trees(nlp, [teacher_tree(words, [-1] + [0] * (len(words) - 1), ["dep"] * len(words))])
    assert own.words == tuple(words)
    silver, output = tmp_path / "silver.conllu.gz", tmp_path / "agreed.conllu.gz"
    with gzip.open(silver, "wt", encoding="utf-8") as lines:
        lines.write("# newdoc id = unlabelled\n")
        lines.writelines(conllu(own))
    (again,) = read_trees(write_agreed(nlp, silver, output, lambda line: None))
    assert (again.words, again.heads, again.labels, again.tags) == (own.words, own.heads, own.labels, own.tags)
