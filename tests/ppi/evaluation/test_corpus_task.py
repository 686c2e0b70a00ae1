"""The evaluation of a corpus by name: folds from a file or from seeds, parses from the file or fresh, extra corpora."""

from dataclasses import replace

import pytest

import corpora
from corpora import Document, Entity, FoldError, Sentence, folds_to_tsv, make_folds
from ppi.evaluation.corpus_evaluation import CorpusTask, evaluate_corpus, load_parsed
from ppi.evaluation.cross_validation.nested_cross_validation import evaluate
from ppi.extraction import Settings

SAMPLE = corpora.load("sample")
QUICK = Settings(kernel="path", learner="rls")


def without_times(result):
    return {key: value for key, value in result.to_dict().items() if key not in ("seconds", "seed")}


def test_each_seed_is_an_evaluation_of_its_own():
    found = evaluate_corpus(CorpusTask("sample", QUICK, n_folds=4, seeds=(0, 5)))
    assert [result.seed for result in found] == [0, 5]
    for result in found:
        alone = evaluate("sample", SAMPLE, QUICK, n=4, seed=result.seed)
        assert result.fold_of == alone.fold_of
        assert [pair["score"] for pair in result.pairs] == pytest.approx([pair["score"] for pair in alone.pairs])
    assert found[0].fold_of != found[1].fold_of


def test_folds_from_a_file_have_no_seed(tmp_path):
    folds = make_folds(SAMPLE, 3, seed=9)
    (tmp_path / "folds.tsv").write_text(folds_to_tsv(folds))
    task = CorpusTask("sample", QUICK, folds=str(tmp_path / "folds.tsv"), seeds=(1, 2))
    (found,) = evaluate_corpus(task)
    assert found.seed is None
    assert found.fold_of == {id: folds[id] for id in found.fold_of}
    assert len(found.folds) == 3


def test_a_fold_without_pairs_leaves_the_numbers_of_the_others(tmp_path):
    """Folds are called by one number in the table of folds and in that of pairs."""
    path = tmp_path / "made.jsonl"
    corpora.write([Document("empty", (Sentence("empty.s", "No pair."),)), *SAMPLE], path)
    names = ["first", "second", "third"]
    lines = [f"{names[number % 3]}\t{document.id}" for number, document in enumerate(SAMPLE)]
    (tmp_path / "folds.tsv").write_text("\n".join(["nothing\tempty", *lines]))
    (found,) = evaluate_corpus(CorpusTask(str(path), QUICK, folds=str(tmp_path / "folds.tsv")))
    assert [fold.fold for fold in found.folds] == [1, 2, 3]
    for fold in found.folds:
        assert fold.pairs == sum(pair["fold"] == fold.fold for pair in found.pairs)


def test_folds_that_do_not_fit_the_corpus_are_refused_by_the_name_of_their_file(tmp_path):
    (tmp_path / "folds.tsv").write_text(f"0\t{SAMPLE[0].id}\n1\t{SAMPLE[1].id}\n")
    with pytest.raises(FoldError, match=r"folds\.tsv.*expected a fold for every document that has pairs"):
        evaluate_corpus(CorpusTask("sample", QUICK, folds=str(tmp_path / "folds.tsv")))


def test_extra_corpora_are_loaded_by_name_without_what_they_share(tmp_path):
    corpora.write(SAMPLE[:12], tmp_path / "mine.jsonl")
    corpora.write(SAMPLE[8:], tmp_path / "more.jsonl")
    task = CorpusTask(str(tmp_path / "mine.jsonl"), QUICK, n_folds=3, extra=(str(tmp_path / "more.jsonl"),))
    (found,) = evaluate_corpus(task)
    expected = evaluate("mine", SAMPLE[:12], QUICK, n=3, extra={"more": SAMPLE[12:]})
    assert found.corpus == "mine"
    assert found.extra == expected.extra
    assert list(found.extra) == ["more"]
    assert [pair["score"] for pair in found.pairs] == pytest.approx([pair["score"] for pair in expected.pairs])
    alone = evaluate("mine", SAMPLE[:12], QUICK, n=3)
    assert without_times(found)["pairs"] != without_times(alone)["pairs"]


def test_the_time_of_reading_is_counted():
    (found,) = evaluate_corpus(CorpusTask("sample", QUICK, n_folds=3))
    stages = found.seconds
    assert set(stages) == {"read", "features", "prior", "gram", "learning", "total"}
    assert stages["total"] == pytest.approx(sum(value for stage, value in stages.items() if stage != "total"), abs=0.01)


@pytest.fixture(scope="module")
def two_parses(tmp_path_factory):
    """The sample with its parse under a second name, too."""
    path = tmp_path_factory.mktemp("parses") / "two.jsonl"
    doubled = [
        replace(
            document,
            sentences=tuple(
                replace(each, parses=(*each.parses, *(replace(parse, parser="other") for parse in each.parses)))
                for each in document.sentences
            ),
        )
        for document in SAMPLE
    ]
    corpora.write(doubled, path)
    return str(path)


def parsers(documents):
    return {sentence.parsers for document in documents for sentence in document.sentences if sentence.parses}


def test_a_named_parse_is_the_only_one_left(two_parses):
    assert parsers(load_parsed(two_parses, None)) == {("gold", "other")}
    assert parsers(load_parsed(two_parses, "other")) == {("other",)}
    (found,) = evaluate_corpus(CorpusTask(two_parses, QUICK, parser="other", n_folds=3))
    assert found.parser == "other"


def test_a_fresh_parse_splits_passages_and_leaves_parsed_sentences_whole(tmp_path):
    names = (Entity("a", "Profilin", ((0, 8),)), Entity("b", "actin", ((15, 20),)))
    passage = Sentence("p", "Profilin binds actin. Cofilin severs it.", names, offset=0)
    two = replace(SAMPLE[0].sentences[0], id="q", offset=100)
    corpora.write([Document("d", (passage,)), Document("e", (two,))], tmp_path / "made.jsonl")
    loose, kept = load_parsed(str(tmp_path / "made.jsonl"), "shipped")
    assert [sentence.text for sentence in loose.sentences] == ["Profilin binds actin.", "Cofilin severs it."]
    assert [sentence.offset for sentence in loose.sentences] == [0, 22]
    assert [sentence.text for sentence in kept.sentences] == [two.text]
    assert parsers([loose, kept]) == {("shipped-enhanced",)}
    assert [len(sentence.parses) for sentence in loose.sentences] == [1, 0]  # what has no pair needs none
