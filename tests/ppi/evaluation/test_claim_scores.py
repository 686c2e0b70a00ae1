"""Scores by hand: levels, types, direction, overlap, thresholds, what is left out; intervals by plain resampling."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from corpora import ConceptRelation, Document, Entity, Pair, Sentence
from ppi.core import UsageError
from ppi.evaluation.scoring.claim_files import ClaimFile, claims_of_documents
from ppi.evaluation.scoring.claim_scores import score_claims
from ppi.evaluation.scoring.claim_statistics import RankedPrediction, Ranking, draw_documents
from ppi.evaluation.scoring.claims import Claim, Participant

TEXT = "A B C D E F"


def pair(written: str, number: int) -> Pair:
    """``AB Bind 0.9 !`` : the mentions, then a type, a probability, and ! for a negative, ? for an unknown label."""
    ends, *rest = written.split()
    label = False if "!" in rest else None if "?" in rest else True
    infons = tuple(("probability", word) for word in rest if word[0] in "01")
    type = next((word for word in rest if word[0].isalpha()), None)
    return Pair(f"p{number}", ends[0], ends[1], label, type, infons)


def document(id: str, *pairs: str, offset: int = 0, sentence: str = "s0") -> Document:
    """Mentions A to F, grounded to genes 1 to 6."""
    entities = tuple(
        Entity(name, name, ((2 * place, 2 * place + 1),), "Protein", (str(place + 1),))
        for place, name in enumerate("ABCDEF")
    )
    made = tuple(pair(written, number) for number, written in enumerate(pairs))
    return Document(id, (Sentence(sentence, TEXT, entities, made, offset=offset),))


def scored(gold: list[Document], predicted: list[Document], **options):
    options = {"n_resamples": 20, **options}
    return score_claims(claims_of_documents(gold, "gold"), claims_of_documents(predicted, "found"), **options)


def line(result, level="mentions", types=False, direction=False):
    (found,) = [s for s in result.scores if (s.level, s.types, s.direction) == (level, types, direction)]
    return found


def test_precision_recall_and_f_by_hand():
    gold = [document("1", "AB", "AC", "DE !"), document("2", "AB")]
    found = [document("1", "BA", "DE"), document("2", "AB", "CD")]
    first = line(scored(gold, found))
    assert (first.gold, first.predicted, first.right) == (3, 4, 2)
    assert (first.precision, first.recall, first.f) == (2 / 4, 2 / 3, 4 / 7)
    assert first.documents == {"1": (2, 2, 1), "2": (1, 2, 1)}
    by_identifiers = line(scored(gold, found), "identifiers")
    assert by_identifiers.documents == first.documents


def test_identifiers_count_once_however_many_mentions_say_it():
    entities = tuple(
        Entity(f"T{place}", "A", ((2 * place, 2 * place + 1),), "Protein", identifiers)
        for place, identifiers in enumerate([("1",), ("2", "7"), ("1",)])
    )
    pairs = (Pair("p", "T0", "T1", True), Pair("q", "T2", "T1", True))
    found = [Document("1", (Sentence("s", "A A A", entities, pairs),))]
    gold = [
        Document("1", (Sentence("s", "A A A"),), concept_relations=(ConceptRelation("R", "Bind", "2", "NCBIGene:1"),))
    ]
    first = line(scored(gold, found), "identifiers")
    # 1-2 is right, 1-7 is what the other identifier of the same mention says
    assert (first.gold, first.predicted, first.right) == (1, 2, 1)
    assert [score.level for score in scored(gold, found).scores] == ["identifiers"]


def test_types_and_direction_by_hand():
    gold = [document("1", "AB Phosphorylation", "AC Bind", "DE Regulation", "BC Activation")]
    found = [document("1", "AB Modification", "CA Binding", "ED Regulation", "BC Phosphorylation")]
    result = scored(gold, found)
    rights = {(score.types, score.direction): score.right for score in result.scores if score.level == "mentions"}
    # plain: all; with types: not BC; with direction: not ED; with both: AB and the binding, which has none
    assert rights == {(False, False): 4, (True, False): 3, (False, True): 3, (True, True): 2}
    by_type = line(result, types=True).by_type
    assert by_type == {"binding": (1, 1, 1), "modification": (1, 2, 1), "regulation": (2, 1, 1)}
    exact = line(scored(gold, found, exact_types=True), types=True)
    assert exact.right == 1  # Regulation


def test_types_and_direction_are_compared_where_both_have_them():
    typed, bare = [document("1", "AB Activation")], [document("1", "AB")]
    assert [(s.types, s.direction) for s in scored(typed, bare).scores] == [(False, False)] * 2
    assert [(s.types, s.direction) for s in scored(bare, typed).scores] == [(False, False)] * 2
    other = scored(typed, [document("1", "AB Cotreatment")])
    assert (other.told.types_of_gold, other.told.types_predicted) == (["regulation"], ["cotreatment"])
    assert not any(score.types for score in other.scores)
    nothing = scored(typed, [document("1")])
    assert len(nothing.scores) == 8
    assert all((score.recall, score.f) == (0.0, 0.0) for score in nothing.scores)


def test_overlapping_mentions_are_an_option():
    gold = [document("1", "AB")]
    wide = Entity("w", "A B", ((0, 3),))
    other = Entity("c", "B C", ((2, 5),))
    found = [Document("1", (Sentence("s0", TEXT, (wide, other), (Pair("p", "w", "c", True),)),))]
    assert line(scored(gold, found)).right == 0
    result = scored(gold, found, overlap=True)
    assert (line(result).right, result.spans) == (1, "overlapping")


def test_other_sentences_are_no_matter_offsets_decide():
    gold = [document("1", "AB", "EF")]
    entities = gold[0].sentences[0].entities
    halves = (
        Sentence("x", TEXT[:5], entities[:2], (Pair("p", "A", "B", True),)),
        Sentence(
            "y",
            TEXT[6:],
            tuple(Entity(each.id, each.text, ((each.start - 6, each.end - 6),)) for each in entities[4:]),
            (Pair("q", "F", "E", True),),
            offset=6,
        ),
    )
    first = line(scored(gold, [Document("1", halves)]))
    assert (first.gold, first.predicted, first.right) == (2, 2, 2)


def test_sentences_that_all_begin_at_0_are_told_apart_by_their_ids():
    def two(first: str, second: str) -> Document:
        a, b = document("1", first, sentence="s0").sentences[0], document("1", second, sentence="s1").sentences[0]
        renamed = tuple(Entity(f"{each.id}2", each.text, each.spans) for each in b.entities)
        pairs = tuple(Pair(f"{each.id}2", f"{each.e1}2", f"{each.e2}2", True) for each in b.pairs)
        return Document("1", (a, Sentence("s1", TEXT, renamed, pairs)))

    result = scored([two("AB", "CD")], [two("CD", "CD")])
    assert (line(result).gold, line(result).predicted, line(result).right) == (2, 2, 1)
    stranger = document("1", "AB", sentence="s7", offset=90)
    told = scored([two("AB", "CD")], [stranger]).told
    assert (told.claims_outside_gold, told.sentences_only_in_gold, told.sentences_only_predicted) == (1, 2, 1)
    # one text, as our writers lay it out: both sentences, a character apart
    entities = tuple(Entity(f"T{at}", "x", ((at, at + 1),)) for at in (0, 2, 12 + 4, 12 + 6))
    pairs = (Pair("p", "T0", "T2", True), Pair("q", "T18", "T16", True))
    whole = Document("1", (Sentence("s0", "x x" + "." * 13 + "x x ....", entities, pairs),))
    for gold, found in (([two("AB", "CD")], [whole]), ([whole], [two("AB", "CD")])):
        result = scored(gold, found)
        assert (line(result).gold, line(result).predicted, line(result).right) == (2, 2, 2)
    nameless = ClaimFile(
        "table", {"1": [Claim("1", (Participant(((0, 1),)), Participant(((2, 3),))))]}, {"1": []}, whole=False
    )
    result = score_claims(claims_of_documents([two("AB", "CD")]), nameless, n_resamples=5)
    assert (line(result).predicted, result.told.claims_without_sentence) == (0, 1)


def test_documents_that_one_side_has_are_told():
    gold = [document("1", "AB"), document("2", "AB", "CD")]
    result = scored(gold, [document("1", "AB"), document("9", "AB")])
    first = line(result)
    assert (first.gold, first.predicted, first.right) == (3, 1, 1)
    assert result.told.documents_only_in_gold == ["2"]
    assert result.told.documents_only_predicted == ["9"]


def test_documents_are_matched_by_pubmed_id_if_their_own_differ():
    gold = [Document("AImed.d0", document("x", "AB").sentences, orig_id="PMID: 817")]
    found = [Document("PMID:817", document("x", "AB").sentences)]
    result = scored(gold, found)
    assert (line(result).right, result.told.matched_by_pubmed) == (1, 1)


def test_text_that_gold_lacks_is_not_judged_and_told():
    gold = [document("1", "AB", offset=100)]
    inside, outside = document("1", "AB", offset=100).sentences[0], document("1", "CD").sentences[0]
    renamed = tuple(Entity(f"x{each.id}", each.text, each.spans) for each in outside.entities)
    outside = Sentence("t", TEXT, renamed, (Pair("q", "xC", "xD", True),))
    result = scored(gold, [Document("1", (outside, inside))])
    assert (line(result).predicted, result.told.claims_outside_gold) == (1, 1)
    reverse = scored([Document("1", (outside, inside))], gold)
    assert (line(reverse).recall, reverse.told.sentences_only_in_gold) == (0.5, 1)
    assert result.told.sentences_only_predicted == 1


def test_a_mention_across_the_end_of_a_gold_sentence_is_judged():
    halves = (Sentence("x", TEXT[:4]), Sentence("y", TEXT[5:], offset=5))
    wide, other = Entity("w", "B C", ((2, 5),)), Entity("e", "E", ((8, 9),))
    found = Document("1", (Sentence("s0", TEXT, (wide, other), (Pair("p", "w", "e", True),)),))
    result = scored([Document("1", halves)], [found])
    assert (line(result).predicted, result.told.claims_outside_gold) == (1, 0)


def test_gold_without_text_holds_for_every_place():
    gold = [Document("1", concept_relations=(ConceptRelation("R", "Bind", "1", "2"),))]
    result = scored(gold, [document("1", "AB")])
    assert (line(result, "identifiers").right, result.told.claims_outside_gold) == (1, 0)


def test_mentions_that_the_text_contradicts_are_told():
    found = [Document("1", (Sentence("s0", "x" + TEXT[1:], (Entity("A", "x", ((0, 1),)), Entity("B", "B", ((2, 3),))),
                            (Pair("p", "A", "B", True),)),))]  # fmt: skip
    assert scored([document("1", "AB")], found).told.mentions_with_other_text == 1
    assert scored([document("1", "AB")], [document("1", "AB")]).told.mentions_with_other_text == 0


def test_what_is_not_annotated_is_not_judged():
    result = scored([document("1", "AB", "CD ?", "EF ?", "EF !")], [document("1", "AB", "CD", "EF")])
    assert (line(result).predicted, line(result).right, result.told.claims_not_annotated) == (2, 1, 1)
    assert line(scored([document("1", "AB", "CD ?")], [document("1", "CD")], overlap=True)).predicted == 0


def test_repeated_predictions_count_once():
    result = scored([document("1", "AB")], [document("1", "AB 0.2", "BA 0.9", "AB 0.5", "CD 0.8")])
    assert (line(result).predicted, line(result).right, result.told.claims_repeated) == (2, 1, 2)
    # by the highest probability, 0.9 and so before the wrong one
    assert line(result).average_precision == 1.0


def test_without_predictions_nothing_is_found():
    first = line(scored([document("1", "AB", "CD !")], [document("1")]))
    assert (first.predicted, first.precision, first.recall, first.f) == (0, 0.0, 0.0, 0.0)
    assert (first.average_precision, first.auc) == (None, None)
    empty = line(score_claims(claims_of_documents([document("1", "AB")]), ClaimFile("none"), n_resamples=5))
    assert (empty.gold, empty.predicted, empty.f) == (1, 0, 0.0)


def test_without_a_gold_pair_there_is_nothing_to_measure():
    first = line(scored([document("1", "CD !")], [document("1", "AB 0.9")]))
    assert (first.gold, first.predicted, first.precision, first.recall, first.f) == (0, 1, None, None, None)
    assert first.f_interval is None
    with pytest.raises(UsageError, match="gold: expected something to find by identifiers, got no positive pair with"):
        scored([document("1", "CD !")], [document("1", "AB")], levels=["identifiers"])
    with pytest.raises(UsageError, match="expected levels among mentions, identifiers, got 'words'"):
        scored([document("1", "AB")], [document("1", "AB")], levels=["words"])


def test_average_precision_and_auc_by_hand():
    gold = [document("1", "AB", "AC", "AD", "BC !", "BD !")]
    found = [document("1", "AB 0.9", "BC 0.8", "AC 0.7", "EF 0.6")]
    first = line(scored(gold, found))
    # right at ranks 1 and 3, AD never: (1/1 + 2/3 + 0) / 3
    assert first.average_precision == pytest.approx((1 + 2 / 3) / 3)
    # of 3 x 2 pairs: AB above both; AC above BD, not BC; AD, last, beside BD (a half): 2 + 1 + 0.5
    assert first.auc == pytest.approx(3.5 / 6)
    assert first.negatives == 2


def test_a_negative_prediction_ranks_but_is_not_counted():
    found = [document("1", "AB 0.9", "CD 0.4 !")]
    first = line(scored([document("1", "AB", "CD")], found))
    assert (first.predicted, first.right, first.average_precision) == (1, 1, 1.0)
    all_of_them = line(scored([document("1", "AB", "CD")], found, min_probability=0.3))
    assert (all_of_them.predicted, all_of_them.right) == (2, 2)
    none = line(scored([document("1", "AB", "CD")], found, min_probability=0.95))
    assert (none.predicted, none.average_precision) == (0, 1.0)


def test_a_prediction_without_probability_leaves_no_ranking():
    first = line(scored([document("1", "AB", "CD !")], [document("1", "AB 0.9", "CD")]))
    assert (first.average_precision, first.auc) == (None, None)


RANKED = st.lists(
    st.builds(RankedPrediction, st.integers(0, 3), st.sampled_from([0.1, 0.5, 0.9]), st.booleans()),
    min_size=1,
    max_size=12,
)


@given(RANKED, st.integers(0, 5), st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_average_precision_is_that_of_sklearn_on_documents_repeated(ranked, missed, weights):
    """Each document as often as it was drawn; what was never predicted only makes the recall smaller."""
    ordered = sorted(ranked, key=lambda each: -each.probability)
    repeated = [each for each in ordered for _ in range(weights[each.document])]
    right = sum(each.right for each in repeated)
    found = Ranking(ordered).average_precision(right + missed, np.array(weights))
    if not right:
        assert found == 0.0
        return
    expected = average_precision_score([each.right for each in repeated], [each.probability for each in repeated])
    assert found == pytest.approx(expected * right / (right + missed))


def test_intervals_are_those_of_plain_resampling_of_documents():
    rng = np.random.default_rng(3)
    names = [f"{a}{b}" for a in "ABCDEF" for b in "ABCDEF" if a < b]
    gold = [document(str(n), *rng.choice(names, 4, replace=False)) for n in range(30)]
    found = [document(str(n), *(f"{each} {p:.2f}" for each, p in zip(rng.choice(names, 4, replace=False),
             rng.random(4), strict=True))) for n in range(30)]  # fmt: skip
    first = line(scored(gold, found, n_resamples=300, random_state=7))
    counts = list(first.documents.values())
    values = []
    for row in draw_documents(30, 300, 7):
        drawn = [counts[number] for number in range(30) for _ in range(row[number])]
        wanted, predicted, right = (sum(column) for column in zip(*drawn, strict=True))
        values.append(2 * right / (wanted + predicted))
    assert first.f_interval == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
    assert first.f_interval[0] < first.f < first.f_interval[1]
    assert first.average_precision_interval[0] < first.average_precision < first.average_precision_interval[1]
    again = line(scored(gold, found, n_resamples=300, random_state=7))
    assert again == first
    assert line(scored(gold, found, n_resamples=300, random_state=8)).f_interval != first.f_interval


def test_results_are_plain_values():
    result = scored([document("1", "AB Bind", "CD !")], [document("1", "AB Bind 0.9", "AC Bind 0.1")])
    value = result.to_dict()
    assert json.loads(json.dumps(value)) == json.loads(json.dumps(value))
    assert value["scores"][0]["documents"] == {"1": [1, 2, 1]}
    typed = next(score for score in value["scores"] if score["types"])
    assert typed["by_type"] == {
        "binding": {"gold": 1, "predicted": 2, "right": 1, "precision": 0.5, "recall": 1.0, "f": pytest.approx(2 / 3)}
    }
