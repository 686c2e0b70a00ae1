"""An annotator for tests of the web server: fast, predictable, and obedient to words in the text.

Words of at least two capitals or digits are proteins, every pair of a sentence is an interaction, and its probability
depends on the sentence's length and the places.  Verbs give them types, the first name acting on the second: "binds",
"phosphorylates", "activates", "inhibits"; "not" and "may" make them negated and hedged; but only in texts that hold the
word ``typed``.  ``SLEEP``, ``SLUMBER`` (long), ``CRASH``, ``RAISE`` and ``HUNGER`` in the text make the worker do what
they say.
"""

import os
import re
import time
from dataclasses import replace
from html import escape
from itertools import combinations

from corpora import Entity, Sentence
from kernels import Contribution
from ppi.annotation import AnnotatedDocument, Evidence, Interaction, Selection
from ppi.core import MissingExtraError
from ppi.extraction import Explanation, PartContribution

NAME = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z0-9])\w+\b|<[^<>]*>")
SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s)|\Z)", re.DOTALL)
SLEEP_SECONDS = 1.0
SLUMBER_SECONDS = 60.0
VERBS = {
    "bind": ("binding", None, None),
    "phosphorylate": ("modification", None, "phosphorylation"),
    "activate": ("regulation", "positive", None),
    "inhibit": ("regulation", "negative", None),
}


class WebAnnotator:
    meaning = ("A probability of 0.80 means that eight of ten are so.", "Measured <b>nowhere</b>.")

    def annotate_documents(self, documents, *, explain=False, min_probability=None, selection=None):
        selection = selection or Selection()
        for document in documents:
            self._obey(" ".join(sentence.text for sentence in document.sentences))
            sentences = [part for passage in document.sentences for part in self._split(passage)]
            interactions = [one for sentence in sentences for one in self._pairs(document.id, sentence, explain)]
            if any("typed" in sentence.text for sentence in document.sentences):
                interactions = [self._typed(one) for one in interactions]
            likely = [
                one for one in interactions if one.probability >= (min_probability or 0.0) and selection.keeps(one)
            ]
            yield AnnotatedDocument(replace(document, sentences=tuple(sentences)), tuple(likely))

    def _obey(self, text):
        if "SLEEP" in text:
            time.sleep(SLEEP_SECONDS)
        if "SLUMBER" in text:
            time.sleep(SLUMBER_SECONDS)
        if "CRASH" in text:
            os._exit(1)
        if "RAISE" in text:
            raise ZeroDivisionError(text)
        if "HUNGER" in text:
            raise MemoryError

    def _split(self, passage):
        if passage.entities:
            yield passage
            return
        for number, match in enumerate(SENTENCE.finditer(passage.text)):
            id = f"{passage.id}.{number}"
            entities = tuple(
                Entity(f"{id}.e{n}", name.group(), (name.span(),), type="protein")
                for n, name in enumerate(NAME.finditer(match.group()))
            )
            yield Sentence(id, match.group(), entities, offset=passage.offset + match.start())

    def _pairs(self, document, sentence, explain):
        for number, (first, second) in enumerate(combinations(sentence.entities, 2)):
            score = 1.5 - 0.4 * number
            yield Interaction(
                document=document,
                sentence_id=sentence.id,
                sentence=sentence.text,
                offset=sentence.offset,
                pair=f"{sentence.id}.p{number}",
                proteins=(first, second),
                score=score,
                probability=round(0.95 / (1 + number), 3),
                evidence=self._evidence(first, second, score) if self._wanted(explain, sentence, number) else None,
            )

    def _wanted(self, explain, sentence, number):
        return explain if isinstance(explain, bool) else f"{sentence.id}.p{number}" in explain

    def _typed(self, one):
        said = one.sentence
        verb = next((verb for verb in VERBS if verb in said), "activate")
        type, sign, kind = VERBS[verb]
        agent, target = (None, None) if type == "binding" else (one.proteins[0].id, one.proteins[1].id)
        types = {"binding": 0.1, "modification": 0.1, "regulation": 0.1, type: one.probability}
        marks = {"negated": " not " in said, "hedged": " may " in said}
        return replace(one, type=type, types=types, sign=sign, kind=kind, agent=agent, target=target, **marks)

    def _evidence(self, first, second, score):
        features = [
            Contribution(1.0, "lemma(bind) IP -> role(PROT2) IP", 0, ()),
            Contribution(-0.5, "pos(NN) -> text(and)", 1, ()),
            Contribution(score - 0.4, "role(PROT1) IP -> lemma(bind) IP", 2, ()),
        ]
        why = Explanation(
            score=score,
            threshold=0.0,
            intercept=-0.1,
            features=features,
            words=[PartContribution(first.text, 0, 0.5, True)],
            dependencies=[],
            unplaced=0.0,
            path=f"binds -nsubj-> {first.text}, binds -dobj-> {second.text}",
            path_value=0.5,
        )
        label = escape(f"{first.text} and {second.text}")
        svg = (
            "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='120' viewBox='0 0 900 120'>"
            f"<title>{label}</title><rect width='900' height='120' fill='white'/>"
            f"<text x='20' y='60'>{label}</text></svg>"
        )
        return Evidence(why, svg, joining=("binds",))


class BrokenAnnotator:
    def __init__(self):
        raise MissingExtraError("stanza", "stanza")
