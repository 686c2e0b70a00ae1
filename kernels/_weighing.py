"""Sparse rows times weights, with the rows' squared lengths, compiled: several outputs in one pass.

Each output's sum has its terms in the same order, however many outputs there are: scoring with one column of the
weights gives the bits of scoring with all of them.
"""

from __future__ import annotations

import numpy as np

from kernels.compiling import compiled

#: Bits: a column and a count are sorted as one number, of the type of hashes, for which sorting is compiled anyway.
_HALF = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)


@compiled
def weigh(indptr, columns, values, weights):
    """For each row x the products <w, x>, one for each column w of the weights, and <x, x>."""
    n_rows, n_outputs = len(indptr) - 1, weights.shape[1]
    products, squares = np.zeros((n_rows, n_outputs)), np.zeros(n_rows)
    for row in range(n_rows):
        for at in range(indptr[row], indptr[row + 1]):
            value, column = values[at], columns[at]
            squares[row] += value * value
            for output in range(n_outputs):
                products[row, output] += value * weights[column, output]
    return products, squares


@compiled
def weigh_counts(indptr, columns, counts, weights):
    """As :func:`weigh`, of whole counts, which are added up in the order of the columns; a column of -1 has no weight.

    Rows come in the order of their hashes, which differs between processes, and so would the last bits of the sums.
    """
    n_rows, n_outputs = len(indptr) - 1, weights.shape[1]
    products, squares = np.zeros((n_rows, n_outputs)), np.zeros(n_rows)
    longest = 0
    for row in range(n_rows):
        longest = max(longest, indptr[row + 1] - indptr[row])
    packed_columns = np.empty(longest, np.uint64)
    for row in range(n_rows):
        n_packed = 0
        for at in range(indptr[row], indptr[row + 1]):
            squares[row] += counts[at] * counts[at]
            if columns[at] >= 0:
                packed_columns[n_packed] = np.uint64(columns[at]) << _HALF | np.uint64(counts[at])
                n_packed += 1
        for packed in np.sort(packed_columns[:n_packed]):
            column, count = np.int64(packed >> _HALF), np.float64(packed & _LOW)
            for output in range(n_outputs):
                products[row, output] += count * weights[column, output]
    return products, squares
