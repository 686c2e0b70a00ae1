"""The network of the annotated documents, as a file.

Every interaction that is handed over takes part, whatever its probability and also if it is only supposed: whoever
annotated has chosen already.  What a sentence denies supports no edge.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from ppi.annotation.types import AnnotatedDocument
from ppi.export.network_files import write_network_graphml, write_network_sif
from ppi.network import build_network


def write_annotated_graphml(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write GraphML with typed attributes."""
    write_network_graphml(build_network(annotated, min_probability=0.0, include_hedged=True), output)


def write_annotated_sif(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write lines of two names and the relation between them."""
    write_network_sif(build_network(annotated, min_probability=0.0, include_hedged=True), output)
