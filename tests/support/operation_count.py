"""Work counted, not timed: the bytecode instructions that a call executes in files of the project."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def operations(function, *arguments, **options):
    """How many instructions of the project's own code the call executes; what C code does is not counted."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        if not frame.f_code.co_filename.startswith(str(ROOT)):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            count += 1
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 counts instructions only if somebody has asked before
    sys.settrace(trace)
    try:
        function(*arguments, **options)
    finally:
        sys.settrace(before)
    assert count, "nothing of the project was called"
    return count


def growth(work, sizes):
    """The exponent of the work between the smallest and the largest size: 1 is linear, 2 quadratic.

    ``work(n)`` gives a function without arguments, made before counting.
    """
    from math import log

    counts = {n: operations(work(n)) for n in (min(sizes), max(sizes))}
    return log(counts[max(sizes)] / counts[min(sizes)]) / log(max(sizes) / min(sizes))
