"""Finds which proteins a biomedical text says interact, how, and who acts, and shows why.

The lines that matter:

>>> import ppi
>>> annotator = ppi.Annotator()  # parser and model ship with the package; make one and keep it
>>> [found] = annotator.annotate("STAT5 is phosphorylated by JAK2.")
>>> found
<Interaction: JAK2 -> STAT5, phosphorylation, 1.00>
>>> found.names, found.evidence.path
(('STAT5', 'JAK2'), 'phosphorylated -nsubjpass-> STAT5, phosphorylated -agent-> JAK2')
>>> document = annotator.annotate_document("Profilin binds actin. Bad binds Bcl-XL but not Bax.")
>>> network = ppi.build_network([document])  # network.to_networkx(), network.to_frame()
>>> frame = ppi.to_frame([found])  # a frame of pandas; document.to_frame() too
>>> nlp = ppi.load_pipeline()  # the shipped spaCy pipeline, with protein names
>>> component = nlp.add_pipe("ppi_interactions")  # doc._.interactions; works in any pipeline with a parser

========================================================  ====================================================
``Annotator``                                             text in, interactions with evidence out
``Interaction``, ``Evidence``, ``AnnotatedDocument``      what it gives; notebooks show them as text and drawings
``build_network``, ``Network``                            interactions of many texts as a network of proteins
``to_frame``, ``to_doc``, ``write``                       to pandas, to spaCy, to files
``open_run``                                              the folder of a long run, searched
``parse``, ``load_pipeline``                              the parser and name finder alone
``Extractor``, ``ScoredPair``                             train and score models of one's own
``ParseRanker``                                           candidate parses in a learned order
========================================================  ====================================================

``corpora`` reads files, ``kernels`` and ``learners`` are packages of their own.  The rooms (``ppi.annotation``,
``ppi.export``, ``ppi.network`` and so on) have the rest.  Everything is imported when it is first used, so that
``ppi --help`` does not wait for the numerical packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppi.annotation import AnnotatedDocument, Annotator, Evidence, Interaction, to_frame
    from ppi.annotation.in_spacy import load_pipeline, to_doc
    from ppi.database import open_run
    from ppi.export import write
    from ppi.extraction import Extractor, ScoredPair
    from ppi.network import Network, build_network
    from ppi.parse_ranking import ParseRanker
    from ppi.parsing import parse

    __version__: str

_HOMES = {
    "AnnotatedDocument": "ppi.annotation",
    "Annotator": "ppi.annotation",
    "Evidence": "ppi.annotation",
    "Extractor": "ppi.extraction",
    "Interaction": "ppi.annotation",
    "Network": "ppi.network",
    "ParseRanker": "ppi.parse_ranking",
    "ScoredPair": "ppi.extraction",
    "build_network": "ppi.network",
    "load_pipeline": "ppi.annotation.in_spacy",
    "open_run": "ppi.database",
    "parse": "ppi.parsing",
    "to_doc": "ppi.annotation.in_spacy",
    "to_frame": "ppi.annotation",
    "write": "ppi.export",
}
#: Rooms that people import from; the others are the application's own.
_PUBLIC_PACKAGES = (
    "annotation",
    "database",
    "errors",
    "evaluation",
    "export",
    "extraction",
    "grounding",
    "network",
    "parse_ranking",
    "parsing",
    "pipeline",
)

__all__ = [
    "AnnotatedDocument",
    "Annotator",
    "Evidence",
    "Extractor",
    "Interaction",
    "Network",
    "ParseRanker",
    "ScoredPair",
    "build_network",
    "load_pipeline",
    "open_run",
    "parse",
    "to_doc",
    "to_frame",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _PUBLIC_PACKAGES:
        return import_module(f"ppi.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("ppi-miner")
    raise AttributeError(f"module 'ppi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PUBLIC_PACKAGES, "__version__", *(name for name in globals() if name.startswith("__"))])
