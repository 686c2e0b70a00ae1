"""Training the name finder: which texts it may see, and a parser that stays as it is."""

import gzip
import io
import tarfile

import pytest
import spacy

from ppi.pipeline import MODEL_DIRECTORY, load
from ppi.pipeline.training.mentions import AnnotatedText
from ppi.pipeline.training.package import assemble
from ppi.pipeline.training.readers import is_for_tuning, is_held_out, mention_reader
from ppi.pipeline.training.run import Sources, train_names
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
            for name, content in ((f"{number}.txt", "p53 acts"), (f"{number}.ann", "T1\tprotein 0 3\tp53\n")):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content.encode()))
    return made


def test_parts_are_disjoint():
    abstracts = [AnnotatedText("", (), str(number)) for number in range(1000, 1200)]
    assert sum(map(is_held_out, abstracts)) == 20
    assert sum(map(is_for_tuning, abstracts)) == 10
    assert not any(is_held_out(text) and is_for_tuning(text) for text in abstracts)
    sentences = [AnnotatedText("", (), f"bc2gm-train.tsv.gz:{number}") for number in range(24)]
    assert [index for index, text in enumerate(sentences) if is_for_tuning(text)] == [11, 23]
    assert not any(map(is_held_out, sentences))


def test_readers_give_each_part_and_repeat_the_first_corpus(sources):
    nlp = spacy.blank("en")
    files = {"iob": str(sources.bc2gm), "standoff": str(sources.jnlpba)}
    tuning = [example.text for example in mention_reader(part="tune", iob_repeats=1, seed=1, **files)(nlp)]
    assert tuning == ["the kinase binds IL-2", "p53 acts"]
    training = [example.text for example in mention_reader(part="train", iob_repeats=2, seed=1, **files)(nlp)]
    assert (training.count("the kinase binds IL-2"), training.count("p53 acts")) == (22, 8)


def test_names_are_trained_over_a_parser_that_stays_as_it_is(sources, tmp_path):
    steps = {"vars.steps": 2, "training.eval_frequency": 1}
    part = train_names(sources, tmp_path / "names", parser=MODEL_DIRECTORY, **steps)
    tree = Tree(("genes",), (False,), ("NNS",), ("gene",), (-1,), ("ROOT",), ("NOUN",), ("Number=Plur",))
    names, shipped = spacy.load(part), spacy.load(MODEL_DIRECTORY)
    nlp = assemble(shipped, names, [tree])
    text = "Profilin, which binds actin, is inhibited by cofilin in IL-2-treated T cells."
    before, after = load()(text), nlp(text)
    assert [(t.tag_, t.dep_, t.head.i) for t in before] == [(t.tag_, t.dep_, t.head.i) for t in after]
    assert nlp.get_pipe("parser").model.to_bytes() == load().get_pipe("parser").model.to_bytes()
    node = next(node for node in shipped.get_pipe("tok2vec").model.walk() if node.has_param("W"))
    node.set_param("W", node.get_param("W") + 1)
    with pytest.raises(ValueError, match=r"expected names trained over this parser's token encoder.*train the names"):
        assemble(shipped, names, [tree])
