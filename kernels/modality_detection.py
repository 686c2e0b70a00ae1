"""Whether a sentence denies, or only supposes, what it says about its pair.

Both are judged by the *statement* of the pair, nearly as :mod:`kernels.negation` has it: the words on the shortest
paths, those that govern two of them, and what is above them (infinitives, abilities, and what only says that something
is seen).  Where nothing but the pair is named before "they" or "the two proteins" that interact, their verb belongs to
it too.

The statement is **negated** by its :func:`kernels.denials`, or by a cue of another kind:

* ``scarcely``: *hardly, little, no longer* that depends on a word of it;
* ``unchanged``: *unaffected, unchanged, dispensable* in it, or said by its verb;
* ``independent``: *independent of, without, rather than, even in the absence of* between the two;
* ``effect``: *no* with what its verb has ("A showed *no* effect on B");
* ``verb``: *failure of A to bind B*, *lost the ability to bind*, *argue against binding*;
* ``list``: a negation before a list of names that one of the two belongs to ("but *not* C or B").

Of the denials those do not count that belong to another clause than the one that joins the two ("A does *not* inhibit
C, although it prevents B"), to a comparison ("in contrast to A, C did *not* bind B") or to what nobody knows yet.

The statement is **hedged** by

* ``modal``: *may, might* before a word of it; *could, would*, where it is suggested;
* ``question``: *whether, if*, where it is the question;
* ``adverb``: *possibly, perhaps, putative* that depends on a word of it;
* ``supposition``: *hypothesize, speculate, possibility* with a word of it as complement;
* ``inquiry``: *investigate, examine, ask* with a word of it as object or question;
* ``unknown``: *unclear, unknown, not known* said of it.

As for denials, only words, arcs and types of arcs that Stanford's and the Universal Dependencies share or translate are
used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kernels import cue_words
from kernels.negation import (
    AUXILIARIES,
    EXISTENCE,
    INFINITIVES,
    OBJECTS,
    SKIPPABLE_WORDS,
    SUBJECTS,
    Denial,
    sentence_negations,
)
from kernels.sentence_graphs import PROT, PROT1, PROT2, SentenceGraph

if TYPE_CHECKING:
    from kernels.candidates import CandidateGraph

#: Clauses that say what a noun is about: "ability of A to bind", "evidence that A binds".
NOUN_CLAUSES = frozenset(["acl", "acl:relcl", "ccomp", "prepc_of", "relcl"])

HEDGES = frozenset(["adverb", "inquiry", "modal", "question", "supposition", "unknown"])

_PASSIVES = frozenset(["csubjpass", "csubj:pass", "nsubjpass", "nsubj:pass"])
_PREDICATES = frozenset(["acomp", "attr", "oprd"])
_COMPLEMENTS = (
    OBJECTS
    | INFINITIVES
    | _PASSIVES
    | NOUN_CLAUSES
    | {"attr", "csubj", "oprd", "prep_about", "prep_on", "nmod:about", "nmod:on"}
)
_PREDICATIVE_ARCS = frozenset(["acl", "acomp", "advmod", "amod", "attr", "oprd", "xcomp"])
_EFFECT_ARCS = SUBJECTS | {"attr", "dobj", "obj"}
_CLAUSE_ARCS = ("conj", "parataxis")

Arcs = list[list[tuple[int, str]]]


class Cue(NamedTuple):
    """A word that denies or hedges: how (a kind of denial, or one of those above) and its place."""

    kind: str
    token: int

    @property
    def hedges(self) -> bool:
        """Whether it makes a supposition, not a denial."""
        return self.kind in HEDGES


class Modality(NamedTuple):
    """Whether the statement of a pair is denied, whether it is only supposed, and by which words, in text order."""

    negated: bool = False
    hedged: bool = False
    cues: tuple[Cue, ...] = ()


PLAIN_STATEMENT = Modality()


def modality(graph: CandidateGraph) -> Modality:
    """Whether the sentence denies or only supposes what it says about the pair.  Found once per candidate.

    Examples
    --------
    >>> from corpora import Dependency, DependencyGraph, Entity, Pair, Sentence, Token
    >>> places = {"A": 0, "may": 2, "bind": 6, "B": 11}
    >>> tokens = tuple(Token(str(at), at, at + len(word), word) for word, at in places.items())
    >>> arcs = tuple(Dependency("6", id, type) for id, type in [("0", "nsubj"), ("2", "aux"), ("11", "dobj")])
    >>> names = Entity("a", "A", ((0, 1),)), Entity("b", "B", ((11, 12),))
    >>> sentence = Sentence("s", "A may bind B", names, (), (DependencyGraph("p", "t", tokens, arcs),))
    >>> from kernels import candidate_graph
    >>> modality(candidate_graph(sentence, Pair("p", "a", "b")))
    Modality(negated=False, hedged=True, cues=(Cue(kind='modal', token=1),))
    """
    return graph.modality


def find_modality(graph: CandidateGraph) -> Modality:
    """What :func:`modality` says, found anew.  O(arcs) where some word can deny or hedge."""
    sentence = analyse_words(graph.base)
    if sentence is None:
        return PLAIN_STATEMENT
    statement = find_statement(graph, sentence)
    cues = {*find_denial_cues(graph, sentence, statement), *find_hedge_cues(sentence, statement)}
    hedged = any(cue.hedges for cue in cues)
    negated = any(not cue.hedges for cue in cues)
    return Modality(negated, hedged, tuple(sorted(cues, key=lambda cue: (cue.token, cue.kind))))


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


def find_hedge_cues(sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    """Cues that make the statement a supposition."""
    predicate = statement.predicate
    for token in sentence.tokens_by_category[cue_words.MODALS]:
        is_verb = token in predicate and any(kind in SUBJECTS for _, kind in sentence.dependents[token])
        if is_verb or any(governor in predicate and kind == "aux" for governor, kind in sentence.governors[token]):
            yield Cue("modal", token)
    for token in sentence.tokens_by_category[cue_words.CONDITIONALS]:
        hedging_words = cue_words.SUPPOSING | cue_words.SUGGESTING
        governors = [governor for governor, _ in sentence.governors[token] if governor in predicate]
        if any(sentence.is_under(governor, hedging_words, "ccomp") for governor in governors):
            yield Cue("modal", token)
    for token in sentence.tokens_by_category[cue_words.QUESTIONS]:
        governors = [governor for governor, _ in sentence.governors[token] if governor in predicate]
        is_question = sentence.words[token] == "whether" or any(
            _is_complement(governor, sentence) for governor in governors
        )
        if governors and is_question:
            yield Cue("question", token)
    for token in sentence.tokens_by_category[cue_words.POSSIBLY]:
        if any(governor in predicate for governor, _ in sentence.governors[token]):
            yield Cue("adverb", token)
    yield from _find_suppositions(sentence, statement)
    yield from _find_unknowns(sentence, statement)


def _is_complement(word: int, sentence: SentenceWords) -> bool:
    return any(kind == "ccomp" for _, kind in sentence.governors[word])


def _find_suppositions(sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    for token in sentence.tokens_by_category[cue_words.SUPPOSING]:
        if any(
            other in statement.predicate and kind in _COMPLEMENTS for other, kind in _complement_arcs(token, sentence)
        ):
            yield Cue("supposition", token)
    for token in sentence.tokens_by_category[cue_words.INQUIRING]:
        leads_away = token in statement.core and any(
            governor in statement.core and kind == "advcl" for governor, kind in sentence.governors[token]
        )
        if not leads_away and any(_is_under_inquiry(*arc, sentence, statement) for arc in sentence.dependents[token]):
            yield Cue("inquiry", token)


def _complement_arcs(token: int, sentence: SentenceWords) -> list[tuple[int, str]]:
    """Arcs to the word's dependents, and to those of its copula: "it *is* possible that A binds B"."""
    verbs = (
        governor
        for governor, kind in sentence.governors[token]
        if kind in _PREDICATES or (kind in SUBJECTS and sentence.words[governor] in AUXILIARIES)
    )
    return [*sentence.dependents[token], *(arc for verb in verbs for arc in sentence.dependents[verb])]


def _is_under_inquiry(other: int, kind: str, sentence: SentenceWords, statement: StatementTokens) -> bool:
    is_fact = kind == "ccomp" and any(sentence.words[mark] == "that" for mark, _ in sentence.dependents[other])
    return other in statement.predicate and kind in _COMPLEMENTS and not is_fact


def _find_unknowns(sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    for token in sentence.tokens_by_category[cue_words.UNKNOWN]:
        neighbours = [other for other, _ in (*sentence.governors[token], *_complement_arcs(token, sentence))]
        if not statement.predicate.isdisjoint([token, *neighbours]):
            yield Cue("unknown", token)
    for token in sentence.tokens_by_category[cue_words.KNOWING]:
        below = sentence.dependents[token]
        is_open = any(other in sentence.negations or sentence.words[other] == "little" for other, _ in below)
        of_statement = (
            other in statement.predicate and (kind in _COMPLEMENTS or kind in SUBJECTS) for other, kind in below
        )
        if is_open and (token in statement.predicate or any(of_statement)):
            yield Cue("unknown", token)


def find_denial_cues(graph: CandidateGraph, sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    """Cues that deny the statement."""
    if not _is_compared(sentence, statement):
        for denial in graph.denials:
            if not _is_unrelated_denial(denial, sentence, statement):
                yield Cue(*denial)
        yield from _find_negations(sentence, statement)
    yield from _find_null_effects(sentence, statement)
    yield from _find_independence(sentence, statement)
    yield from _find_failures(sentence, statement)
    yield from _find_exclusions(graph, sentence)


def _is_compared(sentence: SentenceWords, statement: StatementTokens) -> bool:
    """Whether one of the two is what others are compared with: "in contrast to A, ..."."""
    if any(sentence.words[token] in cue_words.COMPARING for token in statement.core):
        return True
    arcs = ((governor, kind) for token in statement.core for governor, kind in sentence.governors[token])
    return any(governor in statement.core and kind.endswith(cue_words.COMPARING_ARCS) for governor, kind in arcs)


def _is_unrelated_denial(denial: Denial, sentence: SentenceWords, statement: StatementTokens) -> bool:
    """Whether a denial is one of the statement's words, but not of what joins the two."""
    if denial.kind == "contrast":
        return sentence.words[denial.token] == "sufficient"  # "necessary but not sufficient" affirms
    governors = [governor for governor, _ in sentence.governors[denial.token] if governor in statement.whole]
    is_negation = denial.kind == "negation" and bool(governors)
    return is_negation and all(_is_other_clause(word, sentence, statement) for word in governors)


def _is_other_clause(word: int, sentence: SentenceWords, statement: StatementTokens) -> bool:
    """Whether a word with a negation leaves the question open, or the path leads from its clause into another one."""
    if sentence.words[word] in cue_words.KNOWING:
        return True
    for other, kind in sentence.dependents[word]:
        if word not in statement.core and kind in INFINITIVES and other not in statement.whole:
            return True  # "binding of A to B does not appear to be regulated"
        leads_on = word in statement.core and other in statement.core & statement.predicate
        if leads_on and (kind.startswith(_CLAUSE_ARCS) or (kind == "advcl" and _is_concessive(other, sentence))):
            return True
    return any(
        kind == "advcl" and governor in statement.core and _is_concessive(word, sentence)
        for governor, kind in sentence.governors[word]
    )


def _is_concessive(word: int, sentence: SentenceWords) -> bool:
    marks = (sentence.words[mark] for mark, kind in sentence.dependents[word] if kind in ("advmod", "mark"))
    return any(mark in cue_words.CONCESSIVE for mark in marks)


def _find_negations(sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    for token in sentence.negations:
        for governor, _ in sentence.governors[token]:
            stands_before = token < governor or sentence.words[governor] in AUXILIARIES
            if (
                governor in statement.predicate
                and stands_before
                and not _is_other_clause(governor, sentence, statement)
            ):
                yield Cue("negation", token)
            elif governor not in statement.whole and _is_effect_of_statement(governor, sentence, statement):
                yield Cue("effect", token)


def _is_effect_of_statement(noun: int, sentence: SentenceWords, statement: StatementTokens) -> bool:
    """Whether an effect, a difference ... is what a word of the statement has, or the other way round."""
    holders = (governor for governor, kind in sentence.governors[noun] if kind in _EFFECT_ARCS)
    return sentence.words[noun] in cue_words.EFFECTS and any(holder in statement.predicate for holder in holders)


def _find_null_effects(sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    for token in sentence.tokens_by_category[cue_words.SCARCELY]:
        governors = [governor for governor, _ in sentence.governors[token]]
        if any(word in statement.predicate or _is_effect_of_statement(word, sentence, statement) for word in governors):
            yield Cue("scarcely", token)
    for token in sentence.tokens_by_category[cue_words.UNCHANGED]:
        has_predicate = (
            kind in _PREDICATIVE_ARCS and governor in statement.predicate
            for governor, kind in sentence.governors[token]
        )
        if token in statement.predicate or any(has_predicate):
            yield Cue("unchanged", token)


def _find_independence(sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    for token in sentence.tokens_by_category[cue_words.INDEPENDENT]:
        if token in statement.predicate and any(
            governor in statement.core for governor, _ in sentence.governors[token]
        ):
            yield Cue("independent", token)
    for token in sentence.tokens_by_category[cue_words.WITHOUT]:
        if token in statement.core & statement.predicate:
            yield Cue("independent", token)
    for token in statement.core:
        kinds = [kind for governor, kind in sentence.governors[token] if governor in statement.core]
        if any(kind.endswith(cue_words.WITHOUT_ARCS) for kind in kinds) or _is_even_in_absence(token, sentence):
            yield Cue("independent", token)


def _is_even_in_absence(token: int, sentence: SentenceWords) -> bool:
    """Whether the word is the *absence* of "even in the absence of"."""
    before = sentence.words[max(token - 3, 0) : token]
    return sentence.words[token] == "absence" and "in" in before and not cue_words.EVEN.isdisjoint(before)


def _find_failures(sentence: SentenceWords, statement: StatementTokens) -> Iterator[Cue]:
    for token in sentence.tokens_by_category[cue_words.FAILING]:
        of_statement = (
            other in statement.predicate or token in statement.core for other, kind in _clauses(token, sentence)
        )
        if any(of_statement):
            yield Cue("verb", token)
    for token in sentence.tokens_by_category[cue_words.LOSING]:
        objects = (other for other, kind in sentence.dependents[token] if kind in OBJECTS)
        if any(other in statement.predicate and sentence.words[other] in cue_words.ABILITIES for other in objects):
            yield Cue("verb", token)
    for token in statement.predicate:
        for governor, kind in sentence.governors[token]:
            if kind.endswith(cue_words.AGAINST_ARCS) and governor not in statement.core:
                yield Cue("verb", governor)


def _clauses(token: int, sentence: SentenceWords) -> list[tuple[int, str]]:
    return [(other, kind) for other, kind in sentence.dependents[token] if kind in INFINITIVES or kind in NOUN_CLAUSES]


def _find_exclusions(graph: CandidateGraph, sentence: SentenceWords) -> Iterator[Cue]:
    """Negations before a list of names, of which one of the two is not the first; "rather than" before either."""
    roles = graph.roles.tolist()
    for own, other in ((PROT1, PROT2), (PROT2, PROT1)):
        token = next((token for token, role in enumerate(roles) if role & own), 0) - 1
        passed_names = False
        while token > 0 and _is_list_part(sentence.words, token, roles[token] & ~other):
            passed_names = passed_names or bool(roles[token])
            token -= 1
        if token in sentence.negations and passed_names:
            yield Cue("list", token)
        if sentence.words[max(token, 0) : token + 2] == ["instead", "of"]:
            yield Cue("contrast", token)
        if sentence.words[max(token - 1, 0) : token + 1] == ["rather", "than"]:
            yield Cue("contrast", token - 1)


def _is_list_part(words: list[str], token: int, is_name: int) -> bool:
    if words[token] == "and" and words[token - 1] == ",":
        return False  # rather the next clause
    return bool(is_name) or words[token] in cue_words.LISTED or words[token] in SKIPPABLE_WORDS
