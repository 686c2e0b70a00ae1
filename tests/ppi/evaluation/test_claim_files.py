"""Claims out of files: tables of anybody's, interactions of ours, documents of every format against one another."""

import contextlib
import json

import annotated
import pytest

import corpora
from corpora import CorpusError, FormatError, LossWarning
from ppi.annotation import AnnotatedDocument
from ppi.core import UsageError
from ppi.evaluation.scoring.claim_files import read_claims, read_table
from ppi.evaluation.scoring.claim_scores import score_claims
from ppi.evaluation.scoring.claims import Participant
from ppi.export import write

#: Three relations between identifiers; Raf1 is mentioned twice, MEK carries two genes, and KSR1 is in another sentence.
BIORED = """\
101|t|Raf1 activates MEK.
101|a|KSR1 is a scaffold. Raf1 binds ERK2 and Raf1 is active.
101\t0\t4\tRaf1\tGeneOrGeneProduct\t5894
101\t15\t18\tMEK\tGeneOrGeneProduct\t5604,5605
101\t20\t24\tKSR1\tGeneOrGeneProduct\t8844
101\t40\t44\tRaf1\tGeneOrGeneProduct\t5894
101\t51\t55\tERK2\tGeneOrGeneProduct\t5594
101\t60\t64\tRaf1\tGeneOrGeneProduct\t5894
101\tPositive_Correlation\t5894\t5604\tNovel
101\tBind\t5594\t5894\tNovel
101\tAssociation\t8844\t5894\tNo

102|t|Cdc42 binds PAK1.
102|a|
102\t0\t5\tCdc42\tGeneOrGeneProduct\t998
102\t12\t16\tPAK1\tGeneOrGeneProduct\t5058
"""


@pytest.fixture
def biored(tmp_path):
    path = tmp_path / "gold.pubtator"
    path.write_text(BIORED)
    return path


def table(tmp_path, text: str, name: str = "found.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


def counts(result, level, *, types=False, direction=False):
    (found,) = [each for each in result.scores if (each.level, each.types, each.direction) == (level, types, direction)]
    return found.gold, found.predicted, found.right


FOUND = """\
document,start_1,end_1,start_2,end_2,identifiers_1,identifiers_2,probability,type
101,0,4,15,18,ncbigene:5894,ncbigene:5605|ncbigene:5604,0.9,Positive correlation
101,51,55,40,44,EGID:5594,5894,0.8,Binding
102,0,5,12,16,ncbigene:998,ncbigene:5058,0.7,Binding
999,0,5,12,16,ncbigene:998,ncbigene:5058,0.7,Binding
"""


def test_a_table_against_relations_of_identifiers_by_hand(tmp_path, biored):
    result = score_claims(read_claims(biored), read_claims(table(tmp_path, FOUND)), n_resamples=10)
    # gold: 5894-5604, 5594-5894, 8844-5894; predicted: 5894-5605 and 998-5058 besides the first two
    assert counts(result, "identifiers") == (3, 4, 2)
    assert counts(result, "identifiers", types=True) == (3, 4, 2)
    assert {score.level for score in result.scores} == {"identifiers"}
    assert result.told.documents_only_predicted == ["999"]
    # ranks: 5605 and 5604 together at 0.9 (1 of 2), 5594 (2 of 3), 998: (1/2 + 2/3) / 3
    assert result.scores[0].average_precision == pytest.approx((1 / 2 + 2 / 3) / 3)


def test_relations_of_identifiers_are_projected_to_mentions_of_a_sentence(tmp_path, biored):
    gold = read_claims(biored, by_mentions=True)
    result = score_claims(gold, read_claims(table(tmp_path, FOUND)), levels=["mentions", "identifiers"], n_resamples=10)
    # Raf1-MEK of the title, ERK2 with each Raf1 of its sentence; KSR1 shares none with Raf1
    assert counts(result, "mentions") == (3, 3, 2)
    # the genes that MEK carries besides are none of the relation's
    assert counts(result, "identifiers") == (3, 4, 2)
    assert result.told.gold_without_mentions == 3
    assert result.told.gold_without_identifiers == 0


def test_bioc_says_the_same_as_pubtator(tmp_path, biored):
    found = read_claims(table(tmp_path, FOUND))
    for format in ("bioc-json", "bioc-xml", "jsonl"):
        corpora.write(corpora.read(biored), tmp_path / format, format)
        result = score_claims(read_claims(tmp_path / format, format), found, n_resamples=10)
        assert counts(result, "identifiers") == (3, 4, 2)


def test_the_infons_of_bc6pm_are_gold(tmp_path):
    passage = {"offset": 0, "text": "A binds B", "annotations": []}
    relations = [
        {"id": f"R{n}", "nodes": [], "infons": {"Gene1": a, "Gene2": b, "relation": "PPIm"}}
        for n, (a, b) in enumerate([("5894", "5604"), ("8844", "5894"), ("1", "1")])
    ]
    path = tmp_path / "gold.bioc.json"
    path.write_text(json.dumps({"documents": [{"id": "101", "passages": [passage], "relations": relations}]}))
    written = "document,identifiers_1,identifiers_2\n101,5604,5894\n101,1,1\n101,1,2\n"
    result = score_claims(read_claims(path), read_claims(table(tmp_path, written)), n_resamples=10)
    assert counts(result, "identifiers") == (3, 3, 2)


@pytest.fixture
def brat(tmp_path):
    """Positives only; two documents of one text."""
    folder = tmp_path / "brat"
    folder.mkdir()
    for id in ("a", "b"):
        (folder / f"{id}.txt").write_text("Raf1 binds MEK1 and ERK2 phosphorylates Elk1.\n")
        (folder / f"{id}.ann").write_text(
            "T1\tProtein 0 4\tRaf1\nT2\tProtein 11 15\tMEK1\nT3\tProtein 20 24\tERK2\nT4\tProtein 40 44\tElk1\n"
            "R1\tBinding Arg1:T1 Arg2:T2\nR2\tPhosphorylation Arg1:T3 Arg2:T4\n"
        )
    return folder


def test_brat_with_positives_only_by_hand(tmp_path, brat):
    written = (
        "document\tstart_1\tend_1\tstart_2\tend_2\ttype\tagent\n"
        "a\t11\t15\t0\t4\tBinding\t\n"  # right in either order
        "a\t20\t24\t40\t44\tModification\t2\n"  # the other way round
        "a\t0\t4\t20\t24\tBinding\t\n"  # wrong
        "a\t0\t4\t20\t24\tBinding\t\n"  # again
        "a\t20\t24\t41\t44\tPhosphorylation\t1\n"  # a character less
    )
    gold, found = read_claims(brat), read_claims(table(tmp_path, written, "found.tsv"))
    result = score_claims(gold, found, n_resamples=10)
    assert counts(result, "mentions") == (4, 4, 2)
    assert counts(result, "mentions", types=True) == (4, 4, 2)
    assert counts(result, "mentions", direction=True) == (4, 4, 1)
    assert result.scores[0].auc is None
    assert (result.told.claims_repeated, result.told.documents_only_in_gold) == (1, ["b"])
    lenient = score_claims(gold, found, overlap=True, n_resamples=10)
    # both predictions of ERK2 and Elk1 overlap the gold pair, which counts once; with direction only the last is right
    assert counts(lenient, "mentions") == (4, 4, 2)
    assert counts(lenient, "mentions", direction=True) == (4, 4, 2)


@pytest.fixture
def events(tmp_path):
    folder = tmp_path / "events"
    folder.mkdir()
    (folder / "a.txt").write_text("Raf1 binds MEK1 and ERK2 phosphorylates Elk1.\n")
    (folder / "a.a1").write_text(
        "T1\tProtein 0 4\tRaf1\nT2\tProtein 11 15\tMEK1\nT3\tProtein 20 24\tERK2\nT4\tProtein 40 44\tElk1\n"
    )
    (folder / "a.a2").write_text(
        "T5\tBinding 5 10\tbinds\nT6\tPhosphorylation 25 39\tphosphorylates\n"
        "E1\tBinding:T5 Theme:T1 Theme2:T2\nE2\tPhosphorylation:T6 Theme:T4 Cause:T3\n"
        "T7\tBinding 5 10\tbinds\nE3\tBinding:T7 Theme:T1 Theme2:T3\nM1\tNegation E3\n"
    )
    return folder


def test_events_against_brat_by_hand(brat, events):
    result = score_claims(read_claims(events), read_claims(brat), n_resamples=10)
    for types in (False, True):
        for direction in (False, True):
            assert counts(result, "mentions", types=types, direction=direction) == (2, 2, 2)
    reverse = score_claims(read_claims(brat), read_claims(events), n_resamples=10)
    assert counts(reverse, "mentions") == (4, 2, 2)


@pytest.mark.parametrize("format", ["jsonl", "parquet", "csv", "tsv", "bioc-json", "bioc-xml"])
def test_what_we_write_is_scored(tmp_path, format):
    each = annotated.profilin()
    write([each], tmp_path / f"found.{format}", format)
    found = read_claims(tmp_path / f"found.{format}", format if format.startswith("bioc") else None)
    again = tmp_path / "gold.jsonl"
    write([each], again, "jsonl")
    result = score_claims(read_claims(again), found, n_resamples=10)
    assert counts(result, "mentions") == (3, 3, 3)
    assert result.scores[0].average_precision == 1.0
    assert result.told.mentions_with_other_text == 0


def test_the_order_of_interactions_is_no_matter(tmp_path):
    sentences = annotated.split("d.s0", ["A binds B.", "C binds D and E."], [["A", "B"], ["C", "D", "E"]])
    (a, b), (c, d, e) = ([entity.id for entity in sentence.entities] for sentence in sentences)
    found = [
        annotated.interaction("d", sentences[1], c, d, 0.9),
        annotated.interaction("d", sentences[0], a, b, 0.8),
        annotated.interaction("d", sentences[1], c, e, 0.7),
    ]
    document = corpora.Document("d", tuple(sentences))
    write([AnnotatedDocument(document, tuple(found))], tmp_path / "found.jsonl", "jsonl")
    write([AnnotatedDocument(document, tuple(found))], tmp_path / "found.bioc.json", "bioc-json")
    one, other = read_claims(tmp_path / "found.jsonl"), read_claims(tmp_path / "found.bioc.json")
    assert len(one.texts["d"]) == 2
    for gold, predicted in ((one, other), (other, one)):
        assert counts(score_claims(gold, predicted, n_resamples=10), "mentions") == (3, 3, 3)


def test_turku_files_whose_sentences_begin_at_0_are_scored_by_sentence(tmp_path):
    documents = list(corpora.load("sample"))
    found = []
    for document in documents:
        interactions = tuple(
            annotated.interaction(document.id, sentence, pair.e1, pair.e2, 0.9)
            for sentence in document.sentences
            for pair in sentence.pairs
            if pair.label
        )
        found.append(AnnotatedDocument(document, interactions))
    for format in ("jsonl", "csv"):
        write(found, tmp_path / f"found.{format}", format)
        result = score_claims(read_claims("sample"), read_claims(tmp_path / f"found.{format}"), n_resamples=10)
        assert counts(result, "mentions") == (30, 30, 30)


@pytest.mark.parametrize(("name", "positive"), [("LLL", 164), ("HPRD50", 163)])
def test_every_format_of_a_real_corpus_holds_the_same_pairs(tmp_path, corpora_folder, name, positive):
    gold = read_claims(corpora_folder / "ppi" / f"{name}.xml.gz")
    for format in ("jsonl", "bioc-json", "brat"):
        with pytest.warns(LossWarning) if format != "jsonl" else contextlib.nullcontext():
            corpora.write(corpora.load(corpora_folder / "ppi" / f"{name}.xml.gz"), tmp_path / format, format)
        found = read_claims(tmp_path / format, format)
        for one, other in ((gold, found), (found, gold)):
            assert counts(score_claims(one, other, n_resamples=10), "mentions") == (positive, positive, positive)


def test_tables_by_hand(tmp_path):
    written = (
        "name_1,document,spans_1,spans_2,probability,type,sign,kind,agent,negated,sentence_id\n"
        "\"'=A\",'-7,0-2;4-6,8-9,1e-3,regulation,negative,,2,false,s\n"
        "A,8,0-2,8-9,,modification,,phosphorylation,,,\n"
        "A,8,0-2,8-9,,modification,,phosphorylation,,true,\n"
    )
    first, second = read_table(table(tmp_path, written))
    assert first.participants == (Participant(((8, 9),)), Participant(((0, 2), (4, 6)), (), "=A"))
    assert (first.document, first.sentence, first.probability) == ("-7", "s", 0.001)
    assert (first.type, first.directed) == ("negative regulation", True)
    assert (second.type, second.directed, second.probability) == ("phosphorylation", False, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,start_1\n", r"found.csv:1: expected the columns document and start_1.*got document, start_1"),
        ("document,start_1,start_2\n", r"found.csv:1: expected the columns document and"),
        ("start_1,start_2\n", r"found.csv:1: expected the columns document and"),
        ("document,spans_1,spans_2\n1,0-2,5\n", r"found.csv:2: expected the characters of a mention .* got '5'"),
        ("document,spans_1,spans_2\n1,0-2,5-5\n", r"found.csv:2: expected the characters of a mention .* got '5-5'"),
        (
            "document,spans_1,spans_2,probability\n1,0-2,5-6,x\n",
            r"found.csv:2: expected a number as probability, got 'x'",
        ),
        ("document,spans_1,spans_2,probability\n1,0-2,5-6,nan\n", r"found.csv:2: expected a number as probability"),
        ("document,spans_1,spans_2,agent\n1,0-2,5-6,A\n", r"found.csv:2: expected 1 or 2 as agent, got 'A'"),
        ("document,spans_1,spans_2\n1,0-2,3-5\n,0-2,5-6\n", r"found.csv:3: expected a document's id, got none"),
    ],
)
def test_bad_tables_name_file_and_line(tmp_path, text, message):
    with pytest.raises(FormatError, match=message):
        list(read_table(table(tmp_path, text)))


def test_a_file_without_documents_is_an_error(tmp_path):
    (tmp_path / "empty.pubtator").write_text("")
    with pytest.raises(CorpusError, match=r"empty.pubtator: expected a document, got none"):
        read_claims(tmp_path / "empty.pubtator", "pubtator")


def test_an_empty_file_of_interactions_is_no_prediction(tmp_path, biored):
    (tmp_path / "found.csv").write_text("document,identifiers_1,identifiers_2\n")
    result = score_claims(read_claims(biored), read_claims(tmp_path / "found.csv"), n_resamples=10)
    assert counts(result, "identifiers") == (3, 0, 0)
    (tmp_path / "found.jsonl").write_text("")
    nothing = read_claims(tmp_path / "found.jsonl")
    assert counts(score_claims(read_claims(biored), nothing, n_resamples=10), "identifiers") == (3, 0, 0)
    with pytest.raises(UsageError, match=r"found.jsonl: expected documents as gold, got none"):
        score_claims(nothing, read_claims(biored))
