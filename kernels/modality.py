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

from typing import TYPE_CHECKING, NamedTuple

from kernels._modal_denials import find_denial_cues
from kernels._modal_hedges import find_hedge_cues
from kernels._modal_statement import Cue, analyse_words, find_statement

if TYPE_CHECKING:
    from kernels.candidates import CandidateGraph


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
    >>> from corpora.types import Dependency, DependencyGraph, Entity, Pair, Sentence, Token
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
