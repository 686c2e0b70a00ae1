"""Word vectors from unlabelled text: tokens, determinism, files, and their place in a pipeline."""

import lzma

import numpy as np
import pytest
import spacy
from lab.training.pipeline.package import assemble, save
from lab.training.pipeline.tokenization import build_tokenizer
from lab.training.pipeline.vectors import WordVectors, add_vectors, tokenized, train_vectors, vector_settings

from ppi.core import UsageError
from ppi.language import MODEL_DIRECTORY

TEXT = """\
BRCA1 binds p53, and p53 binds MDM2 (in vitro).
RAD51 doesn't bind anti-CD3 antibodies; p53 binds BRCA1.
The Ca2+-dependent kinase phosphorylates p53 in p53-deficient cells.
"""


def small_vectors(folder, **overrides):
    pytest.importorskip("gensim")
    text = folder.parent / "text.txt.xz"
    with lzma.open(text, "wt", encoding="utf-8") as file:
        file.write(TEXT * 20)
    return train_vectors(text, folder, dimensions=8, **({"min_count": 20} | overrides))


def test_each_stretch_is_cut_once_and_as_the_tokenizer_cuts_the_whole_line():
    lines = [*TEXT.splitlines(keepends=True), "\n", "  spaces   between\twords \n"]
    tokenizer = build_tokenizer(spacy.blank("en").vocab)
    whole = [[token.lower_ for token in tokenizer(line) if not token.is_space] for line in lines]
    assert list(tokenized(lines)) == whole
    assert whole[1][:4] == ["rad51", "does", "n't", "bind"]


def test_words_come_by_frequency_and_the_same_text_gives_the_same_vectors(tmp_path):
    first, again = (WordVectors.load(small_vectors(tmp_path / name)) for name in ("first", "again"))
    assert first.words == again.words
    np.testing.assert_array_equal(first.table, again.table)
    assert first.words[0] == "p53"
    assert {"binds", "brca1", "anti"} < set(first.words)
    assert first.table.shape == (len(first.words), 8)
    assert first.table.dtype == np.float32
    np.testing.assert_allclose(first.table.mean(axis=0), 0, atol=1e-6)
    assert first.table.std() == pytest.approx(1, rel=1e-5)
    other = WordVectors.load(small_vectors(tmp_path / "other", seed=2))
    assert not np.array_equal(first.table, other.table)


def test_the_folder_holds_words_and_rows_only_and_rare_words_are_left_out(tmp_path):
    folder = small_vectors(tmp_path / "vectors", min_count=40)
    assert sorted(path.name for path in folder.iterdir()) == ["vectors.npy", "words.txt"]
    words = (folder / "words.txt").read_text(encoding="utf-8").splitlines()
    assert "binds" in words
    assert "rad51" not in words
    (folder / "words.txt").write_text("p53\n", encoding="utf-8")
    with pytest.raises(UsageError, match="expected a row for each word, got 1 words"):
        WordVectors.load(folder)


def test_a_pipeline_finds_the_frequent_words_whatever_their_case():
    nlp = spacy.blank("en")
    table = np.arange(6, dtype=np.float32).reshape(3, 2) + 1
    add_vectors(nlp, WordVectors(["binds", "p53", "rare"], table), words=2)
    rows = nlp.vocab.vectors.find(keys=[token.lower for token in nlp("P53 Binds rare")])
    assert rows.tolist() == [1, 0, -1]
    assert nlp.vocab.vectors.shape == (2, 2)
    assert nlp.vocab["P53"].lower_ in nlp.vocab.strings


def test_the_assembled_pipeline_has_the_vectors_of_the_parser(tmp_path):
    trained = spacy.load(MODEL_DIRECTORY)
    add_vectors(trained, WordVectors(["zz1", "zz2"], np.ones((2, 3), dtype=np.float32)), words=2)
    save(assemble(trained, spacy.load(MODEL_DIRECTORY), []), tmp_path, sources=[], facts={}, scores={})
    vocab = spacy.vocab.Vocab().from_disk(tmp_path / "vocab")
    assert vocab.vectors.attr == spacy.attrs.LOWER
    assert vocab.vectors.find(keys=["zz2", "zz1", "zz3"]).tolist() == [1, 0, -1]
    assert "zz2" in vocab.strings


def test_settings_are_known_by_name():
    assert vector_settings({"seed": 7})["seed"] == 7
    with pytest.raises(UsageError, match="got 'depth'"):
        vector_settings({"depth": 7})
