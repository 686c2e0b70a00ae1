"""Published ranking figures on real data: LETOR 4.0 MQ2008 [Pahikkala2010, Tables 2, 7-10] and parse ranking."""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file

from learners.cg_rank_rls import CGRankRLS
from learners.greedy_rank_rls import GreedyRankRLS
from learners.metrics.ranking import disagreement_error, mean_average_precision, mean_ndcg, ndcg_at, precision_at
from learners.rank_rls import RankRLS
from learners.rank_svm import RankSVM
from learners.rls import RLS
from learners.sparse_rank_rls import SparseRankRLS

REGPARAMS = 2.0 ** np.arange(-15, 16)


class Part(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    qid: np.ndarray


def ranking_folder():
    folder = os.environ.get("PPI_CORPORA")
    if folder is None or not (Path(folder) / "ranking").is_dir():
        pytest.skip("needs the corpora: set PPI_CORPORA to their folder")
    return Path(folder) / "ranking"


@pytest.fixture(scope="module")
def mq2008():
    folder = ranking_folder()
    parts = []
    for number in range(1, 6):
        X, y, qid = load_svmlight_file(str(folder / f"mq2008-S{number}.txt.gz"), query_id=True, n_features=46)
        parts.append(Part(X.toarray(), y, qid))
    return parts


def fold(parts, number):
    """LETOR's rotation: fold 1 trains on S1-S3, validates on S4 and tests on S5."""
    rotated = [parts[(number - 1 + k) % 5] for k in range(5)]
    return Part(*(np.concatenate(arrays) for arrays in zip(*rotated[:3]))), rotated[3], rotated[4]


def best_on_validation(model, train, validation):
    """Weights of the regparam with the highest MAP on the validation part."""
    path = model.fit(train.X, train.y, qid=train.qid).coefficient_path(REGPARAMS)
    scores = [mean_average_precision(validation.y, validation.X @ w, qid=validation.qid) for w in path]
    return path[int(np.argmax(scores))]


PUBLISHED = {  # MAP, P@10, mean NDCG, NDCG@10 of RankRLS
    1: (0.4524, 0.2391, 0.4633, 0.2145),
    2: (0.4300, 0.2217, 0.4269, 0.1669),
    3: (0.4542, 0.2325, 0.4741, 0.2489),
    4: (0.5225, 0.2949, 0.5407, 0.2874),
    5: (0.5006, 0.2503, 0.5138, 0.2165),
}


@pytest.mark.parametrize("number", PUBLISHED)
def test_rank_rls_on_mq2008_as_published(mq2008, number):
    train, validation, test = fold(mq2008, number)
    predictions = test.X @ best_on_validation(RankRLS(), train, validation)
    labels, options = (test.y, predictions), {"qid": test.qid}
    measured = (
        mean_average_precision(*labels, **options),
        precision_at(10, *labels, **options),
        mean_ndcg(*labels, **options),
        ndcg_at(10, *labels, **options),
    )
    np.testing.assert_allclose(measured, PUBLISHED[number], atol=1e-3)


# regparam and the selected features of [Pahikkala2010, Table 2], numbered from 1
PUBLISHED_FEATURES = {
    1: (2.0**0, [39]),
    2: (2.0**10, [39, 23, 37, 32]),
    3: (2.0**3, [39, 29, 25, 23, 46, 37, 19]),
    4: (2.0**6, [39, 29, 25, 23]),
    5: (2.0**0, [39]),
}


@pytest.mark.parametrize("number", PUBLISHED_FEATURES)
def test_greedy_selects_the_published_features(mq2008, number):
    train, _, _ = fold(mq2008, number)
    regparam, features = PUBLISHED_FEATURES[number]
    model = GreedyRankRLS(len(features), regparam).fit(train.X, train.y, qid=train.qid)
    assert model.selected_[0] + 1 == 39
    assert (model.selected_ + 1).tolist() == features


def test_the_learners_agree_on_mq2008(mq2008):
    train, _, test = fold(mq2008, 1)
    closed_form = RankRLS(8.0).fit(train.X, train.y, qid=train.qid)
    iterative = CGRankRLS(8.0, tol=1e-10).fit(sp.csr_array(train.X), train.y, qid=train.qid)
    np.testing.assert_allclose(iterative.coef_, closed_form.coef_, atol=1e-7)
    svm = RankSVM(1e-3).fit(train.X, train.y, qid=train.qid)
    score = mean_average_precision(test.y, svm.predict(test.X), qid=test.qid)
    assert score == pytest.approx(0.4502, abs=0.02)  # Table 7, another implementation and its own regparam


@pytest.fixture(scope="module")
def parses():
    folder = ranking_folder()
    paths = [str(folder / f"parses-{part}.svmlight.gz") for part in ("train", "test")]
    (X, y, qid), (X_test, y_test, qid_test) = [
        load_svmlight_file(path, query_id=True, n_features=195_100) for path in paths
    ]
    return Part(X, y, qid), Part(X_test, y_test, qid_test)


def test_rank_rls_ranks_parses_better_than_chance(parses):
    """Leave-query-out chooses regparam; the error of a random order is 0.5."""
    train, test = parses
    model = RankRLS().fit(train.X, train.y, qid=train.qid)
    errors = [disagreement_error(train.y, p, qid=train.qid) for p in model.leave_query_out(REGPARAMS)]
    chosen = REGPARAMS[int(np.argmin(errors))]
    predictions = model.predict_path(test.X, [chosen])[0]
    assert min(errors) < 0.4
    assert disagreement_error(test.y, predictions, qid=test.qid) < 0.4
    sparse = SparseRankRLS(chosen).fit(train.X, train.y, qid=train.qid)
    np.testing.assert_allclose(sparse.predict(test.X), predictions, atol=1e-6)
    plain = RLS(chosen).fit(train.X, train.y)
    assert disagreement_error(test.y, plain.predict(test.X), qid=test.qid) < 0.5
