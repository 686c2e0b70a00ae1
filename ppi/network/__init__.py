"""Mentions merged into protein pairs: networks with counts, combined probabilities and the best evidence."""

from ppi.network.aggregation import build_network
from ppi.network.drawing import draw
from ppi.network.types import Edge, Network, Protein

__all__ = ["Edge", "Network", "Protein", "build_network", "draw"]
