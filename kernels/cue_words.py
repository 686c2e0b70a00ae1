"""Words that deny or hedge, by what they do; chosen on documents whose events are marked as negated or speculated.

Verbs stand in the forms that were seen to hedge: "we *determine* whether" asks, "as *determined* by" does not.
*Suggest*, *indicate*, *appear* and *can* are no cues: most of what is said with them is not marked as speculation.
"""

from __future__ import annotations

# fmt: off
#: Hardly a statement: these deny what they depend on ("no longer" is found apart).
SCARCELY = frozenset(["barely", "hardly", "little", "scarcely"])
#: What is said of a thing that something else does nothing to.
UNCHANGED = frozenset([
    "dispensable", "unaffected", "unaltered", "unchanged", "uninfluenced", "unmodified", "unnecessary",
])
INDEPENDENT = frozenset(["independent", "independently", "irrespective", "regardless"])
#: Prepositions that leave out what they govern, where they are words, and as ends of the types of collapsed arcs.
WITHOUT = frozenset(["except", "without"])
WITHOUT_ARCS = (
    "_except", "_excluding", "_instead_of", "_rather_than", "_without",
    ":except", ":excluding", ":instead_of", ":rather_than", ":without",
)
#: Arcs to what a statement argues with.
AGAINST_ARCS = ("_against", ":against")
#: Before a name: "rather than B", "instead of B".
REPLACED = frozenset(["instead", "rather"])
#: Verbs and adjectives that deny what follows them as an infinitive, and nouns too.
FAILING = frozenset([
    "defective", "fail", "failed", "failing", "fails", "failure", "failures", "impossible", "inability", "incapable",
    "insufficient", "unable",
])
#: Denies an ability: "lost the ability to bind".
LOSING = frozenset(["lacked", "lacking", "lacks", "lose", "loses", "losing", "lost"])
ABILITIES = frozenset(["ability", "abilities", "capability", "capacity", "competence", "potential"])
#: What a verb without a meaning of its own has: "had no effect on", "showed no difference in".
EFFECTS = frozenset([
    "alteration", "alterations", "association", "associations", "change", "changes", "correlation", "difference",
    "differences", "effect", "effects", "evidence", "impact", "indication", "influence", "interaction", "interactions",
    "relationship", "requirement", "role",
])
#: Whoever is compared with, "in contrast to A", does what the sentence denies.
COMPARING = frozenset(["contrast", "unlike"])
COMPARING_ARCS = ("unlike", "in_contrast_to", "in_contrast_with")
#: What joins clauses that speak of different things.
CONCESSIVE = frozenset(["although", "because", "since", "though", "while"])
#: Before "in the absence of": what happens nevertheless.
EVEN = frozenset(["also", "even"])

MODALS = frozenset(["may", "might"])
QUESTIONS = frozenset(["if", "whether"])
#: Adverbs and adjectives.
POSSIBLY = frozenset([
    "conceivably", "hypothetical", "likely", "perhaps", "possible", "possibly", "potential", "potentially",
    "presumably", "presumed", "presumptive", "probable", "probably", "putative", "putatively", "supposedly", "unlikely",
])
SUPPOSING = frozenset([
    "argue", "assume", "assumed", "assuming", "believe", "believed", "candidate", "candidates", "conceivable",
    "hypotheses", "hypothesis", "hypothesise", "hypothesised", "hypothesize", "hypothesized", "hypothesizing",
    "implied", "implies", "imply", "implying", "likely", "possibilities", "possibility", "possible", "postulate",
    "postulated", "postulates", "predict", "predicted", "predicts", "presume", "presumed", "propose", "proposed",
    "proposes", "proposing", "speculate", "speculated", "speculation", "suppose", "supposed", "suspect", "suspected",
    "thought", "unlikely",
])
#: "We propose that A could bind B": elsewhere *could* is the past of *can*.
CONDITIONALS = frozenset(["could", "would"])
SUGGESTING = frozenset(["suggest", "suggested", "suggesting", "suggestion", "suggests"])
INQUIRING = frozenset([
    "address", "addressed", "analyse", "analysed", "analysing", "analyze", "analyzed", "analyzing", "ask", "asked",
    "assess", "assessed", "assessing", "determine", "discuss", "discussed", "elucidate", "evaluate", "evaluated",
    "evaluating", "examine", "examined", "examining", "explore", "explored", "exploring", "investigate", "investigated",
    "investigating", "investigation", "question", "studied", "test", "tested", "testing",
])
UNKNOWN = frozenset(["elusive", "obscure", "questionable", "uncertain", "unclear", "unknown", "unproven", "unresolved"])
#: Where a negation, or "little", leaves a question open.
KNOWING = frozenset([
    "clarified", "clear", "defined", "elucidated", "exclude", "excluded", "explored", "identified", "investigated",
    "known", "studied", "tested", "understood",
])
#: What two proteins do to each other; its subject may be "they" or "the two proteins".
INTERACTING = frozenset([
    "associate", "associated", "bind", "bound", "coimmunoprecipitate", "coimmunoprecipitated", "coprecipitate",
    "coprecipitated", "dimerize", "heterodimerize", "interact", "interacted", "interacting",
])
PRONOUNS = frozenset(["they"])
BOTH = frozenset(["both", "two"])
#: What may stand in a list of names: "but not A kinase, B or C".
LISTED = frozenset([
    ",", "(", ")", "-", "/", "alone", "and", "either", "kinase", "kinases", "mutant", "mutants", "or", "protein",
    "proteins", "receptor",
])
#: What can deny, besides the words of :mod:`kernels.negation`, and what can hedge.
DENYING = (SCARCELY, UNCHANGED, INDEPENDENT, WITHOUT, REPLACED, FAILING, LOSING)
HEDGING = (MODALS, QUESTIONS, POSSIBLY, SUPPOSING, CONDITIONALS, INQUIRING, UNKNOWN, KNOWING)
# fmt: on
#: The categories of each cue word.
CATEGORIES = {
    word: tuple(category for category in (*DENYING, *HEDGING) if word in category)
    for word in frozenset().union(*DENYING, *HEDGING)
}
