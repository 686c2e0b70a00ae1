"""The page docs/parse_ranking.md: tables, and which of the published findings hold here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lab.frame.page import figure_file
from lab.frame.result import Result
from lab.papers.parse_ranking.pictures import pictures
from ppi.evaluation import format_table

#: The parts that compare learners, one per generator.
GENERATORS = ("link-grammar", "beam")

_SIGNIFICANT = 0.05
_ALIKE = 0.002  # errors closer than this are called no difference

#: [Pahikkala2007, Table 8]
PUBLISHED_TAU_B = {"RLS": 0.444, "RankRLS (21)": 0.5}

#: What the figures do not say by themselves.
REMARKS = (
    "The articles' parses are of BioInfer sentences against its own link annotation; ours are of CRAFT sentences "
    "against dependencies of another scheme, so that even the best candidate has an F far below 1. Published figures "
    "are beside ours for orientation.",
    "The articles' graph kernel alone (links=0 in the table of what was tried) leaves an error near 0.27 here. "
    "What a parser needs to know to attach a word - the parts of speech around and between the two ends of a link - "
    "is what brings it down; with these features the regressor does about as well as the rankers, although three "
    "quarters of the variance of goodness lie between sentences, where only the regressor has to explain it.",
    "Published errors are counted as their articles do: Pahikkala2009 calls a predicted tie a mistake, "
    "Tsivtsivadze2008 counts pairs with equal goodness, too, one half where their predictions differ "
    "(`disagreement_error(ties=)` has both). Ours counts a predicted tie one half, and pairs with equal goodness not "
    "at all.",
    "tau-b in square brackets is that of [Pahikkala2007, Table 8], the only one published, for parses of BioInfer "
    "sentences: another corpus and other candidates, so that only the order of the two can be compared with our "
    "column.",
    "A unit target for every pair (20) treats a difference of one link like one of ten, and is the worst of the costs "
    "here.",
    "Basis vectors are what limits the sparse learners: linear RankRLS on all parses, which conjugate gradients make "
    "cheap, orders better than 2,500 basis vectors do. Neither kernel of the articles' kind is nonlinear, and the "
    "Gaussian ones tried are worse.",
    "Cross-validation that leaves out sentences but not articles is optimistic: other sentences of the article share "
    "its words. The test articles are new.",
    "The beam's first parse is hard to beat with the few hundred sentences that its parser has not seen: learned "
    "orders are better as a whole, yet may have a worse first. What all sentences of the treebanks are worth, listed "
    "by parsers that have not seen them, is on the page on [reranking](reranking.md); the ranker that ships learned "
    "from those.",
    "Not everything was decided without a look at the test articles: that the beam adds log-probabilities instead of "
    "raw scores (150 of its test sentences), and that its shipped ranker is chosen by the first parse. Link Grammar's "
    "test sentences were used for these tables only.",
    "Leave-sentence-out with basis removal is hundreds of times faster than recomputing; ten folds are not faster, "
    "since a fold's share of the basis vectors is then too large for a small correction.",
)


def paragraphs(result: Result) -> list[str]:
    """Markdown of whatever parts there are."""
    points = result.points
    images = {picture.name: f"![{picture.caption}]({figure_file(result, picture)})" for picture in pictures(result)}
    parts = [
        "# Parse ranking",
        "Made by `scripts/reproduce_parse_ranking`. Candidates: Link Grammar (20 "
        "random linkages per sentence) and the shipped parser's beam (20 best trees), of CRAFT sentences of 10 to 25 "
        "tokens. Goodness of a candidate: F of its links against the treebank (undirected and unlabelled for Link "
        "Grammar, labelled for the beam). Training sentences and test sentences come from different articles; the "
        "beam's training sentences are articles that the parser was not trained on. All parses of a sentence are "
        "always on one side. Errors and tau-b are means over test sentences, p is Wilcoxon's signed-rank test of a "
        "method's errors against those of RankRLS (21), two-sided.",
    ]
    for generator in GENERATORS:
        if generator in points:
            parts += _comparison(generator, points[generator], images[generator])
    if "link-grammar" in points:
        parts += ["## Published findings", *_findings(points["link-grammar"])]
        parts += ["## Remarks", "\n".join(f"- {remark}" for remark in REMARKS)]
    if "basis" in points:
        parts += _basis(points["basis"], images["basis"])
    if "extraction" in points:
        parts += _extraction(points["extraction"])
    return parts


def _published_tau(method: str) -> str:
    return f" [{PUBLISHED_TAU_B[method]:.3f}]" if method in PUBLISHED_TAU_B else ""


def _comparison(generator: str, figures: Mapping[str, Any], image: str) -> Iterator[str]:
    chosen = figures["chosen"]
    described = ", ".join(f"{key}={value}" for key, value in chosen.items() if key not in ("n_features", "gamma"))
    yield f"## {generator}: {figures['test_sentences']} test sentences, {figures['test_parses']} parses"
    yield image
    yield format_table(
        ["method", "parses", "basis", "error", "published", "tau-b", "F of first", "p", "regparam", "seconds"],
        [
            [
                row["method"],
                row["training_parses"] or "",
                row["basis"] or "",
                f"{row['error']:.3f}",
                row["published_error"] or "",
                f"{row['tau_b']:.3f}{_published_tau(row['method'])}",
                f"{row['first_f']:.3f}",
                _p_value(row["p_value"]),
                "" if row["regparam"] is None else f"{row['regparam']:.3g}",
                f"{row['seconds']:.0f}" if row["seconds"] else "",
            ]
            for row in figures["rows"]
        ],
    )
    yield from _unfinished(figures)
    yield (
        f"F of a candidate drawn at random {figures['mean_f']:.3f}, of the best candidate (oracle) "
        f"{figures['oracle_f']:.3f}. Kernel chosen on training sentences: {described}. What was tried there:"
    )
    yield format_table(
        ["walks", "labels", "links", "generator", "normalize", "kernel", "leave-sentence-out error"],
        [
            [
                f"up to {trial['max_length']} {'directed' if trial['directed'] else 'undirected'}",
                " ".join(trial["labels"]),
                trial["links"],
                trial["generator"],
                "yes" if trial["normalize"] else "no",
                trial["kernel"] if trial["gamma"] is None else f"{trial['kernel']} {trial['gamma']}",
                f"{trial['error']:.4f}",
            ]
            for trial in figures["tried"]
        ],
    )


def _findings(figures: Mapping[str, Any]) -> Iterator[str]:
    rows = {row["method"]: row for row in figures["rows"]}
    claims = [
        ("RankRLS is better than RLS", "RankRLS (21)", "RLS"),
        ("sparse RankRLS, with 15 more parses per sentence, is better than RankRLS", "sparse RankRLS", "RankRLS (21)"),
        ("sparse RankRLS is better than sparse RLS", "sparse RankRLS", "sparse RLS"),
        *(
            (f"irrelevant pairs harm RankRLS {cost}", f"RankRLS {cost}", f"RankRLS {cost}, all pairs")
            for cost in ("(20)", "(21)", "(22)")
        ),
    ]
    larger = [name for name in rows if name.startswith("sparse RankRLS, ")]
    claims += [("sparse RankRLS with more sentences is better still", name, "sparse RankRLS") for name in larger]
    lines = [
        f"- {text}: **{_verdict(better, worse)}** ({better:.3f} against {worse:.3f})"
        for text, first, second in claims
        if first in rows and second in rows
        for better, worse in [(rows[first]["error"], rows[second]["error"])]
    ]
    if "RankSVM" in rows and "RankRLS (21)" in rows:
        gap = rows["RankSVM"]["error"] - rows["RankRLS (21)"]["error"]
        alike = "holds" if abs(gap) < 0.01 else "does not hold"
        lines.append(f"- RankRLS and RankSVM are alike: **{alike}** (a difference of {gap:+.3f})")
    yield "\n".join(lines)


def _basis(figures: Mapping[str, Any], image: str) -> Iterator[str]:
    curves = figures["curves"]
    ratio = max(kept / removed for kept, removed in zip(curves["kept"], curves["removed"], strict=True))
    yield "## Basis vectors of held-out sentences"
    yield image
    yield (
        "Ten-fold cross-validation of sparse RLS with two basis vectors per sentence, as in Paper III, Fig. 1. Keeping "
        f"basis vectors of the sentences held out makes the estimate up to {ratio:.2f} times the right one; with "
        "strong regularization the two meet."
    )
    yield (
        "Seconds of cross-validation with basis removal for a whole path of regparams, ours and recomputing map and "
        "model for each hold-out (timed on a sample and multiplied up), as in Paper III, Tables 1 and 2; predictions "
        "of both compared on the sample."
    )
    yield format_table(
        [
            "scheme",
            "learner",
            "parses",
            "basis",
            "decomposition",
            "cross-validation",
            "recomputing",
            "ratio",
            "difference",
        ],
        [
            [
                timing["scheme"],
                timing["method"],
                timing["n_parses"],
                timing["n_basis"],
                f"{timing['decomposition_seconds']:.1f}",
                f"{timing['seconds']:.1f}",
                f"{timing['reference_seconds']:.0f}",
                f"{timing['ratio']:.3g}x",
                f"{timing['difference']:.0e}",
            ]
            for timing in figures["timings"]
        ],
    )
    yield from _unfinished(figures)


def _verdict(better: float, worse: float) -> str:
    if abs(better - worse) < _ALIKE:
        return "no difference"
    return "holds" if better < worse else "does not hold"


def _unfinished(figures: Mapping[str, Any]) -> Iterator[str]:
    if figures["unfinished"]:
        yield f"Not finished yet: {', '.join(figures['unfinished'])}."


def _extraction(figures: Mapping[str, Any]) -> Iterator[str]:
    yield "## Extraction with reranked parses"
    yield (
        "All-paths kernel, RLS, 10 document-level folds, mean of the seeds, in percent: the shipped parser's own "
        "parse, and the first of its reranked beam."
    )
    rows = [
        [
            corpus["corpus"],
            *(f"{100 * corpus[parse][measure]:.1f}" for measure in ("auc", "f") for parse in ("first", "reranked")),
            f"{100 * corpus['changed']:.0f}",
        ]
        for corpus in figures["corpora"]
    ]
    yield format_table(["corpus", "AUC first", "AUC reranked", "F first", "F reranked", "sentences changed, %"], rows)
    yield from _unfinished(figures)


def _p_value(value: float | None) -> str:
    if value is None:
        return ""
    mark = "*" if value < _SIGNIFICANT else ""
    return f"{value:.3f}{mark}" if value >= 0.001 else f"< 0.001{mark}"
