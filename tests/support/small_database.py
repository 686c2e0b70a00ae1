"""Small files of interactions made by hand, and databases of them."""

from __future__ import annotations

from collections.abc import Sequence

from corpora import Document, Entity, Sentence
from ppi.annotation import Alias, AnnotatedDocument, Interaction

GENES = {"RAD51": "ncbigene:5888", "BRCA2": "ncbigene:675", "TP53": "ncbigene:7157", "MDM2": "ncbigene:4193"}
_HEDGED = {"type": "regulation", "sign": "negative", "hedged": True}
#: Document, year, sentence, first, second, probability, and how.
TYPED = (
    ("10000001", "1999", "RAD51 binds BRCA2.", "RAD51", "BRCA2", 0.9, {"type": "binding"}),
    ("10000001", "1999", "Rad51 also binds BRCA2 here.", "Rad51", "BRCA2", 0.7, {"type": "binding"}),
    ("10000002", "2004", "BRCA2 and RAD-51 interact.", "BRCA2", "RAD-51", 0.6, {"type": "binding"}),
    ("10000002", "2004", "MDM2 inhibits TP53.", "MDM2", "TP53", 0.95, {"type": "regulation", "sign": "negative"}),
    ("10000003", None, "RAD51 does not bind TP53.", "RAD51", "TP53", 0.8, {"type": "binding", "negated": True}),
    ("10000003", None, "MDM2 may inhibit TP53 there.", "MDM2", "TP53", 0.85, _HEDGED),
    ("notes", None, "TP53 is phosphorylated by ATM kinase.", "TP53", "ATM", 0.99, {"type": "modification"}),
)


def annotated(rows: Sequence[tuple] = TYPED) -> list[AnnotatedDocument]:
    """The rows as documents, in their order; a name that :data:`GENES` has in any spelling is grounded."""
    found: dict[str, list[tuple]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return [_document(id, of_document) for id, of_document in found.items()]


def _document(id: str, rows: list[tuple]) -> AnnotatedDocument:
    sentences, interactions, offset = [], [], 0
    for number, (_, _, text, first, second, probability, how) in enumerate(rows):
        sentence = Sentence(f"{id}.s{number}", text, (), offset=offset)
        one, other = (_mention(f"{id}.s{number}.e{n}", text, name) for n, name in enumerate((first, second)))
        interactions.append(_interaction(id, sentence, one, other, probability, **how))
        sentences.append(sentence)
        offset += len(text) + 1
    infons = (("year", rows[0][1]),) if rows[0][1] else ()
    return AnnotatedDocument(Document(id, tuple(sentences), infons=infons), tuple(interactions))


def _mention(id: str, text: str, name: str) -> Entity:
    start = text.index(name)
    gene = name.upper().replace("-", "")
    known = (GENES[gene],) if gene in GENES else ()
    infons = (("symbol", gene), ("taxid", "9606"), ("uniprot", f"P0{gene[-2:]}")) if known else ()
    return Entity(id, name, ((start, start + len(name)),), "PROTEIN", known, infons=infons)


def _interaction(document, sentence, one, other, probability, **how) -> Interaction:
    type = how.get("type")
    directed = type in ("modification", "regulation")
    # "is phosphorylated by": the second acts
    agent, target = (other, one) if type == "modification" else (one, other)
    return Interaction(
        document=document,
        sentence_id=sentence.id,
        sentence=sentence.text,
        offset=sentence.offset,
        pair=f"{sentence.id}.p0",
        proteins=(one, other),
        score=2 * probability - 1,
        probability=probability,
        types={} if type is None else {type: probability},
        agent=agent.id if directed else None,
        target=target.id if directed else None,
        **{name: value for name, value in how.items() if name != "alias"},
        aliases=(Alias(f"{sentence.id}.p1", (how["alias"], other), probability),) if "alias" in how else (),
    )
