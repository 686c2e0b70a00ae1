"""Judgements as a corpus and as INDRA's curations; read back by our own readers."""

import io
import json
import warnings
import zipfile
from dataclasses import replace

import annotated
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import TYPED, at, fitting, judgement

import corpora
from corpora import LossWarning
from ppi.core import CurationError, UsageError
from ppi.server.curation.judgement import Judgement
from ppi.server.curation.judgement_export import (
    JUDGEMENT_FORMATS,
    build_corpus,
    dumps,
    indra_curations,
    write_judgements,
)

SAID = [
    judgement("right", of=0, pubmed="4711", comment="clear"),
    judgement("wrong direction", of=1),
    judgement("wrong type", of=2, type="binding"),
    judgement("wrong", of=3),
    judgement("not a protein", of=4, mention=2),
]


def test_the_corpus_by_hand():
    (document,) = build_corpus(SAID)
    assert (document.id, document.corpus, document.orig_id) == ("4711", "curation", "PMID:4711")
    assert [sentence.text for sentence in document.sentences] == [text for text, _ in annotated.TYPED_SENTENCES[:5]]
    pairs = [pair for sentence in document.sentences for pair in sentence.pairs]
    assert [(pair.label, pair.type) for pair in pairs] == [
        (True, "binding"),
        (True, "modification"),
        (True, "binding"),
        (False, None),
        (False, None),
    ]
    assert dict(pairs[0].infons) == {
        "verdict": "right",
        "curator": "Ada",
        "time": at(0),
        "probability": "0.9600",
        "comment": "clear",
    }
    turned = document.sentences[1]
    assert [turned.entity(id).text for id in (pairs[1].e1, pairs[1].e2)] == ["Cofilin", "LIMK1"]
    assert dict(pairs[1].infons)["e1_role"] == "Agent"
    assert [dict(entity.infons).get("not_protein") for entity in document.sentences[4].entities] == [None, "true"]


@pytest.mark.parametrize("format", ["jsonl", "bioc-json", "bioc-xml"])
def test_our_readers_read_it_back(tmp_path, format):
    path = tmp_path / f"judged{JUDGEMENT_FORMATS[format].suffix}"
    write_judgements(SAID, path, format)
    (there,) = build_corpus(SAID)
    (back,) = corpora.read(path)
    assert [sentence.text for sentence in back.sentences] == [sentence.text for sentence in there.sentences]
    assert [sentence.pairs for sentence in back.sentences] == [sentence.pairs for sentence in there.sentences]
    assert path.read_bytes() == dumps(SAID, format)


def test_brat_has_what_interacts(tmp_path):
    with pytest.warns(LossWarning, match="brat cannot hold: 2 negative pairs"):
        write_judgements(SAID, tmp_path / "judged", "brat")
    (back,) = corpora.read(tmp_path / "judged", "brat")
    assert [(pair.label, pair.type) for pair in back.sentences[0].pairs] == [
        (True, "binding"),
        (True, "modification"),
        (True, "binding"),
    ]
    with pytest.warns(LossWarning):
        content = dumps(SAID, "brat")
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == ["4711.ann", "4711.txt", "annotation.conf"]


def test_indra_by_hand():
    right, direction, type, wrong, name = indra_curations(SAID)
    assert [each["tag"] for each in (right, direction, type, wrong, name)] == [
        "correct",
        "wrong_relation",
        "wrong_relation",
        "no_relation",
        "grounding",
    ]
    assert (right["curator"], right["date"], right["text"], right["source"]) == ("Ada", at(0), "clear", "ppi-miner")
    assert right["pa_json"]["type"] == "Complex"
    assert right["ev_json"]["text"] == "Profilin binds actin."
    assert right["ev_json"]["pmid"] == "4711"
    assert [each["text"] for each in (direction, type, wrong, name)] == [
        "wrong direction",
        "should be binding",
        None,
        "not a protein: [cofilin]",
    ]
    assert name["pa_json"] is None  # a regulation without sign
    assert json.loads(dumps(SAID, "indra")) == [right, direction, type, wrong, name]
    (both,) = indra_curations([judgement("not a protein", comment="<b>no</b>")])
    assert both["text"] == "not a protein: [Profilin] or [actin]; <b>no</b>"


def test_what_another_run_says_under_the_same_ids_is_left_out_and_said():
    other = replace(TYPED[0], sentence="Profilin binds actin!")
    moved = replace(TYPED[1].proteins[0], spans=((1, 3),), text="of")
    judgements = [
        judgement(),
        Judgement("wrong", other, "Bob", at(1)),
        judgement(of=1),
        Judgement("wrong", replace(TYPED[1], pair="x", proteins=(moved, TYPED[1].proteins[1])), "Bob", at(1)),
        Judgement("wrong", replace(TYPED[1], sentence_id="y"), "Bob", at(1)),
    ]
    with pytest.warns(LossWarning, match="3 judgements are left out: another run gave their ids to other words"):
        (document,) = build_corpus(judgements)
    assert [len(sentence.pairs) for sentence in document.sentences] == [1, 1]


def test_one_mention_twice_is_a_pair_with_itself():
    found = annotated.one_protein().interactions
    (document,) = build_corpus([Judgement("right", each, "Ada", at(0)) for each in found])
    assert [pair.is_self for sentence in document.sentences for pair in sentence.pairs] == [False, False, True, True]


@pytest.mark.parametrize("format", JUDGEMENT_FORMATS)
@given(found=annotated.annotated(typed=True), comment=st.text(max_size=20), data=st.data())
def test_any_text_can_be_written(format, found, comment, data):
    said = []
    for each in found.interactions:
        said.append(Judgement(data.draw(st.sampled_from(fitting(each))), each, "Ada", at(0), comment=comment))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = dumps(said, format)
        assert dumps(said, format) == content
    if format == "bioc-xml" and said:
        from lxml import etree

        etree.fromstring(content)


def test_markup_in_every_field_stays_text():
    nasty = "'; DROP TABLE pairs; -- <script>alert(1)</script> ]]> &amp;"
    sentence = f"{nasty} binds actin."
    first, second = TYPED[0].proteins
    proteins = (
        replace(first, text=nasty, spans=((0, len(nasty)),)),
        replace(second, spans=((len(sentence) - 6, len(sentence) - 1),)),
    )
    hostile = replace(TYPED[0], document=nasty, sentence_id=nasty, pair=nasty, sentence=sentence, proteins=proteins)
    said = [Judgement("right", hostile, nasty[:90], at(0), nasty, nasty)]
    assert b"<script>" not in dumps(said, "bioc-xml")
    (document,) = build_corpus(said)
    assert document.sentences[0].text == sentence
    assert "DROP TABLE" in json.loads(dumps(said, "indra"))[0]["text"]


def test_ids_that_cannot_be_names_of_files_are_no_files():
    with pytest.raises(CurationError, match="write another format"):
        dumps([Judgement("right", replace(TYPED[0], document="../outside"), "Ada", at(0))], "brat")


def test_other_formats_are_refused():
    with pytest.raises(UsageError, match="expected a format of judgements, one of"):
        dumps(SAID, "csv")
