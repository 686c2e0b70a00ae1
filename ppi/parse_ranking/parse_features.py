"""Candidate parses as rows of sparse features: walks and link patterns of any parse, or the parts of trees.

A parse is a graph: a vertex for each token (labels: word, part of speech, the grammar's word class) and for each link
(labels: its type, and the type without its subscripts), edges token -> link -> token.

walks
    G = sum_{i=1..n} decay^(i-1) L A^i L^T  [thesis, 2.6]: label pairs that a walk of at most n edges joins.  Two edges
    join the two words of a link, the grammatical bigrams of [Tsivtsivadze2005].
links
    Features of one link or one token, as in [Tsivtsivadze2005]: the type of a link with its length, with both parts of
    speech, with both words; word class with tag; tokens that no link reaches.  Besides, the parts of speech around and
    between the two words, as in [McDonald2005]: attachment is decided there.
generator
    Place in the generator's order and cost relative to its cheapest parse.

The first two are hashed (nothing to fit, unknown words need no care) and scaled to the same length.

.. [Tsivtsivadze2005] E. Tsivtsivadze, T. Pahikkala, S. Pyysalo, J. Boberg, A. Mylläri, T. Salakoski. Regularized
   least-squares for parse ranking. IDA 2005.
.. [McDonald2005] R. McDonald, K. Crammer, F. Pereira. Online large-margin training of dependency parsers. ACL 2005.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.feature_extraction import FeatureHasher

from corpora import Token
from kernels import LabelledGraph, WalkFeatures, normalize_features, stack_features
from ppi.core import UsageError
from ppi.language import ROOT, BeamFeatures, BeamTrees
from ppi.parse_ranking.candidate_parses import CandidateParse, CandidateSet

_BATCH_TEXTS = 64
#: Kinds of labels of a vertex.
LABELS = ("word", "pos", "class", "link")
#: Where the part of speech comes from: the candidate's own tokens, or the shipped tagger.
TAG_SOURCES = ("given", "shipped")
N_GENERATOR_COLUMNS = 5
#: What a model file calls the features of trees.
TREE_FEATURES_KIND = "trees"

_DIGITS = re.compile(r"\d+")
_SUBSCRIPT = re.compile(r"[^A-Z].*$")
_MAX_WALK_EDGES = 100  # walks as long as the longest sentences
_MAX_LINK_LENGTH = 12  # links longer than this share a label
_MAX_COARSE_LENGTH = 6  # and a coarser scale, beside words


class TaggedText(NamedTuple):
    """The tagger's tokens of a text, in order: where each starts, ends, and its tag.

    >>> text = TaggedText((0, 9), (8, 14), ("NN", "VBZ"))
    >>> text.tag_at(9, 14), text.tag_at(20, 22)
    ('VBZ', None)
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    tags: tuple[str, ...]

    def tag_at(self, start: int, end: int) -> str | None:
        """The tag of the token that shares most characters with this span, the first of equals; None if none does."""
        best, max_shared = None, 0
        place = max(bisect_right(self.starts, start) - 1, 0)
        while place < len(self.starts) and self.starts[place] < end:
            shared = min(end, self.ends[place]) - max(start, self.starts[place])
            if shared > max_shared:
                best, max_shared = self.tags[place], shared
            place += 1
        return best

    def tags_of(self, tokens: Iterable[Token]) -> list[str | None]:
        """The tag of each token, by its place in the text."""
        return [self.tag_at(token.start, token.end) for token in tokens]


def tag_texts(texts: Sequence[str]) -> list[TaggedText]:
    """Penn tags of each text by the shipped pipeline, as one sentence: no parser is run, so O(words).

    The Link Grammar chooses a class for each word as part of a parse ("bind.v", "bind.n"); the tag is evidence from
    outside, and where the two disagree the parse is suspect.
    """
    from ppi.language import load_shipped_pipeline

    nlp = load_shipped_pipeline()
    disabled_pipes = [name for name in nlp.pipe_names if name not in ("tok2vec", "tagger")]
    tagged_texts = []
    for doc in nlp.pipe(texts, disable=disabled_pipes, batch_size=_BATCH_TEXTS):
        words = [(token.idx, token.idx + len(token), token.tag_) for token in doc if not token.is_space]
        starts, ends, tags = zip(*words) if words else ((), (), ())
        tagged_texts.append(TaggedText(starts, ends, tags))
    return tagged_texts


class _IndexedParse(NamedTuple):
    """A parse by token positions."""

    words: list[str]
    tags: list[str | None]
    classes: list[str | None]
    links: list[tuple[int, int, str]]


@dataclass(frozen=True)
class ParseFeatures:
    """Turns candidate sets into one CSR row per candidate.

    A parse of t tokens and e links costs O(max_length (t + e) e) and as many hashed label pairs.

    Parameters
    ----------
    max_length
        The most edges in a walk.
    decay
        What each further edge of a walk is multiplied by.
    labels
        Which kinds of labels the vertices carry, of ``LABELS``.
    directed
        Whether walks follow links one way only (governor to dependent, left word to right word).
    links, generator
        Weights of the two other groups of features beside the walks, whose weight is 1; 0 leaves a group out.
    normalize
        Whether the walks and the links of a parse are scaled to length 1 each (the cosine kernel).
    tags
        "given": ``Token.pos`` is the part of speech; "shipped": the shipped tagger's Penn tag is, and ``Token.pos``
        the word class that the grammar chose.
    n_features
        Columns that walks and links are hashed into, each: a power of 2.
    """

    max_length: int = 3
    decay: float = 0.5
    labels: tuple[str, ...] = LABELS
    directed: bool = True
    links: float = 1.0
    generator: float = 0.0
    normalize: bool = True
    tags: str = "given"
    n_features: int = 2**18

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        unknown = [name for name in self.labels if name not in LABELS]
        if unknown or not self.labels:
            raise UsageError(f"expected labels among {LABELS}, at least one, got {self.labels!r}")
        if isinstance(self.max_length, int) and self.max_length > _MAX_WALK_EDGES:
            raise UsageError(f"expected max_length of at most {_MAX_WALK_EDGES}, got {self.max_length!r}")
        if self.tags not in TAG_SOURCES:
            raise UsageError(f"expected tags to be one of {TAG_SOURCES}, got {self.tags!r}")
        for name in ("links", "generator", "decay"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < float("inf"):
                raise UsageError(f"expected {name} to be a finite number of 0 or more, got {value!r}")
        self._walks().fit([])

    @property
    def width(self) -> int:
        """The number of columns."""
        return 2 * self.n_features + N_GENERATOR_COLUMNS

    def parameters(self) -> dict[str, Any]:
        """All parameters as plain JSON values."""
        return {**vars(self), "labels": list(self.labels)}

    def transform(self, sets: Sequence[CandidateSet], *, rows: NDArray[np.int64] | None = None) -> sp.csr_matrix:
        """The features of all candidates, in order, as rows; or of those at these places in that order."""
        selected = [(number, parse) for number, sentence in enumerate(sets) for parse in sentence.candidates]
        if rows is not None:
            selected = [selected[row] for row in rows]
        if not selected:
            return sp.csr_matrix((0, self.width))
        parses = list(self._index_parses(sets, selected))
        walks = self._walks().transform(self._graph(parse) for parse in parses)
        hasher = FeatureHasher(n_features=self.n_features, input_type="string")
        links = sp.csr_matrix(hasher.transform(list(_generate_patterns(parse)) for parse in parses))
        if self.normalize:
            walks, links = normalize_features(walks), normalize_features(links)
        generator_rows = np.array([_generator_features(sets[number], candidate) for number, candidate in selected])
        return stack_features([walks, links, generator_rows], weights=[1.0, self.links, self.generator])

    def _walks(self) -> WalkFeatures:
        lengths = range(self.max_length) if isinstance(self.max_length, int) else ()
        factors = [float(self.decay) ** extra for extra in lengths] or None  # a wrong length is refused by WalkFeatures
        return WalkFeatures(max_length=self.max_length, length_weights=factors, n_features=self.n_features)

    def _index_parses(
        self, sets: Sequence[CandidateSet], selected: Sequence[tuple[int, CandidateParse]]
    ) -> Iterator[_IndexedParse]:
        tagged_texts = tag_texts([candidate_set.text for candidate_set in sets]) if self.tags == "shipped" else None
        for number, candidate in selected:
            graph = candidate.graph
            tags: list[str | None] = [token.pos for token in graph.tokens]
            classes: list[str | None] = [None] * len(tags)
            if tagged_texts is not None:
                tags, classes = tagged_texts[number].tags_of(graph.tokens), tags
            place = {token.id: position for position, token in enumerate(graph.tokens)}
            words = [_DIGITS.sub("0", token.text.lower()) for token in graph.tokens]
            links = [(place[arc.governor], place[arc.dependent], arc.type) for arc in graph.dependencies]
            yield _IndexedParse(words, tags, classes, links)

    def _graph(self, parse: _IndexedParse) -> LabelledGraph:
        """The graph of the walks: tokens first, then links."""
        labels: list[list[str]] = []
        for word, tag, word_class in zip(parse.words, parse.tags, parse.classes, strict=True):
            values = {"word": f"w:{word}", "pos": tag and f"p:{tag}", "class": word_class and f"c:{word_class}"}
            labels.append([label for kind, label in values.items() if label and kind in self.labels])
        edges = []
        for number, (first, second, type) in enumerate(parse.links, start=len(parse.words)):
            labels.append([f"l:{type}", f"L:{_strip_subscript(type)}"] if "link" in self.labels else [])
            edges += [(first, number), (number, second)]
            if not self.directed:
                edges += [(second, number), (number, first)]
        return LabelledGraph(labels, edges)


def _generate_patterns(parse: _IndexedParse) -> Iterator[str]:
    """Names of the features of single links and tokens; a name that comes twice counts twice."""
    linked: set[int] = set()
    tags = ["^", *(tag or "-" for tag in parse.tags), "$"]  # of token t: place t + 1
    for first, second, type in parse.links:
        linked |= {first, second}
        yield from _link_patterns(parse, first, second, type)
        yield from _context_patterns(tags, min(first, second), max(first, second), _strip_subscript(type))
    for place, (word, tag, kind) in enumerate(zip(parse.words, parse.tags, parse.classes, strict=True)):
        yield from (f"class {kind} {tag}", f"class {kind} {word}")
        if place not in linked:
            yield from ("unlinked", f"unlinked {tag}", f"unlinked {word}")


def _link_patterns(parse: _IndexedParse, first: int, second: int, type: str) -> Iterator[str]:
    """Type, length, words and parts of speech of a link, singly and together [Tsivtsivadze2005]."""
    bare, direction = _strip_subscript(type), "<" if second < first else ">"
    distance = abs(second - first)
    length, scale = min(distance, _MAX_LINK_LENGTH), min(distance, _MAX_COARSE_LENGTH)
    (tag1, tag2), (word1, word2) = (parse.tags[first], parse.tags[second]), (parse.words[first], parse.words[second])
    yield from (f"type {type}", f"bare {bare}{direction}", f"length {length}", f"length {bare}{direction}{length}")
    yield from (f"tags {tag1}{direction}{tag2}", f"tags {type} {tag1}{direction}{tag2}")
    yield f"tags {bare}{direction}{length} {tag1} {tag2}"
    yield from (f"words {word1}{direction}{word2}", f"words {bare} {word1}{direction}{word2}")
    yield from (f"mixed {bare} {word1}{direction}{tag2}", f"mixed {bare} {tag1}{direction}{word2}")
    yield from (f"first {bare} {word1} {scale}", f"second {bare} {word2} {scale}")


def _context_patterns(tags: Sequence[str], left: int, right: int, bare: str) -> Iterator[str]:
    """Parts of speech between and around the two words of a link, with its type and without [McDonald2005, Table 1]."""
    before, left_tag, after = tags[left : left + 3]
    behind, right_tag, beyond = tags[right : right + 3]
    for kind in ("", bare):
        yield from (f"between {kind} {left_tag} {tag} {right_tag}" for tag in sorted(set(tags[left + 2 : right + 1])))
        yield f"inside {kind} {left_tag} {after} {behind} {right_tag}"
        yield f"outside {kind} {before} {left_tag} {right_tag} {beyond}"
        yield f"leftward {kind} {before} {left_tag} {behind} {right_tag}"
        yield f"rightward {kind} {left_tag} {after} {right_tag} {beyond}"
        yield f"distance {kind} {left_tag} {right_tag} {min(right - left, _MAX_COARSE_LENGTH)}"


def _generator_features(candidate_set: CandidateSet, candidate: CandidateParse) -> tuple[float, ...]:
    """Whether it is the generator's first; place and cost, each linear and on a logarithmic scale."""
    costs = [other.cost for other in candidate_set.candidates if other.cost is not None]
    extra_cost = candidate.cost - min(costs) if candidate.cost is not None else 0.0
    place = candidate.place
    return float(place == 0), place / len(candidate_set.candidates), np.log1p(place), extra_cost, np.log1p(extra_cost)


def _strip_subscript(type: str) -> str:
    """A link type without the subscripts that the Link Grammar adds: ``MVp`` is ``MV``; other names stay.

    >>> _strip_subscript("MVp"), _strip_subscript("nsubj")
    ('MV', 'nsubj')
    """
    return _SUBSCRIPT.sub("", type) or type


@dataclass(frozen=True)
class TreeFeatures:
    """Turns candidate sets into one CSR row per candidate: its difference to the first of the set.

    Parameters
    ----------
    beam
        What a row is made of.
    """

    beam: BeamFeatures = field(default_factory=BeamFeatures)

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.beam.width

    def parameters(self) -> dict[str, Any]:
        """All parameters as plain JSON values."""
        return {"kind": TREE_FEATURES_KIND, **self.beam.parameters()}

    def transform(self, sets: Sequence[CandidateSet], *, rows: NDArray[np.int64] | None = None) -> sp.csr_matrix:
        """The features of all candidates, in order, as rows; or of those at these places in that order.

        Raises
        ------
        UsageError
            If the candidates of a sentence have different tokens, or a token has several heads: they are no trees.
        """
        matrix = self.beam.rows([to_beam_trees(candidate_set) for candidate_set in sets if candidate_set.candidates])
        return matrix if rows is None else matrix[rows]


def to_beam_trees(candidates: CandidateSet) -> BeamTrees:
    """The candidates of a sentence as arrays."""
    tokens = candidates.candidates[0].graph.tokens
    place = {token.id: number for number, token in enumerate(tokens)}
    label_ids = {ROOT: 0}
    heads = np.full((len(candidates.candidates), len(tokens)), -1, dtype=np.int16)
    labels = np.zeros_like(heads)
    for row, candidate in enumerate(candidates.candidates):
        if candidate.graph.tokens != tokens:
            raise UsageError(f"expected trees over the same tokens, got others in candidate {row} of {candidates.id!r}")
        for arc in candidate.graph.dependencies:
            child = place[arc.dependent]
            if heads[row, child] >= 0:
                raise UsageError(f"expected trees, got two heads of a token in candidate {row} of {candidates.id!r}")
            heads[row, child] = place[arc.governor]
            labels[row, child] = label_ids.setdefault(arc.type, len(label_ids))
    return BeamTrees(
        tuple(token.text for token in tokens),
        tuple(token.pos or "" for token in tokens),
        heads,
        labels,
        np.array([candidate.cost or 0.0 for candidate in candidates.candidates]),
        tuple(label_ids),
    )
