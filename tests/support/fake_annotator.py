"""An annotator for tests of long runs: quick, and at the mercy of what its texts say."""

import os
import signal
import time
from dataclasses import dataclass

from corpora.types import Entity, Sentence
from ppi.annotation.settings import AnnotatorSettings
from ppi.annotation.types import AnnotatedDocument, Interaction


class FakeAnnotator:
    """Finds that the first two words of a document interact, and obeys CRASH, HANG, RAISE, SLOW and LONG."""

    def annotate_batch(self, documents):
        return list(self.annotate_documents(documents))

    def annotate_documents(self, documents, **options):
        for document in documents:
            text = document.sentences[0].text
            if "CRASH" in text:
                os.kill(os.getpid(), signal.SIGKILL)
            if "HANG" in text:
                time.sleep(1000)
            if "RAISE" in text:
                raise ValueError("this document is bad")
            if "SLOW" in text:
                time.sleep(0.05)
            skipped = (document.sentences[0].id,) if "LONG" in text else ()
            yield AnnotatedDocument(document, (_interaction(document.id, document.sentences[0]),), skipped)


def _interaction(document: str, sentence: Sentence) -> Interaction:
    first, second = sentence.text.split()[:2]
    start = sentence.text.index(second, len(first))
    return Interaction(
        document,
        sentence.id,
        sentence.text,
        sentence.offset,
        f"{sentence.id}.p0",
        (Entity("e0", first, ((0, len(first)),)), Entity("e1", second, ((start, start + len(second)),))),
        score=1.0,
        probability=0.75,
    )


@dataclass(frozen=True)
class FakeSettings(AnnotatorSettings):
    def files(self):
        return {}

    def build(self):
        return FakeAnnotator()
