"""Where sentences begin, by rule."""

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from ppi.language.sentence_rules import INSIDE, MAX_SENTENCE_TOKENS, OPEN, START, find_sentence_starts
from ppi.language.shipped_pipeline import load_shipped_pipeline
from ppi.language.spacy_components import SentenceRules
from ppi.language.tokenization import TOKENIZED_KEY, TokenizedText, read_tokens


def sentences(text: str) -> list[str]:
    """The words between the starts that the rules are sure of."""
    doc = load_shipped_pipeline().tokenizer(text)
    seen, places = read_tokens(doc)
    offsets = [doc[place].idx for place, start in zip(places, find_sentence_starts(seen)) if start == START]
    return [text[start:end].strip() for start, end in zip(offsets, [*offsets[1:], len(text)])]


@pytest.mark.parametrize(
    "text",
    [
        "The gene of D. melanogaster binds Ras.",
        "In M. musculus and C. elegans it does, and in A. thaliana.",
        "We thank Robertson, J. A., and S. Khochbin and Y. A. Barde for mice.",
        "It was shown by B. Hoffmann and R. Merkel, unpublished.",
        "2.2. Insecticidal activity of Ras",
        "B. Western blot of Raf",
        "Ras binds Raf (p = .034) in cells.",
        "The protein (accession no. CAJ01698.1) binds Ras.",
        "Antibodies (cat. nos. sc-34446 and sc-48530) were used.",
        "It binds Raf (Fig. 3), as Smith et al. (2003) say.",
        "Cells of Sigma Inc. (St. Louis, MO) were used, e.g. Sf9 vs. S2.",
        "Ras with a Ph. D. binds approx. 5 Rafs.",
        "The new work includes: 1). It is the first; 2. Raf binds.",
        "Is it so? asked nobody.",
        "Ras binds Raf and Then MEK and Later ERK",
    ],
)
def test_one_sentence(text):
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It activates protein kinase C.", "We tested it."),
        ("It activates protein kinase C.", "Mice were bred."),
        ("Transcription depends on sigma F.", "SpoIIR acts later."),
        ("Digestion was with DNase I.", "Digestions were stopped."),
        ("Incubate for 24 h.", "Cells were lysed."),
        ("It is like cyclins A and B.", "Mice have both."),
        ("It lacks GluR-B.", "Of the four, GluR-A binds."),
        ("It was seen (data not shown).", "Then Ras binds."),
        ('He said "no."', "Then Ras binds."),
        ("It binds Raf.", "p53 does not."),
        ("It binds Raf.", "c-Myc does not."),
        ("It binds Raf.", "\u03b2-catenin does not."),
        ("It binds Raf.", "32P-labelled DNA does not."),
        ("It binds Raf.", "(B) The gel."),
        ("It binds Raf.", "* p < 0.05."),
        ("It binds Raf. [12, 14-16]", "We agree."),
        ("It binds Raf. 12, 14", "The other does not."),
        ("As shown by Smith et al.", "The protein binds."),
        ("The delay is 2,000 ms.", "If it licks, it stops."),
        ("Does it?", "It does."),
    ],
)
def test_two_sentences(first, second):
    assert sentences(f"{first} {second}") == [first, second]


@pytest.mark.parametrize(
    "lines",
    [
        ["BRCA1 interacts with p53", "We tested whether it does."],
        ["Results", "Ras binds Raf in all of the cells that we have looked at, and in others."],
        ["Results", "p53 binds Raf in all of the cells that we have looked at, and in others."],
        ["Abbreviations", "bp - base pair"],
        ["We found that:", "cells were lysed;", "cells were washed,", "cells were probed."],
        ["It has:", "- Ras", "- Raf"],
        ["2.1. Cells", "Cells were bred."],
        ["Mean of the group.", "a Significantly higher than in the others"],
    ],
)
def test_lines_that_end_a_sentence(lines):
    assert sentences("\n".join(lines)) == lines


WRAPPED = """The tumour suppressor BRCA1 forms a complex with the related protein
BARD1, and both are found in foci together with the recombinase of D.
melanogaster. We asked which of the two is needed, and cut the gene for
BARD1 out of the cells; the foci disappeared within one day, as did the
Western signal of BRCA1. Neither protein is stable without the other in
the cells that we used."""


def test_wrapped_lines_are_not_broken():
    beginnings = [sentence[:14] for sentence in sentences(WRAPPED)]
    assert beginnings == ["The tumour sup", "We asked which", "Neither protei"]


def test_a_heading_above_wrapped_lines_ends():
    assert sentences(f"Results\n{WRAPPED}")[0] == "Results"


def test_an_empty_line_ends_a_sentence():
    assert sentences("ras binds the\n\nother protein") == ["ras binds the", "other protein"]


def test_what_the_rules_leave_open():
    glued = TokenizedText(["in", "vivo.12", "We", "saw"], [" ", " ", " ", ""])
    assert find_sentence_starts(glued) == [START, INSIDE, OPEN, INSIDE]
    heading = TokenizedText(["Results", "We", "saw"], [" ", " ", ""])
    assert find_sentence_starts(heading) == [START, OPEN, INSIDE]
    long = TokenizedText(["Ras"] * (MAX_SENTENCE_TOKENS + 2), [" "] * (MAX_SENTENCE_TOKENS + 2))
    assert find_sentence_starts(long) == [START, *[INSIDE] * MAX_SENTENCE_TOKENS, OPEN]


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from(["a", "Ras", ".", "C", "(", ")", "[", "]", "1", "?", "et", "al.", ",", "-", "*"]), max_size=30
    ).flatmap(
        lambda words: st.tuples(
            st.just(words), st.lists(st.sampled_from(["", " ", "\n", "\n\n"]), min_size=len(words), max_size=len(words))
        )
    )
)
def test_any_words_get_a_start_each_and_never_within_a_word(text):
    words, gaps = text
    starts = find_sentence_starts(TokenizedText(words, gaps))
    assert len(starts) == len(words)
    assert set(starts) <= {START, INSIDE, OPEN}
    assert starts[:1] in ([], [START])
    assert all(gap for start, gap in zip(starts[1:], gaps) if start != INSIDE)


class CountingText(list):
    """Words that count how often one of them is looked at."""

    looks = 0

    def __getitem__(self, place):
        CountingText.looks += 1
        return super().__getitem__(place)


@pytest.mark.parametrize("unit", [["1", ","], ["(", ")"], ["Ras", "\n"], ["C", "."], [".", "[", "1"], ["a", "b", "\n"]])
def test_looks_grow_with_the_words(unit):
    def looks(times: int) -> int:
        words, gaps = [], []
        for word in unit * times:
            if word == "\n":
                gaps[-1] = "\n"
            else:
                words.append(word)
                gaps.append(" ")
        CountingText.looks = 0
        find_sentence_starts(TokenizedText(CountingText(words), gaps))
        return CountingText.looks

    few, many = looks(200), looks(1600)
    assert few > 0
    assert many <= 9 * few


def test_component_keeps_what_is_given_and_sets_the_rest():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentence_rules")
    words = ["Ras", "binds", ".", "MEK", "binds", ".", "ERK", "not"]
    doc = Doc(nlp.vocab, words=words, sent_starts=[True, True, None, False, None, None, None, None])
    assert [token.is_sent_start for token in nlp(doc)] == [True, True, False, False, False, False, True, False]


def test_component_reads_the_white_space_that_is_given():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentence_rules")
    text = TokenizedText(["Results", "Ras", "binds"], ["\n", " ", ""])
    doc = Doc(nlp.vocab, words=text.words, user_data={TOKENIZED_KEY: text})
    assert [token.is_sent_start for token in nlp(doc)] == [True, True, False]


def test_component_survives_the_disk(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentence_rules")
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    assert isinstance(again.get_pipe("sentence_rules"), SentenceRules)
    assert [sent.text for sent in again("Ras of D. melanogaster binds. MEK not.").sents] == [
        "Ras of D. melanogaster binds.",
        "MEK not.",
    ]


@pytest.mark.parametrize("value", [True, False])
def test_the_shipped_parser_obeys(value):
    """What must not be a beginning is one all the same if no word of it depends on what stands before."""
    nlp = load_shipped_pipeline()
    words = [
        token.text for token in nlp.tokenizer("We saw that Ras binds Raf, as it did before, and that MEK binds ERK.")
    ]
    for place in range(1, len(words)):
        starts = [True, *[None] * (len(words) - 1)]
        starts[place] = value
        doc = Doc(nlp.vocab, words=words, sent_starts=starts)
        with nlp.select_pipes(disable=["ner", "sentence_rules"]):
            assert nlp(doc)[place].is_sent_start is value
