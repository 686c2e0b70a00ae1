"""Preparation of the training data: reading, detokenizing, mapping GENIA's scheme, lemma tables."""

import gzip
import io
import re
import tarfile

import pytest
from lab.training.pipeline.detokenize import spaces_between
from lab.training.pipeline.lemmas import lemma_tables, regular_lemma, tag_map
from lab.training.pipeline.mentions import read_iob, read_standoff
from lab.training.pipeline.scheme import to_craft_scheme
from lab.training.pipeline.treebank import Tree, read_trees


def tree_of(text: str) -> Tree:
    rows = [item.rsplit("/", 3) for item in text.split()]
    return Tree(
        words=tuple(row[0] for row in rows),
        spaces=(True,) * len(rows),
        tags=tuple(row[1] for row in rows),
        lemmas=(None,) * len(rows),
        heads=tuple(int(row[2]) - 1 for row in rows),
        labels=tuple(row[3] for row in rows),
    )


def arcs_of(tree: Tree) -> list[str]:
    words = (*tree.words, "ROOT")
    return [f"{label}({words[head]}, {word})" for word, head, label in zip(tree.words, tree.heads, tree.labels)]


def test_copula_becomes_the_head_of_its_clause():
    tree = to_craft_scheme(
        tree_of(
            "STATs/NNS/4/nsubj are/VBP/4/cop highly/RB/4/advmod active/JJ/0/ROOT in/IN/4/prep T/NN/5/pobj ././4/punct"
        )
    )
    assert arcs_of(tree) == [
        "nsubj(are, STATs)",
        "ROOT(ROOT, are)",
        "advmod(active, highly)",
        "acomp(are, active)",
        "prep(active, in)",
        "pobj(in, T)",
        "punct(are, .)",
    ]


def test_clausal_conjunct_moves_to_the_copula_and_clause_adverb_too():
    tree = to_craft_scheme(
        tree_of(
            "It/PRP/5/nsubj is/VBZ/5/cop also/RB/5/advmod a/DT/5/det kinase/NN/0/ROOT and/CC/5/cc it/PRP/8/nsubj "
            "binds/VBZ/5/conj"
        )
    )
    assert "advmod(is, also)" in arcs_of(tree)
    assert "attr(is, kinase)" in arcs_of(tree)
    assert "conj(is, binds)" in arcs_of(tree)
    assert "cc(is, and)" in arcs_of(tree)


def test_lists_are_chained():
    tree = to_craft_scheme(tree_of("A/NN/0/ROOT ,/,/1/punct B/NN/1/conj and/CC/1/cc C/NN/1/conj ././1/punct"))
    assert arcs_of(tree)[2:] == ["conj(A, B)", "cc(B, and)", "conj(B, C)", "punct(A, .)"]


def test_names_of_labels_agents_and_fixed_expressions():
    tree = to_craft_scheme(
        tree_of("A/NN/2/nn gene/NN/3/nsubjpass bound/VBN/0/ROOT is/VBZ/3/auxpass by/IN/3/prep it/PRP/5/pobj")
    )
    assert "compound(gene, A)" in arcs_of(tree)
    assert "agent(bound, by)" in arcs_of(tree)
    tree = to_craft_scheme(tree_of("A/NN/0/ROOT as/RB/3/advmod well/RB/1/cc as/IN/3/mwe B/NN/1/conj"))
    assert arcs_of(tree)[1:4] == ["advmod(as, as)", "advmod(as, well)", "cc(A, as)"]
    tree = to_craft_scheme(tree_of("binds/VBZ/0/ROOT to/TO/1/prep A/NN/2/pobj to/TO/5/aux act/VB/1/xcomp"))
    assert tree.tags == ("VBZ", "IN", "NN", "TO", "VB")


def test_mapping_keeps_trees(corpora_folder):
    for tree in read_trees(corpora_folder / "treebanks" / "genia-train.conllx.gz"):
        mapped = to_craft_scheme(tree)
        assert mapped.heads.count(-1) == 1
        assert not {"cop", "nn", "mwe", "rcmod", "vmod"} & set(mapped.labels)
        for token in range(len(mapped.words)):
            steps, place = 0, token
            while place >= 0:
                place, steps = mapped.heads[place], steps + 1
                assert steps <= len(mapped.words)


def test_treebank_is_read_with_brackets_and_spaces(tmp_path):
    path = tmp_path / "bank.conllx.gz"
    rows = ["1\tIL-2\t_\tNN\tNN\t_\t0\troot\t_\t_", "2\t-LRB-\t_\t-LRB-\t-LRB-\t_\t1\tpunct\t_\t_"]
    path.write_bytes(gzip.compress("\n".join(rows).encode() + b"\n\n"))
    (tree,) = read_trees(path)
    assert tree.words == ("IL-2", "(")
    assert tree.spaces == (True, False)
    assert tree.labels == ("ROOT", "punct")


@pytest.mark.parametrize(
    "text", ['TNF-alpha (p55), "x" and 0.05 of A/B.', "the 5' end [1]; see it", "it's 10% of beta's"]
)
def test_detokenizing_gives_the_text_back(text):
    words = re.findall(r"'s|\w+|[^\w\s]", text)
    assert "".join(word + " " * space for word, space in zip(words, spaces_between(words))) == text


def test_iob_mentions_have_exact_spans(tmp_path):
    path = tmp_path / "names.tsv.gz"
    rows = "the\tO\nalkaline\tB-GENE\nphosphatase\tI-GENE\nand\tO\nIL\tB-GENE\n-\tI-GENE\n2\tI-GENE\n\nNo\tO\n"
    path.write_bytes(gzip.compress(rows.encode()))
    first, second = read_iob(path)
    assert first.text == "the alkaline phosphatase and IL-2"
    assert [first.text[start:end] for start, end in first.spans] == ["alkaline phosphatase", "IL-2"]
    assert second.spans == ()


def test_standoff_keeps_proteins_and_the_outermost(tmp_path):
    path = tmp_path / "names.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in (
            ("train/1.txt", "IL-2 receptor gene"),
            (
                "train/1.ann",
                "T1\tprotein 0 13\tIL-2 receptor\nT2\tprotein 0 4\tIL-2\nT3\tDNA 0 18\tIL-2 receptor gene\n",
            ),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content.encode()))
    (text,) = read_standoff(path)
    assert text.spans == ((0, 13),)


def test_lemma_tables_learn_exceptions_and_leave_digits_alone():
    tree = Tree(
        words=("mice", "genes", "Bmp4", "binding"),
        spaces=(True,) * 4,
        tags=("NNS", "NNS", "NN", "VBG"),
        lemmas=("mouse", "gene", "bmp0", "bind"),
        heads=(-1, 0, 0, 0),
        labels=("ROOT", "dep", "dep", "dep"),
        upos=("NOUN", "NOUN", "NOUN", "VERB"),
        feats=("Number=Plur", "Number=Plur", "", ""),
    )
    tables = lemma_tables([tree])
    assert tables["lemma_exc"]["noun"] == {"mice": ["mouse"]}
    assert tables["lemma_index"]["noun"] == ["gene", "mouse"]
    assert regular_lemma("binding", "verb", {"bind"}) == "bind"
    assert tag_map([tree])["NNS"] == {"POS": "NOUN", "MORPH": "Number=Plur"}
