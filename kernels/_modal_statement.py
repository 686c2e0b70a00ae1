"""What is said about a pair: the words that a cue must touch to deny or to hedge it (:mod:`kernels.modality`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kernels import cue_words
from kernels._paths import PROT, PROT1, PROT2
from kernels.negation import EXISTENCE, INFINITIVES, OBJECTS, SUBJECTS, sentence_negations
from kernels.sentence_graph import SentenceGraph

if TYPE_CHECKING:
    from kernels.candidates import CandidateGraph

#: Clauses that say what a noun is about: "ability of A to bind", "evidence that A binds".
NOUN_CLAUSES = frozenset(["acl", "acl:relcl", "ccomp", "prepc_of", "relcl"])

HEDGES = frozenset(["adverb", "inquiry", "modal", "question", "supposition", "unknown"])

Arcs = list[list[tuple[int, str]]]


class Cue(NamedTuple):
    """A word that denies or hedges: how (a kind of denial, or one of those above) and its place."""

    kind: str
    token: int

    @property
    def hedges(self) -> bool:
        """Whether it makes a supposition, not a denial."""
        return self.kind in HEDGES


class SentenceWords(NamedTuple):
    """What the candidates of a sentence share: lower-cased words, arcs from either end, and places of cues."""

    words: list[str]
    governors: Arcs
    dependents: Arcs
    negations: frozenset[int]
    tokens_by_category: dict[frozenset[str], list[int]]

    def is_under(self, token: int, words: frozenset[str], kind: str) -> bool:
        """Whether an arc of this type joins the token to one of the words, its governor."""
        return any(self.words[governor] in words for governor, type in self.governors[token] if type == kind)


class StatementTokens(NamedTuple):
    """Words of a pair's statement: path and common governors; with those above; the latter without mentions."""

    core: set[int]
    whole: set[int]
    predicate: set[int]


@lru_cache(maxsize=16)
def analyse_words(base: SentenceGraph) -> SentenceWords | None:
    """None for a sentence without cues, as most: it costs a look at each word and each arc's type."""
    words = [token.text.lower() for token in base.tokens]
    negations = sentence_negations(base)
    arcs = any(kind.endswith((*cue_words.WITHOUT_ARCS, *cue_words.AGAINST_ARCS)) for kind in base.types)
    if negations is None and not arcs and cue_words.CATEGORIES.keys().isdisjoint(words):
        return None
    governors: Arcs = [[] for _ in words]
    dependents: Arcs = [[] for _ in words]
    for governor, dependent, kind in zip(base.governors.tolist(), base.dependents.tolist(), base.types):
        governors[dependent].append((governor, kind))
        dependents[governor].append((dependent, kind))
    tokens_by_category: dict[frozenset[str], list[int]] = defaultdict(list)
    for token, word in enumerate(words):
        for category in cue_words.CATEGORIES.get(word, ()):
            tokens_by_category[category].append(token)
        if words[max(token - 1, 0) : token + 1] == ["no", "longer"]:
            tokens_by_category[cue_words.SCARCELY].append(token)
    return SentenceWords(words, governors, dependents, negations or frozenset(), tokens_by_category)


def find_statement(graph: CandidateGraph, sentence: SentenceWords) -> StatementTokens:
    """The words of the pair's statement."""
    path = [t for t, on_path in enumerate(graph.token_on_path.tolist()) if on_path]
    mentions = {t for t, role in enumerate(graph.roles.tolist()) if role & (PROT1 | PROT2)}
    below: dict[int, set[int]] = defaultdict(set)
    for token in path:
        for governor, kind in sentence.governors[token]:
            if not kind.startswith("conj"):  # a conjunct is a statement of its own
                below[governor].add(token)
    core = {*path, *(governor for governor, tokens in below.items() if len(tokens) > 1), *_anaphors(graph, sentence)}
    whole, waiting = set(core), list(core - mentions)
    while waiting:
        for governor, kind in sentence.governors[waiting.pop()]:
            if governor not in whole and _extends_statement(sentence.words[governor], kind):
                whole.add(governor)
                waiting.append(governor)
    return StatementTokens(core, whole, whole - mentions)


def _extends_statement(governor: str, kind: str) -> bool:
    """Whether to deny or suppose the governor is to do so with its dependent."""
    if kind in INFINITIVES or kind == "acomp":
        return True
    if governor in cue_words.ABILITIES:
        return kind in NOUN_CLAUSES
    return governor in EXISTENCE and (kind in OBJECTS or kind in SUBJECTS or kind == "acl")


def _anaphors(graph: CandidateGraph, sentence: SentenceWords) -> Iterator[int]:
    """Verbs as in "A was found with B, but the two proteins did not *interact*"."""
    roles = graph.roles.tolist()
    for token, word in enumerate(sentence.words):
        if word not in cue_words.INTERACTING:
            continue
        roles_before = {bit for role in roles[:token] for bit in (PROT1, PROT2, PROT) if role & bit}
        if roles_before == {PROT1, PROT2}:
            for subject, kind in sentence.dependents[token]:
                has_both = any(sentence.words[other] in cue_words.BOTH for other, _ in sentence.dependents[subject])
                both = has_both or sentence.words[subject] in cue_words.PRONOUNS
                if kind in SUBJECTS and both and not roles[subject]:
                    yield token
