"""Training the name finder: which texts it may see, labels, settings, and a parser that stays as it is."""

import gzip
import io
import tarfile
from itertools import pairwise, product

import numpy as np
import pytest
import spacy
from lab.training.pipeline.mentions import AnnotatedText, Name
from lab.training.pipeline.name_data import LabelledSentence, labelled_sentences, read_name_texts
from lab.training.pipeline.name_training import NameTrainer, name_settings, padded
from lab.training.pipeline.package import assemble
from lab.training.pipeline.run import Sources, held_out_abstracts, train_names
from lab.training.pipeline.treebank import Tree
from lab.training.pipeline.vectors import WordVectors

from ppi.core import UsageError
from ppi.language import MODEL_DIRECTORY, PROTEIN, TokenizedText, load_shipped_pipeline

SENTENCE = "the\tO\nkinase\tB-GENE\nbinds\tO\nIL\tB-GENE\n-\tI-GENE\n2\tI-GENE\n\n"
SMALL = {
    "network.units": 8,
    "network.filters": 4,
    "training.epochs": 2,
    "training.tuning": True,
}
#: Enough to learn the sentences by heart.
QUICK = {"training.epochs": 150, "training.learning_rate": 0.02, "training.tuning": False}


@pytest.fixture
def sources(tmp_path):
    """Twelve sentences, one abstract for each last digit of a PubMed id, and one gene."""
    made = Sources(tmp_path)
    made.bc2gm.parent.mkdir(parents=True)
    made.bc2gm.write_bytes(gzip.compress(SENTENCE.encode() * 12))
    texts = {f"{number}.txt": f"p53 acts in {number}" for number in range(20, 30)}
    write_tar(made.jnlpba, texts | {f"{number}.ann": "T1\tprotein 0 3\tp53\n" for number in range(20, 30)})
    row = ["9606", "7157", "TP53", "-", "P53", "-", "17", "-", "tumor protein p53", "protein-coding"] + ["-"] * 5
    lists = {
        "entrez-human-gene_info": "\t".join(row),
        "obo-sgd-synonyms.tsv": "TFC3\tsgd:S000000001\n",
        "obo-pombase-synonyms.tsv": "mrx11\tpombase:SPAC1002.01\n",
        "obo-hgnc.genegroup-synonyms.tsv": "kinase\thgnc.genegroup:1\n",
        "obo-complexportal-synonyms.tsv": "AP-1 complex\tcomplexportal:CPX-1\n",
        "famplex-grounding_map.csv": "MAPK,FPLX,MAPK\nras,UP,P01112\n",
        "not-proteins-chebi.tsv": "benzene\tCHEBI:1\nprotein\tCHEBI:2\n",
        "not-proteins-CellOntology.tsv": "T cells\tCL:1\n",
        "not-proteins-Cellosaurus.tsv": "HeLa\tCVCL_1\tHomo sapiens\n123\tCVCL_2\tHomo sapiens\n",
        "not-proteins-Species.tsv": "mouse\t10090\n",
    }
    made.lexicon.folder.mkdir()
    for name, content in lists.items():
        (made.lexicon.folder / f"{name}.gz").write_bytes(gzip.compress(content.encode()))
    made.genes[0].parent.mkdir()
    gene = "{0}|t|The kinase binds IL-2\n{0}|a|p53.\n{0}\t4\t10\tkinase\tFamilyName\n{0}\t17\t21\tIL-2\tGene\t1\n\n"
    for path in made.genes:
        path.write_bytes(gzip.compress((gene.format(10) + gene.format(11)).encode()))
    for path in made.entities:
        path.parent.mkdir(exist_ok=True)
        write_tar(
            path,
            {
                "devel/PMID-1.txt": "the kinase binds IL-2 and benzene",
                "devel/PMID-1.a1": "T1\tGene_or_gene_product 17 21\tIL-2\nT2\tSimple_chemical 26 33\tbenzene\n",
            },
        )
    return made


@pytest.fixture
def vectors(tmp_path):
    words = ["the", "binds", "mouse"]
    made = WordVectors(words, np.arange(24, dtype=np.float32).reshape(3, 8))
    made.save(tmp_path / "vectors")
    return tmp_path / "vectors"


def write_tar(path, contents):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content.encode()))


def documents(texts):
    return {name: [text.document.rpartition(":")[2] for text in some] for name, some in texts.items()}


def test_held_out_abstracts_are_in_no_part(sources):
    for tuning in (True, False):
        texts = read_name_texts(sources.bc2gm, sources.jnlpba, tuning=tuning)
        assert "21" not in documents(texts.training)["jnlpba"] + documents(texts.tuning)["jnlpba"]
    assert [text.text for text in held_out_abstracts(sources)] == ["p53 acts in 21"]


def test_tuning_texts_are_apart_while_tuning_and_used_afterwards(sources):
    texts = read_name_texts(sources.bc2gm, sources.jnlpba, tuning=True)
    assert documents(texts.tuning) == {"bc2gm": ["0", "10"], "jnlpba": ["23"]}
    assert documents(texts.training) == {
        "bc2gm": [str(number) for number in range(12) if number % 10],
        "jnlpba": ["20", "22", "24", "25", "26", "27", "28", "29"],
    }
    everything = documents(read_name_texts(sources.bc2gm, sources.jnlpba, tuning=False).training)
    assert (len(everything["bc2gm"]), len(everything["jnlpba"])) == (12, 9)


def test_labels_follow_our_tokens_and_cuts():
    text = "The IL-2 gene of E. coli. Ras binds 1alphabeta."
    names = [
        Name(text.index(name), text.index(name) + len(name), kind)
        for name, kind in (("IL-2 gene", "DNA"), ("coli. Ras", "protein"), ("1alpha", "protein"))
    ]
    (sentence,) = labelled_sentences([AnnotatedText(text, tuple(names), "1")], guideline="jnlpba")
    labels = dict(zip(sentence.words, sentence.labels))
    # a cut inside a name is not made; a name that ends within a token is none
    assert labels["Ras"] == "L-protein"
    assert [labels[word] for word in ("The", "IL", "-", "2", "gene")] == ["O", "B-DNA", "I-DNA", "I-DNA", "L-DNA"]
    assert labels["1alphabeta"] == "O"


def test_unknown_settings_are_refused():
    assert name_settings({"training.epochs": 3})["training"]["epochs"] == 3
    with pytest.raises(UsageError, match=r"expected a setting of the name finder, one of .* got 'training.epoch'"):
        name_settings({"training.epoch": 3})


def test_names_are_trained_beside_a_parser_that_stays_as_it_is(sources, vectors, tmp_path):
    pytest.importorskip("torch", reason="the name finder is trained with the extra 'train'")
    names = spacy.load(train_names(sources, vectors, tmp_path / "names", **(SMALL | QUICK)))
    tree = Tree(("genes",), (False,), ("NNS",), ("gene",), (-1,), ("ROOT",), ("NOUN",), ("Number=Plur",))
    shipped = spacy.load(MODEL_DIRECTORY)
    nlp = assemble(shipped, names, [tree])
    text = "Profilin, which binds actin, is inhibited by cofilin in IL-2-treated T cells."
    before, after = load_shipped_pipeline()(text), nlp(text)
    assert [(t.tag_, t.dep_, t.head.i) for t in before] == [(t.tag_, t.dep_, t.head.i) for t in after]
    for part in ("tok2vec", "tagger", "parser"):
        assert nlp.get_pipe(part).model.to_bytes() == shipped.get_pipe(part).model.to_bytes()
    assert nlp.get_pipe("ner").to_bytes() != load_shipped_pipeline().get_pipe("ner").to_bytes()


def test_the_loss_is_that_of_all_paths():
    torch = pytest.importorskip("torch", reason="the name finder is trained with the extra 'train'")
    from lab.training.pipeline.name_network import RandomField

    torch.manual_seed(0)
    field = RandomField(3, ("GENE",))
    torch.nn.init.normal_(field.steps)
    vectors = torch.randn(2, 4, 3)
    labels = torch.tensor([[0, 1, 3, 4], [4, 0, 0, 0]])  # O B L U and U O, padded
    lengths = [4, 2]
    present = torch.tensor([[column < length for column in range(4)] for length in lengths])
    with torch.no_grad():
        scores, steps = field.scores(vectors), field.all_steps()

        def total(row, path):
            around = [-1, *path, -1]
            stepped = sum(steps[one, two] for one, two in pairwise(around))
            return stepped + sum(scores[row, place, label] for place, label in enumerate(path))

        expected = 0
        for row, length in enumerate(lengths):
            paths = torch.stack([total(row, path) for path in product(range(5), repeat=length)])
            expected += torch.logsumexp(paths, 0) - total(row, labels[row, :length].tolist())
        assert field.loss(vectors, labels, present).item() == pytest.approx(expected.item(), rel=1e-4)


def test_the_network_learns_and_runs_the_same_without_pytorch(sources, vectors):
    torch = pytest.importorskip("torch", reason="the name finder is trained with the extra 'train'")
    from lab.training.pipeline.name_network import NameNetwork

    texts = read_name_texts(sources.bc2gm, sources.jnlpba, tuning=True)
    settings = name_settings({**SMALL, **QUICK})
    trainer = NameTrainer(texts, sources.lexicon, WordVectors.load(vectors), settings)
    network = NameNetwork(trainer.vocabulary, 8, settings).eval()
    words = ["the", "kinase", "binds", "IL", "-", "2"]
    sentences = [words, words[:3], words[:5]]  # of different lengths, so that some are padded
    with torch.no_grad():
        expected = network(padded([trainer.numbered(LabelledSentence("bc2gm", w, ["O"] * len(w))) for w in sentences]))
    places = [trainer.gazetteer.find_places(w) for w in sentences]
    for number, encoded in trainer.model_of(network.state_dict()).encoder.encode(sentences, places):
        np.testing.assert_allclose(encoded, expected[number, : len(encoded)], atol=1e-5)

    lines = []
    model = trainer.train(lines.append)
    assert len(lines) == 150
    (found,) = model.find([TokenizedText(words, [" "] * len(words))], guideline="bc2gm")
    assert found == [(1, 2, PROTEIN), (3, 6, PROTEIN)]
