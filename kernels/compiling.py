"""Functions that Python runs as they stand while there is little to do, and numba compiles once there is much.

Compiling takes 20 seconds, loading what was compiled before takes a second: more than a few texts are worth.  So
callers say how much work is ahead (:func:`expect`), and both are put off until that much has been done without.  Python
and numba run the same text on the same numbers, operation by operation: the results have the same bits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property, update_wrapper
from pathlib import Path
from typing import Any

import numpy as np

from kernels.cache_folder import use_temporary_folder

#: Steps (turns of an inner loop, about half a microsecond of Python each) after which compiled code is loaded, if there
#: is some from an earlier process, and after which it is made: about as long as loading takes, and half of compiling.
MIN_STEPS_TO_LOAD, MIN_STEPS_TO_COMPILE = 2_000_000, 20_000_000

log = logging.getLogger("kernels")


class _Switch:
    """Whether compiled code is used, and how much work there was so far."""

    def __init__(self) -> None:
        self.compiled = self.looked = False
        self.steps = 0
        self.run_plainly: set[Compiled] = set()


_SWITCH = _Switch()


def expect(steps: int) -> None:
    """Say that about so many steps are ahead.

    >>> from kernels.compiling import expect
    >>> expect(3)  # not worth anything: what follows is run by Python
    """
    _SWITCH.steps += steps
    if _SWITCH.compiled or _SWITCH.steps < MIN_STEPS_TO_LOAD:
        return
    if _SWITCH.run_plainly and not _SWITCH.looked:
        _SWITCH.looked = True
        _SWITCH.compiled = all(function.is_cached() for function in _SWITCH.run_plainly)
    if _SWITCH.steps >= MIN_STEPS_TO_COMPILE:
        use_compiled_code()


def use_compiled_code() -> None:
    """From here on: for processes that start in order to do much."""
    _SWITCH.compiled = True


def uses_compiled_code() -> bool:
    """Whether it is compiled code that runs."""
    return _SWITCH.compiled


class Compiled:
    """A function in both forms.  To numba it looks like one of its own, so that compiled functions can call it."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.targetoptions = options

    def __call__(self, *arguments: Any) -> Any:
        """The function of these arguments, by whichever form is in use."""
        if _SWITCH.compiled:
            return self.dispatcher(*arguments)
        _SWITCH.run_plainly.add(self)
        with np.errstate(over="ignore"):  # hashes are meant to overflow
            return self.py_func(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """What numba makes of the function."""
        import numba

        _warn_when_compiling()
        try:
            return numba.njit(cache=True, **self.targetoptions)(self.py_func)
        except RuntimeError as error:
            if "cannot cache" not in str(error):
                raise
        if use_temporary_folder():
            return numba.njit(cache=True, **self.targetoptions)(self.py_func)
        return numba.njit(**self.targetoptions)(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    def is_cached(self) -> bool:
        """Whether an earlier process left compiled code of it."""
        folder = self.dispatcher.stats.cache_path
        return folder is not None and any(Path(folder).glob(f"*.{self.py_func.__qualname__}-*.nbi"))


class Inlined(Compiled):
    """A small function that numba copies into those that call it; Python, too, comes from there."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, inline="always")

    def __call__(self, *arguments: Any) -> Any:
        """The function of these arguments, by Python."""
        return self.py_func(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """Of no use but to tell numba its type: what is copied is not kept by itself."""
        import numba

        return numba.njit(**self.targetoptions)(self.py_func)


class AlwaysCompiled(Compiled):
    """A function that Python cannot run as it stands, or that there is always much to do for."""

    def __call__(self, *arguments: Any) -> Any:
        """The function of these arguments, by numba."""
        return self.dispatcher(*arguments)


compiled, inlined, always_compiled = Compiled, Inlined, AlwaysCompiled


def _warn_when_compiling() -> None:
    """Log a warning with the first function that is compiled, not loaded: 20 seconds are long."""
    from numba.core import event

    class CompileListener(event.Listener):
        has_warned = False

        def on_start(self, started: Any) -> None:
            if not self.has_warned and started.data["dispatcher"].py_func.__module__.startswith("kernels."):
                type(self).has_warned = True
                log.warning("compiling what large amounts of text need, once: about 20 seconds")

        def on_end(self, ended: Any) -> None:
            pass

    if not _LISTENERS:
        _LISTENERS.append(CompileListener())
        register: Callable[[str, Any], None] = event.register
        register("numba:compile", _LISTENERS[0])


_LISTENERS: list[Any] = []
