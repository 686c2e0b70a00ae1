"""The component in pipelines: the shipped one, one built here, one without a parser; batches, processes, files."""

import json
import subprocess
import sys
import tomllib
import warnings
from multiprocessing.reduction import ForkingPickler  # what processes send each other, in memory
from pathlib import Path

import pytest
import spacy
from spacy import displacy
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example

import corpora
import ppi
from ppi.annotation.in_spacy.component import InteractionFinder
from ppi.annotation.in_spacy.docs import USER_DATA_KEY, register_extensions
from ppi.annotation.process_resources import ProcessParser
from ppi.core import ParseError, UsageError

ROOT = Path(__file__).parents[3]
TEXT = "It was known before. Profilin binds actin. STAT5 is phosphorylated by JAK2 but not by Fyn."
TEXTS = [TEXT, "XIAP inhibits caspase-9.", "", " \n", "Bad binds Bcl-XL but not Bax."]


@pytest.fixture(scope="module")
def nlp():
    pipeline = ppi.load_pipeline()
    pipeline.add_pipe("ppi_interactions")
    return pipeline


@pytest.fixture(scope="module")
def foreign():
    """A pipeline with a parser that learned nothing of use, its own label scheme and no names."""
    pipeline = spacy.blank("en", meta={"name": "built_here"})
    pipeline.add_pipe("parser", config={"min_action_freq": 1})
    example = Example.from_dict(
        pipeline.make_doc("Profilin binds actin ."),
        {"heads": [1, 1, 1, 1], "deps": ["subject", "ROOT", "object", "stop"], "sent_starts": [1, -1, -1, -1]},
    )
    pipeline.initialize(lambda: [example])
    for _ in range(10):
        pipeline.update([example])
    pipeline.add_pipe("ppi_interactions", config={"min_probability": 0.0})
    return pipeline


def names(doc):
    return [each.names for each in doc._.interactions]


def test_it_finds_what_the_annotator_finds(nlp):
    texts = [s.text for document in corpora.read(corpora.find("abstracts")) for s in document.sentences][:8]
    annotator = ppi.Annotator()
    for text, doc in zip(texts, nlp.pipe(texts), strict=True):
        expected = annotator.annotate(text, explain=False)
        found = doc._.interactions
        assert [each.names for each in found] == [each.names for each in expected]
        assert [each.type for each in found] == [each.type for each in expected]
        assert [each.probability for each in found] == pytest.approx([each.probability for each in expected], abs=1e-3)
        for each in found:
            for entity in each.proteins:
                span = doc.char_span(each.offset + entity.start, each.offset + entity.end)
                assert span.text == entity.text
                assert (span.start, span.end) in [(ent.start, ent.end) for ent in doc.ents]


def test_sentences_have_their_own(nlp):
    doc = nlp(TEXT)
    assert names(doc) == [("Profilin", "actin"), ("STAT5", "JAK2")]
    first, second, third = doc.sents
    assert [len(sent._.interactions) for sent in (first, second, third)] == [0, 1, 1]
    (found,) = third._.interactions
    assert (found.kind, [entity.text for entity in found.participants]) == ("phosphorylation", ["JAK2", "STAT5"])
    assert doc[second.start : second.start + 2]._.interactions == []  # "Profilin binds"


def test_batches_and_processes_give_the_same(nlp):
    expected = [nlp(text)._.interactions for text in TEXTS]
    assert [len(found) for found in expected] == [2, 1, 0, 0, 1]
    assert [doc._.interactions for doc in nlp.pipe(TEXTS, batch_size=2)] == expected
    assert [doc._.interactions for doc in nlp.pipe(TEXTS, n_process=2, batch_size=2)] == expected


def test_interactions_travel_with_the_doc_as_plain_values(nlp):
    doc = nlp(TEXT)
    assert [value["type"] for value in json.loads(doc.user_data[USER_DATA_KEY])] == ["binding", "modification"]
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.interactions == doc._.interactions
    packed = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (unpacked,) = DocBin(store_user_data=True).from_bytes(packed).get_docs(nlp.vocab)
    assert unpacked._.interactions == doc._.interactions


def test_a_pipeline_with_it_is_saved_and_loaded(nlp, tmp_path):
    pipeline = ppi.load_pipeline()
    pipeline.add_pipe("ppi_interactions", config={"types": ["modification"], "include_hedged": True})
    pipeline.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert names(loaded(TEXT)) == [("STAT5", "JAK2")]
    assert loaded.get_pipe("ppi_interactions").annotator.selection.include_hedged
    assert names(spacy.load(tmp_path).from_bytes(pipeline.to_bytes())(TEXT)) == [("STAT5", "JAK2")]


def test_it_can_be_sent_to_another_process(nlp):
    component = nlp.get_pipe("ppi_interactions")
    again = ForkingPickler.loads(bytes(ForkingPickler.dumps(component)))
    assert isinstance(again, InteractionFinder)
    assert again.annotator.min_probability == component.annotator.min_probability


def test_displacy_draws_both_ways(nlp):
    doc = nlp("Profilin binds actin.")
    drawn = displacy.render(doc, style="ent", jupyter=False)
    assert drawn.count("PROTEIN") == 2
    assert displacy.render(doc, style="dep", jupyter=False).startswith("<svg")


def test_evidence_is_there_if_asked_for(nlp):
    assert [each.evidence for each in nlp(TEXT)._.interactions] == [None, None]
    pipeline = ppi.load_pipeline()
    pipeline.add_pipe("ppi_interactions", config={"explain": True})
    (doc,) = pipeline.pipe(["Profilin binds actin."])
    (found,) = Doc(pipeline.vocab).from_bytes(doc.to_bytes())._.interactions
    assert found.evidence.path == "binds -nsubj-> Profilin, binds -dobj-> actin"
    assert found.evidence.joining == ("binds",)
    assert found.evidence.svg.startswith("<svg")


def test_without_a_parser_it_says_what_is_missing():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("ppi_interactions")
    with pytest.raises(ParseError, match=r"Doc with dependencies, got .*'ppi_interactions'.*ppi.load_pipeline"):
        pipeline("Profilin binds actin.")
    with pytest.raises(ParseError, match="put a parser before 'ppi_interactions'"):
        list(pipeline.pipe(["Profilin binds actin."]))
    assert pipeline("")._.interactions == []


def test_its_repr_is_one_line(nlp):
    component = nlp.get_pipe("ppi_interactions")
    assert repr(component) == "<InteractionFinder 'ppi_interactions': Annotator(parser='given', min_probability=0.5)>"


def test_the_pipelines_error_handler_decides_who_goes_on():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("ppi_interactions")
    failed = []
    pipeline.set_error_handler(lambda name, component, docs, error: failed.extend(doc.text for doc in docs))
    assert [doc.text for doc in pipeline.pipe(["", "Profilin binds actin.", ""])] == ["", ""]
    assert failed == ["Profilin binds actin."]


def test_another_parser_is_used_with_a_warning(foreign):
    foreign.get_pipe("ppi_interactions").annotator._warned_parsers = None
    with pytest.warns(UserWarning, match=r"expected parses of 'shipped.*got those of 'en_built_here'.*ppi\.load_pipe"):
        doc = foreign("Profilin binds actin.")
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Profilin", "PROTEIN"), ("actin", "PROTEIN")]
    assert names(doc) == [("Profilin", "actin")]


def test_nothing_is_parsed_a_second_time(nlp, monkeypatch):
    def parse_again(self):
        raise AssertionError("expected the parse of the Doc to be used, got another one")

    monkeypatch.setattr(ProcessParser, "_load", parse_again)
    monkeypatch.setattr("ppi.language.parsers.spacy_parser.SpacyParser.parse", parse_again)
    doc = nlp("Profilin binds actin.")
    tree = [(token.head.i, token.dep_) for token in doc]
    nlp.get_pipe("ppi_interactions")(doc)
    assert [(token.head.i, token.dep_) for token in doc] == tree
    assert names(doc) == [("Profilin", "actin")]


def test_the_shipped_parser_is_known_in_any_pipeline():
    source = ppi.load_pipeline()
    pipeline = spacy.blank("en", vocab=source.vocab)
    for name in ("tok2vec", "tagger", "parser"):
        pipeline.add_pipe(name, source=source)
    pipeline.add_pipe("ppi_interactions", config={"min_probability": 0.0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert names(pipeline("Profilin binds actin.")) == [("Profilin", "actin")]


class TestGivenEntities:
    def doc(self, nlp, *ents):
        doc = nlp("Weather binds actin .")
        doc.ents = [Span(doc, start, end, label=label) for start, end, label in ents]
        return doc

    def component(self, nlp, **config):
        return InteractionFinder(nlp, min_probability=0.0, **config)

    def test_they_are_the_names(self, nlp):
        doc = self.component(nlp)(self.doc(nlp, (0, 1, "GENE"), (2, 3, "GENE")))
        assert names(doc) == [("Weather", "actin")]
        assert [ent.label_ for ent in doc.ents] == ["GENE", "GENE"]

    def test_labels_choose_among_them(self, nlp):
        doc = self.component(nlp, labels=["A"])(self.doc(nlp, (0, 1, "A"), (2, 3, "A"), (1, 2, "B")))
        assert names(doc) == [("Weather", "actin")]

    def test_those_of_general_pipelines_are_none_and_a_warning_says_so_once(self, nlp):
        component = self.component(nlp)
        with pytest.warns(UserWarning, match=r"names of proteins in doc.ents, got only \['ORG', 'PERSON'\].*replace"):
            assert names(component(self.doc(nlp, (0, 1, "ORG"), (2, 3, "PERSON")))) == []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            component(self.doc(nlp, (0, 1, "ORG")))

    def test_they_can_be_replaced(self, nlp):
        doc = nlp("Profilin binds actin.")
        doc.ents = [Span(doc, 0, 2, label="ORG")]
        self.component(nlp, entities="replace")(doc)
        assert [ent.text for ent in doc.ents] == ["Profilin", "actin"]
        assert names(doc) == [("Profilin", "actin")]


def test_settings_are_checked_when_they_are_given(nlp):
    for config, message in (
        ({"types": ["love"]}, "expected types of interaction among"),
        ({"kinds": ["cell"]}, "expected kinds of names to pair"),
        ({"min_probability": 2.0}, "expected a probability from 0 to 1"),
        ({"entities": "drop"}, "expected entities='keep' or 'replace', got 'drop'"),
    ):
        with pytest.raises(UsageError, match=message):
            spacy.blank("en").add_pipe("ppi_interactions", config=config)


def test_somebody_elses_extension_is_not_taken(nlp):
    ours = Doc.remove_extension("interactions")
    Doc.set_extension("interactions", default=None)
    try:
        with pytest.raises(UsageError, match=r"expected the extension Doc\._\.interactions to be free"):
            register_extensions()
    finally:
        Doc.remove_extension("interactions")
        Doc.set_extension("interactions", getter=ours[2])


def test_it_is_announced_to_spacy(tmp_path):
    """``nlp.add_pipe`` finds it by the package's entry points, without an import of ours."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    metadata = tmp_path / f"ppi_miner-{project['version']}.dist-info"
    metadata.mkdir()
    name, version = project["name"], project["version"]
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [f"{name} = {place}" for name, place in project["entry-points"]["spacy_factories"].items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[spacy_factories]", *lines, ""]))
    program = (
        f"import sys; sys.path[:0] = {[str(tmp_path), str(ROOT)]!r}\n"
        "import spacy\n"
        "assert 'ppi' not in sys.modules\n"
        "nlp = spacy.blank('en')\n"  # loads what is announced, also for those who want none of it
        "assert not {'ppi.annotation.annotator', 'scipy.sparse', 'numba', 'sklearn'} & sys.modules.keys()\n"
        "print(type(nlp.add_pipe('ppi_interactions')).__name__)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert (found.stdout, found.returncode) == ("InteractionFinder\n", 0), found.stderr
