"""Irrelevant pairs [Paper I, section 5.1, Fig. 2]: four points that are ordered wrongly if all pairs take part."""

from __future__ import annotations

from typing import Any

import numpy as np

from lab.frame.experiment import Experiment, Findings, Picture, RunSettings
from lab.frame.plots import COLOURS, GREY
from lab.frame.result import Check, Result, Table
from learners import RankRLS

#: s_1 .. s_4 and the object that each input belongs to, as printed
SCORES = (2.0, 1.0, 4.0, 3.0)
OBJECTS = (1, 1, 2, 2)
#: the one feature; the article draws it without a scale: two clusters, preferences inside each pointing right
FEATURE = (1.0, 2.0, 4.0, 5.0)

PANELS = ("relevant pairs", "all pairs")


def run(settings: RunSettings) -> Findings:
    """Train on the two relevant pairs and on all six, and see which of the relevant ones are ordered rightly."""
    X, y = np.array(FEATURE)[:, None], np.array(SCORES)
    weights, predictions, wrong = [], [], []
    for panel, qid in zip(PANELS, (OBJECTS, None)):
        settings.progress(panel)
        model = RankRLS(regparam=1.0).fit(X, y, qid=qid)
        scores = model.predict(X)
        weights.append(float(model.coef_[0]))
        predictions.append(scores.tolist())
        wrong.append(sum((y[i] - y[j]) * (scores[i] - scores[j]) <= 0 for i, j in ((0, 1), (2, 3))))
    table = Table(
        title="RankRLS on the four inputs, regparam 1",
        rows=list(PANELS),
        columns=["weight w", "relevant pairs ordered wrongly, of 2"],
        ours=[[w, int(count)] for w, count in zip(weights, wrong)],
        published=[[None, 0], [None, 2]],
        margin=0.0,
        digits=3,
        corner="trained on",
    )
    checks = [
        Check("sign of w, trained on the relevant pairs", float(np.sign(weights[0])), -1.0, "exactly", 0),
        Check("sign of w, trained on all pairs", float(np.sign(weights[1])), 1.0, "exactly", 0),
    ]
    return Findings([table], checks, {"weights": weights, "predictions": predictions})


def pictures(result: Result) -> list[Picture]:
    """Fig. 2, both panels."""

    def draw(figure: Any) -> None:
        panels = figure.subplots(1, 2, sharey=True)
        for axes, panel, weight in zip(panels, PANELS, result.points["weights"]):
            _panel(axes, panel, weight)

    caption = (
        "Arrows go from the preferred input to the other, blue inside an object, red between objects; the grey arrow "
        "is the direction in which the learned score rises."
    )
    return [Picture("panels", caption, draw, size=(8.0, 2.6))]


def _panel(axes: Any, panel: str, weight: float) -> None:
    for i in range(4):
        for j in range(4):
            relevant = OBJECTS[i] == OBJECTS[j]
            if SCORES[i] > SCORES[j] and (relevant or panel == "all pairs"):
                _arrow(axes, FEATURE[i], FEATURE[j], COLOURS[0] if relevant else COLOURS[1])
    for i, (x, score) in enumerate(zip(FEATURE, SCORES)):
        axes.plot(x, 0, "o", markersize=11, color="white", markeredgecolor=COLOURS[0], zorder=3)
        axes.text(x, -0.42, f"x{i + 1}\ns = {score:g}", ha="center", va="top")
    middle, reach = 3.0, 1.2 if weight > 0 else -1.2
    axes.annotate(
        "",
        (middle + reach, -1.75),
        (middle - reach, -1.75),
        arrowprops={"arrowstyle": "-|>", "color": GREY, "linewidth": 3, "mutation_scale": 18},
    )
    axes.text(middle, -1.6, f"w = {weight:.2f}", ha="center", va="bottom", color="#5d6d7e")
    axes.set(xlim=(0.4, 5.6), ylim=(-2.0, 1.9), title=f"trained on {panel}")
    axes.axhline(0, color=GREY, linewidth=0.6, zorder=0)
    axes.axis("off")


def _arrow(axes: Any, start: float, end: float, colour: str) -> None:
    axes.annotate(
        "",
        (end, 0.0),
        (start, 0.0),
        # the sign keeps all arcs above the line, whichever way they point
        arrowprops={
            "arrowstyle": "-|>",
            "color": colour,
            "connectionstyle": f"arc3,rad={-0.45 if end > start else 0.45}",
            "shrinkA": 7,
            "shrinkB": 7,
        },
    )


def remarks(result: Result) -> list[str]:
    """What the reader has to know."""
    return [
        "The article prints scores and objects and draws the feature without a scale; the places 1, 2, 4, 5 are ours. "
        "As there, the two relevant pairs alone give the right order, and the four pairs between objects, which are of "
        "no interest, turn it round."
    ]


EXPERIMENT = Experiment(
    name="irrelevant-pairs",
    title="Irrelevant pairs",
    source="Pahikkala, Tsivtsivadze, Airola, Järvinen, Boberg: An efficient algorithm for learning to rank from "
    "preference graphs. Machine Learning 75, 2009: section 5.1, Fig. 2.",
    protocol="Four inputs of two objects with one feature; RankRLS with the pairs inside an object, then with all six.",
    run=run,
    pictures=pictures,
    remarks=remarks,
)
