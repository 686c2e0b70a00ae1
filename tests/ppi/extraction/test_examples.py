"""From documents to examples: targets of events by hand, which pairs count, and which parse is taken."""

from dataclasses import replace

import numpy as np
import pytest
from event_documents import TEMPLATES, document, event_corpus, pair_corpus, sentence

from corpora import Document, Entity, Sentence
from ppi.core import TrainingError, UsageError
from ppi.extraction import examples
from ppi.extraction.examples import build_candidate_graphs, choose_parser, collect_examples
from ppi.extraction.outputs import MIN_TYPE_POSITIVES, OUTPUTS, drop_unannotated_types, make_pair_targets

NAN = float("nan")


@pytest.fixture
def every_type_counts(monkeypatch):
    """A corpus teaches a type as soon as it has it, so that a few documents do."""
    monkeypatch.setattr("ppi.extraction.outputs.MIN_TYPE_POSITIVES", 0)


#: Something that interacts and something that does not, so that documents can be learned from.
PADDING = document("padding", "X binds Y or Z", "E1 Binding Theme:X Theme2:Y", names="XYZ")


def targets(*events, text="A meets B", names="AB", **options):
    """The targets of each pair of a document with these events, by the names in text order."""
    made = collect_examples([document("d", text, *events, names=names, **options), PADDING])
    return {
        "".join(
            made.graphs[place].sentence.entity(id).text for id in (made.graphs[place].prot1, made.graphs[place].prot2)
        ): list(made.targets[place])
        for place in np.flatnonzero(made.documents == "d")
    }


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (["E1 Binding Theme:A Theme2:B"], [1, 1, -1, -1, NAN, NAN]),
        (["E1 Binding Theme:B Theme2:A"], [1, 1, -1, -1, NAN, NAN]),
        (["E1 Phosphorylation Theme:B Cause:A"], [1, -1, 1, -1, 1, NAN]),
        (["E1 Phosphorylation Theme:A Cause:B"], [1, -1, 1, -1, -1, NAN]),
        (["E1 Positive_regulation Theme:B Cause:A"], [1, -1, -1, 1, 1, 1]),
        (["E1 Positive_regulation Theme:A Cause:B"], [1, -1, -1, 1, -1, 1]),
        (["E1 Negative_regulation Theme:B Cause:A"], [1, -1, -1, 1, 1, -1]),
        (["E1 Regulation Theme:B Cause:A"], [1, -1, -1, 1, 1, NAN]),
        (["E1 Binding Theme:A Theme2:B", "E2 Inactivation Theme:B Cause:A"], [1, 1, -1, 1, 1, -1]),
        # each acts on the other: no direction; furthered and hindered: no sign
        (["E1 Activation Theme:B Cause:A", "E2 Inactivation Theme:A Cause:B"], [1, -1, -1, 1, NAN, NAN]),
        # what hinders a phosphorylation is no enzyme
        (["E1 Phosphorylation Theme:B", "E2 Negative_regulation Theme:E1 Cause:A"], [1, -1, -1, 1, 1, -1]),
        (["E1 Gene_expression Theme:A"], [-1, -1, -1, -1, NAN, NAN]),
        (["E1 Binding Theme:A Theme2:B !Speculation"], [1, 1, -1, -1, NAN, NAN]),
        (["E1 Binding Theme:A Theme2:B !Negation"], [-1, -1, -1, -1, NAN, NAN]),
        (["E1 Activation Theme:B Cause:A !Negation"], [-1, -1, -1, -1, NAN, NAN]),
        (
            ["E1 Activation Theme:B Cause:A !Negation", "E2 Binding Theme:A Theme2:B"],
            [1, 1, -1, -1, NAN, NAN],
        ),
    ],
)
@pytest.mark.usefixtures("every_type_counts")
def test_targets_of_events_by_hand(events, expected):
    np.testing.assert_array_equal(targets(*events)["AB"], expected)


@pytest.mark.usefixtures("every_type_counts")
def test_every_pair_of_proteins_of_a_sentence_is_an_example_in_text_order():
    found = targets("E1 Binding Theme:C Theme2:A", text="A meets B or C", names="ABC")
    assert {pair: said[0] for pair, said in found.items()} == {"AB": -1, "AC": 1, "BC": -1}


@pytest.mark.usefixtures("every_type_counts")
def test_the_first_in_the_text_is_first_whatever_it_is_called_and_wherever_it_is_listed():
    made = document("d", "Z activates A", "E1 Activation Cause:Z Theme:A", names="AZ")
    (only,) = made.sentences
    turned = replace(made, sentences=(replace(only, entities=only.entities[::-1]),))
    for each in (made, turned):
        found = collect_examples([each, PADDING])
        (place,) = np.flatnonzero(found.documents == "d")
        assert (found.graphs[place].pair.e1, found.graphs[place].prot1) == ("d.s.Z", "d.s.Z")
        assert found.targets[place, OUTPUTS.index("direction")] == 1.0


@pytest.mark.usefixtures("every_type_counts")
def test_two_names_of_one_thing_do_not_interact_and_share_what_is_said():
    found = targets("E1 Binding Theme:A Theme2:C", text="A alias B binds C", names="ABC", equivalences=[("A", "B")])
    assert {pair: said[:2] for pair, said in found.items()} == {"AB": [-1, -1], "AC": [1, 1], "BC": [1, 1]}


@pytest.mark.usefixtures("every_type_counts")
def test_mentions_of_the_same_words_are_no_pair():
    made = document("d", "A meets B", "E1 Binding Theme:A Theme2:B", names="AB")
    (only,) = made.sentences
    twin = Entity("twin", "B", only.entity("d.s.B").spans, "Protein")
    again = replace(made, sentences=(replace(only, entities=(*only.entities, twin)),))
    found = collect_examples([again, PADDING])
    ids = {frozenset((graph.prot1, graph.prot2)) for graph in found.graphs if graph.document_id == "d"}
    assert ids == {frozenset(("d.s.A", "d.s.B")), frozenset(("d.s.A", "twin"))}


@pytest.mark.usefixtures("every_type_counts")
def test_what_is_no_protein_is_no_example_and_is_not_blinded():
    made = document("d", "A meets B", "E1 Binding Theme:A Theme2:B", names="AB")
    (only,) = made.sentences
    chemical = Entity("x", "meets", ((2, 7),), "Simple_chemical")
    found = collect_examples([replace(made, sentences=(replace(only, entities=(*only.entities, chemical)),)), PADDING])
    (graph,) = [graph for graph in found.graphs if graph.document_id == "d"]
    assert {entity.id for entity in graph.sentence.entities} == {"d.s.A", "d.s.B"}


@pytest.mark.usefixtures("every_type_counts")
def test_sentences_beyond_any_length_are_left_out(monkeypatch):
    monkeypatch.setattr(examples, "MAX_TRAINING_SENTENCE_TOKENS", 4)
    found = collect_examples(
        [
            document("long", "A and B are bound", "E1 Binding Theme:A Theme2:B", names="AB"),
            document("short", "X binds Y and", "E1 Binding Theme:X Theme2:Y", names="XY"),
            document("none", "X or Y and", names="XY"),
        ]
    )
    assert set(found.documents) == {"short", "none"}


def test_a_corpus_with_few_positives_of_a_type_does_not_teach_it_nor_what_any_interaction_is():
    few, enough = MIN_TYPE_POSITIVES - 1, MIN_TYPE_POSITIVES
    made = -np.ones((40, len(OUTPUTS)))
    made[:, 0] = 1.0
    made[:enough, 1], made[:few, 2], made[:enough, 3] = 1.0, 1.0, 1.0
    found = drop_unannotated_types(made)
    assert np.isnan(found).all(axis=0).tolist() == [True, False, True, False, False, False]
    np.testing.assert_array_equal(found[:, [1, 3, 4, 5]], made[:, [1, 3, 4, 5]])
    assert not np.isnan(made).any()  # the caller's own stay
    made[:enough, 2] = 1.0
    np.testing.assert_array_equal(drop_unannotated_types(made), made)


def test_labels_of_a_corpus_with_few_events_are_still_what_its_events_say():
    found = collect_examples(event_corpus("a", 2))
    assert found.typed
    assert found.n_positive == 2 * 6
    assert np.isnan(found.targets[:, :4]).all()
    assert np.sum(found.labels < 0) == 2 * (len(TEMPLATES) - 6)


def test_corpora_of_pairs_teach_interaction_and_some_by_name_binding():
    labels = np.array([1.0, -1.0, -1.0])
    for name in ("AImed", "HPRD50"):
        np.testing.assert_array_equal(make_pair_targets(labels, name)[:, :2], np.column_stack([labels, labels]))
        assert np.isnan(make_pair_targets(labels, name)[:, 2:]).all()
    for name in ("BioInfer", "IEPA", "LLL", "aimed"):
        np.testing.assert_array_equal(make_pair_targets(labels, name)[:, 0], labels)
        assert np.isnan(make_pair_targets(labels, name)[:, 1:]).all()


def test_pairs_that_nobody_annotated_and_pairs_of_a_mention_with_itself_are_no_examples():
    labels = {("A", "B"): True, ("A", "C"): None, ("B", "C"): False, ("A", "A"): True}
    documents = [Document("d", (sentence("s", "A meets B or C", names="ABC", labels=labels),))]
    found = collect_examples(documents)
    assert [(graph.prot1, graph.prot2) for graph in found.graphs] == [("s.A", "s.B"), ("s.B", "s.C")]
    assert found.labels.tolist() == [1.0, -1.0]
    assert not found.typed
    assert len(build_candidate_graphs(documents)) == 3


def test_learning_needs_both_kinds():
    one = Document("d", (sentence("s", "A meets B", names="AB", labels={("A", "B"): True}),))
    with pytest.raises(TrainingError, match="expected negative pairs in Small, got none among 1 annotated pairs"):
        collect_examples([one], name="Small")
    with pytest.raises(TrainingError, match="expected positive pairs in the documents, got none among 1"):
        collect_examples([document("d", "A meets B", "E1 Gene_expression Theme:A", names="AB")])
    with pytest.raises(TrainingError, match="got none among 0 annotated pairs"):
        collect_examples([document("d", "A meets B", "E1 Gene_expression Theme:A", names="A")])


def test_the_parse_is_the_only_one_or_the_preferred_one():
    assert choose_parser(pair_corpus("p", 2)) == "hand"
    assert choose_parser([Document("d", (Sentence("s", "Text."),))]) is None
    only = sentence("s", "A meets B", names="AB")
    two = replace(only, parses=(only.parses[0], replace(only.parses[0], parser="split_parse")))
    assert choose_parser([Document("d", (two,))]) == "split_parse"
    other = replace(only, parses=(only.parses[0], replace(only.parses[0], parser="other")))
    with pytest.raises(UsageError, match=r"got \['hand', 'other'\]; name one as the parser"):
        choose_parser([Document("d", (other,))])
