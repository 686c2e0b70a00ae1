"""What the parser's training loop reads: treebanks, and unlabelled text between them."""

import gzip
from itertools import islice

import pytest
import spacy
from lab.training.pipeline.readers import mixed_reader, silver_reader, treebank_reader

ROWS = {"Ras": ("NN", 2, "nsubj"), "binds": ("VBZ", 0, "root"), "Raf": ("NN", 2, "dobj"), "today": ("RB", 2, "advmod")}


@pytest.fixture
def files(tmp_path):
    """Two articles of CRAFT of which the first is for tuning, GENIA, and unlabelled text."""

    def write(name, documents):
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as lines:
            for document, count in documents.items():
                lines.write(f"# newdoc id = {document}\n")
                for _ in range(count):
                    words = [document, *list(ROWS)[1:]]
                    rows = zip(range(1, 5), words, ROWS.values(), strict=True)
                    for number, word, (tag, head, label) in rows:
                        lines.write(f"{number}\t{word}\t_\t_\t{tag}\t_\t{head}\t{label}\t_\t_\n")
                    lines.write("\n")
        return str(tmp_path / name)

    return {
        "craft": write("craft.gz", {"aside": 5, "craft": 30}),
        "genia": write("genia.gz", {"genia": 10}),
        "silver": write("silver.gz", {"silver": 7}),
    }


def first_words(examples):
    return [token.text for example in examples for token in example.reference if token.is_sent_start]


def test_treebanks_and_unlabelled_text_share_the_words_as_asked_for(files):
    reader = mixed_reader(**files, share=0.25, genia_repeats=1, seed=1)
    seen = first_words(islice(reader(spacy.blank("en")), 400))
    assert set(seen) == {"craft", "genia", "silver"}  # the tuning article is not learned from
    assert seen.count("silver") / len(seen) == pytest.approx(0.75, abs=0.02)


def test_both_begin_again_when_they_end(files):
    reader = mixed_reader(**files, share=0.5, genia_repeats=1, seed=1)
    seen = first_words(islice(reader(spacy.blank("en")), 300))
    assert seen.count("craft") > 30
    assert seen.count("silver") > 7


def test_single_sources_end(files):
    nlp = spacy.blank("en")
    treebanks = treebank_reader(craft=files["craft"], genia=files["genia"], part="train", genia_repeats=2, seed=1)
    seen = first_words(treebanks(nlp))
    assert (seen.count("craft"), seen.count("genia")) == (30, 18)  # the last tenth of GENIA is for tuning
    assert first_words(silver_reader(path=files["silver"])(nlp)) == ["silver"] * 7
