"""What a model records of its training, counted by hand; and the settings it is made with."""

import json
from dataclasses import asdict, fields, replace

import numpy as np
import pytest
from event_documents import TEMPLATES, event_corpus, pair_corpus
from sklearn.metrics import average_precision_score

import corpora
from learners import auc
from ppi.core import UsageError
from ppi.extraction.extractor import Extractor
from ppi.extraction.outputs import OUTPUTS, REGPARAMS
from ppi.extraction.ridge import RIDGE_REGPARAM, RidgeLearner, train_typed
from ppi.extraction.settings import KERNELS, LEARNERS, VARIANTS, Settings
from ppi.extraction.training_rows import prepare_corpora

SAMPLE = corpora.load("sample")
QUICK = Settings(kernel="path", learner="ridge")
EVENTS = {"one": event_corpus("a", 6), "two": event_corpus("b", 7), "AImed": pair_corpus("p", 4)}
PER_DOCUMENT = len(TEMPLATES)


@pytest.fixture(scope="module")
def typed():
    prepared = prepare_corpora(EVENTS, QUICK)
    rows = prepared.rows(list(EVENTS))
    return rows, train_typed(rows, min_documents=1), Extractor(**asdict(QUICK)).fit(EVENTS).facts_


def test_counts_of_a_typed_model(typed):
    rows, model, facts = typed
    assert facts["documents"] == 6 + 7 + 4
    assert facts["pairs"] == len(rows) == (6 + 7 + 4) * PER_DOCUMENT
    assert facts["positive"] == (6 + 7 + 4) * 6
    assert facts["parser"] == "hand"
    assert facts["features"] == model.feature_mask.sum() == rows.X.shape[1]
    assert facts["regparam"] == REGPARAMS
    assert facts["corpora"]["one"] == {
        "pairs": 6 * PER_DOCUMENT,
        "interaction": 6 * 6,
        "binding": 6 * 2,
        "modification": 6 * 2,
        "regulation": 6 * 2,
        "direction": 6 * 2,
        "sign": 6,
    }
    assert facts["corpora"]["AImed"] == {"pairs": 4 * PER_DOCUMENT, "interaction": 4 * 6, "binding": 4 * 6}


def test_the_share_counts_every_corpus_the_same(typed):
    _, _, facts = typed
    assert facts["share"] == pytest.approx(6 / PER_DOCUMENT)
    few = event_corpus("c", 12, templates=[*TEMPLATES, *(("{0} is like {1}",) for _ in range(8))])
    uneven = Extractor(**asdict(QUICK)).fit({"one": EVENTS["one"], "few": few}).facts_
    assert uneven["share"] == pytest.approx((6 / 8 + 6 / 16) / 2)


def test_average_precision_is_of_pairs_held_out(typed):
    rows, model, facts = typed
    left_out = facts["leave_corpus_out_average_precision"]
    assert {name: set(found) for name, found in left_out.items()} == {
        "interaction": {"one", "two"},
        "binding": {"one", "two"},
        "modification": {"one", "two"},
        "regulation": {"one", "two"},
    }
    for output, found in left_out.items():
        column = OUTPUTS.index(output)
        for number, name in enumerate(EVENTS):
            if name in found:
                own = rows.corpora == number
                expected = average_precision_score(rows.targets[own, column] > 0, model.held_out[own, column])
                assert found[name] == pytest.approx(expected)


def test_a_regparam_of_ones_own_is_recorded_instead_of_the_usual_ones():
    facts = Extractor(kernel="path", learner="ridge", regparam=2.5).fit(EVENTS).facts_
    assert facts["regparam"] == 2.5


@pytest.mark.parametrize(
    ("documents", "settings"),
    [
        (EVENTS, {"learner": "ridge"}),
        ({"a": SAMPLE[:10], "b": SAMPLE[10:]}, {"learner": "ridge", "min_documents": 2}),
        (SAMPLE, {"learner": "ridge"}),
        (SAMPLE, {"learner": "rls"}),
    ],
)
def test_facts_are_plain_json_values(documents, settings):
    facts = Extractor(kernel="path", **settings).fit(documents).facts_
    assert json.loads(json.dumps(facts)) == facts


def test_facts_of_several_corpora_of_pairs():
    named = {"BioInfer": SAMPLE[:10], "b": SAMPLE[10:]}
    facts = Extractor(kernel="path", learner="ridge").fit(named).facts_
    rows = prepare_corpora(named, QUICK).rows(list(named))
    model = RidgeLearner(RIDGE_REGPARAM).train(rows)
    for number, name in enumerate(named):
        own = rows.corpora == number
        assert facts["corpora"][name] == {"pairs": own.sum(), "positive": np.sum(rows.labels[own] > 0)}
        assert facts["leave_corpus_out_auc"][name] == pytest.approx(auc(rows.labels[own], model.held_out[own]))
        assert facts["denied_left_out"][name] == np.sum(~rows.trainable[own])
    assert facts["denied_left_out"]["b"] == 0
    assert facts["regparam"] == RIDGE_REGPARAM
    assert "leave_document_out_auc" not in facts


def test_facts_of_one_corpus_name_the_models_it_started_from():
    facts = Extractor(kernel="path", learner="rls").fit(SAMPLE[:10], extra={"more": SAMPLE[10:]}).facts_
    more = prepare_corpora({"more": SAMPLE[10:]}, QUICK)
    assert facts["extra"] == {"more": len(more.examples["more"])}
    assert 0 <= facts["leave_document_out_auc"] <= 1
    assert facts["corpora"] == {"the documents": {"pairs": facts["pairs"], "positive": facts["positive"]}}


def test_the_parser_is_recorded_without_what_was_done_to_its_parses():
    renamed = [replace_parser(document, "shipped-enhanced") for document in SAMPLE]
    assert Extractor(kernel="path", learner="rls").fit(renamed).facts_["parser"] == "shipped"


def replace_parser(document, name):
    sentences = tuple(
        replace(sentence, parses=tuple(replace(parse, parser=name) for parse in sentence.parses))
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)


@pytest.mark.parametrize(("name", "known"), [("kernel", KERNELS), ("variant", VARIANTS), ("learner", LEARNERS)])
def test_settings_take_every_known_name_and_no_other(name, known):
    for value in known:
        assert getattr(Settings(**{name: value}), name) == value
    for wrong in ("", known[0].upper(), None, 3):
        with pytest.raises(UsageError, match=rf"expected a {name}, one of \['{known[0]}'.*\], got {wrong!r}"):
            Settings(**{name: wrong})


def test_only_ridge_drops_rare_features():
    assert Settings(learner="ridge", min_documents=5).min_documents == 5
    for learner in set(LEARNERS) - {"ridge"}:
        with pytest.raises(UsageError, match=f"expected min_documents=1 with the learner '{learner}', got 5"):
            Settings(learner=learner, min_documents=5)


def test_an_extractor_has_every_setting_by_name_and_refuses_others():
    assert Extractor().get_params() == asdict(Settings())
    assert set(Extractor().get_params()) == {field.name for field in fields(Settings)}
    with pytest.raises(UsageError, match=r"expected settings of an extractor, among .* got 'colour'"):
        Extractor(colour="red")
