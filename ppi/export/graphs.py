"""The network of the annotated documents, as a file.

Every interaction that is handed over takes part, whatever its probability: whoever annotated has chosen already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from ppi.annotation.types import AnnotatedDocument
from ppi.export import network_files
from ppi.network import build_network


def write_graphml(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write GraphML with typed attributes."""
    network_files.write_graphml(build_network(annotated, min_probability=0.0), output)


def write_sif(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write ``A pp B`` lines."""
    network_files.write_sif(build_network(annotated, min_probability=0.0), output)
