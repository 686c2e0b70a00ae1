"""Mentions merged into protein pairs: networks with counts, combined probabilities and the best evidence."""

from ppi.network.aggregation import Edge, Network, Protein, build_network
from ppi.network.drawing import draw

__all__ = ["Edge", "Network", "Protein", "build_network", "draw"]
