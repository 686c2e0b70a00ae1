"""What makes the statement of a pair a supposition (:mod:`kernels.modality`)."""

from __future__ import annotations

from collections.abc import Iterator

from kernels import cue_words
from kernels._modal_statement import NOUN_CLAUSES, Cue, Statement, Words
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


def hedging(said: Words, statement: Statement) -> Iterator[Cue]:
    """Cues that make the statement a supposition."""
    told = statement.told
    for token in said.at[cue_words.MODALS]:
        is_verb = token in told and any(kind in SUBJECTS for _, kind in said.dependents[token])
        if is_verb or any(governor in told and kind == "aux" for governor, kind in said.governors[token]):
            yield Cue("modal", token)
    for token in said.at[cue_words.CONDITIONALS]:
        supposed = cue_words.SUPPOSING | cue_words.SUGGESTING
        governors = [governor for governor, _ in said.governors[token] if governor in told]
        if any(said.is_under(governor, supposed, "ccomp") for governor in governors):
            yield Cue("modal", token)
    for token in said.at[cue_words.QUESTIONS]:
        governors = [governor for governor, _ in said.governors[token] if governor in told]
        asked = said.words[token] == "whether" or any(_is_complement(governor, said) for governor in governors)
        if governors and asked:
            yield Cue("question", token)
    for token in said.at[cue_words.POSSIBLY]:
        if any(governor in told for governor, _ in said.governors[token]):
            yield Cue("adverb", token)
    yield from _supposing(said, statement)
    yield from _unknown(said, statement)


def _is_complement(word: int, said: Words) -> bool:
    return any(kind == "ccomp" for _, kind in said.governors[word])


def _supposing(said: Words, statement: Statement) -> Iterator[Cue]:
    for token in said.at[cue_words.SUPPOSING]:
        if any(other in statement.told and kind in _COMPLEMENTS for other, kind in _below(token, said)):
            yield Cue("supposition", token)
    for token in said.at[cue_words.INQUIRING]:
        leads_away = token in statement.core and any(
            governor in statement.core and kind == "advcl" for governor, kind in said.governors[token]
        )
        if not leads_away and any(_is_inquired(*arc, said, statement) for arc in said.dependents[token]):
            yield Cue("inquiry", token)


def _below(token: int, said: Words) -> list[tuple[int, str]]:
    """Arcs to the word's dependents, and to those of its copula: "it *is* possible that A binds B"."""
    verbs = (
        governor
        for governor, kind in said.governors[token]
        if kind in _PREDICATES or (kind in SUBJECTS and said.words[governor] in AUXILIARIES)
    )
    return [*said.dependents[token], *(arc for verb in verbs for arc in said.dependents[verb])]


def _is_inquired(other: int, kind: str, said: Words, statement: Statement) -> bool:
    is_fact = kind == "ccomp" and any(said.words[mark] == "that" for mark, _ in said.dependents[other])
    return other in statement.told and kind in _COMPLEMENTS and not is_fact


def _unknown(said: Words, statement: Statement) -> Iterator[Cue]:
    for token in said.at[cue_words.UNKNOWN]:
        near = [other for other, _ in (*said.governors[token], *_below(token, said))]
        if not statement.told.isdisjoint([token, *near]):
            yield Cue("unknown", token)
    for token in said.at[cue_words.KNOWING]:
        below = said.dependents[token]
        is_open = any(other in said.negations or said.words[other] == "little" for other, _ in below)
        of_statement = (other in statement.told and (kind in _COMPLEMENTS or kind in SUBJECTS) for other, kind in below)
        if is_open and (token in statement.told or any(of_statement)):
            yield Cue("unknown", token)
