"""INDRA-style curations: one object per judgement that holds, with the fields of INDRA's database.

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

from collections.abc import Iterable, Iterator
from typing import Any

from ppi.curation.judgement import Judgement
from ppi.curation.verdicts import NOT_A_PROTEIN, RIGHT, WRONG, WRONG_DIRECTION, WRONG_TYPE
from ppi.export.indra_json import SOURCE, evidence_json, statement_json

INDRA_TAGS = {
    RIGHT: "correct",
    WRONG: "no_relation",
    WRONG_TYPE: "wrong_relation",
    WRONG_DIRECTION: "wrong_relation",
    NOT_A_PROTEIN: "grounding",
}


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
        wrong = judgement.interaction.proteins if judgement.mention is None else ()
        names = [entity.text for entity in wrong] or [judgement.interaction.proteins[(judgement.mention or 1) - 1].text]
        return f"not a protein: {' or '.join(f'[{name}]' for name in names)}"
    return ""
