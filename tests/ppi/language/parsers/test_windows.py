"""Windows, words cut and lemmatized once, sentences left out: what is parsed is what the whole pipeline would give."""

import re
from itertools import pairwise

import pytest

import corpora
from ppi.language.parsers import windows
from ppi.language.parsers.interface import PairFilter, Request
from ppi.language.parsers.spacy_parser import GenericPipeline, SpacyParser, load_shipped_parser
from ppi.language.parsers.windows import WindowRunner
from ppi.language.shipped_pipeline import load_shipped_pipeline, load_shipped_uncached

BLANK = "\n\n"


@pytest.fixture(scope="module")
def text():
    """Some abstracts, one after another, as one passage and without any empty line."""
    return " ".join(sentence.text for document in corpora.load("abstracts")[:4] for sentence in document.sentences)


def plainly(text):
    """Each sentence as spaCy's own objects give it, the whole text at once."""
    nlp = load_shipped_pipeline()
    doc = SpacyParser(nlp, name="x")._tokenize(Request(text)).doc
    for name in nlp.pipe_names:
        doc = nlp.get_pipe(name)(doc)
    return [
        (
            [(token.text, token.tag_, token.pos_, token.lemma_, str(token.morph)) for token in sent],
            [(token.head.i - sent.start, token.dep_) for token in sent],
            [ent.text for ent in sent.ents],
        )
        for sent in doc.sents
    ]


def in_parts(text, sentences):
    """The same out of parsed sentences."""
    found = []
    for sentence in sentences:
        arcs = {arc.dependent: arc for arc in sentence.dependencies}
        heads = [
            (int(arcs[token.id].governor) - 1, arcs[token.id].type) if token.id in arcs else (place, "ROOT")
            for place, token in enumerate(sentence.tokens)
        ]
        tokens = [(each.text, each.pos, each.upos, each.lemma, each.feats or "") for each in sentence.tokens]
        found.append((tokens, heads, [text[start:end] for start, end, _ in sentence.mentions]))
    return found


@pytest.mark.parametrize("size", [60, 150, 100_000])
def test_windows_of_any_size_give_what_the_whole_text_gives(monkeypatch, text, size):
    monkeypatch.setattr(WindowRunner.__init__, "__kwdefaults__", {"size": size})
    (found,) = load_shipped_parser().parse([Request(text)])
    assert len(found) > 10
    assert in_parts(text, found) == plainly(text)


def test_texts_side_by_side_give_what_each_gives_alone(monkeypatch, text):
    monkeypatch.setattr(WindowRunner.__init__, "__kwdefaults__", {"size": 80})
    texts = [text, "", text[: len(text) // 2], "Profilin binds actin.", " \n "]
    together = list(load_shipped_parser().parse(map(Request, texts)))
    assert together == [next(load_shipped_parser().parse([Request(each)])) for each in texts]


class CountingTagger:
    """Stands for a trained component: counts the tokens it is given."""

    def __init__(self, component):
        self.model, self._component, self.tokens = component.model, component, []

    def predict(self, docs):
        self.tokens.append(sum(map(len, docs)))
        return self._component.predict(docs)

    def set_annotations(self, docs, scores):
        self._component.set_annotations(docs, scores)


@pytest.mark.parametrize("piece", ["Profilin binds actin. ", "profilin , actin , "])
def test_the_work_grows_with_the_length_and_no_window_does(monkeypatch, piece):
    monkeypatch.setattr(windows, "MAX_BATCH_TOKENS", 300)
    monkeypatch.setattr(WindowRunner.__init__, "__kwdefaults__", {"size": 100})
    spent, largest = [], []
    for copies in (100, 200):
        parser = load_shipped_parser()
        counted = parser._pipeline._windows._components
        counted[0] = CountingTagger(counted[0])
        (found,) = parser.parse([Request(piece * copies)])
        assert sum(len(sentence.tokens) for sentence in found) == 4 * copies
        spent.append(sum(counted[0].tokens))
        largest.append(max(counted[0].tokens))
    assert spent[1] < 2.5 * spent[0]
    if "." in piece:  # without any full stop a text is one sentence, which cannot be parsed in parts
        assert max(largest) <= 300


def paragraphs(text):
    """Extents between empty lines: given as spans to be kept together, they make sentences known beforehand."""
    return tuple(match.span() for match in re.finditer("[^\n]+", text))


def test_sentences_without_two_names_are_left_out_and_the_others_are_the_same(text):
    passage = text.replace(". ", "." + BLANK)
    together = paragraphs(passage)
    (whole,) = load_shipped_parser().parse([Request(passage, unbroken_spans=together)])
    (some,) = load_shipped_parser().parse(
        [Request(passage, unbroken_spans=together, pair_filter=PairFilter("PROTEIN".__eq__))]
    )
    assert [each.span for each in some] == [each.span for each in whole]
    assert [each.mentions for each in some] == [each.mentions for each in whole]
    parsed = [(one, other) for one, other in zip(some, whole) if one.unparsed_span is None]
    assert all(one == other for one, other in parsed)
    assert all(len(each.mentions) < 2 for each in some if each.unparsed_span is not None)
    assert any(each.unparsed_span for each in some)


def test_given_names_say_which_sentences_are_parsed():
    text = BLANK.join(["Ras binds Raf.", "It rains.", "Ras and Raf and MEK."])
    given = tuple(place for place in range(len(text)) if text.startswith(("Ras", "Raf"), place))
    request = Request(text, unbroken_spans=paragraphs(text), pair_filter=PairFilter(bool, given))
    (found,) = load_shipped_parser(entities=False).parse([request])
    assert [each.span for each in found] == [(0, 14), (16, 25), (27, 47)]
    assert [bool(each.tokens) for each in found] == [True, False, True]


def test_what_the_parser_has_to_decide_is_parsed():
    nlp = load_shipped_uncached()
    for name in set(nlp.pipe_names) & {"sentence_rules"}:
        nlp.remove_pipe(name)
    request = Request("It rains. It rains", pair_filter=PairFilter(bool, ()))
    (found,) = SpacyParser(nlp, name="shipped", entities=False).parse([request])
    assert [len(each.tokens) for each in found] == [3, 2]


def test_neighbouring_sentences_leave_nothing_out(text):
    (found,) = load_shipped_parser().parse([Request(text)])
    for one, other in pairwise(found):
        assert not text[one.span[1] : other.span[0]].strip()


def test_a_pipeline_of_which_nothing_is_known_runs_as_it_is(text):
    nlp = load_shipped_uncached()
    nlp.remove_pipe("ner")
    plain = SpacyParser(nlp, name="shipped")
    assert isinstance(plain._pipeline, GenericPipeline)
    (found,) = plain.parse([Request(text)])
    assert [found] == list(load_shipped_parser(entities=False).parse([Request(text)]))
