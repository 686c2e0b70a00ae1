"""The parser's teacher: which sentences it parses, how its trees are written, and that it learns."""

import pytest
from lab.training.pipeline.silver_trees import bare_tree, conllu, limited, sure_sentences
from lab.training.pipeline.teacher import is_tree, teacher_settings
from lab.training.pipeline.treebank import Tree, read_trees

from ppi.core import UsageError
from ppi.language import load_shipped_pipeline


def tree_of(words, heads, labels, tags=None):
    n = len(words)
    tags = tuple(tags) if tags else ("NN",) * n
    return Tree(tuple(words), (True,) * n, tags, (None,) * n, tuple(heads), tuple(labels), document="d")


def test_what_is_written_is_read_again(tmp_path):
    import gzip

    tree = tree_of(["Ras", "binds", "(", "Raf", ")"], [1, -1, 3, 1, 3], ["nsubj", "ROOT", "punct", "dobj", "punct"])
    path = tmp_path / "silver.conllu.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.write("# newdoc id = d\n")
        lines.writelines(conllu(tree))
    (found,) = read_trees(path)
    for name in ("words", "spaces", "tags", "heads", "labels", "document"):
        assert getattr(found, name) == getattr(tree, name)


def test_only_sentences_with_sure_ends_are_taken():
    nlp = load_shipped_pipeline()
    doc = nlp.get_pipe("sentence_rules")(nlp.make_doc("Ras binds Raf. It does (D. melanogaster) so."))
    assert [span.text for span in sure_sentences(doc)] == ["Ras binds Raf.", "It does (D. melanogaster) so."]
    assert bare_tree(nlp.make_doc("Ras binds Raf .")[:3]).words == ("Ras", "binds", "Raf")


def test_short_and_long_sentences_are_left_out_until_there_are_enough_words():
    trees = [tree_of(["w"] * n, [-1] + [0] * (n - 1), ["ROOT"] + ["dep"] * (n - 1)) for n in (2, 5, 9, 5, 5)]
    assert [len(tree.words) for tree in limited(trees, words=8, longest=6)] == [5, 5]


@pytest.mark.parametrize(
    ("heads", "wanted"),
    [([-1], True), ([-1, 0, 1], True), ([1, 2, 0], False), ([-1, 2, 1], False), ([-1, -1], False), ([2, 0, -1], True)],
)
def test_trees_are_told_from_cycles(heads, wanted):
    assert is_tree(heads) is wanted


def test_a_misspelt_setting_is_refused():
    with pytest.raises(UsageError, match="expected a setting of the teacher"):
        teacher_settings({"training.epoch": 1})


def test_it_learns_small_trees_and_is_the_same_when_loaded(tmp_path):
    pytest.importorskip("torch")
    import numpy as np
    from lab.training.pipeline.teacher import Teacher
    from lab.training.pipeline.vectors import WordVectors

    trees = [
        tree_of([a, verb, b], [1, -1, 1], ["nsubj", "ROOT", "dobj"], ["NN", "VBZ", "NN"])
        for a, verb, b in [("Ras", "binds", "Raf"), ("Raf", "inhibits", "Ras"), ("MEK", "binds", "ERK")]
    ] * 20
    vectors = WordVectors(["ras", "binds"], np.eye(2, 4, dtype=np.float32))
    small = {"network.units": 8, "network.arc_width": 8, "network.label_width": 8, "network.tag_width": 8}
    options = {"training.epochs": 60, "training.tokens_per_batch": 30, "training.averaging": 0.9}
    options |= {"training.learning_rate": 0.01}
    teacher = Teacher.untrained(trees, vectors, teacher_settings(small | options))
    said = []
    teacher.fit(trees, trees[:3], said.append)
    assert teacher.shares(trees[:3]) == {"uas": 1.0, "las": 1.0, "tags": 1.0}
    assert len(said) == 120
    teacher.save(tmp_path)
    again = Teacher.load(tmp_path, vectors)
    new = [tree_of(["Raf", "binds", "MEK", "today"], [-1] * 4, [""] * 4)]
    assert list(again.parsed(new)) == list(teacher.parsed(new))
    assert all(is_tree(tree.heads) for tree in again.parsed(new))
