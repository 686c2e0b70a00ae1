"""Many sentences with given names in one passage: comparisons grow no faster than n log n."""

from ppi.language.parsers import spacy_parser
from ppi.language.parsers.interface import Request
from ppi.language.parsers.spacy_parser import load_shipped_parser

SENTENCE = "Ras binds Raf. "


class Counted(int):
    """An offset that counts how often it is compared."""

    comparisons = 0

    def __lt__(self, other):
        Counted.comparisons += 1
        return int(self) < int(other)

    def __gt__(self, other):
        Counted.comparisons += 1
        return int(self) > int(other)

    __hash__ = int.__hash__


def comparisons(sentences):
    bounds = [
        (start + first, start + last)
        for start in range(0, sentences * len(SENTENCE), len(SENTENCE))
        for first, last in ((0, 3), (10, 13))
    ]
    spans = tuple((Counted(first), Counted(last)) for first, last in bounds)
    Counted.comparisons = 0
    request = Request(SENTENCE * sentences, frozenset(bound for span in spans for bound in span), spans)
    (found,) = load_shipped_parser(entities=False).parse([request])
    assert len(found) == sentences
    return Counted.comparisons


def test_given_names_are_not_compared_with_every_token():
    few, many = comparisons(50), comparisons(200)
    assert few > 0
    assert many < 4 * 1.6 * few  # log 400 is 1.4 times log 100


def test_the_names_of_a_text_are_read_off_once(monkeypatch):
    asked = []
    plain = spacy_parser.read_mentions
    monkeypatch.setattr(spacy_parser, "read_mentions", lambda doc: asked.append(doc) or plain(doc))
    (found,) = load_shipped_parser().parse([Request(SENTENCE * 40)])
    assert len(found) == 40
    assert len(asked) == 1
