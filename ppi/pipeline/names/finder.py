"""Everything the name finder has learned, and finding names with it: tokens in, spans of tokens out.

Two corpora taught it, and they disagree about what a name is: BioCreative II marks genes and their products by name,
"IL-2 gene" included; JNLPBA marks proteins, families such as "transcription factors" included and genes not.  Under
one label a learner settles between the two and is wrong in both senses.  Here one encoder serves two decoders, one for
each guideline, and a gate says which of the two corpora a text resembles.
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
from ppi.pipeline.names.decoding import Decoder
from ppi.pipeline.names.gazetteer import Gazetteer
from ppi.pipeline.names.network import Array, Network
from ppi.pipeline.names.segments import Tokenized, segments
from ppi.pipeline.names.vocabulary import Vocabulary

#: The two guidelines; the first is for texts without clear signs of the second.
GUIDELINES = ("bc2gm", "jnlpba")
#: Let the gate choose.
AUTO = "auto"
FORMAT = 1

TokenSpan = tuple[int, int]


@dataclass(frozen=True, eq=False)
class NameModel:
    """Vocabulary, known names and weights.

    Parameters
    ----------
    weights
        Of the encoder, see :class:`Network`.
    decoders
        One for each of :data:`GUIDELINES`.
    gate_threshold
        Log odds of the second guideline, summed over a text's sentences, from which on it is followed.
    """

    vocabulary: Vocabulary
    gazetteer: Gazetteer
    weights: dict[str, NDArray[Any]]
    decoders: tuple[Decoder, ...]
    gate_threshold: float

    @cached_property
    def network(self) -> Network:
        """The encoder, ready to use."""
        return Network(self.weights, self.vocabulary)

    def find(self, texts: Sequence[Tokenized], *, guideline: str = AUTO) -> list[list[TokenSpan]]:
        """The names in each text, as start and end in its words.

        Parameters
        ----------
        guideline
            "auto", or one of :data:`GUIDELINES` for all texts.
        """
        check_guideline(guideline)
        places = [self.gazetteer.places(text.words) for text in texts]
        cuts = [(number, *cut) for number, text in enumerate(texts) for cut in segments(text)]
        encoded = self.network.encode(
            [texts[number].words[start:end] for number, start, end in cuts],
            [places[number][start:end] for number, start, end in cuts],
        )
        # label scores, not vectors, wait for the whole text to be read
        scores: list[tuple[Array, ...]] = [()] * len(cuts)
        evidence = np.zeros(len(texts))
        for index, vectors, log_odds in encoded:
            scores[index] = tuple(decoder.scores(vectors) for decoder in self.decoders)
            evidence[cuts[index][0]] += log_odds
        found: list[list[TokenSpan]] = [[] for _ in texts]
        for (number, start, _), by_guideline in zip(cuts, scores):
            choice = self._choice(guideline, evidence[number])
            names = self.decoders[choice].names(by_guideline[choice])
            found[number].extend((start + first, start + last) for first, last in names)
        return found

    def _choice(self, guideline: str, evidence: float) -> int:
        return int(evidence >= self.gate_threshold) if guideline == AUTO else GUIDELINES.index(guideline)

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
            "gate_threshold": self.gate_threshold,
            "weights": {name: array.astype(np.float16) for name, array in self.weights.items()},
            "decoders": [
                {"types": list(d.types), "weights": d.weights, "bias": d.bias, "steps": d.steps} for d in self.decoders
            ],
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
        return cls(
            Vocabulary(content["words"], content["shapes"], content["characters"]),
            Gazetteer(content["known_names"]),
            {name: array.astype(np.float32) for name, array in content["weights"].items()},
            tuple(
                Decoder(tuple(d["types"]), *(d[part].astype(np.float32) for part in ("weights", "bias", "steps")))
                for d in content["decoders"]
            ),
            content["gate_threshold"],
        )


def check_guideline(guideline: str) -> None:
    """Raise a UsageError unless there is such a guideline."""
    if guideline not in (AUTO, *GUIDELINES):
        raise UsageError(f"expected a guideline for names, one of {[AUTO, *GUIDELINES]}, got {guideline!r}")


def non_overlapping(found: Sequence[TokenSpan], taken: Sequence[TokenSpan]) -> Iterator[TokenSpan]:
    """Those spans that share no token with one already taken."""
    occupied = {token for start, end in taken for token in range(start, end)}
    return (span for span in found if occupied.isdisjoint(range(*span)))
