"""What denies the statement of a pair beyond its denials, and which of those do not count (:mod:`kernels.modality`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kernels import cue_words
from kernels._modal_statement import NOUN_CLAUSES, Cue, SentenceWords, StatementTokens
from kernels._paths import PROT1, PROT2
from kernels.negation import AUXILIARIES, INFINITIVES, OBJECTS, SKIPPABLE_WORDS, SUBJECTS, Denial

if TYPE_CHECKING:
    from kernels.candidates import CandidateGraph

_PREDICATIVE_ARCS = frozenset(["acl", "acomp", "advmod", "amod", "attr", "oprd", "xcomp"])
_EFFECT_ARCS = SUBJECTS | {"attr", "dobj", "obj"}
_CLAUSE_ARCS = ("conj", "parataxis")


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
