"""The compiled parts of :mod:`kernels.gram`: X Y^T over columns that are not frequent.

Rows are taken in blocks of sixteen.  Where the rows of a block share a column, its list of entries in Y is
walked once for all of them, and the sums it feeds lie side by side, which the processor adds in one or
two steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from kernels.compiling import always_compiled

BLOCK = 16
RARE, MEDIUM, FREQUENT = 0, 1, 2
_TILE = 64  # rows and columns mirrored at a time


class Csr(NamedTuple):
    """A sparse matrix by rows."""

    indptr: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]


class Parts(NamedTuple):
    """A matrix by kinds of columns.

    ``dense`` holds the FREQUENT columns.  The others are lists: that of column c is
    ``entries[starts[c]:starts[c + 1]]``, an entry being its row and its value side by side (rows below 2^53 are
    exact), so that walking a short list costs one visit to memory.  The MEDIUM ones are also kept by row: those of row
    i end at ``row_ends[i + 1]``, each with its place among the medium columns and its value.
    """

    dense: NDArray[np.float64]
    starts: NDArray[np.int64]
    entries: NDArray[np.float64]
    row_ends: NDArray[np.int64]
    row_places: NDArray[np.int32]
    row_values: NDArray[np.float64]


@intrinsic
def _add_block(typing_context, sums, j, coefficients, d, y):  # noqa: ARG001 - the signature of an intrinsic
    """sums[j] += coefficients[d] * y for rows of BLOCK numbers, as one vector operation.

    Numba leaves a row of scalar statements scalar, so the vectors are spelled out.
    """

    def generate(context, builder, signature, arguments):
        vector = ir.VectorType(ir.DoubleType(), BLOCK)

        def pointer_to_row(which, row):
            array = context.make_array(signature.args[which])(context, builder, arguments[which])
            start = builder.gep(array.data, [builder.mul(row, row.type(BLOCK))])
            return builder.bitcast(start, vector.as_pointer())

        target, source = pointer_to_row(0, arguments[1]), pointer_to_row(2, arguments[3])
        factor = ir.Constant(vector, ir.Undefined)
        for lane in range(BLOCK):
            factor = builder.insert_element(factor, arguments[4], ir.IntType(32)(lane))
        product = builder.fmul(builder.load(source, align=8), factor)
        builder.store(builder.fadd(builder.load(target, align=8), product), target, align=8)
        return context.get_dummy_value()

    return types.void(sums, types.intp, coefficients, types.intp, types.float64), generate


@always_compiled
def column_counts(columns, n_columns):
    """Entries of each column."""
    counts = np.zeros(n_columns, np.int64)
    for c in columns:
        counts[c] += 1
    return counts


@always_compiled
def mean_column_sharing(indptr, columns, n_columns):
    """How many rows of a block have a column that one of them has, on average; blocks are sampled."""
    # entries / distinct columns: by how much walking a list once per block is cheaper than once per row
    seen = np.full(n_columns, -1, np.int64)
    n_blocks = (len(indptr) - 2 + BLOCK) // BLOCK  # of len(indptr) - 1 rows, rounded up
    step = max(1, n_blocks // 64)
    entries = distinct = 0
    for block in range(0, n_blocks, step):
        for k in range(indptr[block * BLOCK], indptr[min(block * BLOCK + BLOCK, len(indptr) - 1)]):
            entries += 1
            if seen[columns[k]] != block:
                seen[columns[k]] = block
                distinct += 1
    return entries / distinct if distinct else 1.0


@always_compiled
def split_columns(matrix, kind, column_index, parts):
    """Spread the entries of a matrix over ``parts``; ``column_index`` numbers the columns of each kind."""
    columns, values, entries = matrix.columns, matrix.values, parts.entries
    list_ends = parts.starts[:-1].copy()  # how far each list is filled
    n = 0  # entries of medium columns so far; rows are gone through in order, so that every list ascends by row
    for i in range(len(matrix.indptr) - 1):
        for k in range(matrix.indptr[i], matrix.indptr[i + 1]):
            c = columns[k]
            if kind[c] == FREQUENT:
                parts.dense[i, column_index[c]] += values[k]
                continue
            at = list_ends[c]
            list_ends[c] += 1
            entries[at, 0], entries[at, 1] = i, values[k]
            if kind[c] == MEDIUM:
                parts.row_places[n], parts.row_values[n] = column_index[c], values[k]
                n += 1
        parts.row_ends[i + 1] = n


@always_compiled
def add_rare_products(rare, of_X, of_Y, lower, K):
    """Add the product over the rare columns to K, column by column; if ``lower``, only to entries j <= i."""
    # K = sum over columns c of x_c y_c^T: of each column the outer product of its two short lists
    entries_X, entries_Y = of_X.entries, of_Y.entries
    for c in rare:
        for p in range(of_X.starts[c], of_X.starts[c + 1]):
            i, x = int(entries_X[p, 0]), entries_X[p, 1]
            for q in range(of_Y.starts[c], of_Y.starts[c + 1]):
                j = int(entries_Y[q, 0])
                if lower and j > i:  # rows ascend in a list
                    break
                K[i, j] += x * entries_Y[q, 1]


@always_compiled
def add_medium_products(medium, of_X, of_Y, lower, K):
    """Add the product over the medium columns to K; if ``lower``, only to j before the end of i's block."""
    n_rows, n_others = K.shape
    row_ends, row_places, row_values = of_X.row_ends, of_X.row_places, of_X.row_values
    starts, entries = of_Y.starts, of_Y.entries
    # sums[j, i - start] is what row i of the block has with row j of Y
    sums = np.zeros((n_others, BLOCK))
    # the distinct columns of the block have slots, and coefficients[slot] the block's values in that column
    slot_of, distinct = np.full(len(medium), -1, np.int32), np.empty(len(medium), np.int32)
    coefficients = np.empty((len(medium), BLOCK))
    for start in range(0, n_rows, BLOCK):
        stop = min(start + BLOCK, n_rows)
        end = stop if lower else n_others
        # 1. the block's rows as columns: coefficients[slot, i - start] = X[i, c]
        n_distinct = 0
        for i in range(start, stop):
            for k in range(row_ends[i], row_ends[i + 1]):
                c = row_places[k]
                if slot_of[c] < 0:
                    slot_of[c] = n_distinct
                    distinct[n_distinct] = c
                    coefficients[n_distinct, :] = 0.0
                    n_distinct += 1
                coefficients[slot_of[c], i - start] += row_values[k]
        # 2. sums[j] += X[block, c] Y[j, c] for every entry of column c in Y, all rows of the block in one step
        for d in range(n_distinct):
            c = distinct[d]
            slot_of[c] = -1
            for q in range(starts[medium[c]], starts[medium[c] + 1]):
                j = int(entries[q, 0])
                if j >= end:
                    break
                _add_block(sums, j, coefficients, d, entries[q, 1])  # type: ignore[call-arg]
        # 3. into K, transposed; in the triangular case entries j > i of the block are written too, and mirrored away
        for i in range(start, stop):
            for j in range(end):
                K[i, j] += sums[j, i - start]
        sums[:end] = 0.0


@always_compiled
def mirror(K):
    """Copy the lower triangle of K to the upper one, by tiles that fit the cache."""
    n = len(K)
    for a in range(0, n, _TILE):
        for b in range(0, a + 1, _TILE):
            for i in range(a, min(a + _TILE, n)):
                for j in range(b, min(b + _TILE, i)):
                    K[j, i] = K[i, j]
