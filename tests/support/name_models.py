"""A name model with random weights, small enough to check by hand."""

import numpy as np
from lab.training.pipeline.name_labels import illegal_steps, labels_of

from ppi.language import KINDS, LISTS, WHOLE, Decoder, Gazetteer, KindClassifier, NameModel, Vocabulary

UNITS = 4


def random_name_model(seed=0):
    state = np.random.default_rng(seed)

    def normal(*shape):
        return state.normal(size=shape).astype(np.float32)

    vocabulary = Vocabulary(["binds", "p53", "raf"], ["Aaa", "a00", "aaa"], list("Rabdfinps53"))
    sizes = {"words": (5, 6), "shapes": (5, 3), "characters": (13, 4), "places": (1 + WHOLE * len(LISTS), 2)}
    weights = {name: normal(*shape) for name, shape in sizes.items()}
    weights["characters"][0] = 0
    weights["filters"], weights["filter_bias"] = normal(5, 3, 4), normal(5)
    for direction in ("forward", "backward"):
        weights[f"{direction}_inputs"] = normal(4 * UNITS, 6 + 3 + 5 + 2)
        weights[f"{direction}_recurrent"] = normal(4 * UNITS, UNITS)
        weights[f"{direction}_bias"] = normal(4 * UNITS)
    weights["mix"], weights["mix_bias"] = normal(UNITS, 2 * UNITS), normal(UNITS)
    decoders = []
    for types in (("GENE", "chemical"), ("protein", "DNA")):
        labels = labels_of(types)
        bias = normal(len(labels))
        bias[0] = -2  # so that there are names
        decoders.append(Decoder(types, normal(len(labels), UNITS), bias, illegal_steps(labels)))
    gazetteer = Gazetteer(*Gazetteer.tables({"gene": ["p53", "raf-1"]}))
    classifier = KindClassifier(normal(len(KINDS), 2 * UNITS), normal(len(KINDS)))
    return NameModel(vocabulary, gazetteer, weights, tuple(decoders), classifier)
