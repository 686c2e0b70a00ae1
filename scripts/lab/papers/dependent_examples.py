"""What splitting queries, or pairs of one sentence, between training and test does to estimates [thesis, 5.5]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold

import corpora
from lab.frame.cache import Part
from lab.frame.experiment import Experiment, Findings, Picture, RunSettings
from lab.frame.plots import COLOURS, GREY
from lab.frame.result import Check, Result, Table
from lab.papers.nystrom import FILES, read_parses
from lab.training.parse_rankers.candidates import candidate_part, candidate_sets
from learners import RLSCV, RankRLSCV, disagreement_error, kendall_tau_b
from ppi.evaluation import mean_and_std, score_fold
from ppi.extraction import PreparedCorpora, Settings, make_learner, prepare_corpora
from ppi.parse_ranking import ParseFeatures, goodness_and_queries

N_FOLDS = 10
REGPARAMS = 2.0 ** np.arange(-10, 6)
#: What stays on one side of a split, from the wrong way to the right one.
PARSE_LEVELS = ("parses", "sentences")
PAIR_LEVELS = ("pairs", "sentences", "documents")
RANKERS = ("RLS", "RankRLS")
#: As the thesis reports them: Pahikkala et al. 2006 on parses, Saetre et al. 2007 on AImed.
PUBLISHED_TAU = {"parses": 0.7, "sentences": 0.3}
PUBLISHED_GAIN = 18.0


@dataclass(frozen=True)
class Options:
    """How many sentences of Link Grammar's parses, which corpora of pairs, and how many draws of folds.

    AImed, which takes minutes, is not among the corpora unless it is asked for.
    """

    sentences: int = 60
    corpora: tuple[str, ...] = ("HPRD50", "IEPA", "LLL")
    draws: int = 3


def run(settings: RunSettings) -> Findings:
    """Parses of two kinds, then the pairs of each corpus; each is kept as soon as it is there."""
    options: Options = settings.options
    if settings.tiny:
        options = replace(options, sentences=8, corpora=("LLL",), draws=1)
    extractor = Settings(kernel="all-paths", variant="max", learner="rls")
    chosen = {"draws": options.draws, "seed": settings.seed}
    papers = [settings.file(name) for name in FILES]
    candidates = candidate_part("link-grammar", "test", options.sentences)
    parts = [
        Part("split parses, papers", {"files": papers, **chosen}, partial(_papers_parses, settings, options)),
        Part(
            "split parses, link-grammar",
            {"sets": candidates.digest, **chosen},
            partial(_link_grammar_parses, settings, options),
        ),
        *(
            Part(
                f"split pairs, {name}",
                {"corpus": corpora.find(name), "settings": extractor, **chosen},
                partial(_pair_estimates, name, extractor, options.draws, settings.seed),
            )
            for name in options.corpora
        ),
    ]
    settings.progress(", ".join(part.name for part in parts))
    found, unfinished = settings.cache.finished(parts)
    if unfinished:
        return Findings(unfinished=unfinished)
    parses = dict(zip(("the papers' parses", "Link Grammar's parses"), found))
    pairs = dict(zip(options.corpora, found[2:], strict=True))
    return Findings(
        [_parse_table(parses), _pair_table(pairs)], _checks(parses, pairs), {"parses": parses, "pairs": pairs}
    )


def _papers_parses(settings: RunSettings, options: Options) -> dict[str, Any]:
    X, y, qid = read_parses(settings)
    return parse_estimates((X @ X.T).toarray(), y, qid, draws=options.draws, seed=settings.seed)


def _link_grammar_parses(settings: RunSettings, options: Options) -> dict[str, Any]:
    sets = candidate_sets("link-grammar", "test", options.sentences, cache=settings.cache)
    y, qid = goodness_and_queries(sets)
    X = ParseFeatures(tags="shipped", max_length=2).transform(sets)
    return parse_estimates((X @ X.T).toarray(), y, qid, draws=options.draws, seed=settings.seed)


def parse_estimates(K: np.ndarray, y: np.ndarray, qid: np.ndarray, *, draws: int, seed: int) -> dict[str, Any]:
    """tau-b and error, means over sentences and draws of ten folds, by learner and by what stays together.

    Regparam is chosen inside each training part, by leaving out what the folds leave out: single parses, or sentences.
    """
    found: dict[str, Any] = {"n_parses": len(y), "n_sentences": len(np.unique(qid))}
    for ranker in RANKERS:
        for level in PARSE_LEVELS:
            predictions = [
                _cross_validated(K, y, qid, random_folds(_groups(qid, level), seed + draw), ranker, level)
                for draw in range(draws)
            ]
            found[f"{ranker}, {level}"] = {
                "tau": fmean(kendall_tau_b(y, each, qid=qid) for each in predictions),
                "error": fmean(disagreement_error(y, each, qid=qid) for each in predictions),
            }
    return found


def _groups(qid: np.ndarray, level: str) -> np.ndarray:
    return np.arange(len(qid)) if level == "parses" else qid


def random_folds(groups: np.ndarray, seed: int) -> np.ndarray:
    """The fold of each example: whole groups, drawn at random; as many folds as there are groups, if few."""
    folds = np.empty(len(groups), dtype=int)
    splitter = GroupKFold(min(N_FOLDS, len(np.unique(groups))), shuffle=True, random_state=seed)
    for number, (_, test) in enumerate(splitter.split(groups, groups=groups)):
        folds[test] = number
    return folds


def _cross_validated(
    K: np.ndarray, y: np.ndarray, qid: np.ndarray, folds: np.ndarray, ranker: str, level: str
) -> np.ndarray:
    predictions = np.empty(len(y))
    for fold in np.unique(folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        model = _chosen(ranker, K[np.ix_(train, train)], y[train], qid[train], level)
        predictions[test] = model.predict(K[np.ix_(test, train)])
    return predictions


def _chosen(ranker: str, K: np.ndarray, y: np.ndarray, qid: np.ndarray, level: str) -> RLSCV | RankRLSCV:
    alone = level == "parses"
    if ranker == "RankRLS":
        return RankRLSCV(REGPARAMS, kernel="precomputed", leave_out="one" if alone else "query").fit(K, y, qid=qid)
    model = RLSCV(REGPARAMS, kernel="precomputed", leave_out="one" if alone else "group")
    return model.fit(K, y, groups=None if alone else qid)


def _pair_estimates(name: str, settings: Settings, draws: int, seed: int) -> dict[str, Any]:
    return pair_estimates(name, prepare_corpora({name: corpora.load(name)}, settings), settings, draws=draws, seed=seed)


def pair_estimates(
    name: str, prepared: PreparedCorpora, settings: Settings, *, draws: int, seed: int
) -> dict[str, Any]:
    """F and AUC, means over ten folds and draws, by what stays together.

    Regparam and threshold are chosen inside each training part, by leaving out single pairs, sentences or documents.
    """
    rows, examples = prepared.rows([name]), prepared.examples[name]
    sentences = [f"{graph.document_id} {graph.sentence.id}" for graph in examples.graphs]
    groups = {"pairs": np.arange(len(rows)), "sentences": _codes(sentences), "documents": _codes(rows.documents)}
    found: dict[str, Any] = {"n_pairs": len(rows)}
    for level in PAIR_LEVELS:
        grouped = replace(rows, documents=groups[level])
        folds = [random_folds(groups[level], seed + draw) for draw in range(draws)]
        means = []
        for outcomes in make_learner(settings).cross_validate_nested(grouped, folds):
            scores = [
                score_fold(
                    number,
                    rows.labels[outcome.test],
                    outcome.scores,
                    documents=0,
                    regparam=outcome.regparam,
                    threshold=outcome.threshold,
                )
                for number, outcome in enumerate(outcomes)
            ]
            means.append(mean_and_std(scores)[0])
        found[level] = {measure: fmean(mean[measure] or 0.0 for mean in means) for measure in ("f", "auc")}
    return found


def _codes(labels: Sequence[Any] | np.ndarray) -> np.ndarray:
    return np.unique(np.asarray(labels), return_inverse=True)[1]


def _parse_table(parses: Mapping[str, Mapping[str, Any]]) -> Table:
    rows, ours, published = [], [], []
    for kind, found in parses.items():
        for ranker in RANKERS:
            rows.append(f"{kind} ({found['n_parses']} of {found['n_sentences']} sentences), {ranker}")
            by_level = [found[f"{ranker}, {level}"] for level in PARSE_LEVELS]
            ours.append([each[measure] for measure in ("tau", "error") for each in by_level])
            reported = [PUBLISHED_TAU[level] if ranker == "RLS" else None for level in PARSE_LEVELS]
            published.append([*reported, None, None])
    columns = [f"{measure}, {level} dealt out" for measure in ("tau-b", "error") for level in PARSE_LEVELS]
    return Table("Parse ranking: ten folds of parses and of sentences", rows, columns, ours, published, digits=3)


def _pair_table(pairs: Mapping[str, Mapping[str, Any]]) -> Table:
    columns = [f"{measure}, {level} dealt out" for measure in ("F", "AUC") for level in PAIR_LEVELS]
    ours = [
        [100 * found[level][measure] for measure in ("f", "auc") for level in PAIR_LEVELS] for found in pairs.values()
    ]
    rows = [f"{name} ({found['n_pairs']} pairs)" for name, found in pairs.items()]
    return Table(
        "Interaction extraction: ten folds of pairs, of sentences and of documents", rows, columns, ours, digits=1
    )


def _checks(parses: Mapping[str, Mapping[str, Any]], pairs: Mapping[str, Mapping[str, Any]]) -> list[Check]:
    checks = [
        Check(
            f"{kind}: by how much dealing out parses raises RLS's tau-b",
            found["RLS, parses"]["tau"] - found["RLS, sentences"]["tau"],
            0.0,
            digits=3,
        )
        for kind, found in parses.items()
    ]
    gains = {name: 100 * (found["pairs"]["f"] - found["documents"]["f"]) for name, found in pairs.items()}
    checks += [
        Check(f"{name}: by how much dealing out pairs raises F, points", gain, 0.0, digits=1)
        for name, gain in gains.items()
    ]
    return checks


def pictures(result: Result) -> list[Picture]:
    """F by what stays together."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for number, (name, found) in enumerate(result.points["pairs"].items()):
            values = [100 * found[level]["f"] for level in PAIR_LEVELS]
            axes.plot(range(len(PAIR_LEVELS)), values, marker="o", color=COLOURS[number], label=name)
        axes.set_xticks(range(len(PAIR_LEVELS)), PAIR_LEVELS)
        axes.axvline(len(PAIR_LEVELS) - 1, color=GREY, linewidth=0.6)
        axes.set(xlabel="what is dealt out to the folds", ylabel="F, %")
        axes.legend()

    return [Picture("levels", "F of interaction extraction, by what is never split between training and test.", draw)]


def remarks(result: Result) -> list[str]:
    """What the reader has to know."""
    gains = [100 * (found["pairs"]["f"] - found["documents"]["f"]) for found in result.points["pairs"].values()]
    gain = f"; here it is {min(gains):.1f} to {max(gains):.1f} points on the corpora above"
    return [
        "The thesis reports, for RLS on parses of biomedical sentences, a tau-b of 0.7 when parses of a sentence were "
        "split between training and test and 0.3 when they were not (Pahikkala et al. 2006, whose parses cannot be "
        f"had), and up to {PUBLISHED_GAIN:g} points of F on AImed when pairs of a sentence were (Sætre et al. 2007, "
        f"another method){gain}. Nothing but the folds, and what is left out to choose regparam and threshold, differs "
        "between the columns of a row. Figures for sentences and documents that are never split are the ones to expect "
        "on new text."
    ]


EXPERIMENT = Experiment(
    name="dependent-examples",
    title="Examples that belong together",
    source="Airola: thesis, section 5.5, on Pahikkala et al. 2006 and Sætre et al. 2007.",
    protocol="Ten folds, drawn at random, of single examples or of whole sentences or documents; means over folds "
    "(tau-b and error: over sentences) and over draws of folds. Regparam, and for extraction the threshold, are chosen "
    "inside each training part by leaving out what the folds leave out. Parses: RLS on goodness and RankRLS, linear "
    "kernel of the papers' features, and of ours for up to 20 random linkages of CRAFT sentences. Pairs: all-paths "
    "kernel (max), RLS.",
    data=FILES,
    run=run,
    pictures=pictures,
    remarks=remarks,
    options=Options(),
)
