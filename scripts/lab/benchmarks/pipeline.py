"""Speed of the shipped pipeline on one core: words per second, and where the time goes.

Times are processor seconds of this process (all its threads), which is what "one core" means on a machine that does
other things too.  The text is the sample corpus that ships with the package, repeated.  Shares are of the whole
run; the parts are timed one after another on the same documents.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import corpora
from lab.benchmarks.figure import Figure
from lab.frame.clock import cpu_seconds
from ppi.language import MODEL_DIRECTORY, Request, SpacyParser, load_shipped_pipeline

BAR_WORDS = 5000
PARTS = {
    "tagging": ("tok2vec", "tagger", "attribute_ruler", "lemmatizer"),
    "parsing": ("parser",),
    "entities": ("ner",),
}


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Words per second for the parser and for each part; loading time; size."""
    import spacy

    seconds, _ = cpu_seconds(lambda: spacy.load(MODEL_DIRECTORY))
    yield Figure("seconds to load", seconds, "lower", 1.5, 1.0, True, seconds, seconds)
    nlp = load_shipped_pipeline()
    sentences = [sentence.text for document in corpora.load("sample") for sentence in document.sentences]
    texts = sentences * max(1, round(40 * scale))
    parser = SpacyParser(nlp, name="shipped")
    list(parser.parse(map(Request, sentences)))  # warm caches
    seconds, parsed = cpu_seconds(lambda: list(parser.parse(map(Request, texts))), repeats=3)
    words = sum(len(sentence.tokens) for answer in parsed for sentence in answer)
    yield Figure("words a second", words / seconds, "higher", BAR_WORDS, 8000, True, seconds, seconds)
    shares = {}
    shares["tokenizing"], docs = cpu_seconds(lambda: [nlp.make_doc(text) for text in texts])
    for part, names in PARTS.items():
        shares[part], docs = cpu_seconds(partial(_run, nlp, names, docs))
    total = sum(shares.values())
    for part, spent in shares.items():
        yield Figure(f"share of {part}", spent / total, "lower", 1.0, 1.0, True, spent, total)


def _run(nlp: Any, names: tuple[str, ...], docs: list[Any]) -> list[Any]:
    for name in names:
        docs = list(nlp.get_pipe(name).pipe(docs, batch_size=64))
    return docs
