"""The compiled parts of :mod:`kernels.gram`: X Y^T over columns that are not frequent.

Rows are taken in blocks of sixteen.  Where the rows of a block share a column, its list of entries in Y is
walked once for all of them, and the sums it feeds lie side by side, which the processor adds in one or
two steps.
"""

from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

BLOCK = 16
RARE, MEDIUM, FREQUENT = 0, 1, 2


@intrinsic
def _add_block(typing_context, sums, j, coefficients, d, y):
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


@numba.njit(cache=True)
def column_counts(columns, n_columns):
    """Entries of each column."""
    counts = np.zeros(n_columns, np.int64)
    for c in columns:
        counts[c] += 1
    return counts


@numba.njit(cache=True)
def sharing(indptr, columns, n_columns):
    """How many rows of a block have a column that one of them has, on average; blocks are sampled."""
    seen = np.full(n_columns, -1, np.int64)
    n_blocks = (len(indptr) - 2 + BLOCK) // BLOCK
    step = max(1, n_blocks // 64)
    entries = distinct = 0
    for block in range(0, n_blocks, step):
        for k in range(indptr[block * BLOCK], indptr[min(block * BLOCK + BLOCK, len(indptr) - 1)]):
            entries += 1
            if seen[columns[k]] != block:
                seen[columns[k]] = block
                distinct += 1
    return entries / distinct if distinct else 1.0


@numba.njit(cache=True)
def split(indptr, columns, values, kind, place, dense, list_ends, entries, row_ends, row_places, row_values):
    """Spread the entries of a matrix over its three parts.

    A FREQUENT column goes to the dense array; the others go to lists by column, whose fill so far ``list_ends``
    counts, an entry being its row and its value side by side (rows below 2^53 are exact), so that walking a
    short list costs one visit to memory.  The MEDIUM ones are also kept by row.
    """
    n = 0
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            c = columns[k]
            if kind[c] == FREQUENT:
                dense[i, place[c]] += values[k]
                continue
            at = list_ends[c]
            list_ends[c] += 1
            entries[at, 0], entries[at, 1] = i, values[k]
            if kind[c] == MEDIUM:
                row_places[n], row_values[n] = place[c], values[k]
                n += 1
        row_ends[i + 1] = n


@numba.njit(cache=True)
def add_rare_products(rare, starts_X, entries_X, starts_Y, entries_Y, lower, K):
    """Add the product over the rare columns to K, column by column; if ``lower``, only to entries j <= i."""
    for c in rare:
        for p in range(starts_X[c], starts_X[c + 1]):
            i, x = int(entries_X[p, 0]), entries_X[p, 1]
            for q in range(starts_Y[c], starts_Y[c + 1]):
                j = int(entries_Y[q, 0])
                if lower and j > i:
                    break
                K[i, j] += x * entries_Y[q, 1]


@numba.njit(cache=True)
def add_medium_products(row_ends, row_places, row_values, starts, stops, entries, lower, K):
    """Add the product over the medium columns to K; if ``lower``, only to j before the end of i's block."""
    n_rows, n_others = K.shape
    sums = np.zeros((n_others, BLOCK))
    slot_of, distinct = np.full(len(starts), -1, np.int32), np.empty(len(starts), np.int32)
    coefficients = np.empty((len(starts), BLOCK))
    for start in range(0, n_rows, BLOCK):
        stop = min(start + BLOCK, n_rows)
        end = stop if lower else n_others
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
        for d in range(n_distinct):
            c = distinct[d]
            slot_of[c] = -1
            for q in range(starts[c], stops[c]):
                j = int(entries[q, 0])
                if j >= end:
                    break
                _add_block(sums, j, coefficients, d, entries[q, 1])  # type: ignore[call-arg]
        for i in range(start, stop):
            for j in range(end):
                K[i, j] += sums[j, i - start]
        sums[:end] = 0.0


@numba.njit(cache=True)
def mirror(K):
    """Copy the lower triangle of K to the upper one, by tiles that fit the cache."""
    tile = 64
    n = len(K)
    for a in range(0, n, tile):
        for b in range(0, a + 1, tile):
            for i in range(a, min(a + tile, n)):
                for j in range(b, min(b + tile, i)):
                    K[j, i] = K[i, j]
