"""Feature maps of each kind, by name, unfitted."""

from sklearn.base import clone

from kernels import AllPathsFeatures, CombinedFeatures, ContextFeatures, PairFeatures, PathFeatures

NAMES = ("all-paths", "context", "window", "path", "lemmas", "pair", "composite")


def make_map(name, *, variant="max", n_features=None):
    all_paths = AllPathsFeatures(variant=variant, on_divergence="scale", n_features=n_features)
    single = {
        "all-paths": all_paths,
        "context": ContextFeatures(n_features=n_features),
        "window": ContextFeatures(window=2, n_features=n_features),
        "path": PathFeatures(n_features=n_features),
        "lemmas": PathFeatures(kinds=("lemma",), n_features=n_features),
        "pair": PairFeatures(n_features=n_features),
    }
    if name != "composite":
        return single[name]
    told = ("all-paths", "context", "path")
    parts = [(part, single[part]) for part in told]
    parts += [(f"denied-{part}", clone(single[part])) for part in told]
    polarity = ["affirmed"] * 3 + ["denied"] * 3 + ["any"]
    return CombinedFeatures([*parts, ("pair", single["pair"])], weights=[1.0, 0.5, 0.25] * 2 + [2.0], polarity=polarity)
