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
from ppi.pipeline.names.context import in_context
from ppi.pipeline.names.decoding import Decoder
from ppi.pipeline.names.gazetteer import Gazetteer
from ppi.pipeline.names.kinds import FoundName, KindClassifier
from ppi.pipeline.names.network import Array, Network
from ppi.pipeline.names.segments import Tokenized, segments
from ppi.pipeline.names.vocabulary import Vocabulary
from ppi.pipeline.names.votes import Votes

#: The two guidelines.
GUIDELINES = ("bc2gm", "jnlpba")
DEFAULT = GUIDELINES[0]
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
    vectors: Array
    names: Sequence[FoundName]

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
    def network(self) -> Network:
        """The encoder, ready to use."""
        return Network(self.weights, self.vocabulary)

    def find(self, texts: Sequence[Tokenized], *, guideline: str = DEFAULT) -> list[list[FoundName]]:
        """The names in each text, in its order.

        Parameters
        ----------
        guideline
            One of :data:`GUIDELINES`.
        """
        found: list[list[FoundName]] = [[] for _ in texts]
        votes: list[Votes] = [Votes() for _ in texts]
        for sentence in self.decoded(texts, guideline=guideline):
            number, offset = sentence.text, sentence.start
            found[number].extend(FoundName(offset + start, offset + end, kind) for start, end, kind in sentence.names)
            if guideline == DEFAULT:  # the classifier knows no other names
                spans = sentence.proteins
                for (start, end), row in zip(spans, self.classifier.scores(sentence.vectors, spans)):
                    votes[number].add(texts[number].words[offset + start : offset + end], row)
        return [
            in_context(text, voted.told(text.words, sorted(names))) for text, names, voted in zip(texts, found, votes)
        ]

    def decoded(self, texts: Sequence[Tokenized], *, guideline: str = DEFAULT) -> Iterator[DecodedSentence]:
        """The sentences of the texts with their vectors and names, in some order.

        Raises
        ------
        UsageError
            If there is no such guideline.
        """
        check_guideline(guideline)
        decoder = self.decoders[GUIDELINES.index(guideline)]
        places = [self.gazetteer.places(text.words) for text in texts]
        cuts = [(number, *cut) for number, text in enumerate(texts) for cut in segments(text)]
        encoded = self.network.encode(
            [texts[number].words[start:end] for number, start, end in cuts],
            [places[number][start:end] for number, start, end in cuts],
        )
        for index, vectors in encoded:
            names = [
                FoundName(first, last, _KIND_OF_TYPE[decoder.types[type]])
                for first, last, type in decoder.names(decoder.scores(vectors))
            ]
            yield DecodedSentence(cuts[index][0], cuts[index][1], vectors, names)

    def to_bytes(self) -> bytes:
        """Half-precision weights and the tables, as msgpack."""
        if not all((np.abs(array) <= np.finfo(np.float16).max).all() for array in self.weights.values()):
            raise ValueError("expected weights that half precision can hold, got larger ones or NaN")
        content = {
            "format": FORMAT,
            "words": list(self.vocabulary.words),
            "shapes": list(self.vocabulary.shapes),
            "characters": list(self.vocabulary.characters),
            "known_names": self.gazetteer.known,
            "lists": self.gazetteer.lists,
            "word_vectors": _in_bytes(self.weights["words"]),
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
            model.find([Tokenized(["p53"], [""])])  # tables and weights that do not fit each other are found out here
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


def _in_bytes(rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A byte for each number of the largest table, and each row's scale."""
    scales = (np.abs(rows).max(axis=1, keepdims=True) / 127).astype(np.float16)
    steps = np.where(scales == 0, 1, scales).astype(np.float32)
    return {"bytes": np.clip(np.rint(rows / steps), -127, 127).astype(np.int8), "scales": scales}


def check_guideline(guideline: str) -> None:
    """Raise a UsageError unless there is such a guideline."""
    if guideline not in GUIDELINES:
        raise UsageError(f"expected a guideline for names, one of {list(GUIDELINES)}, got {guideline!r}")


def non_overlapping(found: Sequence[FoundName], taken: Sequence[TokenSpan]) -> Iterator[FoundName]:
    """Those names that share no token with a span already taken."""
    occupied = {token for start, end in taken for token in range(start, end)}
    return (name for name in found if occupied.isdisjoint(range(name.start, name.end)))
