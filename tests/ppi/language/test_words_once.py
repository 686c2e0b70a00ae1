"""Words that are tokenized and lemmatized once are what spaCy gives each time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppi.core import ParseError
from ppi.language import tokenization
from ppi.language.parsers import windows
from ppi.language.parsers.windows import LexemeAttributeCache
from ppi.language.shipped_pipeline import load_shipped_pipeline, load_shipped_uncached
from ppi.language.tokenization import CachedTokenizer

PIECES = [
    "E",
    ".",
    "coli",
    " ",
    "\n",
    "can",
    "n't",
    "Ca2+",
    "10.1000/x",
    "(p53",
    "-/-)",
    "\u00a0",
    "\x85",
    "e.g.",
    "5'",
]


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=20))
def test_tokens_are_those_of_the_tokenizer(text):
    text = text.encode("utf8", "replace").decode("utf8")
    tokenizer = load_shipped_pipeline().tokenizer
    plain = [(token.idx, token.idx + len(token)) for token in tokenizer(text) if not token.is_space]
    cuts = CachedTokenizer(tokenizer)
    assert list(cuts.spans(text)) == plain
    assert list(cuts.spans(text)) == plain  # the second time from memory


class CountingTokenizer:
    def __init__(self):
        self.words = []

    def __call__(self, word):
        self.words.append(word)
        return load_shipped_pipeline().tokenizer(word)


def test_each_word_is_cut_once_until_there_are_too_many(monkeypatch):
    tokenizer = CountingTokenizer()
    cuts = CachedTokenizer(tokenizer)
    assert len(list(cuts.spans("Ras binds Raf . " * 50))) == 200
    assert tokenizer.words == ["Ras", "binds", "Raf", "."]
    monkeypatch.setattr(tokenization, "MAX_CACHED_WORDS", 4)
    list(cuts.spans("MEK Ras"))
    assert tokenizer.words[4:] == ["MEK", "Ras"]


def test_long_words_are_not_remembered():
    tokenizer = CountingTokenizer()
    list(CachedTokenizer(tokenizer).spans(f"{'A' * 100} {'A' * 100}"))
    assert len(tokenizer.words) == 2


TAGS = ["NN", "NNS", "VBD", "VBG", "JJR", "NNP", "CD", ".", "MD"]
WORDS = ["binding", "Binds", "was", "Ras", "better", "mice", "p53", "."]


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS)), min_size=1, max_size=10))
def test_facts_are_those_of_the_components(pairs):
    from spacy.tokens import Doc

    nlp = load_shipped_pipeline()
    words, tags = zip(*pairs)
    doc = Doc(nlp.vocab, words=list(words), tags=list(tags))
    for name in windows.LEXEME_COMPONENTS:
        doc = nlp.get_pipe(name)(doc)
    plain = [(token.pos_ or None, token.lemma_ or None, str(token.morph) or None) for token in doc]
    facts = LexemeAttributeCache(nlp)
    assert facts.look_up(words, tags) == plain
    assert facts.look_up(words, tags) == plain


def test_each_word_and_tag_is_asked_for_once_until_there_are_too_many(monkeypatch):
    facts = LexemeAttributeCache(load_shipped_pipeline())
    asked = []
    ask = facts._compute
    monkeypatch.setattr(facts, "_compute", lambda pairs: asked.append(len(pairs)) or ask(pairs))
    facts.look_up(["binds", "binds", "binds"], ["VBZ", "VBZ", "NNS"])
    facts.look_up(["binds"], ["VBZ"])
    assert asked == [2]
    monkeypatch.setattr(windows, "MAX_CACHED_PAIRS", 2)
    facts.look_up(["Ras", "binds"], ["NN", "VBZ"])
    assert asked == [2, 2]


@pytest.mark.parametrize("pattern", [[{"DEP": "nsubj"}], [{"TAG": "NN"}, {"TAG": "NN"}]])
def test_patterns_that_look_around_are_refused(pattern):
    nlp = load_shipped_uncached()
    nlp.get_pipe("attribute_ruler").add(patterns=[pattern], attrs={"POS": "NOUN"})
    with pytest.raises(ParseError, match="expected an attribute ruler with patterns of one token"):
        LexemeAttributeCache(nlp)
