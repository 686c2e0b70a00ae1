"""Training the name finder: which texts it may see, and a parser that stays as it is."""

import gzip
import io
import tarfile

import pytest
import spacy

from ppi.pipeline import MODEL_DIRECTORY, load
from ppi.pipeline.training.package import assemble
from ppi.pipeline.training.readers import mention_reader
from ppi.pipeline.training.run import Sources, held_out_abstracts, train_names
from ppi.pipeline.training.treebank import Tree

SENTENCE = "the\tO\nkinase\tB-GENE\nbinds\tO\nIL\tB-GENE\n-\tI-GENE\n2\tI-GENE\n\n"


@pytest.fixture
def sources(tmp_path):
    """Twelve sentences, and one abstract for each last digit of a PubMed id."""
    made = Sources(tmp_path)
    made.bc2gm.parent.mkdir(parents=True)
    made.bc2gm.write_bytes(gzip.compress(SENTENCE.encode() * 12))
    with tarfile.open(made.jnlpba, "w:gz") as archive:
        for number in range(20, 30):
            for name, content in (
                (f"{number}.txt", f"p53 acts in {number}"),
                (f"{number}.ann", "T1\tprotein 0 3\tp53\n"),
            ):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content.encode()))
    return made


def test_held_out_abstracts_are_in_no_part(sources):
    nlp = spacy.blank("en")
    files = {"iob": str(sources.bc2gm), "standoff": str(sources.jnlpba)}
    tuning = [example.text for example in mention_reader(part="tune", iob_repeats=1, seed=1, **files)(nlp)]
    training = [example.text for example in mention_reader(part="train", iob_repeats=2, seed=1, **files)(nlp)]
    assert tuning == ["p53 acts in 28"]
    assert training.count("the kinase binds IL-2") == 24
    assert {text for text in training if "acts" in text} == {f"p53 acts in {last}" for last in (*range(20, 27), 29)}
    assert [text.text for text in held_out_abstracts(sources)] == ["p53 acts in 27"]


def test_names_are_trained_beside_a_parser_that_stays_as_it_is(sources, tmp_path):
    steps = {"vars.steps": 2, "training.eval_frequency": 1}
    names = spacy.load(train_names(sources, tmp_path / "names", **steps))
    tree = Tree(("genes",), (False,), ("NNS",), ("gene",), (-1,), ("ROOT",), ("NOUN",), ("Number=Plur",))
    nlp = assemble(spacy.load(MODEL_DIRECTORY), names, [tree])
    text = "Profilin, which binds actin, is inhibited by cofilin in IL-2-treated T cells."
    before, after = load()(text), nlp(text)
    assert [(t.tag_, t.dep_, t.head.i) for t in before] == [(t.tag_, t.dep_, t.head.i) for t in after]
    for part in ("tok2vec", "tagger", "parser"):
        assert nlp.get_pipe(part).model.to_bytes() == load().get_pipe(part).model.to_bytes()
    assert nlp.get_pipe("ner").model.to_bytes() != load().get_pipe("ner").model.to_bytes()
