"""What denies the statement of a pair beyond its denials, and which of those do not count (:mod:`kernels.modality`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kernels import cue_words
from kernels._modal_statement import NOUN_CLAUSES, Cue, Statement, Words
from kernels._paths import PROT1, PROT2
from kernels.negation import AUXILIARIES, INFINITIVES, OBJECTS, PASSED, SUBJECTS, Denial

if TYPE_CHECKING:
    from kernels.candidates import CandidateGraph

_SAID_OF = frozenset(["acl", "acomp", "advmod", "amod", "attr", "oprd", "xcomp"])
_HELD = SUBJECTS | {"attr", "dobj", "obj"}
_CLAUSES = ("conj", "parataxis")


def denying(graph: CandidateGraph, said: Words, statement: Statement) -> Iterator[Cue]:
    """Cues that deny the statement."""
    if not _is_compared(said, statement):
        for denial in graph.denials:
            if not _is_elsewhere(denial, said, statement):
                yield Cue(*denial)
        yield from _negated_words(said, statement)
    yield from _doing_nothing(said, statement)
    yield from _leaving_out(said, statement)
    yield from _failing(said, statement)
    yield from _excluding(graph, said)


def _is_compared(said: Words, statement: Statement) -> bool:
    """Whether one of the two is what others are compared with: "in contrast to A, ..."."""
    if any(said.words[token] in cue_words.COMPARING for token in statement.core):
        return True
    arcs = ((governor, kind) for token in statement.core for governor, kind in said.governors[token])
    return any(governor in statement.core and kind.endswith(cue_words.COMPARING_ARCS) for governor, kind in arcs)


def _is_elsewhere(denial: Denial, said: Words, statement: Statement) -> bool:
    """Whether a denial is one of the statement's words, but not of what joins the two."""
    if denial.kind == "contrast":
        return said.words[denial.token] == "sufficient"  # "necessary but not sufficient" affirms
    negated = [governor for governor, _ in said.governors[denial.token] if governor in statement.whole]
    is_negation = denial.kind == "negation" and bool(negated)
    return is_negation and all(_is_other_clause(word, said, statement) for word in negated)


def _is_other_clause(word: int, said: Words, statement: Statement) -> bool:
    """Whether a word with a negation leaves the question open, or the path leads from its clause into another one."""
    if said.words[word] in cue_words.KNOWING:
        return True
    for other, kind in said.dependents[word]:
        if word not in statement.core and kind in INFINITIVES and other not in statement.whole:
            return True  # "binding of A to B does not appear to be regulated"
        leads_on = word in statement.core and other in statement.core & statement.told
        if leads_on and (kind.startswith(_CLAUSES) or (kind == "advcl" and _is_concessive(other, said))):
            return True
    return any(
        kind == "advcl" and governor in statement.core and _is_concessive(word, said)
        for governor, kind in said.governors[word]
    )


def _is_concessive(word: int, said: Words) -> bool:
    marks = (said.words[mark] for mark, kind in said.dependents[word] if kind in ("advmod", "mark"))
    return any(mark in cue_words.CONCESSIVE for mark in marks)


def _negated_words(said: Words, statement: Statement) -> Iterator[Cue]:
    for token in said.negations:
        for governor, _ in said.governors[token]:
            stands_before = token < governor or said.words[governor] in AUXILIARIES
            if governor in statement.told and stands_before and not _is_other_clause(governor, said, statement):
                yield Cue("negation", token)
            elif governor not in statement.whole and _is_held(governor, said, statement):
                yield Cue("effect", token)


def _is_held(noun: int, said: Words, statement: Statement) -> bool:
    """Whether an effect, a difference ... is what a word of the statement has, or the other way round."""
    holders = (governor for governor, kind in said.governors[noun] if kind in _HELD)
    return said.words[noun] in cue_words.EFFECTS and any(holder in statement.told for holder in holders)


def _doing_nothing(said: Words, statement: Statement) -> Iterator[Cue]:
    for token in said.at[cue_words.SCARCELY]:
        governors = [governor for governor, _ in said.governors[token]]
        if any(word in statement.told or _is_held(word, said, statement) for word in governors):
            yield Cue("scarcely", token)
    for token in said.at[cue_words.UNCHANGED]:
        said_of = (kind in _SAID_OF and governor in statement.told for governor, kind in said.governors[token])
        if token in statement.told or any(said_of):
            yield Cue("unchanged", token)


def _leaving_out(said: Words, statement: Statement) -> Iterator[Cue]:
    for token in said.at[cue_words.INDEPENDENT]:
        if token in statement.told and any(governor in statement.core for governor, _ in said.governors[token]):
            yield Cue("independent", token)
    for token in said.at[cue_words.WITHOUT]:
        if token in statement.core & statement.told:
            yield Cue("independent", token)
    for token in statement.core:
        kinds = [kind for governor, kind in said.governors[token] if governor in statement.core]
        if any(kind.endswith(cue_words.WITHOUT_ARCS) for kind in kinds) or _is_even_absent(token, said):
            yield Cue("independent", token)


def _is_even_absent(token: int, said: Words) -> bool:
    """Whether the word is the *absence* of "even in the absence of"."""
    before = said.words[max(token - 3, 0) : token]
    return said.words[token] == "absence" and "in" in before and not cue_words.EVEN.isdisjoint(before)


def _failing(said: Words, statement: Statement) -> Iterator[Cue]:
    for token in said.at[cue_words.FAILING]:
        of_statement = (other in statement.told or token in statement.core for other, kind in _clauses(token, said))
        if any(of_statement):
            yield Cue("verb", token)
    for token in said.at[cue_words.LOSING]:
        objects = (other for other, kind in said.dependents[token] if kind in OBJECTS)
        if any(other in statement.told and said.words[other] in cue_words.ABILITIES for other in objects):
            yield Cue("verb", token)
    for token in statement.told:
        for governor, kind in said.governors[token]:
            if kind.endswith(cue_words.AGAINST_ARCS) and governor not in statement.core:
                yield Cue("verb", governor)


def _clauses(token: int, said: Words) -> list[tuple[int, str]]:
    return [(other, kind) for other, kind in said.dependents[token] if kind in INFINITIVES or kind in NOUN_CLAUSES]


def _excluding(graph: CandidateGraph, said: Words) -> Iterator[Cue]:
    """Negations before a list of names, of which one of the two is not the first; "rather than" before either."""
    roles = graph.roles.tolist()
    for own, other in ((PROT1, PROT2), (PROT2, PROT1)):
        token = next((token for token, role in enumerate(roles) if role & own), 0) - 1
        passed_names = False
        while token > 0 and _is_listed(said.words, token, roles[token] & ~other):
            passed_names = passed_names or bool(roles[token])
            token -= 1
        if token in said.negations and passed_names:
            yield Cue("list", token)
        if said.words[max(token, 0) : token + 2] == ["instead", "of"]:
            yield Cue("contrast", token)
        if said.words[max(token - 1, 0) : token + 1] == ["rather", "than"]:
            yield Cue("contrast", token - 1)


def _is_listed(words: list[str], token: int, is_name: int) -> bool:
    if words[token] == "and" and words[token - 1] == ",":
        return False  # rather the next clause
    return bool(is_name) or words[token] in cue_words.LISTED or words[token] in PASSED
