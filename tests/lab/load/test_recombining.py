"""Abstracts put together from sentences, and poison among them."""

import pytest
from lab.load.recombining import recombined, with_poison

import corpora
from corpora import Document
from ppi.server import Chunk, read_chunk


def test_abstracts_are_the_same_for_the_same_seed_and_made_of_the_sentences():
    sample = corpora.load("sample")
    texts = {sentence.text for document in sample for sentence in document.sentences}
    first = list(recombined(sample, 30, random_state=1))
    assert first == list(recombined(sample, 30, random_state=1))
    assert first != list(recombined(sample, 30, random_state=2))
    assert len({document.id for document in first}) == 30
    for document in first:
        title, abstract = document.sentences
        assert title.text in texts
        assert abstract.offset == len(title.text) + 1
        assert any(abstract.text.startswith(text) for text in texts)


def test_nothing_to_recombine_is_an_error():
    with pytest.raises(ValueError, match="got none"):
        next(recombined([Document("empty")], 1))


def test_poison_is_where_it_says_and_readers_survive_it(tmp_path):
    path = tmp_path / "in.jsonl"
    corpora.write(recombined(corpora.load("sample"), 100), path)
    clean = path.read_bytes().splitlines(keepends=True)
    lines, numbers = with_poison(clean, 0.1)
    assert len(lines) == 100
    assert [number for number in range(100) if lines[number] != clean[number]] == numbers
    path.write_bytes(b"".join(lines))
    records = list(read_chunk(Chunk(str(path), "jsonl", 0, None, "p")))
    unread = [record.number for record in records if not record.documents]
    too_long = [record.number for record in records for each in record.documents if len(each.sentences[0].text) > 10**6]
    assert sorted(unread + too_long) == numbers
    assert all(failure.document == f"poison-{failure.record}" for record in records for failure in record.failures)
