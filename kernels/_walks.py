"""Label pairs of the walks of bounded length in many graphs, compiled."""

from __future__ import annotations

import numpy as np

from kernels.compiling import compiled


@compiled
def walk_sums(n_vertices, sources, targets, weights, length_weights):
    """sum over i of length_weights[i - 1] A^i, by O(vertices * edges) per length."""
    total = np.zeros((n_vertices, n_vertices))
    power = np.eye(n_vertices)
    for factor in length_weights:  # power is A^(i - 1) before, A^i after
        longer = np.zeros((n_vertices, n_vertices))
        for e in range(len(sources)):
            for k in range(n_vertices):
                longer[k, targets[e]] += power[k, sources[e]] * weights[e]
        power = longer
        total += factor * power
    return total


@compiled
def label_pair_sums(W, label_offsets, labels):
    """Keys ``source << 32 | target`` of the label pairs that W joins, and the sums L W L^T."""
    sums = {np.uint64(0): 0.0}  # so typed, and empty
    sums.clear()
    for k in range(len(W)):
        for j in range(len(W)):
            if W[k, j] == 0.0:
                continue
            for a in range(label_offsets[k], label_offsets[k + 1]):
                for b in range(label_offsets[j], label_offsets[j + 1]):
                    if labels[a] >= 0 and labels[b] >= 0:
                        key = (np.uint64(labels[a]) << np.uint64(32)) | np.uint64(labels[b])
                        sums[key] = sums.get(key, 0.0) + W[k, j]
    keys, values = np.empty(len(sums), np.uint64), np.empty(len(sums))
    for n, key in enumerate(sums):
        keys[n], values[n] = key, sums[key]
    return keys, values
