import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

import corpora
from corpora import Document, Entity, Pair, Sentence
from ppi.core import ModelFileError, TrainingError, UsageError
from ppi.extraction.examples import drop_shared_documents
from ppi.extraction.extractor import Extractor
from ppi.extraction.settings import KERNELS, LEARNERS, Settings

SAMPLE = corpora.load("sample")


@pytest.fixture(scope="module")
def trained():
    return Extractor(kernel="composite", learner="rls").fit(SAMPLE)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_kernel_with_every_learner_fits_its_training_data(kernel, learner):
    extractor = Extractor(kernel=kernel, learner=learner).fit(SAMPLE)
    scored = [pair for pair in extractor.score(SAMPLE) if pair.label is not None]
    positive = np.mean([pair.score for pair in scored if pair.label])
    negative = np.mean([pair.score for pair in scored if not pair.label])
    assert positive > negative


def test_scores_cover_every_pair_but_self_pairs(trained):
    expected = [
        pair.id for document in SAMPLE for sentence in document.sentences for pair in sentence.pairs if not pair.is_self
    ]
    assert [pair.pair for pair in trained.score(SAMPLE)] == expected


def test_predict_is_what_scores_at_least_the_threshold(trained):
    predicted = trained.predict(SAMPLE)
    assert {pair.pair for pair in predicted} == {
        pair.pair for pair in trained.score(SAMPLE) if pair.score >= trained.threshold_
    }
    assert predicted == sorted(predicted, key=lambda pair: -pair.score)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_features", [None, 2**12])
def test_saved_models_score_exactly_as_before(tmp_path, kernel, n_features):
    extractor = Extractor(kernel=kernel, learner="rls", n_features=n_features).fit(SAMPLE)
    extractor.save(tmp_path / "model.zip")
    again = Extractor.load(tmp_path / "model.zip")
    assert again.score(SAMPLE) == extractor.score(SAMPLE)
    assert again.facts_ == extractor.facts_
    assert again.settings == extractor.settings


@pytest.mark.parametrize("kernel", KERNELS)
def test_explanation_sums_to_the_score(kernel):
    extractor = Extractor(kernel=kernel, learner="rls").fit(SAMPLE)
    scores = {pair.pair: pair.score for pair in extractor.score(SAMPLE)}
    for document in SAMPLE[:6]:
        for sentence in document.sentences:
            for pair in sentence.pairs:
                if pair.is_self:
                    continue
                found = extractor.explain(sentence, pair)
                placed = sum(part.value for part in (*found.words, *found.dependencies))
                assert found.score == pytest.approx(scores[pair.id], abs=1e-9)
                assert found.intercept + found.unplaced + placed == pytest.approx(found.score, abs=1e-9)


def test_explanation_names_the_path(trained):
    sentence = SAMPLE[0].sentences[0]
    found = trained.explain(sentence, sentence.pairs[0].id)
    assert found.path == "binds -nsubj-> Korvin, binds -dobj-> Trelase-2"
    assert {part.name for part in found.words if part.on_path} == {"Korvin", "binds", "Trelase-2"}
    shown = found.to_dict(most=2)
    total = shown["intercept"] + sum(one["value"] for one in shown["features"]) + shown["other_features"]
    assert total == pytest.approx(found.score)
    with pytest.raises(TrainingError, match="expected a pair of sentence"):
        trained.explain(sentence, "nope")


def test_extra_corpora_change_the_model_and_shared_documents_are_left_out():
    halves = {"first": SAMPLE[:10], "second": SAMPLE[10:]}
    alone = Extractor(kernel="path", learner="rls").fit(halves["first"])
    helped = Extractor(kernel="path", learner="rls").fit(halves["first"], extra={"second": halves["second"]})
    assert helped.facts_["extra"] == {"second": alone_pairs(halves["second"])}
    assert not np.allclose(alone.score_graphs([]).shape, (1,))
    assert [p.score for p in alone.score(SAMPLE)] != [p.score for p in helped.score(SAMPLE)]
    assert drop_shared_documents(SAMPLE, halves["first"]) == halves["second"]


def alone_pairs(documents):
    return sum(
        pair.label is not None and not pair.is_self
        for document in documents
        for sentence in document.sentences
        for pair in sentence.pairs
    )


def test_documents_with_a_common_sentence_or_pubmed_id_are_shared():
    base = Document("a", (Sentence("s", "One  Sentence."),), orig_id="7")
    same_text = Document("b", (Sentence("t", "one sentence."),), orig_id="8")
    same_id = Document("c", (Sentence("u", "Other."),), infons=(("PMID", "7"),))
    other = Document("d", (Sentence("v", "Different."),), orig_id="9")
    assert drop_shared_documents([same_text, same_id, other], [base]) == [other]


def unlabelled(document):
    sentences = tuple(
        replace(sentence, pairs=tuple(replace(pair, label=False) for pair in sentence.pairs))
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)


def test_training_without_positive_pairs_or_with_one_document_is_refused():
    with pytest.raises(TrainingError, match="expected positive pairs in the documents, got none among"):
        Extractor().fit([unlabelled(document) for document in SAMPLE])
    with pytest.raises(TrainingError, match="at least 2 documents"):
        Extractor(kernel="path", learner="rls").fit(SAMPLE[1:2])


def test_unknown_names_are_refused():
    with pytest.raises(UsageError, match="expected a kernel, one of"):
        Extractor(kernel="tree")
    with pytest.raises(UsageError, match="expected a variant, one of"):
        Extractor(variant="mean")
    with pytest.raises(TrainingError, match="expected a trained extractor"):
        Extractor().score(SAMPLE)


def test_settings_can_be_cloned():
    extractor = Extractor(kernel="path", learner="rls", regparam=0.5)
    assert clone(extractor).settings == extractor.settings == Settings(kernel="path", learner="rls", regparam=0.5)


def test_several_corpora_have_intercepts_of_their_own_and_are_left_out_one_by_one():
    corpora_by_name = {"first": SAMPLE[:10], "second": SAMPLE[10:]}
    extractor = Extractor(kernel="path", learner="ridge").fit(corpora_by_name)
    assert extractor.facts_["leave_corpus_out_auc"].keys() == corpora_by_name.keys()
    assert extractor.facts_["parser"] == "gold"
    alone = Extractor(kernel="path", learner="ridge").fit(SAMPLE)
    assert "leave_document_out_auc" in alone.facts_
    with pytest.raises(TrainingError, match="expected no extra corpora with the learner 'ridge'"):
        Extractor(learner="ridge").fit(SAMPLE[:10], extra={"second": SAMPLE[10:]})
    with pytest.raises(TrainingError, match=r"expected extra corpora other than those learned from, got \['first'\]"):
        Extractor(learner="rls").fit(corpora_by_name, extra={"first": SAMPLE[:5]})


def test_several_parses_need_a_name():
    sentence = SAMPLE[0].sentences[0]
    graph = sentence.parses[0]
    two = replace(sentence, parses=(graph, replace(graph, parser="other")))
    with pytest.raises(UsageError, match=r"expected one parse a sentence, got \['gold', 'other'\]"):
        Extractor().fit([replace(SAMPLE[0], sentences=(two,))])


def test_scoring_a_sentence_without_a_parse(trained):
    entities = (Entity("a", "Abc", ((0, 3),)), Entity("b", "Xyz", ((10, 13),)))
    sentence = Sentence("s", "Abc binds Xyz", entities, (Pair("p", "a", "b"),))
    (scored,) = trained.score([Document("d", (sentence,))])
    assert np.isfinite(scored.score)
    assert trained.score([Document("empty")]) == []


class TestDamagedModels:
    @pytest.fixture
    def path(self, tmp_path, trained):
        trained.save(tmp_path / "model.zip")
        return tmp_path / "model.zip"

    def change(self, path, *, header=None, **members):
        """Rewrite the zip with another header or other members."""
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        if header:
            contents["model.json"] = json.dumps({**json.loads(contents["model.json"]), **header}).encode()
        contents.update(members)
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in contents.items():
                archive.writestr(name, data)

    def test_not_a_zip(self, tmp_path):
        (tmp_path / "x").write_text("hello")
        with pytest.raises(ModelFileError, match=r"x: expected a model file \(a zip\)"):
            Extractor.load(tmp_path / "x")

    def test_missing(self, tmp_path):
        with pytest.raises(ModelFileError, match="No such file"):
            Extractor.load(tmp_path / "none.zip")

    def test_truncated(self, path):
        path.write_bytes(path.read_bytes()[:-200])
        with pytest.raises(ModelFileError, match="expected a model file"):
            Extractor.load(path)

    def test_flipped_byte(self, path):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0xFF
        path.write_bytes(data)
        with pytest.raises(ModelFileError):
            Extractor.load(path)

    def test_other_version(self, path):
        self.change(path, header={"version": 99})
        with pytest.raises(ModelFileError, match="expected model version 5, got 99; it was written by 'ppi-miner"):
            Extractor.load(path)

    def test_another_format(self, path):
        self.change(path, header={"format": "other"})
        with pytest.raises(ModelFileError, match="expected a ppi-extractor model"):
            Extractor.load(path)

    @pytest.mark.parametrize(
        "calibration",
        [
            {"kind": "pickle", "scores": [], "values": []},
            {"kind": "platt", "scores": [], "values": [float("inf"), 0]},
            {"kind": "isotonic", "scores": [0, 0], "values": [0, 1]},
            {"kind": "platt"},
            [1, 2],
            "platt",
        ],
    )
    def test_a_calibration_that_is_none(self, path, calibration):
        self.change(path, header={"calibrations": {"interaction": calibration}})
        with pytest.raises(ModelFileError, match="expected the contents of a model"):
            Extractor.load(path)

    def test_an_intercept_that_is_no_number(self, path):
        self.change(path, header={"intercepts": [float("nan")]})
        with pytest.raises(ModelFileError, match=r"expected intercepts to be a list of 1 finite numbers, got \[nan\]"):
            Extractor.load(path)

    def test_unknown_parameter(self, path):
        self.change(path, header={"parameters": {"kernel": "path", "colour": 1}})
        with pytest.raises(ModelFileError, match="expected the contents of a model"):
            Extractor.load(path)

    @pytest.mark.parametrize("array", [np.array([np.nan]), np.ones((2, 2)), np.array(["a"])])
    def test_weights_that_are_no_numbers(self, path, array):
        from io import BytesIO

        buffer = BytesIO()
        np.save(buffer, array)
        self.change(path, **{"weights.npy": buffer.getvalue()})
        with pytest.raises(ModelFileError, match=r"expected (finite weights|flat arrays of numbers)"):
            Extractor.load(path)

    def test_wrong_number_of_weights(self, path):
        from io import BytesIO

        buffer = BytesIO()
        np.save(buffer, np.ones(3))
        self.change(path, **{"weights.npy": buffer.getvalue()})
        with pytest.raises(ModelFileError, match=r"expected \d+ weights for its features, got 3"):
            Extractor.load(path)

    def test_pickled_array(self, path):
        from io import BytesIO

        buffer = BytesIO()
        np.save(buffer, np.array([{"a": 1}], dtype=object))
        self.change(path, **{"weights.npy": buffer.getvalue()})
        with pytest.raises(ModelFileError, match="expected flat arrays of numbers"):
            Extractor.load(path)
