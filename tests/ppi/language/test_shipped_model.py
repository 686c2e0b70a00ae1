"""The pipeline that ships: what is in its directory, what it says about itself, and bad input."""

import json
import subprocess
import sys

import pytest

from corpora import Document, Entity, Pair, Sentence
from ppi.core import MissingModelError, UsageError
from ppi.language.parsing import parse, parse_documents
from ppi.language.shipped_pipeline import MODEL_DIRECTORY, load_shipped_pipeline

TEXT = "Profilin, which binds actin, is inhibited by cofilin. IL-2 was expressed in mice and in T cells."


@pytest.fixture(scope="module")
def nlp():
    return load_shipped_pipeline()


def test_directory_is_small_and_holds_no_pickle(nlp):
    files = [file for file in MODEL_DIRECTORY.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 25e6
    for file in files:
        assert file.read_bytes()[:2] not in (b"\x80\x03", b"\x80\x04", b"\x80\x05"), f"{file} looks like a pickle"


def test_config_has_no_path_of_the_machine():
    config = (MODEL_DIRECTORY / "config.cfg").read_text(encoding="utf-8")
    assert "/" not in config


def test_spacy_reads_it_where_the_package_is_installed():
    program = "import sys, spacy; sys.exit(not spacy.load(sys.argv[1])('Ras binds Raf-1.').ents)"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", program, str(MODEL_DIRECTORY)], capture_output=True, text=True, check=False
    )
    assert loaded.returncode == 0, loaded.stderr


def test_meta_says_licence_sources_and_scores(nlp):
    meta = json.loads((MODEL_DIRECTORY / "meta.json").read_text(encoding="utf-8"))
    assert "CC BY" in meta["license"]
    assert {source["name"] for source in meta["sources"]} >= {"CRAFT", "GENIA treebank", "JNLPBA 2004"}
    assert meta["performance"]["craft-dev"]["uas"] > 80
    assert meta["training"]["parser"]["max_steps"] > 0


def test_sentences_tags_lemmas_names_and_dependencies():
    first, second = parse(TEXT)
    assert first.text.endswith("cofilin.")
    assert second.text.startswith("IL-2")
    graph = first.parse()
    tokens = {token.text: token for token in graph.tokens}
    assert (tokens["binds"].pos, tokens["binds"].lemma, tokens["binds"].upos) == ("VBZ", "bind", "VERB")
    words = {token.id: token.text for token in graph.tokens}
    arcs = {(words[arc.governor], arc.type, words[arc.dependent]) for arc in graph.dependencies}
    assert ("inhibited", "agent", "cofilin") in arcs
    assert "IL-2" in {entity.text for entity in second.entities}


def test_given_entities_fall_on_token_boundaries():
    entities = (Entity("e0", "p53", ((4, 7),)), Entity("e1", "DM2", ((9, 12),)))
    sentence = Sentence("s", "The p53MDM2. complex acts. It is.", entities[:1], (Pair("p", "e0", "e0"),))
    (document,) = parse_documents([Document("d", (sentence,))])
    assert "p53" in [token.text for token in document.sentences[0].parse().tokens]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "a" * 100_000,
        "A-" * 2_000,
        "\x00\x01\x07 \x1b[0m",
        "p53 \U0001f600 binds \U0001f9ec",
        "\u202bחלבון p53 קושר\u202c",
        "half \ud83d of p53",
        "....;;;;((((",
        "\ufeffp53\u200bMDM2\u00a0binds",
    ],
    ids=["empty", "blank", "long", "hyphens", "control", "emoji", "rtl", "surrogate", "punctuation", "invisible"],
)
def test_bad_input_gives_a_result(text):
    sentences = parse(text)
    assert all(text[s.offset : s.offset + len(s.text)] == s.text for s in sentences)
    assert bool(sentences) == bool(text.strip())
    for sentence in sentences:
        for token in sentence.parse().tokens:
            assert sentence.text[token.start : token.end] == token.text


def test_a_missing_model_is_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(MissingModelError, match=r"expected a trained pipeline.*train_pipeline"):
        load_shipped_pipeline(tmp_path)
    (tmp_path / "config.cfg").write_text("[nlp]\nlang = 7\n", encoding="utf-8")
    with pytest.raises(MissingModelError, match="expected a readable pipeline"):
        load_shipped_pipeline(tmp_path)


GENE = "The IL-2 gene is transcribed in T cells, and transcription factors bind its promoter."


def test_names_follow_the_guideline_asked_for():
    found = {
        guideline: {entity.text for sentence in parse(GENE, f"shipped:{guideline}") for entity in sentence.entities}
        for guideline in ("bc2gm", "jnlpba")
    }
    assert "transcription factors" in found["jnlpba"] - found["bc2gm"]
    assert any("IL-2" in name for name in found["bc2gm"])


def test_the_parse_is_the_same_whatever_the_guideline():
    first, second = (parse(GENE, parser) for parser in ("shipped", "shipped:jnlpba"))
    assert [sentence.parse() for sentence in first] == [sentence.parse() for sentence in second]


def test_an_unknown_guideline_is_refused():
    with pytest.raises(UsageError, match=r"expected a guideline for names .*, got 'x'"):
        parse(GENE, "shipped:x")


EMPTY_LINE = "Cloning of IL-2\n\nReceptor binding of p53 to\nMDM2"


def test_an_empty_line_ends_sentences_and_names():
    sentences = parse(EMPTY_LINE, "shipped:bc2gm")
    assert [sentence.text for sentence in sentences] == ["Cloning of IL-2", "Receptor binding of p53 to\nMDM2"]
    found = [entity.text for sentence in sentences for entity in sentence.entities]
    assert (
        found
        == [ent.text for ent in load_shipped_pipeline(guideline="bc2gm")(EMPTY_LINE).ents]
        == ["IL-2", "p53", "MDM2"]
    )


def test_names_do_not_depend_on_how_lines_are_wrapped(nlp):
    text = "NF-kappa B and Sp1 bind the HIV-1 LTR in T cells. Interleukin 2 activates NF-kappa B in lymphocytes."
    names = [ent.text for ent in nlp(text).ents]
    assert [ent.text.replace("\n", " ") for ent in nlp(text.replace(" ", "\n")).ents] == names != []
