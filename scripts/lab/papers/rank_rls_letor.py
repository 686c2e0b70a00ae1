"""RankRLS, RLS and RankSVM on LETOR, with tied pairs in and out [Pahikkala2007, section 3.1; Paper I, Table 3]."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from lab.frame.experiment import Experiment, Findings, Picture, RunSettings
from lab.frame.plots import COLOURS
from lab.frame.result import Check, Result, Table
from lab.papers.letor import (
    EXPONENTS,
    FILES,
    Fold,
    Part,
    average_precision,
    best_weights,
    rank_svm_path,
    read_folds,
)
from learners import (
    RLS,
    RankRLS,
    disagreement_error,
    mean_average_precision,
    ndcg_at,
    precision_at,
    wilcoxon_signed_rank,
)

REGPARAMS = 2.0 ** np.array(EXPONENTS)
CUTOFFS = tuple(range(1, 11))

#: [Pahikkala2007, Table 1] MAP, and [Paper I, Table 3] disagreement error, on OHSUMED, TREC2003, TREC2004
OLDER_SETS = ("OHSUMED", "TREC2003", "TREC2004")
PUBLISHED_MAP = {
    "RankRLS": (0.447, 0.257, 0.359),
    "RLS": (0.450, 0.212, 0.304),
    "RankSVM": (0.447, 0.256, 0.350),
}
PUBLISHED_ERROR = {
    "RankRLS, tied pairs out": (0.340, 0.145, 0.034),
    "RankRLS, all pairs": (0.346, 0.141, 0.048),
    "RLS": (0.346, 0.153, 0.044),
    "RankSVM": (0.336, 0.150, 0.041),
}
#: of MQ2008, from LETOR's own runs [Pahikkala2010, Table 7]
PUBLISHED_SVM_MAP = 0.4696


def rank_rls_path(ties: str, *, within_queries: bool = True) -> Callable[[Part], np.ndarray]:
    """RankRLS's weights for every regparam; its cost is the plain sum over pairs [Pahikkala2007, section 2.1]."""

    def path(train: Part) -> np.ndarray:
        model = RankRLS(ties=ties, normalize=None)  # type: ignore[arg-type]
        qid = train.qid if within_queries else None
        return model.fit(train.X, train.y, qid=qid).coefficient_path(REGPARAMS)

    return path


def rls_path(train: Part) -> np.ndarray:
    """RLS's weights for every regparam; it knows of no queries."""
    return RLS(fit_intercept=False).fit(train.X, train.y).coefficient_path(REGPARAMS)


PATHS: dict[str, Callable[[Part], Any]] = {
    "RankRLS, tied pairs in": rank_rls_path("include"),
    "RankRLS, tied pairs out": rank_rls_path("exclude"),
    "RankRLS, all pairs": rank_rls_path("include", within_queries=False),
    "RLS": rls_path,
    "RankSVM": rank_svm_path,
}
CHOSEN = "RankRLS, tied pairs chosen on validation"
METHODS = ("RankRLS", *PATHS)


def run(settings: RunSettings) -> Findings:
    """All methods on all folds; every query is tested once, so the figures are means over all queries of all folds."""
    folds = list(read_folds(settings).values())
    found = settings.map(partial(choose, tiny=settings.tiny), folds, what="folds")
    tests = [fold.test for fold in folds]
    scores = {name: [test.X @ chosen[name] for test, (chosen, _) in zip(tests, found)] for name in METHODS}
    figures = {name: _means(tests, scores[name]) for name in METHODS}
    difference = abs(figures["RankRLS"]["MAP"] - figures["RankSVM"]["MAP"])
    return Findings(
        [_main_table(figures), _older_map(figures), _older_errors(figures), _tests(tests, scores)],
        [Check("distance between the MAP of RankRLS and of RankSVM", difference, 0.01, "at most", 4)],
        {
            "curves": {name: figures[name]["curves"] for name in METHODS},
            "folds with ties": sum(ties for _, ties in found),
            "folds": len(folds),
        },
    )


def choose(fold: Fold, *, tiny: bool) -> tuple[dict[str, np.ndarray], bool]:
    """Every method's weights with the highest validation MAP, and whether RankRLS does better there with tied pairs."""
    chosen, reached = {}, {}
    for name, path in PATHS.items():
        weights = rank_svm_path(fold.train, tiny=tiny) if path is rank_svm_path else path(fold.train)
        chosen[name] = weights[best_weights(weights, fold.validation)]
        reached[name] = average_precision(fold.validation, fold.validation.X @ chosen[name])
    ties = reached["RankRLS, tied pairs in"] >= reached["RankRLS, tied pairs out"]
    chosen["RankRLS"] = chosen["RankRLS, tied pairs in" if ties else "RankRLS, tied pairs out"]
    return chosen, ties


def _means(tests: list[Part], scores: list[np.ndarray]) -> dict[str, Any]:
    """Means over the folds, as the article has them."""

    def mean(measure: Callable[..., float]) -> float:
        return float(np.mean([measure(part.y, each, qid=part.qid) for part, each in zip(tests, scores)]))

    def at(measure: Callable[..., float], k: int) -> float:
        return mean(lambda *labels, qid: measure(k, *labels, qid=qid))

    return {
        "MAP": mean(mean_average_precision),
        "disagreement": mean(disagreement_error),
        "curves": {
            "NDCG": [at(ndcg_at, k) for k in CUTOFFS],
            "P": [at(precision_at, k) for k in CUTOFFS],
        },
    }


def _main_table(figures: dict[str, dict[str, Any]]) -> Table:
    return Table(
        title="MQ2008, means over the five folds",
        rows=[CHOSEN, *PATHS],
        columns=["MAP", "P@5", "P@10", "NDCG@5", "NDCG@10", "disagreement error"],
        ours=[
            [
                each["MAP"],
                each["curves"]["P"][4],
                each["curves"]["P"][9],
                each["curves"]["NDCG"][4],
                each["curves"]["NDCG"][9],
                each["disagreement"],
            ]
            for each in figures.values()
        ],
        published=[*[[None] * 6 for _ in range(5)], [PUBLISHED_SVM_MAP, None, None, None, None, None]],
        margin=0.01,
    )


def _older_map(figures: dict[str, dict[str, Any]]) -> Table:
    return Table(
        title="MAP beside the article's Table 1, whose three sets are other data",
        rows=list(PUBLISHED_MAP),
        columns=["MQ2008, ours", *OLDER_SETS],
        ours=[[figures[name]["MAP"], None, None, None] for name in PUBLISHED_MAP],
        published=[[None, *values] for values in PUBLISHED_MAP.values()],
        digits=3,
    )


def _older_errors(figures: dict[str, dict[str, Any]]) -> Table:
    return Table(
        title="Disagreement error beside Paper I's Table 3, whose three sets are other data",
        rows=list(PUBLISHED_ERROR),
        columns=["MQ2008, ours", *OLDER_SETS],
        ours=[[figures[name]["disagreement"], None, None, None] for name in PUBLISHED_ERROR],
        published=[[None, *values] for values in PUBLISHED_ERROR.values()],
        digits=3,
    )


def _tests(tests: list[Part], scores: dict[str, list[np.ndarray]]) -> Table:
    """Wilcoxon's signed-rank test over the test queries of all folds."""

    def by_query(name: str, measure: Callable[..., np.ndarray]) -> np.ndarray:
        parts = [measure(p.y, s, qid=p.qid, per_query=True) for p, s in zip(tests, scores[name])]
        return np.concatenate(parts)

    pairs = [
        ("RankRLS", "RLS"),
        ("RankRLS", "RankSVM"),
        ("RankRLS, tied pairs in", "RankRLS, tied pairs out"),
        ("RankRLS, tied pairs in", "RankRLS, all pairs"),
    ]
    rows = []
    for first, second in pairs:
        row: list[float | str] = []
        for measure in (mean_average_precision, disagreement_error):
            one, other = by_query(first, measure), by_query(second, measure)
            defined = np.isfinite(one)  # a query with equal labels has no disagreement error, whoever predicts
            difference = one[defined] - other[defined]
            # without a single difference there is nothing to test
            test = wilcoxon_signed_rank(one[defined], other[defined]) if difference.any() else None
            row += [float(difference.mean()), "1" if test is None else f"{test.p_value:.1g}"]
        rows.append(row)
    return Table(
        title="Differences over all test queries, with Wilcoxon's signed-rank test",
        rows=[f"{first} - {second}" for first, second in pairs],
        columns=["MAP", "p", "disagreement error", "p"],
        ours=rows,
    )


def pictures(result: Result) -> list[Picture]:
    """NDCG@n and P@n, what the article gives in Tables 2 to 7 for its sets."""
    styles = ("-", "--", ":", "-.", "-", "--")

    def draw(figure: Any) -> None:
        for axes, name in zip(figure.subplots(1, 2), ("NDCG", "P")):
            for method, colour, style in zip(result.points["curves"], COLOURS, styles):
                values = result.points["curves"][method][name]
                label = CHOSEN if method == "RankRLS" else method
                axes.plot(CUTOFFS, values, style, color=colour, marker="o", label=label)
            axes.set(xlabel="n", ylabel=f"{name}@n", xticks=CUTOFFS)
        axes.legend(fontsize=8)

    caption = (
        "NDCG@n and P@n on MQ2008, means over the folds; NDCG@n falls where queries have fewer than n documents, which "
        "LETOR counts as 0."
    )
    return [Picture("cutoffs", caption, draw, size=(9.0, 3.4))]


def remarks(result: Result) -> list[str]:
    """What can be compared and what cannot."""
    return [
        "The article's sets (LETOR 2.0) are not MQ2008, so its figures stand beside ours for the order of the methods "
        "only. As there, RankRLS and RankSVM are close (there within 0.009 in MAP), RLS is behind on most sets, and "
        "whether tied pairs take part matters: validation kept them in "
        f"{result.points['folds with ties']} of {result.points['folds']} folds. As in Paper I, comparing documents of "
        "different queries gains nothing.",
    ]


EXPERIMENT = Experiment(
    name="letor",
    title="RankRLS, RLS and RankSVM on LETOR",
    source="Pahikkala, Tsivtsivadze, Airola, Boberg, Salakoski: Learning to rank with pairwise regularized "
    "least-squares. SIGIR 2007 workshop on learning to rank: section 3.1; and Paper I, Table 3.",
    protocol="MQ2008 in LETOR's folds, whose features are scaled to 0 .. 1 within each query, as in the article. "
    "Regparam (2^-15 .. 2^15; RankSVM 2^-20 .. 2^5) has the highest MAP on the validation part; whether tied pairs "
    "take part is chosen there too (first row) or fixed. RankRLS with all pairs also compares documents of different "
    "queries. RLS has no intercept. Nothing is random.",
    run=run,
    data=FILES,
    pictures=pictures,
    remarks=remarks,
)
