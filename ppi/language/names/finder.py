"""Finds names with a trained model: tokens in, spans of tokens with their kinds out.

Two corpora taught the model, and they disagree about what a name is: BioCreative II marks genes and their products by
name, "IL-2 gene" included; JNLPBA marks proteins, families such as "transcription factors" included and genes not.
Under one label a learner settles between the two and is wrong in both senses.  Here one encoder serves two decoders,
one for each guideline.

What stands around a name then decides on its kind, by rules for what no corpus teaches well:

* An abbreviation is what its long form is: "benzo[a]pyrene (BaP)" a chemical, "endothelial progenitor cells (EPC)" a
  cell, "epithelial-mesenchymal transition (EMT)" none of the kinds, wherever the text has EPC or EMT.
* "anti-FLAG", "CD3 antibody" are antibodies; GFP and FLAG are tags, and so is GST in "GST-Arfrp1" and "GST pull-down".
* "CD4+ T cells", "CD34-positive" are cells.
* "p53 mRNA", "IL-2 promoter", "p53 siRNA" are DNA or RNA.
* "Na+" is a chemical, "Ser78" a residue.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, takewhile
from typing import Any

import numpy as np
import srsly
from numpy.typing import NDArray

from ppi.language.abbreviations.definitions import Meanings, find_definitions
from ppi.language.abbreviations.long_forms import Definition
from ppi.language.entity_kinds import CELL, CHEMICAL, DNA_RNA, FAMILY, KINDS, ORGANISM, OTHER, PROTEIN
from ppi.language.names.neural_network import Decoder, FloatArray, KindClassifier, NameEncoder, NameSpan, check_weights
from ppi.language.names.rules import (
    classify_by_spelling,
    classify_long_form,
    find_head,
    has_form_of_kind,
    is_generic_description,
)
from ppi.language.names.token_features import Gazetteer, Vocabulary
from ppi.language.shipped_pipeline import DEFAULT_GUIDELINE, GUIDELINES, check_guideline
from ppi.language.tokenization import TokenizedText, split_segments, word_set

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

_PROTEIN_KINDS = (PROTEIN, FAMILY)

_NUCLEIC = word_set(
    """
    mrna mrnas cdna cdnas promoter promoters enhancer enhancers sirna sirnas shrna shrnas utr dsrna
    sgrna sgrnas primers oligonucleotide oligonucleotides transcript transcripts
    """
)
_ANTIBODIES = word_set("antibody antibodies mab mabs antiserum antisera autoantibody autoantibodies")
#: Proteins, peptides and dyes that are tags where something is joined to them, and names elsewhere.
_TAG_PROTEINS = word_set("gst mbp ha his 6xhis his6 v5 t7 strep tap halo snap cy2 cy3 cy5 venus cerulean nluc")
_JOINTS = word_set("- :: ‐ ‑")
#: Behind a tag: what is done with it.
_TAG_CONTEXT_WORDS = word_set("pull pulldown pulldowns fusion fusions tag tags beads resin")
_POSITIVE = frozenset({"positive", "negative"})
#: A phosphorylated or ubiquitinated residue, if a word indicates it: "at S6, S9 and S46".
_RESIDUE = re.compile(r"[KRSTY]\d{1,4}")
_AT_RESIDUE = word_set("at on residue residues site sites")
_LIST_SEPARATORS = word_set(", and or /")


class KindVotes:
    """The classifier's scores of the names that a decoder took for genes or proteins, summed by name."""

    def __init__(self) -> None:
        self._scores: dict[tuple[str, ...], NDArray[np.float32]] = {}

    def add(self, words: Sequence[str], scores: NDArray[np.float32]) -> None:
        """Another mention of a name, with the score of each kind."""
        name = tuple(words)
        self._scores[name] = self._scores.get(name, 0) + scores

    def assign_kinds(self, words: Sequence[str], names: Sequence[NameSpan]) -> list[NameSpan]:
        """The names of a text, proteins with the kind that has most, of those that the name's form allows.

        If the decoder more often took a name for a chemical, a cell or an organism, it is that everywhere.
        """
        kinds = {
            name: next(
                KINDS[kind] for kind in np.argsort(-scores, kind="stable") if has_form_of_kind(name, KINDS[kind])
            )
            for name, scores in self._scores.items()
        }
        decoded_kinds: dict[tuple[str, ...], Counter[str]] = {}
        for start, end, kind in names:
            decoded_kinds.setdefault(tuple(words[start:end]), Counter())[kind] += 1
        for key, counts in decoded_kinds.items():
            kind, count = counts.most_common(1)[0]
            if count > counts[PROTEIN]:
                kinds[key] = kind
        return [
            name._replace(kind=kinds.get(tuple(words[name.start : name.end]), PROTEIN))
            if name.kind == PROTEIN
            else name
            for name in names
        ]


@dataclass(frozen=True, eq=False)
class DecodedSentence:
    """A sentence of text number ``text``, from its word ``start`` on; places of names count from there."""

    text: int
    start: int
    vectors: FloatArray
    names: Sequence[NameSpan]

    @property
    def proteins(self) -> list[tuple[int, int]]:
        """Where the decoder found genes and proteins, families among them."""
        return [(start, end) for start, end, kind in self.names if kind == PROTEIN]


@dataclass(frozen=True, eq=False)
class NameModel:
    """Vocabulary, known names, weights of the encoder, and the classifier that distinguishes kinds of names.

    There is a decoder for each of :data:`~ppi.language.shipped_pipeline.GUIDELINES`.
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
        """The names in each text, in its order, by one of :data:`~ppi.language.shipped_pipeline.GUIDELINES`."""
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
        for number, (text, names, text_votes) in enumerate(zip(texts, names_by_text, votes_by_text)):
            names_by_text[number] = classify_in_context(text, text_votes.assign_kinds(text.words, sorted(names)))
        return names_by_text

    def decode(
        self, texts: Sequence[TokenizedText], *, guideline: str = DEFAULT_GUIDELINE
    ) -> Iterator[DecodedSentence]:
        """The sentences of the texts with their vectors and names, in some order."""
        check_guideline(guideline)
        decoder = self.decoders[GUIDELINES.index(guideline)]
        places = list(map(self.gazetteer.find_places, (text.words for text in texts)))
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
        data: bytes = srsly.msgpack_dumps(content)
        return data

    @classmethod
    def from_bytes(cls, data: bytes) -> NameModel:
        """What :meth:`to_bytes` wrote."""
        content = srsly.msgpack_loads(data)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"expected a name model of format {FORMAT}, got something else")
        try:
            weights = {name: array.astype(np.float32) for name, array in content["weights"].items()}
            rows = content["word_vectors"]
            weights["words"] = rows["bytes"].astype(np.float32) * rows["scales"].astype(np.float32)
            vocabulary = Vocabulary(content["words"], content["shapes"], content["characters"])
            decoders = tuple(
                Decoder(tuple(d["types"]), *(d[part].astype(np.float32) for part in ("weights", "bias", "steps")))
                for _, d in zip(GUIDELINES, content["decoders"], strict=True)
            )
            classifier = KindClassifier(
                *(content["classifier"][part].astype(np.float32) for part in ("weights", "bias"))
            )
            check_weights(weights, vocabulary, decoders, classifier)
            gazetteer = Gazetteer(content["known_names"], content["lists"])
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"expected a whole name model, got a damaged one: {error!r}") from error
        return cls(vocabulary, gazetteer, weights, decoders, classifier)


def _quantize_rows(rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A byte for each number of the largest table, and each row's scale."""
    scales = (np.abs(rows).max(axis=1, keepdims=True) / 127).astype(np.float16)
    steps = np.where(scales == 0, 1, scales).astype(np.float32)
    return {"bytes": np.clip(np.rint(rows / steps), -127, 127).astype(np.int8), "scales": scales}


def classify_in_context(text: TokenizedText, names: Iterable[NameSpan]) -> list[NameSpan]:
    """The names of a whole text in their order, some with another kind."""
    classified_names: list[NameSpan] = []
    has_decisive_spelling: list[bool] = []
    for name in names:  # only what would be taken for a protein is looked at
        kind = classify_by_spelling(text.join(name.start, name.end)) if name.kind in _PROTEIN_KINDS else None
        classified_names.append(name if kind is None else name._replace(kind=kind))
        has_decisive_spelling.append(kind is not None)
    abbreviation_kinds = _find_abbreviation_kinds(text, classified_names)
    return [
        name if is_sure else _apply_context(text, name, abbreviation_kinds)
        for name, is_sure in zip(classified_names, has_decisive_spelling)
    ]


def _apply_context(text: TokenizedText, name: NameSpan, abbreviation_kinds: Meanings[str]) -> NameSpan:
    """The name with the kind that the words around it and the text's definitions give."""
    words = text.words[name.start : name.end]
    long_form_kind = abbreviation_kinds.look_up("".join(words), (0, name.start)) if abbreviation_kinds else None
    if long_form_kind in _PROTEIN_KINDS and name.kind not in _PROTEIN_KINDS:
        name = name._replace(kind=long_form_kind)
    if name.kind not in _PROTEIN_KINDS:
        return name
    kind = _classify_by_neighbours(text.words, name) or (
        long_form_kind if long_form_kind not in _PROTEIN_KINDS else None
    )
    if kind is None and is_generic_description(words):
        kind = FAMILY
    return name if kind is None else name._replace(kind=kind)


def _classify_by_neighbours(words: Sequence[str], name: NameSpan) -> str | None:
    before = tuple(word.lower() for word in words[max(name.start - 2, 0) : name.start])
    after = tuple(word.lower() for word in words[name.end : name.end + 2])
    if before == ("anti", "-") or (after and after[0] in _ANTIBODIES):
        return OTHER
    if after and (after[0].startswith("+") or (after[0] == "-" and after[-1] in _POSITIVE)):
        return CELL
    if after and (after[0] in _NUCLEIC or (after[0] == "gene" and after[-1] in _NUCLEIC)):
        return DNA_RNA
    if "".join(words[name.start : name.end]).lower() in _TAG_PROTEINS:
        is_joined_behind = bool(after) and (after[0] in _TAG_CONTEXT_WORDS or (len(after) == 2 and after[0] in _JOINTS))
        if is_joined_behind or (len(before) == 2 and before[1] in _JOINTS):
            return OTHER
    if name.end == name.start + 1 and _RESIDUE.fullmatch(words[name.start]):
        return OTHER if after == ("-", "linked") or _is_at_residue(words, name.start) else None
    return None


def _is_at_residue(words: Sequence[str], start: int) -> bool:
    """Whether a word such as "at" stands before a list of residues that reaches to a place."""
    for word in reversed(words[max(0, start - 8) : start]):
        if word.lower() in _AT_RESIDUE:
            return True
        if word not in _LIST_SEPARATORS and not _RESIDUE.fullmatch(word):
            return False
    return False


def _find_abbreviation_kinds(text: TokenizedText, names: Sequence[NameSpan]) -> Meanings[str]:
    """The kinds of the abbreviations that the text defines."""
    kinds = Meanings[str]()
    pieces = [word + gap for word, gap in zip(*text)]
    whole, starts = "".join(pieces), [0, *accumulate(map(len, pieces))]
    for definition in find_definitions(whole):
        kind = _classify_definition(whole, definition, starts, names)
        if kind is not None:
            kinds.add(whole[slice(*definition.short)], (0, _word_index(starts, definition.short[0])), kind)
    return kinds


def _classify_definition(
    whole: str, definition: Definition, starts: Sequence[int], names: Sequence[NameSpan]
) -> str | None:
    """The kind of a long form."""
    start, end = definition.long
    long = whole[start:end]
    head = _word_index(starts, start + find_head(long)[1] - 1)
    first, last = _word_index(starts, start), _word_index(starts, end - 1)
    first_name = max(bisect_left(names, (first,)) - 1, 0)
    near = takewhile(lambda name: name.start <= last, islice(names, first_name, None))
    inside = [name for name in near if name.end > first]
    head_kind = next((name.kind for name in inside if name.start <= head < name.end), None)
    has_protein = any(name.kind in _PROTEIN_KINDS for name in inside)
    return classify_long_form(long, head_kind=head_kind, has_protein=has_protein)


def _word_index(starts: Sequence[int], character: int) -> int:
    """The word to which a character belongs."""
    return bisect_right(starts, character) - 1
