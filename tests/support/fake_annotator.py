"""An annotator for tests of long runs: quick, and at the mercy of what its texts say."""

import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from corpora import Entity, Sentence
from ppi.annotation import AnnotatedDocument, AnnotatorSettings, Interaction


class FakeAnnotator:
    """Finds that the first two words of a document interact, and obeys CRASH, HANG, RAISE, SLOW, LONG and EAT.

    It crashes at ``ONCE:FILE`` if there is no such file, and makes it; at ``WHILE:FILE`` as long as there is one; and
    it makes the file of ``COUNT:FILE`` longer by a byte.
    """

    def annotate_batch(self, documents):
        return list(self.annotate_documents(documents))

    def annotate_documents(self, documents, **options):
        for document in documents:
            text = document.sentences[0].text
            if "CRASH" in text:
                os.kill(os.getpid(), signal.SIGKILL)
            if "EAT" in text:
                eaten = bytearray(1_000_000_000)
                eaten[::4096] = b"x" * len(eaten[::4096])  # touched, so that it is there
                time.sleep(1000)
            for order, path in re.findall(r"(ONCE|WHILE|COUNT):(\S+)", text):
                _obey(order, Path(path))
            if "HANG" in text:
                time.sleep(1000)
            if "RAISE" in text:
                raise ValueError("this document is bad")
            time.sleep(0.05 * text.count("SLOW"))
            skipped = (document.sentences[0].id,) if "LONG" in text else ()
            yield AnnotatedDocument(document, (_interaction(document.id, document.sentences[0]),), skipped)


def _obey(order: str, path: Path) -> None:
    there = path.exists()
    if order != "WHILE":
        with path.open("ab") as stream:
            stream.write(b"x")
    if (order == "ONCE" and not there) or (order == "WHILE" and there):
        os.kill(os.getpid(), signal.SIGKILL)


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


@dataclass(kw_only=True)
class FakeSettings(AnnotatorSettings):
    #: a file with a byte for each time that loading is to end in a crash
    deaths: str | None = None

    def files(self):
        return {}

    def build(self):
        if self.deaths is not None and (left := Path(self.deaths).read_bytes()):
            Path(self.deaths).write_bytes(left[1:])
            os.kill(os.getpid(), signal.SIGKILL)
        return FakeAnnotator()
