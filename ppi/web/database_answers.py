"""What the pages of a database are told: answers as plain JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpora.types import Pair, Sentence
from ppi.curation.judgement import row_of
from ppi.database.run import OpenRun
from ppi.database.types import FoundPair, FoundSentence, KnownProtein
from ppi.web.jobs import interaction_json
from ppi.web.limits import Limits
from ppi.web.problems import too_much

#: Entries of a page of a list, and pairs of each type that a protein's page shows at first.
PAGE_ENTRIES, SHOWN_PAIRS = 50, 12
#: What only says that it is a protein is not worth saying.
_USUAL_KINDS = ("gene", "protein")


def run_json(run: OpenRun, problem: str | None) -> dict[str, Any]:
    """How much there is."""
    facts = run.facts()
    return {**facts.__dict__, "types": list(facts.types), "name": run.path.resolve().name, "problem": problem}


def suggestions_json(run: OpenRun, text: str, most: int) -> list[dict[str, Any]]:
    """Proteins for a name that is being typed."""
    return [{"name": name, "protein": protein_json(protein)} for name, protein in run.suggest(text, most=most)]


def search_json(run: OpenRun, wanted: dict[str, Any], *, show: str, order: str, page: int) -> dict[str, Any]:
    """A page of pairs or of sentences."""
    found = run.search(**wanted)
    start = (page - 1) * PAGE_ENTRIES
    if show == "pairs":
        count, pairs = found.pairs_of(limit=PAGE_ENTRIES, offset=start, order=order)
        listed = {"pairs": [pair_json(pair) for pair in pairs], "sentences": []}
    else:
        count, sentences = found.sentences_of(limit=PAGE_ENTRIES, offset=start)
        listed = {"pairs": [], "sentences": [row_json(each) for each in sentences]}
    return {
        "proteins": _called(run, wanted.get("protein")),
        "partners": _called(run, wanted.get("partner")),
        **_paged(count, page),
        **listed,
    }


def protein_page_json(run: OpenRun, key: str) -> dict[str, Any]:
    """A protein, and the best supported of its pairs by type."""
    types = []
    for counts in run.types_of(key):
        found = run.search(key, type=counts.type, min_papers=1)
        pairs = [pair for pair in found.pairs(limit=SHOWN_PAIRS) if pair.type == counts.type]
        told = {"type": counts.type, "count": counts.pairs, "papers": counts.papers, "sentences": counts.sentences}
        types.append({**told, "pairs": [pair_json(pair) for pair in pairs]})
    return {"protein": protein_json(run.protein(key)), "types": types}


def network_json(run: OpenRun, key: str, steps: int) -> dict[str, Any]:
    """The proteins around one, and the pairs among them."""
    pairs = run.around(key, steps=steps)
    proteins = {protein.key: protein for pair in pairs for protein in (pair.source, pair.target)}
    proteins.setdefault(key, run.protein(key))
    return {
        "proteins": [protein_json(protein) for protein in proteins.values()],
        "pairs": [pair_json(pair) for pair in pairs],
    }


def pair_page_json(run: OpenRun, first: str, second: str, *, types: Sequence[str] | None, page: int) -> dict[str, Any]:
    """Two proteins and every sentence about them, also those that deny or only suppose it."""
    ends = run.protein(first), run.protein(second)
    found = run.search(first, second, type=types, include_negated=True, include_hedged=True)
    count, sentences = found.sentences_of(limit=PAGE_ENTRIES, offset=(page - 1) * PAGE_ENTRIES)
    return {
        "first": protein_json(ends[0]),
        "second": protein_json(ends[1]),
        "pairs": [pair_json(pair) for pair in found.pairs(limit=PAGE_ENTRIES)],
        **_paged(count, page),
        "sentences": [row_json(each) for each in sentences],
    }


def evidence_request(run: OpenRun, document: str, pair: str) -> dict[str, Any]:
    """What a worker is to explain: the sentence with its mentions, and the pair under its own id.

    Other names of the sentence are known to a run if they take part in an interaction, too.
    """
    found = run.sentence(document, pair).interaction
    beside = run.same_sentence(document, pair)
    mentions = {entity.id: entity for each in beside for entity in each.interaction.proteins}
    pairs = () if found.homo else (Pair(found.pair, found.proteins[0].id, found.proteins[1].id),)
    sentence = Sentence(found.sentence_id, found.sentence, tuple(mentions.values()), pairs, offset=found.offset)
    given = {"id": document, "sentences": [_encoded(sentence)]}
    return {"document": given, "pair": pair, "min_probability": 0.0}


def exported(run: OpenRun, wanted: dict[str, Any], limits: Limits) -> list[FoundSentence]:
    """The sentences of a file, if they are not too many for the server."""
    found = run.search(**wanted)
    if len(found) > limits.pairs:
        raise too_much("interactions in a file", limits.pairs)
    return list(found.all_sentences())


def pair_json(pair: FoundPair) -> dict[str, Any]:
    """A pair with its proteins and best sentence."""
    names = ("type", "sign", "kind", "directed", "probability", "papers", "sentences", "hedged", "negated")
    return {
        "source": protein_json(pair.source),
        "target": protein_json(pair.target),
        **{name: getattr(pair, name) for name in (*names, "first_year", "last_year")},
        "best": None if pair.best is None else row_json(pair.best),
    }


def row_json(found: FoundSentence) -> dict[str, Any]:
    """A sentence and pair, as in JSON lines, with the keys of the two proteins, the year, and its words in short."""
    told = interaction_json(found.interaction, pubmed=found.pubmed)
    return {**told, "keys": list(found.keys), "year": found.year, "words": row_of(found.interaction).words}


def protein_json(protein: KnownProtein) -> dict[str, Any]:
    """A protein as pages show it."""
    accession = [f"uniprot:{protein.uniprot}"] if protein.uniprot else []
    kind = (protein.kind or protein.type or "").lower()
    return {
        "key": protein.key,
        "label": protein.label,
        "names": list(protein.names),
        "identifiers": [*([protein.identifier] if protein.identifier else []), *accession],
        "species": protein.species or (f"taxon {protein.taxid}" if protein.taxid else ""),
        "kind": "" if kind in _USUAL_KINDS else kind,
        "papers": protein.papers,
        "sentences": protein.sentences,
        "partners": protein.partners,
    }


def _called(run: OpenRun, name: str | None) -> list[dict[str, Any]]:
    return [] if name is None else [protein_json(protein) for protein in run.find(name)[:PAGE_ENTRIES]]


def _paged(count: int, page: int) -> dict[str, int]:
    return {"count": count, "page": page, "pages": max(1, -(-count // PAGE_ENTRIES))}


def _encoded(sentence: Sentence) -> dict[str, Any]:
    from corpora.types import Document

    return Document("d", (sentence,)).to_json()["sentences"][0]
