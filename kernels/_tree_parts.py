"""The parts of a dependency tree, each as one hashed column: compiled.

A part is an arc with what stands around it, or some arcs that share a token.  Its column is a hash of the number of its
template and of the codes of what it consists of; the templates are in :mod:`kernels.tree_parts`.  The score of a tree
is the sum of the weights of its parts, <w, x> with x the number of times that each column occurs: no x is ever formed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compiling import compiled

#: What stands for a token beyond the ends of the sentence, and for the head of a root.
OUTSIDE, ROOT = np.uint64(3), np.uint64(5)
#: Kinds of tokens that are counted between the two ends of an arc.
COMMA, VERB, CONJUNCTION, OPENING, CLOSING = 1, 2, 4, 8, 16
#: No token gives rise to more parts than this.
MAX_PARTS_PER_TOKEN = 96

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_MAX_BETWEEN_TOKENS = 16  # tokens at either end of what lies between that are looked at


class TokenCodes(NamedTuple):
    """The tokens of a sentence as numbers, all uint64 but ``kinds`` (uint8, the sum of those above)."""

    words: NDArray[np.uint64]
    tags: NDArray[np.uint64]
    coarse: NDArray[np.uint64]
    clusters: NDArray[np.uint64]
    endings: NDArray[np.uint64]
    kinds: NDArray[np.uint8]


class LabelCodes(NamedTuple):
    """Codes of the labels that are treated in a way of their own."""

    punctuation: np.uint64
    conjunct: np.uint64
    preposition: np.uint64


@compiled
def mix(code: np.uint64, value: np.uint64) -> np.uint64:
    """One more value into a hash."""
    # xor and an odd multiplier are invertible modulo 2^64: different values stay different, given the code before
    code = (code ^ value) * _MULTIPLIER
    return code ^ (code >> _SHIFT)


@compiled
def mix2(template: int, a: np.uint64, b: np.uint64) -> np.uint64:
    """A template with two values."""
    return mix(mix(np.uint64(template), a), b)


@compiled
def mix3(template: int, a: np.uint64, b: np.uint64, c: np.uint64) -> np.uint64:
    """A template with three values."""
    return mix(mix2(template, a, b), c)


@compiled
def mix4(template: int, a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> np.uint64:
    """A template with four values."""
    return mix(mix3(template, a, b, c), d)


@compiled
def mix5(template: int, a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, e: np.uint64) -> np.uint64:
    """A template with five values."""
    return mix(mix4(template, a, b, c, d), e)


@compiled
def bin_distance(distance: int) -> np.uint64:
    """1, 2, 3, 4, then 5 to 6, 7 to 9, 10 to 14, 15 to 24, and more."""
    if distance <= 4:
        return np.uint64(distance)
    if distance <= 6:
        return np.uint64(5)
    if distance <= 9:
        return np.uint64(6)
    if distance <= 14:
        return np.uint64(7)
    return np.uint64(8) if distance <= 24 else np.uint64(9)


@compiled
def code_at(codes: NDArray[np.uint64], position: int) -> np.uint64:
    """The code of a token, or of what lies outside."""
    return codes[position] if 0 <= position < len(codes) else OUTSIDE


@compiled
def clip_count(count: int, maximum: int) -> np.uint64:
    """A count, all larger ones alike."""
    return np.uint64(min(count, maximum))


@compiled
def spans_of(heads: NDArray[np.int16], left: NDArray[np.int16], right: NDArray[np.int16]) -> None:
    """The first and last token below each token, itself included; O(tokens x depth)."""
    # left[h] = min and right[h] = max over the subtree of h: every token reports itself to all tokens above it
    for token in range(len(heads)):
        left[token] = right[token] = token
    for token in range(len(heads)):
        above = heads[token]
        steps = 0
        while above >= 0 and steps < len(heads):  # a cycle would not end
            left[above] = min(left[above], token)
            right[above] = max(right[above], token)
            above = heads[above]
            steps += 1


@compiled
def arc_parts(tokens: TokenCodes, head: int, token: int, label: np.uint64, out: NDArray[np.uint64], count: int) -> int:
    """Parts of one arc by itself, templates 1 to 24; returns the new count."""
    tags, words = tokens.tags, tokens.words
    tm, wm, cm = tags[token], words[token], tokens.clusters[token]
    th = tags[head] if head >= 0 else ROOT
    wh = words[head] if head >= 0 else ROOT
    ch = tokens.clusters[head] if head >= 0 else ROOT
    left, right = (head, token) if head < token else (token, head)
    way = np.uint64(1) if head < token else np.uint64(2)
    scale = bin_distance(right - left) if head >= 0 else np.uint64(0)
    arc = mix(label, way)  # the label with its direction
    out[count] = mix2(1, arc, scale)
    out[count + 1] = mix3(2, arc, th, tm)
    out[count + 2] = mix4(3, arc, th, tm, scale)
    out[count + 3] = mix3(4, arc, wh, tm)
    out[count + 4] = mix3(5, arc, th, wm)
    out[count + 5] = mix3(6, arc, wh, wm)
    out[count + 6] = mix3(7, arc, wh, scale)
    out[count + 7] = mix3(8, arc, wm, scale)
    out[count + 8] = mix3(9, arc, ch, cm)
    out[count + 9] = mix3(10, arc, ch, tm)
    out[count + 10] = mix3(11, arc, th, cm)
    out[count + 11] = mix2(12, arc, tokens.endings[token])
    count += 12
    if head < 0:
        out[count] = mix4(13, arc, tm, code_at(tags, token - 1), code_at(tags, token + 1))
        return count + 1
    t1, t2 = tags[left], tags[right]
    before, after = code_at(tags, left - 1), code_at(tags, left + 1)
    behind, beyond = code_at(tags, right - 1), code_at(tags, right + 1)
    out[count] = mix(mix4(14, arc, t1, after, behind), t2)
    out[count + 1] = mix(mix4(15, arc, before, t1, t2), beyond)
    out[count + 2] = mix(mix4(16, arc, before, t1, behind), t2)
    out[count + 3] = mix(mix4(17, arc, t1, after, t2), beyond)
    count += 4
    # what lies between: how many of each kind, and every coarse tag once
    commas = verbs = conjunctions = depth = crossed = 0
    seen = np.uint64(0)
    for position in range(left + 1, right):
        kind = tokens.kinds[position]
        commas += (kind & COMMA) != 0
        verbs += (kind & VERB) != 0
        conjunctions += (kind & CONJUNCTION) != 0
        depth += ((kind & OPENING) != 0) * 1 - ((kind & CLOSING) != 0) * 1
        crossed = min(crossed, depth)  # -crossed brackets close that were opened before the arc
        if position - left <= _MAX_BETWEEN_TOKENS or right - position <= _MAX_BETWEEN_TOKENS:
            bit = np.uint64(1) << (tokens.coarse[position] & np.uint64(63))
            if not seen & bit:
                seen |= bit
                out[count] = mix4(18, arc, t1, tokens.coarse[position], t2)
                count += 1
    out[count] = mix4(19, arc, clip_count(commas, 3), clip_count(verbs, 2), clip_count(conjunctions, 2))
    out[count + 1] = mix3(20, arc, th, clip_count(verbs, 2))
    out[count + 2] = mix4(21, arc, th, tm, clip_count(commas, 2))
    # brackets: how many are opened or closed between the two ends, and not closed or opened again
    out[count + 3] = mix3(22, arc, clip_count(-crossed, 2), clip_count(depth - crossed, 2))
    return count + 4


@compiled
def tree_parts(
    tokens: TokenCodes,
    label_codes: LabelCodes,
    heads: NDArray[np.int16],
    labels: NDArray[np.uint64],
    out: NDArray[np.uint64],
) -> int:
    """All parts of a tree, as hashes, into ``out`` (MAX_PARTS_PER_TOKEN per token); returns how many there are."""
    n = len(heads)
    tags, words = tokens.tags, tokens.words
    left, right = np.empty(n, np.int16), np.empty(n, np.int16)
    spans_of(heads, left, right)
    before = np.full((2, n), -1, np.int16)  # the child last met on either side of a token
    met = np.zeros((2, n), np.int16)  # how many children on either side
    frames = np.full((2, n), OUTSIDE, np.uint64)  # the hash of their labels, in order: the token's frame
    count = 0
    for token in range(n):
        head, label = heads[token], labels[token]
        count = arc_parts(tokens, head, token, label, out, count)
        tm = tags[token]
        th = tags[head] if head >= 0 else ROOT
        wh = words[head] if head >= 0 else ROOT
        if label != label_codes.punctuation:
            # how far the phrase of the token reaches, and what stands at its ends
            out[count] = mix3(30, label, tm, bin_distance(right[token] - left[token] + 1))
            out[count + 1] = mix4(31, label, tm, tags[left[token]], code_at(tags, left[token] - 1))
            out[count + 2] = mix4(32, label, tm, tags[right[token]], code_at(tags, right[token] + 1))
            out[count + 3] = mix3(33, label, th, code_at(words, right[token] + 1))
            count += 4
        if head < 0:
            continue
        side = 1 if token > head else 0
        if label != label_codes.punctuation:
            frames[side, head] = mix(frames[side, head], label)
            met[side, head] += 1
            sibling = before[side, head]
            before[side, head] = token
            if sibling >= 0:
                other = labels[sibling]
                out[count] = mix5(40, label, other, th, tags[sibling], tm)
                out[count + 1] = mix3(41, label, other, wh)
                out[count + 2] = mix4(42, label, other, tags[sibling], tm)
                out[count + 3] = mix4(43, label, other, words[sibling], words[token])
                out[count + 4] = mix4(44, label, other, th, bin_distance(token - sibling))
                count += 5
        # the token, its head and the head's head; tm, th and tg are their tags
        above = heads[head]
        tg = tags[above] if above >= 0 else ROOT
        over = labels[head]
        out[count] = mix5(50, label, over, tg, th, tm)
        out[count + 1] = mix4(51, label, over, tm, np.uint64(side) * np.uint64(2) + np.uint64(above < head))
        out[count + 2] = mix4(52, label, over, wh, tm)
        out[count + 3] = mix4(53, label, over, tg, words[token])
        count += 4
        if over == label_codes.preposition and above >= 0:
            # the two that a preposition joins
            out[count] = mix4(54, label, words[above], wh, words[token])
            out[count + 1] = mix4(55, label, tokens.clusters[above], wh, tokens.clusters[token])
            out[count + 2] = mix4(56, label, tg, wh, tokens.clusters[token])
            out[count + 3] = mix4(57, label, tokens.clusters[above], wh, tm)
            count += 4
        if label == label_codes.conjunct:
            # conjuncts are alike: words, endings, clusters, and how their phrases begin
            out[count] = mix4(60, th, tm, np.uint64(words[head] == words[token]), bin_distance(abs(token - head)))
            same = np.uint64(tokens.endings[head] == tokens.endings[token])
            alike = np.uint64(tokens.clusters[head] == tokens.clusters[token])
            out[count + 1] = mix4(61, tokens.coarse[head], tokens.coarse[token], same, alike)
            out[count + 2] = mix4(62, th, tm, tags[left[head]], tags[left[token]])
            reach = bin_distance(right[token] - left[token] + 1)
            out[count + 3] = mix4(63, th, tm, reach, bin_distance(max(token - left[head], 1)))
            out[count + 4] = mix4(64, over, tg, th, tm)
            count += 5
    # a token with all its children together
    for head in range(n):
        if met[0, head] + met[1, head] == 0:
            out[count] = mix3(70, tags[head], labels[head], OUTSIDE)
            count += 1
            continue
        whole = mix(frames[0, head], frames[1, head])
        out[count] = mix3(71, tags[head], labels[head], whole)
        out[count + 1] = mix3(72, words[head], whole, OUTSIDE)
        out[count + 2] = mix3(73, words[head], frames[1, head], tags[head])
        out[count + 3] = mix4(74, tags[head], labels[head], clip_count(met[0, head], 4), clip_count(met[1, head], 4))
        out[count + 4] = mix3(75, tokens.clusters[head], frames[1, head], tags[head])
        count += 5
    return count


@compiled
def sum_weights(weights: NDArray[np.float32], columns: NDArray[np.uint64], count: int) -> float:
    """The sum of the weights of the first ``count`` columns, each taken modulo the number of weights, a power of 2."""
    mask = np.uint64(len(weights) - 1)
    total = 0.0
    for position in range(count):
        total += np.float64(weights[columns[position] & mask])
    return total


@compiled
def tree_scores(
    tokens: TokenCodes,
    label_codes: LabelCodes,
    heads: NDArray[np.int16],
    labels: NDArray[np.uint64],
    weights: NDArray[np.float32],
    scores: NDArray[np.float64],
) -> None:
    """The sum of the weights of the parts of each tree; rows of ``heads`` and ``labels`` are trees."""
    out = np.empty(MAX_PARTS_PER_TOKEN * heads.shape[1], np.uint64)
    for tree in range(heads.shape[0]):
        scores[tree] = sum_weights(weights, out, tree_parts(tokens, label_codes, heads[tree], labels[tree], out))


@compiled
def tree_rows(
    tokens: TokenCodes,
    label_codes: LabelCodes,
    heads: NDArray[np.int16],
    labels: NDArray[np.uint64],
    n_columns: int,
    columns: NDArray[np.int32],
    values: NDArray[np.float32],
    ends: NDArray[np.int64],
) -> None:
    """How often each column comes in a tree, less how often it comes in the first tree: sparse rows.

    ``columns`` and ``values`` have space for 2 MAX_PARTS_PER_TOKEN per token and tree; ``ends`` are the rows' ends.
    """
    mask = np.uint64(n_columns - 1)
    out = np.empty(MAX_PARTS_PER_TOKEN * heads.shape[1], np.uint64)
    filled = 0
    first = np.empty(0, np.uint64)
    for tree in range(heads.shape[0]):
        count = tree_parts(tokens, label_codes, heads[tree], labels[tree], out)
        tree_columns = np.sort(out[:count] & mask)
        if tree == 0:
            first = tree_columns
        # two sorted lists, with repetitions, merged: the difference of their counts
        a = b = 0
        while a < len(tree_columns) or b < len(first):
            if b == len(first) or (a < len(tree_columns) and tree_columns[a] < first[b]):
                column = tree_columns[a]
            else:
                column = first[b]
            value = 0
            while a < len(tree_columns) and tree_columns[a] == column:
                value += 1
                a += 1
            while b < len(first) and first[b] == column:
                value -= 1
                b += 1
            if value != 0:
                columns[filled] = column
                values[filled] = value
                filled += 1
        ends[tree] = filled
