"""Everything the name finder has learned, and finding names with it: tokens in, spans of tokens with their kinds out.

Two corpora taught it, and they disagree about what a name is: BioCreative II marks genes and their products by name,
"IL-2 gene" included; JNLPBA marks proteins, families such as "transcription factors" included and genes not.  Under
one label a learner settles between the two and is wrong in both senses.  Here one encoder serves two decoders, one for
each guideline.  The first is used unless the other is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import srsly
from numpy.typing import NDArray

from ppi.errors import UsageError
from ppi.pipeline.kinds import CELL, CHEMICAL, DNA_RNA, ORGANISM, PROTEIN
from ppi.pipeline.loading import DEFAULT_GUIDELINE
from ppi.pipeline.names.context import classify_in_context
from ppi.pipeline.names.decoding import Decoder
from ppi.pipeline.names.gazetteer import Gazetteer
from ppi.pipeline.names.kinds import KindClassifier, NameSpan
from ppi.pipeline.names.network import FloatArray, NameEncoder
from ppi.pipeline.names.segments import TokenizedText, split_segments
from ppi.pipeline.names.vocabulary import Vocabulary
from ppi.pipeline.names.votes import KindVotes

#: The two guidelines.
GUIDELINES = ("bc2gm", "jnlpba")
FORMAT = 2

#: Kinds of the decoders' types; names of genes and proteins are looked at more closely by the classifier.
_KIND_OF_TYPE = {
    "GENE": PROTEIN,
    "chemical": CHEMICAL,
    "cell": CELL,
    "organism": ORGANISM,
    "protein": PROTEIN,
    "DNA": DNA_RNA,
    "RNA": DNA_RNA,
    "cell_type": CELL,
    "cell_line": CELL,
}

TokenSpan = tuple[int, int]


@dataclass(frozen=True, eq=False)
class DecodedSentence:
    """A sentence of text number ``text``, from its word ``start`` on; places of names count from there."""

    text: int
    start: int
    vectors: FloatArray
    names: Sequence[NameSpan]

    @property
    def proteins(self) -> list[TokenSpan]:
        """Where the decoder found genes and proteins, families among them."""
        return [(start, end) for start, end, kind in self.names if kind == PROTEIN]


@dataclass(frozen=True, eq=False)
class NameModel:
    """Vocabulary, known names and weights.

    Parameters
    ----------
    weights
        Of the encoder, see :class:`Network`.
    decoders
        One for each of :data:`GUIDELINES`.
    classifier
        Tells kinds of names apart.
    """

    vocabulary: Vocabulary
    gazetteer: Gazetteer
    weights: dict[str, NDArray[Any]]
    decoders: tuple[Decoder, ...]
    classifier: KindClassifier

    @cached_property
    def encoder(self) -> NameEncoder:
        """The encoder, ready to use."""
        return NameEncoder(self.weights, self.vocabulary)

    def find(self, texts: Sequence[TokenizedText], *, guideline: str = DEFAULT_GUIDELINE) -> list[list[NameSpan]]:
        """The names in each text, in its order.

        Parameters
        ----------
        guideline
            One of :data:`GUIDELINES`.
        """
        names_by_text: list[list[NameSpan]] = [[] for _ in texts]
        votes_by_text: list[KindVotes] = [KindVotes() for _ in texts]
        for sentence in self.decode(texts, guideline=guideline):
            number, offset = sentence.text, sentence.start
            names_by_text[number].extend(
                NameSpan(offset + start, offset + end, kind) for start, end, kind in sentence.names
            )
            if guideline == DEFAULT_GUIDELINE:  # the classifier knows no other names
                spans = sentence.proteins
                for (start, end), row in zip(spans, self.classifier.scores(sentence.vectors, spans)):
                    votes_by_text[number].add(texts[number].words[offset + start : offset + end], row)
        return [
            classify_in_context(text, text_votes.assign_kinds(text.words, sorted(names)))
            for text, names, text_votes in zip(texts, names_by_text, votes_by_text)
        ]

    def decode(
        self, texts: Sequence[TokenizedText], *, guideline: str = DEFAULT_GUIDELINE
    ) -> Iterator[DecodedSentence]:
        """The sentences of the texts with their vectors and names, in some order.

        Raises
        ------
        UsageError
            If there is no such guideline.
        """
        check_guideline(guideline)
        decoder = self.decoders[GUIDELINES.index(guideline)]
        places = [self.gazetteer.find_places(text.words) for text in texts]
        segment_bounds = [(number, *bounds) for number, text in enumerate(texts) for bounds in split_segments(text)]
        encoded_segments = self.encoder.encode(
            [texts[number].words[start:end] for number, start, end in segment_bounds],
            [places[number][start:end] for number, start, end in segment_bounds],
        )
        for index, vectors in encoded_segments:
            names = [
                NameSpan(first, last, _KIND_OF_TYPE[decoder.types[type]])
                for first, last, type in decoder.names(decoder.scores(vectors))
            ]
            yield DecodedSentence(segment_bounds[index][0], segment_bounds[index][1], vectors, names)

    def to_bytes(self) -> bytes:
        """Half-precision weights and the tables, as msgpack."""
        if not all((np.abs(array) <= np.finfo(np.float16).max).all() for array in self.weights.values()):
            raise ValueError("expected weights that half precision can hold, got larger ones or NaN")
        content = {
            "format": FORMAT,
            "words": list(self.vocabulary.words),
            "shapes": list(self.vocabulary.shapes),
            "characters": list(self.vocabulary.characters),
            "known_names": self.gazetteer.hashes,
            "lists": self.gazetteer.lists,
            "word_vectors": _quantize_rows(self.weights["words"]),
            "weights": {name: array.astype(np.float16) for name, array in self.weights.items() if name != "words"},
            "decoders": [
                {"types": list(d.types), "weights": d.weights, "bias": d.bias, "steps": d.steps} for d in self.decoders
            ],
            "classifier": {"weights": self.classifier.weights, "bias": self.classifier.bias},
        }
        return srsly.msgpack_dumps(content)

    @classmethod
    def from_bytes(cls, data: bytes) -> NameModel:
        """What :meth:`to_bytes` wrote."""
        content = srsly.msgpack_loads(data)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"expected a name model of format {FORMAT}, got something else")
        try:
            model = cls._from_content(content)
            model.find(
                [TokenizedText(["p53"], [""])]
            )  # tables and weights that do not fit each other are found out here
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            raise ValueError(f"expected a whole name model, got a damaged one: {error!r}") from error
        return model

    @classmethod
    def _from_content(cls, content: dict[str, Any]) -> NameModel:
        weights = {name: array.astype(np.float32) for name, array in content["weights"].items()}
        rows = content["word_vectors"]
        weights["words"] = rows["bytes"].astype(np.float32) * rows["scales"].astype(np.float32)
        return cls(
            Vocabulary(content["words"], content["shapes"], content["characters"]),
            Gazetteer(content["known_names"], content["lists"]),
            weights,
            tuple(
                Decoder(tuple(d["types"]), *(d[part].astype(np.float32) for part in ("weights", "bias", "steps")))
                for d in content["decoders"]
            ),
            KindClassifier(*(content["classifier"][part].astype(np.float32) for part in ("weights", "bias"))),
        )


def _quantize_rows(rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A byte for each number of the largest table, and each row's scale."""
    scales = (np.abs(rows).max(axis=1, keepdims=True) / 127).astype(np.float16)
    steps = np.where(scales == 0, 1, scales).astype(np.float32)
    return {"bytes": np.clip(np.rint(rows / steps), -127, 127).astype(np.int8), "scales": scales}


def check_guideline(guideline: str) -> None:
    """Raise a UsageError unless there is such a guideline."""
    if guideline not in GUIDELINES:
        raise UsageError(f"expected a guideline for names, one of {list(GUIDELINES)}, got {guideline!r}")


def drop_overlapping(names: Sequence[NameSpan], spans: Sequence[TokenSpan]) -> Iterator[NameSpan]:
    """Those names that share no token with a span already taken."""
    occupied = {token for start, end in spans for token in range(start, end)}
    return (name for name in names if occupied.isdisjoint(range(name.start, name.end)))
