"""Simulated curation: what judgements are worth, by the way they are chosen, against training again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

import corpora
from corpora import Document
from lab.frame.cache import Part, digest
from lab.frame.experiment import Experiment, Findings, OwnPage, RunSettings
from lab.papers.curation.left_out import LeftOut, common_rows, left_out, load, save
from lab.papers.curation.page import page, pictures, tables
from lab.papers.curation.retraining import retrained_scores
from lab.papers.curation.simulation import RANDOM, Halves, Moment, Plan, figures, judged_alone, ranked, simulate
from lab.training.extraction.train import EVENTS, PAIRS, SHIPPED
from ppi.evaluation import with_parse
from ppi.extraction import INTERACTION, OUTPUTS, TrainingRows
from ppi.language import MODEL_DIRECTORY
from ppi.server import STRATEGIES

#: The corpora that are curated, by what they are called on the page.
CURATED = {"PC": "bionlp-st-2013-pc", "AImed": "AImed"}
_TINY = ("bionlp-st-2013-pc", "bionlp-st-2013-cg", "bionlp-st-2011-ge", "AImed", "HPRD50")
_TINY_DOCUMENTS = 12


@dataclass(frozen=True)
class Options:
    """How often the documents are drawn; for how many draws, and on which corpora, models are trained from scratch."""

    draws: int = 3
    retrained: int = 1
    retrained_on: tuple[str, ...] = tuple(CURATED)


def run(settings: RunSettings) -> Findings:
    """Train without each corpus, curate it, train again."""
    options: Options = replace(settings.options, draws=1) if settings.tiny else settings.options
    plan = Plan((0, 5, 10), at_once=5, most_candidates=50, rank=10) if settings.tiny else Plan()
    points: dict[str, Any] = {"sizes": list(plan.sizes), "corpora": {}}
    for short, corpus, key in _left_out(settings):
        draws = []
        for draw in range(options.draws):
            seed = settings.seed + draw
            again = draw < options.retrained and short in options.retrained_on
            inputs = {"corpus": key, "plan": plan, "seed": seed, "again": again}
            part = Part(f"curation {short} {draw}", inputs, partial(_draw, corpus, plan, seed, again, settings))
            draws.append(settings.cache.json(part))
        points["corpora"][short] = {
            "pairs": int(np.sum(~np.isnan(corpus.targets[:, OUTPUTS.index(INTERACTION)]))),
            "positive": int(np.sum(corpus.targets[:, OUTPUTS.index(INTERACTION)] > 0)),
            "documents": len(np.unique(corpus.documents)),
            "training_pairs": len(corpus.training),
            "draws": draws,
        }
    return Findings(tables(points), [], points)


def _left_out(settings: RunSettings) -> Iterator[tuple[str, LeftOut, str]]:
    """The curated corpora with models that have not seen them, and what these were made from, in short."""
    names = _TINY if settings.tiny else (*EVENTS, *PAIRS)
    options = replace(SHIPPED, kernel="path", min_documents=2) if settings.tiny else SHIPPED
    inputs = {
        "corpora": [settings.file(_file(name)) for name in names],
        "settings": asdict(options),
        "pipeline": digest(MODEL_DIRECTORY),
        "tiny": settings.tiny,
    }

    @cache
    def rows() -> TrainingRows:
        return common_rows({name: _loaded(name, settings) for name in names}, options)

    def made(name: str) -> LeftOut:
        everything = rows()
        settings.progress(f"training without {name}")
        return left_out(everything, name, options)

    for short, name in CURATED.items():
        part = Part(f"curation without {short}", {**inputs, "without": name}, partial(made, name))
        yield short, settings.cache.keep(part, ".npz", save=save, load=load), part.digest


def _file(name: str) -> str:
    return f"{name}.xml.gz" if name in PAIRS else f"{name}.tar.gz"


def _loaded(name: str, settings: RunSettings) -> list[Document]:
    settings.progress(f"parsing {name}")
    documents = corpora.load(name)
    return with_parse(documents[:_TINY_DOCUMENTS] if settings.tiny else documents, "shipped")


def _draw(corpus: LeftOut, plan: Plan, seed: int, again: bool, settings: RunSettings) -> dict[str, Any]:
    """All ways with one draw of the documents."""
    halves = Halves.drawn(corpus, seed)
    found: dict[str, Any] = {"ways": {}}
    moments: dict[str, list[Moment]] = {}
    for way in (*STRATEGIES, RANDOM):
        settings.progress(f"{corpus.name}, draw {seed}: {way}")
        start = time.process_time()
        moments[way] = simulate(corpus, halves, way, plan, seed=seed)
        rows = [figures(corpus, halves, moment, plan) for moment in moments[way]]
        alone = [judged_alone(corpus, halves, moment, plan) for moment in moments[way]]
        found["ways"][way] = {"rows": rows, "alone": alone, "seconds": time.process_time() - start}
    if again:
        settings.progress(f"{corpus.name}, draw {seed}: training again")
        _add_retrained(corpus, halves, moments, found, plan)
    return found


def _add_retrained(
    corpus: LeftOut, halves: Halves, moments: dict[str, list[Moment]], found: dict[str, Any], plan: Plan
) -> None:
    """Models from scratch for all ways and sizes, solved together."""
    asked = [(way, moment) for way in STRATEGIES for moment in moments[way] if moment.judged]
    start = time.process_time()
    scores = retrained_scores(corpus, [moment.judged for _, moment in asked])
    found["retraining_seconds"] = (time.process_time() - start) / max(len(asked), 1)
    targets = corpus.targets[:, OUTPUTS.index(INTERACTION)]
    for way in STRATEGIES:
        mine: Sequence[Any] = [each for (other, _), each in zip(asked, scores) if other == way]
        found["ways"][way]["again"] = [
            {},
            *(ranked(targets[halves.test], each[halves.test], plan.rank) for each in mine),
        ]


EXPERIMENT = Experiment(
    name="curation",
    title="Curation",
    source="BioNLP Shared Task 2013 (PC) and AImed, each left out of training.",
    protocol="See the page.",
    data=[_file(name) for name in (*EVENTS, *PAIRS)],
    run=run,
    options=Options(),
    pictures=pictures,
    page=OwnPage("curation.md", page),
)
