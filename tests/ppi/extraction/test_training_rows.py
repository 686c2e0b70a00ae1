"""Rows of several corpora: what stands where, what is left out together, and what must not be learned from."""

from dataclasses import replace
from multiprocessing.reduction import ForkingPickler  # what processes send each other, in memory

import numpy as np
import pytest
from event_documents import event_corpus, pair_corpus

import corpora
from corpora import Document, Sentence
from kernels import denials
from ppi.core import TrainingError
from ppi.extraction.examples import drop_shared_documents
from ppi.extraction.feature_maps import make_feature_map
from ppi.extraction.ridge import RidgeLearner, prior_weights
from ppi.extraction.settings import Settings
from ppi.extraction.training_rows import MAX_HOLD_OUT_PARTS, add_extra_corpora, prepare_corpora

SAMPLE = corpora.load("sample")
QUICK = Settings(kernel="path", learner="ridge")


@pytest.fixture(scope="module")
def parts():
    """The second corpus shares the documents 6 and 7 with the first."""
    return prepare_corpora({"a": SAMPLE[:8], "b": SAMPLE[6:14], "c": SAMPLE[14:]}, QUICK)


def test_rows_stand_in_the_order_of_the_names(parts):
    rows = parts.rows(["c", "a"])
    sizes = [len(parts.examples[name]) for name in "ca"]
    assert len(rows) == sum(sizes)
    assert rows.corpora.tolist() == [0] * sizes[0] + [1] * sizes[1]
    assert rows.documents.tolist() == [*parts.examples["c"].documents, *parts.examples["a"].documents]
    np.testing.assert_array_equal(rows.labels, np.concatenate([parts.examples[name].labels for name in "ca"]))
    np.testing.assert_array_equal(rows.X[: sizes[0]].toarray(), parts.features["c"].toarray())


def test_features_of_all_corpora_are_those_of_one_map(parts):
    graphs = [graph for name in "abc" for graph in parts.examples[name].graphs]
    expected = make_feature_map("path").fit_transform(graphs)
    np.testing.assert_array_equal(parts.rows(["a", "b", "c"]).X.toarray(), expected.toarray())


def test_each_corpus_is_left_out_with_the_documents_that_it_shares(parts):
    rows = parts.rows(["a", "b", "c"])
    both = {SAMPLE[6].id, SAMPLE[7].id}
    shared = np.isin(rows.documents, list(both))
    first, second, third = rows.hold_outs
    assert [part.name for part in rows.hold_outs] == ["a", "b", "c"]
    for number, part in enumerate(rows.hold_outs):
        np.testing.assert_array_equal(part.test_mask, rows.corpora == number)
    np.testing.assert_array_equal(first.excluded_mask, (rows.corpora == 0) | ((rows.corpora == 1) & shared))
    np.testing.assert_array_equal(second.excluded_mask, (rows.corpora == 1) | ((rows.corpora == 0) & shared))
    np.testing.assert_array_equal(third.excluded_mask, third.test_mask)
    assert parts.shared_document_ids("a", "b") == both
    assert parts.shared_document_ids("a", "c") == set()


def test_parts_of_a_single_corpus_are_whole_documents(parts):
    rows = parts.rows(["a"])
    assert len(rows.hold_outs) == min(MAX_HOLD_OUT_PARTS, len(np.unique(rows.documents)))
    np.testing.assert_array_equal(np.sum([part.test_mask for part in rows.hold_outs], axis=0), 1)
    for part in rows.hold_outs:
        np.testing.assert_array_equal(part.test_mask, part.excluded_mask)
        inside, outside = set(rows.documents[part.test_mask]), set(rows.documents[~part.test_mask])
        assert not inside & outside


def test_a_single_corpus_of_many_documents_has_ten_parts_of_about_the_same_size():
    rows = prepare_corpora({"p": pair_corpus("p", 23)}, QUICK).rows(["p"])
    counts = [len(set(rows.documents[part.test_mask])) for part in rows.hold_outs]
    assert sorted(counts) == [2] * 7 + [3] * 3


def test_what_is_tested_cannot_influence_scores_of_the_others():
    """Labels of the second corpus turned around move nothing that models without it say."""
    mine, other = pair_corpus("p", 6), pair_corpus("q", 6)
    third = pair_corpus("r", 6)
    turned = [
        replace(
            document,
            sentences=tuple(
                replace(each, pairs=tuple(replace(pair, label=not pair.label) for pair in each.pairs))
                for each in document.sentences
            ),
        )
        for document in other
    ]
    models = []
    for second in (other, turned):
        rows = prepare_corpora({"p": mine, "q": second, "r": third}, QUICK).rows(["p", "q", "r"])
        models.append((rows, RidgeLearner().train(rows).held_out))
    (rows, before), (_, after) = models
    np.testing.assert_array_equal(before[rows.corpora == 1], after[rows.corpora == 1])
    assert not np.allclose(before[rows.corpora == 0], after[rows.corpora == 0])


def test_a_subset_keeps_everything_in_step(parts):
    rows = parts.rows(["a", "b", "c"], starting_from=["c"])
    chosen = np.arange(len(rows)) % 3 == 1
    some = rows.subset(chosen)
    assert len(some) == chosen.sum()
    np.testing.assert_array_equal(some.X.toarray(), rows.X[chosen].toarray())
    for name in ("labels", "documents", "corpora", "trainable"):
        np.testing.assert_array_equal(getattr(some, name), getattr(rows, name)[chosen])
    for part, whole in zip(some.hold_outs, rows.hold_outs, strict=True):
        assert part.name == whole.name
        np.testing.assert_array_equal(part.test_mask, whole.test_mask[chosen])
        np.testing.assert_array_equal(part.excluded_mask, whole.excluded_mask[chosen])
    np.testing.assert_array_equal(some.priors, rows.priors)
    assert some.targets is None


def test_targets_are_there_as_soon_as_one_corpus_has_types():
    prepared = prepare_corpora({"events": event_corpus("a", 5), "pairs": pair_corpus("p", 2)}, QUICK)
    rows = prepared.rows(["events", "pairs"])
    expected = np.concatenate([prepared.examples[name].targets for name in ("events", "pairs")])
    np.testing.assert_array_equal(rows.targets, expected)
    chosen = rows.labels > 0
    np.testing.assert_array_equal(rows.subset(chosen).targets, expected[chosen])
    assert prepared.rows(["pairs"]).targets is None
    assert prepared.has_types(["events"])
    assert not prepared.has_types(["pairs"])


def test_starting_points_are_the_models_of_other_corpora(parts):
    rows = parts.rows(["a"], starting_from=["c", "b"])
    for column, name in enumerate("cb"):
        own = prior_weights(parts.features[name], parts.examples[name].labels)
        np.testing.assert_array_equal(rows.priors[:, column], own)
    assert parts.rows(["a"]).priors is None
    assert rows.design.extra_columns().shape == (len(rows), 3)


def test_denied_pairs_teach_except_where_denials_are_annotated():
    prepared = prepare_corpora({"BioInfer": SAMPLE, "other": SAMPLE}, QUICK)
    rows = prepared.rows(["BioInfer", "other"])
    denied = np.array([bool(denials(graph)) for graph in prepared.examples["BioInfer"].graphs])
    assert denied.any()
    np.testing.assert_array_equal(rows.trainable[rows.corpora == 0], ~denied)
    assert rows.trainable[rows.corpora == 1].all()


def test_rows_travel_to_other_processes_without_their_design(parts):
    rows = parts.rows(["a"])
    assert rows.design.gram.shape == (len(rows), len(rows))
    again = ForkingPickler.loads(ForkingPickler.dumps(rows))
    assert "design" not in vars(again)
    np.testing.assert_array_equal(again.design.gram, rows.design.gram)


def test_a_corpus_with_nothing_to_learn_from_is_named():
    with pytest.raises(TrainingError, match="expected positive pairs in empty, got none among 0"):
        prepare_corpora({"a": SAMPLE, "empty": [Document("d", (Sentence("s", "No protein."),))]}, QUICK)


def test_extra_corpora_lose_what_they_share_with_any_of_those_learned_from():
    everything = add_extra_corpora({"a": SAMPLE[:4], "b": SAMPLE[4:8]}, {"x": SAMPLE[2:12], "y": SAMPLE[12:]})
    assert list(everything) == ["a", "b", "x", "y"]
    assert [document.id for document in everything["x"]] == [document.id for document in SAMPLE[8:12]]
    assert everything["y"] == SAMPLE[12:]
    with pytest.raises(TrainingError, match=r"got \['a', 'b'\] as both"):
        add_extra_corpora({"a": [], "b": [], "c": []}, {"b": [], "a": []})


class TestSharedDocuments:
    def document(self, id, *texts, pmid=None, **infons):
        sentences = tuple(Sentence(f"{id}.{number}", text) for number, text in enumerate(texts))
        return Document(id, sentences, orig_id=pmid, infons=tuple(infons.items()))

    def test_nothing_is_shared_with_nothing(self):
        given = [self.document("a", "One."), self.document("b")]
        assert drop_shared_documents(given, []) == given
        assert drop_shared_documents([], given) == []

    def test_one_common_sentence_is_enough_whatever_its_spaces_and_capitals(self):
        extra = self.document("x", "Own words.", "a\tB  c d e f g h.")
        assert drop_shared_documents([extra], [self.document("y", "Others.", "A b C d e f g h.")]) == []
        assert drop_shared_documents([extra], [self.document("y", "A b C d e f g h")]) == [extra]

    def test_headings_are_no_common_text(self):
        headings = ["Results", "Materials and methods", "Cell culture and treatment of the cells"]  # 7 words
        extra = self.document("x", *headings, "RAD51 binds BRCA2.")
        assert drop_shared_documents([extra], [self.document("y", *headings, "MDM2 inhibits TP53.")]) == [extra]

    def test_a_document_of_short_sentences_is_shared_if_all_of_it_is(self):
        given = [self.document("y", "Results", "RAD51 binds BRCA2.", "Other.")]
        assert drop_shared_documents([self.document("x", "Results", "RAD51 binds BRCA2.")], given) == []
        assert len(drop_shared_documents([self.document("x")], given)) == 1  # one without text shares none

    def test_ids_are_compared_wherever_they_stand(self):
        given = [self.document("y", "Y.", PubMed="1", pmid="2")]
        same = [self.document("x", "X.", pmid="2"), self.document("z", "Z.", PMID="2")]
        assert drop_shared_documents(same, given) == []
        # an id of another kind says nothing, nor does a document's own name
        other = [self.document("v", "V.", pmid="1"), self.document("y", "W.")]
        assert drop_shared_documents(other, given) == other

    def test_documents_without_ids_are_not_taken_for_each_other(self):
        given = [self.document("y", "Y.", pmid="")]
        extra = self.document("x", "X.", pmid="")
        assert drop_shared_documents([extra], given) == [extra]

    def test_order_is_kept(self):
        extra = [self.document(id, f"{id}.") for id in "cab"]
        assert [document.id for document in drop_shared_documents(extra, [self.document("y", "A.")])] == ["c", "b"]
