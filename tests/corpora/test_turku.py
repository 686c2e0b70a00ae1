import gzip

import pytest

import corpora
from corpora.stats import corpus_stats

#: documents, sentences, entities, positive and negative pairs of the distributed corpora
COUNTS = {
    "AImed": (225, 1955, 4236, 1000, 4834),
    "BioInfer": (836, 1100, 4421, 2534, 7132),
    "HPRD50": (43, 145, 405, 163, 270),
    "IEPA": (200, 486, 1117, 335, 482),
    "LLL": (45, 77, 239, 164, 166),
}

PAIRS = """<corpus source="made"><document id="d" origId="7"><sentence id="s" text="ab binds cd or ef">
  <entity id="e1" charOffset="{ab}" text="ab"/><entity id="e2" charOffset="{cd}" text="cd"/>
  <entity id="e3" charOffset="{ef}" text="ef" type="protein"/>
  {pairs}
</sentence></document></corpus>"""
INCLUSIVE = {"ab": "0-1", "cd": "9-10", "ef": "15-16"}
EXCLUSIVE = {"ab": "0-2", "cd": "9-11", "ef": "15-17"}


def read_text(tmp_path, text):
    path = tmp_path / "made.xml"
    path.write_text(text, encoding="utf-8")
    return corpora.load(path)


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_the_five_corpora(corpora_folder, name):
    stats = corpus_stats(name, corpora.load(name))
    found = (stats.documents, stats.sentences, stats.entities, stats.positive, stats.negative)
    assert found == COUNTS[name]
    assert stats.unannotated == 0
    assert stats.parsers == ["Charniak-Lease", "split_parse"]


@pytest.mark.parametrize("offsets", [INCLUSIVE, EXCLUSIVE], ids=["inclusive", "exclusive"])
def test_ends_are_decided_by_the_entities_text(tmp_path, offsets):
    (document,) = read_text(tmp_path, PAIRS.format(pairs="", **offsets))
    spans = [entity.spans for entity in document.sentences[0].entities]
    assert spans == [((0, 2),), ((9, 11),), ((15, 17),)]


def test_a_minority_of_wrong_entities_does_not_turn_the_convention(tmp_path):
    text = PAIRS.format(pairs="", ab="0-2", cd="9-10", ef="15-16")
    with pytest.raises(corpora.ValidationError, match=r"made.xml:2: e1: expected the text 'ab' at \(\(0, 3\),\)"):
        read_text(tmp_path, text)


def test_missing_interaction_attribute_is_not_negative(tmp_path):
    pairs = '<pair id="p1" e1="e1" e2="e2"/><pair id="p2" e1="e1" e2="e3" interaction="False"/>'
    (document,) = read_text(tmp_path, PAIRS.format(pairs=pairs, **INCLUSIVE))
    assert [pair.label for pair in document.sentences[0].pairs] == [None, False]


def test_interaction_elements_make_every_other_pair_negative(tmp_path):
    interactions = (
        '<interaction id="s.p0" e1="e2" e2="e1" type="binds"/><interaction id="i2" e1="e1" e2="e2" type="other"/>'
    )
    with pytest.warns(corpora.LossWarning, match="1 further interactions of the same entities"):
        (document,) = read_text(tmp_path, PAIRS.format(pairs=interactions, **EXCLUSIVE))
    pairs = document.sentences[0].pairs
    assert [(pair.e1, pair.e2, pair.label) for pair in pairs] == [
        ("e2", "e1", True),
        ("e1", "e3", False),
        ("e2", "e3", False),
    ]
    assert len({pair.id for pair in pairs}) == 3
    assert pairs[0].type == "binds"


def test_a_file_without_pairs_has_none(tmp_path):
    (document,) = read_text(tmp_path, PAIRS.format(pairs="", **INCLUSIVE))
    assert document.sentences[0].pairs == ()
    assert document.sentences[0].parses == ()


def test_unknown_attributes_are_kept_as_remarks(tmp_path):
    text = PAIRS.format(pairs="", **INCLUSIVE).replace('<document id="d"', '<document id="d" PMID="12"')
    (document,) = read_text(tmp_path, text)
    assert document.infons == (("PMID", "12"),)
    assert document.orig_id == "7"


def test_discontinuous_entities_of_bioinfer(corpora_folder):
    spans = [
        len(entity.spans)
        for document in corpora.load("BioInfer")
        for sentence in document.sentences
        for entity in sentence.entities
    ]
    assert sum(count > 1 for count in spans) == 122


def test_three_sentences_of_aimed_have_an_empty_parse(corpora_folder):
    empty = [
        sentence.id
        for document in corpora.load("AImed", parsers=["split_parse"])
        for sentence in document.sentences
        if not sentence.parse("split_parse").dependencies
    ]
    assert len(empty) == 3


def test_parses_are_chosen_by_name(corpora_folder):
    chosen = corpora.load("LLL", parsers=["split_parse"])
    assert {sentence.parsers for document in chosen for sentence in document.sentences} == {("split_parse",)}


def test_token_that_differs_from_the_text_is_kept_and_reported(corpora_folder):
    from corpora.validation import find_problems

    found = list(find_problems(corpora.find("BioInfer")))
    assert len(found) == 12
    assert all(problem.line and problem.id and problem.path for problem in found)


def test_a_value_that_is_no_label_is_refused(tmp_path):
    pairs = '<pair id="p1" e1="e1" e2="e2" interaction="maybe"/>'
    with pytest.raises(corpora.FormatError, match=r"made.xml:4: p1: expected interaction='True' or 'False'"):
        read_text(tmp_path, PAIRS.format(pairs=pairs, **INCLUSIVE))


def test_gzip_is_told_by_its_bytes_not_its_name(tmp_path):
    path = tmp_path / "made.xml"
    path.write_bytes(gzip.compress(PAIRS.format(pairs="", **INCLUSIVE).encode()))
    assert len(corpora.load(path)) == 1


TEES = """<corpus source="made"><document id="d"><sentence id="s" charOffset="10-27" text="ab binds cd or ef">
  <entity id="e1" charOffset="0-2" text="ab" given="True"/><entity id="e2" charOffset="9-11" text="cd"/>
  <interaction id="i1" e1="e1" e2="e2" type="bind" directed="True"/>
  <interaction id="i2" e1="e2" e2="e1" type="inhibit" directed="True"/>
  <pair id="p1" e1="e1" e2="e2" interaction="False"/>
  <analyses><tokenization tokenizer="McCC" source="TEES">
    <token id="t1" charOffset="0-2" text="ab" POS="NN" headScore="1"/>
    <token id="t2" charOffset="3-8" text="binds" POS="VBZ" headScore="0"/>
  </tokenization><parse parser="McCC" tokenizer="McCC" pennstring="(S1 ...)">
    <dependency id="d1" t1="t2" t2="t1" type="nsubj"/><phrase id="x" begin="0" end="1" type="NP"/>
  </parse></analyses>
</sentence></document></corpus>"""


def test_what_the_later_variant_holds_beyond_our_types_is_counted(tmp_path):
    with pytest.warns(corpora.LossWarning) as caught:
        (document,) = read_text(tmp_path, TEES)
    (sentence,) = document.sentences
    assert sentence.offset == 10
    assert [(pair.id, pair.label, pair.type) for pair in sentence.pairs] == [("i1", True, "bind")]
    assert sentence.parse("McCC").tokens[1].end == 8
    (warning,) = caught
    for loss in (
        "1 <pair> elements in a file of the other kind",
        "1 further interactions of the same entities",
        "1 phrases, bracketings and other elements of analyses",
        "2 further attributes of <token>",
        "1 further attributes of <parse>",
        "1 further attributes of <tokenization>",
    ):
        assert loss in str(warning.message)


def test_problems_of_tokens_have_the_line_of_the_token(tmp_path):
    with pytest.raises(corpora.ValidationError, match=r"made.xml:8: token 't2': expected 0 <= start < end, got"):
        read_text(tmp_path, TEES.replace("3-8", "8-3"))
    with pytest.raises(corpora.ValidationError, match=r"made.xml:8: t2: expected charOffset='start-end', got '3'"):
        read_text(tmp_path, TEES.replace("3-8", "3"))


def test_documents_are_released_while_a_file_without_pairs_is_looked_at(tmp_path):
    from corpora.source import Source
    from corpora.xml import iter_elements

    path = tmp_path / "many.xml"
    path.write_text("<corpus>" + '<document id="d"><sentence id="s" text="a"/></document>' * 50 + "</corpus>")
    for sentence in iter_elements(Source(path), "sentence"):
        assert sum(1 for _ in sentence.getparent().itersiblings(preceding=True)) <= 1


def test_elements_that_are_not_read_are_counted(tmp_path):
    text = PAIRS.format(pairs="<span/><event/>", **INCLUSIVE).replace("</document>", "<section/></document>")
    expected = "1 elements of documents other than sentences, 2 elements of sentences other than entities and pairs"
    with pytest.warns(corpora.LossWarning, match=expected):
        read_text(tmp_path, text)
