"""Simulated curation: the curator, the draw of documents, what is measured, and a tiny run on made-up corpora."""

import numpy as np
import pytest
from event_documents import event_corpus, pair_corpus
from lab.frame.cache import Cache
from lab.frame.experiment import RunSettings, perform
from lab.frame.page import own_page
from lab.papers.curation import experiment as module
from lab.papers.curation.left_out import common_rows, left_out, load, save
from lab.papers.curation.retraining import retrained_scores
from lab.papers.curation.simulation import Halves, Plan, figures, judge, judged_alone, probabilities, simulate
from lab.papers.registry import experiment
from sklearn.metrics import average_precision_score

from ppi.extraction import INTERACTION, OUTPUTS, REGPARAMS, Settings
from ppi.server import STRATEGIES

CORPORA = {name: event_corpus(name, 9) for name in ("one", "two", "three")} | {"AImed": pair_corpus("p", 9)}
SETTINGS = Settings(kernel="path", learner="ridge")
PLAN = Plan((0, 4, 10), at_once=3, slow=6, most_candidates=12, rank=5)


@pytest.fixture(scope="module")
def corpora():
    rows = common_rows(CORPORA, SETTINGS)
    return {name: left_out(rows, name, SETTINGS) for name in ("one", "AImed")}


def test_a_model_has_seen_nothing_of_the_corpus(corpora):
    one = corpora["one"]
    assert set(one.documents) == {document.id for document in CORPORA["one"]}
    assert not set(one.documents) & set(one.training.documents)
    assert one.X.shape[1] == one.training.X.shape[1]
    assert set(one.calibrations) >= {INTERACTION}


def test_the_halves_share_no_document_and_depend_on_the_seed(corpora):
    one = corpora["one"]
    halves = Halves.drawn(one, 0)
    assert not set(one.documents[halves.pool]) & set(one.documents[halves.test])
    assert sorted([*halves.pool, *halves.test]) == list(range(len(one.targets)))
    assert halves.pool.tolist() != Halves.drawn(one, 1).pool.tolist()
    assert halves.pool.tolist() == Halves.drawn(one, 0).pool.tolist()


def test_the_curator_knows_the_annotation(corpora):
    one = corpora["one"]
    said = [judge(one, one.prior, row) for row in range(len(one.targets))]
    for judgement, targets in zip(said, one.targets):
        for output, told in judgement.targets().items():
            assert targets[OUTPUTS.index(output)] == told, judgement
    turned = one.prior.copy()
    turned[:, OUTPUTS.index("direction")] *= -1
    assert "wrong direction" in {judge(one, turned, row).verdict for row in range(len(one.targets))}
    wrong = np.roll(one.prior, 1, axis=1)
    verdicts = [judge(one, wrong, row) for row in range(len(one.targets))]
    assert "wrong type" in {each.verdict for each in verdicts}
    for judgement, targets in zip(verdicts, one.targets):
        assert all(targets[OUTPUTS.index(output)] == told for output, told in judgement.targets().items())


def test_a_corpus_without_types_is_only_asked_whether_two_interact(corpora):
    aimed = corpora["AImed"]
    taught = {output for row in range(len(aimed.targets)) for output in judge(aimed, aimed.prior, row).targets()}
    assert taught == {INTERACTION}


@pytest.mark.parametrize("way", [*STRATEGIES, "random"])
def test_judged_pairs_are_of_the_first_half_each_once(corpora, way):
    one = corpora["one"]
    halves = Halves.drawn(one, 0)
    moments = simulate(one, halves, way, PLAN, seed=0)
    assert [len(moment.judged) for moment in moments] == [0, 4, 10]
    last = moments[-1].judged
    assert len(set(last)) == 10
    assert set(last) <= set(halves.pool.tolist())
    assert last[:4] == moments[1].judged
    again = simulate(one, halves, way, PLAN, seed=0)
    assert again[-1].judged == last
    assert np.array_equal(again[-1].scores, moments[-1].scores)


def test_the_top_is_chosen_by_the_model_as_it_is(corpora):
    one = corpora["one"]
    halves = Halves.drawn(one, 0)
    first, second, *_ = simulate(one, halves, "top", PLAN, seed=0)
    p = probabilities(one, first.scores).max(axis=1)
    best = halves.pool[np.argsort(-p[halves.pool], kind="stable")][:3]
    assert second.judged[:3] == best.tolist()


def test_figures_are_of_their_rows(corpora):
    one = corpora["one"]
    halves = Halves.drawn(one, 0)
    moment = simulate(one, halves, "uncertain", PLAN, seed=0)[-1]
    found = figures(one, halves, moment, PLAN)
    y, f = one.targets[:, 0] > 0, moment.scores[:, 0]
    rest = [row for row in halves.pool if row not in moment.judged]
    for name, rows in (("test", halves.test), ("pool", halves.pool), ("rest", rest)):
        assert found[name]["ap"] == pytest.approx(average_precision_score(y[rows], f[rows]))
    top = sorted(halves.test, key=lambda row: -f[row])[:5]
    assert found["test"]["top"] == np.mean(y[top])
    assert found["judged"] == 10
    assert 0 <= judged_alone(one, halves, moment, PLAN)["ap"] <= 1


def test_training_again_is_ridge_with_an_intercept_for_each_corpus(corpora, monkeypatch):
    monkeypatch.setattr("lab.papers.curation.retraining.SOLVER_TOLERANCE", 1e-10)
    one = corpora["one"]
    judged = [[0, 3, 5], [1, 2]]
    for scores, rows in zip(retrained_scores(one, judged), judged):
        X = np.vstack([one.training.X.toarray(), one.X[rows].toarray()])
        y = np.concatenate([one.training.targets[:, 0], one.targets[rows, 0]])
        groups = np.concatenate([one.training.corpora, np.full(len(rows), 99)])
        known = ~np.isnan(y)
        X, y, groups = X[known], y[known], groups[known]
        unit = np.mean(np.sum(X**2, axis=1))
        for group in np.unique(groups):
            own = groups == group
            X[own], y[own] = X[own] - X[own].mean(axis=0), y[own] - y[own].mean()
        w = np.linalg.solve(X.T @ X + REGPARAMS[INTERACTION] * unit * np.eye(X.shape[1]), X.T @ y)
        np.testing.assert_allclose(scores, one.X @ w, atol=1e-3)  # features in single precision


def test_what_is_kept_is_what_was_made(corpora, tmp_path):
    one = corpora["one"]
    save(one, tmp_path / "one.npz")
    again = load(tmp_path / "one.npz")
    halves = Halves.drawn(again, 0)
    moments = [simulate(each, halves, "change", PLAN, seed=0)[-1] for each in (one, again)]
    assert np.array_equal(moments[0].scores, moments[1].scores)
    assert np.array_equal(retrained_scores(one, [[0, 1]])[0], retrained_scores(again, [[0, 1]])[0])


def test_a_tiny_run_has_every_table(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_TINY", tuple(CORPORA))
    monkeypatch.setattr(module, "CURATED", {"PC": "one", "AImed": "AImed"})
    monkeypatch.setattr(module, "_loaded", lambda name, settings: CORPORA[name])
    monkeypatch.setattr(RunSettings, "file", lambda self, name: name)
    told = []
    settings = RunSettings(tiny=True, seed=0, progress=told.append, cache=Cache(tmp_path))
    result = perform(experiment("curation"), settings)
    assert [table.title.split(":")[0] for table in result.tables[:8]] == ["PC"] * 4 + ["AImed"] * 4
    for table in result.tables:
        assert len(table.ours) == len(table.rows) > 0
        assert all(len(row) == len(table.columns) for row in table.ours)
    first = result.tables[0]
    again = first.ours[first.rows.index("trained again, uncertain")]
    assert again[0] is None
    assert all(isinstance(cell, float) for cell in again[1:])
    text = own_page(experiment("curation").page, result)
    assert text.startswith("# Curation, simulated\n\n**A tiny run: the figures mean nothing.**")
    count = len(told)
    assert perform(experiment("curation"), settings).tables == result.tables
    assert len(told) == count  # nothing was computed again
    assert [picture.name for picture in experiment("curation").pictures(result)] == ["curves"]
