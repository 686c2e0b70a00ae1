"""Which sentences become data, and what is written of them."""

import gzip
import json
import re
import shutil

import numpy as np
import pytest
import scipy.sparse as sp
from lab.training.parse_rankers.candidate_files import read_candidates
from lab.training.parse_rankers.data import Selection, Tally, ranking_rows, ranking_sets
from lab.training.parse_rankers.gold import GOLD, document_of, gold_sentence
from lab.training.parse_rankers.make_data import main
from lab.training.pipeline.treebank import Tree, read_trees

from corpora import CorpusNotFoundError, DependencyGraph
from learners import read_svmlight
from ppi.core import UsageError
from ppi.parse_ranking import CandidateParse, CandidateSet

needs_parser = pytest.mark.skipif(
    shutil.which("link-parser") is None, reason="link-parser is not installed (Debian: link-grammar)"
)
NOUNS = ["protein", "cell", "gene", "kinase", "receptor", "antibody"]


def block(nouns, document=None):
    """A sentence of eight tokens in CoNLL-U: The A of the B binds C ."""
    words = ["The", nouns[0], "of", "the", nouns[1], "binds", nouns[2], "."]
    rows = zip(words, ["DT", "NN", "IN", "DT", "NN", "VBZ", "NN", "."], [2, 6, 2, 5, 3, 0, 6, 6], strict=True)
    labels = ["det", "nsubj", "prep", "det", "pobj", "root", "dobj", "punct"]
    lines = [f"# newdoc id = {document}"] if document else []
    for number, ((word, tag, head), label) in enumerate(zip(rows, labels, strict=True), start=1):
        space = "SpaceAfter=No" if number == 7 and document else "_"
        lines.append(f"{number}\t{word}\t_\t{tag}\t{tag}\t_\t{head}\t{label}\t_\t{space}")
    return "\n".join(lines) + "\n\n"


@pytest.fixture
def treebanks(tmp_path):
    """Small treebanks of the real names: 20 articles and 100 abstract sentences to train, fewer to test."""
    folder = tmp_path / "treebanks"
    folder.mkdir()
    combinations = [(a, b, c) for a in NOUNS for b in NOUNS for c in NOUNS]

    def write(name, sentences):
        (folder / name).write_bytes(gzip.compress("".join(sentences).encode()))

    write("craft-train.conllu.gz", (block(combinations[n], f"a{n // 4}" if n % 4 == 0 else None) for n in range(80)))
    write("craft-dev.conllu.gz", (block(combinations[n + 80], f"b{n // 4}" if n % 4 == 0 else None) for n in range(12)))
    write("genia-train.conllx.gz", (block(each) for each in combinations[100:216]))
    write("genia-dev.conllx.gz", (block(each) for each in combinations[92:100]))
    return folder


class Fixed:
    """A generator of two candidates: gold, and nothing; at every third sentence none."""

    name = "fixed"

    def candidates(self, sentences, *, max_candidates):
        for number, sentence in enumerate(sentences):
            gold = sentence.parse(GOLD)
            bare = DependencyGraph("fixed", "fixed", gold.tokens)
            found = () if number % 3 == 2 else (CandidateParse(bare, 0), CandidateParse(gold, 1))
            yield CandidateSet(sentence.id, sentence.text, found[:max_candidates])


def test_a_gold_sentence_by_hand():
    tree = Tree(
        ("Actin", "binds", "."), (True, False, False), ("NN", "VBZ", "."), (None,) * 3, (1, -1, 1), ("a", "ROOT", "p")
    )
    sentence = gold_sentence(tree, id="x/1")
    assert sentence.text == "Actin binds."
    graph = sentence.parse(GOLD)
    assert [(token.start, token.end, token.pos) for token in graph.tokens] == [
        (0, 5, "NN"),
        (6, 11, "VBZ"),
        (11, 12, "."),
    ]
    assert {(arc.governor, arc.dependent, arc.type) for arc in graph.dependencies} == {("2", "1", "a"), ("2", "3", "p")}
    assert graph.roots == ("2",)


def test_selection_is_by_length_and_seed(treebanks):
    first = Selection("train", shortest=8, longest=8).sentences(treebanks)
    assert len(first) == 80
    assert first == Selection("train", shortest=8, longest=8).sentences(treebanks)
    assert first != Selection("train", shortest=8, longest=8, random_state=1).sentences(treebanks)
    assert Selection("train", shortest=9, longest=20).sentences(treebanks) == []


def test_sides_share_no_document(treebanks):
    both = ("craft", "genia")
    train, test = (Selection(side, both, shortest=1).sentences(treebanks) for side in ("train", "test"))
    assert not {document_of(each.id) for each in train} & {document_of(each.id) for each in test}
    assert len({each.text for each in train}) == len(train)


def test_several_treebanks_come_in_turn(treebanks):
    ids = [each.id for each in Selection("train", ("craft", "genia"), shortest=1).sentences(treebanks)]
    assert [id.partition("-")[0] for id in ids[:6]] == ["craft", "genia"] * 3


def test_unseen_training_sentences_are_those_the_parser_was_tuned_on(treebanks):
    from lab.training.pipeline.readers import treebank_reader

    from ppi.language import load_shipped_pipeline

    craft, genia = treebanks / "craft-train.conllu.gz", treebanks / "genia-train.conllx.gz"
    options = {"craft": str(craft), "genia": str(genia), "genia_repeats": 1, "seed": 0}
    seen = {example.reference.text for example in treebank_reader(part="train", **options)(load_shipped_pipeline())}
    tuned = {
        example.reference.text.strip() for example in treebank_reader(part="tune", **options)(load_shipped_pipeline())
    }
    unseen = {each.text for each in Selection("train", shortest=1, unseen=True).sentences(treebanks)}
    assert unseen == tuned
    assert not any(text in run for text in unseen for run in seen)
    # GENIA: 116 sentences, the last tenth kept apart, less a margin of one abstract that leaves nothing here
    assert Selection("train", ("genia",), shortest=1, unseen=True).sentences(treebanks) == []


def test_sets_are_made_until_there_are_enough(treebanks):
    sentences = Selection("train", shortest=1).sentences(treebanks)
    tally = Tally()
    sets = list(ranking_sets(sentences, Fixed(), wanted=5, tally=tally))
    assert [each.goodness for each in sets] == [(0.0, 1.0)] * 5
    summary = tally.summary()
    assert (summary["sentences_tried"], summary["sentences_kept"]) == (7, 5)
    assert summary["share_with_candidates"] == pytest.approx(5 / 7)
    assert (summary["first_f"], summary["mean_f"], summary["oracle_f"]) == (0.0, 0.5, 1.0)
    assert summary["median_candidates"] == 2
    assert len(list(ranking_sets(sentences[:9], Fixed(), wanted=None, varied=False))) == 9


def test_rows_know_their_sentence(treebanks):
    sets = list(ranking_sets(Selection("train", shortest=1).sentences(treebanks), Fixed(), wanted=3))
    rows = ranking_rows(sets, lambda each: sp.csr_matrix(np.ones((2 * len(each), 4))))
    assert list(rows.qid) == [1, 1, 2, 2, 3, 3]
    assert list(rows.y) == [0.0, 1.0] * 3
    with pytest.raises(UsageError, match="expected the goodness of 2 candidates, got 0"):
        ranking_rows([CandidateSet("1", "x", sets[0].candidates)], lambda each: sp.csr_matrix((2, 4)))


@pytest.mark.parametrize("generator", [pytest.param("link-grammar", marks=needs_parser), "beam"])
def test_the_script_writes_both_sides(treebanks, tmp_path, capsys, generator):
    out = tmp_path / "data"
    options = ["--treebank-folder", str(treebanks), "--shortest", "8", "--candidates", "8"]
    status = main([str(out), *options, "--generator", generator, "--train", "3", "--test", "2"])
    printed = capsys.readouterr()
    assert (status, printed.err) == (0, "")
    figures = json.loads((out / "figures.json").read_text())
    assert json.loads(printed.out) == figures
    assert figures["train"]["selection"]["unseen"] == figures["test"]["labelled"] == (generator == "beam")
    for side, number in (("train", 3), ("test", 2)):
        sets = list(read_candidates(out / f"{side}.jsonl.gz"))
        assert len(sets) == figures[side]["sentences_kept"] == number
        rows = read_svmlight(out / f"{side}.svmlight.gz")
        assert list(rows.y) == [score for each in sets for score in each.goodness]
        assert list(rows.qid) == [place for place, each in enumerate(sets, start=1) for _ in each.candidates]
        assert all(len(set(each.goodness)) > 1 and len(each.candidates) <= 8 for each in sets)


@needs_parser
def test_the_script_makes_the_same_files_again(treebanks, tmp_path, capsys):
    options = ["--treebank-folder", str(treebanks), "--shortest", "8", "--train", "2", "--test", "2", "--seed", "5"]
    for name in ("first", "second"):
        assert main([str(tmp_path / name), *options]) == 0
    for name in ("train.jsonl.gz", "train.svmlight.gz", "test.jsonl.gz", "test.svmlight.gz"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--train", "500", "--generator", "beam"], "expected 500 sentences to train .* got .* ask for fewer"),
        (["--train", "0"], "expected 1 or more sentences to train, got 0"),
        (["--shortest", "30"], "expected 1 <= shortest <= longest, got 30 and 25"),
    ],
)
def test_what_cannot_be_made_leaves_nothing_behind(treebanks, tmp_path, capsys, options, message):
    out = tmp_path / "data"
    assert main([str(out), "--treebank-folder", str(treebanks), "--shortest", "8", *options]) == 1
    assert re.search(message, capsys.readouterr().err)
    assert not out.exists()


def test_the_script_needs_a_folder(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    assert main([str(tmp_path / "data")]) == 1
    assert "expected --treebank-folder or the environment variable PPI_CORPORA" in capsys.readouterr().err


def test_wrong_selections(tmp_path):
    with pytest.raises(UsageError, match="expected the side 'train' or 'test', got 'dev'"):
        Selection("dev")
    with pytest.raises(UsageError, match="expected different treebanks"):
        Selection("train", ("ptb",))
    with pytest.raises(CorpusNotFoundError, match=r"expected the treebank 'craft-dev.conllu.gz', got no such file"):
        Selection("test").sentences(tmp_path)


@pytest.mark.slow
def test_the_real_treebanks_are_read_whole(corpora_folder):
    folder = corpora_folder / "treebanks"
    unseen = Selection("train", ("craft", "genia"), unseen=True).sentences(folder)
    articles = {document_of(each.id) for each in unseen if each.id.startswith("craft")}
    assert len(articles) == 4
    test = Selection("test").sentences(folder)
    assert len({document_of(each.id) for each in test}) == 7
    originals = {tree.document for tree in read_trees(folder / "craft-dev.conllu.gz")}
    assert {document_of(each.id).partition("/")[2] for each in test} == originals
