"""One benchmark row."""

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Figure:
    """A measured ratio or rate, the bar it has to clear and whether both sides gave the same answer."""

    name: str
    value: float
    better: Literal["higher", "lower"]
    bar: float
    aim: float
    same_answer: bool
    seconds: float
    reference_seconds: float
    #: behind the value where it is read: "x" of a ratio of times; its name says what another value is
    unit: str = ""

    @property
    def passed(self) -> bool:
        """Whether the bar is cleared by a run that gave the same answer."""
        clears = self.value >= self.bar if self.better == "higher" else self.value <= self.bar
        return clears and self.same_answer

    def to_dict(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        values = asdict(self)
        del values["unit"]
        return values


def speedup(
    name: str, *, seconds: float, reference_seconds: float, bar: float, aim: float, same_answer: bool
) -> Figure:
    """How many times faster than the reference we are (higher is better)."""
    ratio = reference_seconds / seconds
    return Figure(name, ratio, "higher", bar, aim, bool(same_answer), seconds, reference_seconds, "x")


def relative_cost(
    name: str, *, seconds: float, reference_seconds: float, bar: float, aim: float, same_answer: bool
) -> Figure:
    """How many times the reference's cost we need (lower is better)."""
    ratio = seconds / reference_seconds
    return Figure(name, ratio, "lower", bar, aim, bool(same_answer), seconds, reference_seconds, "x")
