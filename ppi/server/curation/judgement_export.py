"""Write judgements as files for others: a corpus of the sentences that were judged, and curations as INDRA has them.

In a corpus, a pair has the label True or False, the type where the judgement gives one, and as remarks the verdict, the
curator, the time and the comment; where one acts on the other, their roles are ``Agent`` and ``Target``.  ``not a
protein`` gives False, and the mention that it is about has the remark ``not_protein``.  The sentences that nobody
judged are not there, and neither are other mentions of those that are.

INDRA-style curations are one object per judgement that holds, with the fields of INDRA's database:

===============  =======================================================================================================
``tag``          INDRA's word for the verdict: ``correct``, ``no_relation``, ``wrong_relation`` (wrong type; also wrong
                 direction, for which INDRA has no word of its own), ``grounding`` (not a protein)
``curator``      who, ``date`` when (UTC)
``text``         the comment; before it what the tag does not say: the right type, the direction, the mention
``source``       ``ppi-miner``
``pa_json``      the statement that was judged, as :mod:`ppi.export.indra_json` writes it; null where INDRA has no
                 statement for it (an interaction without type, a regulation without sign)
``ev_json``      its evidence: the sentence, the PubMed id, where the names stand
===============  =======================================================================================================

INDRA makes its hashes (``pa_hash``, ``source_hash``) from ``pa_json`` and ``ev_json`` when they are read.
"""

from __future__ import annotations

import io
import json
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

import corpora
from corpora import (
    ConversionLosses,
    CorpusError,
    Document,
    Entity,
    LossWarning,
    Pair,
    Problem,
    Sentence,
    atomic_folder,
    atomic_output,
    roles_as_infons,
)
from ppi.annotation import encodable_text, xml_text
from ppi.core import CurationError, UsageError
from ppi.export import AGENT, SOURCE, TARGET, evidence_json, statement_json, write_brat_configuration, write_zip
from ppi.extraction import NOT_A_PROTEIN, RIGHT, WRONG, WRONG_DIRECTION, WRONG_TYPE
from ppi.server.curation.judgement import Judgement
from ppi.server.database.index import map_texts

#: The name of such a corpus.
CORPUS = "curation"
_NOT_PROTEIN = ("not_protein", "true")
INDRA_TAGS = {
    RIGHT: "correct",
    WRONG: "no_relation",
    WRONG_TYPE: "wrong_relation",
    WRONG_DIRECTION: "wrong_relation",
    NOT_A_PROTEIN: "grounding",
}
#: What these formats have no place for and nobody expects there: not worth a warning.
_EXPECTED_LOSSES = frozenset({"ids", "original ids", "remarks", "sentence boundaries", "sentence offsets"})


@dataclass
class _JudgedSentence:
    """A sentence with what was judged in it, while it is put together."""

    id: str
    text: str
    offset: int
    entities: dict[str, Entity] = field(default_factory=dict)
    pairs: dict[str, Pair] = field(default_factory=dict)

    def add(self, judgement: Judgement) -> bool:
        """Take in a judgement; False if another run gave its ids to other words."""
        interaction = judgement.interaction
        fits = interaction.sentence == self.text and interaction.offset == self.offset
        mentions = {entity.id: entity for entity in _mentions(judgement)}
        for id, entity in mentions.items():
            fits = fits and (id not in self.entities or self.entities[id].spans == entity.spans)
        if not fits or interaction.pair in self.pairs:
            return False
        for id, entity in mentions.items():
            if id not in self.entities or _NOT_PROTEIN not in self.entities[id].infons:  # one denial is enough
                self.entities[id] = entity
        self.pairs[interaction.pair] = _pair(judgement)
        return True

    def sentence(self) -> Sentence:
        return Sentence(self.id, self.text, tuple(self.entities.values()), tuple(self.pairs.values()), (), self.offset)


def build_corpus(judgements: Iterable[Judgement], *, warn: bool = True) -> Iterator[Document]:
    """The documents of the judgements, one judgement per row, in the order in which they come first.

    Where two judgements give the same id to different words, because they are of different runs, the first is kept;
    one warning reports how many were left out, unless ``warn`` is False.
    """
    n_skipped = 0
    documents: dict[str, dict[str, _JudgedSentence]] = {}
    pubmed: dict[str, str] = {}
    for judgement in judgements:
        interaction = judgement.interaction
        sentences = documents.setdefault(interaction.document, {})
        sentence = sentences.setdefault(
            interaction.sentence_id, _JudgedSentence(interaction.sentence_id, interaction.sentence, interaction.offset)
        )
        used_ids = {
            id for other in sentences.values() if other is not sentence for id in (*other.entities, *other.pairs)
        }
        ids = {interaction.pair, *(entity.id for entity in interaction.proteins)}
        if used_ids & ids or not sentence.add(judgement):
            n_skipped += 1
        elif judgement.pubmed is not None:
            pubmed.setdefault(interaction.document, judgement.pubmed)
    if n_skipped and warn:
        message = f"{n_skipped} judgements are left out: another run gave their ids to other words"
        warnings.warn(LossWarning(Problem(message)), stacklevel=2)
    for id, sentences in documents.items():
        ordered = sorted((sentence for sentence in sentences.values() if sentence.pairs), key=attrgetter("offset"))
        orig_id = f"PMID:{pubmed[id]}" if id in pubmed else None
        yield Document(id, tuple(sentence.sentence() for sentence in ordered), corpus=CORPUS, orig_id=orig_id)


def _mentions(judgement: Judgement) -> list[Entity]:
    """The two mentions, with a remark where the judgement denies that it is a protein."""
    return [
        replace(entity, infons=(*entity.infons, _NOT_PROTEIN))
        if judgement.verdict == NOT_A_PROTEIN and judgement.mention in (number, None)
        else entity
        for number, entity in enumerate(judgement.interaction.proteins, start=1)
    ]


def _pair(judgement: Judgement) -> Pair:
    first, second = judgement.verdict_participants or judgement.interaction.proteins
    roles = () if judgement.verdict_participants is None else roles_as_infons((AGENT, TARGET))
    infons: list[tuple[str, str]] = [
        *roles,
        ("verdict", judgement.verdict),
        ("curator", judgement.curator),
        ("time", judgement.time),
        ("probability", f"{judgement.interaction.probability:.4f}"),
    ]
    if judgement.comment:
        infons.append(("comment", judgement.comment))
    pair = judgement.interaction.pair
    return Pair(pair, first.id, second.id, judgement.label, judgement.verdict_type, tuple(infons))


def indra_curations(judgements: Iterable[Judgement]) -> Iterator[dict[str, Any]]:
    """The judgements as INDRA has curations."""
    for judgement in judgements:
        yield {
            "tag": INDRA_TAGS[judgement.verdict],
            "curator": judgement.curator,
            "date": judgement.time,
            "text": "; ".join(filter(None, (_tag_details(judgement), judgement.comment))) or None,
            "source": SOURCE,
            "pa_json": statement_json(judgement.interaction),
            "ev_json": evidence_json(judgement.interaction, judgement.pubmed),
        }


def _tag_details(judgement: Judgement) -> str:
    if judgement.verdict == WRONG_TYPE and judgement.type is not None:
        return f"should be {judgement.type}"
    if judgement.verdict == WRONG_DIRECTION:
        return "wrong direction"
    if judgement.verdict == NOT_A_PROTEIN:
        mentions = enumerate(judgement.interaction.proteins, start=1)
        names = [f"[{entity.text}]" for number, entity in mentions if judgement.mention in (number, None)]
        return f"not a protein: {' or '.join(names)}"
    return ""


@dataclass(frozen=True)
class CurationFormat:
    """A format that judgements are written in; ``suffix`` is the ending of a download."""

    name: str
    suffix: str
    media_type: str
    description: str
    is_folder: bool = False


JUDGEMENT_FORMATS = {
    format.name: format
    for format in (
        CurationFormat("jsonl", ".jsonl", "application/x-ndjson", "a corpus as JSON lines: labelled pairs"),
        CurationFormat("bioc-json", ".bioc.json", "application/json", "a corpus as BioC JSON"),
        CurationFormat("bioc-xml", ".bioc.xml", "application/xml", "a corpus as BioC XML"),
        CurationFormat("brat", ".zip", "application/zip", "a corpus as brat standoff: what interacts only", True),
        CurationFormat("indra", ".indra.json", "application/json", "curations as INDRA has them, one per judgement"),
    )
}


def write_judgements(judgements: Iterable[Judgement], path: str | Path, format: str) -> None:
    """Write judgements, one per row for a corpus; the file appears only when all of them are written.

    Parameters
    ----------
    path
        The file (packed if it ends in .gz), ``-`` for standard output; a new folder for brat.
    format
        A name of :data:`JUDGEMENT_FORMATS`.

    Raises
    ------
    UsageError
        If there is no such format.
    CorpusError
        If the file cannot be written.
    """
    if find_format(format).is_folder:
        with atomic_folder(path) as folder:
            _write_brat_folder(judgements, folder)
    else:
        with atomic_output(path) as output:
            _write_file(judgements, output, format)


def dumps(judgements: Iterable[Judgement], format: str, *, warn: bool = True) -> bytes:
    """What :func:`write` would put into the file; for brat, a zip archive of the folder.

    Without ``warn``, what the format cannot hold is left out without a word.
    """
    output = io.BytesIO()
    if find_format(format).is_folder:
        with tempfile.TemporaryDirectory() as folder:
            _write_brat_folder(judgements, Path(folder), warn)
            write_zip(Path(folder), output)
    else:
        _write_file(judgements, output, format, warn)
    return output.getvalue()


def find_format(name: str) -> CurationFormat:
    """The format of that name; UsageError if there is none."""
    if name not in JUDGEMENT_FORMATS:
        raise UsageError(f"expected a format of judgements, one of {list(JUDGEMENT_FORMATS)}, got {name!r}")
    return JUDGEMENT_FORMATS[name]


def _write_brat_folder(judgements: Iterable[Judgement], folder: Path, warn: bool = True) -> None:
    writer = corpora.FORMATS["brat"].write_folder
    losses = ConversionLosses("brat")
    try:
        writer(_build_documents(judgements, encodable_text, warn), folder, losses)  # type: ignore[misc]
    except CorpusError as error:  # an id that cannot be the name of a file
        raise CurationError(f"{error}; write another format") from None
    write_brat_configuration(folder)
    _report_losses(losses, warn)


def _write_file(judgements: Iterable[Judgement], output: IO[bytes], format: str, warn: bool = True) -> None:
    if format == "indra":
        text = json.dumps(list(indra_curations(judgements)), ensure_ascii=False, indent=1)
        output.write(encodable_text(text).encode() + b"\n")
        return
    documents = _build_documents(judgements, xml_text if format == "bioc-xml" else encodable_text, warn)
    losses = ConversionLosses(format)
    corpora.FORMATS[format].write(documents, output, losses)  # type: ignore[misc]
    _report_losses(losses, warn)


def _build_documents(judgements: Iterable[Judgement], clean: Callable[[str], str], warn: bool) -> Iterator[Document]:
    """The documents with each of their texts cleaned of what a file cannot hold; ``clean`` keeps their lengths."""
    for document in build_corpus(judgements, warn=warn):
        yield Document.from_json(map_texts(document.to_json(), clean))


def _report_losses(losses: ConversionLosses, warn: bool) -> None:
    if not warn:
        return
    for loss in _EXPECTED_LOSSES:
        losses.counts.pop(loss, None)
    losses.report()
