"""Whether a sentence denies that its pair interacts: what is stated of the pair, and what negates that.

The *statement* of a pair is the smallest set of words that holds

* the words on the shortest paths between the two mentions;
* every word that governs two of those: ``interaction`` in "interaction between A and B", where the path is the
  coordination alone;
* with a word that is no mention of the pair, a governor of which it is the infinitive ("was found to *bind*"), or
  whose subject or object it is if the governor only says that something is seen or exists ("*binding* was detected").

It is denied

* by a ``negation`` (*not, no, never, neither ...*) that depends on a word of it, or is one: negations stand before
  what they negate, or after its auxiliary, so that "binds A but not B" does not deny the verb;
* by a ``verb`` (or noun: *fail, unable, lack, absence ...*) in it, or one whose complement is in it; things that lack a
  protein are not meant, so what it governs must not be a mention;
* by ``contrast``: a negation directly before one of the mentions ("but not with B", "neither A nor B"), or what the
  parser makes of that (``conj_nor``, ``conj_negcc``).

"Not only" and the like deny nothing, nor does whatever else stands between the mentions.  Only words, arcs and a few
names of arcs that Stanford's and the Universal Dependencies share or translate are used, so the parser may be any.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kernels.sentence_graphs import PROT1, PROT2, SentenceGraph

if TYPE_CHECKING:
    from kernels.candidates import CandidateGraph

# fmt: off
NEGATIONS = frozenset(["cannot", "neither", "never", "no", "none", "nor", "not", "nothing"])
#: A negation before one of these is a climax, not a denial: "not only A but also B".
FOCUS = frozenset(["exclusively", "just", "merely", "only", "simply", "solely"])
#: Verbs, nouns and adjectives that deny their complement.
DENYING_WORDS = frozenset([
    "absence", "devoid", "fail", "failed", "failing", "fails", "failure", "failures", "inability", "incapable",
    "lack", "lacked", "lacking", "lacks", "unable",
])
#: What says that something is seen, or is there: denying it denies what is seen.
EXISTENCE = frozenset([
    "apparent", "appear", "appeared", "appears", "confirm", "confirmed", "demonstrate", "demonstrated",
    "detect", "detectable", "detected", "display", "displayed", "displays", "establish", "established",
    "evidence", "evident", "exhibit", "exhibited", "exhibits", "exist", "existed", "exists", "find", "finds",
    "found", "identified", "identify", "indication", "note", "noted", "observable", "observe", "observed",
    "obtain", "obtained", "occur", "occurred", "occurs", "reported", "reveal", "revealed", "see", "seem",
    "seemed", "seems", "seen", "show", "showed", "shown", "shows",
])
AUXILIARIES = frozenset([
    "am", "are", "be", "been", "can", "could", "did", "do", "does", "had", "has", "have", "is", "may", "might",
    "must", "shall", "should", "was", "were", "will", "would",
])
#: What may stand between a negation and the mention that it excludes: "but not with the B".
SKIPPABLE_WORDS = frozenset([
    "a", "an", "any", "by", "for", "from", "in", "of", "on", "the", "through", "to", "via", "with",
])
# fmt: on
CONTRACTIONS = ("n't", "n\u2019t")
INFINITIVES = frozenset(["xcomp"])
OBJECTS = frozenset(["ccomp", "dobj", "obj", "prep_for", "prep_in", "prep_of", "nmod:for", "nmod:in", "nmod:of"])
SUBJECTS = frozenset(["nsubj", "nsubjpass", "nsubj:pass"])
EXCLUDING = ("_negcc", "_nor", ":negcc", ":nor")
_DENIERS = NEGATIONS | DENYING_WORDS


class Denial(NamedTuple):
    """How something is denied (``"negation"``, ``"verb"``, ``"contrast"``) and the place of the word that does it."""

    kind: str
    token: int


class _SentenceWords(NamedTuple):
    """What the candidates of a sentence share: lower-cased words, places of those that can deny, arcs.

    ``above`` has for a word the governors that are in every statement that it is in, unless it is a mention.
    """

    words: list[str]
    negations: frozenset[int]
    denying: frozenset[int]
    excluded: frozenset[int]
    arcs: list[tuple[int, int, str]]
    above: dict[int, list[int]]


def denials(graph: CandidateGraph) -> tuple[Denial, ...]:
    """What denies the pair's statement, in text order; mostly nothing.  Found once per candidate."""
    return graph.denials


def find_denials(graph: CandidateGraph) -> tuple[Denial, ...]:
    """What denies the pair's statement, found anew.  O(arcs) where some word can deny."""
    sentence = _analyse_words(graph.base)
    if sentence is None:
        return ()
    statement = _find_statement(graph, sentence)
    predicate = statement - {t for t, role in enumerate(graph.roles.tolist()) if role & (PROT1 | PROT2)}
    denial_set = {Denial("negation", t) for t in sentence.negations & statement}
    denial_set |= {
        Denial("contrast", t) for t in (*_find_exclusions(graph, sentence), *(sentence.excluded & statement))
    }
    for governor, dependent, kind in sentence.arcs:
        negates = dependent < governor or sentence.words[governor] in AUXILIARIES
        if governor in statement and dependent in sentence.negations and negates:
            denial_set.add(Denial("negation", dependent))
        complement = governor in statement or kind in INFINITIVES or kind in OBJECTS
        if governor in sentence.denying and dependent in predicate and complement:
            denial_set.add(Denial("verb", governor))
    return tuple(sorted(denial_set, key=lambda denial: (denial.token, denial.kind)))


def sentence_negations(base: SentenceGraph) -> frozenset[int] | None:
    """The places of *not, no, never ...* in a sentence, "not only" apart; None if nothing in it can deny at all."""
    sentence = _analyse_words(base)
    return sentence.negations if sentence is not None else None


def _find_statement(graph: CandidateGraph, sentence: _SentenceWords) -> set[int]:
    """The places of the words of the pair's statement."""
    path = {t for t, on_path in enumerate(graph.token_on_path.tolist()) if on_path}
    below: dict[int, set[int]] = {}
    for governor, dependent, kind in sentence.arcs:
        if dependent in path and not kind.startswith("conj"):  # a conjunct is a statement of its own
            below.setdefault(governor, set()).add(dependent)
    statement = path | {governor for governor, dependents in below.items() if len(dependents) > 1}
    roles, waiting = graph.roles.tolist(), list(statement)
    while waiting:
        word = waiting.pop()
        if not roles[word] & (PROT1 | PROT2):
            further = [governor for governor in sentence.above.get(word, ()) if governor not in statement]
            statement.update(further)
            waiting.extend(further)
    return statement


def _find_exclusions(graph: CandidateGraph, sentence: _SentenceWords) -> Iterator[int]:
    """Negations directly before the first token of a mention, but for articles and prepositions."""
    roles = graph.roles.tolist()
    for bit in (PROT1, PROT2):
        t = next((t for t, role in enumerate(roles) if role & bit), 0) - 1
        while t >= 0 and sentence.words[t] in SKIPPABLE_WORDS:
            t -= 1
        if t in sentence.negations:
            yield t


@lru_cache(maxsize=16)
def _analyse_words(base: SentenceGraph) -> _SentenceWords | None:
    """None for a sentence that cannot deny anything, as most: it costs a look at each word and each arc's type."""
    words = [token.text.lower() for token in base.tokens]
    contracted = any(ending in base.sentence.text.lower() for ending in CONTRACTIONS)
    excludes = any(kind.endswith(EXCLUDING) for kind in base.types)
    if not contracted and not excludes and _DENIERS.isdisjoint(words):
        return None
    negations = frozenset(
        t
        for t, (word, following) in enumerate(zip(words, [*words[1:], ""]))
        if (word in NEGATIONS or word.endswith(CONTRACTIONS)) and following not in FOCUS
    )
    denying = frozenset(t for t, word in enumerate(words) if word in DENYING_WORDS)
    arcs = list(zip(base.governors.tolist(), base.dependents.tolist(), base.types))
    excluded = frozenset(dependent for _, dependent, kind in arcs if kind.endswith(EXCLUDING))
    above: dict[int, list[int]] = {}
    for governor, dependent, kind in arcs:
        is_observed = words[governor] in EXISTENCE and (kind in OBJECTS or kind in SUBJECTS)
        if is_observed or kind in INFINITIVES:
            above.setdefault(dependent, []).append(governor)
    return _SentenceWords(words, negations, denying, excluded, arcs, above)
