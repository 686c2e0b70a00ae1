"""The best projective tree equals the best of all of them, tried one by one."""

from itertools import product

import numpy as np
import pytest
from lab.training.pipeline.projective import best_projective_heads
from lab.training.pipeline.teacher import is_tree


def is_projective(heads: list[int]) -> bool:
    """Whether no two arcs cross; heads count from 0, -1 is the root, which is beside the sentence."""
    arcs = [(min(token, head), max(token, head)) for token, head in enumerate(heads) if head >= 0]
    root = heads.index(-1)
    covered = any(a < root < b for a, b in arcs)
    return not covered and not any(a < c < b < d for a, b in arcs for c, d in arcs)


def best_of_all(scores: np.ndarray) -> list[int]:
    n = len(scores)
    trees = [list(heads) for heads in product(range(-1, n), repeat=n) if is_tree(heads) and is_projective(list(heads))]
    return max(trees, key=lambda heads: sum(scores[token, 1 + head] for token, head in enumerate(heads)))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_best_projective_tree_equals_trying_all(n):
    for seed in range(20):
        scores = np.random.default_rng(seed).normal(size=(n, n + 1))
        assert (best_projective_heads(scores) - 1).tolist() == best_of_all(scores)
