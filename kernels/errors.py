"""The exceptions of this package, one small tree.

Every message says what was expected, what came, where, and what to try.
"""


class KernelError(ValueError):
    """Root of what this package raises about its input."""


class GraphError(KernelError):
    """A sentence or graph that no candidate graph or feature can be made from."""


class ParameterError(KernelError):
    """A parameter outside the values its documentation allows."""


class DivergenceError(KernelError):
    """The sum over all walks does not converge: the spectral radius of a graph is 1 or more."""


class ShapeError(KernelError):
    """Arrays whose shapes or values do not fit together."""
