"""The two forms of compiled functions, one at a time, whatever the amount of work."""

from contextlib import contextmanager

from kernels import compiling

FORMS = (False, True)


@contextmanager
def running(*, compiled):
    """A process that has done nothing yet, and never switches."""
    before, compiling._SWITCH = compiling._SWITCH, compiling._Switch()
    compiling._SWITCH.compiled, compiling._SWITCH.steps = compiled, -(10**18)
    try:
        yield
    finally:
        compiling._SWITCH = before


@contextmanager
def fresh():
    """A process that has done nothing yet."""
    before, compiling._SWITCH = compiling._SWITCH, compiling._Switch()
    try:
        yield compiling._SWITCH
    finally:
        compiling._SWITCH = before
