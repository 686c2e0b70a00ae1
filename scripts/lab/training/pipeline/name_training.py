"""Training the name finder: batches, the loop, and the trained weights as a model that runs without PyTorch."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language

from lab.training.pipeline.gradient_training import averaged_weights, batches_of_like_length, require_torch
from lab.training.pipeline.mentions import TYPES
from lab.training.pipeline.name_data import LabelledSentence, NameTexts, labelled_sentences
from lab.training.pipeline.name_labels import labels_of
from lab.training.pipeline.name_lists import Lexicon
from lab.training.pipeline.scores import WANTED_KINDS, name_scores
from lab.training.pipeline.silver import with_other_names
from lab.training.pipeline.tokenization import build_tokenizer
from ppi.core import UsageError
from ppi.language import (
    DEFAULT_GUIDELINE,
    GUIDELINES,
    KINDS,
    MAX_WORD_CHARACTERS,
    UNKNOWN,
    Decoder,
    Gazetteer,
    KindClassifier,
    NameFinder,
    NameModel,
    Vocabulary,
)

if TYPE_CHECKING:
    from lab.training.pipeline.name_network import Batch
    from lab.training.pipeline.vectors import WordVectors

SETTINGS = Path(__file__).parent / "names.toml"
Settings = dict[str, dict[str, Any]]

_LABEL_NUMBERS = {
    guideline: {label: number for number, label in enumerate(labels_of(types))} for guideline, types in TYPES.items()
}


@dataclass(frozen=True, eq=False)
class NumberedSentence:
    """A labelled sentence as the network reads it, one number per token (a row of them for characters)."""

    guideline: str
    words: NDArray[Any]
    shapes: NDArray[Any]
    characters: NDArray[Any]
    places: NDArray[Any]
    labels: NDArray[Any]

    def __len__(self) -> int:
        return len(self.words)


def name_settings(overrides: dict[str, Any]) -> Settings:
    """The settings of names.toml with ``section.key`` replaced by ``overrides``."""
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    for dotted, value in overrides.items():
        section, _, key = dotted.partition(".")
        if key not in settings.get(section, {}):
            known = [f"{section}.{key}" for section in settings for key in settings[section]]
            raise UsageError(f"expected a setting of the name finder, one of {known}, got {dotted!r}")
        settings[section][key] = value
    if settings["network"]["filter_width"] % 2 == 0:
        raise UsageError(f"expected an odd filter_width, got {settings['network']['filter_width']}")
    return settings


class NameTrainer:
    """Trains a name finder.

    Parameters
    ----------
    texts
        What to learn from, and what to be measured on between epochs.
    lexicon
        The lists of names that become the gazetteer.
    vectors
        What the word embeddings start from.
    settings
        As in names.toml.
    """

    def __init__(self, texts: NameTexts, lexicon: Lexicon, vectors: WordVectors, settings: Settings) -> None:
        self.texts = texts
        self.vectors = vectors
        self.settings = settings
        self.gazetteer = Gazetteer(*Gazetteer.tables(lexicon.names()))
        sentences = [
            with_other_names(sentence, self.gazetteer) if guideline == "bc2gm" else sentence
            for guideline, some in texts.training.items()
            for sentence in labelled_sentences(some, guideline=guideline)
        ]
        self.vocabulary = Vocabulary.from_texts(
            (sentence.words for sentence in sentences),
            extra_words=vectors.words,
            max_words=settings["network"]["words"],
        )
        self.sentences = [self.numbered(sentence) for sentence in sentences]

    def train(self, report: Callable[[str], None]) -> NameModel:
        """The model after the last epoch, its weights averaged over the batches."""
        require_torch()
        import torch

        from lab.training.pipeline.name_network import NameNetwork

        torch.manual_seed(self.settings["training"]["seed"])
        network = NameNetwork(self.vocabulary, self.vectors.table.shape[1], self.settings)
        network.start_from(self._known_vectors())

        def after_epoch(averaged: dict[str, Any]) -> None:
            if self.settings["training"]["tuning"]:
                report(self._tuning_report(self.model_of(averaged)))

        def loss(sentences: list[NumberedSentence]) -> Any:
            return network.loss(padded(sentences))

        options = self.settings["training"]
        return self.model_of(averaged_weights(network, self._batches, loss, options, report, after_epoch=after_epoch))

    def _known_vectors(self) -> dict[int, NDArray[Any]]:
        """Vectors of unit length for the rows of the vocabulary that have one."""
        row = {word: number for number, word in enumerate(self.vectors.words)}
        return {
            number: self.vectors.table[row[word]] / max(float(np.linalg.norm(self.vectors.table[row[word]])), 1e-6)
            for number, word in enumerate(self.vocabulary.words, start=UNKNOWN + 1)
            if word in row
        }

    def numbered(self, sentence: LabelledSentence) -> NumberedSentence:
        """The sentence as the network reads it."""
        return NumberedSentence(
            sentence.guideline,
            self.vocabulary.word_ids(sentence.words),
            self.vocabulary.shape_ids(sentence.words),
            self.vocabulary.character_ids(sentence.words),
            np.array(self.gazetteer.find_places(sentence.words)),
            np.array([_LABEL_NUMBERS[sentence.guideline][label] for label in sentence.labels]),
        )

    def _batches(self, state: random.Random) -> list[list[NumberedSentence]]:
        """Sentences of one guideline and like length together, in random order."""
        batches: list[list[NumberedSentence]] = []
        for guideline in GUIDELINES:
            sentences = [sentence for sentence in self.sentences if sentence.guideline == guideline]
            batches += batches_of_like_length(sentences, self.settings["training"]["tokens_per_batch"], state)
        state.shuffle(batches)
        return batches

    def model_of(self, state: dict[str, Any]) -> NameModel:
        """The weights in a network's state as a model that runs without PyTorch."""
        arrays = {name: value.numpy().copy() for name, value in state.items()}
        return NameModel(
            self.vocabulary,
            self.gazetteer,
            _encoder_weights(arrays),
            tuple(_decoder(arrays, name) for name in GUIDELINES),
            one_kind(2 * arrays["mix.bias"].size),
        )

    def _tuning_report(self, model: NameModel) -> str:
        """F of each guideline on its own tuning texts."""
        scores = {
            guideline: name_scores(finder_pipeline(model, guideline), texts, kinds=WANTED_KINDS[guideline])
            for guideline, texts in self.texts.tuning.items()
        }
        return "\n".join(f"  {name}: " + ", ".join(f"{k} {v:.2f}" for k, v in s.items()) for name, s in scores.items())


def one_kind(width: int) -> KindClassifier:
    """To whom every name is a protein's: what is there until kinds are learned."""
    return KindClassifier(np.zeros((len(KINDS), width), dtype=np.float32), np.eye(1, len(KINDS), dtype=np.float32)[0])


def finder_pipeline(model: NameModel, guideline: str = DEFAULT_GUIDELINE) -> Language:
    """A pipeline of our tokenizer and the name finder alone."""
    nlp = spacy.blank("en")
    nlp.tokenizer = build_tokenizer(nlp.vocab)
    finder: NameFinder = nlp.add_pipe("protein_names", name="ner", config={"guideline": guideline})  # type: ignore[assignment]
    finder.model = model
    return nlp


def padded(sentences: Sequence[NumberedSentence]) -> Batch:
    """Sentences of one guideline as one batch; padding is 0."""
    import torch

    from lab.training.pipeline.name_network import Batch

    shape = (len(sentences), max(len(sentence) for sentence in sentences))
    arrays = {
        "words": np.zeros(shape, dtype=np.int64),
        "shapes": np.zeros(shape, dtype=np.int64),
        "characters": np.zeros((*shape, MAX_WORD_CHARACTERS), dtype=np.int64),
        "places": np.zeros(shape, dtype=np.int64),
        "labels": np.zeros(shape, dtype=np.int64),
    }
    present = np.zeros(shape, dtype=bool)
    for row, sentence in enumerate(sentences):
        for name, array in arrays.items():
            array[row, : len(sentence)] = getattr(sentence, name)
        present[row, : len(sentence)] = True
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    return Batch(guideline=sentences[0].guideline, present=torch.from_numpy(present), **tensors)


def _encoder_weights(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """PyTorch's names and layouts to those of :class:`ppi.language.names.neural_network.NameEncoder`."""
    weights = {name: arrays[f"{name}.weight"] for name in ("words", "shapes", "characters", "places", "mix")}
    weights["mix_bias"] = arrays["mix.bias"]
    weights["filters"] = arrays["filters.weight"].transpose(0, 2, 1)
    weights["filter_bias"] = arrays["filters.bias"]
    for direction, suffix in (("forward", ""), ("backward", "_reverse")):
        weights[f"{direction}_inputs"] = arrays[f"context.weight_ih_l0{suffix}"]
        weights[f"{direction}_recurrent"] = arrays[f"context.weight_hh_l0{suffix}"]
        weights[f"{direction}_bias"] = arrays[f"context.bias_ih_l0{suffix}"] + arrays[f"context.bias_hh_l0{suffix}"]
    return weights


def _decoder(arrays: dict[str, NDArray[Any]], guideline: str) -> Decoder:
    prefix = f"fields.{guideline}"
    return Decoder(
        TYPES[guideline],
        arrays[f"{prefix}.scores.weight"],
        arrays[f"{prefix}.scores.bias"],
        arrays[f"{prefix}.steps"] + arrays[f"{prefix}.legal"],
    )
