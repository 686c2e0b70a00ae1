"""BioC, PubTator and brat: read back by the bioc package, by our readers, and by hand."""

import io
import warnings
import zipfile
from dataclasses import replace

import annotated
import bioc
import bioc.biocjson
import bioc.biocxml
import pytest
from document_strategies import XML
from hypothesis import given
from hypothesis import strategies as st

import corpora
from corpora import Document, Entity, LossWarning, Pair, Relation, Sentence
from ppi.annotation import AnnotatedDocument
from ppi.export.document_formats import join_passages
from ppi.export.formats import dumps, write


def bioc_collection(data: bytes, format: str):
    return bioc.biocjson.loads(data.decode()) if format == "bioc-json" else bioc.biocxml.loads(data.decode())


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml"])
def test_interactions_are_relations_with_a_probability_for_the_bioc_package(format):
    each = annotated.profilin(explained=True)
    (document,) = bioc_collection(dumps([each], format, explain=True), format).documents
    title, abstract = document.passages
    assert (title.text, title.relations) == ("Profilin and actin.", [])
    assert abstract.offset == 20
    assert abstract.text == " ".join(sentence.text for sentence in each.document.sentences[1:])
    assert [relation.infons["probability"] for relation in abstract.relations] == ["0.9300", "0.8000", "0.5500"]
    first = abstract.relations[0]
    assert first.infons["type"] == "Interaction"
    assert first.infons["path"] == "binds -nsubj-> Profilin, binds -dobj-> actin"
    named = {annotation.id: annotation.text for annotation in abstract.annotations}
    assert [named[node.refid] for node in first.nodes] == ["Profilin", "actin"]


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml"])
def test_mentions_are_where_they_were_for_the_bioc_package(format):
    each = annotated.discontinuous()
    (document,) = bioc_collection(dumps([each], format), format).documents
    places = {
        annotation.id: [(place.offset, place.end) for place in annotation.locations]
        for annotation in document.passages[0].annotations
    }
    assert places == {"d.e0": [(0, 5), (15, 22)], "d.e1": [(10, 22)], "d.e2": [(28, 33)]}


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml"])
def test_annotations_say_who_is_who_for_the_bioc_package(format):
    (document,) = bioc_collection(dumps([annotated.families()], format), format).documents
    group, gene = (annotation.infons for annotation in document.passages[0].annotations)
    assert (group["identifier"], group["symbol"], group["entity_kind"]) == ("fplx:AMPK", "AMPK", "complex")
    assert (gene["identifier"], gene["symbol"]) == ("kegg.genes:eco:b0002", "thrA")
    assert (gene["taxid"], gene["uniprot"]) == ("562", "P00561")


def test_families_and_complexes_have_a_type_of_their_own_in_pubtator():
    rows = [line.split("\t") for line in dumps([annotated.families()], "pubtator").decode().splitlines()[2:]]
    mentions = [row[3:] for row in rows if len(row) == 6]
    assert mentions == [["AMPK", "FAMILY", "fplx:AMPK"], ["ThrA", "protein", "kegg.genes:eco:b0002(Tax:562)"]]
    assert ["f", "Interaction", "fplx:AMPK", "kegg.genes:eco:b0002(Tax:562)", "0.9000"] in rows


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml"])
@given(each=annotated.annotated(XML))
def test_given_entities_survive_exactly(tmp_path_factory, format, each):
    path = tmp_path_factory.mktemp("bioc") / "file"
    path.write_bytes(dumps([each], format))
    (document,) = corpora.read(path, format)
    found = [entity for sentence in document.sentences for entity in sentence.entities]
    assert found == [entity for sentence in each.document.sentences for entity in sentence.entities]
    pairs = [pair for sentence in document.sentences for pair in sentence.pairs]
    assert [(pair.e1, pair.e2) for pair in pairs] == [
        tuple(entity.id for entity in interaction.proteins) for interaction in each.interactions
    ]
    assert all(pair.label is True for pair in pairs)
    assert [dict(pair.infons)["probability"] for pair in pairs] == [
        f"{interaction.probability:.4f}" for interaction in each.interactions
    ]


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml", "pubtator", "brat"])
@given(each=annotated.annotated(st.characters(), typed=True))
def test_any_text_can_be_written_and_what_no_file_holds_is_counted(format, each):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = dumps([each], format)
    assert data
    broken = any(0xD800 <= ord(c) < 0xE000 for sentence in each.document.sentences for c in sentence.text)
    if broken:
        assert any("characters, now U+FFFD" in str(warning.message) for warning in caught)


def test_parses_and_ids_that_a_format_has_no_place_for_are_not_worth_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for format in ("bioc-json", "bioc-xml", "pubtator", "brat"):
            dumps([annotated.profilin()], format)


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml", "brat"])
def test_paths_are_cleaned_like_texts(format):
    each = annotated.profilin()
    found = replace(each.interactions[0], evidence=annotated.evidence("binds -nsubj-> \ud800"))
    data = dumps([replace(each, interactions=(found,))], format, explain=True)
    assert format == "brat" or "binds -nsubj-" in data.decode()


def test_pairs_of_the_input_are_left_out_with_a_warning():
    each = annotated.profilin()
    title = each.document.sentences[0]
    gold = replace(title, pairs=(Pair("gold", title.entities[0].id, title.entities[1].id, False),))
    each = replace(each, document=replace(each.document, sentences=(gold, *each.document.sentences[1:])))
    with pytest.warns(LossWarning, match="1 pairs of the input are left out: relations are the interactions found"):
        (document,) = bioc_collection(dumps([each], "bioc-json"), "bioc-json").documents
    assert document.passages[0].relations == []


def test_relations_of_the_document_stay():
    each = annotated.profilin()
    related = Relation("R1", "Cotreatment", (("Arg1", "ncbigene:5216"), ("Arg2", "ncbigene:60")))
    each = replace(each, document=replace(each.document, relations=(related,)))
    lines = dumps([each], "pubtator").decode().splitlines()
    assert "10022882\tCotreatment\tncbigene:5216(Tax:9606)\tncbigene:60" in lines
    assert "10022882\tInteraction\tncbigene:5216(Tax:9606)\tncbigene:60\t0.9300" in lines


def test_pubtator_lines_by_hand():
    """Straight from the format: ID|t|..., ID|a|..., mentions of six columns, relations of five."""
    each = annotated.profilin()
    lines = dumps([each], "pubtator").decode().splitlines()
    title, abstract = (line.split("|", 2)[2] for line in lines[:2])
    whole = f"{title} {abstract}"
    rows = [line.split("\t") for line in lines[2:]]
    mentions = [row for row in rows if len(row) == 6]
    for _, start, end, name, type, _ in mentions:
        assert whole[int(start) : int(end)] == name
        assert type == "protein"
    expected = [
        (sentence.offset + entity.start, entity.text)
        for sentence in each.document.sentences
        for entity in sentence.entities
    ]
    assert [(int(row[1]), row[3]) for row in mentions] == expected
    concepts = {identifier for row in mentions for identifier in row[5].split(";")}
    relations = [row for row in rows if len(row) == 5]
    assert {(row[2], row[3], row[4]) for row in relations} == {
        ("ncbigene:5216(Tax:9606)", "ncbigene:60", "0.9300"),
        ("ncbigene:5216(Tax:9606)", "ncbigene:71", "0.9300"),
        ("name:cofilin", "name:actin", "0.8000"),
        ("name:cfl1", "name:actin", "0.5500"),
    }
    assert all(row[2] in concepts and row[3] in concepts for row in relations)


@pytest.mark.parametrize(
    ("infons", "title"),
    [
        ((("type", "title"),), "One."),
        ((("section_type", "TITLE"),), "One."),
        ((("corpora:passage", "0"), ("corpora:passage:type", "title")), "One."),
        ((("type", "paragraph"),), ""),
    ],
)
def test_pubtator_offsets_are_the_document_s_whatever_says_that_there_is_a_title(infons, title):
    (first,) = annotated.split("d.s0", ["One."], [["One"]], infons=infons)
    second, third = annotated.split("d.s1", ["Two two.", "Three."], [["Two"], ["Three"]], offset=7)
    lines = dumps([AnnotatedDocument(Document("d", (first, second, third)))], "pubtator").decode().splitlines()
    assert lines[0] == f"d|t|{title}"
    shift = 0 if title else 1  # an empty title and what separates it
    places = [int(line.split("\t")[1]) for line in lines[2:]]
    assert places == [shift, 7 + shift, 16 + shift]


def test_pubtator_relation_has_the_highest_probability_of_its_sentences():
    text = "A binds B."
    sentences = []
    for number in range(2):
        entities = (
            Entity(f"s{number}.e0", "A", ((0, 1),), "Gene", ("1",)),
            Entity(f"s{number}.e1", "B", ((8, 9),), "Gene", ("2",)),
        )
        sentences.append(Sentence(f"s{number}", text, entities, offset=11 * number))
    found = (
        annotated.interaction("d", sentences[0], "s0.e0", "s0.e1", 0.6),
        annotated.interaction("d", sentences[1], "s1.e1", "s1.e0", 0.9),
    )
    lines = dumps([AnnotatedDocument(Document("d", tuple(sentences)), found)], "pubtator").decode().splitlines()
    assert [line for line in lines if "Interaction" in line] == ["d\tInteraction\t1\t2\t0.9000"]


def test_every_ungrounded_mention_of_a_name_that_takes_part_gets_it_as_identifier():
    (title,) = annotated.split("d.s0", ["Cofilin and Gelsolin."], [["Cofilin", "Gelsolin"]])
    (binds,) = annotated.split("d.s1", ["cofilin binds actin."], [["cofilin", "actin"]], offset=22)
    found = (annotated.interaction("d", binds, "d.s1.e0", "d.s1.e1", 0.9),)
    lines = dumps([AnnotatedDocument(Document("d", (title, binds)), found)], "pubtator").decode().splitlines()
    identifiers = {row[3]: row[5] for line in lines if len(row := line.split("\t")) == 6}
    assert identifiers == {"Cofilin": "name:cofilin", "Gelsolin": "-", "cofilin": "name:cofilin", "actin": "name:actin"}


def test_pubtator_says_that_it_cannot_hold_discontinuous_mentions():
    with pytest.warns(LossWarning, match="1 discontinuous entities"):
        dumps([annotated.discontinuous()], "pubtator")


def test_brat_folder_and_archive_hold_the_same_and_offsets_are_the_document_s(tmp_path):
    each = annotated.profilin()
    write([each, annotated.discontinuous()], tmp_path / "out", "brat")
    archive = zipfile.ZipFile(io.BytesIO(dumps([each, annotated.discontinuous()], "brat")))
    assert sorted(archive.namelist()) == ["10022882.ann", "10022882.txt", "annotation.conf", "d.ann", "d.txt"]
    for name in archive.namelist():
        assert archive.read(name) == (tmp_path / "out" / name).read_bytes()
    text = archive.read("10022882.txt").decode()
    for sentence in each.document.sentences:
        assert text[sentence.offset : sentence.offset + len(sentence.text)] == sentence.text
    assert "T1\tprotein 0 5;15 22\talpha actinin" in archive.read("d.ann").decode()
    documents = {document.id: document for document in corpora.read(tmp_path / "out", "brat")}
    pairs = [pair for sentence in documents["10022882"].sentences for pair in sentence.pairs]
    assert [dict(pair.infons)["probability"] for pair in pairs] == ["0.9300", "0.8000", "0.5500"]


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml"])
def test_types_roles_and_doubts_for_the_bioc_package(format):
    (document,) = bioc_collection(dumps([annotated.typed()], format), format).documents
    (passage,) = document.passages
    names = {annotation.id: annotation.text for annotation in passage.annotations}
    found = [
        (relation.infons["type"], *((node.role, names[node.refid]) for node in relation.nodes))
        for relation in passage.relations
    ]
    assert found == [
        ("Binding", ("Arg1", "Profilin"), ("Arg2", "actin")),
        ("Phosphorylation", ("Agent", "LIMK1"), ("Target", "Cofilin")),
        ("Positive_regulation", ("Agent", "RhoA"), ("Target", "mDia1")),
        ("Negative_regulation", ("Agent", "Gelsolin"), ("Target", "actin")),
        ("Regulation", ("Agent", "RhoA"), ("Target", "cofilin")),
        ("Binding", ("Arg1", "MDM2"), ("Arg2", "actin")),
        ("Modification", ("Agent", "LIMK1"), ("Target", "actin")),
    ]
    infons = [relation.infons for relation in passage.relations]
    assert infons[1]["probability_modification"] == "0.6000"
    assert [infon.get("negated") for infon in infons] == [None] * 5 + ["true", None]
    assert [infon.get("hedged") for infon in infons] == [None] * 6 + ["true"]


def test_pubtator_relations_have_types_the_agent_first_and_nothing_doubtful():
    with pytest.warns(LossWarning, match="2 negated or hedged interactions"):
        lines = dumps([annotated.typed()], "pubtator").decode().splitlines()
    assert [line.split("\t")[1:] for line in lines if len(line.split("\t")) == 5] == [
        ["Binding", "name:profilin", "name:actin", "0.9600"],
        ["Phosphorylation", "name:limk1", "name:cofilin", "0.9000"],
        ["Positive_regulation", "name:rhoa", "name:mdia1", "0.8500"],
        ["Negative_regulation", "name:gelsolin", "name:actin", "0.8000"],
        ["Regulation", "name:rhoa", "name:cofilin", "0.7500"],
    ]


def test_pubtator_keeps_both_directions_apart_and_bindings_together():
    sentences = annotated.split("d.s0", ["A and B.", "B and A."] * 2, [["A", "B"], ["B", "A"]] * 2)
    found = []
    for number, sentence in enumerate(sentences):
        first, second = (mention.id for mention in sentence.entities)
        how = {"type": "regulation", "agent": first, "target": second} if number < 2 else {"type": "binding"}
        found.append(annotated.interaction("d", sentence, first, second, 0.9, **how))
    lines = dumps([AnnotatedDocument(Document("d", tuple(sentences)), tuple(found))], "pubtator").decode().splitlines()
    assert [tuple(line.split("\t")[1:4]) for line in lines if len(line.split("\t")) == 5] == [
        ("Regulation", "name:a", "name:b"),
        ("Regulation", "name:b", "name:a"),
        ("Binding", "name:a", "name:b"),
    ]


def test_brat_relations_have_roles_and_the_configuration_names_what_is_there(tmp_path):
    write([annotated.typed(), annotated.profilin()], tmp_path / "out", "brat")
    annotations = (tmp_path / "out" / "4711.ann").read_text()
    assert "R2\tPhosphorylation Agent:T4 Target:T3\n" in annotations
    assert "\tnegated R6\n" in annotations
    assert "\thedged R7\n" in annotations
    sections = brat_sections((tmp_path / "out" / "annotation.conf").read_text())
    assert list(sections) == ["entities", "relations", "events", "attributes"]
    assert sections["entities"] == {"protein": ""}
    assert sections["relations"]["Phosphorylation"] == "Agent:<ENTITY>, Target:<ENTITY>"
    assert sections["relations"]["Binding"] == "Arg1:<ENTITY>, Arg2:<ENTITY>, <REL-TYPE>:symmetric"
    marks = ("negated", "hedged", "same", "homo")
    assert sections["attributes"] == dict.fromkeys(marks, "Arg:<RELATION>")
    for line in annotations.splitlines():
        id, rest = line.split("\t")[:2]
        if id[0] in "TR":
            assert rest.split()[0] in sections["entities" if id[0] == "T" else "relations"]
    (document, _) = sorted(corpora.read(tmp_path / "out", "brat"), key=lambda one: one.id, reverse=True)
    (sentence,) = document.sentences
    assert dict(sentence.pairs[1].infons)["e1_role"] == "Agent"


def brat_sections(text: str) -> dict[str, dict[str, str]]:
    """The sections of an annotation.conf: names, and after a tab what is said of them."""
    sections: dict[str, dict[str, str]] = {}
    for line in filter(None, text.split("\n")):
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), {})
        else:
            name, _, rest = line.partition("\t")
            current[name] = rest
    return sections


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml", "pubtator", "brat"])
def test_nothing_and_documents_without_interactions(format, tmp_path):
    path = tmp_path / "empty"
    write([], path, format)
    if format == "brat":
        assert list(path.iterdir()) == []
    else:
        assert list(corpora.read(path, format)) == []
    path = tmp_path / "out"
    write([annotated.without_interactions()], path, format)
    (document,) = corpora.read(path, format)
    assert [entity.text for sentence in document.sentences for entity in sentence.entities] == ["actin"]
    assert not any(sentence.pairs for sentence in document.sentences)
    assert document.relations == ()


def test_sentences_of_different_passages_stay_apart():
    first = Sentence("p.0", "A.", offset=0, infons=(("type", "title"),))
    second = Sentence("p.1", "B.", offset=3, infons=(("type", "abstract"),))
    assert len(join_passages(Document("d", (first, second))).sentences) == 2
    overlapping = replace(second, infons=first.infons, offset=1)
    assert len(join_passages(Document("d", (first, overlapping))).sentences) == 2
    together = replace(second, infons=first.infons)
    (joined,) = join_passages(Document("d", (first, together))).sentences
    assert (joined.id, joined.text) == ("p", "A. B.")
