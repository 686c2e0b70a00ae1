"""Speed of the shipped pipeline on one core: words a second, and where the time goes.

The text is the sample corpus that ships with the package, repeated.  Shares are of the whole run; the parts are
timed one after another on the same documents, so they need not add up to one exactly.
"""

import time
from collections.abc import Iterator

import corpora
from benchmarks.figure import Figure, best_of
from ppi.parsing.backend import Request
from ppi.parsing.spacy_backend import SpacyBackend
from ppi.pipeline import MODEL_DIRECTORY, load

BAR_WORDS = 5000
PARTS = {
    "tagging": ("tok2vec", "tagger", "attribute_ruler", "lemmatizer"),
    "parsing": ("parser",),
    "entities": ("ner",),
}


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Words a second for the backend and for each part; loading time; size."""
    import spacy

    seconds, _ = best_of(lambda: spacy.load(MODEL_DIRECTORY))
    yield Figure("seconds to load", seconds, "lower", 1.5, 1.0, True, seconds, seconds)
    nlp = load()
    sentences = [sentence.text for document in corpora.load("sample") for sentence in document.sentences]
    texts = sentences * max(1, round(40 * scale))
    backend = SpacyBackend(nlp, name="shipped")
    list(backend.parse(map(Request, sentences)))  # warm caches
    seconds, parsed = best_of(lambda: list(backend.parse(map(Request, texts))), repeats=3)
    words = sum(len(sentence.tokens) for answer in parsed for sentence in answer)
    yield Figure("words a second", words / seconds, "higher", BAR_WORDS, 8000, True, seconds, seconds)
    start = time.perf_counter()
    docs = [nlp.make_doc(text) for text in texts]
    shares = {"tokenizing": time.perf_counter() - start}
    for part, names in PARTS.items():
        start = time.perf_counter()
        for name in names:
            docs = list(nlp.get_pipe(name).pipe(docs, batch_size=256))
        shares[part] = time.perf_counter() - start
    total = sum(shares.values())
    for part, spent in shares.items():
        yield Figure(f"share of {part}", spent / total, "lower", 1.0, 1.0, True, spent, total)
