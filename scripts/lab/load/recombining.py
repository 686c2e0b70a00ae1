"""Abstracts in any number for trials of long runs: sentences of annotated corpora, shuffled and put together anew.

Their text is real, so that parsing and scoring them costs what real abstracts cost; what they say is nonsense.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence

from corpora import Document, Sentence

#: Sentences per abstract, with the title; about 200 words, as in PubMed.
SENTENCES = (5, 11)


def recombined(documents: Iterable[Document], count: int, *, random_state: int = 0) -> Iterator[Document]:
    """``count`` documents, each a title and an abstract, without annotation.

    Raises
    ------
    ValueError
        If the documents have no sentence.
    """
    texts = sorted({sentence.text for document in documents for sentence in document.sentences if sentence.text})
    if not texts:
        raise ValueError("expected documents with sentences to recombine, got none")
    generator = random.Random(random_state)
    for number in range(count):
        title, *abstract = generator.choices(texts, k=generator.randint(*SENTENCES))
        id = f"made-{number}"
        passages = (Sentence(f"{id}.t", title), Sentence(f"{id}.a", " ".join(abstract), offset=len(title) + 1))
        yield Document(id, passages)


def with_poison(lines: Sequence[bytes], share: float, *, random_state: int = 0) -> tuple[list[bytes], list[int]]:
    """JSON lines of which some are replaced by poison, and the numbers of those.

    The kinds: no JSON, JSON that is no document, bytes that are no UTF-8, a single word of 1.5 million characters,
    ten thousand brackets in each other.
    """
    generator = random.Random(random_state)
    chosen = sorted(generator.sample(range(len(lines)), round(share * len(lines))))
    poisoned = list(lines)
    for kind, number in enumerate(chosen):
        poisoned[number] = _poison(number, kind % 5)
    return poisoned, chosen


def _poison(number: int, kind: int) -> bytes:
    id = f"poison-{number}"
    if kind == 0:
        return b'{"id":"' + id.encode() + b'","sentences":[\n'
    if kind == 1:
        return json.dumps({"id": id, "sentences": {"text": 3}}).encode() + b"\n"
    if kind == 2:
        return b'{"id":"' + id.encode() + b'","sentences":[{"id":"s","text":"\xff\xfe"}]}\n'
    if kind == 3:
        return json.dumps({"id": id, "sentences": [{"id": "s", "text": "x" * 1_500_000}]}).encode() + b"\n"
    return b'{"id":"' + id.encode() + b'","sentences":' + b"[" * 10_000 + b"]" * 10_000 + b"}\n"
