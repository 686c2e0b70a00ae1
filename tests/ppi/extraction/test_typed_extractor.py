"""Extractors with types: what was learned is what scores, also from a file, and every output can be explained."""

import json
import zipfile
from io import BytesIO

import numpy as np
import pytest
from event_documents import TEMPLATES, document, event_corpus, pair_corpus

from kernels import candidate_graphs
from ppi.core import ModelFileError, TrainingError, UsageError
from ppi.extraction.examples import collect_examples
from ppi.extraction.extractor import Extractor
from ppi.extraction.outputs import OUTPUTS, REGPARAMS
from ppi.extraction.pair_predictions import PairPredictions
from ppi.extraction.ridge import train_typed
from ppi.extraction.settings import KERNELS, Settings
from ppi.extraction.training_rows import prepare_corpora

CORPORA = {"one": event_corpus("a", 8), "two": event_corpus("b", 8), "AImed": pair_corpus("p", 8)}
UNSEEN = collect_examples(event_corpus("c", 5))


@pytest.fixture(scope="module")
def trained():
    return Extractor(kernel="path", learner="ridge").fit(CORPORA)


def output(extractor, name):
    return extractor.score_outputs(UNSEEN.graphs)[:, OUTPUTS.index(name)]


@pytest.mark.parametrize("min_documents", [1, 3])
@pytest.mark.parametrize("n_features", [None, 2**10])
@pytest.mark.parametrize("kernel", KERNELS)
def test_an_extractor_scores_as_the_model_that_was_trained(kernel, n_features, min_documents):
    """Maps keep their features in an order of their own; each weight stays with its feature."""
    settings = Settings(kernel=kernel, learner="ridge", n_features=n_features, min_documents=min_documents)
    prepared = prepare_corpora(CORPORA, settings)
    rows = prepared.rows(list(CORPORA))
    model = train_typed(rows, min_documents=min_documents)
    extractor = Extractor(**vars(settings)).fit(CORPORA)
    graphs = [graph for examples in prepared.examples.values() for graph in examples.graphs]
    expected = model.outputs.scores(rows.X[:, model.feature_mask])
    # weights are kept in half precision
    np.testing.assert_allclose(extractor.score_outputs(graphs), expected, atol=0.01)


def test_rare_hashed_features_of_a_model_without_types_weigh_nothing():
    extractor = Extractor(kernel="path", learner="ridge", n_features=2**10, min_documents=3).fit(CORPORA["AImed"])
    assert extractor.weights_.shape == (2**10,)
    assert extractor.facts_["features"] == np.sum(extractor.weights_ != 0) > 0


def test_every_output_tells_unseen_pairs_apart(trained):
    for column, name in enumerate(OUTPUTS):
        target = UNSEEN.targets[:, column]
        scores = output(trained, name)
        assert scores[target > 0].min() > scores[target < 0].max(), name


def test_what_the_extractor_says_of_itself(trained):
    assert trained.outputs_ == OUTPUTS
    assert trained.weights_.shape == (trained._map.width, len(OUTPUTS))
    assert trained.intercepts_.shape == (len(OUTPUTS),)
    assert trained.intercept_ == trained.intercepts_[0]
    assert set(trained.calibrations_) == set(OUTPUTS[:4])
    assert trained.regparam_ == REGPARAMS["interaction"]
    assert Extractor(kernel="path", learner="ridge", regparam=3.0).fit(CORPORA).regparam_ == 3.0


def test_what_no_corpus_teaches_is_not_predicted(trained, tmp_path):
    """Events without a cause have no direction; regulations of one sign alone teach none."""
    templates = [
        (text, "Positive_regulation" if said[:1] == ["Negative_regulation"] else said[0], *said[1:])
        if said
        else (text,)
        for text, *said in TEMPLATES
    ]
    some = {name: event_corpus(name, 8, templates=templates) for name in ("one", "two")}
    extractor = Extractor(kernel="path", learner="ridge").fit(some)
    extractor.save(tmp_path / "model.zip")
    for model in (extractor, Extractor.load(tmp_path / "model.zip")):
        assert [output for output in OUTPUTS if not model.has_learned(output)] == ["sign"]
        found = [PairPredictions(model, UNSEEN.graphs)[place] for place in range(len(UNSEEN))]
        assert {reading.sign for reading in found} == {None}
        assert any(reading.agent for reading in found if reading.type == "regulation")
    assert all(trained.has_learned(output) for output in OUTPUTS)


def test_scores_of_no_graphs_have_one_column_per_output(trained):
    assert trained.score_outputs([]).shape == (0, len(OUTPUTS))


def test_the_score_of_a_pair_is_its_first_output(trained):
    np.testing.assert_array_equal(trained.score_graphs(UNSEEN.graphs), output(trained, "interaction"))


@pytest.mark.parametrize("kernel", ["composite", "path"])
@pytest.mark.parametrize("n_features", [None, 2**10])
def test_a_saved_model_says_the_same(kernel, n_features, tmp_path):
    extractor = Extractor(kernel=kernel, learner="ridge", n_features=n_features).fit(CORPORA)
    extractor.save(tmp_path / "model.zip")
    again = Extractor.load(tmp_path / "model.zip")
    np.testing.assert_array_equal(again.score_outputs(UNSEEN.graphs), extractor.score_outputs(UNSEEN.graphs))
    assert again.outputs_ == extractor.outputs_
    assert again.calibrations_ == extractor.calibrations_
    assert again.facts_ == extractor.facts_
    assert (again.threshold_, again.regparam_) == (extractor.threshold_, extractor.regparam_)


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("n_features", [None, 2**10])
def test_the_explanation_of_an_output_sums_to_its_score(name, n_features):
    extractor = Extractor(kernel="path", learner="ridge", n_features=n_features).fit(CORPORA)
    for graph, score in zip(UNSEEN.graphs[: len(TEMPLATES)], output(extractor, name)):
        found = extractor.explain_graph(graph, name)
        placed = sum(part.value for part in (*found.words, *found.dependencies))
        assert found.score == pytest.approx(score, abs=1e-4)
        assert found.intercept + sum(each.value for each in found.features) == pytest.approx(score, abs=1e-4)
        assert found.intercept + found.unplaced + placed == pytest.approx(score, abs=1e-4)


def test_an_explanation_shows_the_threshold_of_interactions_and_zero_for_other_outputs(trained):
    graph = UNSEEN.graphs[0]
    assert trained.explain_graph(graph).threshold == trained.threshold_
    assert trained.explain_graph(graph, "direction").threshold == 0.0
    with pytest.raises(UsageError, match=r"expected an output of the model, one of .*'sign'.*, got 'strength'"):
        trained.explain_graph(graph, "strength")


@pytest.mark.filterwarnings("error")
def test_a_file_of_half_precision_is_read_without_a_warning(trained, tmp_path):
    trained.save(tmp_path / "model.zip")
    Extractor.load(tmp_path / "model.zip")


def test_an_output_of_types_cannot_be_asked_of_a_model_without_them():
    extractor = Extractor(kernel="path", learner="rls").fit(CORPORA["AImed"])
    with pytest.raises(UsageError, match=r"one of \['interaction'\], got 'binding'"):
        extractor.explain_graph(UNSEEN.graphs[0], "binding")


def test_the_verb_is_what_speaks_for_a_modification(trained):
    (graph,) = candidate_graphs([document_of("Qa phosphorylates Qb", "Qa", "Qb")])
    found = trained.explain_graph(graph, "modification")
    assert max(found.words, key=lambda part: part.value).name == "phosphorylates"


def document_of(text, *names):
    return document("d", text, names=names, labels={names: None})


def test_too_few_events_of_a_type_are_refused_where_nothing_else_says_what_interacts():
    with pytest.raises(TrainingError, match=r"at least 10 pairs of each type, or add a corpus of pairs"):
        Extractor(kernel="path", learner="ridge").fit(event_corpus("a", 3))


def test_without_types_the_learner_makes_one_output():
    extractor = Extractor(kernel="path", learner="ridge").fit({"x": pair_corpus("p", 4), "y": pair_corpus("q", 4)})
    assert extractor.outputs_ == ("interaction",)
    assert extractor.score_outputs(UNSEEN.graphs).shape == (len(UNSEEN), 1)


class TestHostileFiles:
    @pytest.fixture
    def path(self, trained, tmp_path):
        trained.save(tmp_path / "model.zip")
        return tmp_path / "model.zip"

    def change(self, path, *, weights=None, **header):
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        contents["model.json"] = json.dumps({**json.loads(contents["model.json"]), **header}).encode()
        if weights is not None:
            buffer = BytesIO()
            np.save(buffer, weights)
            contents["weights.npy"] = buffer.getvalue()
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in contents.items():
                archive.writestr(name, data)

    @pytest.mark.parametrize(
        "outputs",
        [
            [],
            ["binding"],
            list(reversed(OUTPUTS)),
            [*OUTPUTS, "more"],
            ["interaction", "interaction"],
            [["interaction"]],
            [None] * 6,
            ["x" * 10_000] * 6,
        ],
    )
    def test_outputs_that_no_model_has(self, path, outputs):
        self.change(path, outputs=outputs)
        with pytest.raises(ModelFileError, match=r"expected outputs \['interaction'\] or ") as caught:
            Extractor.load(path)
        assert len(str(caught.value)) < 1000

    @pytest.mark.parametrize("outputs", ["interaction", {"interaction": 1}, 7, None])
    def test_outputs_that_are_no_list(self, path, outputs):
        self.change(path, outputs=outputs)
        with pytest.raises(ModelFileError, match=r"expected header\.outputs to be a list"):
            Extractor.load(path)

    @pytest.mark.parametrize(
        "intercepts", [[], [0.0], [0.0] * 7, [0.0] * 5 + ["0"], [0.0] * 5 + [float("inf")], [0.0] * 5 + [True]]
    )
    def test_intercepts_that_are_not_one_number_per_output(self, path, intercepts):
        self.change(path, intercepts=intercepts)
        with pytest.raises(ModelFileError, match="expected intercepts to be a list of 6 finite numbers"):
            Extractor.load(path)

    def test_weights_of_one_output_alone(self, path, trained):
        width = len(trained.weights_)
        self.change(path, weights=np.ones(width, dtype=np.float16))
        with pytest.raises(ModelFileError, match=f"expected {6 * width} weights for its features, got {width}"):
            Extractor.load(path)

    def test_weights_of_six_outputs_in_a_model_of_one(self, path, trained):
        width = len(trained.weights_)
        self.change(path, outputs=["interaction"], intercepts=[0.0])
        with pytest.raises(ModelFileError, match=f"expected {width} weights for its features, got {6 * width}"):
            Extractor.load(path)

    def test_whole_numbers_for_weights(self, path, trained):
        self.change(path, weights=np.ones(trained.weights_.size, dtype=np.uint8))
        with pytest.raises(ModelFileError, match="expected weights with fractions, got uint8"):
            Extractor.load(path)

    def test_weights_as_a_table(self, path, trained):
        self.change(path, weights=trained.weights_)
        with pytest.raises(ModelFileError, match="expected flat arrays of numbers"):
            Extractor.load(path)

    @pytest.mark.parametrize("missing", ["outputs", "intercepts", "calibrations", "vocabularies"])
    def test_a_field_that_is_missing(self, path, missing):
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        header = json.loads(contents["model.json"])
        del header[missing]
        contents["model.json"] = json.dumps(header).encode()
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in contents.items():
                archive.writestr(name, data)
        with pytest.raises(ModelFileError, match=missing):
            Extractor.load(path)

    @pytest.mark.parametrize("turn", [lambda names: names[::-1], lambda names: [*names[1:], names[0]]])
    def test_a_vocabulary_out_of_order(self, path, turn):
        with zipfile.ZipFile(path) as archive:
            vocabularies = json.loads(archive.read("model.json"))["vocabularies"]
        vocabularies["path"]["names"] = turn(vocabularies["path"]["names"])
        self.change(path, vocabularies=vocabularies)
        with pytest.raises(ModelFileError, match=r"expected path\.names in ascending order, each once"):
            Extractor.load(path)

    def test_pairs_of_labels_out_of_order(self, tmp_path):
        path = tmp_path / "model.zip"
        Extractor(kernel="all-paths", learner="ridge").fit(CORPORA).save(path)
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        turned = BytesIO()
        np.save(turned, np.load(BytesIO(contents["features.keys.npy"]))[::-1])
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in {**contents, "features.keys.npy": turned.getvalue()}.items():
                archive.writestr(name, data)
        with pytest.raises(ModelFileError, match=r"expected features\.keys in ascending order, each once"):
            Extractor.load(path)

    def test_labels_without_the_roles_first(self, tmp_path):
        path = tmp_path / "model.zip"
        Extractor(kernel="all-paths", learner="ridge").fit(CORPORA).save(path)
        with zipfile.ZipFile(path) as archive:
            vocabularies = json.loads(archive.read("model.json"))["vocabularies"]
        vocabularies["features"]["bases"] = vocabularies["features"]["bases"][1:]
        self.change(path, vocabularies=vocabularies)
        with pytest.raises(ModelFileError, match=r"expected .*the roles \['PROT1', 'PROT2', 'PROT'\] first"):
            Extractor.load(path)

    def test_a_calibration_of_one_output_that_is_none(self, path):
        self.change(path, calibrations={"binding": {"kind": "platt", "scores": [], "values": [1.0]}})
        with pytest.raises(ModelFileError, match="expected the numbers of a platt calibration"):
            Extractor.load(path)
