"""The real Link Grammar parser; skipped where it is not installed."""

import random
import shutil
import warnings
from itertools import pairwise

import pytest
from lab.training.parse_rankers.data import Selection, Tally, ranking_sets

from corpora import Sentence
from ppi.core import UsageError
from ppi.parse_ranking.candidate_parses import get_generator
from ppi.parse_ranking.link_grammar import LinkGrammar

needs_parser = pytest.mark.skipif(
    shutil.which("link-parser") is None, reason="link-parser is not installed (Debian: link-grammar)"
)
AMBIGUOUS = "The cells were grown in the medium with the antibody against the protein of the nucleus."


def first_parse(text, **options):
    (found,) = LinkGrammar(**options).candidates([text], max_candidates=1)
    return found.candidates[0].graph


@needs_parser
def test_a_sentence_by_hand():
    graph = first_parse("The protein binds DNA.")
    assert [(token.text, token.start, token.end) for token in graph.tokens] == [
        ("The", 0, 3),
        ("protein", 4, 11),
        ("binds", 12, 17),
        ("DNA", 18, 21),
        (".", 21, 22),
    ]
    links = {(arc.governor, arc.dependent, arc.type[0]) for arc in graph.dependencies}
    assert {("1", "2", "D"), ("2", "3", "S"), ("3", "4", "O")} <= links
    assert "3" in graph.roots
    assert graph.parser == graph.tokenizer == "link-grammar"


@needs_parser
def test_unknown_words_have_a_class_and_a_remark():
    graph = first_parse("The blurk binds MDM2.")
    known = {token.text: (token.pos, token.misc) for token in graph.tokens}
    assert known["blurk"] == ("n", "Known=No")
    assert known["MDM2"] == (None, "Known=Shape")
    assert known["binds"] == ("v", None)


@needs_parser
def test_words_are_skipped_when_there_is_no_complete_linkage():
    graph = first_parse("The protein binds of the DNA.")
    assert any(token.misc == "Skipped=Yes" for token in graph.tokens)
    assert "".join(token.text for token in graph.tokens) == "TheproteinbindsoftheDNA."


@needs_parser
@pytest.mark.parametrize(
    "text",
    [
        "!help",
        "%not a comment",
        "!!",
        "The [bound] protein (and [DNA]) binds.",
        "Brackets ][ and )( and (a)(b).",
        "Two\nlines\tand\x00control\x1b characters.",
        "\u200bInvisible\u00ad marks\u2028 here.",
        "\ud800 half a pair",
        "width set to 1003",
        "LEFT-WALL sees RIGHT-WALL.",
        "cell.n binds x[?].n e.g. in vitro.",
        "  leading and trailing  ",
        "IL-2 isn't 3' of α-actin; 5% or 10 µg/ml.",
        "[?] and [!] the İ",
        "x",
        ".",
    ],
)
def test_every_visible_character_is_in_a_token(text):
    (found,) = LinkGrammar().candidates([text], max_candidates=3)
    assert found.text == text
    assert found.candidates
    for candidate in found.candidates:
        tokens = candidate.graph.tokens
        assert all(text[token.start : token.end] == token.text for token in tokens)
        assert all(one.end <= two.start for one, two in pairwise(tokens))
        covered = {offset for token in tokens for offset in range(token.start, token.end)}
        outside = "".join(char for offset, char in enumerate(text) if offset not in covered)
        assert not outside.strip(" \n\t\x00\x1b\u200b\u00ad\u2028\ud800")


@needs_parser
def test_random_characters_cost_no_other_sentence():
    signs = [
        *"abX.,;:!?%()[]{}<>/\\|'\"`~@#$^&*-_=+09 ",
        "é",
        "🧬",
        "中",
        "\u00ad",
        "\ud800",
        "\x00",
        "µ",
        " the ",
        " binds ",
    ]
    state = random.Random(3)
    texts = ["".join(state.choice(signs) for _ in range(state.randint(1, 12))) for _ in range(150)]
    mixed = [text for pair in zip(texts, [AMBIGUOUS] * 150, strict=True) for text in pair]
    found = list(LinkGrammar(linkages=20).candidates(mixed, max_candidates=2))
    assert [each.text for each in found] == mixed
    assert len({each.candidates for each in found[1::2]}) == 1
    assert found[1].candidates
    assert sum(bool(each.candidates) for each in found[::2]) > 140


@needs_parser
@pytest.mark.slow
def test_nearly_every_sentence_of_a_treebank_has_linkages(corpora_folder):
    sentences = Selection("test", shortest=12, longest=30).sentences(corpora_folder / "treebanks")[:40]
    tally = Tally()
    list(ranking_sets(sentences, LinkGrammar(sample="random"), wanted=None, varied=False, tally=tally))
    figures = tally.summary()
    assert figures["share_with_candidates"] >= 0.95
    assert figures["median_candidates"] == 20
    assert 0.4 < figures["mean_f"] < figures["oracle_f"] - 0.05 < 0.95


@needs_parser
@pytest.mark.parametrize("text", ["", "   ", "\n", "\x00"])
def test_a_sentence_without_words_has_no_candidates(text):
    assert [each.candidates for each in LinkGrammar().candidates([text], max_candidates=3)] == [()]


@needs_parser
def test_ids_and_order():
    sentences = [Sentence("first", "Cells die."), "", Sentence("third", "Cells grow.")]
    found = list(LinkGrammar().candidates(sentences, max_candidates=2))
    assert [(each.id, each.text) for each in found] == [("first", "Cells die."), ("1", ""), ("third", "Cells grow.")]
    assert [bool(each.candidates) for each in found] == [True, False, True]


@needs_parser
def test_the_first_linkages_are_in_the_parsers_order():
    (found,) = LinkGrammar().candidates([AMBIGUOUS], max_candidates=8)
    places = [each.place for each in found.candidates]
    assert places[0] == 0
    assert places == sorted(set(places))  # with gaps where a linkage was printed twice
    assert len({each.graph for each in found.candidates}) == 8
    costs = [each.cost for each in found.candidates]
    assert costs == sorted(costs)


@needs_parser
def test_all_distinct_linkages_are_found_however_often_some_are_printed():
    (few,) = LinkGrammar().candidates([AMBIGUOUS], max_candidates=20)
    (all_of_them,) = LinkGrammar().candidates([AMBIGUOUS], max_candidates=1000)
    assert len(few.candidates) == 20
    assert all_of_them.candidates[:20] == few.candidates
    assert len(all_of_them.candidates) < 1000


@needs_parser
def test_a_random_sample_depends_on_seed_and_text_alone():
    def sample(seed, before=()):
        return list(LinkGrammar(sample="random", random_state=seed).candidates([*before, AMBIGUOUS], max_candidates=8))[
            -1
        ]

    first = sample(1)
    assert first.candidates == sample(1, before=["Cells die.", AMBIGUOUS]).candidates
    assert first.candidates != sample(2).candidates
    places = [each.place for each in first.candidates]
    assert len(places) == 8
    assert places == sorted(set(places))
    assert places[-1] > 8


@needs_parser
def test_half_a_surrogate_pair_can_be_sampled():
    (found,) = LinkGrammar(sample="random").candidates([f"\ud800{AMBIGUOUS}"], max_candidates=3)
    assert len(found.candidates) == 3
    assert found.candidates[0].graph.tokens[0].start == 1


@needs_parser
def test_two_hundred_words_cost_one_sentence_at_most():
    long = " ".join(["The protein binds the receptor and"] * 33 + ["dies", "."])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        generator = LinkGrammar(timeout=1, hard_timeout=20)
        first, second = generator.candidates([long, "Cells die."], max_candidates=2)
    # whether it is parsed in time depends on the machine; if it is not, a warning tells
    assert first.candidates or "took too long" in "".join(str(warning.message) for warning in caught)
    assert second.candidates


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sample": "best"}, "expected sample 'first' or 'random', got 'best'"),
        ({"linkages": 0}, "expected from 1 to 1024 linkages, got 0"),
        ({"timeout": 0}, "expected a timeout of 1 second or more, got 0"),
        ({"colour": 1}, "expected options of the generator 'link-grammar'.*colour"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(UsageError, match=message):
        get_generator("link-grammar", **options)


def test_wrong_numbers_names_and_sentences():
    with pytest.raises(UsageError, match="expected a number of candidates of 1 or more, got 0"):
        list(LinkGrammar().candidates(["x"], max_candidates=0))
    with pytest.raises(UsageError, match="expected a sentence or its text, got 5 at place 0"):
        list(LinkGrammar().candidates([5], max_candidates=1))
    with pytest.raises(UsageError, match="expected a generator of beam, link-grammar, got 'oracle'"):
        get_generator("oracle")
