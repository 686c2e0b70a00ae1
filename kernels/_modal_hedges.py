"""What makes the statement of a pair a supposition (:mod:`kernels.modality`)."""

from __future__ import annotations

from collections.abc import Iterator

from kernels import cue_words
from kernels._modal_statement import NOUN_CLAUSES, Cue, SentenceWords, StatementTokens
from kernels.negation import AUXILIARIES, INFINITIVES, OBJECTS, SUBJECTS

_PASSIVES = frozenset(["csubjpass", "csubj:pass", "nsubjpass", "nsubj:pass"])
_PREDICATES = frozenset(["acomp", "attr", "oprd"])
_COMPLEMENTS = (
    OBJECTS
    | INFINITIVES
    | _PASSIVES
    | NOUN_CLAUSES
    | {"attr", "csubj", "oprd", "prep_about", "prep_on", "nmod:about", "nmod:on"}
)


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
