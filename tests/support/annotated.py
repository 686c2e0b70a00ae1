"""Annotated documents built by hand, without a pipeline, and strategies for nasty ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from document_strategies import ANY, NAMES, spans_of
from hypothesis import strategies as st

from corpora import Document, Entity, Sentence, text_at
from kernels import Contribution
from ppi.annotation import Alias, AnnotatedDocument, Evidence, Interaction
from ppi.extraction import Explanation, PartContribution

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20"><path d="M0 0h40"/></svg>'


def entity(sentence: str, name: str, id: str, **fields) -> Entity:
    """The first mention of a name in a sentence."""
    start = sentence.index(name)
    return Entity(id, name, ((start, start + len(name)),), fields.pop("type", "protein"), **fields)


def interaction(
    document: str,
    sentence: Sentence,
    first: str,
    second: str,
    probability: float,
    *,
    evidence: Evidence | None = None,
    **how,
) -> Interaction:
    """An interaction of two mentions of the sentence, by their ids; ``how`` are type, agent, negated and so on."""
    return Interaction(
        document=document,
        sentence_id=sentence.id,
        sentence=sentence.text,
        offset=sentence.offset,
        pair=f"{first}-{second}",
        proteins=(sentence.entity(first), sentence.entity(second)),
        score=2 * probability - 1,
        probability=probability,
        evidence=evidence,
        **how,
    )


def evidence(path: str = "binds -nsubj-> Profilin, binds -dobj-> actin", *, features: int = 3) -> Evidence:
    """An explanation whose parts sum to the score."""
    listed = [Contribution(0.5 / (number + 1), f"feature {number}", number, ()) for number in range(features)]
    total = sum(one.value for one in listed)
    words = [PartContribution("binds", 1, total, True)]
    explanation = Explanation(0.1 + total, 0.0, 0.1, listed, words, [], 0.0, path, total)
    return Evidence(explanation, SVG, joining=("binds",) if path else ())


def split(
    id: str, texts: Sequence[str], names: Sequence[Sequence[str]], *, offset: int = 0, infons=()
) -> list[Sentence]:
    """Sentences of one passage, as splitting leaves them: ``ID.0``, ``ID.1``, one space apart."""
    made = []
    for number, (text, mentioned) in enumerate(zip(texts, names, strict=True)):
        part = id if len(texts) == 1 else f"{id}.{number}"
        mentions = tuple(entity(text, name, f"{part}.e{index}") for index, name in enumerate(mentioned))
        made.append(Sentence(part, text, mentions, offset=offset, infons=infons))
        offset += len(text) + 1
    return made


def profilin(*, explained: bool = False) -> AnnotatedDocument:
    """A titled abstract of three sentences with three interactions, one of grounded and ambiguous mentions."""
    (title,) = split("10022882.s0", ["Profilin and actin."], [["Profilin", "actin"]], infons=(("type", "title"),))
    binds, cofilin = split(
        "10022882.s1",
        ["Profilin binds actin and inhibits its polymerization.", "Cofilin (CFL1) interacts with actin, too."],
        [["Profilin", "actin"], ["Cofilin", "CFL1", "actin"]],
        offset=20,
        infons=(("type", "abstract"),),
    )
    first, second = binds.entities
    grounded = Entity(
        first.id,
        first.text,
        first.spans,
        first.type,
        ("ncbigene:5216",),
        infons=(("grounding", "exact name"), ("symbol", "PFN1"), ("taxid", "9606")),
    )
    ambiguous = Entity(
        second.id,
        second.text,
        second.spans,
        second.type,
        ("ncbigene:60", "ncbigene:71"),
        infons=(("grounding", "exact synonym"), ("ambiguous", "2")),
    )
    binds = Sentence(binds.id, binds.text, (grounded, ambiguous), offset=binds.offset, infons=binds.infons)
    document = Document("10022882", (title, binds, cofilin))
    why = evidence() if explained else None
    found = (
        interaction("10022882", binds, first.id, second.id, 0.93, evidence=why),
        interaction("10022882", cofilin, "10022882.s1.1.e0", "10022882.s1.1.e2", 0.8),
        interaction("10022882", cofilin, "10022882.s1.1.e1", "10022882.s1.1.e2", 0.55),
    )
    return AnnotatedDocument(document, found)


def discontinuous() -> AnnotatedDocument:
    """A mention in two pieces (``alpha ... actinin``) that interacts."""
    text = "alpha and beta actinin bind titin"
    pieces = ((0, 5), (15, 22))
    alpha = Entity("d.e0", text_at(text, pieces), pieces, "protein", ("ncbigene:87",))
    beta = Entity("d.e1", "beta actinin", ((10, 22),), "protein")
    titin = Entity("d.e2", "titin", ((28, 33),), "protein", ("ncbigene:7273",))
    sentence = Sentence("d.s0", text, (alpha, beta, titin))
    document = Document("d", (sentence,))
    found = (interaction("d", sentence, "d.e0", "d.e2", 0.7), interaction("d", sentence, "d.e1", "d.e2", 0.6))
    return AnnotatedDocument(document, found)


def families() -> AnnotatedDocument:
    """A complex and a bacterial gene, as the lexicon knows them."""
    (sentence,) = split("f.s0", ["AMPK binds ThrA."], [["AMPK", "ThrA"]])
    first, second = sentence.entities
    group = (("grounding", "exact symbol"), ("symbol", "AMPK"), ("entity_kind", "complex"))
    gene = (("grounding", "normalized symbol"), ("symbol", "thrA"), ("taxid", "562"), ("uniprot", "P00561"))
    known = (
        replace(first, identifiers=("fplx:AMPK",), infons=group),
        replace(second, identifiers=("kegg.genes:eco:b0002",), infons=gene),
    )
    sentence = replace(sentence, entities=known)
    found = interaction("f", sentence, first.id, second.id, 0.9)
    return AnnotatedDocument(Document("f", (sentence,)), (found,))


TYPED_SENTENCES = (
    ("Profilin binds actin.", ("Profilin", "actin")),
    ("Cofilin is phosphorylated by LIMK1.", ("Cofilin", "LIMK1")),
    ("RhoA activates mDia1.", ("RhoA", "mDia1")),
    ("Gelsolin inhibits actin.", ("Gelsolin", "actin")),
    ("RhoA affects cofilin.", ("RhoA", "cofilin")),
    ("MDM2 does not bind actin.", ("MDM2", "actin")),
    ("LIMK1 may modify actin.", ("LIMK1", "actin")),
)


def typed(*, explained: bool = False) -> AnnotatedDocument:
    """Interactions of every type: binding, modification against text order, regulation of each sign, doubtful ones."""
    texts, names = zip(*TYPED_SENTENCES, strict=True)
    sentences = split("4711.s0", texts, names)
    ends = [tuple(mention.id for mention in sentence.entities) for sentence in sentences]
    why = evidence() if explained else None
    found = []
    for number, (sentence, (first, second), probability, how) in enumerate(
        zip(
            sentences,
            ends,
            (0.96, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65),
            (
                _how("binding"),
                _how("modification", ends[1][::-1], kind="phosphorylation"),
                _how("regulation", ends[2], sign="positive"),
                _how("regulation", ends[3], sign="negative"),
                _how("regulation", ends[4]),
                _how("binding", negated=True),
                _how("modification", ends[6], hedged=True),
            ),
            strict=True,
        )
    ):
        explanation = replace(why, negation_cues=("not",)) if why is not None and number == 5 else why
        found.append(interaction("4711", sentence, first, second, probability, evidence=explanation, **how))
    return AnnotatedDocument(Document("4711", tuple(sentences), orig_id="PMID:4711"), tuple(found))


def _how(type: str, ends: tuple[str, str] | None = None, **more) -> dict:
    types = {"binding": 0.05, "modification": 0.1, "regulation": 0.2, type: 0.6}
    agent, target = ends or (None, None)
    return {"type": type, "types": types, "agent": agent, "target": target, **more}


@st.composite
def hows(draw, first: str, second: str):
    """How two mentions interact: of any type, or of none."""
    type = draw(st.sampled_from([None, "binding", "modification", "regulation"]))
    how = {"negated": draw(st.booleans()), "hedged": draw(st.booleans())}
    if type is None:
        return how
    how |= {"type": type, "types": {name: draw(st.floats(0, 1)) for name in ("binding", "modification", "regulation")}}
    if type == "binding":
        return how
    agent, target = draw(st.permutations((first, second)))
    how |= {"agent": agent, "target": target}
    if type == "modification":
        return how | {"kind": draw(st.sampled_from([None, "phosphorylation", "deubiquitination"]))}
    return how | {"sign": draw(st.sampled_from([None, "positive", "negative"]))}


def one_protein() -> AnnotatedDocument:
    """One statement under two names, two names of one protein, a homodimer and an autophosphorylation."""
    texts = ["Aldehyde dehydrogenase (FALDH) binds PEX19.", "FALDH forms homodimers.", "LIMK1 autophosphorylation."]
    names = [["Aldehyde dehydrogenase", "FALDH", "PEX19"], ["FALDH"], ["LIMK1"]]
    binds, homodimer, auto = sentences = split("815.s0", texts, names)
    long, short, pex = binds.entities
    alias = Alias("815.s0.0.i2", (short, pex), 0.6, "binding")
    itself = auto.entities[0].id
    phosphorylated = _how("modification", (itself, itself), kind="phosphorylation")
    found = (
        interaction("815", binds, long.id, pex.id, 0.9, **_how("binding"), aliases=(alias,)),
        interaction("815", binds, long.id, short.id, 0.7, **_how("binding"), same=True),
        interaction("815", homodimer, *2 * [homodimer.entities[0].id], 0.95, **_how("binding"), homo=True),
        interaction("815", auto, itself, itself, 0.9, **phosphorylated, homo=True),
    )
    return AnnotatedDocument(Document("815", tuple(sentences)), found)


def without_interactions() -> AnnotatedDocument:
    """A document in which nothing was found."""
    return AnnotatedDocument(Document("empty", tuple(split("empty.s0", ["Nothing about actin."], [["actin"]]))))


@st.composite
def annotated(draw, characters=ANY, *, discontinuous: bool = True, typed: bool = False):
    """An annotated document with any text; its mentions may overlap and be discontinuous, and have types if asked."""
    id = draw(NAMES)
    sentences, found, offset = [], [], 0
    for number in range(draw(st.integers(0, 3))):
        text = draw(st.text(characters, min_size=6, max_size=30))
        entities = []
        for index in range(draw(st.integers(0, 3))):
            spans = draw(spans_of(len(text)))
            spans = spans if discontinuous else spans[:1]
            names = st.lists(st.sampled_from(["ncbigene:1", "ncbigene:2", "fplx:ERK", "7157"]), max_size=2, unique=True)
            entities.append(Entity(f"{id}.s{number}.e{index}", text_at(text, spans), spans, "Gene", tuple(draw(names))))
        sentence = Sentence(f"{id}.s{number}", text, tuple(entities), offset=offset)
        for first, second in pairwise(entities):
            probability = draw(st.floats(0, 1))
            how = draw(hows(first.id, second.id)) if typed else {}
            found.append(interaction(id, sentence, first.id, second.id, probability, **how))
        sentences.append(sentence)
        offset += len(text) + 1
    return AnnotatedDocument(Document(id, tuple(sentences)), tuple(found))
