"""Tagger and parser: the one that ships, and those of a jackknife, each without a group of articles.

The one that ships learns from treebanks first.  Then a teacher parses unlabelled text, the parser chooses the trees of
its own beams that are most like the teacher's, and learns from these and the treebanks together.

The parsers of a jackknife are made in two stages, so that five of them take no longer than one: first from trees that a
teacher made of unlabelled text, which they share, then some minutes from the treebanks.  On the tuning part they are as
good as the one that ships.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from thinc.api import use_ops

from lab.training.pipeline import readers as readers  # registers the corpus readers that parser.cfg names
from lab.training.pipeline.agreed_trees import write_agreed
from lab.training.pipeline.readers import treebank_part
from lab.training.pipeline.silver_trees import write_silver
from lab.training.pipeline.teacher import Teacher, teacher_settings
from lab.training.pipeline.treebank import is_fragment
from lab.training.pipeline.vectors import WordVectors, keep_attribute
from ppi.core import UsageError

CONFIGS = Path(__file__).parent
#: spaCy's name for the checkpoint with the best scores on the tuning part.
BEST = "model-best"
#: The file of trees of unlabelled text.
SILVER = "silver.conllu.gz"
#: spaCy's number of epochs for a reader that is asked anew for each.
_STREAMED = -1


def stage_settings(overrides: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The settings of ``stages.toml``, some of them replaced: ``{"treebanks.steps": 500}``."""
    settings = tomllib.loads((CONFIGS / "stages.toml").read_text(encoding="utf-8"))
    for key, value in overrides.items():
        stage, _, name = key.partition(".")
        if name not in settings.get(stage, {}):
            known = ", ".join(f"{part}.{each}" for part in settings for each in settings[part])
            raise UsageError(f"expected a setting of the parser ({known}), got {key!r}")
        settings[stage][name] = value
    return settings


def train_teacher(craft: Path, genia: Path, vectors: Path, output: Path, **overrides: Any) -> Path:
    """The teacher, from the treebanks but for their tuning part; returns its folder."""
    settings = teacher_settings(overrides)
    articles, abstracts = treebank_part(craft, genia, "train")
    trees = [tree for article in articles for tree in article] + abstracts * settings["training"]["genia_repeats"]
    tuning_articles, tuning_abstracts = treebank_part(craft, genia, "tune")
    tuning = [tree for article in tuning_articles for tree in article] + tuning_abstracts
    learned_from = [tree for tree in trees if not is_fragment(tree)]
    teacher = Teacher.untrained(learned_from, WordVectors.load(vectors), settings)
    teacher.fit(learned_from, tuning, _say)
    teacher.save(output)
    return output


def make_silver(text: Path, teacher: Path, vectors: Path, output: Path) -> Path:
    """Trees of unlabelled text by a trained teacher, in a file of the folder ``output``; returns it."""
    output.mkdir(parents=True, exist_ok=True)
    return write_silver(Teacher.load(teacher, WordVectors.load(vectors)), text, output / SILVER, _say)


def make_agreed(parser: Path, silver: Path, output: Path) -> Path:
    """The trees of a file of the teacher's that a trained parser agrees to, in a file of the folder ``output``."""
    output.mkdir(parents=True, exist_ok=True)
    with use_ops("numpy", use_blis=False):
        return write_agreed(spacy.load(parser), silver, output / SILVER, _say)


def train_on_treebanks(craft: Path, genia: Path, vectors: Path, output: Path, **overrides: Any) -> Path:
    """The first stage of the parser that ships; returns its best checkpoint on the tuning part."""
    files = {"vars.craft": str(craft), "vars.genia": str(genia), "vars.vectors": str(vectors)}
    config = _config(files, stage_settings(overrides)["treebanks"])
    return _trained(lambda: init_nlp(config), output)


def train_on_agreed(craft: Path, genia: Path, start: Path, agreed: Path, output: Path, **overrides: Any) -> Path:
    """The second stage of the parser that ships, from a pipeline of the first; returns its best checkpoint.

    Parameters
    ----------
    agreed
        What :func:`make_agreed` made with that pipeline.
    """
    files = {"vars.craft": str(craft), "vars.genia": str(genia), "vars.silver": str(agreed)}
    return _trained(lambda: _continued(start, _config(files, stage_settings(overrides)["agreed"])), output)


def train_on_silver(craft: Path, genia: Path, vectors: Path, silver: Path, output: Path, **overrides: Any) -> Path:
    """The first stage of a jackknife; the treebanks say which labels there are, and when it is best.

    Returns its best checkpoint.
    """
    treebanks = {"vars.craft": str(craft), "vars.genia": str(genia), "vars.vectors": str(vectors)}
    stage = stage_settings(overrides)["silver"]
    learned_from = stage.pop("corpus")
    config = _config(treebanks | {"vars.silver": str(silver)}, stage)

    def prepared() -> Language:
        nlp = init_nlp(config)  # with the treebanks, which have all labels
        nlp.config["training"]["train_corpus"] = learned_from
        return _streamed(nlp)

    return _trained(prepared, output)


def train_without(craft: Path, genia: Path, start: Path, output: Path, *, group: int, **overrides: Any) -> Path:
    """The second stage of a jackknife, from a pipeline of the first; returns the best checkpoint on the tuning part.

    Parameters
    ----------
    group
        The group of articles to leave out (:func:`~lab.training.pipeline.readers.group_of_article`).
    """
    files = {"vars.craft": str(craft), "vars.genia": str(genia), "vars.without": group}
    return _trained(lambda: _continued(start, _config(files, stage_settings(overrides)["jackknife"])), output)


def _continued(start: Path, config: Any) -> Language:
    """A trained pipeline, to be trained on as a config says."""
    nlp = spacy.load(start)
    nlp.config = nlp.config.merge(config)
    return _streamed(nlp)


def _streamed(nlp: Language) -> Language:
    """With a corpus that is read anew for every epoch."""
    nlp.config["training"]["max_epochs"] = _STREAMED
    return nlp


def _config(files: dict[str, Any], stage: dict[str, Any]) -> Any:
    overrides = files | {f"vars.{name}": value for name, value in stage.items()}
    return spacy.util.load_config(CONFIGS / "parser.cfg", overrides=overrides, interpolate=True)


def _trained(prepared: Callable[[], Language], output: Path) -> Path:
    output.mkdir(parents=True, exist_ok=True)
    # numpy's own BLAS multiplies about three times as fast as the one spaCy brings along
    with use_ops("numpy", use_blis=False):
        nlp, _ = train(prepared(), output, stdout=sys.stderr, stderr=sys.stderr)
    keep_attribute(nlp, output / BEST)
    return output / BEST


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
