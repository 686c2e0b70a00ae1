"""What is denied or supposed: each kind of cue by hand, in both schemes of dependencies, and on any graph at all."""

from multiprocessing.reduction import ForkingPickler  # what processes send each other, in memory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_twins import make_sentence
from kernel_twins import sentences as any_sentences

import corpora
from corpora import Document, Pair
from kernels import candidates, cue_words
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.modality_detection import Modality, modality
from kernels.negation import denials


def cues(text, arcs, first="A", second="B", others=()):
    """The cues of a sentence of words, as (kind, word); ``arcs`` as "governor type dependent, ..."."""
    words = text.split()
    numbered = [
        (words.index(governor), words.index(dependent), kind)
        for governor, kind, dependent in (arc.split() for arc in arcs.split(", "))
    ]
    sentence = make_sentence(words, numbered, [[words.index(name)] for name in (first, second, *others)])
    found = modality(candidate_graph(sentence, sentence.pairs[0]))
    assert found.negated == any(not cue.hedges for cue in found.cues)
    assert found.hedged == any(cue.hedges for cue in found.cues)
    return [(cue.kind, words[cue.token]) for cue in found.cues]


BIND = "bind nsubj A, bind dobj B"
BINDS = "binds nsubj A, binds obj B"


@pytest.mark.parametrize(
    ("text", "arcs", "kind", "word"),
    [
        ("A may bind B", f"{BIND}, bind aux may", "modal", "may"),
        ("A may via C bind B", "may nsubj A, may ccomp bind, bind dobj B", "modal", "may"),
        ("We suggest A could bind B", f"{BIND}, bind aux could, suggest ccomp bind", "modal", "could"),
        ("We ask whether A binds B", f"{BINDS}, binds mark whether, ask xcomp We", "question", "whether"),
        ("We see if A binds B", f"{BINDS}, binds mark if, see ccomp binds", "question", "if"),
        ("A possibly binds B", f"{BINDS}, binds advmod possibly", "adverb", "possibly"),
        (
            "putative binding of A to B",
            "binding amod putative, binding prep_of A, binding prep_to B",
            "adverb",
            "putative",
        ),
        ("We speculate A binds B", f"{BINDS}, speculate ccomp binds", "supposition", "speculate"),
        ("It is possible A binds B", f"{BINDS}, is acomp possible, is ccomp binds", "supposition", "possible"),
        ("Our hypothesis is A binds B", f"{BINDS}, is nsubj hypothesis, is ccomp binds", "supposition", "hypothesis"),
        ("A is thought to bind B", "thought nsubj:pass A, thought xcomp bind, bind obj B", "supposition", "thought"),
        (
            "We studied binding of A to B",
            "studied obj binding, binding nmod:of A, binding nmod:to B",
            "inquiry",
            "studied",
        ),
        ("We determine how A binds B", f"{BINDS}, determine ccomp binds, binds advmod how", "inquiry", "determine"),
        (
            "binding of A to B is unclear",
            "unclear nsubj binding, binding nmod:of A, binding nmod:to B",
            "unknown",
            "unclear",
        ),
        (
            "binding of A to B is not known",
            "known nsubjpass binding, binding prep_of A, binding prep_to B, known neg not",
            "unknown",
            "known",
        ),
    ],
)
def test_hedged(text, arcs, kind, word):
    assert cues(text, arcs) == [(kind, word)]


@pytest.mark.parametrize(
    ("text", "arcs", "kind", "word"),
    [
        ("A hardly binds B", f"{BINDS}, binds advmod hardly", "scarcely", "hardly"),
        ("A no longer binds B", f"{BINDS}, binds advmod longer, longer neg no", "scarcely", "longer"),
        (
            "A has little effect on B",
            "has nsubj A, has dobj effect, effect amod little, has prep_on B",
            "scarcely",
            "little",
        ),
        ("A has no effect on B", "has nsubj A, has dobj effect, effect det no, has prep_on B", "effect", "no"),
        ("A was unaffected by B", "was nsubj A, was acomp unaffected, unaffected prep_by B", "unchanged", "unaffected"),
        (
            "A stayed unchanged after B",
            "stayed nsubj A, stayed acomp unchanged, stayed prep_after B",
            "unchanged",
            "unchanged",
        ),
        (
            "A was independent of B",
            "was nsubj A, was acomp independent, independent prep_of B",
            "independent",
            "independent",
        ),
        ("A acts without B", "acts nsubj A, acts prep_without B", "independent", "B"),
        ("A acts without B", "acts nsubj A, acts prep without, without pobj B", "independent", "without"),
        (
            "A acts even in the absence of B",
            "acts nsubj A, acts prep_in absence, absence prep_of B",
            "independent",
            "absence",
        ),
        ("failure of A to bind B", "failure prep_of A, failure acl bind, bind dobj B", "verb", "failure"),
        (
            "A lost the ability to bind B",
            "lost nsubj A, lost dobj ability, ability acl bind, bind dobj B",
            "verb",
            "lost",
        ),
        (
            "We argue against binding of A to B",
            "argue prep_against binding, binding prep_of A, binding prep_to B",
            "verb",
            "argue",
        ),
        ("A binds C rather than B", "binds nsubj A, binds dobj C, binds conj B", "contrast", "rather"),
        ("A binds C instead of the B", "binds nsubj A, binds dobj C, binds prep_of B", "contrast", "instead"),
        (
            "We were not able to see binding of A to B",
            "were neg not, were acomp able, able xcomp see, see dobj binding, binding prep_of A, binding prep_to B",
            "negation",
            "not",
        ),
        (
            "A met B but they did not interact",
            "met nsubj A, met dobj B, interact nsubj they, interact neg not",
            "negation",
            "not",
        ),
    ],
)
def test_denied_beyond_denials(text, arcs, kind, word):
    assert cues(text, arcs) == [(kind, word)]


def test_a_list_after_a_negation_is_denied_as_a_whole():
    arcs = "binds nsubj A, binds dobj C, binds dobj D, binds dobj B"
    assert cues("A binds C but not D , E or B", arcs, others=("C", "D", "E")) == [("list", "not")]
    assert cues("A binds C but not D , and binds B", arcs, others=("C", "D")) == []
    assert cues("A binds C but not D", "binds nsubj A, binds dobj C, binds dobj D", second="D", others=("C",)) == [
        ("contrast", "not")
    ]


@pytest.mark.parametrize(
    ("text", "arcs"),
    [
        ("A binds B", BINDS),
        ("In May A binds B", f"{BINDS}, binds prep_in May"),
        ("A could bind B", f"{BIND}, bind aux could"),
        ("A binds B if C stops", f"{BINDS}, stops mark if, binds advcl stops"),
        ("We determine that A binds B", f"{BINDS}, determine ccomp binds, binds mark that"),
        ("As A binds B we asked", f"{BINDS}, asked advcl binds, binds mark As"),
        ("A binds B which may stop", f"{BINDS}, B relcl stop, stop aux may"),
        ("binding of A to B may help", "help nsubj binding, help aux may, binding prep_of A, binding prep_to B"),
        ("A binds B independently of C", f"{BINDS}, binds advmod independently, independently prep_of C"),
        ("A binds B without C", f"{BINDS}, binds prep_without C"),
        ("In contrast to A C did not bind B", "bind prep_in contrast, contrast prep_to A, bind neg not, bind dobj B"),
        (
            "A does not bind C although it hits B",
            "bind nsubj A, bind neg not, bind advcl hits, hits mark although, hits dobj B",
        ),
        (
            "A was needed but not sufficient for B",
            "sufficient nsubj A, needed conj_negcc sufficient, sufficient prep_for B",
        ),
        (
            "binding of A to B does not seem to change",
            "seem nsubj binding, seem neg not, seem xcomp change, binding prep_of A, binding prep_to B",
        ),
    ],
)
def test_stated(text, arcs):
    assert cues(text, arcs) == []


def test_they_are_only_those_who_alone_were_named():
    arcs = "met nsubj A, met dobj B, interact nsubj they, interact neg not"
    assert cues("A met B but they did not interact", arcs) == [("negation", "not")]
    assert cues("C A met B but they did not interact", arcs, others=("C",)) == []
    assert cues("A met but they did not interact with B", arcs) == []


def test_a_denied_supposition_is_both():
    assert cues("A may not bind B", f"{BIND}, bind aux may, bind neg not") == [("modal", "may"), ("negation", "not")]


def test_a_sentence_without_a_parse_has_what_stands_before_names_only():
    words = ["A", "may", "bind", "C", "rather", "than", "B"]
    sentence = make_sentence(words, (), [[0], [3], [6]], parser=None)
    told = {(pair.e1, pair.e2): modality(candidate_graph(sentence, pair)) for pair in sentence.pairs}
    assert told["e0", "e1"] == Modality()
    assert told["e0", "e2"].negated
    assert not told["e0", "e2"].hedged


OTHER_WORDS = (
    "A not no than of in even absence binds interact they two suggest effect ability contrast sufficient although "
    "longer found , or and"
)
WORDS = st.sampled_from([*sorted(cue_words.CATEGORIES), *OTHER_WORDS.split()])
ARCS = (
    "nsubj dobj xcomp ccomp advcl acl acomp aux mark neg det advmod conj_and conj_negcc prep_of prep_without "
    "prep_against nsubj:pass parataxis"
)
KINDS = st.sampled_from(ARCS.split())


@st.composite
def cue_sentences(draw):
    """Any graph over the cues; mentions overlap, and arcs make cycles and self-loops."""
    words = draw(st.lists(WORDS, min_size=2, max_size=10))
    place = st.integers(0, len(words) - 1)
    arcs = draw(st.lists(st.tuples(place, place, KINDS), max_size=16))
    names = draw(st.lists(st.lists(place, min_size=1, max_size=2), min_size=2, max_size=3))
    return make_sentence(words, arcs, [sorted(set(name)) for name in names])


@given(cue_sentences() | any_sentences())
def test_any_graph_has_an_answer_that_its_cues_explain(sentence):
    for graph in candidate_graphs([Document("d", (sentence,))]):
        found = modality(graph)
        kinds = {cue.kind for cue in found.cues if not cue.hedges}
        assert found.negated == bool(kinds)
        assert found.hedged == any(cue.hedges for cue in found.cues)
        assert list(found.cues) == sorted(set(found.cues), key=lambda cue: (cue.token, cue.kind))
        assert all(0 <= cue.token < graph.base.n_tokens for cue in found.cues)
        assert {cue.kind for cue in found.cues} <= {
            *("negation", "verb", "contrast", "scarcely", "unchanged", "independent", "effect", "list"),
            *("modal", "question", "adverb", "supposition", "inquiry", "unknown"),
        }


@given(cue_sentences())
def test_the_order_of_the_pair_does_not_matter(sentence):
    for pair in sentence.pairs:
        swapped = Pair(pair.id, pair.e2, pair.e1)
        assert modality(candidate_graph(sentence, pair)) == modality(candidate_graph(sentence, swapped))


@given(any_sentences())
def test_without_cues_everything_is_stated(sentence):
    assert all(modality(graph) == Modality() for graph in candidate_graphs([Document("d", (sentence,))]))


def test_denials_are_as_they_were():
    words = ["A", "does", "not", "bind", "C", "although", "it", "hits", "B"]
    arcs = [(3, 0, "nsubj"), (3, 2, "neg"), (3, 7, "advcl"), (7, 5, "mark"), (7, 8, "dobj")]
    sentence = make_sentence(words, arcs, [[0], [8]])
    graph = candidate_graph(sentence, sentence.pairs[0])
    assert not modality(graph).negated
    assert [denial.kind for denial in denials(graph)] == ["negation"]


def test_modality_is_found_once_per_candidate(monkeypatch):
    asked = []
    find = candidates.find_modality
    monkeypatch.setattr(candidates, "find_modality", lambda graph: asked.append(graph) or find(graph))
    graphs = candidate_graphs(corpora.load("sample"))
    told = [modality(graph) for graph in graphs]
    assert told == [graph.modality for graph in graphs]
    assert len(asked) == len(graphs)
    assert any(one.negated for one in told)
    again = ForkingPickler.loads(ForkingPickler.dumps(graphs))
    assert [graph.modality for graph in again] == told
