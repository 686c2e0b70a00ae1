"""The parts of a dependency tree, straight from the table of templates: tuples first, hashed afterwards."""

from collections import Counter
from zlib import crc32

OUTSIDE, ROOT = 3, 5
WORD_LIMIT = 2**64
BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def code(text: str) -> int:
    return crc32(text.encode()) + 2**32


def mixed(start: int, *values: int) -> int:
    for value in values:
        start = ((start ^ value) * 0x9E3779B97F4A7C15) % WORD_LIMIT
        start ^= start >> 29
    return start


def scale(distance: int) -> int:
    limits = (1, 2, 3, 4, 6, 9, 14, 24)
    return next((place + 1 for place, limit in enumerate(limits) if distance <= limit), 9) if distance else 0


class Tree:
    """One tree with the codes of its tokens; labels are texts."""

    def __init__(self, words, tags, clusters, heads, labels):
        self.forms, self.names, self.raw_tags, self.heads = words, labels, tags, list(heads)
        normal = ["".join("0" if c.isdigit() else c for c in word.lower()) for word in words]
        normal = [self.one_digit(word) for word in normal]
        self.words = [code(word) for word in normal]
        self.tags, self.coarse = [code(tag) for tag in tags], [code(tag[:2]) for tag in tags]
        self.clusters, self.endings = [code(name) for name in clusters], [code(word[-3:]) for word in normal]
        self.labels = [code(label) for label in labels]
        self.n = len(words)

    @staticmethod
    def one_digit(word):
        while "00" in word:
            word = word.replace("00", "0")
        return word

    def at(self, codes, place):
        return codes[place] if 0 <= place < self.n else OUTSIDE

    def of(self, codes, place):
        return codes[place] if place >= 0 else ROOT

    def below(self, token):
        """All tokens below a token, itself included."""
        found = {token}
        while True:
            more = {child for child in range(self.n) if self.heads[child] in found} - found
            if not more:
                return found
            found |= more

    def is_verb(self, place):
        return self.kind(place) == "verb"

    def kind(self, place):
        if self.forms[place] in BRACKETS:
            return "opening" if BRACKETS[self.forms[place]] > 0 else "closing"
        tag = self.raw_tags[place]
        known = {",": "comma", "CC": "conjunction", "-LRB-": "opening", "-RRB-": "closing"}
        return known.get(tag) or ("verb" if tag.startswith("VB") or tag == "MD" else "")

    def parts(self):
        for token in range(self.n):
            yield from self.arc(token)
            yield from self.phrase(token)
            yield from self.neighbours(token)
        for token in range(self.n):
            yield from self.frame(token)

    def arc(self, token):
        head, label = self.heads[token], self.labels[token]
        th, tm = self.of(self.tags, head), self.tags[token]
        wh, wm = self.of(self.words, head), self.words[token]
        ch, cm = self.of(self.clusters, head), self.clusters[token]
        arc = mixed(label, 1 if head < token else 2)
        far = scale(abs(head - token)) if head >= 0 else 0
        yield from [(1, arc, far), (2, arc, th, tm), (3, arc, th, tm, far), (4, arc, wh, tm), (5, arc, th, wm)]
        yield from [(6, arc, wh, wm), (7, arc, wh, far), (8, arc, wm, far), (9, arc, ch, cm), (10, arc, ch, tm)]
        yield from [(11, arc, th, cm), (12, arc, self.endings[token])]
        if head < 0:
            yield (13, arc, tm, self.at(self.tags, token - 1), self.at(self.tags, token + 1))
            return
        left, right = sorted((head, token))
        t1, t2 = self.tags[left], self.tags[right]
        before, after = self.at(self.tags, left - 1), self.at(self.tags, left + 1)
        behind, beyond = self.at(self.tags, right - 1), self.at(self.tags, right + 1)
        yield from [(14, arc, t1, after, behind, t2), (15, arc, before, t1, t2, beyond)]
        yield from [(16, arc, before, t1, behind, t2), (17, arc, t1, after, t2, beyond)]
        between = range(left + 1, right)
        near = [place for place in between if place - left <= 16 or right - place <= 16]
        bits = {}
        for place in near:
            bits.setdefault(self.coarse[place] % 64, self.coarse[place])
        yield from ((18, arc, t1, tag, t2) for tag in bits.values())
        count = Counter(self.kind(place) for place in between)
        yield (19, arc, min(count["comma"], 3), min(count["verb"], 2), min(count["conjunction"], 2))
        yield (20, arc, th, min(count["verb"], 2))
        yield (21, arc, th, tm, min(count["comma"], 2))
        depth = lowest = 0
        for place in between:
            depth += {"opening": 1, "closing": -1}.get(self.kind(place), 0)
            lowest = min(lowest, depth)
        yield (22, arc, min(-lowest, 2), min(depth - lowest, 2))

    def phrase(self, token):
        if self.names[token] == "punct":
            return
        label, tm, below = self.labels[token], self.tags[token], self.below(token)
        left, right = min(below), max(below)
        yield (30, label, tm, scale(right - left + 1))
        yield (31, label, tm, self.tags[left], self.at(self.tags, left - 1))
        yield (32, label, tm, self.tags[right], self.at(self.tags, right + 1))
        yield (33, label, self.of(self.tags, self.heads[token]), self.at(self.words, right + 1))

    def neighbours(self, token):
        head, label = self.heads[token], self.labels[token]
        if head < 0:
            return
        th, tm, wh, wm = self.tags[head], self.tags[token], self.words[head], self.words[token]
        if self.names[token] != "punct":
            before = [s for s in self.children(head, right=token > head) if s < token]
            if before:
                s = before[-1]
                other = self.labels[s]
                yield (40, label, other, th, self.tags[s], tm)
                yield (41, label, other, wh)
                yield (42, label, other, self.tags[s], tm)
                yield (43, label, other, self.words[s], wm)
                yield (44, label, other, th, scale(token - s))
        above, over = self.heads[head], self.labels[head]
        tg = self.of(self.tags, above)
        yield (50, label, over, tg, th, tm)
        yield (51, label, over, tm, 2 * (token > head) + (above < head))
        yield (52, label, over, wh, tm)
        yield (53, label, over, tg, wm)
        if self.names[head] == "prep" and above >= 0:
            yield (54, label, self.words[above], wh, wm)
            yield (55, label, self.clusters[above], wh, self.clusters[token])
            yield (56, label, tg, wh, self.clusters[token])
            yield (57, label, self.clusters[above], wh, tm)
        if self.names[token] == "conj":
            own, others = self.below(token), self.below(head)
            yield (60, th, tm, int(wh == wm), scale(abs(token - head)))
            alike = int(self.clusters[head] == self.clusters[token])
            yield (61, self.coarse[head], self.coarse[token], int(self.endings[head] == self.endings[token]), alike)
            yield (62, th, tm, self.tags[min(others)], self.tags[min(own)])
            yield (63, th, tm, scale(max(own) - min(own) + 1), scale(max(token - min(others), 1)))
            yield (64, over, tg, th, tm)

    def children(self, head, *, right):
        places = range(head + 1, self.n) if right else range(head)
        return [place for place in places if self.heads[place] == head and self.names[place] != "punct"]

    def frame(self, token):
        left, right = self.children(token, right=False), self.children(token, right=True)
        tag, word, label = self.tags[token], self.words[token], self.labels[token]
        if not left and not right:
            yield (70, tag, label, OUTSIDE)
            return
        lefts = mixed(OUTSIDE, *(self.labels[child] for child in left))
        rights = mixed(OUTSIDE, *(self.labels[child] for child in right))
        whole = mixed(lefts, rights)
        yield (71, tag, label, whole)
        yield (72, word, whole, OUTSIDE)
        yield (73, word, rights, tag)
        yield (74, tag, label, min(len(left), 4), min(len(right), 4))
        yield (75, self.clusters[token], rights, tag)


def column_counts(trees, row: int, n_columns: int) -> Counter:
    """How often each column comes in a tree."""
    labels = [trees.names[number] for number in trees.labels[row]]
    tree = Tree(trees.words, trees.tags, trees.clusters, trees.heads[row].tolist(), labels)
    return Counter(mixed(*part) % n_columns for part in tree.parts())
