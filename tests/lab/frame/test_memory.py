"""The largest size of a process."""

import numpy as np
from lab.frame.memory import peak_megabytes


def test_memory_that_was_used_once_counts():
    before = peak_megabytes()
    used = np.ones(40_000_000)
    assert used.sum() == 40_000_000
    del used
    assert peak_megabytes() > before + 100 or before > 320
