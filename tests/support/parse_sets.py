"""Hand-made candidate sets: random parses of random sentences, whose goodness the links decide."""

import numpy as np

from corpora import Dependency, DependencyGraph, Token
from ppi.parse_ranking import CandidateParse, CandidateSet

WORDS = ("profilin", "binds", "actin", "and", "regulates", "cofilin", "in", "cells", "strongly", "the")
TAGS = ("NN", "VBZ", "NN", "CC", "VBZ", "NN", "IN", "NNS", "RB", "DT")
TYPES = {"Ss": 1.0, "Os": 0.8, "MVp": 0.3, "AN": -0.5, "CO": -1.0}


def sentence(rng, length):
    words = rng.integers(len(WORDS), size=length)
    text, tokens = "", []
    for number, word in enumerate(words):
        start = len(text)
        text += WORDS[word] + " "
        tokens.append(Token(str(number + 1), start, len(text) - 1, WORDS[word], TAGS[word]))
    return text.rstrip(), tuple(tokens)


def parse(rng, tokens, *, parser="made"):
    types = list(TYPES)
    arcs = [
        Dependency(tokens[int(rng.integers(number))].id, token.id, types[rng.integers(len(types))])
        for number, token in enumerate(tokens)
        if number and rng.random() < 0.9
    ]
    return DependencyGraph(parser, parser, tokens, tuple(arcs))


def goodness(graph):
    """What a link is worth on average: a linear function of the link types, so that it can be learned."""
    return sum(TYPES[arc.type] for arc in graph.dependencies) / len(graph.tokens)


def made_sets(n_sentences, n_parses=6, *, seed=0, noise=0.0, length=7):
    rng = np.random.default_rng(seed)
    sets = []
    for number in range(n_sentences):
        text, tokens = sentence(rng, length)
        graphs = [parse(rng, tokens) for _ in range(n_parses)]
        values = tuple(float(goodness(graph) + noise * rng.normal()) for graph in graphs)
        parses = tuple(CandidateParse(graph, place, float(place)) for place, graph in enumerate(graphs))
        sets.append(CandidateSet(f"d{number // 5}/{number}", text, parses, values))
    return sets
