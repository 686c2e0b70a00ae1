"""Answers about the database of a run, as plain JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpora import Document, Pair, Sentence
from ppi.server.curation.judgement import row_key
from ppi.server.database.opening import OpenRun
from ppi.server.database.result_types import FoundPair, FoundSentence, KnownProtein
from ppi.server.web.jobs import interaction_json
from ppi.server.web.limits import Limits
from ppi.server.web.problems import too_large

#: Entries of a page of a list, and pairs of each type that a protein's page shows at first.
PAGE_ENTRIES, SHOWN_PAIRS = 50, 12
#: Kinds that are not shown: nearly everything is a protein.
_USUAL_KINDS = ("gene", "protein")


def run_json(run: OpenRun, problem: str | None) -> dict[str, Any]:
    """How much there is."""
    facts = run.facts()
    return {**facts.__dict__, "types": list(facts.types), "name": run.path.resolve().name, "problem": problem}


def suggestions_json(run: OpenRun, text: str, limit: int) -> list[dict[str, Any]]:
    """Proteins for a name that is being typed."""
    return [{"name": name, "protein": protein_json(protein)} for name, protein in run.suggest(text, limit=limit)]


def search_json(run: OpenRun, criteria: dict[str, Any], *, show: str, order: str, page: int) -> dict[str, Any]:
    """A page of pairs or of sentences."""
    result = run.search(**criteria)
    start = (page - 1) * PAGE_ENTRIES
    if show == "pairs":
        count, pairs = result.page_of_pairs(limit=PAGE_ENTRIES, offset=start, order=order)
        entries = {"pairs": [pair_json(pair) for pair in pairs], "sentences": []}
    else:
        count, sentences = result.page_of_sentences(limit=PAGE_ENTRIES, offset=start)
        entries = {"pairs": [], "sentences": [sentence_json(sentence) for sentence in sentences]}
    return {
        "proteins": _matching_proteins(run, criteria.get("protein")),
        "partners": _matching_proteins(run, criteria.get("partner")),
        **page_json(count, page),
        **entries,
    }


def protein_page_json(run: OpenRun, key: str) -> dict[str, Any]:
    """A protein, and the best supported of its pairs by type."""
    types = []
    for counts in run.types_of(key):
        result = run.search(key, type=counts.type, min_papers=1)
        pairs = [pair for pair in result.pairs(limit=SHOWN_PAIRS) if pair.type == counts.type]
        entry = {"type": counts.type, "count": counts.pairs, "papers": counts.papers, "sentences": counts.sentences}
        types.append({**entry, "pairs": [pair_json(pair) for pair in pairs]})
    return {"protein": protein_json(run.protein(key)), "types": types}


def network_json(run: OpenRun, key: str, steps: int) -> dict[str, Any]:
    """The proteins around one, and the pairs among them."""
    pairs = run.neighbourhood(key, steps=steps)
    proteins = {protein.key: protein for pair in pairs for protein in (pair.source, pair.target)}
    proteins.setdefault(key, run.protein(key))
    return {
        "proteins": [protein_json(protein) for protein in proteins.values()],
        "pairs": [pair_json(pair) for pair in pairs],
    }


def pair_page_json(run: OpenRun, first: str, second: str, *, types: Sequence[str] | None, page: int) -> dict[str, Any]:
    """Two proteins and every sentence about them, also those that deny or only suppose it."""
    ends = run.protein(first), run.protein(second)
    result = run.search(first, second, type=types, include_negated=True, include_hedged=True)
    count, sentences = result.page_of_sentences(limit=PAGE_ENTRIES, offset=(page - 1) * PAGE_ENTRIES)
    return {
        "first": protein_json(ends[0]),
        "second": protein_json(ends[1]),
        "pairs": [pair_json(pair) for pair in result.pairs(limit=PAGE_ENTRIES)],
        **page_json(count, page),
        "sentences": [sentence_json(sentence) for sentence in sentences],
    }


def evidence_request(run: OpenRun, document: str, pair: str) -> dict[str, Any]:
    """What a worker is to explain: the sentence with its mentions, and the pair under its own id.

    Other names of the sentence are known to a run if they take part in an interaction, too.
    """
    interaction = run.sentence(document, pair).interaction
    neighbours = run.same_sentence(document, pair)
    mentions = {entity.id: entity for neighbour in neighbours for entity in neighbour.interaction.proteins}
    pairs = (
        () if interaction.homo else (Pair(interaction.pair, interaction.proteins[0].id, interaction.proteins[1].id),)
    )
    sentence = Sentence(
        interaction.sentence_id, interaction.sentence, tuple(mentions.values()), pairs, offset=interaction.offset
    )
    sentences = Document("d", (sentence,)).to_json()["sentences"]
    return {"document": {"id": document, "sentences": sentences}, "pair": pair, "min_probability": 0.0}


def fetch_for_export(run: OpenRun, criteria: dict[str, Any], limits: Limits) -> list[FoundSentence]:
    """The sentences of a file, if they are not too many for the server."""
    result = run.search(**criteria)
    if len(result) > limits.pairs:
        raise too_large("interactions in a file", limits.pairs)
    return list(result.all_sentences())


def pair_json(pair: FoundPair) -> dict[str, Any]:
    """A pair with its proteins and best sentence."""
    content = {**vars(pair), "source": protein_json(pair.source), "target": protein_json(pair.target)}
    del content["mentions"]
    return {**content, "best": None if pair.best is None else sentence_json(pair.best)}


def sentence_json(sentence: FoundSentence) -> dict[str, Any]:
    """A sentence and pair, as in JSON lines, with the keys of the two proteins, the year, and its words in short."""
    content = interaction_json(sentence.interaction, pubmed=sentence.pubmed)
    return {**content, "keys": list(sentence.keys), "year": sentence.year, "words": row_key(sentence.interaction).words}


def protein_json(protein: KnownProtein) -> dict[str, Any]:
    """A protein as pages show it."""
    identifiers = (protein.identifier, f"uniprot:{protein.uniprot}" if protein.uniprot else None)
    kind = (protein.kind or protein.type or "").lower()
    return {
        "key": protein.key,
        "label": protein.label,
        "names": list(protein.names),
        "identifiers": list(filter(None, identifiers)),
        "species": protein.species or (f"taxon {protein.taxid}" if protein.taxid else ""),
        "kind": "" if kind in _USUAL_KINDS else kind,
        "papers": protein.papers,
        "sentences": protein.sentences,
        "partners": protein.partners,
    }


def _matching_proteins(run: OpenRun, name: str | None) -> list[dict[str, Any]]:
    return [] if name is None else [protein_json(protein) for protein in run.find(name)[:PAGE_ENTRIES]]


def page_json(count: int, page: int) -> dict[str, int]:
    """Which page of a list it is."""
    return {"count": count, "page": page, "pages": max(1, -(-count // PAGE_ENTRIES))}
