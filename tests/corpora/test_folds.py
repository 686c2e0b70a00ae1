import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpora
from corpora.errors import FoldError
from corpora.folds import audit, count_pairs, document_folds, folds_to_tsv, make_folds, read_folds
from corpora.types import Document, Entity, Pair, Sentence


def document(id: str, pairs: int, text: str = "ab ab") -> Document:
    entities = (Entity(f"{id}.e1", "ab", ((0, 2),)), Entity(f"{id}.e2", "ab", ((3, 5),)))
    made = tuple(Pair(f"{id}.p{n}", f"{id}.e1", f"{id}.e2", n % 2 == 0) for n in range(pairs))
    return Document(id, (Sentence(f"{id}.s", text, entities, made),))


@given(st.lists(st.integers(0, 9), min_size=4, max_size=30), st.integers(2, 4), st.integers(0, 5))
def test_every_document_has_one_fold_and_folds_are_balanced(sizes, n, seed):
    documents = [document(f"d{place}", size) for place, size in enumerate(sizes)]
    folds = make_folds(documents, n, seed=seed)
    assert folds.keys() == {each.id for each in documents}
    loads = [sum(count_pairs(each) for each in documents if folds[each.id] == fold) for fold in range(n)]
    # largest first into the emptiest fold: no two folds differ by more than the largest document
    assert max(loads) - min(loads) <= max(sizes)
    assert folds == make_folds(documents, n, seed=seed)


def test_seeds_give_different_folds():
    documents = [document(f"d{place}", 2) for place in range(20)]
    assert make_folds(documents, 4, seed=0) != make_folds(documents, 4, seed=1)


@pytest.mark.parametrize("n", [1, 4])
def test_number_of_folds_must_fit(n):
    with pytest.raises(FoldError, match=rf"between 2 folds and one a document \(3\), got {n}"):
        make_folds([document(id, 1) for id in "abc"], n)


def test_self_pairs_and_unannotated_pairs_are_no_examples():
    made = document("d", 2)
    sentence = made.sentences[0]
    extra = (Pair("x", "d.e1", "d.e1", True), Pair("y", "d.e1", "d.e2", None))
    assert count_pairs(Document("d", (Sentence("s", sentence.text, sentence.entities, sentence.pairs + extra),))) == 2


def test_audit_counts_split_documents_and_identical_sentences():
    documents = [document("a", 3), document("b", 2), document("c", 1, "ab ab other")]
    rows = [("0", "a.p0"), ("1", "a.p1"), ("1", "a.p2"), ("0", "b"), ("1", "c.s")]
    report = audit(documents, rows)
    assert report.test_pairs == 6
    assert report.document_in_training == 3
    assert report.identical_sentence_in_training == 5
    assert report.pairs_per_fold == {"0": 3, "1": 3}


def test_folds_that_split_a_document_are_refused_with_the_numbers():
    documents = [document("a", 3), document("b", 2)]
    with pytest.raises(FoldError, match="got 3 of 5 test pairs whose document is also in training"):
        document_folds(documents, [("0", "a.p0"), ("1", "a.p1"), ("1", "a.p2"), ("0", "b")])


def test_folds_that_leave_pairs_out_or_name_strangers_are_refused():
    documents = [document("a", 3), document("b", 2)]
    with pytest.raises(FoldError, match="got 2 pairs in none"):
        document_folds(documents, [("0", "a")])
    with pytest.raises(FoldError, match="zzz: expected ids that name one document"):
        audit(documents, [("0", "a"), ("1", "zzz")])
    with pytest.raises(FoldError, match="a: expected one fold an id, got folds '0' and '1'"):
        audit(documents, [("0", "a"), ("1", "a")])


def test_tsv_round_trip(tmp_path):
    documents = [document(f"d{place}", 2) for place in range(6)]
    folds = make_folds(documents, 3)
    (tmp_path / "folds.tsv").write_text(folds_to_tsv(folds))
    assert document_folds(documents, read_folds(tmp_path / "folds.tsv")) == folds


@pytest.mark.parametrize(("text", "message"), [("0 d1\n", ":1: expected fold<TAB>id"), ("\n", "at least one")])
def test_malformed_fold_files(tmp_path, text, message):
    (tmp_path / "folds.tsv").write_text(text)
    with pytest.raises(corpora.CorpusError, match=message):
        read_folds(tmp_path / "folds.tsv")


def test_published_folds_of_aimed_do_not_leak(corpora_folder):
    report = audit(corpora.load("AImed"), read_folds(corpora_folder / "ppi" / "AImed-10fold.tsv"))
    assert (report.folds, report.test_pairs, report.document_in_training, report.uncovered_pairs) == (
        10,
        5834,
        0,
        0,
    )


def brat_like_documents(count):
    """Pair ids that start from R1 in each document, as brat and BioC have them."""
    entities = (Entity("T1", "ab", ((0, 2),)), Entity("T2", "cd", ((3, 5),)))
    return [
        Document(f"d{n}", (Sentence(f"d{n}.s0", "ab cd", entities, (Pair("R1", "T1", "T2", True),), offset=n),))
        for n in range(count)
    ]


def test_pairs_of_different_documents_may_have_the_same_id():
    documents = brat_like_documents(4)
    rows = [("0", "d0"), ("0", "d1"), ("1", "d2"), ("1", "d3")]
    report = audit(documents, rows)
    assert report.pairs_per_fold == {"0": 2, "1": 2}
    assert report.identical_sentence_in_training == 4
    assert document_folds(documents, rows) == {"d0": 0, "d1": 0, "d2": 1, "d3": 1}


def test_an_id_that_several_pairs_have_names_none():
    with pytest.raises(FoldError, match=r"f.tsv: R1: expected ids that name one document, sentence or pair"):
        audit(brat_like_documents(2), [("0", "R1")], path="f.tsv")


def test_ids_that_would_break_the_table_are_refused():
    for id in ("a\tb", "a\nb", ""):
        with pytest.raises(FoldError, match="expected document ids without tabs and line breaks"):
            folds_to_tsv({id: 0})
