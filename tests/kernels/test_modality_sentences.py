"""Sentences as people write them, parsed by the shipped pipeline: what is denied, supposed or stated of a pair."""

import re

import pytest

from corpora import Document, Entity, Pair, Sentence
from kernels.candidates import candidate_graph
from kernels.modality_detection import modality
from ppi.language import parse_documents

NAMES = re.compile(r"\b(?:TRAF2|cIAP1|RIP1|RIP2|SHP-1|STAT5|MDM2|MDMX|COP1|p53)\b")
DENIED = [
    ("TRAF2", "cIAP1", "TRAF2 did not interact with cIAP1."),
    ("TRAF2", "cIAP1", "There is no evidence that TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "We found no evidence for an interaction between TRAF2 and cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 hardly affected cIAP1 expression."),
    ("TRAF2", "cIAP1", "TRAF2 no longer bound cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 failed to bind cIAP1."),
    ("TRAF2", "cIAP1", "The failure of TRAF2 to activate cIAP1 was unexpected."),
    ("TRAF2", "cIAP1", "Mutant TRAF2 lost the ability to bind cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 was unable to phosphorylate cIAP1."),
    ("TRAF2", "cIAP1", "We were not able to detect binding of TRAF2 to cIAP1."),
    ("TRAF2", "cIAP1", "These results argue against an interaction between TRAF2 and cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 expression is independent of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 had no effect on cIAP1 expression."),
    ("TRAF2", "cIAP1", "TRAF2 exhibited no effect on the expression of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 had little effect on cIAP1 expression."),
    ("TRAF2", "cIAP1", "Expression of TRAF2 was unaffected by cIAP1."),
    ("TRAF2", "cIAP1", "Expression of TRAF2 remained unchanged in cIAP1-deficient cells."),
    ("TRAF2", "cIAP1", "TRAF2 is dispensable for the activation of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds RIP1 rather than cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds RIP1 instead of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds all of these receptors except cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 was activated without cIAP1."),
    ("TRAF2", "cIAP1", "RIP1, but not TRAF2, binds cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds RIP1 but not RIP2 or cIAP1."),
    ("TRAF2", "cIAP1", "Neither RIP1 nor TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 was found in the same fraction as cIAP1, but the two proteins did not interact."),
    ("SHP-1", "STAT5", "SHP-1 was also found in the same fraction as STAT5, but the two proteins did not interact."),
    ("TRAF2", "cIAP1", "TRAF2 colocalized with cIAP1, but they did not bind each other."),
    ("TRAF2", "cIAP1", "TRAF2 was induced even in the absence of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 cannot bind cIAP1."),
    ("TRAF2", "cIAP1", "No interaction between TRAF2 and cIAP1 was detected."),
    ("TRAF2", "cIAP1", "An interaction between TRAF2 and cIAP1 was never observed."),
    ("TRAF2", "cIAP1", "TRAF2 does not appear to bind cIAP1."),
    ("TRAF2", "RIP1", "TRAF2 interacts with cIAP1 but not with RIP1."),
    ("RIP1", "cIAP1", "In contrast to TRAF2, RIP1 did not bind cIAP1."),
    ("TRAF2", "RIP1", "TRAF2 does not inhibit RIP1, although it activates cIAP1."),
    ("TRAF2", "RIP1", "TRAF2 binds cIAP1 independently of RIP1."),
    ("MDM2", "p53", "MDM2 and p53 do not form a complex."),
    ("MDM2", "p53", "p53 was not ubiquitinated by MDM2."),
    ("MDM2", "p53", "Depletion of MDM2 did not alter the level of p53."),
    ("MDM2", "p53", "No binding of MDM2 to p53 could be detected."),
    ("MDM2", "p53", "MDM2 lacks the ability to bind p53."),
    ("MDM2", "p53", "MDM2 is not required for degradation of p53."),
    ("MDM2", "p53", "Binding of MDM2 to p53 was not observed."),
    ("MDM2", "p53", "The mutant was incapable of binding MDM2 to p53."),
    ("MDM2", "p53", "MDM2 was not detected in p53 immunoprecipitates."),
    ("MDM2", "p53", "The levels of p53 were unchanged after MDM2 depletion."),
    ("MDM2", "p53", "MDM2 neither binds nor ubiquitinates p53."),
    ("MDM2", "p53", "MDMX, but neither MDM2 nor COP1, binds p53."),
    ("MDM2", "p53", "There was no detectable interaction between MDM2 and p53."),
    ("MDM2", "p53", "MDM2 doesn't bind p53."),
    ("MDM2", "p53", "MDM2 has no role in the degradation of p53."),
    ("MDM2", "p53", "p53 is degraded in an MDM2-independent manner."),
    ("MDM2", "p53", "p53 degradation does not depend on MDM2."),
    ("MDM2", "p53", "MDM2 showed little or no binding to p53."),
    ("MDM2", "p53", "We failed to observe an interaction between MDM2 and p53."),
    ("MDM2", "p53", "Both MDM2 and p53 were nuclear, but they did not interact."),
    ("MDMX", "COP1", "MDMX does not bind COP1, whereas MDM2 binds p53."),
]
SUPPOSED = [
    ("TRAF2", "cIAP1", "TRAF2 may interact with cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 might bind cIAP1 directly."),
    ("TRAF2", "cIAP1", "TRAF2 could possibly bind cIAP1."),
    ("TRAF2", "cIAP1", "These data suggest that TRAF2 could bind cIAP1."),
    ("TRAF2", "cIAP1", "We propose that TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "We asked whether TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "To determine whether TRAF2 interacts with cIAP1, we performed pull-down assays."),
    ("TRAF2", "cIAP1", "To determine if TRAF2 interacts with cIAP1, we performed pull-down assays."),
    ("TRAF2", "cIAP1", "It is unclear whether TRAF2 phosphorylates cIAP1."),
    ("TRAF2", "cIAP1", "Whether TRAF2 binds cIAP1 is unknown."),
    ("TRAF2", "cIAP1", "It is not known whether TRAF2 activates cIAP1."),
    ("TRAF2", "cIAP1", "We hypothesized that TRAF2 inhibits cIAP1."),
    ("TRAF2", "cIAP1", "We speculate that TRAF2 activates cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 is thought to regulate cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 is a putative ligand of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 is a potential substrate of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 possibly associates with cIAP1."),
    ("TRAF2", "cIAP1", "Perhaps TRAF2 associates with cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 presumably binds cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 probably activates cIAP1."),
    ("TRAF2", "cIAP1", "It is possible that TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "These findings raise the possibility that TRAF2 activates cIAP1."),
    ("TRAF2", "cIAP1", "We investigated the effect of TRAF2 on cIAP1 expression."),
    ("TRAF2", "cIAP1", "The effect of TRAF2 on the expression of cIAP1 was examined."),
    ("TRAF2", "cIAP1", "We tested a possible interaction between TRAF2 and cIAP1."),
    ("TRAF2", "cIAP1", "A possible interaction between TRAF2 and cIAP1 was tested."),
    ("TRAF2", "cIAP1", "The interaction between TRAF2 and cIAP1 may occur in the nucleus."),
    ("TRAF2", "cIAP1", "Little is known about the role of TRAF2 in the regulation of cIAP1."),
    ("TRAF2", "cIAP1", "The role of TRAF2 in the regulation of cIAP1 is unknown."),
    ("TRAF2", "cIAP1", "TRAF2 may be required for phosphorylation of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 is predicted to bind cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 is likely to bind cIAP1."),
    ("TRAF2", "cIAP1", "The ability of TRAF2 to bind cIAP1 was investigated."),
    ("TRAF2", "cIAP1", "We cannot exclude that TRAF2 inhibits cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 colocalized with cIAP1, and the two proteins may interact."),
    ("TRAF2", "RIP1", "TRAF2 binds cIAP1 and may activate RIP1."),
    ("cIAP1", "RIP1", "TRAF2 binds cIAP1, which may activate RIP1."),
    ("MDM2", "p53", "It remains to be determined whether MDM2 ubiquitinates p53 in neurons."),
    ("MDM2", "p53", "We therefore examined if MDM2 could ubiquitinate p53."),
    ("MDM2", "p53", "MDM2 might therefore act as an inhibitor of p53."),
    ("MDM2", "p53", "These observations imply that MDM2 degrades p53."),
    ("MDM2", "p53", "The hypothesis that MDM2 binds p53 was tested."),
    ("MDM2", "p53", "The present study was designed to investigate the role of MDM2 in p53 degradation."),
    ("MDM2", "p53", "One possibility is that MDM2 ubiquitinates p53."),
    ("MDM2", "p53", "Inhibition of MDM2 might stabilize p53."),
    ("MDM2", "p53", "We sought to determine whether inhibition of MDM2 stabilizes p53."),
    ("MDM2", "p53", "MDM2 may, through its RING domain, ubiquitinate p53."),
    ("MDM2", "p53", "It has been proposed that MDM2 shuttles p53 to the cytoplasm."),
    ("MDM2", "p53", "How and whether MDM2 regulates p53 in vivo remains unclear."),
    ("MDM2", "p53", "p53, a putative target of MDM2, accumulated in the nucleus."),
    ("MDM2", "p53", "MDM2 and p53 may form a complex."),
    ("MDM2", "p53", "A role for MDM2 in p53 degradation has been postulated."),
    ("MDMX", "COP1", "MDM2 binds p53, and MDMX may bind COP1."),
]
BOTH = [
    ("TRAF2", "cIAP1", "TRAF2 may not bind cIAP1."),
    ("TRAF2", "cIAP1", "We hypothesized that TRAF2 does not bind cIAP1."),
]
STATED = [
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 interacts with cIAP1 but not with RIP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1 and may regulate apoptosis."),
    ("TRAF2", "cIAP1", "TRAF2, which may be cleaved, binds cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1, which may activate RIP1."),
    ("TRAF2", "cIAP1", "Binding of TRAF2 to cIAP1 may regulate apoptosis."),
    ("TRAF2", "cIAP1", "TRAF2 not only binds cIAP1 but also degrades it."),
    ("TRAF2", "cIAP1", "We show that TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "These results indicate that TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1, whose function is unknown."),
    ("TRAF2", "cIAP1", "RIP1 did not affect binding of TRAF2 to cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1 in the absence of RIP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1 independently of RIP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1 without RIP1."),
    ("TRAF2", "cIAP1", "TRAF2 does not inhibit RIP1, although it activates cIAP1."),
    ("TRAF2", "cIAP1", "In contrast to TRAF2, RIP1 did not bind cIAP1."),
    ("TRAF2", "cIAP1", "Unlike TRAF2, RIP1 did not bind cIAP1."),
    ("TRAF2", "cIAP1", "Since TRAF2 activates cIAP1, we asked whether RIP1 is activated."),
    ("TRAF2", "cIAP1", "We investigated cells in which TRAF2 activates cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 can bind cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 is a potent inhibitor of cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1 if the cells are stimulated."),
    ("TRAF2", "cIAP1", "As determined by immunoblotting, TRAF2 binds cIAP1."),
    ("TRAF2", "cIAP1", "The mechanism by which TRAF2 activates cIAP1 was not affected by RIP1."),
    ("TRAF2", "cIAP1", "TRAF2 recruits cIAP1 to the receptor, but RIP1 and RIP2 did not interact."),
    ("TRAF2", "cIAP1", "TRAF2 is necessary but not sufficient to activate cIAP1."),
    ("TRAF2", "cIAP1", "TRAF2 binds cIAP1, but the two proteins did not colocalize with RIP1."),
    ("MDM2", "p53", "Phosphorylation of p53 by MDM2 may contribute to its degradation."),
    ("MDM2", "p53", "The interaction of MDM2 with p53 is probably indirect."),
    ("MDM2", "p53", "MDM2 binds p53, but it is not known whether MDMX does."),
    ("MDM2", "p53", "Since MDM2 binds p53, it may regulate apoptosis."),
    ("MDM2", "p53", "MDM2 ubiquitinates p53, suggesting that MDMX may be dispensable."),
    ("MDM2", "p53", "MDM2 inhibits p53 but not MDMX."),
    ("MDM2", "p53", "MDMX does not bind COP1, whereas MDM2 binds p53."),
    ("MDM2", "p53", "MDM2 binds p53 with high affinity in cells lacking MDMX."),
    ("MDM2", "p53", "Loss of MDM2 leads to activation of p53."),
    ("MDM2", "p53", "MDM2 prevents p53 from activating transcription."),
    ("MDM2", "p53", "Nutlin disrupts the MDM2-p53 interaction."),
    ("MDM2", "p53", "The MDM2-p53 complex may be a drug target."),
    ("MDM2", "p53", "Cells that did not express MDMX showed binding of MDM2 to p53."),
    ("MDM2", "p53", "We examined patients and found that MDM2 inhibits p53."),
    ("MDM2", "p53", "It is well known that MDM2 inhibits p53."),
    ("MDM2", "p53", "MDM2 directly binds p53 and does not require MDMX."),
    ("MDM2", "p53", "MDMX is not a ligase, but MDM2 ubiquitinates p53."),
    ("MDM2", "p53", "MDM2 abolished p53 activity."),
    ("MDM2", "p53", "MDM2 binds p53, and MDMX may bind COP1."),
]

EXPECTED = {
    **dict.fromkeys(DENIED, (True, False)),
    **dict.fromkeys(SUPPOSED, (False, True)),
    **dict.fromkeys(BOTH, (True, True)),
    **dict.fromkeys(STATED, (False, False)),
}


@pytest.fixture(scope="module")
def parsed():
    """The parsed sentences by their text."""
    texts = dict.fromkeys(text for _, _, text in EXPECTED)
    documents = [Document(text, (Sentence("s", text, tuple(mentions(text))),)) for text in texts]
    return {
        document.id: sentence for document in parse_documents(documents, split=False) for sentence in document.sentences
    }


def mentions(text):
    """Every known name of the text as an entity that is called after it."""
    for match in NAMES.finditer(text):
        yield Entity(match.group(), match.group(), (match.span(),), "protein")


def told(sentence, first, second):
    found = modality(candidate_graph(sentence, Pair("p", first, second)))
    return found.negated, found.hedged


@pytest.mark.parametrize(("first", "second", "text"), EXPECTED, ids=lambda value: value[:60])
def test_what_a_sentence_says_of_the_pair(parsed, first, second, text):
    assert told(parsed[text], first, second) == EXPECTED[first, second, text]
    assert told(parsed[text], second, first) == EXPECTED[first, second, text]


def test_there_are_sentences_for_and_against():
    assert min(len(DENIED), len(SUPPOSED), len(STATED)) >= 30
    assert len(EXPECTED) == len(DENIED) + len(SUPPOSED) + len(BOTH) + len(STATED)


@pytest.mark.parametrize(
    ("text", "negated", "hedged"),
    [
        ("TRAF2 interacts with cIAP1 but not with RIP1.", {"TRAF2 RIP1"}, set()),
        ("TRAF2 binds cIAP1 and may activate RIP1.", set(), {"TRAF2 RIP1"}),
        ("MDM2 binds p53, and MDMX may bind COP1.", set(), {"MDMX COP1"}),
        ("MDMX does not bind COP1, whereas MDM2 binds p53.", {"MDMX COP1"}, set()),
        ("TRAF2 binds cIAP1, which may activate RIP1.", set(), {"cIAP1 RIP1"}),
    ],
)
def test_the_other_statement_of_the_sentence_stays_as_it_is(parsed, text, negated, hedged):
    sentence = parsed[text]
    stated = {"TRAF2 cIAP1", "MDM2 p53"}
    for pair in stated | negated | hedged:
        first, second = pair.split()
        if first in text and second in text:
            assert told(sentence, first, second) == (pair in negated, pair in hedged)


def test_two_proteins_that_did_not_interact_are_those_named_before(parsed):
    text = "TRAF2 was found in the same fraction as cIAP1, but the two proteins did not interact."
    found = modality(candidate_graph(parsed[text], Pair("p", "TRAF2", "cIAP1")))
    words = [token.text for token in parsed[text].parses[0].tokens]
    assert [(cue.kind, words[cue.token]) for cue in found.cues] == [("negation", "not")]
