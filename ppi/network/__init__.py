"""Mentions merged into protein pairs: networks with counts, combined probabilities and the best evidence."""

from ppi.network.aggregation import Edge, Network, Protein, build_network
from ppi.network.drawing import draw
from ppi.network.formats import NETWORK_FORMATS, write_network

__all__ = ["NETWORK_FORMATS", "Edge", "Network", "Protein", "build_network", "draw", "write_network"]
