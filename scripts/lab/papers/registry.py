"""Which experiments there are."""

from __future__ import annotations

import importlib

from lab.frame.experiment import Experiment
from ppi.core import UsageError

#: in the order of the page: the experiment's name, and the module of this package that holds it as ``EXPERIMENT``
MODULES = {
    "greedy-letor": "greedy_letor",
    "letor": "rank_rls_letor",
    "large-scale": "large_scale",
    "large-scale-scores": "large_scale_scores",
    "large-scale-preferences": "large_scale_preferences",
    "reuters-auc": "reuters_auc",
    "training-time": "training_time",
    "nystrom": "nystrom",
    "auc-estimates": "auc_estimates",
    "ranksvm-scaling": "rank_svm_scaling",
    "irrelevant-pairs": "irrelevant_pairs",
    "dependent-examples": "dependent_examples",
    "paper5": "paper5",
    "parse-ranking": "parse_ranking.experiment",
    "reranking": "reranking",
    "types": "types",
    "transformer-folds": "transformer_folds",
    "curation": "curation.experiment",
}


def experiment(name: str) -> Experiment:
    """The experiment of that name."""
    if name not in MODULES:
        raise UsageError(f"expected an experiment, one of {', '.join(MODULES)}, got {name!r}")
    experiment: Experiment = importlib.import_module(f"lab.papers.{MODULES[name]}").EXPERIMENT
    return experiment


def experiments() -> list[Experiment]:
    """All of them, in the order of the page."""
    return [experiment(name) for name in MODULES]
