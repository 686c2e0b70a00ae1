"""Who is meant: groups of mentions, candidates, the choice among them, and what a document's mentions then carry."""

from dataclasses import replace

import numpy as np
import pytest

from corpora import Document, Entity, Sentence
from ppi.core import ModelFileError
from ppi.grounding.candidate_features import FEATURE_NAMES
from ppi.grounding.lexicon import Lexicon
from ppi.grounding.matching import COMPLEX, FAMILY, LexiconEntry
from ppi.grounding.mention_groups import group_mentions, query_lexicon
from ppi.grounding.resolution import GeneScorer, Resolver, needs_grounding
from ppi.grounding.species import DocumentSpecies
from ppi.language import CHEMICAL, ORGANISM, OTHER, PROTEIN

LEXICON = Lexicon(
    [
        LexiconEntry("ncbigene:1", "TP53", ("P53",), ("tumor protein p53",), "9606"),
        LexiconEntry("ncbigene:2", "Trp53", ("p53",), ("transformation related protein 53",), "10090"),
        LexiconEntry("ncbigene:3", "MAPK3", ("ERK1", "P44MAPK"), (), "9606"),
        LexiconEntry("ncbigene:4", "MAPK1", ("ERK2", "ERK"), (), "9606"),
        LexiconEntry("ncbigene:5", "CDH2", ("CDHN",), (), "9606"),
        LexiconEntry("ncbigene:6", "Cdh2", (), ("N-cadherin",), "10090"),
        LexiconEntry("ncbigene:7", "OPRM1", ("OPRM",), ("opioid receptor mu 1",), "9606"),
        LexiconEntry("ncbigene:8", "TG", (), ("thyroglobulin",), "9606"),
        LexiconEntry("ncbigene:9", "TGM2", (), ("transglutaminase 2", "transglutaminase"), "9606"),
        LexiconEntry("ncbigene:10", "CD4", (), (), "9606", uniprot="P01730"),
        LexiconEntry("ncbigene:11", "TWIN1", ("TWIN",), (), "9606"),
        LexiconEntry("ncbigene:12", "TWIN2", ("TWIN",), (), "9606"),
        LexiconEntry("fplx:ERK", "ERK", ("ERK1/2",), (), None, FAMILY),
        LexiconEntry("ncbigene:13", "KIN17", (), (), "9606"),
        LexiconEntry("pfam:PF1", "KIN17", (), (), None, FAMILY),
        LexiconEntry("fplx:AKT", "AKT", ("PKB",), (), None, FAMILY),
        LexiconEntry("pfam:PF2", "HA", (), ("helicase associated domain",), None, FAMILY),
        LexiconEntry("ncbigene:14", "INS", (), ("insulin",), "9606"),
        LexiconEntry("complexportal:CPX-1", "Insulin complex", ("Insulin",), (), "9606", COMPLEX),
        LexiconEntry("ncbigene:15", "DNAH8", ("ATPase",), (), "9606"),
    ]
)


def choice(*, accept=0.0, accept_given=None, margin=0.1, **weights):
    """A scorer of single features, by parts of their names."""
    form = np.zeros((len(FEATURE_NAMES), len(FEATURE_NAMES)))
    for part, weight in weights.items():
        (name,) = [name for name in FEATURE_NAMES if name == part.replace("__", ": ").replace("_", " ")]
        form[FEATURE_NAMES.index(name), FEATURE_NAMES.index(name)] = weight
    given = accept if accept_given is None else accept_given
    return GeneScorer(form[np.triu_indices(len(FEATURE_NAMES))], accept=accept, accept_given=given, margin=margin)


SPECIES_FIRST = choice(species__preferred=1.0, accept=0.5)


def document(*sentences):
    """Sentences as (text, names in order[, kind])."""
    made = []
    for number, (text, *names) in enumerate(sentences):
        entities, at = [], 0
        for order, name in enumerate(names):
            name, _, type = name.partition("|")
            at = text.index(name, at)
            entities.append(Entity(f"e{number}.{order}", name, ((at, at + len(name)),), type or PROTEIN))
            at += len(name)
        made.append(Sentence(f"s{number}", text, tuple(entities)))
    return Document("d", tuple(made))


def resolved(given, scorer=SPECIES_FIRST):
    answer = Resolver(LEXICON, scorer=scorer).resolve(given)
    return [(entity.identifiers, dict(entity.infons)) for sentence in answer.sentences for entity in sentence.entities]


def test_the_species_of_the_sentence_chooses():
    answers = resolved(document(("Murine p53 is known.", "p53"), ("Human p53 is known.", "p53")))
    assert [identifiers for identifiers, _ in answers] == [("ncbigene:2",), ("ncbigene:1",)]
    assert answers[0][1] == {
        "grounding": "exact synonym",
        "symbol": "Trp53",
        "taxid": "10090",
        "species": "10090",
        "species_from": "sentence",
    }


def test_the_species_of_the_document_chooses_where_the_sentence_has_none():
    _, answer = resolved(document(("In mice p53 is known.", "p53"), ("p53 is known.", "p53")))
    assert answer[0] == ("ncbigene:2",)
    assert answer[1]["species_from"] == "text"


def test_without_any_word_human_is_assumed_and_said_to_be():
    ((identifiers, remarks),) = resolved(document(("p53 is known.", "p53")))
    assert identifiers == ("ncbigene:1",)
    assert remarks["species_from"] == "assumed"


def test_a_species_inside_the_mention():
    ((identifiers, remarks),) = resolved(document(("We saw mouse p53.", "mouse p53")))
    assert identifiers == ("ncbigene:2",)
    assert remarks["species_from"] == "name"


def test_no_human_gene_for_a_bacterial_paper():
    ((identifiers, remarks),) = resolved(document(("Pseudomonas has the porin OprM.", "OprM")))
    assert identifiers == ()
    assert remarks == {"species": "2"}


def test_a_relative_lends_its_names():
    ((identifiers, remarks),) = resolved(document(("Human N-cadherin is known.", "N-cadherin")))
    assert identifiers == ("ncbigene:5",)
    assert remarks["grounding"] == "exact name, by a relative's symbol"


def with_long_form(given, text, long):
    sentences = tuple(
        replace(
            sentence,
            entities=tuple(
                replace(entity, infons=(("long_form", long),)) if entity.text == text else entity
                for entity in sentence.entities
            ),
        )
        for sentence in given.sentences
    )
    return replace(given, sentences=sentences)


def test_the_long_form_decides_the_short_form():
    scorer = choice(long_form__names_it=1.0, accept=0.5)
    plain = document(("Human transglutaminase (TG) binds.", "transglutaminase", "TG"), ("TG binds.", "TG"))
    answers = resolved(with_long_form(plain, "TG", "transglutaminase"), scorer)
    assert [identifiers for identifiers, _ in answers] == [("ncbigene:9",)] * 3
    assert [identifiers for identifiers, _ in resolved(plain, scorer)] == [()] * 3


def test_members_of_a_name_are_all_kept_and_no_ambiguity():
    ((identifiers, remarks),) = resolved(document(("Human ERK1/2 is known.", "ERK1/2")))
    assert identifiers == ("ncbigene:3", "ncbigene:4")
    assert remarks["members"] == "2"
    assert "ambiguous" not in remarks


def test_what_scores_alike_is_ambiguous():
    ((identifiers, remarks),) = resolved(document(("Human TWIN is known.", "TWIN")))
    assert identifiers == ("ncbigene:11", "ncbigene:12")
    assert remarks["ambiguous"] == "2"
    assert "symbol" not in remarks


def test_families_say_so():
    ((identifiers, remarks),) = resolved(document(("Human PKB is known.", "PKB")))
    assert identifiers == ("fplx:AKT",)
    assert remarks["entity_kind"] == "family"


def test_a_name_of_gene_and_family_is_a_family_only_where_found_as_one():
    nothing = choice(accept=1.0)
    assert resolved(document(("KIN17 is known.", "KIN17")), nothing)[0][0] == ()
    assert resolved(document(("KIN17 is known.", "KIN17|FAMILY")), nothing)[0][0] == ("pfam:PF1",)


def test_a_class_is_no_gene_whatever_lists_say():
    everything = choice(bias=1.0, accept=0.5)
    assert resolved(document(("The ATPase binds DNAH8.", "ATPase", "DNAH8")), everything)[0][0] == ()
    assert resolved(document(("The ATPase binds DNAH8.", "ATPase", "DNAH8")), everything)[1][0] == ("ncbigene:15",)


def test_codes_of_a_list_are_families_only_where_found_as_one_and_not_against_a_long_form():
    text = "Much HA is here."
    assert resolved(document((text, "HA")))[0][0] == ()
    assert resolved(document((text, "HA|FAMILY")))[0][0] == ("pfam:PF2",)
    assert resolved(with_long_form(document((text, "HA|FAMILY")), "HA", "hyaluronan"))[0][0] == ()
    named = document(("A helicase associated domain.", "helicase associated domain"))
    assert resolved(named)[0][0] == ("pfam:PF2",)


def test_the_capital_of_a_plain_word_makes_no_complex():
    nothing = choice(accept=1.0)
    for name in ("Insulin", "insulin"):
        assert resolved(document((f"{name} is known.", name)), nothing)[0][0] == ()
    assert resolved(document(("Insulin complex is known.", "Insulin complex")), nothing)[0][0] == (
        "complexportal:CPX-1",
    )


def test_markers_of_cells_are_genes():
    ((identifiers, remarks),) = resolved(document(("CD4+ T cells of patients", "CD4+ T cells|CELL")))
    assert identifiers == ("ncbigene:10",)
    assert remarks["uniprot"] == "P01730"


@pytest.mark.parametrize("type", ["Chemical", "Disease", CHEMICAL, ORGANISM, OTHER])
def test_other_things_are_left_alone(type):
    assert resolved(document(("Human p53.", f"p53|{type}"))) == [((), {})]


def test_given_identifiers_stay():
    given = Entity("e", "p53", ((0, 3),), "Gene", ("7157",))
    answer = Resolver(LEXICON, scorer=SPECIES_FIRST).resolve(Document("d", (Sentence("s", "p53", (given,)),)))
    assert answer.sentences[0].entities == (given,)
    assert not needs_grounding(given)


def test_given_mentions_need_less():
    scorer = choice(species__preferred=1.0, accept=2.0, accept_given=0.5)
    assert resolved(document(("Human p53.", "p53|Gene")), scorer)[0][0] == ("ncbigene:1",)
    assert resolved(document(("Human p53.", "p53")), scorer)[0][0] == ()


def test_nothing_to_resolve_is_the_same_document():
    empty = Document("d", (Sentence("s", "Nothing."), Sentence("t", "")))
    assert Resolver(LEXICON, scorer=SPECIES_FIRST).resolve(empty) is empty


def test_groups_are_one_per_name_and_species():
    given = document(("Human p53 and P53 protein.", "p53", "P53"), ("In mice p53.", "p53"), ("p53", "p53"))
    made = group_mentions(given, DocumentSpecies(given), LEXICON.candidates, needs_grounding)
    assert [[mention.sentence for mention in group.mentions] for group in made] == [[0, 0], [1], [2]]


def test_parts_of_a_mention_are_asked_when_the_whole_is_unknown():
    ((query, found),) = query_lexicon("tumour suppressor TP53", LEXICON.candidates)
    assert (query.text, [candidate.identifier for candidate in found]) == ("TP53", ["ncbigene:1"])
    assert list(query_lexicon("something else entirely", LEXICON.candidates)) == []


def test_lookups_are_linear_in_the_number_of_mentions():
    asked = []

    class Counting:
        def candidates(self, name):
            asked.append(name)
            return LEXICON.candidates(name)

    one = document(("Human p53.", "p53"))
    Resolver(Counting(), scorer=SPECIES_FIRST).resolve(one)
    once = len(asked)
    asked.clear()
    many = document(*[("Human p53.", "p53")] * 50)
    Resolver(Counting(), scorer=SPECIES_FIRST).resolve(many)
    assert len(asked) == once


def test_scores_are_the_sum_over_pairs_of_features():
    random = np.random.default_rng(0)
    weights = random.normal(size=len(FEATURE_NAMES) * (len(FEATURE_NAMES) + 1) // 2)
    rows = random.normal(size=(4, len(FEATURE_NAMES)))
    slow = []
    for row in rows:
        place, total = 0, 0.0
        for i in range(len(FEATURE_NAMES)):
            for j in range(i, len(FEATURE_NAMES)):
                total += weights[place] * row[i] * row[j]
                place += 1
        slow.append(total)
    np.testing.assert_allclose(GeneScorer(weights, accept=0, accept_given=0, margin=0).scores(rows), slow)


def test_no_candidates_no_scores():
    assert GeneScorer.load_shipped().scores([]).shape == (0,)


def test_a_choice_is_kept_whole(tmp_path):
    scorer = choice(species__preferred=1.5, accept=-0.25, margin=0.125)
    scorer.save(tmp_path / "choice.zip", {"documents": 3})
    again = GeneScorer.load(tmp_path / "choice.zip")
    row = np.ones((1, len(FEATURE_NAMES)))
    assert (again.accept, again.accept_given, again.margin) == (-0.25, -0.25, 0.125)
    assert again.scores(row) == scorer.scores(row)


def test_a_choice_of_other_features_is_refused(tmp_path, monkeypatch):
    choice().save(tmp_path / "choice.zip", {})
    monkeypatch.setattr("ppi.grounding.resolution.FEATURE_NAMES", FEATURE_NAMES[1:])
    with pytest.raises(ModelFileError, match="features of this version"):
        GeneScorer.load(tmp_path / "choice.zip")


def test_the_shipped_choice_knows_the_plain_cases():
    lexicon = Lexicon.shipped()
    answer = Resolver(lexicon).resolve(
        document(("In patients, MDM2 binds TP53.", "MDM2", "TP53"), ("Pseudomonas has OprM.", "OprM"))
    )
    found = [entity.identifiers for sentence in answer.sentences for entity in sentence.entities]
    assert found[:2] == [("ncbigene:4193",), ("ncbigene:7157",)]
