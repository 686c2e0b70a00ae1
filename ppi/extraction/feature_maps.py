"""Makes the extractor's kernels by name, each as a map to explicit sparse features."""

from __future__ import annotations

from functools import partial
from typing import Any

from kernels import (
    AllPathsFeatures,
    CandidateGraph,
    ClusteredFeatures,
    CombinedFeatures,
    ContextFeatures,
    FeatureMap,
    PairFeatures,
    PathFeatures,
    check_feature_map,
    clone_map,
)
from ppi.extraction import plugins
from ppi.extraction.settings import KERNELS
from ppi.language import load_word_clusters

#: What the names of parts begin with that are not over words.
_LAYER_PREFIXES = ("clusters-", "structure-")
#: The shape of the pair, of the whole ``composite-layers``.
_SHAPE_WEIGHT = 1 / 3


def make_feature_map(kernel: Any, *, variant: str = "max", n_features: int | None = None) -> FeatureMap[CandidateGraph]:
    """An unfitted transformer from candidate graphs to CSR.

    ``all-paths`` is the published kernel, not normalized.  The others are cosines; ``composite`` is the mean of
    four: all-paths, context, path, and the shape of the pair.  Its first three are 0 between a pair that its sentence
    denies to interact (:mod:`kernels.negation`) and one that it does not.  ``composite-clusters`` is the mean of seven:
    those, and the first three once more over clusters of words (:mod:`ppi.language.word_clusters`) instead of words.
    ``composite-layers`` has words, clusters and bare dependencies as three layers of the same weight, and as a third of
    the whole the shape of the pair: for corpora that are too small to learn much from words.

    Parameters
    ----------
    kernel
        One of the names above, one that another package offers (:mod:`ppi.extraction.plugins`), or a feature map, of
        which an unfitted copy is given.
    variant
        ``"max"`` or ``"sum"``, of the all-paths kernel.
    n_features
        None to learn a vocabulary; a power of 2 to hash each part into that many columns.

    Raises
    ------
    kernels.FeatureMapError
        If what another package or the caller offers is not a feature map.
    UsageError
        If there is no kernel of this name.
    """
    if not isinstance(kernel, str) or kernel not in KERNELS:
        custom_map = plugins.make("kernel", kernel) if isinstance(kernel, str) else kernel
        check_feature_map(kernel if isinstance(kernel, str) else type(kernel).__name__, custom_map)
        unfitted_copy: FeatureMap[CandidateGraph] = clone_map(custom_map)
        return unfitted_copy
    parts = _make_parts(kernel, variant, n_features)
    if kernel == "all-paths":
        return parts[kernel]
    if not kernel.startswith("composite"):
        return CombinedFeatures([(kernel, parts[kernel])])
    text_parts, denied_parts = [name for name in parts if name != "pair"], _make_parts(kernel, variant, n_features)
    # what a denied pair has in common with an affirmed one is its shape, not what its words say
    named_parts = [
        *((name, parts[name], "affirmed") for name in text_parts),
        *((f"denied-{name}", denied_parts[name], "denied") for name in text_parts),
        ("pair", parts["pair"], "any"),
    ]
    weights = _layer_weights(list(parts)) if kernel == "composite-layers" else dict.fromkeys(parts, 1 / len(parts))
    return CombinedFeatures(
        [(name, part) for name, part, _ in named_parts],
        weights=[weights[name.removeprefix("denied-")] for name, _, _ in named_parts],
        polarity=[polarity for _, _, polarity in named_parts],
    )


def _layer_weights(names: list[str]) -> dict[str, float]:
    """The weight of the shape for the pair; of the rest the same for every layer, and in a layer for every part."""
    layers: dict[str, list[str]] = {}
    for name in names:
        if name != "pair":
            layer = next((prefix for prefix in _LAYER_PREFIXES if name.startswith(prefix)), "")
            layers.setdefault(layer, []).append(name)
    layer_weight = (1 - _SHAPE_WEIGHT) / len(layers)
    return {"pair": _SHAPE_WEIGHT} | {name: layer_weight / len(layer) for layer in layers.values() for name in layer}


def _make_parts(kernel: str, variant: str, n_features: int | None) -> dict[str, FeatureMap[CandidateGraph]]:
    # a few cyclic parses of the corpora diverge with the published weights; the map counts them (n_scaled_)
    all_paths = partial(AllPathsFeatures, variant=variant, on_divergence="scale", n_features=n_features)
    parts: dict[str, FeatureMap[CandidateGraph]] = {
        "all-paths": all_paths(),
        "context": ContextFeatures(n_features=n_features),
        "path": PathFeatures(n_features=n_features),
        "pair": PairFeatures(n_features=n_features),
    }
    if kernel in ("composite-clusters", "composite-layers"):  # clusters are read where needed
        cluster_parts = {
            "clusters-all-paths": all_paths(labels=("lemma", "dependency")),
            "clusters-context": ContextFeatures(kinds=("lemma",), n_features=n_features),
            "clusters-path": PathFeatures(kinds=("lemma", "dependency"), n_features=n_features),
        }
        parts |= {name: ClusteredFeatures(part, load_word_clusters()) for name, part in cluster_parts.items()}
    if kernel == "composite-layers":  # no word at all, so longer parts of the path are still met again
        parts["structure-all-paths"] = all_paths(labels=("dependency",))
        parts["structure-path"] = PathFeatures(kinds=("dependency",), orders=(1, 9), n_features=n_features)
    return parts
