"""What an experiment found: tables beside the published ones, checks, and the points of its plots; all plain JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from corpora import atomic_output
from ppi.core import ReportError

#: significant digits that are kept on disk: enough for any table, and small files
DIGITS = 7
_LEFT_OUT_IF_EMPTY = ("options", "unfinished")


@dataclass(frozen=True)
class Table:
    """Figures by row and column, each beside the published one where there is one.

    ``ours`` and ``published`` hold one list per row; a cell may be a number, a text or None (not measured, not
    published).  A number that is further than ``margin`` from the published one is a deviation; ``only_below=True``
    says that exceeding the published figure is no deviation (higher is better), ``only_above=True`` the opposite.
    """

    title: str
    rows: list[str]
    columns: list[str]
    ours: list[list[Any]]
    published: list[list[Any]] | None = None
    margin: float | None = None
    only_below: bool = False
    only_above: bool = False
    digits: int = 4
    corner: str = ""

    def deviates(self, row: int, column: int) -> bool:
        """Whether the cell is further from the published figure than the margin allows."""
        theirs = self.theirs(row, column)
        ours = self.ours[row][column]
        if self.margin is None or not isinstance(theirs, int | float) or not isinstance(ours, int | float):
            return False
        difference = round(ours - theirs, 9)  # a difference of exactly the margin is within it
        if self.only_below:
            return difference < -self.margin
        if self.only_above:
            return difference > self.margin
        return abs(difference) > self.margin

    def theirs(self, row: int, column: int) -> Any:
        """The published cell, or None."""
        return None if self.published is None else self.published[row][column]

    def deviations(self) -> list[str]:
        """``row, column: ours, published`` of every cell beyond the margin."""
        return [
            f"{row}, {column}: {self.ours[i][j]:.{self.digits}f}, published {self.theirs(i, j):.{self.digits}f}"
            for i, row in enumerate(self.rows)
            for j, column in enumerate(self.columns)
            if self.deviates(i, j)
        ]


@dataclass(frozen=True)
class Check:
    """A statement with one number: ``value`` has to be at least, or at most, ``bar``; or to equal it."""

    statement: str
    value: float
    bar: float
    sense: Literal["at least", "at most", "exactly"] = "at least"
    digits: int = 2

    @property
    def holds(self) -> bool:
        """Whether the statement is true."""
        if self.sense == "at least":
            return self.value >= self.bar
        return self.value <= self.bar if self.sense == "at most" else self.value == self.bar


@dataclass(frozen=True)
class Result:
    """The outcome of one run.

    ``seconds`` is wall-clock time, ``cpu_seconds`` what other work of the machine does not change; ``points`` is
    whatever the experiment's plots need, as JSON values; ``options`` what the experiment was run with, if it has any;
    ``unfinished`` names what is left for another run.
    """

    experiment: str
    seed: int
    tiny: bool
    seconds: float
    tables: list[Table]
    checks: list[Check] = field(default_factory=list)
    points: dict[str, Any] = field(default_factory=dict)
    cpu_seconds: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)

    @property
    def time_taken(self) -> str:
        """How long it took, in words."""
        return f"{self.seconds:.0f} seconds" if self.cpu_seconds is None else f"{self.cpu_seconds:.0f} CPU seconds"

    @property
    def deviations(self) -> list[str]:
        """Everything that the page has to explain."""
        cells = [f"{table.title}: {text}" for table in self.tables for text in table.deviations()]
        return cells + [check.statement for check in self.checks if not check.holds]

    def to_json(self) -> str:
        """The result as text that gives the same result back; numbers are rounded to ``DIGITS`` digits."""
        values = {name: value for name, value in asdict(self).items() if value or name not in _LEFT_OUT_IF_EMPTY}
        return json.dumps(_rounded(values), indent=1) + "\n"


def from_json(text: str, *, path: Path) -> Result:
    """Read what :meth:`Result.to_json` wrote."""
    try:
        content = json.loads(text)
        tables = [Table(**table) for table in content.pop("tables")]
        checks = [Check(**check) for check in content.pop("checks")]
        return Result(tables=tables, checks=checks, **content)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ReportError(
            f"expected a result as scripts/reproduce writes it, got: {error} ({path}); run the experiment again"
        ) from None


def save(result: Result, folder: Path) -> Path:
    """Write ``folder/EXPERIMENT.json``, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result.experiment}.json"
    with atomic_output(path) as output:
        output.write(result.to_json().encode("utf-8"))
    return path


def load(path: Path) -> Result:
    """Read one result."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ReportError(f"expected a result file, got: {error.strerror} ({path}); run the experiment first") from None
    return from_json(text, path=path)


def fold_rows(folds: Sequence[int]) -> list[str]:
    """Names of the rows of a table fold by fold, with their mean in the last."""
    return [*(f"fold {number}" for number in folds), "mean"]


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
