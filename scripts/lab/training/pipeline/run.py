"""The whole job: train the parser and the name finder, put them together, measure, save."""

from __future__ import annotations

import json
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import spacy
from spacy.about import __version__ as spacy_version
from spacy.language import Language
from thinc.api import use_ops

import corpora
from lab.training.pipeline.kind_scores import misnamed, read_entities
from lab.training.pipeline.kind_training import kind_examples, read_genes, together, trained_classifier
from lab.training.pipeline.mentions import AnnotatedText, read_iob, read_standoff
from lab.training.pipeline.name_data import is_held_out, read_name_texts
from lab.training.pipeline.name_lists import Lexicon
from lab.training.pipeline.name_training import NameTrainer, finder_pipeline, name_settings
from lab.training.pipeline.package import assemble, save
from lab.training.pipeline.parser_training import (
    BEST,
    SILVER,
    make_agreed,
    make_silver,
    train_on_agreed,
    train_on_silver,
    train_on_treebanks,
    train_teacher,
    train_without,
)
from lab.training.pipeline.readers import GROUPS
from lab.training.pipeline.scheme import to_craft_scheme
from lab.training.pipeline.scores import (
    WANTED_KINDS,
    entity_recall,
    lemma_accuracy,
    name_scores,
    parse_scores,
    sentence_f,
)
from lab.training.pipeline.treebank import read_trees
from lab.training.pipeline.vectors import WordVectors, train_vectors
from ppi.language import NameFinder

#: The folder of the name finder that has not seen PC and CG.
UNTOLD = "without-pc-cg"
#: What is measured with that finder.
NO_PROTEINS = "no proteins, per 1,000 found in PC and CG"
#: What the pipeline learned from, for its meta.
SOURCES = [
    {"name": "CRAFT", "license": "CC BY 3.0", "url": "https://github.com/UCDenver-ccp/CRAFT"},
    {"name": "GENIA treebank", "license": "CC BY 3.0", "url": "http://www.geniaproject.org"},
    {"name": "eLife, molecular and cell biology", "license": "CC BY 4.0", "url": "https://elifesciences.org"},
    {"name": "JNLPBA 2004", "license": "CC BY 3.0", "url": "http://www.geniaproject.org"},
    {"name": "BioCreative II gene mention", "license": "for research", "url": "https://biocreative.org"},
    {"name": "GNormPlus, NLM-Gene", "license": "public domain", "url": "https://www.ncbi.nlm.nih.gov/research/bionlp"},
    {"name": "BioNLP 2013 PC and CG", "license": "CC BY-SA 3.0", "url": "http://2013.bionlp-st.org"},
    {"name": "NCBI Gene, human", "license": "public domain", "url": "https://www.ncbi.nlm.nih.gov/gene"},
    {"name": "SGD, PomBase, ChEBI, Cellosaurus", "license": "CC BY 4.0", "url": "https://obofoundry.org"},
    {"name": "HGNC gene groups, Complex Portal, FamPlex", "license": "CC0", "url": "https://www.genenames.org"},
]


@dataclass(frozen=True)
class Sources:
    """Where the training and held-out files are."""

    folder: Path

    @property
    def craft(self) -> Path:
        """The larger treebank, whose scheme the pipeline speaks."""
        return self.folder / "treebanks" / "craft-train.conllu.gz"

    @property
    def craft_held_out(self) -> Path:
        """Never seen in training or tuning."""
        return self.folder / "treebanks" / "craft-dev.conllu.gz"

    @property
    def genia(self) -> Path:
        """The smaller treebank, in the older scheme."""
        return self.folder / "treebanks" / "genia-train.conllx.gz"

    @property
    def genia_held_out(self) -> Path:
        """Never seen in training or tuning."""
        return self.folder / "treebanks" / "genia-dev.conllx.gz"

    @property
    def text(self) -> Path:
        """Unlabelled text, a paragraph per line, for word vectors."""
        return self.folder / "text" / "elife-molecular.txt.xz"

    @property
    def bc2gm(self) -> Path:
        """Gene mentions of BioCreative II."""
        return self.folder / "ner" / "bc2gm-train.tsv.gz"

    @property
    def bc2gm_held_out(self) -> Path:
        """Never seen in training or tuning."""
        return self.folder / "ner" / "bc2gm-devel.tsv.gz"

    @property
    def jnlpba(self) -> Path:
        """JNLPBA abstracts; about a tenth of them is held out."""
        return self.folder / "ner" / "jnlpba-train-standoff.tar.gz"

    @property
    def lexicon(self) -> Lexicon:
        """Lists of names, for the name finder's gazetteer."""
        return Lexicon(self.folder / "lexicon")

    @property
    def genes(self) -> tuple[Path, ...]:
        """Abstracts where genes, families, domains and cells are told apart; half of them are learned from."""
        return tuple(self.folder / "genes" / f"{name}_Train.PubTator.gz" for name in ("GNormPlus", "NLMgene"))

    @property
    def entities(self) -> tuple[Path, ...]:
        """Abstracts of PC and CG, where chemicals, cells and organisms are annotated, too."""
        return tuple(self.folder / "events" / f"bionlp-st-2013-{name}.tar.gz" for name in ("pc", "cg"))


def train_parser(sources: Sources, vectors: Path, work: Path, output: Path, **overrides: Any) -> Path:
    """Tagger and parser from the treebanks, a folder of word vectors and unlabelled text.

    The first stage, the teacher and its trees are kept in folders of ``work``, and what is there is used again.
    Returns the directory of the best checkpoint on the tuning part: after some epochs the parser learns little beyond
    the treebank itself.
    """
    treebanks = (sources.craft, sources.genia)
    first, agreed = work / "parser-first", work / "agreed"
    finished(first, lambda folder: train_on_treebanks(*treebanks, vectors, folder, **overrides))
    silver = _silver(sources, vectors, work)
    finished(agreed, lambda folder: make_agreed(first / BEST, silver, folder))
    return train_on_agreed(*treebanks, first / BEST, agreed / SILVER, output, **overrides)


def _silver(sources: Sources, vectors: Path, work: Path) -> Path:
    """The teacher's trees of unlabelled text: they and the teacher are made once."""
    teacher, silver = work / "teacher", work / "silver"
    finished(teacher, lambda folder: train_teacher(sources.craft, sources.genia, vectors, folder))
    finished(silver, lambda folder: make_silver(sources.text, teacher, vectors, folder))
    return silver / SILVER


def jackknifed_parsers(sources: Sources, vectors: Path, work: Path) -> list[Path]:
    """For each group of articles a parser that has not seen them.

    Each of them, the teacher, its trees and the first stage that they share are kept in a folder of ``work``, and what
    is there is used again.
    """
    start = work / "parser-start"
    finished(vectors, lambda folder: train_vectors(sources.text, folder))
    silver = _silver(sources, vectors, work)
    finished(start, lambda folder: train_on_silver(sources.craft, sources.genia, vectors, silver, folder))
    parsers = [work / f"jackknife-{group}" for group in range(GROUPS)]
    for group, parser in enumerate(parsers):
        finished(parser, partial(_train_without, sources, start / BEST, group))
    return [parser / BEST for parser in parsers]


def _train_without(sources: Sources, start: Path, group: int, folder: Path) -> None:
    train_without(sources.craft, sources.genia, start, folder, group=group)


def finished(folder: Path, train: Callable[[Path], object]) -> None:
    """Train into ``folder``, unless it is there: it has that name only when training has ended."""
    if folder.exists():
        return
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    train(unfinished)
    unfinished.rename(folder)


def train_names(sources: Sources, vectors: Path, output: Path, **overrides: Any) -> Path:
    """The name finder from the name corpora and the word vectors in a folder; returns the directory of a pipeline with
    nothing else in it.

    Beside it, in :data:`UNTOLD`, is the same finder with kinds learned without PC and CG, to be measured on these.
    """
    settings = name_settings(overrides)
    output.mkdir(parents=True, exist_ok=True)
    texts = read_name_texts(sources.bc2gm, sources.jnlpba, tuning=settings["training"]["tuning"])
    trainer = NameTrainer(texts, sources.lexicon, WordVectors.load(vectors), settings)
    model = trainer.train(_say)
    known = [
        kind_examples(model, texts.training["jnlpba"], whole=False),
        *(kind_examples(model, read_genes(path), whole=True) for path in sources.genes),
    ]
    more = [kind_examples(model, read_entities(path), whole=True) for path in sources.entities]
    for folder, examples in ((UNTOLD, known), ("model-last", known + more)):
        classifier = trained_classifier(together(examples), **settings["kinds"], report=_say)
        nlp = finder_pipeline(replace(model, classifier=classifier))
        nlp.meta["training"] = {"names": settings}
        nlp.to_disk(output / folder)
    return output / "model-last"


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def build(sources: Sources, parser: Path, names: Path, output: Path) -> dict[str, Any]:
    """Assemble the trained parts, measure the result on held-out data, save it; returns the scores.

    Parameters
    ----------
    parser
        What ``train_parser`` made, or a whole pipeline that this function wrote.
    names
        What ``train_names`` made, or a whole pipeline, whose measurement of no proteins is then taken over.
    """
    trees = list(read_trees(sources.craft))
    with use_ops("numpy", use_blis=False):
        nlp = assemble(spacy.load(parser), spacy.load(names), trees)
    scores = evaluate(nlp, sources)
    scores[NO_PROTEINS] = _no_proteins(names, sources)
    save(nlp, output, sources=SOURCES, facts=_facts(parser, names), scores=scores)
    return scores


def _no_proteins(names: Path, sources: Sources) -> dict[str, float]:
    measured = json.loads((names / "meta.json").read_text(encoding="utf-8")).get("performance", {})
    if NO_PROTEINS in measured:
        figures: dict[str, float] = measured[NO_PROTEINS]
        return figures
    entities = [text for path in sources.entities for text in read_entities(path)]
    return misnamed(spacy.load(names.with_name(UNTOLD)), entities)


def evaluate(nlp: Language, sources: Sources) -> dict[str, Any]:
    """All scores on held-out data, in percent."""
    craft = list(read_trees(sources.craft_held_out))
    genia = [to_craft_scheme(tree) for tree in read_trees(sources.genia_held_out)]
    return {
        "craft-dev": parse_scores(nlp, craft),
        "craft-dev, own tokens": parse_scores(nlp, craft, gold_tokens=False),
        "craft-dev, lemmas": lemma_accuracy(nlp, craft),
        "craft-dev, sentences": sentence_f(nlp, craft),
        "genia-dev, mapped": parse_scores(nlp, genia),
        "bc2gm-devel": name_scores(nlp, list(read_iob(sources.bc2gm_held_out)), kinds=WANTED_KINDS["bc2gm"]),
        "jnlpba, held-out abstracts": name_scores(nlp, held_out_abstracts(sources), kinds=WANTED_KINDS["jnlpba"]),
        "jnlpba, held-out abstracts, its guideline": _by_jnlpba(nlp, sources),
        "recall of the entities of": {
            path.name.split(".")[0]: entity_recall(nlp, corpora.read(path, "turku"))
            for path in sorted((sources.folder / "ppi").glob("*.xml.gz"))
        },
    }


def _by_jnlpba(nlp: Language, sources: Sources) -> dict[str, float]:
    """Scores on the held-out abstracts with names by their own guideline instead of the default one."""
    finder: NameFinder = nlp.get_pipe("ner")  # type: ignore[assignment]
    default, finder.guideline = finder.guideline, "jnlpba"
    try:
        return name_scores(nlp, held_out_abstracts(sources), kinds=WANTED_KINDS["jnlpba"])
    finally:
        finder.guideline = default


def held_out_abstracts(sources: Sources) -> list[AnnotatedText]:
    """The abstracts that training and tuning never see."""
    return [text for text in read_standoff(sources.jnlpba) if is_held_out(text)]


def _facts(parser: Path, names: Path) -> dict[str, Any]:
    return {
        "date": date.today().isoformat(),
        "spacy": spacy_version,
        "python": platform.python_version(),
        "parser": _settings(parser, "parser"),
        "names": _settings(names, "names"),
    }


def _settings(path: Path, part: str) -> dict[str, Any]:
    """How a part was trained: from the meta of a pipeline that this module wrote, or spaCy's training config."""
    whole = json.loads((path / "meta.json").read_text(encoding="utf-8")).get("training", {})
    if part in whole:
        settings: dict[str, Any] = whole[part]
        return settings
    config = spacy.util.load_config(path / "config.cfg", interpolate=True)
    training = config["training"]
    return {
        "seed": training["seed"],
        "learned_from": training["train_corpus"],
        "max_steps": training["max_steps"],
        "dropout": training["dropout"],
        "words_per_batch": training["batcher"]["size"],
        "word_vectors": config["initialize"]["before_init"]["words"],
    }


def report(scores: dict[str, Any]) -> str:
    """The scores as indented JSON."""
    return json.dumps(scores, indent=2)
