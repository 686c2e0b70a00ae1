"""The network of the annotated documents, as a file.

Every interaction that is handed over takes part, whatever its probability: whoever annotated has chosen already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from ppi.annotation.types import AnnotatedDocument
from ppi.network import build_network, formats


def write_graphml(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write GraphML with typed attributes."""
    formats.write_graphml(build_network(annotated, min_probability=0.0), output)


def write_sif(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write ``A pp B`` lines."""
    formats.write_sif(build_network(annotated, min_probability=0.0), output)
