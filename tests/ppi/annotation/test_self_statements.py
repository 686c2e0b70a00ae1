"""What a text says a protein does to itself."""

import json
import math

import pytest

from corpora import Document, Entity, Sentence
from ppi.annotation.annotator import Annotator
from ppi.annotation.interactions import self_interactions
from ppi.annotation.self_statements import COUNTS_FILE, find_self_statements, rule_probabilities


def found(text, *names):
    mentions, start = [], 0
    for number, name in enumerate(names):
        start = text.index(name, start)
        mentions.append(Entity(f"e{number}", name, ((start, start + len(name)),)))
        start += len(name)
    return find_self_statements(text, mentions)


@pytest.mark.parametrize(
    ("text", "name", "rule", "kind"),
    [
        ("STAT1 forms homodimers.", "STAT1", "homo", None),
        ("Homodimerization of DCX was shown.", "DCX", "homo", None),
        ("EA4 is a homodimeric ATPase.", "EA4", "homo", None),
        ("The active form of HDC is a homo-dimer.", "HDC", "homo", None),
        ("p53 protein is known to homodimerize.", "p53", "homo", None),
        ("Emerin self-associates in vitro.", "Emerin", "self", None),
        ("The self-association of Apaf-1 is slow.", "Apaf-1", "self", None),
        ("Mmi1 interacts with itself.", "Mmi1", "itself", None),
        ("Bax oligomerization needs lipids.", "Bax", "oligo", None),
        ("TrpB exists as a dimer in solution.", "TrpB", "oligo", None),
        ("nim1 autophosphorylates on tyrosine.", "nim1", "auto", "phosphorylation"),
        ("MDM2 auto-ubiquitylation was lost.", "MDM2", "auto", "ubiquitination"),
        ("MAML1-induced autoacetylation of p300 rises.", "p300", "auto", "acetylation"),
    ],
)
def test_rules(text, name, rule, kind):
    (statement,) = found(text, name)
    assert (statement.entity.text, statement.rule, statement.kind) == (name, rule, kind)
    assert text[statement.start :].startswith(statement.words)
    assert statement.type == ("binding" if kind is None else "modification")
    assert not statement.negated
    assert not statement.hedged


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bax dimerizes with Bcl-2.", ("Bax", "Bcl-2")),
        ("p50/p65 dimers bind DNA.", ("p50", "p65")),
        ("Dimers of p50 and p65 bind DNA.", ("p50", "p65")),
        ("Jun forms heterodimers.", ("Jun",)),
        ("A multimer of the OCT-1 binding site was used.", ("OCT-1",)),
        ("Fc receptors bind homodimeric fragments.", ("Fc receptors",)),
        ("hCdc46 proteins form a stable dimeric complex with P1.", ("hCdc46", "P1")),
        ("STAT1 was seen. Homodimers are known.", ("STAT1",)),
        ("The polymer was self-made.", ()),
    ],
)
def test_what_is_said_of_others_or_of_nobody(text, names):
    assert found(text, *names) == []


def test_a_protein_named_twice_is_one_statement():
    (statement,) = found("Complexes of p50/p50 homodimers and p50/p65 heterodimers form.", "p50", "p50", "p50", "p65")
    assert (statement.rule, statement.words) == ("double", "p50/p50 homodimers")


@pytest.mark.parametrize(
    ("text", "negated", "hedged"),
    [
        ("Fos cannot homodimerize.", True, False),
        ("Fos does not form homodimers.", True, False),
        ("Lack of Fos homodimers was seen.", True, False),
        ("Fos may form homodimers.", False, True),
        ("We asked whether Fos forms homodimers.", False, True),
        ("PKC inhibitors did not change Fos homodimers.", False, False),
    ],
)
def test_what_is_denied_or_supposed_is_marked(text, negated, hedged):
    (statement,) = found(text, "Fos")
    assert (statement.negated, statement.hedged) == (negated, hedged)


def test_probabilities_are_those_of_the_counts():
    counts = json.loads(COUNTS_FILE.read_text())["classes"]
    assert sum(count["read"] for count in counts.values()) >= 100
    for rule, probability in rule_probabilities().items():
        assert probability == (counts[rule]["right"] + 1) / (counts[rule]["read"] + 2)
        assert 0.5 < probability < 1


def test_interactions_of_one_mention_with_itself():
    sentence = Sentence("s", "Akt autophosphorylation and Bax dimers.", (named := Entity("a", "Akt", ((0, 3),)),))
    document = Document("d", (sentence,))
    (one,) = self_interactions(document, kinds=("protein",), skipped=(), typed=True, explain=True)
    assert (one.pair, one.proteins, one.homo, one.same) == ("s.h0", (named, named), True, False)
    assert (one.type, one.kind, one.agent, one.target, one.directed) == (
        *("modification", "phosphorylation", "a", "a", True),
    )
    assert one.types == {"modification": one.probability}
    assert one.score == pytest.approx(math.log(one.probability / (1 - one.probability)))
    assert one.evidence.reasons() == ["“autophosphorylation” says so of one protein"]
    (plain,) = self_interactions(document, kinds=("protein",), skipped=(), typed=False, explain=False)
    assert (plain.type, plain.agent, plain.types, plain.evidence) == (None, None, {}, None)
    assert list(self_interactions(document, kinds=("protein",), skipped={"s"}, typed=True, explain=False)) == []


def test_the_annotator_gives_them_in_their_place_and_selects_them_like_others():
    text = "STAT1 forms homodimers and binds JAK1. Fos cannot homodimerize."
    annotator = Annotator(min_probability=0.5)
    assert [(one.names, one.homo) for one in annotator.annotate(text)] == [
        (("STAT1", "JAK1"), False),
        (("STAT1", "STAT1"), True),
    ]
    everything = Annotator(min_probability=0.5, include_negated=True, types=["binding"])
    assert [one.names for one in everything.annotate(text) if one.negated] == [("Fos", "Fos")]
    assert not any(one.homo for one in Annotator(types=["regulation"]).annotate(text))
    assert not any(one.homo for one in Annotator(min_probability=0.99).annotate(text))
