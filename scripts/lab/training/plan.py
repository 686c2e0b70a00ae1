"""The order in which models are made, and which of them are there already."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.frame.cache import Cache, Part
from ppi.core import RunError, UsageError


@dataclass(frozen=True)
class Step:
    """One thing to make.

    Parameters
    ----------
    name
        What ``--only`` calls it.
    outputs
        Files and folders that it writes.
    make
        Does the work; returns an exit code.
    needs
        Steps whose outputs it uses: if one of those changes, it is made again.
    inputs
        What else it depends on, as in :class:`~lab.frame.cache.Part`.
    quick
        Whether it is done every time, as it takes no time to speak of.
    """

    name: str
    outputs: Sequence[Path]
    make: Callable[[], int]
    needs: Sequence[str] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)
    quick: bool = False


def carry_out(
    steps: Sequence[Step], *, cache: Cache, only: Collection[str] = (), say: Callable[[str], None]
) -> list[str]:
    """Make what is not there yet, in the order given, and say what is skipped; returns the names of what was made.

    A step is done if it was finished with the same inputs and its outputs are still there.  With ``only`` other steps
    are left alone, finished or not; what a step needs has to be there.

    Raises
    ------
    UsageError
        If ``only`` names something else, or a step that is needed has not been made.
    RunError
        If a step fails; those before it stay finished.
    """
    by_name = {step.name: step for step in steps}
    unknown = [name for name in only if name not in by_name]
    if unknown:
        raise UsageError(f"expected --only to name some of {', '.join(by_name)}, got {', '.join(unknown)}")
    made = []
    for step in steps:
        if only and step.name not in only:
            say(f"{step.name}: skipped, not asked for")
            continue
        for needed in (by_name[name] for name in step.needs):
            missing = [path for path in needed.outputs if not path.exists()]
            if missing:
                raise UsageError(f"expected {needed.name} for {step.name}, got no {missing[0]}; make it first")
        part = _part(step, by_name)
        if not step.quick and cache.holds(part) and all(path.exists() for path in step.outputs):
            say(f"{step.name}: skipped, it is there ({', '.join(str(path) for path in step.outputs)})")
            continue
        say(f"{step.name}: making {', '.join(str(path) for path in step.outputs)}")
        cache.forget(part)
        cache.json(part)
        made.append(step.name)
    return made


def _part(step: Step, by_name: Mapping[str, Step]) -> Part:
    needed = {name: list(by_name[name].outputs) for name in step.needs}
    return Part(f"step {step.name}", {**step.inputs, "needs": needed}, lambda: _made(step))


def _made(step: Step) -> dict[str, Any]:
    code = step.make()
    missing = [str(path) for path in step.outputs if not path.exists()]
    if code or missing:
        raise RunError(f"expected {step.name} to be made, got exit code {code} and no {missing}; see above")
    return {"outputs": [str(path) for path in step.outputs]}
