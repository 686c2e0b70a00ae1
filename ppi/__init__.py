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

``corpora`` reads files, ``kernels`` and ``learners`` are packages of their own.  The subpackages have the rest:
``core``, ``language``, ``grounding``, ``extraction``, ``annotation``, ``network``, ``export``, ``evaluation``,
``parse_ranking`` and ``server``.  Everything is imported when it is first used: ``ppi --help`` does not wait for the
numerical packages.
"""

import warnings
from importlib import import_module
from typing import Any

import lazy_loader

_load, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
#: Subpackages that had another name before version 0.2.
_RENAMED = {"database": "ppi.server", "errors": "ppi.core", "parsing": "ppi.language", "pipeline": "ppi.language"}


def __getattr__(name: str) -> Any:
    if name in __all__:
        return _load(name)
    if name == "__version__":
        from importlib.metadata import version

        return version("ppi-miner")
    if name in _RENAMED:
        warnings.warn(f"ppi.{name} is deprecated; use {_RENAMED[name]}", DeprecationWarning, stacklevel=2)
        return import_module(_RENAMED[name])
    raise AttributeError(f"module 'ppi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", *(name for name in globals() if name.startswith("__"))])
