"""Training the name finder: which texts it may see, names swapped for others, and a parser that stays as it is."""

import gzip
import io
import random
import tarfile

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from ppi.pipeline import MODEL_DIRECTORY, load
from ppi.pipeline.training.augment import read_gene_names, swap_names
from ppi.pipeline.training.mentions import AnnotatedText
from ppi.pipeline.training.package import assemble
from ppi.pipeline.training.readers import is_for_tuning, is_held_out, mention_reader, swapped_mention_reader
from ppi.pipeline.training.run import Sources, train_names
from ppi.pipeline.training.treebank import Tree

SENTENCE = "the\tO\nkinase\tB-GENE\nbinds\tO\nIL\tB-GENE\n-\tI-GENE\n2\tI-GENE\n\n"


@pytest.fixture
def sources(tmp_path):
    """Twelve sentences, and one abstract for each last digit of a PubMed id, and two genes."""
    made = Sources(tmp_path)
    for path in (made.bc2gm, made.genes):
        path.parent.mkdir(parents=True)
    made.bc2gm.write_bytes(gzip.compress(SENTENCE.encode() * 12))
    with tarfile.open(made.jnlpba, "w:gz") as archive:
        for number in range(20, 30):
            for name, content in ((f"{number}.txt", "p53 acts"), (f"{number}.ann", "T1\tprotein 0 3\tp53\n")):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content.encode()))
    rows = [
        "#Format: tax_id GeneID Symbol LocusTag Synonyms",
        "9606\t1\tA1BG\t-\tA1B|HYST2477\tx\t19\t19q\talpha-1-B glycoprotein\tprotein-coding",
        "9606\t2\tLOC7\t-\t-\tx\t19\t19q\tkinase, type 2 (fly)\tprotein-coding",
        "9606\t3\tNAT7P\t-\t-\tx\t19\t19q\tpseudogene\tpseudo",
    ]
    made.genes.write_bytes(gzip.compress("\n".join(rows).encode()))
    return made


@given(
    pieces=st.lists(st.tuples(st.text("ab, ", min_size=1), st.text("XY", min_size=1)), max_size=5),
    seed=st.integers(0, 9),
    share=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_swapping_changes_names_only(pieces, seed, share):
    text, spans = "", []
    for plain, name in pieces:
        spans.append((len(text) + len(plain), len(text) + len(plain) + len(name)))
        text += plain + name
    swapped = swap_names(AnnotatedText(text, tuple(spans), "d"), ["Q1", "long name"], random.Random(seed), share=share)
    names = [swapped.text[start:end] for start, end in swapped.spans]
    assert len(names) == len(pieces)
    position, plain_parts = 0, []
    for start, end in swapped.spans:
        plain_parts.append(swapped.text[position:start])
        position = end
    assert plain_parts == [plain for plain, _ in pieces]
    assert all(new == old or new in ("Q1", "long name") for new, (_, old) in zip(names, pieces))
    if share == 0.0:
        assert swapped.text == text


def test_a_name_inside_a_word_is_not_swapped():
    inside = AnnotatedText("RanGTP and Ran", ((0, 3), (11, 14)), "d")
    assert swap_names(inside, ["p53"], random.Random(0), share=1.0).text == "RanGTP and p53"


def test_gene_names_are_those_that_people_write(sources):
    assert read_gene_names(sources.genes) == ["A1B", "A1BG", "HYST2477", "alpha-1-B glycoprotein"]


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
    tuning = [example.text for example in mention_reader(part="tune", **files)(nlp)]
    assert tuning == ["the kinase binds IL-2", "p53 acts"]
    read = swapped_mention_reader(genes=str(sources.genes), iob_repeats=2, share=0.0, seed=1, **files)
    training = [example.text for example in read(nlp)]
    assert (training.count("the kinase binds IL-2"), training.count("p53 acts")) == (22, 8)


def test_swapped_names_stay_annotated(sources):
    files = {"iob": str(sources.bc2gm), "standoff": str(sources.jnlpba), "genes": str(sources.genes)}
    read = swapped_mention_reader(iob_repeats=1, share=1.0, seed=1, **files)
    found = {ent.text for example in read(load()) for ent in example.reference.ents}
    assert found <= {"A1B", "A1BG", "HYST2477", "alpha-1-B glycoprotein", "kinase", "IL-2", "p53"}
    assert found & {"A1B", "A1BG", "HYST2477", "alpha-1-B glycoprotein"}


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
