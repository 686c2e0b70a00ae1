"""A small run that can be judged: a file of interactions, open, on a real server."""

import contextlib
from dataclasses import replace

import annotated
import httpx
from waiting import WAIT_SECONDS
from web_annotator import WebAnnotator
from web_feedback_model import WebFeedbackModel
from web_server import serving

from corpora import Document
from ppi import export
from ppi.annotation import AnnotatedDocument
from ppi.server import Curation, CurationService, FeedbackProcess, Limits, curation_path

HOSTILE = "'; DROP TABLE interaction; -- <img src=x onerror=alert(1)>"
#: A hub with twelve partners, one sentence each: enough to judge ten.
PARTNERS = ("TP53", "MDM2", "ATM", "ATR", "CHEK1", "CHEK2", "BRCA1", "BRCA2", "PALB2", "XRCC2", "XRCC3", "FANCD2")


def hub(*, name="RAD51", partners=PARTNERS):
    """One document per partner: the hub binds it, in sentences of different lengths."""
    for number, partner in enumerate(partners):
        text = f"{name} binds {partner}{' very' * (number % 5)} tightly."
        (sentence,) = annotated.split(f"h{number}.s0", [text], [[name, partner]])
        first, second = (entity.id for entity in sentence.entities)
        how = {"type": "binding", "types": {"binding": 0.7, "modification": 0.1, "regulation": 0.1}}
        found = annotated.interaction(f"h{number}", sentence, first, second, 0.95 - 0.03 * number, **how)
        yield AnnotatedDocument(Document(f"h{number}", (sentence,), orig_id=f"PMID:{1000 + number}"), (found,))


def hostile():
    """SQL and markup as name, document, pair and words."""
    (sentence,) = annotated.split("x.s0", [f"{HOSTILE} binds RAD51."], [[HOSTILE, "RAD51"]])
    first, second = (entity.id for entity in sentence.entities)
    found = annotated.interaction(HOSTILE, sentence, first, second, 0.5, type="binding", types={"binding": 0.5})
    return AnnotatedDocument(Document(HOSTILE, (sentence,)), (replace(found, pair=HOSTILE, sentence_id=HOSTILE),))


def write_run(folder):
    """A file of the hub's interactions, of every type, and a hostile one."""
    path = folder / "found.parquet"
    export.write([*hub(), annotated.typed(), hostile()], path)
    return path


@contextlib.contextmanager
def judged_server(path, *, token=None, relearner=WebFeedbackModel, limits=None, **options):
    """Address and curation of a server of the run, while the block runs."""
    from ppi.server import open_run

    limits = limits or Limits(workers=1)
    run, curation = open_run(path), Curation(curation_path(path))
    learner = None if relearner is None else FeedbackProcess(relearner, limits)
    service = CurationService(run, curation, limits, token=token, learner=learner)
    with serving(WebAnnotator, limits=limits, database=run, curation_service=service, **options) as address:
        if learner is not None:  # started now, so that no test waits for it
            headers = {} if token is None else {"X-Curation-Token": token}
            httpx.post(f"{address}/api/curation/rank", json={"rows": []}, headers=headers, timeout=WAIT_SECONDS)
        yield address, curation
