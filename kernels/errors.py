"""The exceptions of this package, one small tree.

Every message says what was expected, what came, where, and what to try.
"""

from __future__ import annotations


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


class StateError(KernelError):
    """A state that no fitted feature map gave: ``field`` is not what it has to be."""

    def __init__(self, field: str, expected: str, got: str) -> None:
        super().__init__(field, expected, got)
        self.field = field
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"expected {self.field} to be {self.expected}, got {self.got}"

    def within(self, part: str) -> StateError:
        """The same about a part of a combination: the field is called ``part.field``."""
        return StateError(f"{part}.{self.field}", self.expected, self.got)


class FeatureMapError(KernelError):
    """A feature map that lacks something that is asked of it."""
