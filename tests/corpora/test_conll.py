import warnings

import conllu
import pytest

import corpora
from corpora.types import Dependency, DependencyGraph, Document, Entity, MultiwordToken, Sentence, Token

EXAMPLE = """\
# newdoc id = d1
# newpar
# sent_id = one
# text = Vámonos al mar.
# note = kept
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\tVB\tMood=Imp\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\tPRP\t_\t1\tobj\t1:obj|4:dep\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\tIN\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\tDT\t_\t5\tdet\t5:det\tGloss=the
4.1\tx\t_\t_\t_\t_\t_\t_\t5:dep\t_
5\tmar\tmar\tNOUN\tNN\t_\t1\tobl\t1:obl:a\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t1\tpunct\t1:punct\t_

# newdoc
1\t_\t_\tSYM\tNN\t_\t0\troot\t_\t_

"""


@pytest.fixture
def documents(tmp_path):
    path = tmp_path / "file.conllu"
    path.write_text(EXAMPLE, encoding="utf-8")
    with pytest.warns(corpora.LossWarning, match=r"conllu: documents read from conllu cannot hold: 1 empty nodes"):
        return corpora.load(path)


def test_documents_sentences_and_comments(documents):
    first, second = documents
    assert (first.id, second.id) == ("d1", "file-16")
    (sentence,) = first.sentences
    assert (sentence.id, sentence.text) == ("one", "Vámonos al mar.")
    assert sentence.infons == (("", "newpar"), ("note", "kept"))


def test_multiword_tokens_share_their_span(documents):
    graph = documents[0].sentences[0].parse("conllu")
    assert graph.multiwords == (MultiwordToken("1", "2", "Vámonos"), MultiwordToken("3", "4", "al"))
    assert [(token.start, token.end) for token in graph.tokens] == [
        (0, 7),
        (0, 7),
        (8, 10),
        (8, 10),
        (11, 14),
        (14, 15),
    ]
    assert graph.tokens[3].misc == "Gloss=the"
    assert graph.tokens[4].misc is None


def test_basic_and_enhanced_graphs(documents):
    sentence = documents[0].sentences[0]
    assert sentence.parsers == ("conllu", "conllu-enhanced")
    assert sentence.parse("conllu").roots == ("1",)
    assert Dependency("4", "2", "dep") in sentence.parse("conllu-enhanced").dependencies
    assert Dependency("1", "5", "obl:a") in sentence.parse("conllu-enhanced").dependencies


def test_underscore_is_a_word_with_itself_as_lemma(documents):
    (token,) = documents[1].sentences[0].parse().tokens
    assert (token.text, token.lemma) == ("_", "_")


def test_text_without_comment_follows_space_after(tmp_path):
    path = tmp_path / "file.conllu"
    path.write_text(
        "1\ta\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t,\t_\t_\t_\t_\t1\tpunct\t_\t_\n3\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n"
    )
    (document,) = corpora.load(path)
    assert document.sentences[0].text == "a, b"
    assert document.id == "file"


def test_a_general_graph_goes_to_the_enhanced_column(tmp_path, recwarn):
    corpora.write(corpora.load("sample"), tmp_path / "sample.conllu")
    written = (tmp_path / "sample.conllu").read_text(encoding="utf-8")
    assert "# enhanced_parser = gold" in written
    again = {
        sentence.id: sentence
        for document in corpora.load(tmp_path / "sample.conllu")
        for sentence in document.sentences
    }
    cyclic = again["sample.d4.s0"].parse("gold")
    assert Dependency("4", "1", "nsubj") in cyclic.dependencies
    assert Dependency("1", "4", "rcmod") in cyclic.dependencies


def test_our_output_is_what_an_independent_reader_reads(tmp_path, corpora_folder):
    original = corpora.load(corpora_folder / "treebanks" / "craft-dev.conllu.gz")
    corpora.write(original, tmp_path / "craft.conllu")
    ours = [sentence for document in original for sentence in document.sentences]
    with open(tmp_path / "craft.conllu", encoding="utf-8") as file:
        theirs = list(conllu.parse_incr(file))
    assert len(theirs) == len(ours)
    for mine, other in zip(ours, theirs, strict=True):
        graph = mine.parse()
        heads = {arc.dependent: (int(arc.governor), arc.type) for arc in graph.dependencies}
        assert other.metadata["text"] == mine.text
        assert [token["form"] for token in other] == [token.text for token in graph.tokens]
        assert [(token["head"], token["deprel"]) for token in other] == [
            heads.get(token.id, (0, "root")) for token in graph.tokens
        ]


def conll_row(id="1", form="ab", head="0", type="root", phead="_", misc="_"):
    return "\t".join([id, form, "_", "_", "_", "_", head, type, phead, misc]) + "\n"


@pytest.mark.parametrize(
    ("row", "match"),
    [
        (conll_row(id="1" * 5000), ":1: expected a token id"),
        (conll_row(head="1" * 5000, type="dep"), ":1: expected a token id, 0 or _ as HEAD"),
        (conll_row(id="1-" + "2" * 5000) + conll_row(), ":1: expected a token id"),
    ],
)
def test_numbers_with_thousands_of_digits_are_refused(tmp_path, row, match):
    (tmp_path / "x.conllu").write_text(row + "\n")
    with pytest.raises(corpora.ValidationError, match=match) as caught:
        corpora.load(tmp_path / "x.conllu")
    assert len(caught.value.problems[0].message) < 200


def test_labels_of_roots_and_projective_heads_are_counted(tmp_path):
    (tmp_path / "x.conllu").write_text(conll_row(type="parataxis") + "\n" + conll_row(type="ROOT") + "\n")
    with pytest.warns(corpora.LossWarning, match="cannot hold: 1 labels of roots"):
        corpora.load(tmp_path / "x.conllu")
    (tmp_path / "x.conllx").write_text(conll_row(phead="0") + "\n")
    with pytest.warns(corpora.LossWarning, match="cannot hold: 1 projective heads"):
        corpora.load(tmp_path / "x.conllx")


def test_reading_goes_on_past_a_row_of_the_wrong_length(tmp_path):
    path = tmp_path / "x.conllu"
    path.write_text("1\tab\n\n" + conll_row() + "\n2\n3\n")
    problems = []
    (document,) = corpora.read(path, problems=problems)
    assert len(document.sentences) == 1
    assert [problem.line for problem in problems] == [1, 5, 6]


@pytest.mark.parametrize("format", ["conllu", "conllx"])
def test_half_a_character_cannot_be_written(tmp_path, format):
    token = corpora.Token("1", 0, 1, "\ud800")
    graph = corpora.DependencyGraph("p", "t", (token,), roots=("1",))
    document = corpora.Document("d", (corpora.Sentence("s", "\ud800", parses=(graph,)),))
    with pytest.raises(corpora.CorpusError, match="s: expected text that UTF-8 can hold"):
        corpora.write([document], tmp_path / "out", format)
    assert list(tmp_path.iterdir()) == []


def test_conllx_counts_the_ids_and_names_it_cannot_hold(tmp_path):
    graph = corpora.DependencyGraph("gold", "t", (corpora.Token("1", 0, 2, "ab"),), roots=("1",))
    document = corpora.Document("d", (corpora.Sentence("mine", "ab", parses=(graph,)),))
    with pytest.warns(corpora.LossWarning, match=r"conllx cannot hold: 1 ids, 1 names of parsers$"):
        corpora.write([document], tmp_path / "out.conllx")


def test_mentions_stand_in_the_misc_column_and_come_back(tmp_path):
    text = "alpha- and beta-actin bind profilin."
    words = [("alpha-", 0), ("and", 7), ("beta-actin", 11), ("bind", 22), ("profilin", 27), (".", 35)]
    tokens = tuple(
        Token(str(number), start, start + len(word), word, misc="Note=a" if number == 5 else None)
        for number, (word, start) in enumerate(words, start=1)
    )
    entities = (
        Entity("T|1", "alpha- actin", ((0, 6), (16, 21)), "PRO:T EIN", ("ncbigene:1", "a,b")),
        Entity("T2", "beta-actin", ((11, 21),)),
        Entity("T3", "actin", ((16, 21),), "_"),
        Entity("T4", "profilin", ((27, 35),), "PROTEIN", ("ncbigene:5216",)),
    )
    sentence = Sentence("s", text, entities, parses=(DependencyGraph(None, "conllu", tokens),), offset=12)
    path = tmp_path / "a.conllu"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpora.write([Document("d", (sentence,))], path)
    assert "\tNote=a|Entity=T4:PROTEIN:27-35:ncbigene:5216|SpaceAfter=No\n" in path.read_text()
    (read,) = corpora.load(path)
    assert read.sentences[0].offset == 12
    assert set(read.sentences[0].entities) == set(entities)
    assert [token.misc for token in read.sentences[0].parses[0].tokens][4] == "Note=a"


@pytest.mark.parametrize("misc", ["Entity=(e1-person-1-)", "Entity=e1", "Entity=a:b:c", "Entity=a:b:1-"])
def test_marks_of_others_stay_what_they_are(tmp_path, misc):
    path = tmp_path / "a.conllu"
    path.write_text(f"1\tProfilin\t_\t_\t_\t_\t_\t_\t_\t{misc}\n\n")
    (document,) = corpora.load(path)
    assert document.sentences[0].entities == ()
    assert document.sentences[0].parses[0].tokens[0].misc == misc


def test_a_mention_outside_of_the_sentence_is_an_error(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\tProfilin\t_\t_\t_\t_\t_\t_\t_\tEntity=a:b:1-99\n\n")
    with pytest.raises(corpora.CorpusError, match=r"a.conllu:1: expected a mention inside the 8 characters"):
        corpora.load(path)
