from .aggregation import EdgeKey, build_network, check_limits, edge_key
from .combining import ERROR_FILE, combine_papers, noisy_or_probability, systematic_error
from .drawing import TYPE_DASHES, draw
from .graph import EDGE_COLUMNS, Edge, Network, Protein, edge_values

__all__ = [
    "EDGE_COLUMNS",
    "ERROR_FILE",
    "TYPE_DASHES",
    "Edge",
    "EdgeKey",
    "Network",
    "Protein",
    "build_network",
    "check_limits",
    "combine_papers",
    "draw",
    "edge_key",
    "edge_values",
    "noisy_or_probability",
    "systematic_error",
]
